// SPDX-License-Identifier: BSL-1.0
// atan2 (jax.lax.atan2): the angle of the point (x, y) from the positive x-axis, in [-pi, pi], with the special values of C99 Annex F.
// Error below 1.6 ULP.
#pragma once

#include <exprax/math/arcs.hpp>
#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::atan2> : detail::binary_inexact<prim::atan2> {
  static constexpr prim_traits traits = binary_inexact::traits.with_cost(cost_of_function);
  static constexpr std::string_view name = "atan2";
  static constexpr std::string_view stablehlo = "atan2";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V y, V x) {
    using T = typename V::value_type;
    using I = typename simd::detail::float_format<T>::integer;
    using W = typename V::template rebind<I>;
    using C = detail::pi_parts<T>;
    V const zero(T(0));
    V const height = abs(y);
    V const width = abs(x);
    auto const steep = height > width;
    auto const left = bitcast<I>(x) < W(I(0));
    V const small = select(steep, width, height);
    V const large = select(steep, height, width);
    // Also handles two zeros and two infinities.
    V t = select(small == large, select(small == zero, zero, V(T(1))), small / large);
    V const z = t * t;
    t = select(steep ^ left, -t, t);
    V const high = select(steep, V(C::high * T(0.5)), select(left, V(C::high), zero));
    V const low = select(steep, V(C::low * T(0.5)), select(left, V(C::low), zero));
    return copysign(detail::sum_with_rest(high, t, mul_add(t * z, detail::atan_tail(z), low)), y);
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int k, int t) {
    int const x = c.in(e, 0), y = c.in(e, 1), squares = c.add(c.square(x), c.square(y));
    return c.mul(t, c.div(k == 0 ? y : c.neg(x), squares));
  }
};

}  // namespace exprax
