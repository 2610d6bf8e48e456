// SPDX-License-Identifier: BSL-1.0
// Comparisons of registers without mask registers: integers, all ones or all zeros.
#pragma once

#include <exprax/emit/simd/pack_number.hpp>

#if EXPRAX_SIMD
namespace exprax::simd::detail {

#if defined(__SSE2__) && !defined(__SSE4_2__)
// 64-bit integers by their halves. g++ would compare them one by one.
template <class T>
inline constexpr bool compares_halves = sizeof(T) == 8 && !is_float<T>;
template <class T>
EXPRAX_INLINE __m128i equal_words(vec<T, 16> a, vec<T, 16> b) {
  __m128i const halves = _mm_cmpeq_epi32((__m128i)a, (__m128i)b);
  return _mm_and_si128(halves, _mm_shuffle_epi32(halves, _MM_SHUFFLE(2, 3, 0, 1)));
}
// Where the upper halves are equal, the upper half of a - b is the borrow of the lower ones.
template <class T>
EXPRAX_INLINE __m128i less_words(vec<T, 16> a, vec<T, 16> b) {
  __m128i x = (__m128i)a, y = (__m128i)b;
  if constexpr (std::is_unsigned_v<T>) {
    __m128i const sign = _mm_set1_epi64x(std::numeric_limits<long long>::min());
    x = _mm_xor_si128(x, sign), y = _mm_xor_si128(y, sign);
  }
  __m128i const borrow = _mm_and_si128(_mm_cmpeq_epi32(x, y), _mm_sub_epi64(x, y));
  return _mm_shuffle_epi32(_mm_or_si128(borrow, _mm_cmplt_epi32(x, y)), _MM_SHUFFLE(3, 3, 1, 1));
}
#else
template <class T>
inline constexpr bool compares_halves = false;
#endif

template <relation R, class T, int Bytes>
EXPRAX_INLINE auto compared_register(vec<T, Bytes> a, vec<T, Bytes> b) {
  using ones = vec<signed_of<T>, Bytes>;
  if constexpr (compares_halves<T>) {
    if constexpr (R == relation::eq) return (ones)equal_words<T>(a, b);
    else if constexpr (R == relation::ne) return ~(ones)equal_words<T>(a, b);
    else if constexpr (R == relation::lt) return (ones)less_words<T>(a, b);
    else if constexpr (R == relation::gt) return (ones)less_words<T>(b, a);
    else if constexpr (R == relation::le) return ~(ones)less_words<T>(b, a);
    else return ~(ones)less_words<T>(a, b);
  } else {
    if constexpr (R == relation::eq) return (ones)(a == b);
    else if constexpr (R == relation::ne) return (ones)(a != b);
    else if constexpr (R == relation::lt) return (ones)(a < b);
    else if constexpr (R == relation::gt) return (ones)(a > b);
    else if constexpr (R == relation::le) return (ones)(a <= b);
    else return (ones)(a >= b);
  }
}

}  // namespace exprax::simd::detail
#endif
