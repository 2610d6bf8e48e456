// SPDX-License-Identifier: BSL-1.0
// clz (jax.lax.clz): the number of zero bits above the highest set bit; for 0 the width.
#pragma once

#include <exprax/primitives/elementwise/bits_of_integers.hpp>

namespace exprax {

template <>
struct primitive<prim::clz> : detail::unary_bits<prim::clz> {
  static constexpr std::string_view name = "clz";
  static constexpr std::string_view stablehlo = "count_leading_zeros";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    auto u = bitcast<simd::detail::bits_of<T>>(x);
    // Sets all bits below the highest set bit.
    u = u | (u >> 1);
    u = u | (u >> 2);
    u = u | (u >> 4);
    if constexpr (sizeof(T) >= 2) u = u | (u >> 8);
    if constexpr (sizeof(T) >= 4) u = u | (u >> 16);
    if constexpr (sizeof(T) == 8) u = u | (u >> 32);
    return bitcast<T>(detail::count_bits(~u));
  }
};

}  // namespace exprax
