// SPDX-License-Identifier: BSL-1.0
// pack<bool, L>, the mask of every pack of L elements. AVX-512: one bit per lane, in words of up to 16 lanes, the lanes of a float
// register; with clang of up to 64, because it would split and join shorter ones for short integers. Elsewhere: integers.
#pragma once

#include <exprax/emit/simd/pack_compare.hpp>
#include <exprax/emit/simd/pack_widths.hpp>

#if EXPRAX_SIMD

namespace exprax::simd {

namespace detail {

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)

// An integer that comes from a comparison would leave the mask registers for ~ with g++.
EXPRAX_INLINE std::uint16_t inverted(std::uint16_t m) { return _knot_mask16(m); }
EXPRAX_INLINE std::uint8_t inverted(std::uint8_t m) { return _knot_mask8(m); }
EXPRAX_INLINE std::uint32_t inverted(std::uint32_t m) { return _knot_mask32(m); }
EXPRAX_INLINE std::uint64_t inverted(std::uint64_t m) { return _knot_mask64(m); }

#if defined(__clang__)
inline constexpr int max_mask_word = 64;
#else
inline constexpr int max_mask_word = 16;
#endif

template <int L>
struct mask_layout {
  static constexpr int used = L < max_mask_word ? L : max_mask_word;
  static constexpr int registers = L / used;
  using reg = typename integer_of_size<used <= 8 ? 1 : used / 8, false>::type;
  using indices = std::make_integer_sequence<int, registers>;
  static constexpr reg ones = static_cast<reg>(~std::uint64_t{0} >> (64 - used));
};

template <int L>
struct mask_storage {
  using layout = mask_layout<L>;
  typename layout::reg reg[layout::registers];

  EXPRAX_INLINE static mask_storage filled(bool x) {
    mask_storage r;
    [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      ((r.reg[I] = x ? layout::ones : typename layout::reg(0)), ...);
    }(typename layout::indices{});
    return r;
  }
  template <relation R, class T>
  EXPRAX_INLINE static mask_storage compare(basic_pack<T, L> const& a, basic_pack<T, L> const& b) {
    using of = detail::layout<T, L>;
    return gather<T>([&]<int I>(std::integral_constant<int, I>) EXPRAX_LAMBDA_INLINE {
      return compare_register<R, T, of::bytes>(a.reg[I], b.reg[I]);
    });
  }
  template <class T>
  EXPRAX_INLINE static basic_pack<T, L> choose(mask_storage const& m, basic_pack<T, L> const& a, basic_pack<T, L> const& b) {
    using of = detail::layout<T, L>;
    basic_pack<T, L> r;
    [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      ((r.reg[I] = select_register<T, of::bytes>(m.template lanes_of<T, I>(), a.reg[I], b.reg[I])), ...);
    }(typename of::indices{});
    return r;
  }
  // The bits of register I of a pack of T.
  template <class T, int I>
  EXPRAX_INLINE auto lanes_of() const {
    constexpr int n = detail::layout<T, L>::used;
    if constexpr (n == layout::used) {
      return reg[I];
    } else if constexpr (n < layout::used) {
      auto const word = reg[I * n / layout::used];
      constexpr unsigned at = I * n % layout::used;
      using part = typename mask_layout<n>::reg;
      if constexpr (at == 0) return static_cast<part>(word);
      else if constexpr (layout::used == 64) return static_cast<part>(_kshiftri_mask64(word, at));
      else if constexpr (layout::used == 32) return static_cast<part>(_kshiftri_mask32(word, at));
      else return static_cast<part>(_kshiftri_mask16(word, at));
    } else {
      // Of words that come from one comparison g++ makes that comparison again.
      using word = typename integer_of_size<n / 8, false>::type;
      return [&]<int... W>(std::integer_sequence<int, W...>) EXPRAX_LAMBDA_INLINE {
        constexpr int words = sizeof...(W);
        return static_cast<word>(((static_cast<word>(reg[words * I + W]) << (W * layout::used)) | ...));
      }(std::make_integer_sequence<int, n / layout::used>{});
    }
  }
  // Built from the bits of each register of a pack of T.
  template <class T, class F>
  EXPRAX_INLINE static mask_storage gather(F bits_of_register) {
    constexpr int n = detail::layout<T, L>::used;
    mask_storage r;
    [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      ((r.reg[I] = word_of<n, I>(bits_of_register)), ...);
    }(typename layout::indices{});
    return r;
  }
  template <class F>
  EXPRAX_INLINE static mask_storage each(F f, mask_storage const& a, mask_storage const& b) {
    mask_storage r;
    [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      ((r.reg[I] = static_cast<typename layout::reg>(f(a.reg[I], b.reg[I]))), ...);
    }(typename layout::indices{});
    return r;
  }
  EXPRAX_INLINE bool any() const {
    return [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      return ((reg[I] | ...) & layout::ones) != 0;
    }(typename layout::indices{});
  }
  // A bit for each lane.
  EXPRAX_INLINE std::uint64_t word() const {
    return [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      return ((static_cast<std::uint64_t>(reg[I] & layout::ones) << (I * layout::used)) | ...);
    }(typename layout::indices{});
  }

