// SPDX-License-Identifier: BSL-1.0
// Shapes: reshape, transpose, new and lost axes, flips, joins, pads.
#include <tuple>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr ex::array<float, 3, 4> x{{1, -2, 3, 4}, {5, 6, -7, 8}, {0.5f, 0, 2.5f, -1}};
constexpr ex::array<float, 4> y{2, -1, 0.5f, 3};
constexpr ex::array<std::int32_t, 2, 3> k{{7, -7, 3}, {-4, 5, 0}};
constexpr ex::array<std::int32_t, 3> m{3, -3, 2};

constexpr auto moved = [](auto x, auto k, auto m) {
  return std::tuple(ex::reshape<2, -1>(x),
                    ex::ravel(k),
                    ex::transpose(k),
                    ex::transpose(ex::reshape<3, 2, 2>(x), ex::axis<1, 0, 2>),
                    ex::moveaxis<0, 2>(ex::reshape<3, 2, 2>(x)),
                    ex::swapaxes<0, -1>(ex::reshape<3, 2, 2>(x)),
                    ex::expand_dims(m, ex::axis<1>),
                    ex::expand_dims(m, ex::axis<0, -1>),
                    ex::squeeze(ex::reshape<1, 3, 1>(m)),
                    ex::squeeze(ex::reshape<1, 3, 1>(m), ex::axis<-1>),
                    ex::flip(k),
                    ex::flip(k, ex::axis<1>),
                    ex::broadcast_to<2, 3>(m));
};
constexpr std::tuple moved_expected(ex::array<float, 2, 6>{1, -2, 3, 4, 5, 6, -7, 8, 0.5f, 0, 2.5f, -1},
    ex::array<std::int32_t, 6>{7, -7, 3, -4, 5, 0},
    ex::array<std::int32_t, 3, 2>{7, -4, -7, 5, 3, 0},
    ex::array<float, 2, 3, 2>{1, -2, 5, 6, 0.5f, 0, 3, 4, -7, 8, 2.5f, -1},
    ex::array<float, 2, 2, 3>{1, 5, 0.5f, -2, 6, 0, 3, -7, 2.5f, 4, 8, -1},
    ex::array<float, 2, 2, 3>{1, 5, 0.5f, 3, -7, 2.5f, -2, 6, 0, 4, 8, -1},
    ex::array<std::int32_t, 3, 1>{3, -3, 2},
    ex::array<std::int32_t, 1, 3, 1>{3, -3, 2},
    ex::array<std::int32_t, 3>{3, -3, 2},
    ex::array<std::int32_t, 1, 3>{3, -3, 2},
    ex::array<std::int32_t, 2, 3>{0, 5, -4, 3, -7, 7},
    ex::array<std::int32_t, 2, 3>{3, -7, 7, 0, 5, -4},
    ex::array<std::int32_t, 2, 3>{3, -3, 2, 3, -3, 2});
static_assert(ex::jit(moved)(x, k, m) == moved_expected);

constexpr auto joined = [](auto y, auto k, auto m) {
  return std::tuple(ex::concatenate(y, m),
                    ex::concatenate(ex::tuple(k, k), ex::axis<1>),
                    ex::stack(m, m + 1),
                    ex::stack(ex::tuple(m, m), ex::axis<-1>),
                    ex::vstack(m, k),
                    ex::hstack(k, k),
                    ex::hstack(m, 9),
                    ex::append(y, 5),
                    ex::append(k, k, ex::axis<0>),
                    ex::pad<1>(m),
                    ex::pad<0, 2>(m, 9),
                    ex::pad<1, 0, 0, 2>(k));
};
constexpr std::tuple joined_expected(ex::array<float, 7>{2, -1, 0.5f, 3, 3, -3, 2},
    ex::array<std::int32_t, 2, 6>{7, -7, 3, 7, -7, 3, -4, 5, 0, -4, 5, 0},
    ex::array<std::int32_t, 2, 3>{3, -3, 2, 4, -2, 3},
    ex::array<std::int32_t, 3, 2>{3, 3, -3, -3, 2, 2},
    ex::array<std::int32_t, 3, 3>{3, -3, 2, 7, -7, 3, -4, 5, 0},
    ex::array<std::int32_t, 2, 6>{7, -7, 3, 7, -7, 3, -4, 5, 0, -4, 5, 0},
    ex::array<std::int32_t, 4>{3, -3, 2, 9},
    ex::array<float, 5>{2, -1, 0.5f, 3, 5},
    ex::array<std::int32_t, 4, 3>{7, -7, 3, -4, 5, 0, 7, -7, 3, -4, 5, 0},
    ex::array<std::int32_t, 5>{0, 3, -3, 2, 0},
    ex::array<std::int32_t, 5>{3, -3, 2, 9, 9},
    ex::array<std::int32_t, 3, 5>{0, 0, 0, 0, 0, 7, -7, 3, 0, 0, -4, 5, 0, 0, 0});
static_assert(ex::jit(joined)(y, k, m) == joined_expected);

}  // namespace

TEST_CASE("reshape, transpose, axes") { CHECK(ex::jit(moved)(x, k, m) == moved_expected); }
TEST_CASE("concatenate, stack, append, pad") { CHECK(ex::jit(joined)(y, k, m) == joined_expected); }
