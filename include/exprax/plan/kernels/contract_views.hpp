// SPDX-License-Identifier: BSL-1.0
// The operands of contractions, as affine views of buffers, and the kernel of a product of two of them.
#pragma once

#include <exprax/plan/analysis/half_operand.hpp>
#include <exprax/plan/analysis/transposed_products.hpp>
#include <exprax/plan/kernels/loops.hpp>

namespace exprax::detail::planning {

// An affine view of a buffer: the base, and the stride along each axis.
struct view_of {
  int buffer = -1;
  std::ptrdiff_t base = 0;
  std::ptrdiff_t stride[max_rank] = {};

  // Its elements, in a loop over these axes.
  constexpr access all(int rank) const {
    access a{};
    a.buffer = buffer;
    a.base = base;
    for (int i = 0; i < rank; ++i) a.stride[i] = stride[i];
    return a;
  }
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
    int reg = l.load(type.type, from.all(type.rank));
    if (want != type.type) reg = l.convert(type.type, want, reg);
    l.store(reg, want, access_to(to, type, m));
  });
}

// A value that has no memory yet.
constexpr bool is_computed(context const& c, int v) { return !c.has_buffer(v) && !c.p.is_constant(v) && c.has_equation(v); }

constexpr bool is_short_integer(dtype t) {
  switch (t) {
    case dtype::i8: case dtype::u8: case dtype::i16: return true;
    default: return false;
  }
}
// Whether the equation makes 32-bit integers of short ones.
constexpr bool widens_short_integer(equation_ref const& e) {
  return e.e.op == prim::convert_element_type && is_short_integer(e.type(0).type) &&
         (e.out_type(0).type == dtype::i32 || e.out_type(0).type == dtype::u32);
}
// What a product reads elements of an operand through, besides movements.
enum class widening { none, of_short_integers, of_halves };
constexpr bool widens(equation_ref const& e, widening w) {
  return w == widening::of_short_integers ? widens_short_integer(e) : w == widening::of_halves && is_decoding(e.e.op);
}

// What v is a view of: through movements of elements, for each of which moved(equation) is called, and what widens elements.
template <class F>
constexpr int source_of(context const& c, int v, widening w, F moved) {
  v = c.resolve(v);
  while (is_computed(c, v)) {
    equation_ref const e = c.def(v);
    if (is_affine_movement(e)) moved(e);
    else if (!widens(e, w)) break;
    v = c.resolve(e.in(0));
  }
  return v;
}
// The same, and where its elements are.
struct moved_source {
  int v = -1;
  index_map at;

  constexpr moved_source(context const& c, int of, widening w) {
    of = c.resolve(of);
    at.rank = c.p.type(of).rank;
    for (int i = 0; i < at.rank; ++i) at.of[i] = {i, 0, 1};
    v = source_of(c, of, w, [&](equation_ref const& e) { at = pull(e, at); });
  }
};

// v as elements of `want`: of short integers, and of the bits of halves, also through what widens them.
constexpr view_of view(context& c, int v, arena<kernel>& kernels, dtype want) {
  v = c.resolve(v);
  aval const type = c.p.type(v);
  widening const w = is_short_integer(want)                           ? widening::of_short_integers
                     : want == dtype::u16 && type.type == dtype::f32 ? widening::of_halves
                                                                     : widening::none;
  moved_source const source(c, v, w);
  int const u = source.v;
  view_of r;
  if (!c.has_buffer(u) && !c.p.is_constant(u)) make_whole(c, u, kernels);  // not a view
  if (c.p.is_constant(u)) c.constant_buffer(u);
  access const a = access_to(c.at[u].buffer, c.p.type(u), source.at);
  r.buffer = a.buffer;
  r.base = a.base;
  for (int i = 0; i < type.rank; ++i) r.stride[i] = a.stride[i];
  dtype const from = c.p.type(u).type;
  if (from == want) return r;
  // dtypes are promoted before the products: a converted copy, dense
  int const copy = c.out.add_buffer(want, storage_class::scratch, 0, type.size());
  copy_view(c, type.with_type(from), r, copy, want, kernels);
  return dense(copy, type);
}

