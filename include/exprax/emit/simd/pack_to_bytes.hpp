// SPDX-License-Identifier: BSL-1.0
// Masks of 4 or 8 bytes, of several registers, to bytes that fill one. Saturation does not change masks.
#pragma once

#include <exprax/emit/simd/pack_number.hpp>

#if EXPRAX_SIMD

namespace exprax::simd::detail {

#if defined(__SSE2__)
#if defined(__AVX2__)
using mask_register = __m256i;
EXPRAX_INLINE __m256i shorter(__m256i a, __m256i b, std::integral_constant<int, 8>) {
  return (__m256i)_mm256_shuffle_ps((__m256)a, (__m256)b, 0x88);
}
EXPRAX_INLINE __m256i shorter(__m256i a, __m256i b, std::integral_constant<int, 4>) { return _mm256_packs_epi32(a, b); }
EXPRAX_INLINE __m256i shorter(__m256i a, __m256i b, std::integral_constant<int, 2>) { return _mm256_packs_epi16(a, b); }
// These work in halves of registers.
template <class M>
EXPRAX_INLINE __m256i in_order(__m256i x) {
  if constexpr (sizeof(M) == 4) return _mm256_permutevar8x32_epi32(x, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
  __m256i const pairs = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15));
  return _mm256_shuffle_epi8(_mm256_permute4x64_epi64(x, 0xd8), pairs);
}
#else
using mask_register = __m128i;
EXPRAX_INLINE __m128i shorter(__m128i a, __m128i b, std::integral_constant<int, 8>) {
  return (__m128i)_mm_shuffle_ps((__m128)a, (__m128)b, 0x88);
}
EXPRAX_INLINE __m128i shorter(__m128i a, __m128i b, std::integral_constant<int, 4>) { return _mm_packs_epi32(a, b); }
EXPRAX_INLINE __m128i shorter(__m128i a, __m128i b, std::integral_constant<int, 2>) { return _mm_packs_epi16(a, b); }
template <class M>
EXPRAX_INLINE __m128i in_order(__m128i x) {
  return x;
}
#endif
template <class M, int L>
inline constexpr bool packs_to_bytes = sizeof(M) >= 4 && L == register_bytes && register_bytes == sizeof(mask_register);
// Masks, from register First on, that fill one register if they have so many bytes.
template <class M, int Bytes, int First, int L>
EXPRAX_INLINE auto packed(basic_pack<M, L> const& m) {
  constexpr int half = static_cast<int>(sizeof(M)) / (2 * Bytes);
  if constexpr (Bytes == static_cast<int>(sizeof(M))) return (mask_register)m.reg[First];
  else return shorter(packed<M, 2 * Bytes, First>(m), packed<M, 2 * Bytes, First + half>(m), std::integral_constant<int, 2 * Bytes>());
}
template <int L, class M>
EXPRAX_INLINE basic_pack<std::int8_t, L> packed_to_bytes(basic_pack<M, L> const& m) {
  basic_pack<std::int8_t, L> r;
  r.reg[0] = (typename layout<std::int8_t, L>::reg)in_order<M>(packed<M, 1, 0>(m));
  return r;
}
#else
template <class M, int L>
inline constexpr bool packs_to_bytes = false;
template <int L, class M>
void packed_to_bytes(M) = delete;
#endif

}  // namespace exprax::simd::detail

#endif
