// SPDX-License-Identifier: BSL-1.0
// exp2 (jax.lax.exp2): 2 to the x; whole x are exact. Error below 0.9 ULP.
#pragma once

#include <exprax/primitives/elementary.hpp>

namespace exprax {

template <>
struct primitive<prim::exp2> : detail::unary_inexact<prim::exp2> {
  static constexpr std::string_view name = "exp2";
  static constexpr std::string_view stablehlo = "exponential";
  // exp(log(2) x), as JAX lowers it.
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    aval const& t = e.out_type(0);
    std::uint64_t const log_2 = t.type == dtype::f64 || t.type == dtype::c128 ? detail::to_bits(0x1.62e42fefa39efp-1) : detail::to_bits(0x1.62e43p-1f);
    l.set(e, 0, l.like("exponential", l.like("multiply", l.broadcast(l.scalar(t.type, log_2), t), l.in(e, 0))));
  }
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    using detail::is_single;
    using detail::polynomial;
    bool near = false;
    if constexpr (!V::has_scale) near = all(abs(x) < V(is_single<V> ? T(126) : T(1022)));
    // Beyond these bounds the result is 0 or infinite.
    if (!near) x = bounded(x, is_single<V> ? T(-151) : T(-1076), is_single<V> ? T(129) : T(1025));
    V const magic(simd::detail::float_format<T>::round_magic);
    V const sum = x + magic;
    V const n = sum - magic;
    V const r = x - n;
    V p;
    if constexpr (is_single<V>) {
      p = polynomial(r, 0x1.44138ap-13f, 0x1.5f089p-10f, 0x1.3b2a54p-7f, 0x1.c6af6cp-5f, 0x1.ebfbep-3f, 0x1.62e43p-1f);
    } else {
      p = polynomial(r, 0x1.e9d3fe3952179p-32, 0x1.e6063f7217bc6p-28, 0x1.b524fae627834p-24, 0x1.62bfd47773353p-20, 0x1.ffcbfc670dcd4p-17,
                        0x1.430913096fd9fp-13, 0x1.5d87fe78a5276p-10, 0x1.3b2ab6fba1ddap-7, 0x1.c6b08d704a0c2p-5, 0x1.ebfbdff82c598p-3,
                        0x1.62e42fefa39efp-1);
    }
    V const power = fma(r, p, V(T(1)));
    if (near) return simd::detail::scale_by_sum(power, sum);
    return scale(power, n);
  }
};

}  // namespace exprax
