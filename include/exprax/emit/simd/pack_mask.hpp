// SPDX-License-Identifier: BSL-1.0
// pack<bool, L>, the mask of every pack of L elements. AVX-512: one bit per lane, in words of up to 64 lanes, the lanes of a register of
// bytes. Elsewhere: integers.
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

// The bits of L lanes in words of up to Most lanes.
template <int L, int Most>
struct mask_words {
  static constexpr int used = L < Most ? L : Most;
  static constexpr int registers = L / used;
  using word = typename integer_of_size<used <= 8 ? 1 : used / 8, false>::type;
  using indices = std::make_integer_sequence<int, registers>;
  static constexpr word ones = static_cast<word>(~std::uint64_t{0} >> (64 - used));
  word reg[registers];

  // f(integral_constant<int, I>) for word I.
  template <class F>
  EXPRAX_INLINE static mask_words of(F f) {
    mask_words r;
    [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      ((r.reg[I] = static_cast<word>(f(std::integral_constant<int, I>{}))), ...);
    }(indices{});
    return r;
  }
  // From words of another number of lanes.
  template <int Other>
  EXPRAX_INLINE static mask_words from(mask_words<L, Other> const& x) {
    constexpr int lanes = mask_words<L, Other>::used;
    return of([&]<int I>(std::integral_constant<int, I>) EXPRAX_LAMBDA_INLINE {
      if constexpr (lanes > used) return x.template part<used, I>();
      else return joined<used, I>(x);
    });
  }
  // Word I of words of Lanes lanes.
  template <int Lanes, int I>
  EXPRAX_INLINE auto part() const {
    using part = typename mask_words<Lanes, Lanes>::word;
    auto const whole = reg[I * Lanes / used];
    constexpr unsigned at = I * Lanes % used;
    if constexpr (at == 0) return static_cast<part>(whole);
    else if constexpr (used == 64) return static_cast<part>(_kshiftri_mask64(whole, at));
    else if constexpr (used == 32) return static_cast<part>(_kshiftri_mask32(whole, at));
    else return static_cast<part>(_kshiftri_mask16(whole, at));
  }

  EXPRAX_INLINE bool any() const {
    return [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE { return ((reg[I] | ...) & ones) != 0; }(indices{});
  }
  // All bits: there are up to 64.
  EXPRAX_INLINE std::uint64_t bits() const {
    return [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      return ((static_cast<std::uint64_t>(reg[I] & ones) << (I * used)) | ...);
    }(indices{});
  }

 private:
  // Word I of N lanes.
  template <int N, int I, int Other>
  EXPRAX_INLINE static auto joined(mask_words<L, Other> const& x) {
    if constexpr (N == mask_words<L, Other>::used) {
      return x.reg[I];
    } else {
      auto const low = joined<N / 2, 2 * I>(x), high = joined<N / 2, 2 * I + 1>(x);
      if constexpr (N == 64) return static_cast<std::uint64_t>(_mm512_kunpackd(high, low));
      else if constexpr (N == 32) return static_cast<std::uint32_t>(_mm512_kunpackw(high, low));
      else if constexpr (N == 16) return static_cast<std::uint16_t>(_mm512_kunpackb(high, low));
      else return static_cast<std::uint8_t>((low & ((1u << N / 2) - 1u)) | (high << N / 2));
    }
  }
};

// A mask has its bits in words of up to Most lanes, for each Most: the compiler removes the words that nothing reads. Words of 64 lanes
// are those of a register of bytes, words of 16 those of a register of floats.
template <int L, int... Most>
struct words_of_mask : mask_words<L, Most>... {
  static constexpr int fewest = [] {
    int least = 64;
    ((least = Most < least ? Most : least), ...);
    return least;
  }();
  // The words that registers of so many lanes read.
  template <int Lanes>
  using words = mask_words<L, (Lanes <= fewest ? fewest : 64)>;

  EXPRAX_INLINE static words_of_mask filled(bool x) {
    return of([x]<class Words>(Words*) EXPRAX_LAMBDA_INLINE {
      return Words::of([x](auto) EXPRAX_LAMBDA_INLINE { return x ? Words::ones : typename Words::word(0); });
    });
  }
  template <relation R, class T>
  EXPRAX_INLINE static words_of_mask compare(basic_pack<T, L> const& a, basic_pack<T, L> const& b) {
    using of = detail::layout<T, L>;
    return gather<T>([&]<int I>(std::integral_constant<int, I>) EXPRAX_LAMBDA_INLINE {
      return compare_register<R, T, of::bytes>(a.reg[I], b.reg[I]);
    });
  }
  template <class T>
  EXPRAX_INLINE static basic_pack<T, L> choose(words_of_mask const& m, basic_pack<T, L> const& a, basic_pack<T, L> const& b) {
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
    constexpr int lanes = detail::layout<T, L>::used;
    return words<lanes>::template part<lanes, I>();
  }
  // Built from the bits of each register of a pack of T.
  template <class T, class F>
  EXPRAX_INLINE static words_of_mask gather(F bits_of_register) {
    constexpr int lanes = detail::layout<T, L>::used;
    auto const in_registers = mask_words<L, lanes>::of(bits_of_register);
    return of([&]<class Words>(Words*) EXPRAX_LAMBDA_INLINE { return Words::from(in_registers); });
  }
  template <class F>
  EXPRAX_INLINE static words_of_mask each(F f, words_of_mask const& a, words_of_mask const& b) {
    return of([&]<class Words>(Words*) EXPRAX_LAMBDA_INLINE {
      Words const &left = a, &right = b;
      return Words::of([&]<int I>(std::integral_constant<int, I>) EXPRAX_LAMBDA_INLINE { return f(left.reg[I], right.reg[I]); });
    });
  }
  EXPRAX_INLINE bool any() const { return words<1>::any(); }
  // A bit for each lane.
  EXPRAX_INLINE std::uint64_t word() const { return words<64>::bits(); }

 private:
  // f(pointer) for each kind of words.
  template <class F>
  EXPRAX_INLINE static words_of_mask of(F f) {
    words_of_mask r;
    ((static_cast<mask_words<L, Most>&>(r) = f(static_cast<mask_words<L, Most>*>(nullptr))), ...);
    return r;
  }
};

// clang knows which bits are joined into words and taken out of them again; g++ does not.
#if defined(__clang__)
template <int L>
using mask_storage = words_of_mask<L, 64>;
#else
template <int L>
using mask_storage = std::conditional_t<(L > 16), words_of_mask<L, 64, 16>, words_of_mask<L, 64>>;
#endif

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
