// SPDX-License-Identifier: BSL-1.0
// Products of short integers, of which each 32-bit lane holds 2 or 4, summed as 32-bit integers by an instruction of x86. Sums wrap.
#pragma once

#include <exprax/emit/simd/pack_number.hpp>

#if EXPRAX_SIMD && defined(__SSE2__)

namespace exprax::simd {

// sum[i] + the two products of the 16-bit integers in lane i of a and b.
template <int L>
EXPRAX_INLINE basic_pack<std::int32_t, L> add_pair_products(basic_pack<std::int32_t, L> sum, basic_pack<std::int32_t, L> a,
                                                            basic_pack<std::int32_t, L> b) {
  using V = detail::vec<std::int32_t, 4 * L>;
  static_assert(4 * L == register_bytes);
  auto const s = sum.reg[0], x = a.reg[0], y = b.reg[0];
#if defined(__AVX512VNNI__)
  if constexpr (L == 16) sum.reg[0] = (V)_mm512_dpwssd_epi32((__m512i)s, (__m512i)x, (__m512i)y);
#elif defined(__AVX512BW__)
  if constexpr (L == 16) sum.reg[0] = s + (V)_mm512_madd_epi16((__m512i)x, (__m512i)y);
#endif
#if defined(__AVX2__)
  if constexpr (L == 8) sum.reg[0] = s + (V)_mm256_madd_epi16((__m256i)x, (__m256i)y);
#endif
  if constexpr (L == 4) sum.reg[0] = s + (V)_mm_madd_epi16((__m128i)x, (__m128i)y);
  return sum;
}

// sum[i] + the four products of the bytes in lane i, of which those of u are unsigned, those of s signed.
template <int L>
EXPRAX_INLINE basic_pack<std::int32_t, L> add_byte_products(basic_pack<std::int32_t, L> sum, [[maybe_unused]] basic_pack<std::int32_t, L> u,
                                                            [[maybe_unused]] basic_pack<std::int32_t, L> s) {
  static_assert(4 * L == register_bytes && this_target.short_products == 4);
#if defined(__AVX512VNNI__)
  if constexpr (L == 16)
    sum.reg[0] = (detail::vec<std::int32_t, 64>)_mm512_dpbusd_epi32((__m512i)sum.reg[0], (__m512i)u.reg[0], (__m512i)s.reg[0]);
#endif
#if defined(__AVXVNNI__)
  if constexpr (L == 8)
    sum.reg[0] = (detail::vec<std::int32_t, 32>)_mm256_dpbusd_avx_epi32((__m256i)sum.reg[0], (__m256i)u.reg[0], (__m256i)s.reg[0]);
#endif
  return sum;
}

}  // namespace exprax::simd

#endif
