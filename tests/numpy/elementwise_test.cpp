// SPDX-License-Identifier: BSL-1.0
// Functions of one element, where, clip, select.
#include <tuple>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr ex::array<float, 3, 4> x{{1, -2, 3, 4}, {5, 6, -7, 8}, {0.5f, 0, 2.5f, -1}};
constexpr ex::array<float, 4> y{2, -1, 0.5f, 3};
constexpr ex::array<std::int32_t, 3> m{3, -3, 2};
constexpr ex::array<bool, 4> b{true, false, true, true};
constexpr ex::array<std::uint8_t, 3> u{1, 2, 250};

constexpr auto rounded = [](auto x, auto y, auto m, auto u) {
  return std::tuple(ex::floor(x / 2),
                    ex::ceil(x / 2),
                    ex::floor(m),
                    ex::abs(x),
                    ex::abs(u),
                    ex::sign(m),
                    ex::sign(y),
                    ex::negative(m),
                    ex::sqrt(ex::square(y)),
                    ex::isnan(x / 0),
                    ex::isfinite(x / 0),
                    ex::isfinite(m),
                    ex::isnan(y - y));
};
constexpr std::tuple rounded_expected(ex::array<float, 3, 4>{0, -1, 1, 2, 2, 3, -4, 4, 0, 0, 1, -1},
    ex::array<float, 3, 4>{1, -1, 2, 2, 3, 3, -3, 4, 1, 0, 2, -0.0f},
    ex::array<std::int32_t, 3>{3, -3, 2},
    ex::array<float, 3, 4>{1, 2, 3, 4, 5, 6, 7, 8, 0.5f, 0, 2.5f, 1},
    ex::array<std::uint8_t, 3>{1, 2, 250},
    ex::array<std::int32_t, 3>{1, -1, 1},
    ex::array<float, 4>{1, -1, 1, 1},
    ex::array<std::int32_t, 3>{-3, 3, -2},
    ex::array<float, 4>{2, 1, 0.5f, 3},
    ex::array<bool, 3, 4>{false, false, false, false, false, false, false, false, false, true, false, false},
    ex::array<bool, 3, 4>{false, false, false, false, false, false, false, false, false, false, false, false},
    ex::array<bool, 3>{true, true, true},
    ex::array<bool, 4>{false, false, false, false});
static_assert(ex::jit(rounded)(x, y, m, u) == rounded_expected);

constexpr auto casts = [](auto x, auto m, auto b, auto u) {
  return std::tuple(ex::astype<int>(x),
                    ex::astype<bool>(x),
                    ex::astype<float>(m),
                    ex::astype<unsigned char>(u),
                    ex::astype<int>(b));
};
constexpr std::tuple casts_expected(ex::array<std::int32_t, 3, 4>{1, -2, 3, 4, 5, 6, -7, 8, 0, 0, 2, -1},
    ex::array<bool, 3, 4>{true, true, true, true, true, true, true, true, true, false, true, true},
    ex::array<float, 3>{3, -3, 2},
    ex::array<std::uint8_t, 3>{1, 2, 250},
    ex::array<std::int32_t, 4>{1, 0, 1, 1});
static_assert(ex::jit(casts)(x, m, b, u) == casts_expected);

constexpr auto chosen = [](auto x, auto y, auto m, auto b) {
  return std::tuple(ex::where(x > y, x, 0),
                    ex::where(b, 1, 0) * y,
                    ex::where(m, m, 7),
                    ex::where(b, x, y),
                    ex::clip(x, -1, 2.5f),
                    ex::clip(m, -2, 2),
                    ex::select(b, y, -y),
                    ex::select_n(b, y, -y));
};
constexpr std::tuple chosen_expected(ex::array<float, 3, 4>{0, 0, 3, 4, 5, 6, 0, 8, 0, 0, 2.5f, 0},
    ex::array<float, 4>{2, -0.0f, 0.5f, 3},
    ex::array<std::int32_t, 3>{3, -3, 2},
    ex::array<float, 3, 4>{1, -1, 3, 4, 5, -1, -7, 8, 0.5f, -1, 2.5f, -1},
    ex::array<float, 3, 4>{1, -1, 2.5f, 2.5f, 2.5f, 2.5f, -1, 2.5f, 0.5f, 0, 2.5f, -1},
    ex::array<std::int32_t, 3>{2, -2, 2},
    ex::array<float, 4>{2, 1, 0.5f, 3},
    ex::array<float, 4>{-2, -1, -0.5f, -3});
static_assert(ex::jit(chosen)(x, y, m, b) == chosen_expected);

}  // namespace

TEST_CASE("rounding, signs, absolute values") { CHECK(ex::jit(rounded)(x, y, m, u) == rounded_expected); }
TEST_CASE("conversions") { CHECK(ex::jit(casts)(x, m, b, u) == casts_expected); }
TEST_CASE("where, clip, select") { CHECK(ex::jit(chosen)(x, y, m, b) == chosen_expected); }
