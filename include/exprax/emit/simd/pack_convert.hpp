// SPDX-License-Identifier: BSL-1.0
// bitcast and convert of packs. Element types of different sizes occupy different numbers of registers, so a conversion works on chunks
// that are part of one register on either side, in steps of twice or half the size, which compilers optimize well.
#pragma once

#include <limits>

#include <exprax/emit/simd/pack_narrowing.hpp>
#include <exprax/emit/simd/pack_number.hpp>
#include <exprax/emit/simd/pack_to_integers.hpp>
#include <exprax/emit/simd/pack_widths.hpp>

#if EXPRAX_SIMD

namespace exprax::simd {

namespace detail {

template <class T, int Lanes>
using chunk = vec<T, Lanes * static_cast<int>(sizeof(T))>;

// Integers of 1 and 2 bytes to longer ones that fill a register, by one instruction; g++ would take several steps, of halves.
template <class T, class U, int Lanes>
inline constexpr bool has_from_short = [] {
  if (sizeof(T) > 2 || sizeof(U) <= sizeof(T) || is_float<T> || is_float<U>) return false;
#if defined(__AVX512BW__)
  if (Lanes * sizeof(U) == 64) return true;
#endif
#if defined(__AVX2__)
  if (Lanes * sizeof(U) == 32 || (Lanes == 4 && sizeof(U) == 4)) return true;
#endif
  return false;
}();
template <class U, class T, int Lanes>
EXPRAX_INLINE chunk<U, Lanes> from_short([[maybe_unused]] chunk<T, Lanes> x) {
  chunk<U, Lanes> r{};
#if defined(__AVX2__)
  constexpr bool is_signed = std::is_signed_v<T>, is_byte = sizeof(T) == 1, is_long = sizeof(U) == 8;
  if constexpr (sizeof x > 16) {
#if defined(__AVX512BW__)
    // Masked, because g++ warns about an uninitialized variable in the other form.
    __m256i const all = (__m256i)x;
    if constexpr (is_byte) r = (chunk<U, Lanes>)(is_signed ? _mm512_maskz_cvtepi8_epi16(~0u, all) : _mm512_maskz_cvtepu8_epi16(~0u, all));
    else r = (chunk<U, Lanes>)(is_signed ? _mm512_maskz_cvtepi16_epi32(0xffff, all) : _mm512_maskz_cvtepu16_epi32(0xffff, all));
#endif
  } else {
    __m128i low = _mm_setzero_si128();
    __builtin_memcpy(&low, &x, sizeof x);
    if constexpr (sizeof r == 16) {
      if constexpr (is_byte) r = (chunk<U, Lanes>)(is_signed ? _mm_cvtepi8_epi32(low) : _mm_cvtepu8_epi32(low));
      else r = (chunk<U, Lanes>)(is_signed ? _mm_cvtepi16_epi32(low) : _mm_cvtepu16_epi32(low));
    }
    if constexpr (sizeof r == 32 && sizeof(U) == 2) {
      r = (chunk<U, Lanes>)(is_signed ? _mm256_cvtepi8_epi16(low) : _mm256_cvtepu8_epi16(low));
    } else if constexpr (sizeof r == 32) {
      if constexpr (is_byte && is_long) r = (chunk<U, Lanes>)(is_signed ? _mm256_cvtepi8_epi64(low) : _mm256_cvtepu8_epi64(low));
      else if constexpr (is_byte) r = (chunk<U, Lanes>)(is_signed ? _mm256_cvtepi8_epi32(low) : _mm256_cvtepu8_epi32(low));
      else if constexpr (is_long) r = (chunk<U, Lanes>)(is_signed ? _mm256_cvtepi16_epi64(low) : _mm256_cvtepu16_epi64(low));
      else r = (chunk<U, Lanes>)(is_signed ? _mm256_cvtepi16_epi32(low) : _mm256_cvtepu16_epi32(low));
    }
#if defined(__AVX512F__)
    if constexpr (sizeof r == 64) {
      if constexpr (is_byte && is_long)
        r = (chunk<U, Lanes>)(is_signed ? _mm512_maskz_cvtepi8_epi64(0xff, low) : _mm512_maskz_cvtepu8_epi64(0xff, low));
      else if constexpr (is_byte)
        r = (chunk<U, Lanes>)(is_signed ? _mm512_maskz_cvtepi8_epi32(0xffff, low) : _mm512_maskz_cvtepu8_epi32(0xffff, low));
      else if constexpr (is_long)
        r = (chunk<U, Lanes>)(is_signed ? _mm512_maskz_cvtepi16_epi64(0xff, low) : _mm512_maskz_cvtepu16_epi64(0xff, low));
    }
#endif
  }
#endif
  return r;
}
// 4 bytes to 8, into a whole register, by one instruction; g++ would take two steps, of halves.
template <class T, class U, int Lanes>
inline constexpr bool has_to_long = [] {
  if (sizeof(T) != 4 || sizeof(U) != 8) return false;
  if (is_float<T> && !is_float<U>) return false;
#if defined(__AVX512F__) && !defined(__clang__)
  if (Lanes == 8) return true;
#endif
  if (is_float<U> && !std::is_signed_v<T> && !is_float<T>) return false;
#if defined(__AVX2__) && !defined(__clang__)
  if (Lanes == 4) return true;
#endif
  return false;
}();
template <class U, class T, int Lanes>
EXPRAX_INLINE chunk<U, Lanes> to_long([[maybe_unused]] chunk<T, Lanes> x) {
  chunk<U, Lanes> r{};
#if defined(__AVX2__)
  if constexpr (Lanes == 4) {
    if constexpr (is_float<T>) r = (chunk<U, Lanes>)_mm256_cvtps_pd((__m128)x);
    else if constexpr (is_float<U>) r = (chunk<U, Lanes>)_mm256_cvtepi32_pd((__m128i)x);
    else r = (chunk<U, Lanes>)(std::is_signed_v<T> ? _mm256_cvtepi32_epi64((__m128i)x) : _mm256_cvtepu32_epi64((__m128i)x));
  }
#endif
#if defined(__AVX512F__)
  if constexpr (Lanes == 8) {
    if constexpr (is_float<T>) r = (chunk<U, Lanes>)_mm512_maskz_cvtps_pd(0xff, (__m256)x);
    else if constexpr (is_float<U>)
      r = (chunk<U, Lanes>)(std::is_signed_v<T> ? _mm512_maskz_cvtepi32_pd(0xff, (__m256i)x) : _mm512_maskz_cvtepu32_pd(0xff, (__m256i)x));
    else r = (chunk<U, Lanes>)(std::is_signed_v<T> ? _mm512_maskz_cvtepi32_epi64(0xff, (__m256i)x)
                                                   : _mm512_maskz_cvtepu32_epi64(0xff, (__m256i)x));
  }
#endif
  return r;
}
// Integers of 8 bytes to 4, of one register, in place of five instructions with g++.
template <class T, class U, int Lanes>
inline constexpr bool has_to_short = [] {
#if defined(__AVX2__) && !defined(__AVX512VL__) && !defined(__clang__)
  return !is_float<T> && !is_float<U> && sizeof(T) == 8 && sizeof(U) == 4 && Lanes == 4;
#else
  return false;
#endif
}();
template <class U, class T>
EXPRAX_INLINE chunk<U, 4> to_short([[maybe_unused]] chunk<T, 4> x) {
  chunk<U, 4> r{};
#if defined(__AVX2__)
  __m256i const words = _mm256_permutevar8x32_epi32((__m256i)x, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));
  r = (chunk<U, 4>)_mm256_castsi256_si128(words);
#endif
  return r;
}
template <class U, class T, int Lanes>
EXPRAX_INLINE chunk<U, Lanes> convert_chunk(chunk<T, Lanes> x) {
  if constexpr (std::is_same_v<T, U>) {
    return x;
  } else if constexpr (sizeof x == 64 && (has_narrowed<T, U> || has_saturated_narrowed<T, U>)) {
    chunk<U, Lanes> r;
    if constexpr (has_narrowed<T, U>) {
      auto const first = narrowed<U, T>(x);
      __builtin_memcpy(&r, &first, sizeof r);
    } else {
      auto const first = saturated_narrowed<U>(x);
      __builtin_memcpy(&r, &first, sizeof r);
    }
    return r;
  } else if constexpr (has_to_long<T, U, Lanes>) {
    return to_long<U, T, Lanes>(x);
  } else if constexpr (has_to_short<T, U, Lanes>) {
    return to_short<U, T>(x);
  } else if constexpr (has_from_short<T, U, Lanes>) {
    return from_short<U, T, Lanes>(x);
  } else if constexpr (is_float<U> && has_from_short<T, std::int32_t, Lanes>) {
    return convert_chunk<U, std::int32_t, Lanes>(from_short<std::int32_t, T, Lanes>(x));
  } else if constexpr (!is_float<T> && !is_float<U> && sizeof(T) == sizeof(U)) {
    return (chunk<U, Lanes>)x;
  } else if constexpr (!is_float<T> && ((is_float<U> && sizeof(T) < 4) || (!is_float<U> && 2 * sizeof(T) < sizeof(U)))) {
    using step = typename integer_of_size<2 * static_cast<int>(sizeof(T)), std::is_signed_v<T>>::type;
    return convert_chunk<U, step, Lanes>(__builtin_convertvector(x, chunk<step, Lanes>));
  } else if constexpr (!is_float<T> && !is_float<U> && sizeof(T) > 2 * sizeof(U)) {
    using step = typename integer_of_size<static_cast<int>(sizeof(T)) / 2, std::is_signed_v<T>>::type;
    return convert_chunk<U, step, Lanes>(__builtin_convertvector(x, chunk<step, Lanes>));
  } else if constexpr (!is_float<T> && !is_float<U> && sizeof(T) < sizeof(U)) {
    using step = typename integer_of_size<static_cast<int>(sizeof(U)), std::is_signed_v<T>>::type;  // sign-extended if T is signed
    return (chunk<U, Lanes>)__builtin_convertvector(x, chunk<step, Lanes>);
  } else {
    return __builtin_convertvector(x, chunk<U, Lanes>);
  }
}

// Lanes First to First + Lanes - 1 of register x, which holds Held lanes.
template <class T, int First, int Lanes, int Held, class A>
EXPRAX_INLINE chunk<T, Lanes> take(A x) {
  if constexpr (Lanes == Held) return x;
  else return part_of<First>(x, std::make_integer_sequence<int, Lanes>{});
}

// Chunks first .. first + count - 1 of a pack, converted and concatenated.
template <class U, class T, int L, int Lanes, int First, int Count>
EXPRAX_INLINE chunk<U, Lanes * Count> convert_chunks(basic_pack<T, L> const& x) {
  if constexpr (Count == 1) {
    using from = layout<T, L>;
    constexpr int at = First * Lanes;
    return convert_chunk<U, T, Lanes>(take<T, at % from::used, Lanes, from::held>(x.reg[at / from::used]));
  } else {
    auto const low = convert_chunks<U, T, L, Lanes, First, Count / 2>(x);
    auto const high = convert_chunks<U, T, L, Lanes, First + Count / 2, Count / 2>(x);
    return joined(low, high, std::make_integer_sequence<int, Lanes * Count>{});
  }
}

// Between any two number types, without a check for values out of range.
template <class U, class T, int L>
EXPRAX_INLINE basic_pack<U, L> convert_plain(basic_pack<T, L> const& x) {
  if constexpr (has_resized_numbers<T, U, L>) return resized<resizing::numbers, U>(x);
  else if constexpr (is_float<U> && sizeof(T) < 4 && has_resized_numbers<T, std::int32_t, L>)
    return convert_plain<U>(convert_plain<std::int32_t>(x));
  else if constexpr (has_halves<U, T>) return convert_halves<U>(x);
  using from = layout<T, L>;
  using to = layout<U, L>;
  constexpr int lanes = from::used < to::used ? from::used : to::used;
  constexpr int chunks = to::used / lanes;
  basic_pack<U, L> r;
  [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
    [[maybe_unused]] auto const one = [&]<int J>(std::integral_constant<int, J>) EXPRAX_LAMBDA_INLINE {
      auto const y = convert_chunks<U, T, L, lanes, J * chunks, chunks>(x);
      if constexpr (to::used == to::held) r.reg[J] = y;
      else r.reg[J] = part_of<0, to::used>(y, std::make_integer_sequence<int, to::held>{});
    };
    (one(std::integral_constant<int, I>{}), ...);
  }(typename to::indices{});
  return r;
}

// Unsigned integers of 4 bytes to doubles: as signed ones that are 2^31 smaller. clang knows that itself.
template <class T, class U>
inline constexpr bool has_signed_detour =
#if defined(__clang__)
    false;
#else
    !masks_are_bits && std::is_same_v<T, std::uint32_t> && std::is_same_v<U, double>;
#endif

}  // namespace detail

