// SPDX-License-Identifier: BSL-1.0
// Arrays of integers, masks and modes as indices: reads, and updates with every method. Expected values are NumPy's; what is out of
// range there follows jax.numpy's rules.
#include <tuple>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr ex::array<float, 3, 4> x{{1, -2, 3, 4}, {5, 6, -7, 8}, {0.5f, 0, 2.5f, -1}};
constexpr auto z = [] {
  ex::array<std::int32_t, 2, 3, 4> a;
  for (int k = 0; k < 24; ++k) a.data()[k] = k;
  return a;
}();
constexpr ex::array<std::int32_t, 3> i{2, -3, 0}, far{100, -3, 7}, m{3, -3, 2};
constexpr ex::array<std::int64_t, 2, 1> j{1, -1};
constexpr ex::array<std::uint8_t, 3> u{1, 0, 1};
constexpr ex::array<float, 4> y{2, -1, 0.5f, 3};

constexpr auto reads = [](auto x, auto z, auto i, auto j, auto u, auto far, auto k) {
  return std::tuple(x(i),
                    x(ex::all, i),
                    x(i, i),
                    x(j, i),
                    x(i, 1),
                    x(i, ex::newaxis, ex::slice<1, 3>),
                    z(j, ex::all, i),
                    z(ex::all, i, j),
                    z(1, ex::all, i),
                    z(ex::newaxis, ex::slice<ex::none, ex::none, -1>, i),
                    z(ex::ellipsis, i),
                    z(j, ex::ellipsis),
                    z(ex::all, i, ex::slice<ex::none, ex::none, -2>),
                    z(k, ex::slice<0, ex::none, 2>, i),
                    z(ex::all, k, ex::slice<3, ex::none, -2>),
                    z(j, k, i),
                    z(j, ex::newaxis, k),
                    x(i(ex::slice<0, 0>)),
                    z(ex::slice<1, 1>, i),
                    z(u, ex::all, ex::slice<1, 3>),
                    x(far),
                    x(ex::all, far));
};
constexpr std::tuple reads_expected(ex::array<float, 3, 4>{0.5f, 0, 2.5f, -1, 1, -2, 3, 4, 1, -2, 3, 4},
    ex::array<float, 3, 3>{3, -2, 1, -7, 6, 5, 2.5f, 0, 0.5f},
    ex::array<float, 3>{2.5f, -2, 1},
    ex::array<float, 2, 3>{-7, 6, 5, 2.5f, 0, 0.5f},
    ex::array<float, 3>{0, -2, -2},
    ex::array<float, 3, 1, 2>{0, 2.5f, -2, 3, -2, 3},
    ex::array<std::int32_t, 2, 3, 3>{14, 18, 22, 13, 17, 21, 12, 16, 20, 14, 18, 22, 13, 17, 21, 12, 16, 20},
    ex::array<std::int32_t, 2, 2, 3>{9, 1, 1, 11, 3, 3, 21, 13, 13, 23, 15, 15},
    ex::array<std::int32_t, 3, 3>{14, 18, 22, 13, 17, 21, 12, 16, 20},
    ex::array<std::int32_t, 1, 2, 3, 4>{20, 21, 22, 23, 12, 13, 14, 15, 12, 13, 14, 15, 8, 9, 10, 11, 0, 1, 2, 3, 0, 1, 2, 3},
    ex::array<std::int32_t, 2, 3, 3>{2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, 18, 17, 16, 22, 21, 20},
    ex::array<std::int32_t, 2, 1, 3, 4>{12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23},
    ex::array<std::int32_t, 2, 3, 2>{11, 9, 3, 1, 3, 1, 23, 21, 15, 13, 15, 13},
    ex::array<std::int32_t, 3, 2>{14, 22, 13, 21, 12, 20},
    ex::array<std::int32_t, 2, 2>{7, 5, 19, 17},
    ex::array<std::int32_t, 2, 3>{18, 17, 16, 18, 17, 16},
    ex::array<std::int32_t, 2, 1, 1, 4>{16, 17, 18, 19, 16, 17, 18, 19},
    ex::array<float, 0, 4>{},
    ex::array<std::int32_t, 0, 3, 4>{},
    ex::array<std::int32_t, 3, 3, 2>{13, 14, 17, 18, 21, 22, 1, 2, 5, 6, 9, 10, 13, 14, 17, 18, 21, 22},
    ex::array<float, 3, 4>{0.5f, 0, 2.5f, -1, 1, -2, 3, 4, 0.5f, 0, 2.5f, -1},
    ex::array<float, 3, 3>{4, -2, 4, 8, 6, 8, -1, 0, -1});
