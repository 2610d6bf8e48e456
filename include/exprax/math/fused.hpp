// SPDX-License-Identifier: BSL-1.0
// Whether a * b + c is rounded once. This is a property of the target, for each type separately (a Cortex-M4F fuses floats, not doubles):
// it is rounded once where the hardware does it, and twice where it would be emulated, at ten times the cost. EXPRAX_FMA = 0 or 1 overrides
// this. Constant evaluation follows the target, so that results have the same bits. Below are the functions that kernels call, over the
// lane concept.
#pragma once

#include <cstdint>
#include <type_traits>

#include <exprax/base/config.hpp>
#include <exprax/types/dtype.hpp>

namespace exprax::simd {

// Whether the hardware has an instruction for T.
template <class T>
inline constexpr bool hardware_fuses =
#if defined(__FMA__) || defined(__aarch64__) || defined(__powerpc64__) || defined(__s390x__) || defined(__loongarch_double_float)
    std::is_floating_point_v<T>;
#elif defined(__riscv_flen)
    std::is_floating_point_v<T> && 8 * sizeof(T) <= __riscv_flen;
#elif defined(__ARM_FEATURE_FMA) && defined(__ARM_FP)
    std::is_floating_point_v<T> && (__ARM_FP & static_cast<int>(sizeof(T))) != 0;  // bit 2: single, bit 3: double
#else
    false;
#endif

// Whether kernels fuse on this target.
template <class T>
inline constexpr bool fuses =
#if defined(EXPRAX_FMA)
    EXPRAX_FMA != 0 && std::is_floating_point_v<T>;
#else
    hardware_fuses<T>;
#endif

// The 16-bit floats are computed in float.
constexpr bool fuses_dtype(dtype t) { return t == dtype::f64 ? fuses<double> : is_floating(t) && fuses<float>; }

// a * b + c, rounded once where the target fuses, else after each operation.
template <class V>
EXPRAX_INLINE constexpr V mul_add(V a, V b, V c) {
  if constexpr (fuses<typename V::value_type>) return fma(a, b, c);
  else return a * b + c;
}

// x = high + low exactly; high has half of the digits.
template <class V>
struct halves {
  V high;
  V low;
};
template <class V>
EXPRAX_INLINE constexpr halves<V> split_digits(V x) {
  using T = typename V::value_type;
  using I = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  using W = typename V::template rebind<I>;
  constexpr I kept = sizeof(T) == 4 ? static_cast<I>(0xfffff000u) : static_cast<I>(0xfffffffff8000000u);
  V const high = bitcast<T>(bitcast<I>(x) & W(kept));
  return {high, x - high};
}

// a * b - p for p = a * b rounded: the rounding error. Without a fused operation by products of halves (Dekker, 1971), which are truncated,
// not rounded, so that nothing overflows.
template <class V>
EXPRAX_INLINE constexpr V product_error(V a, V b, V p) {
  if constexpr (fuses<typename V::value_type>) {
    return fma(a, b, -p);
  } else {
    auto const [x, x_low] = split_digits(a);
    auto const [y, y_low] = split_digits(b);
    return (((x * y - p) + x * y_low) + x_low * y) + x_low * y_low;
  }
}

// a * b + c for a c that is small compared with the product, rounded once or nearly so.
template <class V>
EXPRAX_INLINE constexpr V product_with_rest(V a, V b, V c) {
  if constexpr (fuses<typename V::value_type>) {
    return fma(a, b, c);
  } else {
    V const p = a * b;
    return p + (c + product_error(a, b, p));
  }
}

// c - a * b, where the result is much smaller than c: rounded once.
template <class V>
EXPRAX_INLINE constexpr V residual(V a, V b, V c) {
  if constexpr (fuses<typename V::value_type>) {
    return fma(-a, b, c);
  } else {
    V const p = a * b;
    return (c - p) - product_error(a, b, p);
  }
}

}  // namespace exprax::simd
