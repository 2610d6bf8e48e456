// SPDX-License-Identifier: BSL-1.0
// shift_right_logical (jax.lax.shift_right_logical): shifts right and fills with zeros; a count of the width or more, or a negative one,
// gives 0.
#pragma once

#include <exprax/primitives/elementwise/bits_of_integers.hpp>

namespace exprax {

template <>
struct primitive<prim::shift_right_logical> : detail::binary_bits<prim::shift_right_logical> {
  static constexpr std::string_view name = "shift_right_logical";
  static constexpr std::string_view stablehlo = "shift_right_logical";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x, V n) {
    using T = typename V::value_type;
    using U = simd::detail::bits_of<T>;
    return bitcast<T>(bitcast<U>(x) >> bitcast<U>(n));
  }
};

}  // namespace exprax
