// SPDX-License-Identifier: BSL-1.0
// Gathers and scatters with one clamped index vector are dynamic_slice and dynamic_update_slice.
#pragma once

#include <exprax/passes/rewrite/materialize.hpp>
#include <exprax/primitives/indexed/gather.hpp>
#include <exprax/primitives/indexed/scatter_family.hpp>

namespace exprax::detail {

constexpr bool is_one_vector(aval const& indices) {
  for (int i = 0; i + 1 < indices.rank; ++i)
    if (indices.dims[i] != 1) return false;
  return true;
}

// The starts of the window along each axis of x, as scalars: components of the index vector, else 0.
template <class W>
constexpr void push_window_starts(W& w, arena<int>& to, index_numbers const& n, int indices, int rank) {
  int const scalar = w.scalar_type(dtype::i32), first = to.size(), last = w.aval_of(indices).rank - 1;
  for (int i = 0; i < rank; ++i) to.push(w.literal(scalar, 0));
  int const count = w.aval_of(indices).dims[last];
  for (int q = 0; q < count; ++q) to[first + n.to[q]] = w.reshape(scalar, w.slice_axis(indices, last, q, q + 1));
}

template <class W>
constexpr int simplify_gather(W& w, request const& r) {
  int const x = r.in[0], indices = r.in[1];
  aval const from = w.aval_of(x);
  gather_numbers const n(span<int>{r.par, r.n_par}, from.rank);
  if (n.mode == index_mode::fill_or_drop) return -1;
  int const u = w.uniform(x);
  if (u >= 0) return w.filled(r.type, u);
  if (!is_one_vector(w.aval_of(indices))) return -1;
  arena<int> in;
  in.push(x);
  push_window_starts(w, in, n, indices, from.rank);
  aval window = from;
  for (int i = 0; i < from.rank; ++i) window.dims[i] = n.sizes[i];
  int const part = w.make({prim::dynamic_slice, w.intern(window), in.data(), in.size(), window.dims, window.rank});
  return w.reshape(r.type, part);
}

template <class W>
constexpr int simplify_scatter(W& w, request const& r) {
  scatter_numbers const n(span<int>{r.par, r.n_par});
  aval const to = w.type(r.type), update = w.aval_of(r.in[2]);
  if (update.size() == 0) return r.in[0];
  if (r.op != prim::scatter || n.mode == index_mode::fill_or_drop || !is_one_vector(w.aval_of(r.in[1]))) return -1;
  aval window = to;
  for (int i = 0, k = 0; i < to.rank; ++i) window.dims[i] = n.is_dropped(i) ? 1 : update.dims[n.window[k++]];
  arena<int> in;
  in.push(r.in[0]);
  in.push(w.reshape(w.intern(window), r.in[2]));
  push_window_starts(w, in, n, r.in[1], to.rank);
  return w.make({prim::dynamic_update_slice, r.type, in.data(), in.size(), nullptr, 0});
}

}  // namespace exprax::detail
