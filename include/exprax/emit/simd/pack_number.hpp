// SPDX-License-Identifier: BSL-1.0
// pack<T, L> for numbers: L elements of T in SIMD registers, with the functions of lane<T>.
// Longer than 300 lines: one class.
#pragma once

#include <exprax/base/target.hpp>
#include <exprax/emit/simd/pack_register.hpp>

namespace exprax::simd {

#if EXPRAX_SIMD
// The number of elements of T in the widest register.
template <class T>
inline constexpr int native_lanes = register_bytes / static_cast<int>(sizeof(T));
#else
inline constexpr int register_bytes = this_target.register_bytes;
template <class T>
inline constexpr int native_lanes = 1;
#endif

template <class T, int L>
struct basic_pack;
template <class T, int L>
using pack = std::conditional_t<L == 1, lane<T>, basic_pack<T, L>>;

}  // namespace exprax::simd

#if EXPRAX_SIMD

#include <exprax/emit/simd/pack_avx512.hpp>
#include <exprax/emit/simd/pack_extrema.hpp>

namespace exprax::simd {

namespace detail {

// The layout of L elements of T in registers. The unused lanes of a partial register are unspecified.
template <class T, int L>
struct layout {
  static constexpr int total = L * static_cast<int>(sizeof(T));
  static constexpr int bytes = total < 16 ? 16 : total > register_bytes ? register_bytes : total;
  static constexpr int registers = total <= bytes ? 1 : total / bytes;
  static constexpr int used = L / registers;                            // lanes used in each register
  static constexpr int held = bytes / static_cast<int>(sizeof(T));  // lanes of a register
  using reg = vec<T, bytes>;
  using indices = std::make_integer_sequence<int, registers>;
};

// f on each register of the operands. By fold expressions, because g++ -O2 keeps arrays that loops fill in memory.
template <class P, class F, class... A>
EXPRAX_INLINE P each_register(F f, A const&... a) {
  P r;
  [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
    [[maybe_unused]] auto const one = [&]<int J>(std::integral_constant<int, J>) EXPRAX_LAMBDA_INLINE { r.reg[J] = f(a.reg[J]...); };
    (one(std::integral_constant<int, I>{}), ...);
  }(typename P::layout::indices{});
  return r;
}

// Whether all lanes are the same number, which is known when this is compiled. g++ makes shifts by vectors, where the target has none,
// before it knows more.
template <class V, int N>
EXPRAX_INLINE bool is_one_number([[maybe_unused]] V const (&x)[N]) {
#if defined(__GNUC__) && !defined(__clang__)
  return [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
    constexpr int lanes = static_cast<int>(sizeof...(I)) / N;
    return ((__builtin_constant_p(x[I / lanes][I % lanes] == x[0][0]) && x[I / lanes][I % lanes] == x[0][0]) && ...) &&
           __builtin_constant_p(x[0][0]);
  }(std::make_integer_sequence<int, N * static_cast<int>(sizeof(V) / sizeof(x[0][0]))>{});
#else
  return false;
#endif
}
// Negative counts are treated as large ones.
template <class T>
EXPRAX_INLINE int count_of(T n) {
  return n < 0 || n > T(width_of<T>) ? width_of<T> : static_cast<int>(n);
}
// The registers of x as those of another element type of the same size.
template <class P, class A>
EXPRAX_INLINE P reinterpret(A const& x) {
  return each_register<P>([](auto v) EXPRAX_LAMBDA_INLINE { return (typename P::layout::reg)v; }, x);
}

}  // namespace detail

template <class T, int L>
struct basic_pack {
  static_assert(L > 1 && (L & (L - 1)) == 0, "exprax: a pack has a power of two of elements");
  using value_type = T;
  using mask = basic_pack<bool, L>;
  template <class U>
  using rebind = basic_pack<U, L>;
  static constexpr int size = L;
  // Whether scale is one instruction.
  static constexpr bool has_scale = masks_are_bits && detail::is_float<T>;

  using layout = detail::layout<T, L>;
  typename layout::reg reg[layout::registers];

