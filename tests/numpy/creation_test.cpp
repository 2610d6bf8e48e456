// SPDX-License-Identifier: BSL-1.0
// Creation functions.
#include <tuple>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr ex::array<float, 4> y{2, -1, 0.5f, 3};
constexpr ex::array<std::int32_t, 3> m{3, -3, 2};

constexpr auto made = [](auto y, auto m) {
  return std::tuple(ex::zeros<float, 2, 2>() + y(0),
                    ex::ones<3>(),
                    ex::full<2>(7),
                    ex::full<float, 2>(y(1)),
                    ex::zeros_like(y),
                    ex::ones_like(y, ex::int32),
                    ex::full_like(m, 4),
                    ex::arange<4>(),
                    ex::arange<2, 5>(),
                    ex::arange<5, -2, -3>(),
                    ex::arange<float, 3>(),
                    ex::arange<0.0, 1.0, 0.25>(),
                    ex::eye<3>(),
                    ex::eye<int, 2, 4, 1>(),
                    ex::linspace<5>(0, 1),
                    ex::linspace<4, false>(0.0f, 2.0f),
                    ex::linspace<1>(3, 4),
                    ex::linspace<int, 5>(0, 10));
};
constexpr std::tuple made_expected(ex::array<float, 2, 2>{2, 2, 2, 2},
    ex::array<float, 3>{1, 1, 1},
    ex::array<std::int32_t, 2>{7, 7},
    ex::array<float, 2>{-1, -1},
    ex::array<float, 4>{0, 0, 0, 0},
    ex::array<std::int32_t, 4>{1, 1, 1, 1},
    ex::array<std::int32_t, 3>{4, 4, 4},
    ex::array<std::int32_t, 4>{0, 1, 2, 3},
    ex::array<std::int32_t, 3>{2, 3, 4},
    ex::array<std::int32_t, 3>{5, 2, -1},
    ex::array<float, 3>{0, 1, 2},
    ex::array<float, 4>{0, 0.25f, 0.5f, 0.75f},
    ex::array<float, 3, 3>{1, 0, 0, 0, 1, 0, 0, 0, 1},
    ex::array<std::int32_t, 2, 4>{0, 1, 0, 0, 0, 0, 1, 0},
    ex::array<float, 5>{0, 0.25f, 0.5f, 0.75f, 1},
    ex::array<float, 4>{0, 0.5f, 1, 1.5f},
    ex::array<float, 1>{3},
    ex::array<std::int32_t, 5>{0, 2, 5, 7, 10});
static_assert(ex::jit(made)(y, m) == made_expected);

}  // namespace

TEST_CASE("creation") { CHECK(ex::jit(made)(y, m) == made_expected); }
