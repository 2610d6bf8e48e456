// SPDX-License-Identifier: BSL-1.0
// Shared by erf and erfc. Near 0 an odd polynomial; beyond, erfc(x) = exp(-x^2) g(x), where (1 + 2 x) g(x) is a polynomial in
// (x - k)/(x + k) (Shepherd and Laframboise, "Chebyshev approximation of (1 + 2x) exp(x^2) erfc x", 1981).
#pragma once

#include <exprax/math/exponential.hpp>

namespace exprax::detail {

// erf(x)/x - 1 for z = x^2 up to 1.
template <class V>
EXPRAX_INLINE constexpr V erf_ratio(V z) {
  V p;
  if constexpr (is_single<V>) {
    p = polynomial(z, 0x1.4a569p-14f, -0x1.a45088p-11f, 0x1.54127p-8f, -0x1.b7fabap-6f, 0x1.ce2d1p-4f, -0x1.81273ep-2f, 0x1.06eba8p-3f);
  } else {
    p = long_polynomial(z, -0x1.ac9585a44fe29p-31, 0x1.d76af6ca49787p-27, -0x1.5c131500d3f88p-23, 0x1.b981d78881a5dp-20,
                        -0x1.f4ca838adb73bp-17, 0x1.f9a2be4f731a1p-14, -0x1.c02db0665e53dp-11, 0x1.565bccfa44156p-8, -0x1.b82ce31203772p-6,
                        0x1.ce2f21a040f66p-4, -0x1.812746b0379c1p-2, 0x1.06eba8214db68p-3);
  }
  return p;
}

// erf(x) for x >= 1, as 1 - exp(-(x^2 + h(x))). The error of exp matters little, and that of h less the larger x is.
template <class V>
EXPRAX_INLINE constexpr V erf_far(V x) {
  using T = typename V::value_type;
  using C = exp_constants<T>;
  V const inside = bounded(x, T(1), is_single<V> ? T(4) : T(6));  // above, the result is 1
  V const t = inside - V(is_single<V> ? T(2.5) : T(3.5));
  V h;
  if constexpr (is_single<V>) {
    h = polynomial(t, -0x1.858894p-13f, 0x1.44f276p-13f, -0x1.42777ap-9f, 0x1.5f1d52p-7f, -0x1.cbb368p-5f, 0x1.692894p-2f, 0x1.8e8b9ep+0f);
  } else {
    h = long_polynomial(t, 0x1.5633cfd2f228dp-38, 0x1.805f4dcbc626cp-34, 0x1.765d3b53ed4f7p-31, 0x1.afd9b70cc1659p-29,
                        0x1.38179102928fep-27, 0x1.1f7506a424748p-26, 0x1.271701a022c8bp-26, -0x1.77433cb418187p-27, 0x1.c271b72f8430dp-25,
                        -0x1.4f1f2762baad9p-21, 0x1.039485a5ca6cp-18, -0x1.9917de40964fap-16, 0x1.34edc148df2e3p-13, -0x1.ca0f856157191p-11,
                        0x1.5678032015ff7p-8, -0x1.105be5f8833ap-5, 0x1.107c691445513p-2, 0x1.dcc8b2950b9e5p+0);
  }
  V const y = mul_add(inside, inside, h);
  V const magic(simd::detail::float_format<T>::round_magic);
  V const sum = mul_add(y, V(-C::log2_e), magic);
  V const power = simd::detail::scale_by_sum(V(T(1)), sum);
  V const n = sum - magic;
  V rest = mul_add(n, V(-C::ln2_high), -y);
  if constexpr (!C::fused) rest = mul_add(n, V(-C::ln2_low), rest);
  V const p = expm1_of_rest(rest);
  return V(T(1)) - mul_add(power, p, power);
}

// erfc(x) for x >= 1/2. The square is exact in two parts, and the final scaling rounds once.
template <class V>
EXPRAX_INLINE constexpr V erfc_of(V x) {
  using T = typename V::value_type;
  V const one(T(1));
  V const k(is_single<V> ? T(2) : T(4));
  V const inside = bounded(x, T(0.5), is_single<V> ? T(10.1) : T(27.3));  // above, the result is 0
  V const t = (inside - k) / (inside + k);
  V g;
  if constexpr (is_single<V>) {
    g = polynomial(t, -0x1.067d9p-12f, -0x1.49f1f6p-10f, 0x1.32381ap-10f, 0x1.1b954cp-7f, -0x1.0689a6p-7f, -0x1.bc1702p-5f, 0x1.4ff926p-3f,
                      -0x1.540802p-3f, -0x1.7bf5ep-4f, 0x1.46e80ep+0f);
  } else {
    g = long_polynomial(t, -0x1.6d2987eb62d76p-27, -0x1.a8144c0e671edp-27, 0x1.c7a2c5b0bf62fp-24, 0x1.21391f5cdae91p-24,
                        -0x1.b9db813826981p-21, 0x1.4143c91212395p-22, 0x1.7f1ecb776ebf6p-18, -0x1.78a1cd63ebcd5p-17,
                        -0x1.995952fbb5bcbp-16, 0x1.3be0ca94ccb36p-13, -0x1.a1df1e6f582fcp-13, -0x1.8d4aa0c545098p-11, 0x1.49c67276649d7p-8,
                        -0x1.0962387e6d1fdp-6, 0x1.3079edf6c55adp-5, -0x1.0fb06dfe67463p-4, 0x1.7fee004e10231p-4, -0x1.9ddb23c3e7f7ap-4,
                        0x1.16ecefcfa5497p-4);
    g = mul_add(mul_add(mul_add(g, t, V(0x1.f7f5df66fd5c5p-7)), t, V(-0x1.1df1ad154a28fp-3)), t, V(0x1.3ba5916e9fd7fp+0));
  }
  V const square = inside * inside;
  auto const reduced = reduce_exp(-square);
  V const power = one + expm1_of_rest(reduced.rest - product_error(inside, inside, square));
  return scale(power * (g / (inside + inside + one)), reduced.exponent);
}

}  // namespace exprax::detail
