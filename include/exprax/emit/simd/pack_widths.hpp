// SPDX-License-Identifier: BSL-1.0
// Integers and masks as those of another size: in registers of 16 bytes by instructions that interleave and pack, where g++ would take
// many more; and masks of 4 or 8 bytes, of several registers, as bytes that fill one. Saturation does not change masks.
#pragma once

#include <type_traits>

#include <exprax/emit/simd/pack_number.hpp>

#if EXPRAX_SIMD

namespace exprax::simd::detail {

#if defined(__SSE2__) && !defined(__AVX2__)
template <class T, class U>
inline constexpr bool has_resized = register_bytes == 16 && !is_float<T> && !is_float<U> && sizeof(T) != sizeof(U);
// The lower or upper half of the elements of x, of so many bytes, each with one of y after it.
template <int Bytes, bool Upper>
EXPRAX_INLINE __m128i interleaved_half(__m128i x, __m128i y) {
  if constexpr (Bytes == 1) return Upper ? _mm_unpackhi_epi8(x, y) : _mm_unpacklo_epi8(x, y);
  else if constexpr (Bytes == 2) return Upper ? _mm_unpackhi_epi16(x, y) : _mm_unpacklo_epi16(x, y);
  else return Upper ? _mm_unpackhi_epi32(x, y) : _mm_unpacklo_epi32(x, y);
}
// The lower halves of the elements of x, then of y.
template <int Bytes, bool Masks>
EXPRAX_INLINE __m128i lower_halves(__m128i x, __m128i y) {
  if constexpr (Bytes == 8) {
    return (__m128i)_mm_shuffle_ps((__m128)x, (__m128)y, 0x88);
  } else if constexpr (Bytes == 4) {
    auto const signed_half = [](__m128i v) EXPRAX_LAMBDA_INLINE { return Masks ? v : _mm_srai_epi32(_mm_slli_epi32(v, 16), 16); };
    return _mm_packs_epi32(signed_half(x), signed_half(y));
  } else if constexpr (Masks) {
    return _mm_packs_epi16(x, y);
  } else {
    __m128i const low = _mm_set1_epi16(0xff);
    return _mm_packus_epi16(_mm_and_si128(x, low), _mm_and_si128(y, low));
  }
}
// x as integers of another size; Masks: all bits of an element are the same.
template <bool Masks, class U, class T, int L>
EXPRAX_INLINE basic_pack<U, L> resized(basic_pack<T, L> const& x) {
  constexpr int bytes = static_cast<int>(sizeof(T));
  if constexpr (sizeof(T) == sizeof(U)) {
    return reinterpret<basic_pack<U, L>>(x);
  } else {
    using next = typename integer_of_size<(sizeof(T) < sizeof(U) ? 2 * bytes : bytes / 2), std::is_signed_v<T>>::type;
    using from = layout<T, L>;
    using to = layout<next, L>;
    basic_pack<next, L> r;
    [&]<int... J>(std::integer_sequence<int, J...>) EXPRAX_LAMBDA_INLINE {
      [[maybe_unused]] auto const one = [&]<int I>(std::integral_constant<int, I>) EXPRAX_LAMBDA_INLINE {
        constexpr int first = I * to::used / from::used, second = first + 1 < from::registers ? first + 1 : first;
        auto const v = x.reg[first];
        if constexpr (sizeof(T) > sizeof(U)) {
          r.reg[I] = (typename to::reg)lower_halves<bytes, Masks>((__m128i)v, (__m128i)x.reg[second]);
        } else {
          constexpr bool is_upper = I * to::used % from::used != 0;
          if constexpr (Masks) r.reg[I] = (typename to::reg)interleaved_half<bytes, is_upper>((__m128i)v, (__m128i)v);
          else r.reg[I] = (typename to::reg)interleaved_half<bytes, is_upper>((__m128i)v, (__m128i)(v < T(0)));
        }
      };
      (one(std::integral_constant<int, J>{}), ...);
    }(typename to::indices{});
    return resized<Masks, U>(r);
  }
}
#else
template <class T, class U>
inline constexpr bool has_resized = false;
template <bool Masks, class U, class T, int L>
basic_pack<U, L> resized(basic_pack<T, L> const&) = delete;
#endif

#if defined(__AVX2__)
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
template <class M, int L>
inline constexpr bool packs_to_bytes = sizeof(M) >= 4 && L == register_bytes && register_bytes == 32;
// Masks, from register First on, that fill one register if they have so many bytes.
template <class M, int Bytes, int First, int L>
EXPRAX_INLINE auto packed(basic_pack<M, L> const& m) {
  constexpr int half = static_cast<int>(sizeof(M)) / (2 * Bytes);
  if constexpr (Bytes == static_cast<int>(sizeof(M))) return (__m256i)m.reg[First];
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

// Masks without mask registers: integers of which L fill a register.
template <int L>
using mask_integer = typename integer_of_size<(L >= register_bytes ? 1 : L * 8 <= register_bytes ? 8 : register_bytes / L), true>::type;
template <class U, class T, int L>
EXPRAX_INLINE basic_pack<U, L> masks_of(basic_pack<T, L> const& m) {
  if constexpr (has_resized<T, U>) return resized<true, U>(m);
  else return convert<U>(m);
}

}  // namespace exprax::simd::detail

#endif
