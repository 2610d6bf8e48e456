// SPDX-License-Identifier: BSL-1.0
// Products of short integers, of which each 32-bit lane holds 2 or 4, summed as 32-bit integers by an instruction of x86. Sums wrap.
// Such lanes are made of neighbouring rows of a matrix, too.
#pragma once

#include <exprax/emit/simd/pack_permute.hpp>

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

namespace detail {

// The first or second halves of each 16 bytes of a and b, whose elements take turns.
template <bool Second, class E, int... I>
EXPRAX_INLINE vec<E, register_bytes> interleaved(vec<E, register_bytes> a, vec<E, register_bytes> b, std::integer_sequence<int, I...>) {
  constexpr int lanes = sizeof...(I), block = 16 / static_cast<int>(sizeof(E));
  return shuffle<(I / block * block + I % block / 2 + (Second ? block / 2 : 0) + I % 2 * lanes)...>(a, b);
}
template <bool Second, class E, class V>
EXPRAX_INLINE V interleaved(V a, V b) {
  using of = vec<E, register_bytes>;
  return (V)interleaved<Second, E>((of)a, (of)b, std::make_integer_sequence<int, register_bytes / static_cast<int>(sizeof(E))>{});
}

}  // namespace detail

// A register of each of Group rows of a matrix of E, as packs of 32-bit lanes that hold the Group elements of one column: bytes as 16-bit
// integers if Group is 2.
template <class E, int Group>
struct column_words {
  static constexpr int columns = register_bytes / static_cast<int>(sizeof(E)), packs = 4 / static_cast<int>(sizeof(E));
  static constexpr int L = register_bytes / 4;
  using row = detail::vec<E, register_bytes>;
  using words = basic_pack<std::int32_t, L>;

  EXPRAX_INLINE static void make(row const (&rows)[Group], words (&out)[packs]) {
    using bits = detail::vec<std::int32_t, register_bytes>;
    if constexpr (Group == 4) {
      row const low[] = {detail::interleaved<false, E>(rows[0], rows[1]), detail::interleaved<false, E>(rows[2], rows[3])};
      row const high[] = {detail::interleaved<true, E>(rows[0], rows[1]), detail::interleaved<true, E>(rows[2], rows[3])};
      out[0].reg[0] = (bits)detail::interleaved<false, std::int16_t>(low[0], low[1]);
      out[1].reg[0] = (bits)detail::interleaved<true, std::int16_t>(low[0], low[1]);
      out[2].reg[0] = (bits)detail::interleaved<false, std::int16_t>(high[0], high[1]);
      out[3].reg[0] = (bits)detail::interleaved<true, std::int16_t>(high[0], high[1]);
    } else {
      make_halves<0>(detail::interleaved<false, std::int16_t>(rows[0], rows[1]), out);
      make_halves<1>(detail::interleaved<true, std::int16_t>(rows[0], rows[1]), out);
    }
  }
  // Sums of the packs that `make` makes, in the order of the columns.
  EXPRAX_INLINE static void order(words const (&sums)[packs], words (&out)[packs]) { permute_wide<lanes>(sums, out, words(0)); }

 private:
  // Words that hold one element of each row, or, of bytes, two.
  template <int Half>
  EXPRAX_INLINE static void make_halves(row rows, words (&out)[packs]) {
    using bits = detail::vec<std::int32_t, register_bytes>;
    using natural = detail::vec<std::uint16_t, register_bytes>;
    if constexpr (sizeof(E) == 2) {
      out[Half].reg[0] = (bits)rows;
    } else if constexpr (std::is_signed_v<E>) {
      using integer = detail::vec<std::int16_t, register_bytes>;
      out[2 * Half].reg[0] = (bits)((integer)((natural)rows << 8) >> 8);
      out[2 * Half + 1].reg[0] = (bits)((integer)rows >> 8);
    } else {
      out[2 * Half].reg[0] = (bits)((natural)rows & 0xff);
      out[2 * Half + 1].reg[0] = (bits)((natural)rows >> 8);
    }
  }
  // The column of lane i of pack p. Each 16 bytes of the rows are interleaved for themselves.
  static constexpr int column(int p, int i) {
    int const block = i / 4 * (16 / static_cast<int>(sizeof(E)));
    return block + (sizeof(E) == 1 && Group == 2 ? p / 2 * 8 + i % 4 * 2 + p % 2 : p * 4 + i % 4);
  }
  struct table {
    int of[columns] = {};
    constexpr table() {
      for (int p = 0; p < packs; ++p)
        for (int i = 0; i < L; ++i) of[column(p, i)] = p * L + i;
    }
    constexpr int operator[](int i) const { return of[i]; }
  };
  struct lanes {
    static constexpr int size = columns;
    static constexpr table at{};
  };
};

}  // namespace exprax::simd

#endif
