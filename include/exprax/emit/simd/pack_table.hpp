// SPDX-License-Identifier: BSL-1.0
// Elements of short tables: whole tables are loaded into registers, and an instruction permutes their lanes by those of the index. A load
// for each lane would take several times as long.
#pragma once

#include <exprax/emit/simd/pack_convert.hpp>
#include <exprax/emit/simd/pack_mask.hpp>
#include <exprax/emit/simd/pack_memory.hpp>

namespace exprax::simd {

// The elements of the longest table for packs of L elements; 0: there is none.
template <class T, int L>
inline constexpr int longest_table = [] {
#if EXPRAX_SIMD
  if (L == 1 || !std::is_arithmetic_v<T> || std::is_same_v<T, bool>) return 0;
  if (masks_are_bits) {
#if !defined(__AVX512VBMI__)
    if (sizeof(T) == 1) return 0;
#endif
    return 4 * register_bytes / static_cast<int>(sizeof(T));
  }
#if defined(__AVX2__)
  if (sizeof(T) == 4 && L % 8 == 0) return 32;
#endif
#endif
  return 0;
}();

#if EXPRAX_SIMD
namespace detail {

// As many elements as one instruction finds: of two registers with AVX-512, else of one.
template <class T>
inline constexpr int elements_at_once = (masks_are_bits ? 2 : 1) * register_bytes / static_cast<int>(sizeof(T));

// N elements, in a register; the other lanes are 0.
template <int N, class T>
EXPRAX_INLINE vec<T, register_bytes> table_register(T const* table) {
  constexpr int held = register_bytes / static_cast<int>(sizeof(T));
  if constexpr (N >= held) return load_register<T, register_bytes, held>(table);
  else return load_some<T, held>(table, N, T(0)).reg[0];
}

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
// Lanes of a, or behind them of b; of an index as many bits as count them are used.
template <int Size>
EXPRAX_INLINE __m512i permuted(__m512i a, __m512i b, __m512i at) {
  if constexpr (Size == 8) return _mm512_permutex2var_epi64(a, at, b);
  else if constexpr (Size == 4) return _mm512_permutex2var_epi32(a, at, b);
  else if constexpr (Size == 2) return _mm512_permutex2var_epi16(a, at, b);
#if defined(__AVX512VBMI__)
  else return _mm512_permutex2var_epi8(a, at, b);
#endif
}
template <int Size>
EXPRAX_INLINE __m512i permuted(__m512i a, __m512i at) {
  if constexpr (Size == 8) return _mm512_maskz_permutexvar_epi64(0xff, at, a);
  else if constexpr (Size == 4) return _mm512_maskz_permutexvar_epi32(0xffff, at, a);
  else if constexpr (Size == 2) return _mm512_maskz_permutexvar_epi16(~__mmask32{0}, at, a);
#if defined(__AVX512VBMI__)
  else return _mm512_maskz_permutexvar_epi8(~__mmask64{0}, at, a);
#endif
}
template <int N, class T, int Bytes, class I>
EXPRAX_INLINE vec<T, Bytes> look_up_register(T const* table, vec<I, Bytes> at) {
  constexpr int held = register_bytes / static_cast<int>(sizeof(T));
  // Not the intrinsics that cast: g++ warns of their undefined lanes.
  auto const find = [&](vec<long long, 64> lanes) EXPRAX_LAMBDA_INLINE {
    __m512i const first = (__m512i)table_register<N>(table);
    if constexpr (N <= held) return (vec<long long, 64>)permuted<sizeof(T)>(first, (__m512i)lanes);
    else return (vec<long long, 64>)permuted<sizeof(T)>(first, (__m512i)table_register<N - held>(table + held), (__m512i)lanes);
  };
  auto const x = (vec<long long, Bytes>)at;
  if constexpr (Bytes == 64) {
    return (vec<T, 64>)find(x);
  } else if constexpr (Bytes == 32) {
    auto const found = find((vec<long long, 64>)_mm512_maskz_broadcast_i64x4(0xff, (__m256i)x));
    return (vec<T, 32>)__builtin_shufflevector(found, found, 0, 1, 2, 3);
  } else {
    auto const found = find((vec<long long, 64>)_mm512_maskz_broadcast_i32x4(0xffff, (__m128i)x));
    return (vec<T, 16>)__builtin_shufflevector(found, found, 0, 1);
  }
}
#elif defined(__AVX2__)
template <int N, class T, int Bytes, class I>
EXPRAX_INLINE vec<T, Bytes> look_up_register(T const* table, vec<I, Bytes> at) {
  return (vec<T, Bytes>)_mm256_permutevar8x32_epi32((__m256i)table_register<N>(table), (__m256i)at);
}
#endif

// at: the index, of the size of T; more than as many bits as count `most` elements are not looked at.
template <int N, class T, int L, class I>
EXPRAX_INLINE basic_pack<T, L> look_up_from(T const* table, basic_pack<I, L> at) {
  constexpr int most = elements_at_once<T>, first = N <= most ? N : N <= 2 * most ? most : 2 * most;
  if constexpr (N <= most) {
    return each_register<basic_pack<T, L>>(
        [&](auto lanes) EXPRAX_LAMBDA_INLINE { return look_up_register<N, T, layout<T, L>::bytes, I>(table, lanes); }, at);
  } else {
    basic_pack<I, L> const n(static_cast<I>(first));
    return select(at < n, look_up_from<first, T, L>(table, at),
                  look_up_from<N - first, T, L>(table + first, N - first > most ? at - n : at));
  }
}

}  // namespace detail

// table[at] for each lane, of N elements. 0 <= at < N.
template <int N, class T, int L>
EXPRAX_INLINE pack<T, L> look_up(T const* table, pack<std::int32_t, L> at) {
  static_assert(N > 0 && N <= longest_table<T, L>);
  return detail::look_up_from<N, T, L>(table, convert<detail::bits_of<T>>(at));
}
#endif

}  // namespace exprax::simd