 private:
  template <int N, int I, class F>
  EXPRAX_INLINE static typename layout::reg word_of(F bits) {
    constexpr int w = layout::used;
    if constexpr (N > w) return static_cast<typename layout::reg>(bits(std::integral_constant<int, I * w / N>{}) >> (I * w % N));
    else return joined<w, N, I>(bits);
  }
  // Word I of N lanes, from words of Part lanes.
  template <int N, int Part, int I, class F>
  EXPRAX_INLINE static auto joined(F bits) {
    if constexpr (N == Part) {
      return static_cast<typename mask_layout<N>::reg>(bits(std::integral_constant<int, I>{}));
    } else {
      auto const low = joined<N / 2, Part, 2 * I>(bits), high = joined<N / 2, Part, 2 * I + 1>(bits);
      if constexpr (N == 64) return static_cast<std::uint64_t>(_mm512_kunpackd(high, low));
      else if constexpr (N == 32) return static_cast<std::uint32_t>(_mm512_kunpackw(high, low));
      else if constexpr (N == 16) return static_cast<std::uint16_t>(_mm512_kunpackb(high, low));
      else return static_cast<std::uint8_t>((low & ((1u << N / 2) - 1u)) | (high << N / 2));
    }
  }
};

#else

template <class V>
EXPRAX_INLINE V inverted(V m) {
  return ~m;
}

template <int L>
struct mask_storage {
  using integer = mask_integer<L>;
  using lanes = basic_pack<integer, L>;
  using layout = typename lanes::layout;
  lanes value;

  EXPRAX_INLINE static mask_storage filled(bool x) { return {lanes(x ? integer(-1) : integer(0))}; }
  template <relation R, class T>
  EXPRAX_INLINE static mask_storage compare(basic_pack<T, L> const& a, basic_pack<T, L> const& b) {
    using all = basic_pack<signed_of<T>, L>;
    auto const of = each_register<all>(
        [](auto x, auto y) EXPRAX_LAMBDA_INLINE { return compared_register<R, T, all::layout::bytes>(x, y); }, a, b);
    if constexpr (packs_to_bytes<signed_of<T>, L>) return {packed_to_bytes<L>(of)};
    else return {masks_of<integer>(of)};
  }
  template <class T>
  EXPRAX_INLINE static basic_pack<T, L> choose(mask_storage const& m, basic_pack<T, L> const& a, basic_pack<T, L> const& b) {
    constexpr int bytes = detail::layout<T, L>::bytes;
    return each_register<basic_pack<T, L>>([](auto c, auto x, auto y) EXPRAX_LAMBDA_INLINE {
      using condition = typename batch_of<T, bytes>::batch_bool_type;
      return from_batch<T, bytes>(
          xsimd::select(condition((typename condition::register_type)c), to_batch<T, bytes>(x), to_batch<T, bytes>(y)));
    }, masks_of<signed_of<T>>(m.value), a, b);
  }
  template <class F>
  EXPRAX_INLINE static mask_storage each(F f, mask_storage const& a, mask_storage const& b) {
    return {each_register<lanes>(f, a.value, b.value)};
  }
  EXPRAX_INLINE bool any() const {
    auto const all = [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      return (value.reg[I] | ...);
    }(typename layout::indices{});
    using condition = typename batch_of<integer, layout::bytes>::batch_bool_type;
    return xsimd::any(condition((typename condition::register_type)all));
  }
  // Bytes of 0 and 1, and as integers that are not shorter than masks.
  EXPRAX_INLINE static mask_storage from_bytes(basic_pack<std::uint8_t, L> const& x) {
    using bytes = basic_pack<std::int8_t, L>;
    if constexpr (register_bytes == 16) return compare<relation::gt>(reinterpret<bytes>(x), bytes(0));
    else return {lanes(integer(0)) - convert<integer>(x)};
  }
  template <class U>
    requires(!is_float<U> && sizeof(U) >= sizeof(integer))
  EXPRAX_INLINE basic_pack<U, L> ones() const {
    return convert<U>(reinterpret<basic_pack<std::make_unsigned_t<integer>, L>>(value & lanes(integer(1))));
  }
  // One bit per lane.
  EXPRAX_INLINE std::uint64_t word() const {
    return [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      return (((signs_of(value.reg[I]) & (~std::uint64_t{0} >> (64 - layout::used))) << (I * layout::used)) | ...);
    }(typename layout::indices{});
  }

