// SPDX-License-Identifier: BSL-1.0
// Algebra of the primitives that move elements, and of reductions over one element: identities are removed, two in a row become one, and
// a movement of a filled array is a filled array. A rule returns the value that replaces an equation, or -1.
#pragma once

#include <exprax/passes/rewrite/mirrored.hpp>
#include <exprax/passes/rewrite/rolled_stacks.hpp>
#include <exprax/passes/rewrite/simplify_contraction.hpp>
#include <exprax/passes/rewrite/simplify_conversions.hpp>
#include <exprax/passes/rewrite/simplify_indexed.hpp>

namespace exprax::detail {

template <class W>
constexpr int simplify_broadcast(W& w, request const& r, int x) {
  if (w.type_of(x) == r.type) return x;
  eqn const* const inner = w.made_by(prim::broadcast_in_dim, x);
  if (!inner) return -1;
  // Axis i of y is axis inner[i] of x, and that is axis r.par[out_rank + inner[i]] of the result.
  int const y = w.in(inner, 0);
  int const rank = w.type(r.type).rank, middle = w.aval_of(x).rank, from = w.aval_of(y).rank;
  int par[2 * max_rank];
  for (int i = 0; i < rank; ++i) par[i] = r.par[i];
  for (int i = 0; i < from; ++i) par[rank + i] = r.par[rank + w.param(inner, middle + i)];
  return w.make({prim::broadcast_in_dim, r.type, &y, 1, par, rank + from});
}

// reshape; squeeze has this form too. Its parameters are the sizes of the result.
template <class W>
constexpr int simplify_reshape(W& w, request const& r, int x) {
  if (w.type_of(x) == r.type) return x;
  int const u = w.uniform(x);
  if (u >= 0) return w.filled(r.type, u);
  if (w.is_constant(x)) return recast(w, r.type, x);
  if (eqn const* inner = w.made_by(prim::reshape, x)) x = w.in(inner, 0);
  else if (r.op == prim::reshape) return -1;
  return w.reshape(r.type, x);
}

template <class W>
constexpr int simplify_transpose(W& w, request const& r, int x) {
  int const u = w.uniform(x);
  if (u >= 0) return w.filled(r.type, u);
  if (int const v = transposed_broadcast(w, r, x); v >= 0) return v;
  if (int const v = transposed_outer_product(w, r, x); v >= 0) return v;
  aval const to = w.type(r.type);
  int par[max_rank];
  for (int i = 0; i < r.n_par; ++i) par[i] = r.par[i];
  if (eqn const* inner = w.made_by(prim::transpose, x)) {
    for (int i = 0; i < r.n_par; ++i) par[i] = w.param(inner, r.par[i]);
    x = w.in(inner, 0);
    return w.make({prim::transpose, r.type, &x, 1, par, r.n_par});
  }
  // If axes of more than one element keep their order, it is a reshape.
  int last = -1;
  for (int i = 0; i < r.n_par; ++i) {
    if (to.dims[i] == 1) continue;
    if (r.par[i] < last) return -1;
    last = r.par[i];
  }
  return w.reshape(r.type, x);
}

template <class W>
constexpr int simplify_rev(W& w, request const& r, int x) {
  int const u = w.uniform(x);
  if (u >= 0) return x;
  aval const to = w.type(r.type);
  bool still = true;
  for (int i = 0; i < r.n_par; ++i) still = still && to.dims[r.par[i]] == 1;
  if (still) return x;
  eqn const* const inner = w.made_by(prim::rev, x);
  if (!inner) return -1;
  int par[max_rank], n = 0;
  for (int i = 0; i < to.rank; ++i) {
    bool reversed = false;
    for (int k = 0; k < r.n_par; ++k) reversed = reversed != (r.par[k] == i);
    for (int k = 0; k < inner->n_par; ++k) reversed = reversed != (w.param(inner, k) == i);
    if (reversed) par[n++] = i;
  }
  int const y = w.in(inner, 0);
  return n == 0 ? y : w.make({prim::rev, r.type, &y, 1, par, n});
}

// One axis of a slice: element k is element start + k * step of the operand.
struct slice_axis {
  int start = 0, step = 1;
};
// The parameters of a slice of size `to`; strides only if one is not 1.
constexpr int write_slice(slice_axis const* axes, aval const& to, int* par) {
  int const rank = to.rank;
  bool strided = false;
  for (int i = 0; i < rank; ++i) {
    par[i] = axes[i].start;
    par[rank + i] = axes[i].start + (to.dims[i] - 1) * axes[i].step + 1;
    par[2 * rank + i] = axes[i].step;
    strided = strided || axes[i].step != 1;
  }
  return strided ? 3 * rank : 2 * rank;
}

template <class W>
constexpr int simplify_slice(W& w, request const& r, int x) {
  if (w.type_of(x) == r.type) return x;
  int const u = w.uniform(x);
  if (u >= 0) return w.filled(r.type, u);
  aval const to = w.type(r.type);
  slice_axis axes[max_rank];
  for (int i = 0; i < to.rank; ++i) axes[i] = {r.par[i], r.n_par > 2 * to.rank ? r.par[2 * to.rank + i] : 1};
  int par[3 * max_rank];
  if (w.is_constant(x)) return pick(w, r.type, x, axes);
  if (to.size() == 1) {
    strides const weight(w.aval_of(x));
    std::ptrdiff_t at = 0;
    for (int i = 0; i < to.rank; ++i) at += weight[i] * axes[i].start;
    int const known = w.elements.find(x, at);
    if (known >= 0) return single(w, r.type, known);
  }
  if (eqn const* inner = w.made_by(prim::slice, x)) {
    for (int i = 0; i < to.rank; ++i) {
      int const step = inner->n_par > 2 * to.rank ? w.param(inner, 2 * to.rank + i) : 1;
      axes[i] = {w.param(inner, i) + axes[i].start * step, axes[i].step * step};
    }
    x = w.in(inner, 0);
    return w.make({prim::slice, r.type, &x, 1, par, write_slice(axes, to, par)});
  }
  if (eqn const* inner = w.made_by(prim::concatenate, x)) {
    // within one piece
    int const axis = w.param(inner, 0);
    int const first = axes[axis].start, last = first + (to.dims[axis] - 1) * axes[axis].step;
    for (int k = 0, begin = 0; k < inner->n_in; ++k) {
      int const piece = w.in(inner, k), size = w.aval_of(piece).dims[axis];
      if (first >= begin && last < begin + size) {
        axes[axis].start -= begin;
        return w.make({prim::slice, r.type, &piece, 1, par, write_slice(axes, to, par)});
      }
      if (first < begin + size) return -1;
      begin += size;
    }
  }
  return -1;
}

template <class W>
constexpr int simplify_concatenate(W& w, request const& r) {
  int const axis = r.par[0];
  int const u = w.uniform(r.in[0]);
  int kept = 0;
  bool all_same = u >= 0;
  for (int k = 0; k < r.n_in; ++k) {
    all_same = all_same && w.uniform(r.in[k]) == u;
    if (w.aval_of(r.in[k]).dims[axis] != 0) ++kept;
  }
  if (all_same) return w.filled(r.type, u);
  if (kept == r.n_in) return r.n_in == 1 ? r.in[0] : rolled_stack<W>(w, r).make();
  arena<int> in;
  for (int k = 0; k < r.n_in; ++k)
    if (w.aval_of(r.in[k]).dims[axis] != 0) in.push(r.in[k]);
  return w.make({r.op, r.type, in.data(), in.size(), r.par, r.n_par});
}

template <class W>
constexpr int simplify_pad(W& w, request const& r) {
  if (w.type_of(r.in[0]) == r.type) {
    bool still = true;
    for (int i = 0; i < r.n_par; ++i) still = still && r.par[i] == 0;
    if (still) return r.in[0];
  }
  int const u = w.uniform(r.in[0]);
  return u >= 0 && u == r.in[1] ? w.filled(r.type, u) : -1;
}

// The clamped starts, if all of them (operands first, first + 1, ...) are literals.
template <class W>
constexpr bool literal_starts(W& w, request const& r, int first, aval const& from, aval const& size, int* start) {
  for (int i = 0; i < from.rank; ++i) {
    int const v = r.in[first + i];
    if (!w.is_literal(v)) return false;
    std::int64_t const at = static_cast<std::int64_t>(w.bits(v)), limit = from.dims[i] - size.dims[i];
    start[i] = static_cast<int>(at < 0 ? 0 : at > limit ? limit : at);
  }
  return true;
}

template <class W>
constexpr int simplify_dynamic_slice(W& w, request const& r) {
  int const x = r.in[0];
  if (w.type_of(x) == r.type) return x;
  int const u = w.uniform(x);
  if (u >= 0) return w.filled(r.type, u);
  aval const from = w.aval_of(x), to = w.type(r.type);
  int start[max_rank], par[3 * max_rank];
  if (!literal_starts(w, r, 1, from, to, start)) return -1;
  slice_axis axes[max_rank];
  for (int i = 0; i < to.rank; ++i) axes[i].start = start[i];
  return w.make({prim::slice, r.type, &x, 1, par, write_slice(axes, to, par)});
}

// With literal starts it becomes an update of a known slice.
template <class W>
constexpr int simplify_dynamic_update_slice(W& w, request const& r) {
  aval const from = w.type(r.type), size = w.aval_of(r.in[1]);
  if (w.type_of(r.in[1]) == r.type) return r.in[1];
  int par[2 * max_rank];
  if (!literal_starts(w, r, 2, from, size, par)) return -1;
  for (int i = 0; i < from.rank; ++i) par[from.rank + i] = 1;
  return w.make({prim::update_slice, r.type, r.in, 2, par, 2 * from.rank});
}

inline constexpr std::ptrdiff_t max_written = 64;  // elements of one update that are tracked

// No element is replaced, or all are. Updates of tracked elements are recorded, so that reads of them need no memory; a
// combination with a known element is computed as a scalar.
template <class W>
constexpr int simplify_update_slice(W& w, request const& r) {
  int const x = r.in[0], update = r.in[1];
  aval const to = w.type(r.type), size_of_slice = w.aval_of(update);
  bool const replaces = replaces_elements(r.op);
  std::ptrdiff_t const n = size_of_slice.size();
  if (n == 0) return x;
  int const* const start = r.par;
  int const* const step = start + to.rank;
  int const* const size = size_of_slice.dims;
  if (replaces && w.type_of(update) == r.type) {
    bool all = true;
    for (int i = 0; i < to.rank; ++i) all = all && (size[i] == 1 || step[i] == 1);
    if (all) return update;
  }
  int const u = n == 1 ? update : replaces && n <= max_written ? w.uniform(update) : -1;
  if (u < 0) return -1;
  strides const weight(to);
  std::ptrdiff_t first = 0;
  for (int i = 0; i < to.rank; ++i) first += weight[i] * start[i];
  if (!replaces && !is_bool(to.type)) {
    int const everywhere = w.uniform(x);
    int const known = everywhere >= 0 ? everywhere : w.elements.find(x, first);
    if (known >= 0) {
      int const scalar = w.scalar_type(to.type);
      int const sum = w.make(traits_of(r.op).combiner, scalar, {single(w, scalar, known), single(w, scalar, update)});
      return w.make(prim::update_slice, r.type, {x, w.filled(w.type_of(update), sum)}, {r.par, r.n_par});
    }
  }
  int const v = w.number(r);
  if (!w.elements.advance(x, v, w.uniform(x))) return v;
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    std::ptrdiff_t at = first, rest = i;
    for (int k = to.rank - 1; k >= 0; --k) {
      at += rest % size[k] * step[k] * weight[k];
      rest /= size[k];
    }
    w.elements.write(v, at, replaces ? u : -1);
  }
  return v;
}

