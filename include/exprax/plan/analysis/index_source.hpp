// SPDX-License-Identifier: BSL-1.0
// The sources of the index vectors of a gather or scatter: looks through the concatenations and broadcasts by which batching combines
// their components; and which gathers are part of the kernel that reads their result.
#pragma once

#include <exprax/plan/analysis/context.hpp>

namespace exprax::detail::planning {

// The last axis with more than one element, or the first.
constexpr int last_long_axis(aval const& t) {
  int last = t.rank - 1;
  while (last > 0 && t.dims[last] == 1) --last;
  return last;
}

// A component of the index vectors: an element of the value v for each index of the batch axes.
struct index_source {
  int v = 0;
  index_map m;
  int from_end = 0;  // what is added to negative ones
};
constexpr void look_through_movements(context const& c, index_source& s) {
  while (!c.has_buffer(s.v) && c.has_equation(s.v) && !c.p.is_constant(s.v) && !c.is_scalar(s.v)) {
    equation_ref const d = c.def(s.v);
    if (is_affine_movement(d)) {
      s.m = pull(d, s.m);
      s.v = c.resolve(d.in(0));
      continue;
    }
    if (d.e.op != prim::concatenate || !s.m.of[d.param(0)].is_fixed()) return;
    int k = 0;
    for (int& at = s.m.of[d.param(0)].offset; at >= d.type(k).dims[d.param(0)]; ++k) at -= d.type(k).dims[d.param(0)];
    s.v = c.resolve(d.in(k));
  }
}
// Component q at all indices of the batch axes.
constexpr index_map map_of_component(equation_ref const& e, int q) {
  index_map at = index_map::identity(e.type(1));
  at.of[at.rank - 1] = {no_axis, q, 0};
  return at;
}
constexpr index_source source_of_index(context const& c, equation_ref const& e, int q) {
  index_source s{c.resolve(e.in(1)), map_of_component(e, q)};
  look_through_movements(c, s);
  return s;
}

// If v is i < 0 ? i + n : i without a buffer, sets v to i. Returns n; 0: it is another value.
constexpr int count_from_end(context const& c, int& v) {
  if (c.has_buffer(v) || !c.has_equation(v) || c.is_scalar(v)) return 0;
  auto const is_made_by = [&](int u, prim op) { return c.has_equation(u) && !c.p.is_constant(u) && c.def(u).e.op == op; };
  auto const number = [&](int u) {
    return c.p.is_constant(u) && c.is_scalar(u) ? static_cast<std::int64_t>(c.p.bits(u)) : std::int64_t{-1};
  };
  equation_ref const choice = c.def(v);
  if (choice.e.op != prim::select_n) return 0;
  int const below = c.resolve(choice.in(0)), i = c.resolve(choice.in(1)), sum = c.resolve(choice.in(2));
  if (!is_made_by(below, prim::lt) || !is_made_by(sum, prim::add) || !c.p.type(i).same_shape(c.p.type(v))) return 0;
  equation_ref const compared = c.def(below), added = c.def(sum);
  if (c.resolve(compared.in(0)) != i || number(c.resolve(compared.in(1))) != 0 || c.resolve(added.in(0)) != i) return 0;
  std::int64_t const n = number(c.resolve(added.in(1)));
  if (n <= 0 || n > 0x7fffffff) return 0;
  v = i;
  return static_cast<int>(n);
}
// A component of the index vectors of a gather at the index `at`, where the kernel that reads the result gathers.
constexpr index_source source_of_component(context const& c, equation_ref const& e, index_map const& at) {
  index_source s{c.resolve(e.in(1)), at};
  look_through_movements(c, s);
  s.from_end = count_from_end(c, s.v);
  if (s.from_end > 0) look_through_movements(c, s);
  return s;
}

// Whether no element of v, integers that no buffer holds, is negative or larger than `limit`: it is made of integers of fewer bits, without
// a sign.
constexpr bool is_within(context const& c, int v, int limit) {
  if (c.has_buffer(v) || !c.has_equation(v) || c.p.is_constant(v) || c.def(v).e.op != prim::convert_element_type) return false;
  int const from = c.resolve(c.def(v).in(0));
  dtype const t = c.p.type(from).type;
  std::int64_t largest = t == dtype::b1 ? 1 : t == dtype::u8 ? 0xff : t == dtype::u16 ? 0xffff : -1;
  if (largest > limit && c.has_equation(from) && !c.p.is_constant(from) && c.def(from).e.op == prim::and_)
    for (int k = 0; k < 2; ++k)
      if (int const mask = c.resolve(c.def(from).in(k)); c.p.is_constant(mask) && c.is_scalar(mask))
        largest = static_cast<std::int64_t>(c.p.bits(mask)) < largest ? static_cast<std::int64_t>(c.p.bits(mask)) : largest;
  return largest >= 0 && largest <= limit;
}

// Whether a gather can be part of a loop, element by element or along rows of windows. Short rows are walked together
// (emit/kernels/short_rows.hpp), and so are made first.
constexpr bool is_made_in_loops(context const& c, equation_ref const& e) {
  constexpr int shortest_row = 8;
  constexpr std::ptrdiff_t largest = 0x7fffffff;  // offsets are 32-bit integers
  aval const& t = e.out_type(0);
  std::ptrdiff_t const size = c.size(e.in(0)), n = c.size(e.e.out);
  int const last = last_long_axis(t);
  return n > 1 && size > 0 && size <= largest && (t.dims[last] >= shortest_row || t.dims[last] == n);
}
// Whether packs of its result are gathered element by element, not from the rows of windows.
constexpr bool gathers_elements(equation_ref const& e) { return !gather_numbers(e).is_window(last_long_axis(e.out_type(0))); }
// Whether a loop makes the result of a gather: the one that reads it, so that there is no array of the result, or its own.
constexpr bool is_read_in_place(context const& c, equation_ref const& e) {
  if (!is_gather(e.e.op) || c.is_scalar(e.e.out)) return false;
  return !c.info[e.e.out].root || (is_made_in_loops(c, e) && gathers_elements(e));
}
// Whether each index vector of a gather is for one element of the result.
constexpr bool has_vector_for_each(context const& c, equation_ref const& e) {
  return c.size(e.in(1)) == c.size(e.e.out) * e.type(1).dims[e.type(1).rank - 1];
}
// Whether the kernel that reads the result of a gather computes v, a component of its index vectors: it is not in memory. Not what is only
// gathered itself: loops one after the other wait less than gathers that wait for each other.
constexpr bool is_computed_component(context const& c, equation_ref const& e, int v) {
  if (c.has_buffer(v) || c.info[v].root || c.p.is_constant(v) || c.is_scalar(v) || !c.has_equation(v)) return false;
  if (!makes_each_element(c.def(v).e.op)) return false;
  return is_read_in_place(c, e) && c.size(v) == c.size(e.e.out) && has_vector_for_each(c, e);
}
// f(value) for the values from which a kernel reads the components of index vectors.
template <class F>
constexpr void for_index_sources(context const& c, equation_ref const& e, F const& f) {
  bool const in_place = is_read_in_place(c, e);
  for (int q = 0; q < e.type(1).dims[e.type(1).rank - 1]; ++q) {
    int const v = in_place ? source_of_component(c, e, map_of_component(e, q)).v : source_of_index(c, e, q).v;
    if (!is_computed_component(c, e, v)) f(v);
  }
}

// The scalar that a scatter writes to, or combines with, every element that it updates; or -1.
constexpr int repeated_update(context const& c, equation_ref const& e) {
  int const u = c.resolve(e.in(2)), components = e.type(1).dims[e.type(1).rank - 1];
  if (c.size(u) * components != e.type(1).size() || c.is_scalar(u) || c.has_buffer(u) || !c.has_equation(u)) return -1;
  equation_ref const d = c.def(u);
  if (d.e.op != prim::broadcast_in_dim) return -1;
  int const v = c.resolve(d.in(0));
  return c.is_scalar(v) ? v : -1;
}

}  // namespace exprax::detail::planning
