// SPDX-License-Identifier: BSL-1.0
// Maxima and minima of registers of floats: NaN if any is NaN, -0 < +0; and of a register and a number.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include <exprax/emit/simd/pack_register.hpp>

#if EXPRAX_SIMD

namespace exprax::simd {

// Whether a selection takes several instructions.
#if defined(__SSE2__) && !defined(__SSE4_1__)
inline constexpr bool selects_in_steps = true;
#else
inline constexpr bool selects_in_steps = false;
#endif
// Whether the target has no instructions for the maxima of integers T, of 4 or 8 bytes.
template <class T>
inline constexpr bool compares_for_extrema = selects_in_steps || (sizeof(T) == 8 && !masks_are_bits);

}  // namespace exprax::simd

namespace exprax::simd::detail {

// f of all N registers from First on, in pairs.
template <int First, int N, class V, class F>
EXPRAX_INLINE V join_registers(V const* x, F const& f) {
  if constexpr (N == 1) return x[First];
  else return f(join_registers<First, N / 2>(x, f), join_registers<First + N / 2, N - N / 2>(x, f));
}

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
// The maximum or minimum of floats: vrange handles signed zeros; lanes that are not ordered keep a NaN.
template <class T, int Bytes, bool Greater>
EXPRAX_INLINE vec<T, Bytes> extreme_register(vec<T, Bytes> a, vec<T, Bytes> b) {
  constexpr int which = Greater ? 5 : 4;
  constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  if constexpr (Bytes == 64) {
    if constexpr (sizeof(T) == 4) return _mm512_mask_range_ps(_mm512_set1_ps(nan), _mm512_cmp_ps_mask(a, b, _CMP_ORD_Q), a, b, which);
    else return _mm512_mask_range_pd(_mm512_set1_pd(nan), _mm512_cmp_pd_mask(a, b, _CMP_ORD_Q), a, b, which);
  } else if constexpr (Bytes == 32) {
    if constexpr (sizeof(T) == 4) return _mm256_mask_range_ps(_mm256_set1_ps(nan), _mm256_cmp_ps_mask(a, b, _CMP_ORD_Q), a, b, which);
    else return _mm256_mask_range_pd(_mm256_set1_pd(nan), _mm256_cmp_pd_mask(a, b, _CMP_ORD_Q), a, b, which);
  } else {
    if constexpr (sizeof(T) == 4) return _mm_mask_range_ps(_mm_set1_ps(nan), _mm_cmp_ps_mask(a, b, _CMP_ORD_Q), a, b, which);
    else return _mm_mask_range_pd(_mm_set1_pd(nan), _mm_cmp_pd_mask(a, b, _CMP_ORD_Q), a, b, which);
  }
}

// The same of N registers: vrange returns the other operand if one is NaN, so the ordered lanes of pairs are joined apart from the values.
template <int Bytes, int First, int N, class V>
EXPRAX_INLINE unsigned ordered_lanes(V const* x, unsigned known) {
  constexpr int last = First + (N > 1 ? 1 : 0);
  unsigned both = 0;
  if constexpr (sizeof(x[0][0]) == 4) {
    if constexpr (Bytes == 64) both = _mm512_mask_cmp_ps_mask(static_cast<__mmask16>(known), x[First], x[last], _CMP_ORD_Q);
    else both = _mm256_mask_cmp_ps_mask(static_cast<__mmask8>(known), x[First], x[last], _CMP_ORD_Q);
  } else {
    if constexpr (Bytes == 64) both = _mm512_mask_cmp_pd_mask(static_cast<__mmask8>(known), x[First], x[last], _CMP_ORD_Q);
    else both = _mm256_mask_cmp_pd_mask(static_cast<__mmask8>(known), x[First], x[last], _CMP_ORD_Q);
  }
  if constexpr (N <= 2) return both;
  else return ordered_lanes<Bytes, First + 2, N - 2>(x, both);
}
template <class T, int Bytes, bool Greater, int N>
EXPRAX_INLINE vec<T, Bytes> extreme_of_registers(vec<T, Bytes> const* of) {
  using reg = vec<T, Bytes>;
  if constexpr (Bytes < 32 || N < 3) {
    return join_registers<0, N>(of, [](reg a, reg b) EXPRAX_LAMBDA_INLINE { return extreme_register<T, Bytes, Greater>(a, b); });
  } else {
    reg x[N];
    for (int i = 0; i < N; ++i) x[i] = loaded_register(of[i]);
    constexpr int which = Greater ? 5 : 4;
    reg const number = join_registers<0, N>(x, [](reg a, reg b) EXPRAX_LAMBDA_INLINE -> reg {
      if constexpr (Bytes == 64 && sizeof(T) == 4) return _mm512_range_ps(a, b, which);
      else if constexpr (Bytes == 64) return _mm512_range_pd(a, b, which);
      else if constexpr (sizeof(T) == 4) return _mm256_range_ps(a, b, which);
      else return _mm256_range_pd(a, b, which);
    });
    unsigned const ordered = ordered_lanes<Bytes, 0, N>(x, 0xffff);
    reg const nan = broadcast<T, Bytes>(std::numeric_limits<T>::quiet_NaN());
    if constexpr (Bytes == 64 && sizeof(T) == 4) return _mm512_mask_mov_ps(nan, static_cast<__mmask16>(ordered), number);
    else if constexpr (Bytes == 64) return _mm512_mask_mov_pd(nan, static_cast<__mmask8>(ordered), number);
    else if constexpr (sizeof(T) == 4) return _mm256_mask_mov_ps(nan, static_cast<__mmask8>(ordered), number);
    else return _mm256_mask_mov_pd(nan, static_cast<__mmask8>(ordered), number);
  }
}

// The maximum or minimum of x and a number, of two zeros either: the second operand if one is NaN. Masked forms, because g++ 12 warns about
// an uninitialized operand in the others.
template <class T, int Bytes, bool Greater>
EXPRAX_INLINE vec<T, Bytes> bound_register(vec<T, Bytes> x, vec<T, Bytes> number) {
  if constexpr (Bytes == 64) {
    if constexpr (sizeof(T) == 4) return Greater ? _mm512_mask_max_ps(x, 0xffff, number, x) : _mm512_mask_min_ps(x, 0xffff, number, x);
    else return Greater ? _mm512_mask_max_pd(x, 0xff, number, x) : _mm512_mask_min_pd(x, 0xff, number, x);
  } else if constexpr (Bytes == 32) {
    if constexpr (sizeof(T) == 4) return Greater ? _mm256_max_ps(number, x) : _mm256_min_ps(number, x);
    else return Greater ? _mm256_max_pd(number, x) : _mm256_min_pd(number, x);
  } else {
    if constexpr (sizeof(T) == 4) return Greater ? _mm_max_ps(number, x) : _mm_min_ps(number, x);
    else return Greater ? _mm_max_pd(number, x) : _mm_min_pd(number, x);
  }
}

#else
// The maximum or minimum of x and a number, of two zeros either. x86 returns the second operand if one is NaN, NEON a NaN.
template <class T, int Bytes, bool Greater>
EXPRAX_INLINE vec<T, Bytes> bound_register(vec<T, Bytes> x, vec<T, Bytes> number) {
#if defined(__aarch64__)
  if constexpr (sizeof(T) == 4) return Greater ? vmaxq_f32(x, number) : vminq_f32(x, number);
  else return Greater ? vmaxq_f64(x, number) : vminq_f64(x, number);
#elif defined(__SSE2__)
  auto const a = to_batch<T, Bytes>(number);
  auto const b = to_batch<T, Bytes>(x);
  return from_batch<T, Bytes>(Greater ? xsimd::max(a, b) : xsimd::min(a, b));
#else
  return Greater ? (number > x ? number : x) : (number < x ? number : x);
#endif
}

#if !defined(__aarch64__)
// Lanes of which one is a NaN: all ones.
template <class T, int Bytes>
EXPRAX_INLINE vec<signed_of<T>, Bytes> unordered_register(vec<T, Bytes> a, vec<T, Bytes> b) {
  using bits = vec<signed_of<T>, Bytes>;
#if defined(__AVX__)
  if constexpr (Bytes == 32 && sizeof(T) == 4) return (bits)_mm256_cmp_ps((__m256)a, (__m256)b, _CMP_UNORD_Q);
  if constexpr (Bytes == 32 && sizeof(T) == 8) return (bits)_mm256_cmp_pd((__m256d)a, (__m256d)b, _CMP_UNORD_Q);
#endif
#if defined(__SSE2__)
  if constexpr (Bytes == 16 && sizeof(T) == 4) return (bits)_mm_cmpunord_ps((__m128)a, (__m128)b);
  if constexpr (Bytes == 16 && sizeof(T) == 8) return (bits)_mm_cmpunord_pd((__m128d)a, (__m128d)b);
#endif
  return (bits)(a != a) | (bits)(b != b);
}
template <class T, int Bytes, int First, int N>
EXPRAX_INLINE vec<signed_of<T>, Bytes> unordered_registers(vec<T, Bytes> const* x) {
  if constexpr (N <= 2) return unordered_register<T, Bytes>(x[First], x[First + N - 1]);
  else return unordered_registers<T, Bytes, First, 2>(x) | unordered_registers<T, Bytes, First + 2, N - 2>(x);
}
// The maximum or minimum of numbers.
template <class T, int Bytes, bool Greater>
EXPRAX_INLINE vec<T, Bytes> extreme_number(vec<T, Bytes> a, vec<T, Bytes> b) {
  using bits = vec<signed_of<T>, Bytes>;
  auto const x = to_batch<T, Bytes>(a);
  auto const y = to_batch<T, Bytes>(b);
  if constexpr (Greater)
    return (vec<T, Bytes>)((bits)from_batch<T, Bytes>(xsimd::max(x, y)) & (bits)from_batch<T, Bytes>(xsimd::max(y, x)));
  else return (vec<T, Bytes>)((bits)from_batch<T, Bytes>(xsimd::min(x, y)) | (bits)from_batch<T, Bytes>(xsimd::min(y, x)));
}
#endif
// The maximum or minimum of floats. x86 returns the second operand for two zeros and for NaN: combining both orders gives the sign of zero,
// and the mask of unordered lanes, all ones, is a NaN. Any bits or those of a NaN are one too, so a minimum needs no mask. NEON has exactly
// these semantics.
template <class T, int Bytes, bool Greater>
EXPRAX_INLINE vec<T, Bytes> extreme_register(vec<T, Bytes> a, vec<T, Bytes> b) {
#if defined(__aarch64__)
  if constexpr (sizeof(T) == 4) return Greater ? vmaxq_f32(a, b) : vminq_f32(a, b);
  else return Greater ? vmaxq_f64(a, b) : vminq_f64(a, b);
#else
  auto const r = (vec<signed_of<T>, Bytes>)extreme_number<T, Bytes, Greater>(a, b);
#if defined(__SSE2__)
  if constexpr (!Greater) return (vec<T, Bytes>)r;
#endif
  return (vec<T, Bytes>)(r | unordered_register<T, Bytes>(a, b));
#endif
}

// The same of N registers: the unordered lanes of pairs are joined apart from the values. As integers with a sign, floats that are not
// negative are in order, and those that are negative in the opposite one.
template <class T, int Bytes, bool Greater, int N>
EXPRAX_INLINE vec<T, Bytes> extreme_of_registers(vec<T, Bytes> const* x) {
#if defined(__aarch64__)
  return join_registers<0, N>(x, [](auto a, auto b) EXPRAX_LAMBDA_INLINE { return extreme_register<T, Bytes, Greater>(a, b); });
#else
  using reg = vec<T, Bytes>;
  using bits = vec<signed_of<T>, Bytes>;
  bits const unordered = unordered_registers<T, Bytes, 0, N>(x);
#if defined(__AVX2__)
  if constexpr (sizeof(T) == 4 && N > 3) {
    using word = vec<std::conditional_t<Greater, std::int32_t, std::uint32_t>, Bytes>;
    auto const larger = [](reg a, reg b) EXPRAX_LAMBDA_INLINE { return (reg)((word)a > (word)b ? (word)a : (word)b); };
    auto const smaller = [](reg a, reg b) EXPRAX_LAMBDA_INLINE { return (reg)((word)a < (word)b ? (word)a : (word)b); };
    reg const high = join_registers<0, N>(x, larger), low = join_registers<0, N>(x, smaller);
    reg const positive = Greater ? high : low, negative = Greater ? low : high;
    if constexpr (Bytes == 32) return (reg)((bits)(reg)_mm256_blendv_ps((__m256)positive, (__m256)negative, (__m256)high) | unordered);
    else return (reg)((bits)(reg)_mm_blendv_ps((__m128)positive, (__m128)negative, (__m128)high) | unordered);
  } else
#endif
    return (reg)((bits)join_registers<0, N>(x, [](reg a, reg b) EXPRAX_LAMBDA_INLINE { return extreme_number<T, Bytes, Greater>(a, b); }) |
                 unordered);
#endif
}
#endif

}  // namespace exprax::simd::detail

#endif
