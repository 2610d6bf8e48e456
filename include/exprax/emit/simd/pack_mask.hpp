// SPDX-License-Identifier: BSL-1.0
// pack<bool, L>, the mask of every pack of L elements. AVX-512: one bit per lane (pack_mask_words.hpp). Elsewhere: integers.
#pragma once

#include <exprax/emit/simd/pack_compare.hpp>
#include <exprax/emit/simd/pack_mask_words.hpp>
#include <exprax/emit/simd/pack_widths.hpp>

#if EXPRAX_SIMD

namespace exprax::simd {

namespace detail {

#if !defined(__AVX512F__) || !defined(__AVX512BW__) || !defined(__AVX512DQ__) || !defined(__AVX512VL__)

template <class V>
EXPRAX_INLINE V inverted(V m) {
  return ~m;
}
template <class V>
EXPRAX_INLINE V without(V a, V b) {
  return a & ~b;
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
  // The signs of four masks of 8 bytes are bits, which one multiplication puts into four bytes.
  template <class U>
    requires(!is_float<U> && sizeof(U) == 1 && L == 4 && sizeof(integer) == 8)
  EXPRAX_INLINE basic_pack<U, L> ones() const {
    basic_pack<U, L> r;
    auto const bytes = static_cast<std::uint32_t>(word()) * 0x00204081u & 0x01010101u;
    r.reg[0] = (typename basic_pack<U, L>::layout::reg)vec<std::uint32_t, 16>{bytes};
    return r;
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
  // a & ~b
  EXPRAX_INLINE friend basic_pack and_not(basic_pack a, basic_pack b) {
    return each([](auto x, auto y) EXPRAX_LAMBDA_INLINE { return detail::without(x, y); }, a, b);
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
