// SPDX-License-Identifier: BSL-1.0
// atan (jax.lax.atan): the arc tangent, by atan(x) = pi/4 + atan((x - 1)/(x + 1)) from tan(pi/8) on, pi/2 - atan(1/x) from tan(3 pi/8) on.
// Error below 1.9 ULP.
#pragma once

#include <exprax/math/arcs.hpp>
#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::atan> : detail::unary_inexact<prim::atan> {
  static constexpr prim_traits traits = unary_inexact::traits.with_cost(cost_of_function);
  static constexpr std::string_view name = "atan";
  static constexpr std::string_view stablehlo = "chlo.atan";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    using detail::is_single;
    using detail::long_polynomial;
    using detail::polynomial;
    using C = detail::pi_parts<T>;
    V const zero(T(0));
    V const one(T(1));
    V const size = abs(x);
    auto const beyond = size > V(T(0.4142135623730950488));
    auto const large = size > V(T(2.4142135623730950488));
    V const above = select(large, -one, size - one);
    V const below = select(large, size, size + one);
    V const t = select(beyond, above, size) / select(beyond, below, one);
    V const z = t * t;
    V p;
    if constexpr (is_single<V>) {
      p = polynomial(z, -0x1.082f6cp-4f, 0x1.b8099p-4f, -0x1.241fe6p-3f, 0x1.99972ep-3f, -0x1.555554p-2f);
    } else {
      p = long_polynomial(z, -0x1.39f38ad451ea6p-6, 0x1.41495cefb6c73p-5, -0x1.a090d1950d2b4p-5, 0x1.dfe49b2919c4ep-5,
                          -0x1.10fa5ee9ab25cp-4, 0x1.3b126143b5cbcp-4, -0x1.745d0b153ffadp-4, 0x1.c71c7184c32bfp-4, -0x1.24924924355d5p-3,
                          0x1.999999999933dp-3, -0x1.5555555555555p-2);
    }
    V const high = select(beyond, select(large, V(C::high * T(0.5)), V(C::high * T(0.25))), zero);
    V const low = select(beyond, select(large, V(C::low * T(0.5)), V(C::low * T(0.25))), zero);
    return copysign(detail::sum_with_rest(high, t, mul_add(t * z, p, low)), x);
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int, int t) {
    int const x = c.in(e, 0);
    return c.div(t, c.add(c.number_like(x, 1), c.square(x)));
  }
};

}  // namespace exprax
