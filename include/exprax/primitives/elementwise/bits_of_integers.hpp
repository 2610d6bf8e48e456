// SPDX-License-Identifier: BSL-1.0
// Shared by the primitives on the bits of integers, over the lane concept. Their results depend on the width of the dtype, so constants are
// not folded in a wider one.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax::detail {

struct width_matters {
  static constexpr bool folds_wide = false;
};
template <prim P> struct unary_bits : uniform_rules<P, 1, is_integer>, width_matters {};
template <prim P> struct binary_bits : uniform_rules<P, 2, is_integer>, width_matters {};

template <class V>
using unsigned_lanes = typename V::template rebind<simd::detail::bits_of<typename V::value_type>>;

// The number of set bits, by instructions or in sums of 2, 4, 8, ... neighbours ("Hacker's Delight", 5-1). V has unsigned elements.
template <class V>
EXPRAX_INLINE constexpr V count_bits(V x) {
  if constexpr (requires { counted_bits(x); }) return counted_bits(x);
  using T = typename V::value_type;
  x = x - ((x >> 1) & V(static_cast<T>(0x5555555555555555u)));
  V const pairs(static_cast<T>(0x3333333333333333u));
  x = (x & pairs) + ((x >> 2) & pairs);
  x = (x + (x >> 4)) & V(static_cast<T>(0x0f0f0f0f0f0f0f0fu));
  if constexpr (sizeof(T) >= 2) x = x + (x >> 8);
  if constexpr (sizeof(T) >= 4) x = x + (x >> 16);
  if constexpr (sizeof(T) == 8) x = x + (x >> 32);
  return x & V(T(127));
}

}  // namespace exprax::detail
