// SPDX-License-Identifier: BSL-1.0
// rotate_left: rotates the bits of unsigned integers to the left. The expansion of random numbers uses it; the count is below the width.
#pragma once

#include <exprax/primitives/elementwise/bits_of_integers.hpp>

namespace exprax {

template <>
struct primitive<prim::rotate_left> : detail::uniform_rules<prim::rotate_left, 2, is_unsigned_integer>, detail::width_matters {
  static constexpr std::string_view name = "rotate_left";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x, V n) {
    return rotate_left(x, n);
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    int v[3] = {};
    l.joined(e, v);
    int const rest = l.like("subtract", l.full(e.out_type(0), 8 * size_of(e.out_type(0).type)), v[1]);
    l.set(e, 0, l.like("or", l.like("shift_left", v[0], v[1]), l.like("shift_right_logical", v[0], rest)));
  }
};

}  // namespace exprax