  basic_pack() = default;
  EXPRAX_INLINE explicit basic_pack(T x) {
    auto const all = detail::broadcast<T, layout::bytes>(x);
    [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE { ((reg[I] = all), ...); }(typename layout::indices{});
  }

  EXPRAX_INLINE friend basic_pack operator+(basic_pack a, basic_pack b) {
    if constexpr (detail::is_float<T>) return each([](auto x, auto y) EXPRAX_LAMBDA_INLINE { return x + y; }, a, b);
    else return each([](auto x, auto y) EXPRAX_LAMBDA_INLINE { return word(unsign(x) + unsign(y)); }, a, b);
  }
  EXPRAX_INLINE friend basic_pack operator-(basic_pack a, basic_pack b) {
    if constexpr (detail::is_float<T>) return each([](auto x, auto y) EXPRAX_LAMBDA_INLINE { return x - y; }, a, b);
    else return each([](auto x, auto y) EXPRAX_LAMBDA_INLINE { return word(unsign(x) - unsign(y)); }, a, b);
  }
  EXPRAX_INLINE friend basic_pack operator*(basic_pack a, basic_pack b) {
    if constexpr (detail::is_float<T>)
      return each([](auto x, auto y) EXPRAX_LAMBDA_INLINE { return detail::unfused_register<T, layout::bytes>(x * y); }, a, b);
    else return each([](auto x, auto y) EXPRAX_LAMBDA_INLINE { return word(unsign(x) * unsign(y)); }, a, b);
  }
  EXPRAX_INLINE friend basic_pack factor(basic_pack a, basic_pack b) {
    return each([](auto x, auto y) EXPRAX_LAMBDA_INLINE { return x * y; }, a, b);
  }
  // Of integers: pack_division.hpp.
  EXPRAX_INLINE friend basic_pack operator/(basic_pack a, basic_pack b)
    requires detail::is_float<T>
  {
    return each([](auto x, auto y) EXPRAX_LAMBDA_INLINE { return x / y; }, a, b);
  }
  EXPRAX_INLINE friend basic_pack operator-(basic_pack a) {
    if constexpr (detail::is_float<T>) return each([](auto x) EXPRAX_LAMBDA_INLINE { return -x; }, a);
    else return each([](auto x) EXPRAX_LAMBDA_INLINE { return word(-unsign(x)); }, a);
  }

  EXPRAX_INLINE friend basic_pack operator&(basic_pack a, basic_pack b) {
    return each([](auto x, auto y) EXPRAX_LAMBDA_INLINE { return word(unsign(x) & unsign(y)); }, a, b);
  }
  EXPRAX_INLINE friend basic_pack operator|(basic_pack a, basic_pack b) {
    return each([](auto x, auto y) EXPRAX_LAMBDA_INLINE { return word(unsign(x) | unsign(y)); }, a, b);
  }
  EXPRAX_INLINE friend basic_pack operator^(basic_pack a, basic_pack b) {
    return each([](auto x, auto y) EXPRAX_LAMBDA_INLINE { return word(unsign(x) ^ unsign(y)); }, a, b);
  }
  EXPRAX_INLINE friend basic_pack operator~(basic_pack a) {
    return each([](auto x) EXPRAX_LAMBDA_INLINE { return word(~unsign(x)); }, a);
  }
  EXPRAX_INLINE friend basic_pack operator<<(basic_pack a, int n) {
    if (n >= detail::width_of<T>) return basic_pack(T(0));
    return each([n](auto x) EXPRAX_LAMBDA_INLINE { return word(unsign(x) << static_cast<bits>(n)); }, a);
  }
  EXPRAX_INLINE friend basic_pack operator>>(basic_pack a, int n) {
    if (n >= detail::width_of<T>) {
      if constexpr (std::is_signed_v<T>) n = detail::width_of<T> - 1;
      else return basic_pack(T(0));
    }
    return each([n](auto x) EXPRAX_LAMBDA_INLINE { return x >> static_cast<T>(n); }, a);
  }
  // Unsigned integers; n is below the width.
  EXPRAX_INLINE friend basic_pack rotate_left(basic_pack x, basic_pack n) {
    if constexpr (detail::has_rotations<T>)
      return each([](auto v, auto k) EXPRAX_LAMBDA_INLINE { return detail::rotate_register<T, layout::bytes>(v, k); }, x, n);
    else return (x << n) | (x >> (basic_pack(T(detail::width_of<T>)) - n));
  }
  // Negative counts are treated as large ones.
  EXPRAX_INLINE friend basic_pack operator<<(basic_pack a, basic_pack n) {
    if (detail::is_one_number(n.reg)) return a << detail::count_of<T>(n.reg[0][0]);
    using unsigned_pack = basic_pack<bits, L>;
    auto const fits = bitcast<bits>(n) < unsigned_pack(static_cast<bits>(detail::width_of<T>));
    basic_pack const r = each([](auto x, auto k) EXPRAX_LAMBDA_INLINE { return word(unsign(x) << unsign(k)); }, a,
                              n & basic_pack(T(detail::width_of<T> - 1)));
    return select(fits, r, basic_pack(T(0)));
  }
  EXPRAX_INLINE friend basic_pack operator>>(basic_pack a, basic_pack n) {
    if (detail::is_one_number(n.reg)) return a >> detail::count_of<T>(n.reg[0][0]);
    using unsigned_pack = basic_pack<bits, L>;
    constexpr T last = T(detail::width_of<T> - 1);
    auto const fits = bitcast<bits>(n) < unsigned_pack(static_cast<bits>(detail::width_of<T>));
    auto const shifted = [](basic_pack x, basic_pack k)
                             EXPRAX_LAMBDA_INLINE { return each([](auto v, auto m) EXPRAX_LAMBDA_INLINE { return v >> m; }, x, k); };
    if constexpr (std::is_signed_v<T>) return shifted(a, select(fits, n, basic_pack(last)));
    else return select(fits, shifted(a, n & basic_pack(last)), basic_pack(T(0)));
  }

  EXPRAX_INLINE friend mask operator==(basic_pack a, basic_pack b) { return mask::template compare<detail::relation::eq>(a, b); }
  EXPRAX_INLINE friend mask operator!=(basic_pack a, basic_pack b) { return mask::template compare<detail::relation::ne>(a, b); }
  EXPRAX_INLINE friend mask operator<(basic_pack a, basic_pack b) { return mask::template compare<detail::relation::lt>(a, b); }
  EXPRAX_INLINE friend mask operator<=(basic_pack a, basic_pack b) { return mask::template compare<detail::relation::le>(a, b); }
  EXPRAX_INLINE friend mask operator>(basic_pack a, basic_pack b) { return mask::template compare<detail::relation::gt>(a, b); }
  EXPRAX_INLINE friend mask operator>=(basic_pack a, basic_pack b) { return mask::template compare<detail::relation::ge>(a, b); }
  EXPRAX_INLINE friend basic_pack select(mask m, basic_pack a, basic_pack b) { return mask::choose(m, a, b); }
  EXPRAX_INLINE friend mask isnan(basic_pack x) { return x != x; }

  EXPRAX_INLINE friend basic_pack fma(basic_pack a, basic_pack b, basic_pack c) {
    if constexpr (!detail::is_float<T>) return a * b + c;
    else if constexpr (detail::has_fma)
      return each([](auto x, auto y, auto z) EXPRAX_LAMBDA_INLINE { return detail::fma_register<T, layout::bytes>(x, y, z); }, a, b, c);
    else if constexpr (sizeof(T) == 4) return fma_by_double(a, b, c);
    else return each_lane([](T x, T y, T z) { return detail::exact_fma(x, y, z); }, a, b, c);
  }
  EXPRAX_INLINE friend basic_pack sqrt(basic_pack x) {
    return each([](auto v) EXPRAX_LAMBDA_INLINE { return detail::sqrt_register<T, layout::bytes>(v); }, x);
  }
  EXPRAX_INLINE friend basic_pack floor(basic_pack x) { return rounded<detail::direction::down>(x); }
  EXPRAX_INLINE friend basic_pack ceil(basic_pack x) { return rounded<detail::direction::up>(x); }
  EXPRAX_INLINE friend basic_pack trunc(basic_pack x) { return rounded<detail::direction::to_zero>(x); }
  EXPRAX_INLINE friend basic_pack round_even(basic_pack x) { return rounded<detail::direction::to_even>(x); }
  EXPRAX_INLINE friend basic_pack abs(basic_pack x) {
    if constexpr (detail::is_float<T>) return x & bitcast<T>(basic_pack<bits, L>(static_cast<bits>(bits(~bits{0}) >> 1)));
    else if constexpr (std::is_signed_v<T>) return maximum(x, -x);
    else return x;
  }
  EXPRAX_INLINE friend basic_pack copysign(basic_pack x, basic_pack sign) {
    auto const top = bitcast<T>(basic_pack<bits, L>(bits(bits{1} << (detail::width_of<T> - 1))));
    return (x & ~top) | (sign & top);
  }
  // x clamped to [low, high]; NaN stays.
  EXPRAX_INLINE friend basic_pack bounded(basic_pack x, T low, T high) {
    auto const l = detail::broadcast<T, layout::bytes>(low);
    auto const h = detail::broadcast<T, layout::bytes>(high);
    return each([l, h](auto v) EXPRAX_LAMBDA_INLINE { return detail::bounded_register<T, layout::bytes>(v, l, h); }, x);
  }
  // x * 2^n for integer n, rounded once; |n| below twice the bias of the exponent.
  EXPRAX_INLINE friend basic_pack scale(basic_pack x, basic_pack n) {
    if constexpr (masks_are_bits)
      return each([](auto v, auto m) EXPRAX_LAMBDA_INLINE { return detail::scale_register<T, layout::bytes>(v, m); }, x, n);
    else return detail::scale_by_integers(x, n);
  }
  // Significand and exponent of finite x > 0.
  EXPRAX_INLINE friend binade<basic_pack> split(basic_pack x) {
    if constexpr (masks_are_bits) {
      basic_pack const m = each([](auto v) EXPRAX_LAMBDA_INLINE { return detail::significand_register<T, layout::bytes>(v); }, x);
      auto const exponent = [](auto v) EXPRAX_LAMBDA_INLINE { return detail::exponent_register<T, layout::bytes>(v); };
      return {m, each(exponent, x) - each(exponent, m)};
    } else {
      return detail::split_by_integers(x);
    }
  }
  EXPRAX_INLINE friend basic_pack maximum(basic_pack a, basic_pack b) { return extreme<true>(a, b); }
  EXPRAX_INLINE friend basic_pack minimum(basic_pack a, basic_pack b) { return extreme<false>(a, b); }
  // The same of N packs of floats.
  template <int N>
  EXPRAX_INLINE static basic_pack maximum_of(basic_pack const* x) {
    return extreme_of<true>(x, std::make_integer_sequence<int, N>{});
  }
  template <int N>
  EXPRAX_INLINE static basic_pack minimum_of(basic_pack const* x) {
    return extreme_of<false>(x, std::make_integer_sequence<int, N>{});
  }
  // The same for a number c; of two zeros either.
  EXPRAX_INLINE friend basic_pack at_least(basic_pack x, basic_pack c) { return bound<true>(x, c); }
  EXPRAX_INLINE friend basic_pack at_most(basic_pack x, basic_pack c) { return bound<false>(x, c); }

 private:
  using bits = detail::bits_of<T>;

  EXPRAX_INLINE static auto unsign(typename layout::reg x) { return (detail::vec<bits, layout::bytes>)x; }
  EXPRAX_INLINE static typename layout::reg word(detail::vec<bits, layout::bytes> x) { return (typename layout::reg)x; }
  template <class F, class... A>
  EXPRAX_INLINE static basic_pack each(F f, A const&... a) {
    return detail::each_register<basic_pack>(f, a...);
  }
  template <detail::direction D>
  EXPRAX_INLINE static basic_pack rounded(basic_pack x) {
#if defined(__SSE2__) && !defined(__SSE4_1__)
    // No instruction: converts to integers and back if x can have a fraction, and keeps the sign of x.
    constexpr T limit = sizeof(T) == 4 ? T(0x1p23) : T(0x1p52);
    basic_pack const size = abs(x);
    basic_pack const even = (size + basic_pack(limit)) - basic_pack(limit);
    basic_pack const zero(T(0));
    basic_pack const one(T(1));
    basic_pack const sign = x ^ size;
    basic_pack const signed_even = even | sign;
    basic_pack r = even;
    if constexpr (D == detail::direction::down) r = signed_even - select(signed_even > x, one, zero);
    if constexpr (D == detail::direction::up) r = signed_even + select(signed_even < x, one, zero);
    if constexpr (D == detail::direction::to_zero) r = even - select(even > size, one, zero);
    return select(size < basic_pack(limit), r | sign, x);
#else
    return each([](auto v) EXPRAX_LAMBDA_INLINE { return detail::round_register<D, T, layout::bytes>(v); }, x);
#endif
  }
  template <bool Greater>
  EXPRAX_INLINE static basic_pack extreme(basic_pack a, basic_pack b) {
    // By compiler vectors, which g++ turns into one instruction if the target has it.
    if constexpr (!detail::is_float<T>)
      return each([](auto x, auto y) EXPRAX_LAMBDA_INLINE { return Greater ? (x > y ? x : y) : (x < y ? x : y); }, a, b);
    else return each([](auto x, auto y) EXPRAX_LAMBDA_INLINE { return detail::extreme_register<T, layout::bytes, Greater>(x, y); }, a, b);
  }
  template <bool Greater, int... I>
  EXPRAX_INLINE static basic_pack extreme_of(basic_pack const* x, std::integer_sequence<int, I...>) {
    return each([](auto... v) EXPRAX_LAMBDA_INLINE {
      typename layout::reg const of[] = {v...};
      return detail::extreme_of_registers<T, layout::bytes, Greater, static_cast<int>(sizeof...(I))>(of);
    }, x[I]...);
  }
  template <bool Greater>
  EXPRAX_INLINE static basic_pack bound(basic_pack x, basic_pack c) {
    return each([](auto v, auto w) EXPRAX_LAMBDA_INLINE { return detail::bound_register<T, layout::bytes, Greater>(v, w); }, x, c);
  }
  // As in math/exact_fma.hpp: the sum of the exact product and c rounded to odd, then to float.
  EXPRAX_INLINE static basic_pack fma_by_double(basic_pack a, basic_pack b, basic_pack c) {
    using real = basic_pack<double, L>;
    using word64 = basic_pack<std::uint64_t, L>;
    real const p = convert<double>(a) * convert<double>(b);
    real const z = convert<double>(c);
    real const s = p + z;
    real const virtual_z = s - p;
    real const error = (p - (s - virtual_z)) + (z - virtual_z);
    word64 const sum = bitcast<std::uint64_t>(s);
    word64 const one(1);
    mask const inexact = (error > real(0)) | (error < real(0));  // false if s is not finite
    mask const away = ~((error > real(0)) ^ (s > real(0)));
    word64 const step = select(away, one, word64(~std::uint64_t{0}));
    word64 const odd = select(inexact & ((sum & one) == word64(0)), sum + step, sum);
    return convert<float>(bitcast<double>(odd));
  }
};

}  // namespace exprax::simd

#endif

namespace exprax::simd {

// x in registers from here on (held_register).
template <class T>
EXPRAX_INLINE constexpr lane<T> held(lane<T> x) {
  return x;
}
#if EXPRAX_SIMD
template <class T, int L>
EXPRAX_INLINE basic_pack<T, L> held(basic_pack<T, L> x) {
  if constexpr (std::is_same_v<T, bool>) return x;
  else return detail::each_register<basic_pack<T, L>>([](auto v) EXPRAX_LAMBDA_INLINE { return detail::held_register(v); }, x);
}
// x, which is not loaded again (loaded_register).
template <class T>
EXPRAX_INLINE constexpr lane<T> loaded(lane<T> x) {
  return x;
}
template <class T, int L>
EXPRAX_INLINE basic_pack<T, L> loaded(basic_pack<T, L> x) {
  if constexpr (std::is_same_v<T, bool>) return x;
  else return detail::each_register<basic_pack<T, L>>([](auto v) EXPRAX_LAMBDA_INLINE { return detail::loaded_register(v); }, x);
}
// p, of whose alignment g++ then knows nothing: an operand that it knows to be aligned it would load again at each use.
template <class T>
EXPRAX_INLINE T* held(T* p) {
#if defined(__GNUC__) && !defined(__clang__)
  asm("" : "+r"(p));
#endif
  return p;
}
#endif

}  // namespace exprax::simd
