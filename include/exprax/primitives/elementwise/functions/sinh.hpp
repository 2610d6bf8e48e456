// SPDX-License-Identifier: BSL-1.0
// sinh (jax.lax.sinh): the hyperbolic sine, 2 h - 1/(8 h) with h = exp(|x|)/4, a polynomial below 1. Error below 1.6 ULP.
#pragma once

#include <exprax/math/exponential.hpp>
#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::sinh> : detail::unary_inexact<prim::sinh> {
  static constexpr prim_traits traits = unary_inexact::traits.with_cost(cost_of_function);
  static constexpr std::string_view name = "sinh";
  static constexpr std::string_view stablehlo = "chlo.sinh";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    using detail::is_single;
    using detail::polynomial;
    V const size = abs(x);
    V const z = size * size;
    V p;
    if constexpr (is_single<V>) {
      p = polynomial(z, 0x1.78a70ep-19f, 0x1.a009p-13f, 0x1.11111ep-7f, 0x1.555556p-3f);
    } else {
      p = polynomial(z, 0x1.b41232cf9950fp-41, 0x1.611cb330c1fe8p-33, 0x1.ae6460fae3728p-26, 0x1.71de3a4e14f4p-19, 0x1.a01a01a01ee7p-13,
                        0x1.11111111110fdp-7, 0x1.5555555555555p-3);
    }
    V const h = detail::normal_exp_of(bounded(size, T(0), is_single<V> ? T(89.5) : T(710.5)), T(0.25));
    V const far = mul_add(h, V(T(2)), V(T(-0.125)) / h);
    return copysign(select(size < V(T(1)), mul_add(size * z, p, size), far), x);
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int, int t) {
    return c.mul(t, c.elementwise(prim::cosh, c.in(e, 0)));
  }
};

}  // namespace exprax
