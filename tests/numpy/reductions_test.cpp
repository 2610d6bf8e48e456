// SPDX-License-Identifier: BSL-1.0
// Reductions over all axes, some axes, with and without keepdims.
#include <tuple>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr ex::array<float, 3, 4> x{{1, -2, 3, 4}, {5, 6, -7, 8}, {0.5f, 0, 2.5f, -1}};
constexpr ex::array<float, 4> y{2, -1, 0.5f, 3};
constexpr ex::array<std::int32_t, 2, 3> k{{7, -7, 3}, {-4, 5, 0}};
constexpr ex::array<std::int32_t, 3> m{3, -3, 2};
constexpr ex::array<bool, 4> b{true, false, true, true};
constexpr ex::array<std::uint8_t, 3> u{1, 2, 250};

constexpr auto sums = [](auto x, auto y, auto m, auto b, auto u) {
  return std::tuple(ex::sum(x),
                    ex::sum(x, ex::axis<0>),
                    ex::sum(x, ex::axis<-1>),
                    ex::sum(x, ex::axis<0, 1>, ex::keepdims),
                    ex::sum(x, ex::keepdims, ex::axis<1>),
                    ex::sum(b),
                    ex::sum(u),
                    ex::prod(m),
                    ex::prod(y),
                    ex::mean(x, ex::axis<1>),
                    ex::mean(y));
};
constexpr std::tuple sums_expected(ex::array<float>(20),
    ex::array<float, 4>{6.5f, 4, -1.5f, 11},
    ex::array<float, 3>{6, 12, 2},
    ex::array<float, 1, 1>{20},
    ex::array<float, 3, 1>{6, 12, 2},
    ex::array<std::int32_t>(3),
    ex::array<std::uint32_t>(253),
    ex::array<std::int32_t>(-18),
    ex::array<float>(-3),
    ex::array<float, 3>{1.5f, 3, 0.5f},
    ex::array<float>(1.125f));
static_assert(ex::jit(sums)(x, y, m, b, u) == sums_expected);

// Rows that are not one row in memory: blocks of 64 elements end within rows, with a row, and not at all.
constexpr auto of_slice = [](auto v) { return ex::tuple(ex::sum(v(ex::all, ex::slice<33>) * 2.0f), ex::max(v(ex::all, ex::slice<64>) - 1.0f)); };
constexpr bool sums_slices() {
  ex::array<float, 5, 70> v{};
  int n = 0;
  for (float& e : v) e = static_cast<float>(n++ % 7);
  auto const [sum, max] = ex::jit(of_slice)(v);
  float expected = 0;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 33; ++j) expected += 2 * v(i, j);
  return sum == expected && max == 5;
}
static_assert(sums_slices());

constexpr auto extremes = [](auto x, auto k, auto b, auto u) {
  return std::tuple(ex::max(x),
                    ex::max(x, ex::axis<0>),
                    ex::min(k, ex::axis<1>, ex::keepdims),
                    ex::max(b),
                    ex::min(u),
                    ex::any(b),
                    ex::all(b),
                    ex::any(x == 0, ex::axis<1>),
                    ex::all(x, ex::axis<0>));
};
constexpr std::tuple extremes_expected(ex::array<float>(8),
    ex::array<float, 4>{5, 6, 3, 8},
    ex::array<std::int32_t, 2, 1>{-7, -4},
    ex::array<bool>(true),
    ex::array<std::uint8_t>(1),
    ex::array<bool>(true),
    ex::array<bool>(false),
    ex::array<bool, 3>{false, false, true},
    ex::array<bool, 4>{true, false, true, true});
static_assert(ex::jit(extremes)(x, k, b, u) == extremes_expected);

}  // namespace

TEST_CASE("sums of slices") { CHECK(sums_slices()); }
TEST_CASE("sums, products, means") { CHECK(ex::jit(sums)(x, y, m, b, u) == sums_expected); }
TEST_CASE("maxima, minima, truth") { CHECK(ex::jit(extremes)(x, k, b, u) == extremes_expected); }
