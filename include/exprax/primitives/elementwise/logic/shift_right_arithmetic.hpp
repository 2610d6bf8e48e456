// SPDX-License-Identifier: BSL-1.0
// shift_right_arithmetic (jax.lax.shift_right_arithmetic): shifts right and fills with copies of the top bit, for unsigned dtypes too; a
// count of the width or more, or a negative one, gives only such copies.
#pragma once

#include <exprax/primitives/elementwise/bits_of_integers.hpp>

namespace exprax {

template <>
struct primitive<prim::shift_right_arithmetic> : detail::binary_bits<prim::shift_right_arithmetic> {
  static constexpr std::string_view name = "shift_right_arithmetic";
  static constexpr std::string_view stablehlo = "shift_right_arithmetic";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x, V n) {
    using T = typename V::value_type;
    using I = std::make_signed_t<T>;
    return bitcast<T>(bitcast<I>(x) >> bitcast<I>(n));
  }
};

}  // namespace exprax
