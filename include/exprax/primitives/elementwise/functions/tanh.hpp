// SPDX-License-Identifier: BSL-1.0
// tanh (jax.lax.tanh): the hyperbolic tangent, 1 - 2/(exp(2 x) + 1), a polynomial below 0.55; tanh(-0) = -0. Error below 1.5 ULP.
#pragma once

#include <exprax/math/exponential.hpp>
#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::tanh> : detail::unary_inexact<prim::tanh> {
  static constexpr prim_traits traits = unary_inexact::traits.with_cost(cost_of_function);
  static constexpr std::string_view name = "tanh";
  static constexpr std::string_view stablehlo = "tanh";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    using detail::is_single;
    using detail::long_polynomial;
    using detail::polynomial;
    V const one(T(1));
    V const two(T(2));
    V const size = abs(x);
    V const z = size * size;
    V p;
    if constexpr (is_single<V>) {
      p = polynomial(z, -0x1.ad358p-8f, 0x1.5c97c2p-6f, -0x1.b994dp-5f, 0x1.110fc4p-3f, -0x1.555554p-2f);
    } else {
      p = long_polynomial(z, -0x1.52ad20d8a38fap-16, 0x1.62700183af88fp-14, -0x1.eb45eea04ec54p-13, 0x1.34b450aa0bb0fp-11,
                        -0x1.7d9605f5af7dbp-10, 0x1.d6d31c14f5aap-9, -0x1.226e32605423dp-7, 0x1.664f4873e80f9p-6, -0x1.ba1ba1b9f5bfbp-5,
                        0x1.1111111110fe3p-3, -0x1.5555555555555p-2);
    }
    V const far = one - two / (detail::normal_exp_of(bounded(size + size, T(0), is_single<V> ? T(20) : T(40))) + one);
    return copysign(select(size < V(T(0.55)), mul_add(size * z, p, size), far), x);
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int, int t) {
    int const y = c.out(e);
    int const sum = c.add(t, c.mul(t, y));
    return c.mul(sum, c.sub(c.number_like(y, 1), y));
  }
};

}  // namespace exprax
