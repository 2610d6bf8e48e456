// SPDX-License-Identifier: BSL-1.0
// asinh (jax.lax.asinh): log(x + sqrt(x^2 + 1)), a polynomial up to 1.25 (1 for doubles). Error below 1.4 ULP.
#pragma once

#include <exprax/math/arcs.hpp>
#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::asinh> : detail::unary_inexact<prim::asinh> {
  static constexpr prim_traits traits = unary_inexact::traits.with_cost(cost_of_function);
  static constexpr std::string_view name = "asinh";
  static constexpr std::string_view stablehlo = "chlo.asinh";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    using detail::is_single;
    using detail::long_polynomial;
    using detail::polynomial;
    V const size = abs(x);
    V const z = size * size;
    V p;
    if constexpr (is_single<V>) {
      p = polynomial(z, -0x1.5c5314p-15f, 0x1.ab715ap-12f, -0x1.de55cap-10f, 0x1.49a2e2p-8f, -0x1.43de6cp-7f, 0x1.fd19a8p-7f,
                        -0x1.65bf26p-6f, 0x1.f031dp-6f, -0x1.6da394p-5f, 0x1.3332d6p-4f, -0x1.555556p-3f);
    } else {
      p = long_polynomial(z, 0x1.639b5c6d87408p-19, -0x1.edc23aba61cffp-16, 0x1.456a1e9fad602p-13, -0x1.109bc0a5f1d39p-11,
                          0x1.490d554c1855ap-10, -0x1.35047b173966ep-9, 0x1.df2e11bb57582p-9, -0x1.43751e14a4fe6p-8, 0x1.8f7e48e5f1245p-8,
                          -0x1.d72a76d5cdc54p-8, 0x1.11d15ad69e6dp-7, -0x1.3fa0d6ed533fap-7, 0x1.7a7d7b8c0a47cp-7, -0x1.c998634708c2dp-7,
                          0x1.1c4eb7a403847p-6, -0x1.6e8ba225a6a89p-6, 0x1.f1c71c6ae670bp-6, -0x1.6db6db6da65b6p-5, 0x1.3333333333237p-4,
                          -0x1.5555555555555p-3);
    }
    V const near = mul_add(size * z, p, size);
    return copysign(select(size <= V(is_single<V> ? T(1.25) : T(1)), near, detail::log_of_sum<1>(size)), x);
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int, int t) {
    int const x = c.in(e, 0);
    return c.mul(t, c.elementwise(prim::rsqrt, c.add(c.square(x), c.number_like(x, 1))));
  }
};

}  // namespace exprax
