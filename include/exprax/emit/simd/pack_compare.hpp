// SPDX-License-Identifier: BSL-1.0
// Comparisons of registers without mask registers: integers, all ones or all zeros.
#pragma once

#include <exprax/emit/simd/pack_number.hpp>

#if EXPRAX_SIMD
namespace exprax::simd::detail {

#if defined(__SSE2__) && !defined(__SSE4_2__)
// Lanes of 8 bytes, which g++ would compare one by one; of doubles it would do so with what combines their comparisons.
template <class T>
inline constexpr bool compares_by_instructions = sizeof(T) == 8;
template <relation R>
EXPRAX_INLINE __m128d compare_doubles(__m128d a, __m128d b) {
  if constexpr (R == relation::eq) return _mm_cmpeq_pd(a, b);
  else if constexpr (R == relation::ne) return _mm_cmpneq_pd(a, b);
  else if constexpr (R == relation::lt) return _mm_cmplt_pd(a, b);
  else if constexpr (R == relation::gt) return _mm_cmpgt_pd(a, b);
  else if constexpr (R == relation::le) return _mm_cmple_pd(a, b);
  else return _mm_cmpge_pd(a, b);
}
EXPRAX_INLINE __m128i equal_words(__m128i a, __m128i b) {
  __m128i const halves = _mm_cmpeq_epi32(a, b);
  return _mm_and_si128(halves, _mm_shuffle_epi32(halves, _MM_SHUFFLE(2, 3, 0, 1)));
}
// Where the upper halves are equal, the upper half of a - b is the borrow of the lower ones.
template <class T>
EXPRAX_INLINE __m128i less_words(__m128i a, __m128i b) {
  if constexpr (std::is_unsigned_v<T>) {
    __m128i const sign = _mm_set1_epi64x(std::numeric_limits<long long>::min());
    return less_words<long long>(_mm_xor_si128(a, sign), _mm_xor_si128(b, sign));
  } else {
    __m128i const borrow = _mm_and_si128(_mm_cmpeq_epi32(a, b), _mm_sub_epi64(a, b));
    return _mm_shuffle_epi32(_mm_or_si128(borrow, _mm_cmplt_epi32(a, b)), _MM_SHUFFLE(3, 3, 1, 1));
  }
}
template <relation R, class T, class V>
EXPRAX_INLINE __m128i compare_words(V x, V y) {
  __m128i const a = (__m128i)x, b = (__m128i)y;
  if constexpr (is_float<T>) return (__m128i)compare_doubles<R>((__m128d)a, (__m128d)b);
  else if constexpr (R == relation::eq) return equal_words(a, b);
  else if constexpr (R == relation::ne) return ~equal_words(a, b);
  else if constexpr (R == relation::lt) return less_words<T>(a, b);
  else if constexpr (R == relation::gt) return less_words<T>(b, a);
  else if constexpr (R == relation::le) return ~less_words<T>(b, a);
  else return ~less_words<T>(a, b);
}
#else
template <class T>
inline constexpr bool compares_by_instructions = false;
template <relation R, class T, class V>
V compare_words(V, V) = delete;
#endif

template <relation R, class T, int Bytes>
EXPRAX_INLINE vec<signed_of<T>, Bytes> compared_register(vec<T, Bytes> a, vec<T, Bytes> b) {
  using ones = vec<signed_of<T>, Bytes>;
  if constexpr (compares_by_instructions<T>) return (ones)compare_words<R, T>(a, b);
  else if constexpr (R == relation::eq) return (ones)(a == b);
  else if constexpr (R == relation::ne) return (ones)(a != b);
  else if constexpr (R == relation::lt) return (ones)(a < b);
  else if constexpr (R == relation::gt) return (ones)(a > b);
  else if constexpr (R == relation::le) return (ones)(a <= b);
  else return (ones)(a >= b);
}

}  // namespace exprax::simd::detail
#endif
