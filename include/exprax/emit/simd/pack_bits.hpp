// SPDX-License-Identifier: BSL-1.0
// The number of set bits of each lane: by one instruction where the target has it, else of bytes, whose counts are added in each lane.
#pragma once

#include <exprax/emit/simd/pack_number.hpp>

#if EXPRAX_SIMD
namespace exprax::simd {

namespace detail {

#if defined(__aarch64__)
inline constexpr bool counts_bits = true;
template <int Size, int Bytes>
EXPRAX_INLINE auto count_words(vec<long long, Bytes> x) {
  auto const bytes = vcntq_u8((uint8x16_t)x);
  if constexpr (Size == 1) return bytes;
  else if constexpr (Size == 2) return vpaddlq_u8(bytes);
  else if constexpr (Size == 4) return vpaddlq_u16(vpaddlq_u8(bytes));
  else return vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(bytes)));
}
#elif defined(__SSSE3__) && (defined(__AVX2__) || !defined(__AVX__))
inline constexpr bool counts_bits = true;
// The counts of the bytes, each from the table of the counts of four bits, twice.
template <int Bytes, int... I>
EXPRAX_INLINE auto count_bytes(vec<long long, Bytes> x, std::integer_sequence<int, I...>) {
  using words = vec<long long, Bytes>;
  constexpr words of_four{(I % 2 == 0 ? 0x0302020102010100 : 0x0403030203020201)...};
  words const four = broadcast<long long, Bytes>(0x0f0f0f0f0f0f0f0f), low = x & four,
              high = (words)((vec<unsigned short, Bytes>)x >> 4) & four;
  using counts = vec<signed char, Bytes>;
#if defined(__AVX512BW__)
  if constexpr (Bytes == 64)
    return (counts)_mm512_maskz_shuffle_epi8(~__mmask64{0}, of_four, low) + (counts)_mm512_maskz_shuffle_epi8(~__mmask64{0}, of_four, high);
#endif
#if defined(__AVX2__)
  if constexpr (Bytes == 32)
    return (counts)_mm256_shuffle_epi8((__m256i)of_four, (__m256i)low) + (counts)_mm256_shuffle_epi8((__m256i)of_four, (__m256i)high);
#endif
  if constexpr (Bytes == 16)
    return (counts)_mm_shuffle_epi8((__m128i)of_four, (__m128i)low) + (counts)_mm_shuffle_epi8((__m128i)of_four, (__m128i)high);
}
// The sum of the bytes of each lane of Size bytes.
template <int Size, int Bytes>
EXPRAX_INLINE auto add_bytes(vec<signed char, Bytes> x) {
  auto const bytes = broadcast<signed char, Bytes>(1);
  auto const pairs = broadcast<short, Bytes>(1);
  if constexpr (Size == 1) {
    return x;
#if defined(__AVX512BW__)
  } else if constexpr (Bytes == 64 && Size == 8) {
    return _mm512_sad_epu8((__m512i)x, __m512i{});
  } else if constexpr (Bytes == 64) {
    auto const sums = _mm512_maskz_maddubs_epi16(~__mmask32{0}, (__m512i)x, (__m512i)bytes);
    if constexpr (Size == 2) return sums;
    else return _mm512_maskz_madd_epi16(0xffff, sums, (__m512i)pairs);
#endif
#if defined(__AVX2__)
  } else if constexpr (Bytes == 32 && Size == 8) {
    return _mm256_sad_epu8((__m256i)x, __m256i{});
  } else if constexpr (Bytes == 32) {
    auto const sums = _mm256_maddubs_epi16((__m256i)x, (__m256i)bytes);
    if constexpr (Size == 2) return sums;
    else return _mm256_madd_epi16(sums, (__m256i)pairs);
#endif
  } else if constexpr (Size == 8) {
    return _mm_sad_epu8((__m128i)x, __m128i{});
  } else {
    auto const sums = _mm_maddubs_epi16((__m128i)x, (__m128i)bytes);
    if constexpr (Size == 2) return sums;
    else return _mm_madd_epi16(sums, (__m128i)pairs);
  }
}
// The instructions for whole lanes.
template <int Size, int Bytes>
EXPRAX_INLINE auto count_words(vec<long long, Bytes> x) {
#if defined(__AVX512VL__) && defined(__AVX512VPOPCNTDQ__)
  if constexpr (Size == 8 && Bytes == 64) return _mm512_popcnt_epi64(x);
  else if constexpr (Size == 8 && Bytes == 32) return _mm256_popcnt_epi64(x);
  else if constexpr (Size == 8) return _mm_popcnt_epi64(x);
  else if constexpr (Size == 4 && Bytes == 64) return _mm512_popcnt_epi32(x);
  else if constexpr (Size == 4 && Bytes == 32) return _mm256_popcnt_epi32(x);
  else if constexpr (Size == 4) return _mm_popcnt_epi32(x);
  else
#endif
#if defined(__AVX512VL__) && defined(__AVX512BITALG__)
  if constexpr (Size == 2 && Bytes == 64) return _mm512_popcnt_epi16(x);
  else if constexpr (Size == 2 && Bytes == 32) return _mm256_popcnt_epi16(x);
  else if constexpr (Size == 2) return _mm_popcnt_epi16(x);
  else if constexpr (Size == 1 && Bytes == 64) return _mm512_popcnt_epi8(x);
  else if constexpr (Size == 1 && Bytes == 32) return _mm256_popcnt_epi8(x);
  else if constexpr (Size == 1) return _mm_popcnt_epi8(x);
  else
#endif
  return add_bytes<Size, Bytes>(count_bytes<Bytes>(x, std::make_integer_sequence<int, Bytes / 8>{}));
}
#else
inline constexpr bool counts_bits = false;
template <int Size, int Bytes>
void count_words(vec<long long, Bytes>) = delete;
#endif

}  // namespace detail

template <class T, int L>
EXPRAX_INLINE basic_pack<T, L> counted_bits(basic_pack<T, L> x)
  requires(std::is_integral_v<T> && detail::counts_bits)
{
  using reg = typename detail::layout<T, L>::reg;
  constexpr int bytes = detail::layout<T, L>::bytes;
  return detail::each_register<basic_pack<T, L>>(
      [](reg v) EXPRAX_LAMBDA_INLINE { return (reg)detail::count_words<sizeof(T), bytes>((detail::vec<long long, bytes>)v); }, x);
}

}  // namespace exprax::simd
#endif
