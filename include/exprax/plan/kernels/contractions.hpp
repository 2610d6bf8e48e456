// SPDX-License-Identifier: BSL-1.0
// dot_general and conv_general_dilated: one kernel, in which each operand has a stride along each axis.
#pragma once

#include <exprax/plan/kernels/loops.hpp>
#include <exprax/primitives/contractions/conv_general_dilated.hpp>

namespace exprax::detail::planning {

// An affine view of a buffer: the base, and the stride along each axis.
struct view_of {
  int buffer = -1;
  std::ptrdiff_t base = 0;
  std::ptrdiff_t stride[max_rank] = {};
};

constexpr view_of dense(int buffer, aval const& type) {
  view_of r;
  r.buffer = buffer;
  strides const weight(type);
  for (int i = 0; i < type.rank; ++i) r.stride[i] = weight[i];
  return r;
}

// Copies a view into a dense buffer, its axes in a new order.
constexpr void copy_view(context& c, aval const& type, view_of const& from, int to, dtype want, arena<kernel>& kernels) {
  if (type.size() == 0) return;
  simple_loop(c, type, kernels, [&](box_lowering& l, index_map const& m) {
    access a{};
    a.buffer = from.buffer;
    a.base = from.base;
    for (int i = 0; i < type.rank; ++i) a.stride[i] = from.stride[i];
    int reg = l.load(type.type, a);
    if (want != type.type) reg = l.convert(type.type, want, reg);
    l.store(reg, want, box_lowering::access_of(to, type, m));
  });
}

constexpr view_of view(context& c, int v, arena<kernel>& kernels, dtype want) {
  v = c.resolve(v);
  aval const type = c.p.type(v);
  index_map m;
  m.rank = type.rank;
  for (int i = 0; i < type.rank; ++i) m.of[i] = {i, 0, 1};
  int u = v;
  while (!c.has_buffer(u) && !c.p.is_constant(u) && c.has_equation(u) && is_affine_movement(c.eq(c.at[u].def))) {
    m = pull(c.eq(c.at[u].def), m);
    u = c.resolve(c.eq(c.at[u].def).in(0));
  }
  view_of r;
  if (!c.has_buffer(u) && !c.p.is_constant(u)) make_whole(c, u, kernels);  // not a view
  if (c.p.is_constant(u)) c.constant_buffer(u);
  access const a = box_lowering::access_of(c.at[u].buffer, c.p.type(u), m);
  r.buffer = a.buffer;
  r.base = a.base;
  for (int i = 0; i < type.rank; ++i) r.stride[i] = a.stride[i];
  if (type.type == want) return r;
  // dtypes are promoted before the products: a converted copy, dense
  int const copy = c.out.add_buffer(want, storage_class::scratch, 0, type.size());
  copy_view(c, type, r, copy, want, kernels);
  return dense(copy, type);
}

// A copy of a view that is contiguous along one axis, as packs need it.
constexpr view_of with_axis_last(context& c, aval const& type, view_of const& from, int axis, arena<kernel>& kernels) {
  aval transposed(type.type);
  view_of v;
  v.buffer = from.buffer;
  v.base = from.base;
  int order[max_rank] = {};
  for (int i = 0; i < type.rank; ++i)
    if (i != axis) order[transposed.rank++] = i;
  order[transposed.rank++] = axis;
  for (int i = 0; i < type.rank; ++i) {
    transposed.dims[i] = type.dims[order[i]];
    v.stride[i] = from.stride[order[i]];
  }
  int const copy = c.new_scratch(transposed);
  copy_view(c, transposed, v, copy, type.type, kernels);
  view_of const made = dense(copy, transposed);
  view_of r;
  r.buffer = copy;
  for (int i = 0; i < type.rank; ++i) r.stride[order[i]] = made.stride[i];
  return r;
}

// The rhs axis that becomes the last one of the result, or -1.
constexpr int last_free_axis(equation_ref const& e, int nc, int nb) {
  for (int i = e.type(1).rank - 1; i >= 0; --i) {
    bool free = true;
    for (int q = 0; q < nc; ++q) free = free && e.param(1 + nc + q) != i;
    for (int q = 0; q < nb; ++q) free = free && e.param(2 + 2 * nc + nb + q) != i;
    if (free) return i;
  }
  return -1;
}

// The axes of a contraction: its dims, and the strides along them.
struct contract_axes {
  contract_kernel& k;
  std::ptrdiff_t lhs[2 * max_rank] = {}, rhs[2 * max_rank] = {}, out[2 * max_rank] = {};

