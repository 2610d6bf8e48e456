// SPDX-License-Identifier: BSL-1.0
// cbrt (jax.lax.cbrt): the cube root, by a polynomial and one fourth-order step with an exact residual. Error below 0.6 ULP.
#pragma once

#include <exprax/math/exponential.hpp>
#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::cbrt> : detail::unary_float<prim::cbrt> {
  static constexpr prim_traits traits = unary_float::traits.with_cost(cost_of_function);
  static constexpr std::string_view name = "cbrt";
  static constexpr std::string_view stablehlo = "cbrt";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    using detail::polynomial;
    V const one(T(1));
    V const zero(T(0));
    V const size = abs(x);
    auto const [m, e] = split(size);
    // size = cube * 2^(3 n), 2^k m = cube for k = -1, 0, 1.
    V const magic(simd::detail::float_format<T>::round_magic);
    V const n = mul_add(e, V(T(1) / T(3)), magic) - magic;
    V const k = mul_add(n, V(T(-3)), e);
    V const cube = m * select(k > zero, V(T(2)), select(k < zero, V(T(0.5)), one));
    V const guess = polynomial(m, T(-0x1.db4672p-6), T(0x1.6e6e28p-3), T(-0x1.e631fep-2), T(0x1.b9742ep-1), T(0x1.d9c97ap-2));
    V const y = guess * select(k > zero, V(T(0x1.428a2f98d728bp+0)), select(k < zero, V(T(0x1.965fea53d6e3dp-1)), one));
    // y^3 = cube (1 - d)
    V const square = y * y;
    V const rest = mul_add(-product_error(y, y, square), y, residual(square, y, cube));
    V const d = rest / cube;
    V const root = mul_add(y * d, polynomial(d, T(14.0 / 81), T(2.0 / 9), T(1.0 / 3)), y);
    V const r = copysign(scale(root, n), x);
    return select((size > zero) & (size <= V(std::numeric_limits<T>::max())), r, x);
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int, int t) {
    int const y = c.out(e);
    return c.mul(t, c.mul(c.real_like(y, 1.0 / 3), c.integer_pow(y, -2)));
  }
};

}  // namespace exprax
