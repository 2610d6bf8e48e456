// SPDX-License-Identifier: BSL-1.0
// lane<T>: the pack of one element, and with it the lane concept over which kernels are written once. It is used on targets without SIMD,
// for elements that packs leave over, and in constant evaluation. emit/simd/pack.hpp has the same functions for more elements.
//
// Integers wrap; x/0 = -1 (all ones), min/-1 = min, x rem 0 = x, min rem -1 = 0; shifts by the width or more give 0 (signed >>:
// the sign). Floats are IEEE 754, each operation rounded once. NaNs are equal up to sign and payload, which differ by compiler.
// Longer than 300 lines: one class, and the functions beside it that make it a pack.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <exprax/base/config.hpp>
#include <exprax/math/binade.hpp>
#include <exprax/math/exact_fma.hpp>
#include <exprax/math/fused.hpp>
#include <exprax/math/ieee.hpp>

namespace exprax::simd {

namespace detail {

// The unsigned type for arithmetic on T: not narrower than int, so that nothing is promoted to a signed type.
template <class T>
using unsigned_for = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class T>
inline constexpr bool is_float = std::is_floating_point_v<T>;
template <class T>
inline constexpr int width_of = 8 * static_cast<int>(sizeof(T));

template <int Bytes, bool Signed>
struct integer_of_size;
template <> struct integer_of_size<1, true> { using type = std::int8_t; };
template <> struct integer_of_size<2, true> { using type = std::int16_t; };
template <> struct integer_of_size<4, true> { using type = std::int32_t; };
template <> struct integer_of_size<8, true> { using type = std::int64_t; };
template <> struct integer_of_size<1, false> { using type = std::uint8_t; };
template <> struct integer_of_size<2, false> { using type = std::uint16_t; };
template <> struct integer_of_size<4, false> { using type = std::uint32_t; };
template <> struct integer_of_size<8, false> { using type = std::uint64_t; };

template <class T>
using bits_of = typename integer_of_size<static_cast<int>(sizeof(T)), false>::type;

template <class T>
EXPRAX_INLINE constexpr T integer_div(T a, T b) {
  if (b == 0) return static_cast<T>(-1);
  if constexpr (std::is_signed_v<T>)
    if (b == T(-1)) return static_cast<T>(unsigned_for<T>{0} - static_cast<unsigned_for<T>>(a));
  return static_cast<T>(a / b);
}
template <class T>
EXPRAX_INLINE constexpr T integer_rem(T a, T b) {
  if (b == 0) return a;
  if constexpr (std::is_signed_v<T>)
    if (b == T(-1)) return T(0);
  return static_cast<T>(a % b);
}

// Keeps g++ from fusing a product with a later sum: the program decides what is fused, not the compiler.
template <class T>
EXPRAX_INLINE constexpr T unfused(T x) {
#if defined(__GNUC__) && !defined(__clang__)
  if (!__builtin_is_constant_evaluated()) {
#if defined(__AVX512F__)
    asm("" : "+v"(x));
#elif defined(__FMA__)
    asm("" : "+x"(x));
#elif defined(__aarch64__)
    asm("" : "+w"(x));
#elif defined(__ARM_FEATURE_FMA)
    asm("" : "+t"(x));
#elif defined(__riscv_flen) || defined(__s390x__)
    asm("" : "+f"(x));
#elif defined(__VSX__)
    asm("" : "+wa"(x));
#elif defined(__FP_FAST_FMA) || defined(__FP_FAST_FMAF)
    asm("" : "+m"(x));
#endif
  }
#endif
  return x;
}

template <class T>
EXPRAX_INLINE constexpr T exact_fma(T a, T b, T c) {
  if (__builtin_is_constant_evaluated()) return exprax::detail::ieee::fma(a, b, c);
#if defined(__linux__)
  constexpr bool exact = hardware_fuses<T> || sizeof(T) == 8;  // glibc and musl have an exact fma for doubles
#else
  constexpr bool exact = hardware_fuses<T>;
#endif
  if constexpr (!exact) return exprax::detail::ieee::fma(a, b, c);
  else if constexpr (sizeof(T) == 4) return __builtin_fmaf(a, b, c);
  else return __builtin_fma(a, b, c);
}

// As in C, but total: values out of range saturate, NaN gives 0.
template <class U, class T>
EXPRAX_INLINE constexpr U convert_element(T x) {
  if constexpr (std::is_same_v<U, bool>) {
    return x != T(0);
  } else if constexpr (is_float<T> && !is_float<U>) {
    constexpr T low = static_cast<T>(std::numeric_limits<U>::min());
    constexpr T high = static_cast<T>(std::numeric_limits<U>::max() / 2 + 1) * T(2);  // one more than the largest
    if (x != x) return U(0);
    if (x >= high) return std::numeric_limits<U>::max();
    if (x <= low) return std::numeric_limits<U>::min();
    return static_cast<U>(x);
  } else if constexpr (std::is_same_v<U, float> && std::is_same_v<T, double>) {
    if (__builtin_is_constant_evaluated()) return exprax::detail::ieee::narrow(x);
    return static_cast<float>(x);
  } else {
    return static_cast<U>(x);
  }
}

}  // namespace detail

template <class T>
struct lane {
  using value_type = T;
  using mask = lane<bool>;
  template <class U>
  using rebind = lane<U>;
  static constexpr int size = 1;
  static constexpr bool has_scale = false;

