// SPDX-License-Identifier: BSL-1.0
// logistic (jax.lax.logistic): 1 / (1 + exp(-x)), as 2^-n / (2^-n + 1 + p) for exp(-x) = 2^n (1 + p), so that small results keep their
// precision and 1 + p is not rounded. Error below 1.8 ULP.
#pragma once

#include <exprax/math/exponential.hpp>
#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::logistic> : detail::unary_inexact<prim::logistic> {
  static constexpr prim_traits traits = unary_inexact::traits.with_cost(cost_of_function);
  static constexpr std::string_view name = "logistic";
  static constexpr std::string_view stablehlo = "logistic";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    using C = detail::exp_constants<T>;
    V const one(T(1));
    V const magic(simd::detail::float_format<T>::round_magic);
    // exp(-x) = 2^n (1 + p). Where scaling takes several steps, they run only if a result is nearly 0.
    V y = -x;
    bool near = false;
    if constexpr (!V::has_scale) near = all(abs(x) < V(detail::is_single<V> ? T(87) : T(708)));
    if (!near) y = bounded(y, detail::is_single<V> ? T(-87) : T(-708), detail::is_single<V> ? T(104) : T(746));
    V const sum = mul_add(y, V(-C::log2_e), magic);
    V const minus_n = sum - magic;
    V const p = detail::expm1_of_rest(mul_add(minus_n, V(C::ln2_low), mul_add(minus_n, V(C::ln2_high), y)));
    V power;
    if (near) power = simd::detail::scale_by_sum(one, sum);
    else power = scale(one, minus_n);
    // For a small power, the rounding error of the first sum is added to the second one.
    V const lost = select(power < V(std::numeric_limits<T>::epsilon()), power, V(T(0)));
    return power / ((power + one) + (p + lost));
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int, int t) {
    int const y = c.out(e), ty = c.mul(t, y);
    return c.mul(ty, c.sub(c.number_like(y, 1), y));
  }
};

}  // namespace exprax
