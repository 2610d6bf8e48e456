// SPDX-License-Identifier: BSL-1.0
// population_count (jax.lax.population_count): the number of set bits.
#pragma once

#include <exprax/primitives/elementwise/bits_of_integers.hpp>

namespace exprax {

template <>
struct primitive<prim::population_count> : detail::unary_bits<prim::population_count> {
  static constexpr std::string_view name = "population_count";
  static constexpr std::string_view stablehlo = "popcnt";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    return bitcast<T>(detail::count_bits(bitcast<simd::detail::bits_of<T>>(x)));
  }
};

}  // namespace exprax
