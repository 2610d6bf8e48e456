// SPDX-License-Identifier: BSL-1.0
// integer_pow (jax.lax.integer_pow): x to a constant integer power, by squaring, in the order of jax.lax; negative: 1 / x^-y.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::integer_pow> : detail::integer_pow_family<prim::integer_pow> {
  static constexpr std::string_view name = "integer_pow";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x, int y) {
    V power(1);
    bool first = true;
    for (unsigned rest = y < 0 ? 0u - static_cast<unsigned>(y) : static_cast<unsigned>(y); rest != 0; rest >>= 1) {
      if (rest & 1u) {
        power = first ? x : power * x;
        first = false;
      }
      if (rest > 1) x = x * x;
    }
    return y < 0 ? V(1) / power : power;
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int, int t) {
    int const x = c.in(e, 0);
    int const n = e.param(0);
    if (n == 0) return c.zeros(e.out_type(0));
    return c.mul(t, n == 1 ? c.number_like(x, 1) : c.mul(c.number_like(x, n), c.integer_pow(x, n - 1)));
  }
};

}  // namespace exprax
