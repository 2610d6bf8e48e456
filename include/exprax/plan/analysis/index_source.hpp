// SPDX-License-Identifier: BSL-1.0
// The sources of the index vectors of a gather or scatter: looks through the concatenations and broadcasts by which batching combines
// their components; and which gathers are part of the kernel that reads their result.
#pragma once

#include <exprax/plan/analysis/context.hpp>

namespace exprax::detail::planning {

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

// Whether the kernel that reads the result of a gather gathers: there is no array of the result.
constexpr bool is_read_in_place(context const& c, equation_ref const& e) {
  return is_gather(e.e.op) && !c.is_scalar(e.e.out) && !c.info[e.e.out].root;
}
// f(value) for the values from which a kernel reads the components of index vectors.
template <class F>
constexpr void for_index_sources(context const& c, equation_ref const& e, F const& f) {
  bool const in_place = is_read_in_place(c, e);
  for (int q = 0; q < e.type(1).dims[e.type(1).rank - 1]; ++q)
    f(in_place ? source_of_component(c, e, map_of_component(e, q)).v : source_of_index(c, e, q).v);
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
