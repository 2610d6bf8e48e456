// SPDX-License-Identifier: BSL-1.0
// Which gathers are part of the kernels that read their results, and which of their index vectors these compute.
#pragma once

#include <exprax/plan/analysis/index_source.hpp>

namespace exprax::detail::planning {

// The value that is read at the end of a chain of affine movements.
constexpr int accessed(context const& c, int v) {
  v = c.resolve(v);
  while (!c.has_buffer(v) && c.has_equation(v) && !c.is_scalar(v) && is_affine_movement(c.def(v))) v = c.resolve(c.def(v).in(0));
  return v;
}

// Whether the elements of v, the result of equation i, are computed once where they are needed, or parts of them are; or those of what one
// equation computes of them at the same index.
constexpr bool is_computed_once(context const& c, int v, int i) {
  if (c.info[v].sink >= 0 || is_read_in_parts(c, v, i)) return true;
  int const reader = c.info[v].last_use;
  if (c.info[v].root || c.info[v].uses != 1 || reader >= c.p.n.eqns) return false;
  equation_ref const e = c.eq(reader);
  if (e.n_out() != 1) return false;
  bool const same = is_elementwise(e.e.op) ? c.p.type(v).same_shape(e.out_type(0))
                                           : is_affine_movement(e) && only_unit_axes_differ(c.p.type(v), e.out_type(0));
  return same && (c.info[e.e.out].root || is_computed_once(c, e.e.out, reader));
}
// Whether the kernels that read the result of a gather, equation i, each element once, can read the array itself.
constexpr bool can_be_read_in_place(context const& c, equation_ref const& e, int i) {
  constexpr std::ptrdiff_t longest_filled_row = 4096;
  int const v = e.e.out;
  aval const &x = e.type(0), &t = e.out_type(0);
  if (c.info[v].root || !is_made_in_loops(c, e) || !is_computed_once(c, v, i)) return false;
  if (gathers_elements(e)) return true;
  gather_numbers const n(e);
  if (accessed(c, e.in(0)) != c.resolve(e.in(0))) return false;
  strides const of(x);
  std::ptrdiff_t stride = 0, span = 1;  // of the rows, and of a window
  for (int axis = 0, k = 0; axis < x.rank; ++axis) {
    if (n.is_dropped(axis)) continue;
    span += (t.dims[n.window[k]] - 1) * of[axis];
    if (n.window[k++] == last_long_axis(t)) stride = of[axis];
  }
  return stride == 1 && (n.mode != index_mode::fill_or_drop || span <= longest_filled_row);
}

// Whether a gather of many elements reads a part of a larger array that is so short that packs look it up in registers, if it stands alone.
constexpr bool is_short_view(context const& c, equation_ref const& e) {
  constexpr std::ptrdiff_t longest = 64, fewest_uses = 2;
  int const x = c.resolve(e.in(0));
  return c.has_packs && c.size(x) <= longest && c.size(e.e.out) >= fewest_uses * c.size(x) && accessed(c, x) != x && gathers_elements(e);
}

// Whether the kernel that gathers reads operand k of e at its own index, once for each element: it is, or becomes, a component of the index
// vectors.
constexpr bool is_index_of_gather(context const& c, equation_ref const& e, int k) {
  if (e.e.op == prim::gather) return k == 1 && is_read_in_place(c, e) && has_vector_for_each(c, e);
  bool const joins = e.e.op == prim::concatenate;
  if (!joins && e.e.op != prim::broadcast_in_dim && e.e.op != prim::reshape) return false;
  value_info const& r = c.info[e.e.out];
  aval const &u = e.type(k), &t = e.out_type(0);
  if (r.root || r.uses != 1 || r.last_use >= c.p.n.eqns) return false;
  int const last = t.rank - 1;
  bool const is_component = joins ? e.param(0) == last && u.dims[last] == 1 : t.dims[last] == 1 && only_unit_axes_differ(u, t);
  if (!is_component) return false;
  equation_ref const reader = c.eq(r.last_use);
  if (!joins && reader.e.op == prim::concatenate) return is_index_of_gather(c, reader, 0);
  return reader.e.op == prim::gather && c.resolve(reader.in(1)) == e.e.out && is_index_of_gather(c, reader, 1);
}

}  // namespace exprax::detail::planning
