// SPDX-License-Identifier: BSL-1.0
// shift_left (jax.lax.shift_left): x * 2^n, wrapped; a count of the width or more, or a negative one, gives 0.
#pragma once

#include <exprax/primitives/elementwise/bits_of_integers.hpp>

namespace exprax {

template <>
struct primitive<prim::shift_left> : detail::binary_bits<prim::shift_left> {
  static constexpr std::string_view name = "shift_left";
  static constexpr std::string_view stablehlo = "shift_left";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x, V n) {
    return x << n;
  }
};

}  // namespace exprax
