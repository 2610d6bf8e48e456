// SPDX-License-Identifier: BSL-1.0
// exp2 (jax.lax.exp2): 2 to the x; exact for integer x. Error below 0.9 ULP.
#pragma once

#include <exprax/math/exponential.hpp>
#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::exp2> : detail::unary_inexact<prim::exp2> {
  static constexpr prim_traits traits = unary_inexact::traits.with_cost(cost_of_function);
  static constexpr std::string_view name = "exp2";
  static constexpr std::string_view stablehlo = "exponential";
  // exp(log(2) x), as JAX lowers it.
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    aval const& t = e.out_type(0);
    std::uint64_t const log_2 =
        t.type == dtype::f64 || t.type == dtype::c128 ? detail::to_bits(0x1.62e42fefa39efp-1) : detail::to_bits(0x1.62e43p-1f);
    l.set(e, 0, l.like("exponential", l.like("multiply", l.broadcast(l.scalar(t.type, log_2), t), l.in(e, 0))));
  }
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    using detail::is_single;
    bool near = false;
    if constexpr (!V::has_scale) near = all(abs(x) < V(is_single<V> ? T(126) : T(1022)));
    // Beyond these bounds the result is 0 or infinity.
    if (!near) x = bounded(x, is_single<V> ? T(-151) : T(-1076), is_single<V> ? T(129) : T(1025));
    V const magic(simd::detail::float_format<T>::round_magic);
    V const sum = x + magic;
    V const n = sum - magic;
    V const power = detail::exp2_of_rest(x - n);
    if (near) return simd::detail::scale_by_sum(power, sum);
    return scale(power, n);
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int, int t) {
    int const y = c.out(e);
    return c.mul(c.real_like(y, 0.693147180559945309417), c.mul(t, y));
  }
};

}  // namespace exprax