  T value;

  lane() = default;
  constexpr explicit lane(T x) : value(x) {}

  EXPRAX_INLINE friend constexpr lane operator+(lane a, lane b) {
    if constexpr (detail::is_float<T>) {
      if (__builtin_is_constant_evaluated()) return lane(exprax::detail::ieee::add(a.value, b.value));
      return lane(a.value + b.value);
    } else {
      return lane(static_cast<T>(word(a) + word(b)));
    }
  }
  EXPRAX_INLINE friend constexpr lane operator-(lane a, lane b) {
    if constexpr (detail::is_float<T>) {
      if (__builtin_is_constant_evaluated()) return lane(exprax::detail::ieee::add(a.value, -b.value));
      return lane(a.value - b.value);
    } else {
      return lane(static_cast<T>(word(a) - word(b)));
    }
  }
  EXPRAX_INLINE friend constexpr lane operator*(lane a, lane b) {
    if constexpr (detail::is_float<T>) {
      if (__builtin_is_constant_evaluated()) return lane(exprax::detail::ieee::mul(a.value, b.value));
      return lane(detail::unfused(a.value * b.value));
    } else {
      return lane(static_cast<T>(word(a) * word(b)));
    }
  }
  // a * b for floats, where only products read it: no sum that it could be fused with. Unlike a guarded product, g++ makes it once where it
  // stands twice.
  EXPRAX_INLINE friend constexpr lane factor(lane a, lane b) {
    if (__builtin_is_constant_evaluated()) return a * b;
    return lane(a.value * b.value);
  }
  EXPRAX_INLINE friend constexpr lane operator/(lane a, lane b) {
    if constexpr (detail::is_float<T>) {
      if (__builtin_is_constant_evaluated()) return lane(exprax::detail::ieee::div(a.value, b.value));
      return lane(a.value / b.value);
    } else {
      return lane(detail::integer_div(a.value, b.value));
    }
  }
  // Integers only; for floats see the kernel of rem.
  EXPRAX_INLINE friend constexpr lane operator%(lane a, lane b) { return lane(detail::integer_rem(a.value, b.value)); }
  EXPRAX_INLINE friend constexpr lane operator-(lane a) {
    if constexpr (detail::is_float<T>) return lane(-a.value);
    else return lane(static_cast<T>(detail::unsigned_for<T>{0} - word(a)));
  }

  EXPRAX_INLINE friend constexpr lane operator&(lane a, lane b) {
    if constexpr (detail::is_float<T>) return bitcast<T>(bitcast<bits>(a) & bitcast<bits>(b));
    else return lane(static_cast<T>(a.value & b.value));
  }
  EXPRAX_INLINE friend constexpr lane operator|(lane a, lane b) {
    if constexpr (detail::is_float<T>) return bitcast<T>(bitcast<bits>(a) | bitcast<bits>(b));
    else return lane(static_cast<T>(a.value | b.value));
  }
  EXPRAX_INLINE friend constexpr lane operator^(lane a, lane b) {
    if constexpr (detail::is_float<T>) return bitcast<T>(bitcast<bits>(a) ^ bitcast<bits>(b));
    else return lane(static_cast<T>(a.value ^ b.value));
  }
  EXPRAX_INLINE friend constexpr lane and_not(lane a, lane b) { return a & ~b; }
  EXPRAX_INLINE friend constexpr lane operator~(lane a) {
    if constexpr (std::is_same_v<T, bool>) return lane(!a.value);
    else return lane(static_cast<T>(~a.value));
  }
  EXPRAX_INLINE friend constexpr lane operator<<(lane a, int n) {
    return lane(n < detail::width_of<T> ? static_cast<T>(word(a) << n) : T(0));
  }
  EXPRAX_INLINE friend constexpr lane operator>>(lane a, int n) {
    if constexpr (std::is_signed_v<T>) return lane(static_cast<T>(a.value >> (n < detail::width_of<T> ? n : detail::width_of<T> - 1)));
    else return lane(n < detail::width_of<T> ? static_cast<T>(a.value >> n) : T(0));
  }
  // Negative counts are treated as large ones.
  EXPRAX_INLINE friend constexpr lane operator<<(lane a, lane n) { return a << count(n); }
  EXPRAX_INLINE friend constexpr lane operator>>(lane a, lane n) { return a >> count(n); }