  constexpr void set(int axis, int n, std::ptrdiff_t l, std::ptrdiff_t r) {
    k.dims[axis] = n;
    lhs[axis] = l;
    rhs[axis] = r;
  }
  constexpr contract_walks walks() const {
    contract_walks w;
    int const n_out = k.batch + k.rows + k.columns;
    for (int part = 0; part < 2; ++part) {
      int const first = part ? w.out_rank : 0;
      int rank = first;
      for (int i = part ? n_out : 0; i < (part ? n_out + k.contracting : n_out); ++i) {
        if (k.dims[i] == 1) continue;
        std::ptrdiff_t const o = part ? 0 : out[i];
        bool const merges = rank > first && w.lhs[rank - 1] == lhs[i] * k.dims[i] && w.rhs[rank - 1] == rhs[i] * k.dims[i] &&
                            w.out[rank - 1] == o * k.dims[i];
        if (!merges) w.dims[rank++] = 1;
        w.dims[rank - 1] *= k.dims[i];
        w.lhs[rank - 1] = lhs[i];
        w.rhs[rank - 1] = rhs[i];
        w.out[rank - 1] = o;
      }
      (part ? w.k_rank : w.out_rank) = rank - first;
    }
    for (int i = 0; i < w.out_rank; ++i) w.out_size *= w.dims[i];
    for (int i = 0; i < w.k_rank; ++i) w.k_size *= w.dims[w.out_rank + i];
    return w;
  }
};

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
        l.store(l.literal(type, 0), type, box_lowering::access_of(buffer, wide, m));
      });
    if (kept.size() > 0)
      simple_loop(c, kept, kernels, [&](box_lowering& l, index_map const&) {
        access f{};
        f.buffer = from.buffer;
        f.base = from.base;
        for (int i = 0; i < kept.rank; ++i) f.stride[i] = from.stride[i];
        l.store(l.load(type, f), type, to);
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
  k.lhs_buffer = a.buffer;
  k.rhs_buffer = b.buffer;
  k.lhs_base = a.base;
  k.rhs_base = b.base;
  k.out_buffer = c.at[e.e.out].buffer;
  k.walks = axes.walks();
  kernels.push({kernel_kind::contract, c.out.contracts.push(k), kernel::one_thread});
}

constexpr void lower_contract(context& c, node& n, arena<kernel>& kernels) {
  equation_ref const e = c.eq(n.eqn);
  if (e.e.op == prim::conv_general_dilated) return lower_convolution(c, n, kernels);
  dtype const type = n.shape.type;
  int const nc = e.param(0), nb = e.param(1 + 2 * nc);
  int const batch = 2 + 2 * nc;
  view_of a = view(c, e.in(0), kernels, type), b = view(c, e.in(1), kernels, type);
  bool const blocked = e.param(e.n_par() - 1) != 0;
  // Blocked, a vector times a matrix that is contiguous along the sum is the matrix times the vector: its rows need no copy.
  int first = 0;
  if (int const column = last_free_axis(e, nc, nb); blocked && column >= 0 && b.stride[column] != 1 && e.type(0).rank == nc + nb &&
                                                    nc > 0 && b.stride[e.param(2 * nc)] == 1 && a.stride[e.param(nc)] == 1) {
    first = 1;
    view_of const vector = a;
    a = b;
    b = vector;
  }
  aval const lhs = e.type(first), rhs = e.type(1 - first);
  int const l_contracting = 1 + first * nc, r_contracting = 1 + (1 - first) * nc;
  int const l_batch = batch + first * nb, r_batch = batch + (1 - first) * nb;
  if (int const column = last_free_axis(e, nc, nb); first == 0 && column >= 0 && b.stride[column] != 1 && rhs.dims[column] > 1)
    b = with_axis_last(c, rhs.with_type(type), b, column, kernels);
  contract_kernel k;
  contract_axes axes{k};
  k.type = type;
  k.batch = nb;
  k.contracting = nc;
  k.blocked = blocked;
  bool l_used[max_rank] = {}, r_used[max_rank] = {};
  int axis = 0;
  for (int i = 0; i < nb; ++i) {
    int const l = e.param(l_batch + i), r = e.param(r_batch + i);
    l_used[l] = r_used[r] = true;
    axes.set(axis++, lhs.dims[l], a.stride[l], b.stride[r]);
  }
  for (int i = 0; i < nc; ++i) l_used[e.param(l_contracting + i)] = r_used[e.param(r_contracting + i)] = true;
  for (int i = 0; i < lhs.rank; ++i)
    if (!l_used[i]) {
      axes.set(axis++, lhs.dims[i], a.stride[i], 0);
      ++k.rows;
    }
  for (int i = 0; i < rhs.rank; ++i)
    if (!r_used[i]) {
      axes.set(axis++, rhs.dims[i], 0, b.stride[i]);
      ++k.columns;
    }
  strides const weight(n.shape);
  for (int i = 0; i < n.shape.rank; ++i) axes.out[i] = weight[i];
  for (int i = 0; i < nc; ++i) {
    int const l = e.param(l_contracting + i), r = e.param(r_contracting + i);
    axes.set(axis++, lhs.dims[l], a.stride[l], b.stride[r]);
  }
  k.lhs_buffer = a.buffer;
  k.rhs_buffer = b.buffer;
  k.lhs_base = a.base;
  k.rhs_base = b.base;
  k.out_buffer = c.at[e.e.out].buffer;
  k.walks = axes.walks();
  kernels.push({kernel_kind::contract, c.out.contracts.push(k), kernel::one_thread});
}

}  // namespace exprax::detail::planning