// All axes of an array, these behind the others.
constexpr int_list order_with_last(int rank, span<int> axes) {
  int_list order;
  for (int i = 0; i < rank; ++i)
    if (!contains(axes.data(), axes.size(), i)) order.push(i);
  for (int axis : axes) order.push(axis);
  return order;
}
// An array whose axes stand in this order in memory: its type in memory, and where it is.
struct reordered_scratch {
  aval in_memory;
  view_of view;  // along the axes of `type`

  constexpr reordered_scratch(context& c, aval const& type, int_list const& order) : in_memory(type.type) {
    for (int i = 0; i < type.rank; ++i) in_memory.dims[in_memory.rank++] = type.dims[order.of[i]];
    view.buffer = c.new_scratch(in_memory);
    strides const weight(in_memory);
    for (int i = 0; i < type.rank; ++i) view.stride[order.of[i]] = weight[i];
  }
};
// A copy of a view that is contiguous along these axes, as packs need it.
constexpr view_of with_axes_last(context& c, aval const& type, view_of const& from, span<int> axes, arena<kernel>& kernels) {
  int_list const order = order_with_last(type.rank, axes);
  reordered_scratch const copy(c, type, order);
  view_of v = from;
  for (int i = 0; i < type.rank; ++i) v.stride[i] = from.stride[order.of[i]];
  copy_view(c, copy.in_memory, v, copy.view.buffer, type.type, kernels);
  return copy.view;
}
constexpr view_of with_axis_last(context& c, aval const& type, view_of const& from, int axis, arena<kernel>& kernels) {
  return with_axes_last(c, type, from, {&axis, 1}, kernels);
}

// The last axis of operand k (0: lhs) that is an axis of the result, but no batch axis; or -1.
constexpr int last_free_axis(equation_ref const& e, int k, int nc, int nb) {
  for (int i = e.type(k).rank - 1; i >= 0; --i) {
    bool free = true;
    for (int q = 0; q < nc; ++q) free = free && e.param(1 + k * nc + q) != i;
    for (int q = 0; q < nb; ++q) free = free && e.param(2 + 2 * nc + k * nb + q) != i;
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

constexpr void push_contract(context& c, contract_axes const& axes, view_of const& a, view_of const& b, int out_buffer,
                             arena<kernel>& kernels) {
  contract_kernel& k = axes.k;
  k.lhs_buffer = a.buffer;
  k.rhs_buffer = b.buffer;
  k.lhs_base = a.base;
  k.rhs_base = b.base;
  k.out_buffer = out_buffer;
  k.walks = axes.walks();
  kernels.push({kernel_kind::contract, c.out.contracts.push(k), kernel::one_thread});
}

// Where the result of a product is stored.
constexpr view_of result_of_product(context const& c, equation_ref const& e) {
  view_of r;
  r.buffer = c.at[e.e.out].buffer;
  strides const weight = strides_of_product(c, e.e.out);
  for (int i = 0; i < e.out_type(0).rank; ++i) r.stride[i] = weight[i];
  return r;
}

// The kernel k of a product of these views; the lhs is operand `first`. to: where the result is stored.
constexpr void push_product(context& c, equation_ref const& e, view_of const& a, view_of const& b, int first, contract_kernel& k,
                            view_of const& to, arena<kernel>& kernels) {
  aval const out = e.out_type(0);
  int const nc = e.param(0), nb = e.param(1 + 2 * nc), batch = 2 + 2 * nc;
  aval const lhs = e.type(first), rhs = e.type(1 - first);
  int const l_contracting = 1 + first * nc, r_contracting = 1 + (1 - first) * nc;
  int const l_batch = batch + first * nb, r_batch = batch + (1 - first) * nb;
  contract_axes axes{k};
  k.type = out.type;
  k.batch = nb;
  k.contracting = nc;
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
  for (int i = 0; i < out.rank; ++i) axes.out[i] = to.stride[i];
  for (int i = 0; i < nc; ++i) {
    int const l = e.param(l_contracting + i), r = e.param(r_contracting + i);
    axes.set(axis++, lhs.dims[l], a.stride[l], b.stride[r]);
  }
  push_contract(c, axes, a, b, to.buffer, kernels);
}

}  // namespace exprax::detail::planning
