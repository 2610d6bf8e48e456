// SPDX-License-Identifier: BSL-1.0
// Operands and results of scan and vmap whose rows are all equal: from a broadcast to the row, and back.
#pragma once

#include <exprax/passes/rewrite/rewriter.hpp>

namespace exprax::detail {

// The row that v repeats along the axes dims; -1: none is known.
template <class W>
constexpr int repeated_row(W& w, int t, int v, span<int> dims) {
  eqn const* const e = w.made_by(prim::broadcast_in_dim, v);
  if (!e) return -1;
  int const from = w.in(e, 0), rank = w.aval_of(v).rank, from_rank = w.aval_of(from).rank;
  if (from_rank == 0) return w.filled(t, from);
  aval const to = w.type(t);
  int par[2 * max_rank], place[max_rank], n = 0;
  for (int i = 0; i < rank; ++i) {
    place[i] = n++;
    for (int d : dims)
      if (d == i) place[i] = -1, --n;
  }
  for (int i = 0; i < to.rank; ++i) par[i] = to.dims[i];
  for (int i = 0; i < from_rank; ++i) {
    par[to.rank + i] = place[w.param(e, rank + i)];
    if (par[to.rank + i] < 0) return -1;
  }
  return w.make({prim::broadcast_in_dim, t, &from, 1, par, to.rank + from_rank});
}

// v, repeated along the axes dims of type t.
template <class W>
constexpr int repeated(W& w, int t, int v, span<int> dims) {
  aval const to = w.type(t);
  if (w.aval_of(v).rank == 0 && to.rank > 0) return w.filled(t, v);
  int par[2 * max_rank], n = to.rank;
  for (int i = 0; i < to.rank; ++i) par[i] = to.dims[i];
  for (int i = 0; i < to.rank; ++i) {
    bool mapped = false;
    for (int d : dims) mapped = mapped || d == i;
    if (!mapped) par[n++] = i;
  }
  return n == 2 * to.rank ? v : w.make({prim::broadcast_in_dim, t, &v, 1, par, n});
}

}  // namespace exprax::detail
