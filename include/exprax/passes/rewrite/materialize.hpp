// SPDX-License-Identifier: BSL-1.0
// Values that rules make from constants and from values with one element.
#pragma once

#include <exprax/passes/rewrite/rewriter.hpp>

namespace exprax::detail {

inline constexpr int max_picked = 16;

// A constant in another shape.
template <class W>
constexpr int recast(W& w, int t, int v) {
  return w.type(t).rank == 0 ? w.literal(t, w.bits(v)) : w.same_constant(t, v);
}

// A slice of a constant, with a start and a step for each axis; -1 if it is large.
template <class W, class Axis>
constexpr int pick(W& w, int t, int v, Axis const* axes) {
  aval const to = w.type(t);
  std::ptrdiff_t const n = to.size();
  if (n > max_picked) return -1;
  strides const from(w.aval_of(v));
  std::uint64_t part[max_picked];
  bool all_same = true;
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    std::ptrdiff_t at = 0, rest = i;
    for (int k = to.rank - 1; k >= 0; --k) {
      at += (axes[k].start + rest % to.dims[k] * axes[k].step) * from[k];
      rest /= to.dims[k];
    }
    part[i] = w.bits(v, at);
    all_same = all_same && part[i] == part[0];
  }
  if (all_same) return w.filled(t, w.literal(to.type, part[0]));
  return w.constant(t, part, n);
}

// v, which has one element, in another shape.
template <class W>
constexpr int single(W& w, int t, int v) {
  if (w.aval_of(v).rank == 0) return w.filled(t, v);
  return w.reshape(t, v);
}

// v, a scalar or an array that may have axes of 1, broadcast to a type.
template <class W>
constexpr int shaped(W& w, int t, int v) {
  if (w.type_of(v) == t) return v;
  aval const a = w.type(t);
  if (w.aval_of(v).rank == 0) return w.filled(t, v);
  int par[2 * max_rank];
  for (int i = 0; i < a.rank; ++i) {
    par[i] = a.dims[i];
    par[a.rank + i] = i;
  }
  return w.make({prim::broadcast_in_dim, t, &v, 1, par, 2 * a.rank});
}

}  // namespace exprax::detail
