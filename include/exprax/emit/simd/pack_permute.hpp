// SPDX-License-Identifier: BSL-1.0
// Constant permutations of lanes, within one pack, from two, and between arrays of packs (slices, pads and transposes of small arrays that
// stay in registers). Each source register of a result register after the first costs one shuffle.
#pragma once

#include <exprax/emit/simd/pack_convert.hpp>
#include <exprax/emit/simd/pack_mask.hpp>
#include <exprax/emit/simd/pack_memory.hpp>

#if EXPRAX_SIMD

namespace exprax::simd {

namespace detail {

// The sources of one result register: source registers in the order of first use, and lanes in them.
template <int Held>
struct register_route {
  int sources = 0;
  int source[Held] = {};
  int from[Held] = {};  // the source, as an index into `source`; -1: any value
  int at[Held] = {};
};

// Table::at[i] is the lane, in the concatenated inputs, that lane i of the concatenated results takes; -1 for any value.
template <class Table, int Result, int Used, int Held>
constexpr register_route<Held> make_route() {
  register_route<Held> r;
  for (int i = 0; i < Held; ++i) {
    int const lane = i < Used ? Table::at[Result * Used + i] : -1;
    r.from[i] = -1;
    if (lane < 0) continue;
    int k = 0;
    while (k < r.sources && r.source[k] != lane / Used) ++k;
    if (k == r.sources) r.source[r.sources++] = lane / Used;
    r.from[i] = k;
    r.at[i] = lane % Used;
  }
  return r;
}
template <class Table, int Result, int Used, int Held>
inline constexpr register_route<Held> route = make_route<Table, Result, Used, Held>();

// Lane i when sources K and K + 1 are the operands (K = 0), or the result so far and source K.
template <class Table, int Result, int Used, int Held, int K>
constexpr int shuffle_index(int i) {
  auto const& r = route<Table, Result, Used, Held>;
  if (r.from[i] < 0 || r.from[i] > (K == 0 ? 1 : K)) return -1;
  if (K == 0) return r.from[i] * Held + r.at[i];
  return r.from[i] == K ? Held + r.at[i] : i;
}

template <class Table, int Result, int Used, int Held, int K, class Reg, int... I>
EXPRAX_INLINE Reg shuffle_step(Reg a, Reg b, std::integer_sequence<int, I...>) {
  return shuffle<shuffle_index<Table, Result, Used, Held, K>(I)...>(a, b);
}

template <class Table, int Result, int Used, int Held, int K, class Reg>
EXPRAX_INLINE Reg gather_rest(Reg so_far, Reg const* in) {
  constexpr auto const& r = route<Table, Result, Used, Held>;
  if constexpr (K >= r.sources) return so_far;
  else return gather_rest<Table, Result, Used, Held, K + 1>(
      shuffle_step<Table, Result, Used, Held, K>(so_far, in[r.source[K]], std::make_integer_sequence<int, Held>{}), in);
}

template <class Table, int Result, int Used, int Held>
constexpr bool is_copy() {
  auto const& r = route<Table, Result, Used, Held>;
  for (int i = 0; i < Held; ++i)
    if (r.from[i] >= 0 && r.at[i] != i) return false;
  return r.sources == 1;
}

template <class Table, int Result, int Used, int Held, class Reg>
EXPRAX_INLINE Reg gather_register(Reg const* in) {
  constexpr auto const& r = route<Table, Result, Used, Held>;
  if constexpr (r.sources == 0) {
    return Reg{};
  } else if constexpr (is_copy<Table, Result, Used, Held>()) {
    return in[r.source[0]];
  } else {
    Reg const a = in[r.source[0]];
    Reg const b = in[r.source[r.sources > 1 ? 1 : 0]];
    return gather_rest<Table, Result, Used, Held, 2>(
        shuffle_step<Table, Result, Used, Held, 0>(a, b, std::make_integer_sequence<int, Held>{}), in);
  }
}

// All registers of out, by a table in lanes.
template <class Table, class P, class Reg>
EXPRAX_INLINE void permute_registers(Reg const* in, P* out) {
  using of = typename P::layout;
  [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
    ((out[I / of::registers].reg[I % of::registers] = gather_register<Table, I, of::used, of::held>(in)), ...);
  }(std::make_integer_sequence<int, of::registers * Table::size / P::size>{});
}

template <int... I>
struct index_list {
  static constexpr int size = sizeof...(I);
  static constexpr int at[sizeof...(I)] = {I...};
};

// Table with lane i of one more input, which starts at lane `Fill`, in place of fill_lane (see permute_wide).
template <class Table, int Size, int L, int Fill>
struct filled_table {
  static constexpr int size = Size;
  struct indices {
    int of[Size];
    constexpr int operator[](int i) const { return of[i]; }
  };
  static constexpr indices make() {
    indices r{};
    for (int i = 0; i < Size; ++i) r.of[i] = Table::at[i] < 0 ? Fill + i % L : Table::at[i];
    return r;
  }
  static constexpr indices at = make();
};

}  // namespace detail

// Lane k of the result is lane I[k] of v, or of a and b concatenated; -1 is any value.
template <int... I, class T, int L>
EXPRAX_INLINE basic_pack<T, L> permute(basic_pack<T, L> v) {
  static_assert(sizeof...(I) == L, "exprax: permute takes an index for each lane");
  if constexpr (std::is_same_v<T, bool>) {
    return detail::from_bytes<L>(permute<I...>(convert<std::uint8_t>(v)));
  } else {
    basic_pack<T, L> r;
    detail::permute_registers<detail::index_list<I...>>(v.reg, &r);
    return r;
  }
}
template <int... I, class T, int L>
EXPRAX_INLINE basic_pack<T, L> permute(basic_pack<T, L> a, basic_pack<T, L> b) {
  static_assert(sizeof...(I) == L, "exprax: permute takes an index for each lane");
  if constexpr (std::is_same_v<T, bool>) {
    return detail::from_bytes<L>(permute<I...>(convert<std::uint8_t>(a), convert<std::uint8_t>(b)));
  } else {
    using of = detail::layout<T, L>;
    typename of::reg in[2 * of::registers];
    [&]<int... R>(std::integer_sequence<int, R...>) EXPRAX_LAMBDA_INLINE {
      ((in[R] = a.reg[R], in[of::registers + R] = b.reg[R]), ...);
    }(typename of::indices{});
    basic_pack<T, L> r;
    detail::permute_registers<detail::index_list<I...>>(in, &r);
    return r;
  }
}

inline constexpr int fill_lane = -1;

// Lane i of out[k] is lane Table::at[k * L + i] of the concatenated inputs; where that is fill_lane, lane i of fill.
template <class Table, int NO, int NI, class T, int L>
EXPRAX_INLINE void permute_wide(basic_pack<T, L> const (&in)[NI], basic_pack<T, L> (&out)[NO], basic_pack<T, L> fill) {
  if constexpr (std::is_same_v<T, bool>) {
    using bytes = basic_pack<std::uint8_t, L>;
    bytes from[NI];
    bytes to[NO];
    for (int i = 0; i < NI; ++i) from[i] = convert<std::uint8_t>(in[i]);
    permute_wide<Table>(from, to, convert<std::uint8_t>(fill));
    for (int i = 0; i < NO; ++i) out[i] = detail::from_bytes<L>(to[i]);
  } else {
    using of = detail::layout<T, L>;
    typename of::reg all[(NI + 1) * of::registers];
    [&]<int... R>(std::integer_sequence<int, R...>) EXPRAX_LAMBDA_INLINE {
      ((all[R] = in[R / of::registers].reg[R % of::registers]), ...);
    }(std::make_integer_sequence<int, NI * of::registers>{});
    [&]<int... R>(std::integer_sequence<int, R...>) EXPRAX_LAMBDA_INLINE {
      ((all[NI * of::registers + R] = fill.reg[R]), ...);
    }(typename of::indices{});
    detail::permute_registers<detail::filled_table<Table, NO * L, L, NI * L>>(all, out);
  }
}

namespace detail {
template <class P, int... I>
EXPRAX_INLINE P reversed(P v, std::integer_sequence<int, I...>) {
  return permute<(P::size - 1 - I)...>(v);
}
#if defined(__SSE2__) && !defined(__SSSE3__)
// Without an instruction that shuffles bytes g++ would move integers of 1 and 2 bytes one by one.
template <class T>
EXPRAX_INLINE vec<T, 16> reversed_register(vec<T, 16> v) {
  __m128i words = (__m128i)v;
  if constexpr (sizeof(T) == 1) words = _mm_or_si128(_mm_slli_epi16(words, 8), _mm_srli_epi16(words, 8));
  return (vec<T, 16>)_mm_shuffle_epi32(_mm_shufflehi_epi16(_mm_shufflelo_epi16(words, 0x1b), 0x1b), 0x4e);
}
template <class T, int L>
inline constexpr bool has_reversed_register = sizeof(T) <= 2 && !std::is_same_v<T, bool> && L * static_cast<int>(sizeof(T)) >= 16;
#else
template <class T, int L>
inline constexpr bool has_reversed_register = false;
template <class T>
void reversed_register(vec<T, 16>) = delete;
#endif
}  // namespace detail

// The first half of the lanes (0), or the second one (1).
template <int Half, class T, int L>
EXPRAX_INLINE basic_pack<T, L / 2> half_of(basic_pack<T, L> v) {
  using from = detail::layout<T, L>;
  using to = detail::layout<T, L / 2>;
  basic_pack<T, L / 2> r;
  if constexpr (from::registers > 1) {
    for (int i = 0; i < to::registers; ++i) r.reg[i] = v.reg[Half * to::registers + i];
  } else {
    r.reg[0] = detail::part_of<Half * (L / 2), L / 2>(v.reg[0], std::make_integer_sequence<int, to::held>{});
  }
  return r;
}

// The lanes in reverse order.
template <class T, int L>
EXPRAX_INLINE basic_pack<T, L> reverse(basic_pack<T, L> v) {
  if constexpr (detail::has_reversed_register<T, L>) {
    basic_pack<T, L> r;
    [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      ((r.reg[I] = detail::reversed_register<T>(v.reg[sizeof...(I) - 1 - I])), ...);
    }(typename detail::layout<T, L>::indices{});
    return r;
  } else {
    return detail::reversed(v, std::make_integer_sequence<int, L>{});
  }
}

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
// Compresses the lanes whose bit is one into the first lanes; the others are zero.
EXPRAX_INLINE basic_pack<std::int32_t, 16> compress(basic_pack<std::int32_t, 16> x, unsigned bits) {
  x.reg[0] = detail::compress_register(bits, x.reg[0]);
  return x;
}
#endif

}  // namespace exprax::simd

#endif
