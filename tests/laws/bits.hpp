// SPDX-License-Identifier: BSL-1.0
// The bits of results: a hash of each result of a program, which must be a literal of the test with every compiler, for
// every width of packs and in constant evaluation. There are two of them where a * b + c is rounded once or twice, as the target does.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <tuple>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace laws {

namespace ex = exprax;

template <class T>
constexpr T element(std::ptrdiff_t i, int salt) {
  return static_cast<T>(static_cast<int>((i * 37 + 11 + salt * 29) % 1009) - 504) / T(60);
}
template <class T, int... D>
constexpr ex::array<T, D...> input(int salt = 0) {
  ex::array<T, D...> x = ex::array<T, D...>::full(0);
  for (std::ptrdiff_t i = 0; i < x.size(); ++i) x.data()[i] = element<T>(i, salt);
  return x;
}

// FNV-1a, with steps of 32 bits.
template <class T, int... D>
constexpr std::uint32_t hash(ex::array<T, D...> const& x) {
  std::uint32_t h = 2166136261u;
  for (std::ptrdiff_t i = 0; i < x.size(); ++i) {
    std::uint64_t const bits = ex::detail::to_bits(x.data()[i]);
    h = (h ^ static_cast<std::uint32_t>(bits)) * 16777619u;
    h = (h ^ static_cast<std::uint32_t>(bits >> 32)) * 16777619u;
  }
  return h;
}
template <class... A>
constexpr std::array<std::uint32_t, sizeof...(A)> hash(std::tuple<A...> const& results) {
  return std::apply([](auto const&... x) { return std::array<std::uint32_t, sizeof...(A)>{hash(x)...}; }, results);
}

// The bits where the target fuses a * b + c in T, and where it does not.
template <class T = float>
constexpr std::uint32_t bits(std::uint32_t fused, std::uint32_t unfused) {
  return ex::simd::fuses<T> ? fused : unfused;
}

// The number of a wrong result is its place in the program's tuple.
template <std::size_t N>
void compare(std::string const& when, std::array<std::uint32_t, N> const& found, std::array<std::uint32_t, N> const& expected) {
  INFO(when);
  for (std::size_t k = 0; k < N; ++k) {
    CAPTURE(k);
    CHECK(found[k] == expected[k]);
  }
}

}  // namespace laws

#define EXPRAX_BITS(program, ...)                                            \
  {                                                                          \
    constexpr auto at_compile_time = program;                                \
    INFO(#program);                                                          \
    laws::compare("in constant evaluation", at_compile_time, {__VA_ARGS__}); \
    laws::compare("at run time", program, {__VA_ARGS__});                    \
  }
// Where constant evaluation would take too long.
#define EXPRAX_BITS_AT_RUN_TIME(program, ...)             \
  {                                                       \
    INFO(#program);                                       \
    laws::compare("at run time", program, {__VA_ARGS__}); \
  }
