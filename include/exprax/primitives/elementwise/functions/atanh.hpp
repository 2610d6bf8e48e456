// SPDX-License-Identifier: BSL-1.0
// atanh (jax.lax.atanh): log((1 + x)/(1 - x))/2, a polynomial up to 1/2; infinite at 1, NaN beyond. Error below 1.4 ULP.
#pragma once

#include <exprax/math/arcs.hpp>
#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::atanh> : detail::unary_inexact<prim::atanh> {
  static constexpr prim_traits traits = unary_inexact::traits.with_cost(cost_of_function);
  static constexpr std::string_view name = "atanh";
  static constexpr std::string_view stablehlo = "chlo.atanh";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    using detail::is_single;
    using detail::long_polynomial;
    using detail::polynomial;
    V const one(T(1));
    V const size = abs(x);
    V const z = size * size;
    V p;
    if constexpr (is_single<V>) {
      p = polynomial(z, 0x1.4298b2p-3f, 0x1.09f92cp-4f, 0x1.d5ce5cp-4f, 0x1.242056p-3f, 0x1.999c14p-3f, 0x1.555554p-2f);
    } else {
      p = long_polynomial(z, 0x1.b016cba23eee4p-3, -0x1.27f230f3831a3p-3, 0x1.15aa7698edf42p-3, 0x1.92cc88a36f708p-7, 0x1.bdcd3cefa72cep-5,
                        0x1.a6c53053bf30cp-5, 0x1.e2c342108eb1fp-5, 0x1.1108e26d64a6dp-4, 0x1.3b1417e6e07dfp-4, 0x1.745d1406b992ep-4,
                        0x1.c71c71d6cc5d1p-4, 0x1.249249247e911p-3, 0x1.9999999999ad1p-3, 0x1.5555555555555p-2);
    }
    V const ratio = (one + size) / (one - size);
    auto const [m, e] = split_normal(ratio);
    V const far = detail::log_special(ratio, detail::log_of_parts(m - one, e)) * V(T(0.5));
    return copysign(select(size <= V(T(0.5)), mul_add(size * z, p, size), far), x);
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int, int t) {
    int const x = c.in(e, 0);
    int const above = c.integer_pow(c.add(c.number_like(x, 1), x), -1);
    return c.mul(above, c.div(t, c.sub(c.number_like(x, 1), x)));
  }
};

}  // namespace exprax
