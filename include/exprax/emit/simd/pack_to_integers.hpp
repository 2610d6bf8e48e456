// SPDX-License-Identifier: BSL-1.0
// Floats to integers on x86, whose conversions return one integer for all values out of range: those that saturate, and give 0 for NaN, by
// few instructions. 256 and 128 bits without mask registers use the comparisons of the compiler.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include <exprax/emit/simd/pack_number.hpp>

#if EXPRAX_SIMD

namespace exprax::simd::detail {

#if defined(__SSE2__)
// NaN as 0.
template <class T, int Bytes>
EXPRAX_INLINE vec<T, Bytes> numbers_of(vec<T, Bytes> x) {
#if defined(__AVX512F__)
  if constexpr (Bytes == 64 && sizeof(T) == 4)
    return (vec<T, Bytes>)_mm512_maskz_mov_ps(_mm512_cmp_ps_mask((__m512)x, (__m512)x, _CMP_ORD_Q), (__m512)x);
  else if constexpr (Bytes == 64)
    return (vec<T, Bytes>)_mm512_maskz_mov_pd(_mm512_cmp_pd_mask((__m512d)x, (__m512d)x, _CMP_ORD_Q), (__m512d)x);
  else
#endif
    return (vec<T, Bytes>)((vec<signed_of<T>, Bytes>)x & (vec<signed_of<T>, Bytes>)(x == x));
}

// Integers whose limits are numbers of T: x is bounded by them before it is converted.
template <class U, class T>
inline constexpr bool has_exact_limits = is_float<T> && !is_float<U> && sizeof(U) < sizeof(T) && sizeof(U) <= (sizeof(T) == 4 ? 2 : 4);
template <class U, class T, int L>
EXPRAX_INLINE basic_pack<T, L> bounded_by(basic_pack<T, L> const& x) {
  constexpr int bytes = layout<T, L>::bytes;
  auto const low = broadcast<T, bytes>(static_cast<T>(std::numeric_limits<U>::min()));
  auto const high = broadcast<T, bytes>(static_cast<T>(std::numeric_limits<U>::max()));
  return each_register<basic_pack<T, L>>([low, high](auto v) EXPRAX_LAMBDA_INLINE {
    // 0 is the lowest unsigned integer, and takes the place of NaN, too: it is the operand that is kept then.
    if constexpr (std::is_signed_v<U>) return bounded_register<T, bytes>(numbers_of<T, bytes>(v), low, high);
    else return bound_register<T, bytes, false>(bound_register<T, bytes, true>(low, v), high);
  }, x);
}

// The same without the lower limit: what is below it becomes the smallest integer of 4 bytes; NaN becomes 0, or for unsigned integers that.
template <class U, class T, int L>
EXPRAX_INLINE basic_pack<T, L> bounded_above(basic_pack<T, L> const& x) {
  constexpr int bytes = layout<T, L>::bytes;
  auto const high = broadcast<T, bytes>(static_cast<T>(std::numeric_limits<U>::max()));
  return each_register<basic_pack<T, L>>([high](auto v) EXPRAX_LAMBDA_INLINE {
    return bound_register<T, bytes, false>(std::is_signed_v<U> ? numbers_of<T, bytes>(v) : v, high);
  }, x);
}

// Integers as long as T; those of 8 bytes only where AVX-512 has the instruction.
template <class U, class T, int L>
inline constexpr bool has_saturated =
    is_float<T> && !is_float<U> && sizeof(U) == sizeof(T) && (sizeof(T) == 4 || (masks_are_bits && layout<T, L>::bytes == 64));
// The instructions return the smallest integer for values out of range, or the largest one, if they are unsigned.
template <class U, class T, int Bytes>
EXPRAX_INLINE vec<U, Bytes> saturated(vec<T, Bytes> x) {
  using integers = vec<U, Bytes>;
  constexpr T above = static_cast<T>(std::numeric_limits<U>::max() / 2 + 1) * T(2);  // one more than the largest
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
  if constexpr (Bytes == 64) {
    constexpr long long most = static_cast<long long>(std::numeric_limits<U>::max());
    if constexpr (sizeof(T) == 4 && std::is_signed_v<U>) {
      __m512 const v = (__m512)x;
      __m512i const r = _mm512_maskz_cvttps_epi32(_mm512_cmp_ps_mask(v, v, _CMP_ORD_Q), v);
      return (integers)_mm512_mask_mov_epi32(r, _mm512_cmp_ps_mask(v, _mm512_set1_ps(above), _CMP_GE_OQ),
                                             _mm512_set1_epi32(static_cast<int>(most)));
    } else if constexpr (sizeof(T) == 4) {
      return (integers)_mm512_maskz_cvttps_epu32(0xffff, (__m512)bound_register<T, Bytes, true>(vec<T, Bytes>{}, x));
    } else if constexpr (std::is_signed_v<U>) {
      __m512d const v = (__m512d)x;
      __m512i const r = _mm512_maskz_cvttpd_epi64(_mm512_cmp_pd_mask(v, v, _CMP_ORD_Q), v);
      return (integers)_mm512_mask_mov_epi64(r, _mm512_cmp_pd_mask(v, _mm512_set1_pd(above), _CMP_GE_OQ), _mm512_set1_epi64(most));
    } else {
      return (integers)_mm512_maskz_cvttpd_epu64(0xff, (__m512d)bound_register<T, Bytes, true>(vec<T, Bytes>{}, x));
    }
  } else
#endif
  {
    using words = vec<std::int32_t, Bytes>;
    auto const converted = [](auto v) EXPRAX_LAMBDA_INLINE {
      if constexpr (Bytes == 16) {
        return (words)_mm_cvttps_epi32((__m128)v);
      } else {
#if defined(__AVX__)
        return (words)_mm256_cvttps_epi32((__m256)v);
#endif
      }
    };
    if constexpr (std::is_signed_v<U>) {
      return (integers)((converted(x) ^ (words)(x >= above)) & (words)(x == x));
    } else {
      // From 2^31 on the first conversion leaves the top bit, and the second one the other bits.
      auto const v = bound_register<T, Bytes, true>(vec<T, Bytes>{}, x);
      words const low = converted(v);
      return (integers)(low | (converted(v - above / 2) & (low >> 31)) | (words)(v >= above));
    }
  }
}
#else
template <class U, class T>
inline constexpr bool has_exact_limits = false;
template <class U, class T, int L>
inline constexpr bool has_saturated = false;
template <class U, class T, int L>
basic_pack<T, L> bounded_by(basic_pack<T, L> const&) = delete;
template <class U, class T, int L>
basic_pack<T, L> bounded_above(basic_pack<T, L> const&) = delete;
template <class U, class T, int Bytes>
vec<U, Bytes> saturated(vec<T, Bytes>) = delete;
#endif

}  // namespace exprax::simd::detail

#endif
