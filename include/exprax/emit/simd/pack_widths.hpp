// SPDX-License-Identifier: BSL-1.0
// Integers and masks as those of another size, register by register, where compilers take several instructions for each part of one: in
// registers of 16 bytes, and shorter ones from several registers; and masks of 4 or 8 bytes as bytes that fill one register.
#pragma once

#include <type_traits>

#include <exprax/emit/simd/pack_number.hpp>

#if EXPRAX_SIMD

namespace exprax::simd::detail {

// Numbers wrap if they become shorter, or saturate. All bits of a mask are the same.
enum class resizing { numbers, saturated, masks };

#if defined(__SSE2__)
// Longer integers only in registers of 16 bytes; shorter ones elsewhere from two registers at least, of 32 bytes only with AVX2, and bytes
// of 64 only with VBMI.
template <class T, class U, int L>
inline constexpr bool has_resized = [] {
  if (is_float<T> || is_float<U> || sizeof(T) == sizeof(U)) return false;
  if (register_bytes == 16) return true;
#if !defined(__AVX2__)
  return false;
#endif
#if defined(__AVX512BW__) && !defined(__AVX512VBMI__)
  if (register_bytes == 64 && sizeof(T) == 2) return false;
#endif
  return sizeof(T) > sizeof(U) && layout<T, L>::bytes == register_bytes && layout<T, L>::registers >= 2;
}();
template <class T, class U, int L>
inline constexpr bool has_resized_numbers =
#if defined(__clang__)
    false;  // it knows these ways itself
#else
    has_resized<T, U, L>;
#endif
template <class U, int L>
inline constexpr bool has_saturated_resizing = [] {
  if (is_float<U> || sizeof(U) > 2 || !has_resized<std::int32_t, U, L> || register_bytes == 64) return false;
#if !defined(__SSE4_1__)
  if (std::is_same_v<U, std::uint16_t>) return false;
#endif
  return true;
}();

// The lower or upper half of the elements of x, of so many bytes, each with one of y after it.
template <int Bytes, bool Upper>
EXPRAX_INLINE __m128i interleaved_half(__m128i x, __m128i y) {
  if constexpr (Bytes == 1) return Upper ? _mm_unpackhi_epi8(x, y) : _mm_unpacklo_epi8(x, y);
  else if constexpr (Bytes == 2) return Upper ? _mm_unpackhi_epi16(x, y) : _mm_unpacklo_epi16(x, y);
  else return Upper ? _mm_unpackhi_epi32(x, y) : _mm_unpacklo_epi32(x, y);
}
// Of registers of 16 and of 32 bytes, the elements of x, then of y, as integers of half their size, unless they saturate; those of 8 bytes
// do not. 32 bytes: halves of x and of y take turns.
template <int Bytes, bool Unsigned>
EXPRAX_INLINE __m128i saturated_halves(__m128i x, __m128i y) {
  if constexpr (Bytes == 8) {
    return (__m128i)_mm_shuffle_ps((__m128)x, (__m128)y, 0x88);
  } else if constexpr (Bytes == 4 && Unsigned) {
#if defined(__SSE4_1__)
    return _mm_packus_epi32(x, y);
#endif
  } else if constexpr (Bytes == 4) {
    return _mm_packs_epi32(x, y);
  } else {
    return Unsigned ? _mm_packus_epi16(x, y) : _mm_packs_epi16(x, y);
  }
}
#if defined(__AVX2__)
template <int Bytes, bool Unsigned>
EXPRAX_INLINE __m256i saturated_halves(__m256i x, __m256i y) {
  if constexpr (Bytes == 8) return (__m256i)_mm256_shuffle_ps((__m256)x, (__m256)y, 0x88);
  else if constexpr (Bytes == 4) return Unsigned ? _mm256_packus_epi32(x, y) : _mm256_packs_epi32(x, y);
  else return Unsigned ? _mm256_packus_epi16(x, y) : _mm256_packs_epi16(x, y);
}
#endif
// The same of any registers, in order.
template <resizing How, class T, class Half, class V>
EXPRAX_INLINE vec<Half, sizeof(V)> halves_of(V x, V y) {
  using halves = vec<Half, sizeof(V)>;
  constexpr int bytes = static_cast<int>(sizeof(T)), lanes = static_cast<int>(sizeof(halves) / sizeof(Half));
  if constexpr (sizeof(V) == 64) {
    return [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      return shuffle<(2 * I)...>((halves)x, (halves)y);
    }(std::make_integer_sequence<int, lanes>{});
  } else {
    using raw = vec<long long, sizeof(V)>;
    // Packed as unsigned where the target can, without the upper half; else sign-extended.
    constexpr bool fits = How != resizing::numbers || bytes == 8;
#if defined(__SSE4_1__)
    constexpr bool is_unsigned = How == resizing::numbers || (How == resizing::saturated && !std::is_signed_v<Half>);
#else
    constexpr bool is_unsigned = bytes == 2 && (How == resizing::numbers || (How == resizing::saturated && !std::is_signed_v<Half>));
#endif
    auto const fitting = [](V v) EXPRAX_LAMBDA_INLINE -> raw {
      if constexpr (fits) {
        return (raw)v;
      } else if constexpr (is_unsigned) {
        using words = vec<typename integer_of_size<bytes, false>::type, sizeof(V)>;
        return (raw)((words)v & (words{} + static_cast<typename integer_of_size<bytes, false>::type>((1ull << 4 * bytes) - 1)));
      } else {
        using words = vec<typename integer_of_size<bytes, true>::type, sizeof(V)>;
        return (raw)(((words)v << 4 * bytes) >> 4 * bytes);
      }
    };
    auto const packed = saturated_halves<bytes, is_unsigned>(fitting(x), fitting(y));
#if defined(__AVX2__)
    if constexpr (sizeof(V) == 32) return (halves)_mm256_permute4x64_epi64(packed, 0xd8);
    else
#endif
      return (halves)packed;
  }
}

// A pack as integers of another size, in steps of twice or half the size.
template <resizing How, class U, class T, int L>
EXPRAX_INLINE basic_pack<U, L> resized(basic_pack<T, L> const& x) {
  constexpr int bytes = static_cast<int>(sizeof(T)), next_bytes = sizeof(T) < sizeof(U) ? 2 * bytes : bytes / 2;
  if constexpr (sizeof(T) == sizeof(U)) {
    return reinterpret<basic_pack<U, L>>(x);
  } else if constexpr (!has_resized<T, U, L>) {
    return convert<U>(x);
  } else {
    using next = std::conditional_t<next_bytes == sizeof(U), U, typename integer_of_size<next_bytes, std::is_signed_v<T>>::type>;
    using from = layout<T, L>;
    using to = layout<next, L>;
    basic_pack<next, L> r;
    [&]<int... J>(std::integer_sequence<int, J...>) EXPRAX_LAMBDA_INLINE {
      [[maybe_unused]] auto const one = [&]<int I>(std::integral_constant<int, I>) EXPRAX_LAMBDA_INLINE {
        constexpr int first = I * to::used / from::used, second = first + 1 < from::registers ? first + 1 : first;
        auto const v = x.reg[first];
        if constexpr (sizeof(T) > sizeof(U)) {
          r.reg[I] = halves_of<How, T, next>(v, x.reg[second]);
        } else {
          constexpr bool is_upper = I * to::used % from::used != 0;
          if constexpr (How == resizing::masks) r.reg[I] = (typename to::reg)interleaved_half<bytes, is_upper>((__m128i)v, (__m128i)v);
          else r.reg[I] = (typename to::reg)interleaved_half<bytes, is_upper>((__m128i)v, (__m128i)(v < T(0)));
        }
      };
      (one(std::integral_constant<int, J>{}), ...);
    }(typename to::indices{});
    return resized<How, U>(r);
  }
}
#else
template <class T, class U, int L>
inline constexpr bool has_resized = false;
template <class T, class U, int L>
inline constexpr bool has_resized_numbers = false;
template <class U, int L>
inline constexpr bool has_saturated_resizing = false;
template <resizing How, class U, class T, int L>
basic_pack<U, L> resized(basic_pack<T, L> const&) = delete;
#endif

// Between doubles and 4 bytes in registers of 16: g++ would convert element by element.
#if defined(__SSE2__) && !defined(__AVX__)
template <class T>
inline constexpr bool has_4_bytes = std::is_same_v<T, float> || std::is_same_v<T, std::int32_t>;
template <class U, class T>
inline constexpr bool has_halves = (std::is_same_v<U, double> && has_4_bytes<T>) || (std::is_same_v<T, double> && has_4_bytes<U>);
template <class U, class T, int L>
EXPRAX_INLINE basic_pack<U, L> convert_halves(basic_pack<T, L> const& x) {
  basic_pack<U, L> r;
  auto const one = [&]<int I>(std::integral_constant<int, I>) EXPRAX_LAMBDA_INLINE {
    using reg = typename layout<U, L>::reg;
    if constexpr (sizeof(U) == 8) {
      __m128i const v = (__m128i)x.reg[I / 2], half = I % 2 == 0 ? v : _mm_unpackhi_epi64(v, v);
      r.reg[I] = (reg)(is_float<T> ? _mm_cvtps_pd((__m128)half) : _mm_cvtepi32_pd(half));
    } else {
      constexpr int second = layout<T, L>::registers > 1 ? 2 * I + 1 : 0;
      __m128d const low = (__m128d)x.reg[second > 0 ? 2 * I : 0], high = (__m128d)x.reg[second];
      if constexpr (is_float<U>) r.reg[I] = (reg)_mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high));
      else r.reg[I] = (reg)_mm_unpacklo_epi64(_mm_cvttpd_epi32(low), _mm_cvttpd_epi32(high));
    }
  };
  [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
    (one(std::integral_constant<int, I>{}), ...);
  }(typename layout<U, L>::indices{});
  return r;
}
#else
template <class U, class T>
inline constexpr bool has_halves = false;
template <class U, class T, int L>
basic_pack<U, L> convert_halves(basic_pack<T, L> const&) = delete;
#endif

#if defined(__AVX2__)
// What was packed in halves of registers, from masks M.
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
  else return saturated_halves<2 * Bytes, false>(packed<M, 2 * Bytes, First>(m), packed<M, 2 * Bytes, First + half>(m));
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
  if constexpr (has_resized<T, U, L>) return resized<resizing::masks, U>(m);
  else return convert<U>(m);
}

}  // namespace exprax::simd::detail

#endif
