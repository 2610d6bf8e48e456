// SPDX-License-Identifier: BSL-1.0
// Errors that only tracing can detect, such as an axis name that nothing binds. The tape keeps the first one; at the end of the trace it
// becomes a compiler error (api/trace.hpp).
#pragma once

#include <cstdint>

namespace exprax {

enum class mistake : std::uint8_t {
  none,
  unbound_axis_name,
  mapped_output_has_no_axis,     // first: the result, second: its axis
  axis_size_differs,             // first: the size of the mapped axis, second: the size that the collective expects
  permutation_has_another_size,  // first: the size of the mapped axis, second: the length of the permutation
  not_a_permutation,
  returns_nothing,
  assigns_to_a_parameter,
  not_differentiable,        // first: the primitive
  not_transposable,          // first: the primitive
  reverse_mode_of_a_while_loop,
  custom_rule_captures,
  forward_mode_of_a_custom_vjp,
  products_of_overlapping_updates,
  solve_without_a_transpose,
};

namespace detail {

struct found_mistake {
  mistake what = mistake::none;
  int first = 0, second = 0;

  constexpr bool operator==(found_mistake const&) const = default;
};

}  // namespace detail

}  // namespace exprax