 private:
  EXPRAX_INLINE static std::uint64_t signs_of(typename layout::reg x) {
#if defined(__AVX__)
    if constexpr (layout::bytes == 32 && sizeof(integer) == 4) return static_cast<unsigned>(_mm256_movemask_ps((__m256)x));
    if constexpr (layout::bytes == 32 && sizeof(integer) == 8) return static_cast<unsigned>(_mm256_movemask_pd((__m256d)x));
#endif
#if defined(__AVX2__)
    if constexpr (layout::bytes == 32 && sizeof(integer) == 1) return static_cast<unsigned>(_mm256_movemask_epi8((__m256i)x));
    if constexpr (layout::bytes == 32 && sizeof(integer) == 2) {
      // The lower half of each half.
      unsigned const bits = static_cast<unsigned>(_mm256_movemask_epi8(_mm256_packs_epi16((__m256i)x, _mm256_setzero_si256())));
      return (bits & 0xff) | (bits >> 8 & 0xff00);
    }
#endif
#if defined(__SSE2__)
    if constexpr (layout::bytes == 16 && sizeof(integer) == 4) return static_cast<unsigned>(_mm_movemask_ps((__m128)x));
    if constexpr (layout::bytes == 16 && sizeof(integer) == 8) return static_cast<unsigned>(_mm_movemask_pd((__m128d)x));
    if constexpr (layout::bytes == 16 && sizeof(integer) == 1) return static_cast<unsigned>(_mm_movemask_epi8((__m128i)x));
    if constexpr (layout::bytes == 16 && sizeof(integer) == 2)
      return static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16((__m128i)x, _mm_setzero_si128())));
#endif
    std::uint64_t bits = 0;
    for (int i = 0; i < layout::used; ++i) bits |= static_cast<std::uint64_t>(x[i] != 0) << i;
    return bits;
  }
};

#endif

}  // namespace detail

template <int L>
struct basic_pack<bool, L> {
  using value_type = bool;
  using mask = basic_pack;
  template <class U>
  using rebind = basic_pack<U, L>;
  static constexpr int size = L;

  detail::mask_storage<L> bits;

  basic_pack() = default;
  EXPRAX_INLINE explicit basic_pack(bool x) : bits(detail::mask_storage<L>::filled(x)) {}
  EXPRAX_INLINE explicit basic_pack(detail::mask_storage<L> const& b) : bits(b) {}

  template <detail::relation R, class T>
  EXPRAX_INLINE static basic_pack compare(basic_pack<T, L> const& a, basic_pack<T, L> const& b) {
    return basic_pack(detail::mask_storage<L>::template compare<R, T>(a, b));
  }
  template <class T>
  EXPRAX_INLINE static basic_pack<T, L> choose(basic_pack const& m, basic_pack<T, L> const& a, basic_pack<T, L> const& b) {
    return detail::mask_storage<L>::template choose<T>(m.bits, a, b);
  }

  EXPRAX_INLINE friend basic_pack operator&(basic_pack a, basic_pack b) {
    return each([](auto x, auto y) EXPRAX_LAMBDA_INLINE { return x & y; }, a, b);
  }
  EXPRAX_INLINE friend basic_pack operator|(basic_pack a, basic_pack b) {
    return each([](auto x, auto y) EXPRAX_LAMBDA_INLINE { return x | y; }, a, b);
  }
  EXPRAX_INLINE friend basic_pack operator^(basic_pack a, basic_pack b) {
    return each([](auto x, auto y) EXPRAX_LAMBDA_INLINE { return x ^ y; }, a, b);
  }
  EXPRAX_INLINE friend basic_pack operator~(basic_pack a) {
    return each([](auto x, auto) EXPRAX_LAMBDA_INLINE { return detail::inverted(x); }, a, a);
  }
  // false < true
  EXPRAX_INLINE friend basic_pack operator==(basic_pack a, basic_pack b) { return ~(a ^ b); }
  EXPRAX_INLINE friend basic_pack operator!=(basic_pack a, basic_pack b) { return a ^ b; }
  EXPRAX_INLINE friend basic_pack operator<(basic_pack a, basic_pack b) { return ~a & b; }
  EXPRAX_INLINE friend basic_pack operator<=(basic_pack a, basic_pack b) { return ~a | b; }
  EXPRAX_INLINE friend basic_pack operator>(basic_pack a, basic_pack b) { return a & ~b; }
  EXPRAX_INLINE friend basic_pack operator>=(basic_pack a, basic_pack b) { return a | ~b; }
  EXPRAX_INLINE friend basic_pack select(basic_pack m, basic_pack a, basic_pack b) { return (m & a) | (~m & b); }
  EXPRAX_INLINE friend basic_pack maximum(basic_pack a, basic_pack b) { return a | b; }
  EXPRAX_INLINE friend basic_pack minimum(basic_pack a, basic_pack b) { return a & b; }
  EXPRAX_INLINE friend bool any(basic_pack m) { return m.bits.any(); }
  EXPRAX_INLINE friend bool all(basic_pack m) { return !any(~m); }
  // One bit per lane.
  EXPRAX_INLINE friend std::uint64_t bits_of(basic_pack m) { return m.bits.word(); }

 private:
  template <class F>
  EXPRAX_INLINE static basic_pack each(F f, basic_pack a, basic_pack b) {
    return basic_pack(detail::mask_storage<L>::each(f, a.bits, b.bits));
  }
};

}  // namespace exprax::simd

#endif
