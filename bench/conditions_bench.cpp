// SPDX-License-Identifier: BSL-1.0
// Conditions on numbers of all lengths, stored, combined and used, conversions between numbers of different lengths, quotients by
// literals, shifts, and sums and extrema of integers, of 16,384 elements each, against plain loops. Conversions to integers saturate, and
// give 0 for NaN; in the plain loops they are undefined for what is out of range.
#include <cstdint>

#include <exprax/exprax.hpp>

#include "results.hpp"

namespace ex = exprax;

namespace {

constexpr int n = 16384;
using byte = std::uint8_t;

template <class F>
[[gnu::noinline]] void by_loop(auto* to, F f, auto const*... from) {
  for (int i = 0; i < n; ++i) to[i] = f(from[i]...);
}
template <class R, class F>
[[gnu::noinline]] R folded(R first, F f, auto const* from) {
  for (int i = 0; i < n; ++i) first = f(first, from[i]);
  return first;
}
template <class T>
ex::array<T, n> const& numbers(unsigned seed) {
  static ex::array<T, n> made[2];
  ex::array<T, n>& a = made[seed % 2];
  for (T& x : a) {
    seed = seed * 1664525u + 1013904223u;
    x = static_cast<T>(seed >> 24);
  }
  bench::touch(a.data());
  return a;
}
// f, which writes what stands there.
auto writing(void const* to, auto f) {
  return [f, to] {
    f();
    bench::touch(to);
  };
}
template <class R, class Ours, class Loop, class... T>
void compare(benchmark::State& state, Ours, Loop, ex::array<T, n> const&... from) {
  static auto ours = ex::array<R, n>::full(R()), loop = ours;
  bench::compare(state, writing(ours.data(), [&] { ex::jit(Ours()).into(ours, from...); }),
                 writing(loop.data(), [&] { by_loop(loop.data(), Loop(), from.data()...); }));
  if (!(ours == loop)) state.SkipWithError("the results differ");
}
template <class Ours, class R, class Loop, class T>
void compare_folds(benchmark::State& state, Ours, R first, Loop, ex::array<T, n> const& from) {
  static R results[2];
  bench::compare(state, writing(results, [&] { results[0] = ex::jit(Ours())(from); }),
                 writing(results, [&] { results[1] = folded(first, Loop(), from.data()); }));
  if (results[0] != results[1]) state.SkipWithError("the results differ");
}

// --- Conditions ---

constexpr auto above = [](auto a) { return a > 99; };
template <class T>
void stored(benchmark::State& state) {
  compare<bool>(state, above, [](T x) { return x > 99; }, numbers<T>(1));
}
template <class T>
void combined(benchmark::State& state) {
  compare<bool>(
      state, [](auto a, auto b) { return (a > 99) & (b < 60); }, [](T x, T y) { return bool((x > 99) & (y < 60)); }, numbers<T>(1),
      numbers<T>(2));
}
template <class T>
void used(benchmark::State& state) {
  compare<T>(
      state, [](auto a, auto b) { return ex::where(((a > 99) & (b < 60)) | (a == 3), a, b); },
      [](T x, T y) { return (((x > 99) & (y < 60)) | (x == 3)) ? x : y; }, numbers<T>(1), numbers<T>(2));
}
EXPRAX_COMPARE(stored<byte>);
EXPRAX_COMPARE(stored<float>);
EXPRAX_COMPARE(stored<double>);
EXPRAX_COMPARE(combined<byte>);
EXPRAX_COMPARE(combined<std::int16_t>);
EXPRAX_COMPARE(combined<float>);
EXPRAX_COMPARE(combined<double>);
EXPRAX_COMPARE(used<byte>);
EXPRAX_COMPARE(used<std::int16_t>);
EXPRAX_COMPARE(used<double>);

// --- Conversions ---

template <class To, class From>
void converted(benchmark::State& state) {
  compare<To>(state, [](auto a) { return a.template astype<To>(); }, [](From x) { return static_cast<To>(x); }, numbers<From>(1));
}
EXPRAX_COMPARE(converted<double, float>);
EXPRAX_COMPARE(converted<double, std::int32_t>);
EXPRAX_COMPARE(converted<std::int64_t, std::int32_t>);
EXPRAX_COMPARE(converted<std::int64_t, std::int8_t>);
EXPRAX_COMPARE(converted<std::uint32_t, std::uint64_t>);
EXPRAX_COMPARE(converted<std::int16_t, std::int64_t>);
EXPRAX_COMPARE(converted<byte, std::int32_t>);
EXPRAX_COMPARE(converted<double, byte>);
EXPRAX_COMPARE(converted<std::int32_t, float>);
EXPRAX_COMPARE(converted<byte, float>);
EXPRAX_COMPARE(converted<std::int32_t, double>);
EXPRAX_COMPARE(converted<std::int16_t, double>);
EXPRAX_COMPARE(converted<std::int32_t, bool>);

// --- Integers ---

template <class T>
void sums(benchmark::State& state) {
  compare_folds(state, [](auto a) { return ex::sum(a); }, T(0), [](T s, T x) { return static_cast<T>(s + x); }, numbers<T>(1));
}
template <class T>
void maxima(benchmark::State& state) {
  compare_folds(state, [](auto a) { return ex::max(a); }, T(0), [](T m, T x) { return x > m ? x : m; }, numbers<T>(1));
}
// Quotients rounded down.
template <class T, int Divisor>
struct quotient {
  constexpr auto operator()(auto a) const { return ex::floor_divide(a - T(99), T(Divisor)); }
};
template <class T, int Divisor>
void divided(benchmark::State& state) {
  compare<T>(
      state, quotient<T, Divisor>(),
      [](T x) {
        T const y = static_cast<T>(x - 99);
        return static_cast<T>(y / Divisor - (y % Divisor < 0));
      },
      numbers<T>(1));
}
template <class T>
void shifted(benchmark::State& state) {
  compare<T>(state, [](auto a) { return (a >> 3) ^ a; }, [](T x) { return static_cast<T>((x >> 3) ^ x); }, numbers<T>(1));
}
void trues(benchmark::State& state) {
  compare_folds(state, [](auto a) { return ex::count_nonzero(a); }, 0, [](int s, bool x) { return s + x; }, numbers<bool>(1));
}
// As 32-bit integers, and as floats.
template <class T>
void long_sums(benchmark::State& state) {
  compare_folds(state, [](auto a) { return ex::sum(a.template astype<int>()); }, 0, [](int s, T x) { return s + x; }, numbers<T>(1));
}
template <class T>
void float_sums(benchmark::State& state) {
  compare_folds(state, [](auto a) { return ex::sum(a.template astype<float>()); }, 0, [](int s, T x) { return s + x; }, numbers<T>(1));
}
EXPRAX_COMPARE(divided<byte, 10>);
EXPRAX_COMPARE(divided<std::int16_t, 10>);
EXPRAX_COMPARE(divided<std::int32_t, 7>);
EXPRAX_COMPARE(divided<std::int32_t, 8>);
EXPRAX_COMPARE(shifted<std::int16_t>);
EXPRAX_COMPARE(shifted<std::int32_t>);
EXPRAX_COMPARE(trues);
EXPRAX_COMPARE(sums<std::int32_t>);
EXPRAX_COMPARE(sums<std::int64_t>);
EXPRAX_COMPARE(long_sums<byte>);
EXPRAX_COMPARE(long_sums<std::int16_t>);
EXPRAX_COMPARE(float_sums<bool>);
EXPRAX_COMPARE(float_sums<byte>);
EXPRAX_COMPARE(maxima<byte>);
EXPRAX_COMPARE(maxima<std::int32_t>);

}  // namespace
