// SPDX-License-Identifier: BSL-1.0
// Masks of AVX-512: one bit per lane, in words of up to 64 lanes.
#pragma once

#include <type_traits>

#include <exprax/emit/simd/pack_compare.hpp>

#if EXPRAX_SIMD && defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)

namespace exprax::simd::detail {

// An integer that comes from a comparison would leave the mask registers for ~ with g++.
EXPRAX_INLINE std::uint16_t inverted(std::uint16_t m) { return _knot_mask16(m); }
EXPRAX_INLINE std::uint8_t inverted(std::uint8_t m) { return _knot_mask8(m); }
EXPRAX_INLINE std::uint32_t inverted(std::uint32_t m) { return _knot_mask32(m); }
EXPRAX_INLINE std::uint64_t inverted(std::uint64_t m) { return _knot_mask64(m); }
// a & ~b. Of two comparisons g++ would make one that waits for the other.
EXPRAX_INLINE std::uint16_t without(std::uint16_t a, std::uint16_t b) { return _kandn_mask16(b, a); }
EXPRAX_INLINE std::uint8_t without(std::uint8_t a, std::uint8_t b) { return _kandn_mask8(b, a); }
EXPRAX_INLINE std::uint32_t without(std::uint32_t a, std::uint32_t b) { return _kandn_mask32(b, a); }
EXPRAX_INLINE std::uint64_t without(std::uint64_t a, std::uint64_t b) { return _kandn_mask64(b, a); }

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
  // A bit for each lane: there are up to 64.
  EXPRAX_INLINE std::uint64_t word() const {
    static_assert(words<64>::registers == 1);
    return static_cast<std::uint64_t>(words<64>::reg[0] & words<64>::ones);
  }

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

}  // namespace exprax::simd::detail

#endif
