// SPDX-License-Identifier: BSL-1.0
// rem (jax.lax.rem): x - y * trunc(x / y), exact, with the sign of x (C's fmod and %). Integers: x rem 0 = x, min rem -1 = 0.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::rem> : detail::binary_real<prim::rem> {
  static constexpr prim_traits traits = binary_real::traits.with_cost(cost_of_function);
  static constexpr std::string_view name = "rem";
  static constexpr std::string_view stablehlo = "remainder";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x, V y) {
    if constexpr (std::is_floating_point_v<typename V::value_type>) return each_lane(fmod{}, x, y);
    else return x % y;
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int k, int t) {
    int const x = c.in(e, 0), y = c.in(e, 1);
    if (k == 0) return c.broadcast_to(t, e.out_type(0));
    int const quotient = c.div(x, y), whole = c.elementwise(prim::floor, c.elementwise(prim::abs, quotient));
    return c.mul(c.neg(t), c.mul(c.elementwise(prim::sign, quotient), whole));
  }

 private:
  struct fmod {
    template <class T>
    constexpr T operator()(T x, T y) const {
      if (__builtin_is_constant_evaluated()) return detail::ieee::fmod(x, y);
      if constexpr (sizeof(T) == 4) return __builtin_fmodf(x, y);
      else return __builtin_fmod(x, y);
    }
  };
};

}  // namespace exprax