// Over axes of one element, or over no axes. Float sums stay: 0 + -0 is 0.
template <class W>
constexpr int simplify_reduce(W& w, request const& r, int x) {
  if (int const v = reduce_mirrored(w, r, x); v >= 0) return v;
  aval const from = w.aval_of(x), to = w.type(r.type);
  std::ptrdiff_t n = 1;
  for (int i = 0; i < r.n_par; ++i) n *= from.dims[r.par[i]];
  if (r.op == prim::reduce_sum && is_floating(to.type)) return simplify_float_sum(w, r, x, n);
  if (n == 1) return w.reshape(r.type, x);
  int const u = w.uniform(x);
  if (u >= 0 && n > 0 && r.op != prim::reduce_sum && r.op != prim::reduce_prod) return w.filled(r.type, u);
  return -1;
}

template <class W>
constexpr int simplify_movement(W& w, request const& r) {
  switch (r.op) {
    case prim::broadcast_in_dim: return simplify_broadcast(w, r, r.in[0]);
    case prim::reshape:
    case prim::squeeze: return simplify_reshape(w, r, r.in[0]);
    case prim::transpose: return simplify_transpose(w, r, r.in[0]);
    case prim::rev: return simplify_rev(w, r, r.in[0]);
    case prim::slice: return simplify_slice(w, r, r.in[0]);
    case prim::concatenate: return simplify_concatenate(w, r);
    case prim::pad: return simplify_pad(w, r);
    case prim::iota: return w.type(r.type).dims[r.par[1]] == 1 ? w.filled_with(r.type, 0) : -1;
    case prim::gather: return simplify_gather(w, r);
    case prim::dynamic_slice: return simplify_dynamic_slice(w, r);
    case prim::dynamic_update_slice: return simplify_dynamic_update_slice(w, r);
    case prim::reduce_sum:
    case prim::reduce_prod:
    case prim::reduce_max:
    case prim::reduce_min:
    case prim::reduce_and:
    case prim::reduce_or: return simplify_reduce(w, r, r.in[0]);
    default: break;
  }
  if (is_static_update(r.op)) return simplify_update_slice(w, r);
  return is_scatter(r.op) ? simplify_scatter(w, r) : -1;
}

}  // namespace exprax::detail
