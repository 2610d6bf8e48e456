// SPDX-License-Identifier: BSL-1.0
// dot_general and conv_general_dilated: one kernel, in which each operand has a stride along each axis.
#pragma once

#include <exprax/plan/kernels/half_matrix.hpp>
#include <exprax/plan/kernels/narrow_products.hpp>
#include <exprax/plan/kernels/short_integers.hpp>
#include <exprax/primitives/contractions/conv_general_dilated.hpp>

namespace exprax::detail::planning {

// A convolution is a contraction whose lhs walks the output and the window at once; a padded or dilated operand is materialised first.
constexpr void lower_convolution(context& c, node& n, arena<kernel>& kernels) {
  equation_ref const e = c.eq(n.eqn);
  dtype const type = n.shape.type;
  conv_numbers const w(e.params());
  int const s = w.spatial, feature_groups = w.feature_groups, batch_groups = w.batch_groups;
  aval lhs = e.type(0);
  aval const rhs = e.type(1);
  view_of a = view(c, e.in(0), kernels, type), b = view(c, e.in(1), kernels, type);
  bool plain = true;
  for (int i = 0; i < s; ++i) plain = plain && w.low[i] == 0 && w.high[i] == 0 && w.lhs_dilation[i] == 1;
  if (!plain) {
    aval wide = lhs.with_type(type);
    aval kept = wide;
    access to{};
    view_of from = a;
    for (int i = 0; i < s; ++i) {
      int const d = w.lhs_dilation[i], n_in = lhs.dims[w.lhs[2 + i]];
      int& size = wide.dims[w.lhs[2 + i]];
      size = (n_in > 0 ? (n_in - 1) * d + 1 : 0) + w.low[i] + w.high[i];
      if (size < 0) size = 0;
    }
    int const buffer = c.new_scratch(wide);
    strides const weight(wide);
    to.buffer = buffer;
    for (int i = 0; i < lhs.rank; ++i) to.stride[i] = weight[i];
    for (int i = 0; i < s; ++i) {
      int const d = w.lhs_dilation[i], low = w.low[i], at = w.lhs[2 + i];
      int const first = low >= 0 ? 0 : (-low + d - 1) / d;
      int last = lhs.dims[at] - 1;
      while (last >= first && low + last * d >= wide.dims[at]) --last;
      kept.dims[at] = last - first + 1 < 0 ? 0 : last - first + 1;
      to.base += weight[at] * (low + first * d);
      to.stride[at] = weight[at] * d;
      from.base += from.stride[at] * first;
    }
    if (wide.size() > 0)
      simple_loop(c, wide, kernels, [&](box_lowering& l, index_map const& m) {
        l.store(l.literal(type, 0), type, access_to(buffer, wide, m));
      });
    if (kept.size() > 0)
      simple_loop(c, kept, kernels, [&](box_lowering& l, index_map const&) {
        l.store(l.load(type, from.all(kept.rank)), type, to);
      });
    lhs = wide;
    a = dense(buffer, wide);
  }
  // Axes: batch and group, then spatial rows of the output, then output features, then (feature, window) contracting.
  contract_kernel k;
  contract_axes axes{k};
  k.type = type;
  int axis = 0;
  strides const weight(n.shape);
  int const groups = feature_groups * batch_groups;
  int const batch = lhs.dims[w.lhs[0]] / batch_groups, features = lhs.dims[w.lhs[1]] / feature_groups, made = rhs.dims[w.rhs[0]] / groups;
  std::ptrdiff_t const row = a.stride[w.lhs[0]], feature = a.stride[w.lhs[1]], filter = b.stride[w.rhs[0]], made_at = weight[w.out[1]];
  auto out_axis = [&](int n_axis, std::ptrdiff_t l, std::ptrdiff_t r, std::ptrdiff_t o) {
    axes.out[axis] = o;
    axes.set(axis++, n_axis, l, r);
  };
  out_axis(batch, row, 0, weight[w.out[0]]);
  out_axis(groups, batch_groups > 1 ? row * batch : feature * features, filter * made, made_at * made);
  k.batch = 2;
  out_axis(made, 0, filter, made_at);
  k.rows = 1;
  for (int i = 0; i < s; ++i) out_axis(n.shape.dims[w.out[2 + i]], a.stride[w.lhs[2 + i]] * w.stride[i], 0, weight[w.out[2 + i]]);
  k.columns = s;
  for (int q = 0; q <= s; ++q) {
    int const i = w.filter_axis(q);
    if (i == 1) axes.set(axis++, features, feature, b.stride[w.rhs[1]]);
    else axes.set(axis++, rhs.dims[w.rhs[i]], a.stride[w.lhs[i]] * w.rhs_dilation[i - 2], b.stride[w.rhs[i]]);
  }
  k.contracting = 1 + s;
  push_contract(c, axes, a, b, c.at[e.e.out].buffer, kernels);
}

constexpr void lower_contract(context& c, node& n, arena<kernel>& kernels) {
  equation_ref const e = c.eq(n.eqn);
  if (e.e.op == prim::conv_general_dilated) return lower_convolution(c, n, kernels);
  dtype const type = n.shape.type;
  int const nc = e.param(0), nb = e.param(1 + 2 * nc);
  if (short_integers const s(c, e); s.group > 0) return lower_short_integers(c, e, s, kernels);
  half_matrix const half(c, e);
  view_of a = view(c, e.in(0), kernels, half.operand == 0 ? dtype::u16 : type);
  view_of b = view(c, e.in(1), kernels, half.operand == 1 ? dtype::u16 : type);
  bool const blocked = e.param(e.n_par() - 1) != 0;
  aval const rhs = e.type(1);
  int const column = last_free_axis(e, 1, nc, nb);
  // Blocked, a vector times a matrix that is contiguous along the sum is the matrix times the vector: its rows need no copy.
  int first = 0;
  if (blocked && column >= 0 && b.stride[column] != 1 && e.type(0).rank == nc + nb && nc > 0 && b.stride[e.param(2 * nc)] == 1 &&
      a.stride[e.param(nc)] == 1) {
    first = 1;
    view_of const vector = a;
    a = b;
    b = vector;
  }
  contract_kernel k;
  k.blocked = blocked;
  if (half.operand >= 0) k.halves = half.operand ^ first, k.half = half.type;
  if (first == 0 && half.operand < 0 && may_be_narrow(rhs, b, column, blocked))
    if (narrow_product const narrow(c, e, a, b, column, blocked); narrow.is_narrow()) return narrow.lower(c, k, kernels);
  if (first == 0 && column >= 0 && b.stride[column] != 1 && rhs.dims[column] > 1)
    b = with_axis_last(c, rhs.with_type(type), b, column, kernels);
  push_product(c, e, a, b, first, k, result_of_product(c, e), kernels);
}

}  // namespace exprax::detail::planning