  // Unsigned integers; n is below the width.
  EXPRAX_INLINE friend constexpr lane rotate_left(lane x, lane n) { return lane(std::rotl(x.value, static_cast<int>(n.value))); }

  EXPRAX_INLINE friend constexpr mask operator==(lane a, lane b) { return mask(a.value == b.value); }
  EXPRAX_INLINE friend constexpr mask operator!=(lane a, lane b) { return mask(a.value != b.value); }
  EXPRAX_INLINE friend constexpr mask operator<(lane a, lane b) { return mask(a.value < b.value); }
  EXPRAX_INLINE friend constexpr mask operator<=(lane a, lane b) { return mask(a.value <= b.value); }
  EXPRAX_INLINE friend constexpr mask operator>(lane a, lane b) { return mask(a.value > b.value); }
  EXPRAX_INLINE friend constexpr mask operator>=(lane a, lane b) { return mask(a.value >= b.value); }

  EXPRAX_INLINE friend constexpr lane fma(lane a, lane b, lane c) {
    if constexpr (detail::is_float<T>) return lane(detail::exact_fma(a.value, b.value, c.value));
    else return a * b + c;
  }
  EXPRAX_INLINE friend constexpr lane sqrt(lane x) {
    if (__builtin_is_constant_evaluated()) return lane(exprax::detail::ieee::sqrt(x.value));
    if constexpr (sizeof(T) == 4) return lane(__builtin_sqrtf(x.value));
    else return lane(__builtin_sqrt(x.value));
  }
  EXPRAX_INLINE friend constexpr lane floor(lane x) { return rounded(x, exprax::detail::ieee::rounding::down); }
  EXPRAX_INLINE friend constexpr lane ceil(lane x) { return rounded(x, exprax::detail::ieee::rounding::up); }
  EXPRAX_INLINE friend constexpr lane trunc(lane x) { return rounded(x, exprax::detail::ieee::rounding::to_zero); }
  EXPRAX_INLINE friend constexpr lane round_even(lane x) { return rounded(x, exprax::detail::ieee::rounding::to_even); }
  // Floats: clears the sign, also of a NaN. Integers: min stays min.
  EXPRAX_INLINE friend constexpr lane abs(lane x) {
    if constexpr (detail::is_float<T>) return bitcast<T>(bitcast<bits>(x) & lane<bits>(static_cast<bits>(bits(~bits{0}) >> 1)));
    else if constexpr (std::is_signed_v<T>) return x.value < 0 ? -x : x;
    else return x;
  }
  EXPRAX_INLINE friend constexpr lane copysign(lane x, lane sign) {
    constexpr bits top = bits(bits{1} << (detail::width_of<T> - 1));
    return bitcast<T>((bitcast<bits>(x) & lane<bits>(bits(~top))) | (bitcast<bits>(sign) & lane<bits>(top)));
  }
  // The larger one; NaN if either is NaN; -0 < +0.
  EXPRAX_INLINE friend constexpr lane maximum(lane a, lane b) {
    if constexpr (detail::is_float<T>) return a.value > b.value || a.value != a.value ? a : a.value == b.value ? a & b : b;
    else return a.value > b.value ? a : b;
  }
  EXPRAX_INLINE friend constexpr lane minimum(lane a, lane b) {
    if constexpr (detail::is_float<T>) return a.value < b.value || a.value != a.value ? a : a.value == b.value ? a | b : b;
    else return a.value < b.value ? a : b;
  }
  // Of N values.
  template <int N>
  EXPRAX_INLINE static constexpr lane maximum_of(lane const* x) {
    lane r = x[0];
    for (int i = 1; i < N; ++i) r = maximum(r, x[i]);
    return r;
  }
  template <int N>
  EXPRAX_INLINE static constexpr lane minimum_of(lane const* x) {
    lane r = x[0];
    for (int i = 1; i < N; ++i) r = minimum(r, x[i]);
    return r;
  }
  // maximum(x, c) and minimum(x, c) for a number c; of two zeros either.
  EXPRAX_INLINE friend constexpr lane at_least(lane x, lane c) { return c.value > x.value ? c : x; }
  EXPRAX_INLINE friend constexpr lane at_most(lane x, lane c) { return c.value < x.value ? c : x; }
  // x clamped to [low, high]; NaN stays.
  EXPRAX_INLINE friend constexpr lane bounded(lane x, T low, T high) { return lane(x.value < low ? low : x.value > high ? high : x.value); }
  // x * 2^n for integer n, rounded once; |n| below twice the bias of the exponent.
  EXPRAX_INLINE friend constexpr lane scale(lane x, lane n) { return detail::scale_by_integers(x, n); }
  // Significand and exponent of finite x > 0.
  EXPRAX_INLINE friend constexpr binade<lane> split(lane x) { return detail::split_by_integers(x); }
  EXPRAX_INLINE friend constexpr mask isnan(lane x) { return mask(x.value != x.value); }
  EXPRAX_INLINE friend constexpr lane select(mask m, lane a, lane b) { return m.value ? a : b; }

