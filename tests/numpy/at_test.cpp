// SPDX-License-Identifier: BSL-1.0
// Functional updates: static regions, traced indices, what is out of range.
#include <tuple>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr ex::array<float, 3, 4> x{{1, -2, 3, 4}, {5, 6, -7, 8}, {0.5f, 0, 2.5f, -1}};
constexpr ex::array<float, 4> y{2, -1, 0.5f, 3};
constexpr ex::array<std::int32_t, 3> m{3, -3, 2};

constexpr auto updates = [](auto x, auto y, auto m) {
  return std::tuple(x.at(1, 2).set(9),
                    x.at(-1, 0).add(y(0)),
                    x.at(0, 0).get(),
                    x.at(1).set(y),
                    x.at(ex::all, 1).multiply(2),
                    x.at(ex::slice<1, ex::none>, ex::slice<0, ex::none, 2>).min(1),
                    x.at(ex::slice<ex::none, ex::none, -1>, 0).set(ex::astype<float>(m)),
                    x.at(ex::ellipsis, ex::slice<1, 3>).max(0),
                    x.at(ex::newaxis, 0).set(ex::reshape<1, 4>(y)),
                    x.at().add(1),
                    m.at(5).set(1),
                    m.at(0).add(1.75f),
                    x.at(ex::slice<3, 1>).set(0),
                    y.at(1).mul(y(2)));
};
constexpr std::tuple updates_expected(ex::array<float, 3, 4>{1, -2, 3, 4, 5, 6, 9, 8, 0.5f, 0, 2.5f, -1},
    ex::array<float, 3, 4>{1, -2, 3, 4, 5, 6, -7, 8, 2.5f, 0, 2.5f, -1},
    ex::array<float>(1),
    ex::array<float, 3, 4>{1, -2, 3, 4, 2, -1, 0.5f, 3, 0.5f, 0, 2.5f, -1},
    ex::array<float, 3, 4>{1, -4, 3, 4, 5, 12, -7, 8, 0.5f, 0, 2.5f, -1},
    ex::array<float, 3, 4>{1, -2, 3, 4, 1, 6, -7, 8, 0.5f, 0, 1, -1},
    ex::array<float, 3, 4>{2, -2, 3, 4, -3, 6, -7, 8, 3, 0, 2.5f, -1},
    ex::array<float, 3, 4>{1, 0, 3, 4, 5, 6, 0, 8, 0.5f, 0, 2.5f, -1},
    ex::array<float, 3, 4>{2, -1, 0.5f, 3, 5, 6, -7, 8, 0.5f, 0, 2.5f, -1},
    ex::array<float, 3, 4>{2, -1, 4, 5, 6, 7, -6, 9, 1.5f, 1, 3.5f, 0},
    ex::array<std::int32_t, 3>{3, -3, 2},
    ex::array<std::int32_t, 3>{4, -3, 2},
    ex::array<float, 3, 4>{1, -2, 3, 4, 5, 6, -7, 8, 0.5f, 0, 2.5f, -1},
    ex::array<float, 4>{2, -0.5f, 0.5f, 3});
static_assert(ex::jit(updates)(x, y, m) == updates_expected);

constexpr auto traced_updates = [](auto x, auto y, auto m) {
  return std::tuple(x.at(m(2)).set(y),
                    x.at(m(2), 1).add(1),
                    x.at(m(2) - 3, m(0)).multiply(2),
                    x.at(ex::all, m(0)).set(0),
                    x.at(ex::slice<1, ex::none>, m(2)).min(-1),
                    x.at(m(0)).set(0),
                    y.at(m(1)).max(7),
                    x.at(ex::slice<ex::none, ex::none, -1>, m(2)).set(ex::astype<float>(m)));
};
constexpr std::tuple traced_updates_expected(ex::array<float, 3, 4>{1, -2, 3, 4, 5, 6, -7, 8, 2, -1, 0.5f, 3},
    ex::array<float, 3, 4>{1, -2, 3, 4, 5, 6, -7, 8, 0.5f, 1, 2.5f, -1},
    ex::array<float, 3, 4>{1, -2, 3, 4, 5, 6, -7, 8, 0.5f, 0, 2.5f, -2},
    ex::array<float, 3, 4>{1, -2, 3, 0, 5, 6, -7, 0, 0.5f, 0, 2.5f, 0},
    ex::array<float, 3, 4>{1, -2, 3, 4, 5, 6, -7, 8, 0.5f, 0, -1, -1},
    ex::array<float, 3, 4>{1, -2, 3, 4, 5, 6, -7, 8, 0.5f, 0, 2.5f, -1},
    ex::array<float, 4>{2, 7, 0.5f, 3},
    ex::array<float, 3, 4>{1, -2, 2, 4, 5, 6, -3, 8, 0.5f, 0, 3, -1});
static_assert(ex::jit(traced_updates)(x, y, m) == traced_updates_expected);

}  // namespace

TEST_CASE("x.at(...) with known indices") { CHECK(ex::jit(updates)(x, y, m) == updates_expected); }
TEST_CASE("x.at(...) with traced indices") { CHECK(ex::jit(traced_updates)(x, y, m) == traced_updates_expected); }
