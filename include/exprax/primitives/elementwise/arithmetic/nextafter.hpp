// SPDX-License-Identifier: BSL-1.0
// nextafter (jax.lax.nextafter): the next number after x in the direction of y; y if they are equal.
#pragma once

#include <limits>

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::nextafter> : detail::binary_float<prim::nextafter> {
  static constexpr prim_traits traits = binary_float::traits.locally_constant();
  static constexpr std::string_view name = "nextafter";
  static constexpr std::string_view stablehlo = "chlo.next_after";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x, V y) {
    using T = typename V::value_type;
    using limits = std::numeric_limits<T>;
    using I = typename simd::detail::float_format<T>::integer;
    using W = typename V::template rebind<I>;
    V const zero(T(0));
    // As integers, numbers of the same sign are ordered by magnitude.
    auto const grows = (x < y) ^ (x < zero);
    V r = bitcast<T>(bitcast<I>(x) + select(grows, W(I(1)), W(I(-1))));
    r = select(x == zero, copysign(V(limits::denorm_min()), y), r);
    r = select(x == y, y, r);
    return select(isnan(x) | isnan(y), V(limits::quiet_NaN()), r);
  }
};

}  // namespace exprax
