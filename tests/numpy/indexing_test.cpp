// SPDX-License-Identifier: BSL-1.0
// Reads by every form of index, and functional updates.
#include <tuple>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr ex::array<float, 3, 4> x{{1, -2, 3, 4}, {5, 6, -7, 8}, {0.5f, 0, 2.5f, -1}};
constexpr ex::array<float, 4> y{2, -1, 0.5f, 3};
constexpr ex::array<std::int32_t, 3> m{3, -3, 2};
constexpr ex::array<std::uint8_t, 3> u{1, 2, 250};

constexpr auto reads = [](auto x, auto y, auto m) {
  return std::tuple(x(1, 2),
                    x(-1, -4),
                    x(1),
                    x(ex::all, 1),
                    x(ex::slice<1, ex::none>),
                    x(ex::slice<ex::none, -1>, 0),
                    x(ex::ellipsis, ex::slice<ex::none, ex::none, 2>),
                    x(ex::slice<ex::none, ex::none, -1>, ex::slice<-2, ex::none, -2>),
                    y(ex::slice<-100, 100>),
                    y(ex::slice<3, 1, -1>),
                    y(ex::slice<3, 1>),
                    m(ex::newaxis, ex::all, ex::newaxis),
                    x(ex::newaxis, 0, ex::newaxis, ex::slice<1, 3>),
                    x(),
                    m(ex::static_<2>));
};
constexpr std::tuple reads_expected(ex::array<float>(-7),
    ex::array<float>(0.5f),
    ex::array<float, 4>{5, 6, -7, 8},
    ex::array<float, 3>{-2, 6, 0},
    ex::array<float, 2, 4>{5, 6, -7, 8, 0.5f, 0, 2.5f, -1},
    ex::array<float, 2>{1, 5},
    ex::array<float, 3, 2>{1, 3, 5, -7, 0.5f, 2.5f},
    ex::array<float, 3, 2>{2.5f, 0.5f, -7, 5, 3, 1},
    ex::array<float, 4>{2, -1, 0.5f, 3},
    ex::array<float, 2>{3, 0.5f},
    ex::array<float, 0>{},
    ex::array<std::int32_t, 1, 3, 1>{3, -3, 2},
    ex::array<float, 1, 1, 2>{-2, 3},
    ex::array<float, 3, 4>{1, -2, 3, 4, 5, 6, -7, 8, 0.5f, 0, 2.5f, -1},
    ex::array<std::int32_t>(2));
static_assert(ex::jit(reads)(x, y, m) == reads_expected);

constexpr auto reads_traced = [](auto x, auto y, auto m, auto u) {
  return std::tuple(x(m(2), 0),
                    x(m(0) - 4),
                    x(ex::all, m(2)),
                    x(ex::slice<1, ex::none>, m(2), ex::newaxis),
                    y(m(0)),
                    y(m(1)),
                    y(u(2)),
                    y(m(0) + 100),
                    ex::dynamic_slice<2, 2>(x, m(2), 1),
                    ex::dynamic_slice<2>(y, 1),
                    ex::dynamic_slice<2>(y, m(1)),
                    ex::dynamic_update_slice(y, m(ex::slice<0, 2>), m(2)));
};
constexpr std::tuple reads_traced_expected(ex::array<float>(0.5f),
    ex::array<float, 4>{0.5f, 0, 2.5f, -1},
    ex::array<float, 3>{3, -7, 2.5f},
    ex::array<float, 2, 1>{-7, 2.5f},
    ex::array<float>(3),
    ex::array<float>(-1),
    ex::array<float>(3),
    ex::array<float>(3),
    ex::array<float, 2, 2>{6, -7, 0, 2.5f},
    ex::array<float, 2>{-1, 0.5f},
    ex::array<float, 2>{-1, 0.5f},
    ex::array<float, 4>{2, -1, 3, -3});
static_assert(ex::jit(reads_traced)(x, y, m, u) == reads_traced_expected);

}  // namespace

TEST_CASE("basic indexing") { CHECK(ex::jit(reads)(x, y, m) == reads_expected); }
TEST_CASE("traced indices") { CHECK(ex::jit(reads_traced)(x, y, m, u) == reads_traced_expected); }
