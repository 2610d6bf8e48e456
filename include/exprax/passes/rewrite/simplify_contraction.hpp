// SPDX-License-Identifier: BSL-1.0
// Contractions: a product that sums nothing is elementwise, so that what uses it takes it into its loop; rows that are all equal are
// multiplied once; a loop-invariant matrix is transposed before the loop, where the product wants it so.
#pragma once

#include <exprax/passes/rewrite/request.hpp>
#include <exprax/primitives/contractions/dot_general.hpp>

namespace exprax::detail {

// x, broadcast to the type of the result: its batch axes are the first ones, its free axes follow from `free` on.
template <class W>
constexpr int as_factor(W& w, int type, int x, span<int> batch, int free) {
  aval const &to = w.type(type), &from = w.aval_of(x);
  int par[2 * max_rank];
  for (int i = 0; i < to.rank; ++i) par[i] = to.dims[i];
  for (int i = 0; i < from.rank; ++i) {
    int k = 0;
    while (k < batch.count && batch[k] != i) ++k;
    par[to.rank + i] = k < batch.count ? k : free++;
    if (i > 0 && par[to.rank + i] < par[to.rank + i - 1]) return -1;
  }
  return w.make({prim::broadcast_in_dim, type, &x, 1, par, to.rank + from.rank});
}

// A broadcast of x, then transposed, as one broadcast; -1: not one, or the axes of its operand would change places.
template <class W>
constexpr int transposed_broadcast(W& w, request const& r, int x) {
  eqn const* const e = w.made_by(prim::broadcast_in_dim, x);
  if (!e) return -1;
  aval const to = w.type(r.type);
  int const from = w.in(e, 0), rank = w.aval_of(from).rank;
  int par[2 * max_rank], last = -1;
  for (int i = 0; i < to.rank; ++i) par[i] = to.dims[i];
  for (int k = 0; k < rank; ++k) {
    int const at = position({r.par, r.n_par}, w.param(e, to.rank + k));
    if (at <= last) return -1;
    par[to.rank + k] = last = at;
  }
  return w.make({prim::broadcast_in_dim, r.type, &from, 1, par, to.rank + rank});
}

template <class W>
constexpr int transposed_outer_product(W& w, request const& r, int x) {
  eqn const* const product = w.made_by(prim::mul, x);
  if (!product) return -1;
  int const left = w.in(product, 0), right = w.in(product, 1), a = transposed_broadcast(w, r, left);
  int const b = a < 0 ? -1 : transposed_broadcast(w, r, right);
  return b < 0 ? -1 : w.make(prim::mul, r.type, {a, b});
}

// An operand that is broadcast along a free axis: the product without that axis, broadcast.
template <class W>
constexpr int product_of_repeated(W& w, request const& r, dot_numbers const& d, int side) {
  eqn const* const e = w.made_by(prim::broadcast_in_dim, r.in[side]);
  if (!e) return -1;
  aval const full = w.aval_of(r.in[side]), out = w.type(r.type);
  int const from = w.in(e, 0), rank = w.aval_of(from).rank, contracted = d.lhs_contract.size(), batch = d.lhs_batch.size();
  bool keeps[max_rank] = {}, drops_from_out[max_rank] = {};
  for (int k = 0; k < rank; ++k) keeps[w.param(e, full.rank + k)] = true;
  aval part(full.type), less(out.type);
  int at[max_rank] = {}, par[4 + 4 * max_rank], place = batch;
  if (side == 1) place = out.rank - (full.rank - contracted - batch);
  for (int i = 0; i < full.rank; ++i) {
    bool const is_free = side == 0 ? d.lhs_is_free(i) : d.rhs_is_free(i);
    at[i] = part.rank;
    if (!is_free || keeps[i] || full.dims[i] == 1) part.dims[part.rank++] = full.dims[i];
    else drops_from_out[place] = true;
    place += is_free;
  }
  if (part.rank == full.rank) return -1;
  int in[2] = {r.in[0], r.in[1]}, widen[2 * max_rank];
  for (int i = 0; i < part.rank; ++i) widen[i] = part.dims[i];
  for (int k = 0; k < rank; ++k) widen[part.rank + k] = at[w.param(e, full.rank + k)];
  in[side] = w.make({prim::broadcast_in_dim, w.intern(part), &from, 1, widen, part.rank + rank});
  for (int i = 0; i < r.n_par; ++i) par[i] = r.par[i];
  for (int k = 0; k < contracted; ++k) par[1 + side * contracted + k] = at[par[1 + side * contracted + k]];
  for (int k = 0; k < batch; ++k) par[2 + 2 * contracted + side * batch + k] = at[par[2 + 2 * contracted + side * batch + k]];
  for (int i = 0; i < out.rank; ++i) {
    widen[i] = out.dims[i];
    if (drops_from_out[i]) continue;
    widen[out.rank + less.rank] = i;
    less.dims[less.rank++] = out.dims[i];
  }
  int const product = w.make({r.op, w.intern(less), in, 2, par, r.n_par});
  return w.make({prim::broadcast_in_dim, r.type, &product, 1, widen, out.rank + less.rank});
}

template <class W>
constexpr int simplify_dot_general(W& w, request const& r) {
  dot_numbers const d(span<int>(r.par, r.n_par));
  int const lhs = r.in[0], rhs = r.in[1], batch = d.lhs_batch.size(), contracted = d.lhs_contract.size();
  aval const b = w.aval_of(rhs);
  if (contracted == 0 && d.order == 0 && w.aval_of(lhs).type == d.preferred && b.type == d.preferred) {
    int const x = as_factor(w, r.type, lhs, d.lhs_batch, batch), y = as_factor(w, r.type, rhs, d.rhs_batch, w.aval_of(lhs).rank);
    return x < 0 || y < 0 ? -1 : w.make(prim::mul, r.type, {x, y});
  }
  for (int side = 0; side < 2; ++side)
    if (int const v = product_of_repeated(w, r, d, side); v >= 0) return v;
  // Packs run along the last free axis of rhs, so that should be its last one.
  int column = b.rank - 1;
  while (column >= 0 && !d.rhs_is_free(column)) --column;
  if (column < 0 || column == b.rank - 1 || b.dims[column] == 1 || w.level_of(rhs) >= w.level_of(lhs)) return -1;
  aval turned = b;
  int order[max_rank], par[4 + 4 * max_rank];
  for (int i = 0; i < b.rank; ++i) order[i] = i < column ? i : i + 1 < b.rank ? i + 1 : column;
  for (int i = 0; i < b.rank; ++i) turned.dims[i] = b.dims[order[i]];
  for (int i = 0; i < r.n_par; ++i) par[i] = r.par[i];
  auto const renumber = [&](int first, int n) {
    for (int i = first; i < first + n; ++i) par[i] -= par[i] > column;
  };
  renumber(1 + contracted, contracted);
  renumber(2 + 2 * contracted + batch, batch);
  int const in[2] = {lhs, w.make({prim::transpose, w.intern(turned), &rhs, 1, order, b.rank})};
  return w.make({r.op, r.type, in, 2, par, r.n_par});
}

}  // namespace exprax::detail