static_assert(ex::jit(reads)(x, z, i, j, u, far, 1) == reads_expected);

constexpr auto updates = [](auto x, auto y, auto m, auto i, auto j, auto far, auto k) {
  return std::tuple(x.at(i).add(y),
                    x.at(i, j).multiply(2),
                    x.at(ex::all, i).set(m),
                    x.at(i, ex::slice<0, ex::none, 2>).max(ex::reshape<3, 1>(m)),
                    x.at(i, ex::slice<ex::none, ex::none, -1>).min(y),
                    x.at(i, ex::newaxis, 1).add(1),
                    x.at(far).add(1),
                    x.at(far).add(1, ex::mode_clip),
                    x.at(far).add(1, ex::mode_wrap),
                    x.at(far).add(1, ex::wrap_negative_indices<false>),
                    x.at(far, 0).set(7, ex::mode_promise_in_bounds),
                    x.at(k, ex::slice<1, ex::none, 2>).add(y(ex::slice<0, 2>)),
                    x.at(i).subtract(1),
                    x.at(i).divide(2),
                    x.at(1, 2).divide(2),
                    x.at(1).power(2),
                    x.at(-9, 0).add(1, ex::mode_clip),
                    x.at(9, -9).add(1, ex::mode_clip),
                    x.at(-2, 0).add(1, ex::mode_drop, ex::wrap_negative_indices<false>),
                    x.at(x > 2).set(0),
                    x.at(x(ex::all, 0) > 0.75f).add(y),
                    x.at(x > 2).multiply(x(0, 0) + 1),
                    x.at(x > 2).divide(2),
                    x.at(x < 0).apply([](auto v) { return v * v; }),
                    x.at(i, 1).apply([](auto v) { return v * 2 + 1; }),
                    x.at(ex::all, 1).apply([](auto v) { return -v; }),
                    x.at(i).get(ex::mode_clip),
                    x.at(far).get(ex::mode_fill, ex::fill_value(9)),
                    x.at(far, far).get(ex::mode_wrap),
                    x.at(1, 7).get(ex::mode_fill, ex::fill_value(4)),
                    x.at(ex::all, k).get(ex::mode_drop, ex::fill_value(4)),
                    m.at(far).get(ex::mode_fill),
                    (m > 0).at(far).get(ex::mode_fill));
};
constexpr std::tuple updates_expected(ex::array<float, 3, 4>{5, -4, 4, 10, 5, 6, -7, 8, 2.5f, -1, 3, 2},
    ex::array<float, 3, 4>{1, -8, 3, 16, 5, 6, -7, 8, 0.5f, 0, 2.5f, -2},
    ex::array<float, 3, 4>{2, -3, 3, 4, 2, -3, 3, 8, 2, -3, 3, -1},
    ex::array<float, 3, 4>{2, -2, 3, 4, 5, 6, -7, 8, 3, 0, 3, -1},
    ex::array<float, 3, 4>{1, -2, -1, 2, 5, 6, -7, 8, 0.5f, 0, -1, -1},
    ex::array<float, 3, 4>{1, 0, 3, 4, 5, 6, -7, 8, 0.5f, 1, 2.5f, -1},
    ex::array<float, 3, 4>{2, -1, 4, 5, 5, 6, -7, 8, 0.5f, 0, 2.5f, -1},
    ex::array<float, 3, 4>{2, -1, 4, 5, 5, 6, -7, 8, 2.5f, 2, 4.5f, 1},
    ex::array<float, 3, 4>{2, -1, 4, 5, 7, 8, -5, 10, 0.5f, 0, 2.5f, -1},
    ex::array<float, 3, 4>{1, -2, 3, 4, 5, 6, -7, 8, 0.5f, 0, 2.5f, -1},
    ex::array<float, 3, 4>{7, -2, 3, 4, 5, 6, -7, 8, 7, 0, 2.5f, -1},
    ex::array<float, 3, 4>{1, -2, 3, 4, 5, 8, -7, 7, 0.5f, 0, 2.5f, -1},
    ex::array<float, 3, 4>{-1, -4, 1, 2, 5, 6, -7, 8, -0.5f, -1, 1.5f, -2},
    ex::array<float, 3, 4>{0.25f, -0.5f, 0.75f, 1, 5, 6, -7, 8, 0.25f, 0, 1.25f, -0.5f},
    ex::array<float, 3, 4>{1, -2, 3, 4, 5, 6, -3.5f, 8, 0.5f, 0, 2.5f, -1},
    ex::array<float, 3, 4>{1, -2, 3, 4, 25, 36, 49, 64, 0.5f, 0, 2.5f, -1},
    ex::array<float, 3, 4>{2, -2, 3, 4, 5, 6, -7, 8, 0.5f, 0, 2.5f, -1},
    ex::array<float, 3, 4>{1, -2, 3, 4, 5, 6, -7, 8, 1.5f, 0, 2.5f, -1},
    ex::array<float, 3, 4>{1, -2, 3, 4, 5, 6, -7, 8, 0.5f, 0, 2.5f, -1},
    ex::array<float, 3, 4>{1, -2, 0, 0, 0, 0, -7, 0, 0.5f, 0, 0, -1},
    ex::array<float, 3, 4>{3, -3, 3.5f, 7, 7, 5, -6.5f, 11, 0.5f, 0, 2.5f, -1},
    ex::array<float, 3, 4>{1, -2, 6, 8, 10, 12, -7, 16, 0.5f, 0, 5, -1},
    ex::array<float, 3, 4>{1, -2, 1.5f, 2, 2.5f, 3, -7, 4, 0.5f, 0, 1.25f, -1},
    ex::array<float, 3, 4>{1, 4, 3, 4, 5, 6, 49, 8, 0.5f, 0, 2.5f, 1},
    ex::array<float, 3, 4>{1, -5, 3, 4, 5, 6, -7, 8, 0.5f, 1, 2.5f, -1},
    ex::array<float, 3, 4>{1, 2, 3, 4, 5, -6, -7, 8, 0.5f, -0, 2.5f, -1},
    ex::array<float, 3, 4>{0.5f, 0, 2.5f, -1, 1, -2, 3, 4, 1, -2, 3, 4},
    ex::array<float, 3, 4>{9, 9, 9, 9, 1, -2, 3, 4, 9, 9, 9, 9},
    ex::array<float, 3>{5, -2, 8},
    ex::array<float>(4),
    ex::array<float, 3>{-2, 6, 0},
    ex::array<std::int32_t, 3>{-2147483647 - 1, 3, -2147483647 - 1},
    ex::array<bool, 3>{1, 1, 1});
static_assert(ex::jit(updates)(x, y, m, i, j, far, 1) == updates_expected);

}  // namespace

TEST_CASE("reads by arrays of integers") { CHECK(ex::jit(reads)(x, z, i, j, u, far, 1) == reads_expected); }
TEST_CASE("updates by arrays of integers, masks and modes") { CHECK(ex::jit(updates)(x, y, m, i, j, far, 1) == updates_expected); }
