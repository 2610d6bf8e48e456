// SPDX-License-Identifier: BSL-1.0
// The properties of a primitive that is known as a value: traits_of(p) is primitive<p>::traits.
#pragma once

#include <exprax/primitives/all.hpp>

namespace exprax {

namespace detail {

struct traits_table {
  prim_traits of[prim_count];
};
template <int... I>
constexpr traits_table make_traits_table(std::integer_sequence<int, I...>) {
  return {{primitive<static_cast<prim>(I)>::traits...}};
}
inline constexpr traits_table all_traits = make_traits_table(std::make_integer_sequence<int, prim_count>{});

template <int... I>
constexpr std::string_view name_in(prim p, std::integer_sequence<int, I...>) {
  constexpr std::string_view names[] = {primitive<static_cast<prim>(I)>::name...};
  return names[static_cast<int>(p)];
}

}  // namespace detail

constexpr prim_traits const& traits_of(prim p) { return detail::all_traits.of[static_cast<int>(p)]; }
// JAX's name of it.
constexpr std::string_view primitive_name(prim p) { return detail::name_in(p, std::make_integer_sequence<int, prim_count>{}); }

constexpr op_class kind_of(prim p) { return traits_of(p).kind; }

constexpr bool is_elementwise(prim p) { return kind_of(p) == op_class::elementwise; }
constexpr bool is_reduction(prim p) { return kind_of(p) == op_class::reduction; }
constexpr bool is_argument_reduction(prim p) { return kind_of(p) == op_class::argument_reduction; }
constexpr bool is_contraction(prim p) { return kind_of(p) == op_class::contraction; }
constexpr bool is_cumulative(prim p) { return kind_of(p) == op_class::cumulative; }
constexpr bool is_update(prim p) { return kind_of(p) == op_class::update; }
constexpr bool is_gather(prim p) { return traits_of(p).takes_index_vectors && !is_update(p); }
constexpr bool is_scatter(prim p) { return is_update(p) && traits_of(p).takes_index_vectors; }
constexpr bool is_static_update(prim p) { return traits_of(p).updates_known_slice; }
// An update that puts its elements in the place of the old ones; others combine the two by `combiner`.
constexpr bool replaces_elements(prim p) { return is_update(p) && traits_of(p).moves_bits; }
constexpr bool is_collective(prim p) { return kind_of(p) == op_class::collective; }
constexpr bool is_control(prim p) { return kind_of(p) == op_class::control; }
constexpr bool has_effect_or_blocks(prim p) { return kind_of(p) == op_class::effect || is_control(p); }
// Whether the bits of a reduction depend on the order, which is then part of its definition (primitives/reductions/reduction.hpp).
constexpr bool has_fixed_order(prim reduction, dtype t) {
  prim const combiner = traits_of(reduction).combiner;
  return is_floating(t) && (combiner == prim::add || combiner == prim::mul);
}
// Whether each result element depends on at most one element of each operand, at an index known at compile time.
constexpr bool makes_each_element(prim p) {
  op_class const k = kind_of(p);
  return k == op_class::elementwise || k == op_class::movement || k == op_class::generator;
}

}  // namespace exprax
