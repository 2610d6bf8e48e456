// SPDX-License-Identifier: BSL-1.0
// AVX-512: the elements of one register as shorter integers that fill a part of one, by one instruction. Masked forms, because g++ warns
// about an uninitialized operand in the others.
#pragma once

#include <limits>
#include <type_traits>

#include <exprax/emit/simd/pack_number.hpp>

#if EXPRAX_SIMD

namespace exprax::simd::detail {

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
// Of integers, which wrap. clang finds the instruction itself, or a better one where a register of several follows.
template <class T, class U>
inline constexpr bool has_narrowed =
#if defined(__clang__)
    false;
#else
    !is_float<T> && !is_float<U> && sizeof(T) > sizeof(U);
#endif
template <class U, class T>
EXPRAX_INLINE auto narrowed(vec<T, 64> x) {
  __m512i const v = (__m512i)x;
  if constexpr (sizeof(T) == 8) {
    if constexpr (sizeof(U) == 4) return _mm512_maskz_cvtepi64_epi32(0xff, v);
    else if constexpr (sizeof(U) == 2) return _mm512_maskz_cvtepi64_epi16(0xff, v);
    else return _mm512_maskz_cvtepi64_epi8(0xff, v);
  } else if constexpr (sizeof(T) == 4) {
    if constexpr (sizeof(U) == 2) return _mm512_maskz_cvtepi32_epi16(0xffff, v);
    else return _mm512_maskz_cvtepi32_epi8(0xffff, v);
  } else {
    return _mm512_maskz_cvtepi16_epi8(0xffffffff, v);
  }
}
// Of floats, which saturate; NaN gives 0.
template <class T, class U>
inline constexpr bool has_saturated_narrowed = std::is_same_v<T, float> && !is_float<U> && sizeof(U) <= 2;
template <class U>
EXPRAX_INLINE auto saturated_narrowed(vec<float, 64> x) {
  __m512 const v = (__m512)x;
  if constexpr (std::is_signed_v<U>) {
    // What is below the 32-bit integers becomes the lowest one.
    __m512 const high = _mm512_set1_ps(static_cast<float>(std::numeric_limits<U>::max()));
    __m512i const r = _mm512_maskz_cvttps_epi32(_mm512_cmp_ps_mask(v, v, _CMP_ORD_Q), _mm512_maskz_min_ps(0xffff, v, high));
    if constexpr (sizeof(U) == 2) return _mm512_maskz_cvtsepi32_epi16(0xffff, r);
    else return _mm512_maskz_cvtsepi32_epi8(0xffff, r);
  } else {
    // What is above the 32-bit integers becomes the highest one; of NaN and 0, 0.
    __m512i const r = _mm512_maskz_cvttps_epu32(0xffff, _mm512_maskz_max_ps(0xffff, v, _mm512_setzero_ps()));
    if constexpr (sizeof(U) == 2) return _mm512_maskz_cvtusepi32_epi16(0xffff, r);
    else return _mm512_maskz_cvtusepi32_epi8(0xffff, r);
  }
}
#else
template <class T, class U>
inline constexpr bool has_narrowed = false;
template <class T, class U>
inline constexpr bool has_saturated_narrowed = false;
template <class U, class T>
int narrowed(T) = delete;
template <class U, class T>
int saturated_narrowed(T) = delete;
#endif

}  // namespace exprax::simd::detail

#endif
