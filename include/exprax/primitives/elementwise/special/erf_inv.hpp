// SPDX-License-Identifier: BSL-1.0
// erf_inv (jax.lax.erf_inv): the inverse of erf; infinite at 1 and -1, NaN beyond. x times a polynomial in w = -log(1 - x^2), or in sqrt(w)
// (Giles, "Approximating the erfinv function", 2012). Error below 2.5 ULP.
#pragma once

#include <exprax/math/exponential.hpp>
#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::erf_inv> : detail::unary_float<prim::erf_inv> {
  static constexpr prim_traits traits = unary_float::traits.with_cost(cost_of_function);
  static constexpr std::string_view name = "erf_inv";
  static constexpr std::string_view stablehlo = "chlo.erf_inv";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    using limits = std::numeric_limits<T>;
    V const one(T(1));
    auto const [m, e] = split_normal(simd::fuses<T> ? mul_add(-x, x, one) : (one - x) * (one + x));
    V const w = -detail::log_of_parts(m - one, e);
    V const size = abs(x);
    V const r = x * ratio(w);
    V const ends = select(size == one, copysign(V(limits::infinity()), x), V(limits::quiet_NaN()));
    return select(size < one, r, ends);
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int, int t) {
    int const y = c.out(e);
    return c.mul(c.real_like(y, 0.88622692545275801365), c.mul(t, c.elementwise(prim::exp, c.square(y))));
  }

 private:
  // erf_inv(x)/x. The cases for x near 1 run only if a lane needs them.
  template <class V>
  EXPRAX_INLINE static constexpr V ratio(V w) {
    using detail::long_polynomial;
    using detail::polynomial;
    V p;
    if constexpr (detail::is_single<V>) {
      V const t = w - V(2.5f);
      p = polynomial(t, -0x1.32e60ep-27f, 0x1.90e8acp-26f, 0x1.f6a6f8p-22f, -0x1.d0edap-19f, -0x1.4db186p-18f, 0x1.c9e97p-13f,
                        -0x1.48650cp-10f, -0x1.11c506p-8f, 0x1.f91e8ap-3f, 0x1.805c5ep+0f);
      auto const far = w > V(5.0f);
      if (any(far)) {
        V const s = sqrt(w) - V(3.0f);
        V q;
        q = polynomial(s, 0x1.07a066p-13f, -0x1.4d1e6p-12f, -0x1.28d8ap-14f, 0x1.87cd0ap-10f, -0x1.d69efp-9f, 0x1.747b12p-8f,
                          -0x1.f49a5p-8f, 0x1.3583dp-7f, 0x1.006dc6p+0f, 0x1.6a9efcp+1f);
        p = select(far, q, p);
      }
    } else {
      V const t = w - V(3.125);
      p = long_polynomial(t, -0x1.b2643e45e1856p-72, 0x1.e2aa7ddd776b6p-69, 0x1.79a647e43b44ep-66, -0x1.9a137911c05cfp-62,
                          0x1.669b9213d3cdfp-61, 0x1.1e1f9ee618b29p-56, -0x1.19ac650194dcap-53, -0x1.6b6b0fc6a580fp-55,
                          0x1.d5e95ecc5f898p-48, -0x1.6877e8ae70f27p-45, -0x1.6b86f85109f07p-44, 0x1.7236b79e1d57ep-39,
                          -0x1.c8a6afa1550f4p-37, -0x1.dc3f457145cd3p-35, 0x1.20f544d62fff1p-30, -0x1.1a9eb00326b9bp-28,
                          -0x1.f36ceed4416aep-26, 0x1.c6b4f8868f532p-22, -0x1.6e8a53c7ac2ffp-20, -0x1.d1d1f7c9ffa6dp-17,
                          0x1.879c2a20aeb2ep-13, -0x1.84576948359ddp-11, -0x1.8b6c33114ea2fp-8, 0x1.ebd80d9b13dfap-3, 0x1.a755e7c99ae86p+0);
      auto const far = w > V(6.25);
      if (any(far)) {
        V const root = sqrt(w), s = root - V(3.25);
        V q;
        q = long_polynomial(s, 0x1.07e3c2020286fp-27, -0x1.06f1da245bfd3p-26, -0x1.674f1725daa65p-26, 0x1.1a9484c4d3628p-23,
                          -0x1.079a074d6994p-22, -0x1.da75906425fdap-26, 0x1.8db69feb41fb6p-20, -0x1.0b79e820e8497p-18,
                          0x1.899aa0e374402p-19, 0x1.a241c6f237f34p-17, -0x1.8cf463501e9ap-15, 0x1.1e6abbe66ca02p-14, 0x1.932e8fd4360edp-16,
                          -0x1.7448bcc8e9aa7p-12, 0x1.f3cc545d9ca81p-11, -0x1.ba9240d8768c3p-10, 0x1.468eeca944c44p-9,
                          -0x1.ebadabba02be5p-9, 0x1.5ffcfe5b6cd38p-8, 0x1.0158a6d641d55p+0, 0x1.8abcc380d5a48p+1);
        auto const farther = w > V(16.0);
        if (any(farther)) {
          V const u = root - V(5.0);
          V last;
          last = long_polynomial(u, -0x1.5a60cd00c0f4dp-36, 0x1.7934134aef5eap-35, 0x1.244ceff7a33cdp-34, -0x1.e10f234323a88p-32,
                               0x1.6b50dffc6876dp-30, -0x1.dd21cff5a1426p-29, 0x1.0c8ba21edd728p-27, -0x1.0612a3c946ff2p-26,
                               0x1.f2980d5ee3284p-26, -0x1.2227296c17024p-24, 0x1.ebe27ddf44c79p-23, -0x1.0a9073bca0b22p-20,
                               0x1.2fbcfe7a995a5p-18, -0x1.4a348fc2c46d2p-16, 0x1.3ebf4ef9a4d2ep-14, -0x1.c2f36aa248aeap-13,
                               -0x1.22ea5df1c5059p-13, 0x1.02a30d1fba10dp+0, 0x1.3664ddd1ad7fbp+2);
          q = select(farther, last, q);
        }
        p = select(far, q, p);
      }
    }
    return p;
  }
};

}  // namespace exprax