 private:
  using bits = detail::bits_of<T>;

  EXPRAX_INLINE static constexpr auto word(lane x) { return static_cast<detail::unsigned_for<T>>(x.value); }
  EXPRAX_INLINE static constexpr int count(lane n) {
    return static_cast<bits>(n.value) < detail::width_of<T> ? static_cast<int>(n.value) : detail::width_of<T>;
  }
  EXPRAX_INLINE static constexpr lane rounded(lane x, exprax::detail::ieee::rounding way) {
    using exprax::detail::ieee::rounding;
    if (__builtin_is_constant_evaluated()) return lane(exprax::detail::ieee::round(x.value, way));
#if defined(__SSE4_1__) || defined(__aarch64__)
    if constexpr (sizeof(T) == 4) {
      if (way == rounding::down) return lane(__builtin_floorf(x.value));
      if (way == rounding::up) return lane(__builtin_ceilf(x.value));
      if (way == rounding::to_zero) return lane(__builtin_truncf(x.value));
      return lane(__builtin_rintf(x.value));
    } else {
      if (way == rounding::down) return lane(__builtin_floor(x.value));
      if (way == rounding::up) return lane(__builtin_ceil(x.value));
      if (way == rounding::to_zero) return lane(__builtin_trunc(x.value));
      return lane(__builtin_rint(x.value));
    }
#else
    return lane(exprax::detail::ieee::round(x.value, way));
#endif
  }
};

// The same bits as another type of the same size.
template <class U, class T>
EXPRAX_INLINE constexpr lane<U> bitcast(lane<T> x) {
  return lane<U>(std::bit_cast<U>(x.value));
}
template <class U, class T>
EXPRAX_INLINE constexpr lane<U> convert(lane<T> x) {
  return lane<U>(detail::convert_element<U>(x.value));
}
// f of each element, for functions without a form over whole packs.
template <class F, class T>
EXPRAX_INLINE constexpr lane<T> each_lane(F f, lane<T> a) {
  return lane<T>(f(a.value));
}
template <class F, class T>
EXPRAX_INLINE constexpr lane<T> each_lane(F f, lane<T> a, lane<T> b) {
  return lane<T>(f(a.value, b.value));
}
#if defined(__POPCNT__)
// The number of set bits, where that is an instruction.
template <class T>
EXPRAX_INLINE constexpr lane<T> counted_bits(lane<T> x) {
  return lane<T>(static_cast<T>(std::popcount(x.value)));
}
#endif
EXPRAX_INLINE constexpr bool any(lane<bool> m) { return m.value; }
EXPRAX_INLINE constexpr bool all(lane<bool> m) { return m.value; }

}  // namespace exprax::simd

namespace exprax {
using simd::lane;
}
