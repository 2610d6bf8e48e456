// SPDX-License-Identifier: BSL-1.0
// Transposed operands of all element sizes (emit/kernels/tile.hpp): whole tiles, edges that are no whole tile, arrays smaller than one.
#include <cstdint>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

template <class T, int... Dims>
ex::array<T, Dims...> numbers() {
  ex::array<T, Dims...> x;
  int k = 0;
  for (T& e : x) e = static_cast<T>((k * 29 + k / 7) % 113), ++k;
  return x;
}

constexpr auto transposed = [](auto x) { return ex::transpose(x); };
constexpr auto joined = [](auto x, auto y) { return ex::where(x.T() == y, y, x.T()); };
template <class T, int Rows, int Columns>
void check() {
  auto const x = numbers<T, Rows, Columns>();
  auto const y = numbers<T, Columns, Rows>();
  auto const t = ex::jit(transposed)(x);
  auto const j = ex::jit(joined)(x, y);
  int wrong = 0;
  for (int r = 0; r < Rows; ++r)
    for (int c = 0; c < Columns; ++c) wrong += t(c, r) != x(r, c) || j(c, r) != x(r, c);
  CHECK(wrong == 0);
}
template <class T>
void check_sizes() {
  check<T, 64, 64>();
  check<T, 67, 131>();
  check<T, 130, 70>();
  check<T, 16, 200>();
  check<T, 200, 17>();
  check<T, 33, 9>();
  check<T, 5, 70>();
}

}  // namespace

TEST_CASE("transposes of elements of all sizes") {
  check_sizes<std::uint8_t>();
  check_sizes<std::int8_t>();
  check_sizes<bool>();
  check_sizes<std::int16_t>();
  check_sizes<std::uint16_t>();
  check_sizes<float>();
  check_sizes<std::int64_t>();
}
TEST_CASE("transposes of half numbers, in loops of other numbers, and with three axes") {
  auto const x = numbers<std::uint8_t, 70, 90>();
  auto const y = numbers<float, 90, 70>();
  auto const sums = ex::jit([](auto a, auto b) { return ex::transpose(a).template astype<float>() + b; })(x, y);
  auto const halves = ex::jit([](auto a) { return ex::transpose(a).template astype<ex::bfloat16>(); })(x);
  auto const back = ex::jit([](auto a) { return ex::transpose(a).template astype<int>(); })(halves);
  auto const turned = ex::jit([](auto a) { return ex::transpose(ex::reshape<7, 10, 90>(a), ex::axis<0, 2, 1>); })(x);
  int wrong = 0;
  for (int r = 0; r < 70; ++r)
    for (int c = 0; c < 90; ++c)
      wrong += sums(c, r) != static_cast<float>(x(r, c)) + y(c, r) || back(r, c) != x(r, c) || turned(r / 10, c, r % 10) != x(r, c);
  CHECK(wrong == 0);
}
