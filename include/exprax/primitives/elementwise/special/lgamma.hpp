// SPDX-License-Identifier: BSL-1.0
// lgamma (jax.lax.lgamma): the logarithm of |gamma(x)|; infinite at 0 and the negative integers. Below 0 by reflection. Error below 4 ULP;
// below 0, where it has zeros between its poles, in ULP of the terms of the difference.
#pragma once

#include <exprax/math/gamma.hpp>
#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::lgamma> : detail::unary_float<prim::lgamma> {
  static constexpr prim_traits traits = unary_float::traits.with_cost(cost_of_function);
  static constexpr std::string_view name = "lgamma";
  static constexpr std::string_view stablehlo = "chlo.lgamma";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    using limits = std::numeric_limits<T>;
    V const infinite(limits::infinity());
    V const size = abs(x);
    V r = detail::lgamma_of_positive(size);
    // For tiny numbers the sign does not matter.
    auto const negative = x < V(detail::is_single<V> ? T(-0x1p-30f) : T(-0x1p-60));
    if (any(negative)) {
      V const sine = detail::half_turns_of(abs(size - round_even(size))).sine();
      V const ratio = V(detail::pi_parts<T>::high) / (size * sine);
      auto const [m, e] = split(ratio);
      V const reflected = detail::log_of_parts(m - V(T(1)), e) - r;
      r = select(negative, select(sine == V(T(0)), infinite, reflected), r);
    }
    r = select((size == V(T(0))) | (size == infinite), infinite, r);
    return select(isnan(x), x, r);
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int, int t) {
    return c.mul(t, c.elementwise(prim::digamma, c.in(e, 0)));
  }
};

}  // namespace exprax