// The same bits as another type of the same size.
template <class U, class T, int L>
EXPRAX_INLINE basic_pack<U, L> bitcast(basic_pack<T, L> x) {
  return detail::reinterpret<basic_pack<U, L>>(x);
}

// As in C, but total: values out of range saturate, NaN gives 0. To bool: not zero; from bool: 1 and 0.
template <class U, class T, int L>
EXPRAX_INLINE basic_pack<U, L> convert(basic_pack<T, L> x) {
  using P = basic_pack<T, L>;
  using R = basic_pack<U, L>;
  if constexpr (std::is_same_v<T, U>) {
    return x;
  } else if constexpr (requires { x.bits.template ones<U>(); }) {
    return x.bits.template ones<U>();
  } else if constexpr (std::is_same_v<T, bool>) {
    return select(x, R(U(1)), R(U(0)));
  } else if constexpr (std::is_same_v<U, bool>) {
    return x != P(T(0));
  } else if constexpr (std::is_same_v<T, float> && detail::has_saturated<U, double, L>) {
    return convert<U>(convert<double>(x));
  } else if constexpr (detail::has_signed_detour<T, U>) {
    return convert<double>(bitcast<std::int32_t>(x ^ P(T(1) << 31))) + R(0x1p31);
  } else if constexpr (detail::has_saturated<U, T, L>) {
    return detail::each_register<R>([](auto v) EXPRAX_LAMBDA_INLINE { return detail::saturated<U, T, P::layout::bytes>(v); }, x);
  } else if constexpr (detail::has_exact_limits<U, T>) {
    // 32-bit integers hold what is between the limits of shorter ones.
    if constexpr (detail::has_saturated_narrowed<T, U> && P::layout::bytes == 64)
      return detail::convert_plain<U>(x);
    else if constexpr (detail::has_saturated_resizing<U, L>)
      return detail::resized<detail::resizing::saturated, U>(detail::convert_plain<std::int32_t>(detail::bounded_above<U>(x)));
    else if constexpr (sizeof(U) < 4) return convert<U>(detail::convert_plain<std::int32_t>(detail::bounded_by<U>(x)));
    else if constexpr (std::is_signed_v<U>) return detail::convert_plain<U>(detail::bounded_above<U>(x));
    else return detail::convert_plain<U>(detail::bounded_by<U>(x));
  } else if constexpr (detail::is_float<T> && !detail::is_float<U> && sizeof(U) < 4) {
    // Both limits are numbers of T, and 32-bit integers hold what is between them. An unsigned low takes the place of NaN, too.
    constexpr T low = std::numeric_limits<U>::min(), high = std::numeric_limits<U>::max();
    P const known = std::is_signed_v<U> ? select(isnan(x), P(T(0)), x) : x;
    P const from_low = select(known > P(low), known, P(low));
    return detail::convert_plain<U>(detail::convert_plain<std::int32_t>(select(from_low < P(high), from_low, P(high))));
  } else if constexpr (detail::is_float<T> && !detail::is_float<U>) {
    constexpr T low = static_cast<T>(std::numeric_limits<U>::min());
    constexpr T high = static_cast<T>(std::numeric_limits<U>::max() / 2 + 1) * T(2);  // one more than the largest
    auto const above = x >= P(high);
    P const known = select(above | isnan(x), P(T(0)), x);
    P const inside = select(known < P(low), P(low), known);
    return select(above, R(std::numeric_limits<U>::max()), detail::convert_plain<U>(inside));
  } else {
    return detail::convert_plain<U>(x);
  }
}

}  // namespace exprax::simd

#endif
