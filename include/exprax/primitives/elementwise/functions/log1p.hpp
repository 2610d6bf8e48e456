// SPDX-License-Identifier: BSL-1.0
// log1p (jax.lax.log1p): log(1 + x), also for small x; log1p(-0) = -0. Error below 1 ULP.
#pragma once

#include <exprax/math/exponential.hpp>
#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::log1p> : detail::unary_inexact<prim::log1p> {
  static constexpr prim_traits traits = unary_inexact::traits.with_cost(cost_of_function);
  static constexpr std::string_view name = "log1p";
  static constexpr std::string_view stablehlo = "log_plus_one";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    V const one(T(1));
    V const sum = one + x;
    // 1 + x = 2^e (1 + f): f is rounded once.
    simd::detail::raw_binade<V> const raw(sum);
    V const inverse = raw.inverse_power();
    V const f = mul_add(x, inverse, inverse - one);
    V r = detail::log_of_parts(f, raw.exponent());
    auto const usual = (x > V(T(-1))) & (x < V(detail::is_single<V> ? T(0x1p100f) : T(0x1p1000)));
    if (!all(usual)) {
      auto const [m, e] = split(sum);
      r = select(usual, r, detail::log_special(sum, detail::log_of_parts(m - one, e)));
    }
    return copysign(r, x);
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int, int t) {
    int const x = c.in(e, 0);
    return c.div(t, c.add(x, c.number_like(x, 1)));
  }
};

}  // namespace exprax
