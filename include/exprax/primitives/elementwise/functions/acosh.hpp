// SPDX-License-Identifier: BSL-1.0
// acosh (jax.lax.acosh): log(x + sqrt(x^2 - 1)), sqrt(2 t) p(t) with t = x - 1 below 2; NaN below 1. Error below 2 ULP.
#pragma once

#include <exprax/math/arcs.hpp>
#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::acosh> : detail::unary_inexact<prim::acosh> {
  static constexpr prim_traits traits = unary_inexact::traits.with_cost(cost_of_function);
  static constexpr std::string_view name = "acosh";
  static constexpr std::string_view stablehlo = "chlo.acosh";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    using detail::is_single;
    using detail::long_polynomial;
    using detail::polynomial;
    V const t = x - V(T(1));
    V p;
    if constexpr (is_single<V>) {
      p = polynomial(t, 0x1.5283f8p-14f, -0x1.064ae8p-11f, 0x1.d2b8c8p-10f, -0x1.6b30c8p-8f, 0x1.33196p-6f, -0x1.5554fp-4f, 0x1p+0f);
    } else {
      p = long_polynomial(t, -0x1.b1b10acd216f4p-28, 0x1.160a66d68a929p-24, -0x1.61cd745c72754p-22, 0x1.339477ae4955cp-20,
                        -0x1.ac91354ed701fp-19, 0x1.0a74df376b4a5p-17, -0x1.3dba00e196f07p-16, 0x1.7a1fe4c8f4065p-15,
                        -0x1.c98b290f9d828p-14, 0x1.1c4e0b68b5794p-12, -0x1.6e8b95f4302abp-11, 0x1.f1c71bd8ea24ap-10, -0x1.6db6db6b930acp-8,
                        0x1.333333332f282p-6, -0x1.5555555555525p-4, 0x1p+0);
    }
    return select(x < V(T(2)), sqrt(t + t) * p, detail::log_of_sum<-1>(x));
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int, int t) {
    int const x = c.in(e, 0);
    int const below = c.sub(x, c.number_like(x, 1));
    return c.mul(t, c.elementwise(prim::rsqrt, c.mul(below, c.add(x, c.number_like(x, 1)))));
  }
};

}  // namespace exprax
