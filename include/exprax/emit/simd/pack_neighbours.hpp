// SPDX-License-Identifier: BSL-1.0
// Sums of short integers, of which an instruction of x86 adds neighbours: of 8 bytes to 64 bits, of 2 16-bit integers to 32. They wrap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <exprax/emit/simd/pack_number.hpp>

#if EXPRAX_SIMD && defined(__SSE2__)

namespace exprax::simd {

// The partial sums of N elements of T, which has 1 or 2 bytes: a register of them at least. All of them together, and the correction, are
// the sum of the elements; of 16-bit integers it is right in the lower 32 bits.
template <class T, std::ptrdiff_t N>
class sum_of_neighbours {
  // Bytes are added as unsigned ones, 16-bit integers as signed ones: of the others, the highest bit is changed, and the sum corrected.
  static constexpr bool is_shifted = std::is_signed_v<T> == (sizeof(T) == 1);
  static constexpr auto half = static_cast<std::uint64_t>(1) << (8 * sizeof(T) - 1);

 public:
  using S = std::conditional_t<sizeof(T) == 1, std::uint64_t, std::uint32_t>;
  using partial = basic_pack<S, register_bytes / static_cast<int>(sizeof(S))>;
  static constexpr int lanes = register_bytes / static_cast<int>(sizeof(T));
  static_assert(sizeof(T) <= 2 && N >= lanes);

  static constexpr std::uint64_t correction = !is_shifted ? 0 : (sizeof(T) == 1 ? 0 - half : half) * static_cast<std::uint64_t>(N);

  EXPRAX_INLINE static partial of(T const* from) {
    constexpr std::ptrdiff_t whole = N / lanes, in_turn = whole / at_once * at_once;
    constexpr int rest = static_cast<int>(N % lanes);
    sums sum[at_once] = {};
    auto const add = [&]<int... K>(std::ptrdiff_t first, std::integer_sequence<int, K...>) EXPRAX_LAMBDA_INLINE {
      ((sum[K] += neighbours(load(from + first + K * lanes))), ...);
    };
    for (std::ptrdiff_t i = 0; i < in_turn; i += at_once) add(i * lanes, std::make_integer_sequence<int, at_once>());
    add(in_turn * lanes, std::make_integer_sequence<int, static_cast<int>(whole - in_turn)>());
    if constexpr (rest > 0) sum[0] += neighbours(last<rest>(load(from + N - lanes)));
    for (int k = 1; k < at_once; ++k) sum[0] += sum[k];
    partial r;
    r.reg[0] = sum[0];
    return r;
  }

 private:
  using E = std::conditional_t<sizeof(T) == 1, std::uint8_t, std::uint16_t>;
  using bits = detail::vec<E, register_bytes>;
  using sums = detail::vec<S, register_bytes>;
  static constexpr int at_once = N >= 4 * lanes ? 4 : 1;

  EXPRAX_INLINE static bits load(T const* from) {
    bits x;
    __builtin_memcpy(&x, from, sizeof x);
    if constexpr (is_shifted) x ^= static_cast<E>(half);
    return x;
  }
  // The last Count elements; 0 elsewhere.
  template <int Count>
  EXPRAX_INLINE static bits last(bits x) {
    return [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      constexpr bits mask = {static_cast<E>(I < lanes - Count ? 0 : -1)...};
      return x & mask;
    }(std::make_integer_sequence<int, lanes>{});
  }
  EXPRAX_INLINE static sums neighbours(bits x) {
#if defined(__AVX512BW__)
    if constexpr (register_bytes == 64) {
      if constexpr (sizeof(T) == 1) return (sums)_mm512_sad_epu8((__m512i)x, __m512i{});
      else return (sums)_mm512_madd_epi16((__m512i)x, _mm512_set1_epi16(1));
    }
#endif
#if defined(__AVX2__)
    if constexpr (register_bytes == 32) {
      if constexpr (sizeof(T) == 1) return (sums)_mm256_sad_epu8((__m256i)x, __m256i{});
      else return (sums)_mm256_madd_epi16((__m256i)x, _mm256_set1_epi16(1));
    }
#endif
    if constexpr (register_bytes == 16) {
      if constexpr (sizeof(T) == 1) return (sums)_mm_sad_epu8((__m128i)x, __m128i{});
      else return (sums)_mm_madd_epi16((__m128i)x, _mm_set1_epi16(1));
    }
  }
};

}  // namespace exprax::simd

#endif
