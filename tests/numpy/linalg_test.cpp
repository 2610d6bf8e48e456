// SPDX-License-Identifier: BSL-1.0
// Products of matrices and vectors, convolutions, closeness.
#include <tuple>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr ex::array<float, 3, 4> x{{1, -2, 3, 4}, {5, 6, -7, 8}, {0.5f, 0, 2.5f, -1}};
constexpr ex::array<float, 4> y{2, -1, 0.5f, 3};
constexpr ex::array<std::int32_t, 2, 3> k{{7, -7, 3}, {-4, 5, 0}};
constexpr ex::array<std::int32_t, 3> m{3, -3, 2};

constexpr auto products = [](auto x, auto y, auto k, auto m) {
  return std::tuple(ex::dot(y, y),
                    ex::dot(x, y),
                    ex::dot(k, ex::transpose(k)),
                    ex::dot(m, y(ex::slice<0, 3>)),
                    ex::dot(y, 2),
                    ex::matmul(m, ex::transpose(k)),
                    ex::matmul(ex::reshape<3, 1, 2, 2>(x), ex::reshape<2, 2, 1>(y)),
                    ex::matmul(ex::reshape<1, 2, 3>(k), ex::reshape<1, 3, 1>(m)),
                    ex::vdot(k, k),
                    ex::outer(m, y),
                    ex::inner(k, m),
                    ex::tensordot(k, k),
                    ex::tensordot<1>(k, m));
};
constexpr std::tuple products_expected(ex::array<float>(14.25f),
    ex::array<float, 3>{17.5f, 24.5f, -0.75f},
    ex::array<std::int32_t, 2, 2>{107, -63, -63, 41},
    ex::array<float>(10),
    ex::array<float, 4>{4, -2, 1, 6},
    ex::array<std::int32_t, 2>{48, -27},
    ex::array<float, 3, 2, 2, 1>{4, 2, -5.5f, 13.5f, 4, -22, 20.5f, 20.5f, 1, 6, 0.25f, -1.75f},
    ex::array<std::int32_t, 1, 2, 1>{48, -27},
    ex::array<std::int32_t>(148),
    ex::array<float, 3, 4>{6, -3, 1.5f, 9, -6, 3, -1.5f, -9, 4, -2, 1, 6},
    ex::array<std::int32_t, 2>{48, -27},
    ex::array<std::int32_t>(148),
    ex::array<std::int32_t, 2>{48, -27});
static_assert(ex::jit(products)(x, y, k, m) == products_expected);

constexpr auto convolutions = [](auto y, auto m) {
  return std::tuple(ex::convolve(y, m),
                    ex::convolve(m, y, ex::mode_full),
                    ex::convolve(y, m, ex::mode_same),
                    ex::convolve(y, m, ex::mode_valid),
                    ex::convolve(m, m),
                    ex::convolve(y, ex::ones<2>(), ex::mode_same));
};
constexpr std::tuple convolutions_expected(ex::array<float, 6>{6, -9, 8.5f, 5.5f, -8, 6},
    ex::array<float, 6>{6, -9, 8.5f, 5.5f, -8, 6},
    ex::array<float, 4>{-9, 8.5f, 5.5f, -8},
    ex::array<float, 2>{8.5f, 5.5f},
    ex::array<float, 5>{9, -18, 21, -12, 4},
    ex::array<float, 4>{2, 1, -0.5f, 3.5f});
static_assert(ex::jit(convolutions)(y, m) == convolutions_expected);

constexpr auto closeness = [](auto x, auto y, auto k, auto m) {
  return std::tuple(ex::isclose(y, y + 1e-6f),
                    ex::allclose(x, x * 1.1f),
                    ex::allclose(x, y, 10.0f, 10),
                    ex::isclose(y / 0, y / 0),
                    ex::array_equal(m, m),
                    ex::array_equal(m, k));
};
constexpr std::tuple closeness_expected(ex::array<bool, 4>{true, true, true, true},
    ex::array<bool>(false),
    ex::array<bool>(true),
    ex::array<bool, 4>{true, true, true, true},
    ex::array<bool>(true),
    ex::array<bool>(false));
static_assert(ex::jit(closeness)(x, y, k, m) == closeness_expected);

}  // namespace

TEST_CASE("dot, matmul, vdot, outer, inner, tensordot") { CHECK(ex::jit(products)(x, y, k, m) == products_expected); }
TEST_CASE("convolve") { CHECK(ex::jit(convolutions)(y, m) == convolutions_expected); }
TEST_CASE("isclose, allclose, array_equal") { CHECK(ex::jit(closeness)(x, y, k, m) == closeness_expected); }
