// SPDX-License-Identifier: BSL-1.0
// searchsorted, digitize, histogram. Values: JAX's documentation and cases, NumPy's.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
template <int... D>
using ints = ex::array<std::int32_t, D...>;

// JAX's case searchsorted
static_assert(ex::searchsorted(ex::array<std::int32_t, 4>{5, 1, 3, 3}, ex::array<std::int32_t, 2>{3, 6}, ex::sorter(ex::array<std::int32_t, 4>{1, 2, 3, 0}), ex::side_right) ==
              ex::array<std::int32_t, 2>{3, 4});
static_assert(ex::searchsorted(ints<4>{1, 2, 2, 5}, ints<3>{0, 2, 6}) == ints<3>{0, 1, 4});
static_assert(ex::searchsorted(ints<4>{1, 2, 2, 5}, ints<3>{0, 2, 6}, ex::side_right) == ints<3>{0, 3, 4});
static_assert(ex::searchsorted(ex::array<float, 5>{-1, 0, 2, nan, nan}, ex::array<float, 4>{-0.0f, nan, 3, -2}) == ints<4>{1, 3, 3, 0});
static_assert(ex::searchsorted(ex::array<float, 5>{-1, 0, 2, nan, nan}, ex::array<float, 4>{-0.0f, nan, 3, -2}, ex::side_right) == ints<4>{2, 5, 3, 0});
static_assert(ex::searchsorted(ints<3>{1, 2, 3}, 2.5f)() == 2 && ex::searchsorted(ints<0>{}, ints<2>{1, 2}) == ints<2>{0, 0});
// jax.numpy.digitize's documentation
constexpr ex::array<float, 6> x{1.0f, 2.0f, 2.5f, 1.5f, 3.0f, 3.5f};
static_assert(ex::digitize(x, ints<3>{1, 2, 3}) == ints<6>{1, 2, 2, 1, 3, 3} && ex::digitize(x, ints<3>{1, 2, 3}, ex::side_right) == ints<6>{0, 1, 2, 1, 2, 3});
static_assert(ex::digitize(x, ints<3>{3, 2, 1}) == ints<6>{2, 1, 1, 2, 0, 0});
// jax.numpy.histogram's documentation
constexpr ints<10> a{1, 3, 0, 0, 12, 14, 17, 15, 19, 24};
static_assert(ex::histogram_bin_edges<4>(ex::array<float, 3>{0, 1, 2}) == ex::array<float, 5>{0, 0.5f, 1, 1.5f, 2});
static_assert(ex::histogram_bin_edges<2>(ints<2>{3, 3}) == ex::array<float, 3>{2.5f, 3, 3.5f});
static_assert(ex::histogram<4>(a, ex::range(0, 24)) == std::tuple(ex::array<float, 4>{4, 0, 4, 2}, ex::array<float, 5>{0, 6, 12, 18, 24}));
static_assert(std::get<0>(ex::histogram(a, ints<4>{0, 10, 20, 24})) == ex::array<float, 3>{4, 5, 1});
static_assert(std::get<0>(ex::histogram(ints<4>{0, 1, 3, 9}, ints<3>{0, 2, 4}, ex::density)) == ex::array<float, 2>{1.0f / 3, 0.5f / 3});

constexpr auto both_sides = [](auto sorted, auto v) { return std::tuple(ex::searchsorted(sorted, v), ex::searchsorted(sorted, v, ex::side_right)); };

// Wrong places of many values, with NaN and infinities, in N elements that are repeated, the last ones NaN.
template <class T, int N>
int wrong_places() {
  constexpr int count = 150;
  static ex::array<T, N> sorted;
  static ex::array<T, count> v;
  for (int i = 0; i < N; ++i) sorted(i) = static_cast<T>(i / 3);
  for (int i = 0; i < count; ++i) v(i) = static_cast<T>((i * 37) % (N + 9) / 2 - 2);
  if constexpr (std::numeric_limits<T>::has_quiet_NaN) {
    constexpr T infinity = std::numeric_limits<T>::infinity();
    sorted(0) = -infinity;
    sorted(N - 3) = infinity;
    sorted(N - 2) = sorted(N - 1) = v(7) = v(149) = std::numeric_limits<T>::quiet_NaN();
    v(8) = infinity;
    v(9) = -infinity;
  }
  auto const before = [](T a, T b) { return a < b || (b != b && a == a); };
  auto const [left, right] = ex::jit(both_sides)(sorted, v);
  int wrong = 0;
  T const *const begin = sorted.data(), *const end = begin + N;
  for (int i = 0; i < count; ++i) {
    wrong += left(i) != std::lower_bound(begin, end, v(i), before) - begin;
    wrong += right(i) != std::upper_bound(begin, end, v(i), before) - begin;
  }
  return wrong;
}

}  // namespace

// All elements are compared, or searched, or first a short table of some of them is.
TEST_CASE("few and many elements") {
  CHECK(wrong_places<float, 16>() == 0);
  CHECK(wrong_places<float, 17>() == 0);
  CHECK(wrong_places<float, 32>() == 0);
  CHECK(wrong_places<double, 63>() == 0);
  CHECK(wrong_places<int, 100>() == 0);
}
TEST_CASE("edges that go down") {
  ex::array<float, 40> edges;
  ex::array<float, 90> x;
  for (int i = 0; i < 40; ++i) edges(i) = static_cast<float>(40 - i);
  for (int i = 0; i < 90; ++i) x(i) = static_cast<float>(i) * 0.5f;
  auto const bins = ex::jit([](auto v, auto e) { return ex::digitize(v, e); })(x, edges);
  for (int i = 0; i < 90; ++i) CHECK(bins(i) == std::count_if(edges.begin(), edges.end(), [&](float e) { return e > x(i); }));
}
TEST_CASE("many places at once, for rows of a batch") {
  ex::array<float, 2, 37> sorted;
  ex::array<float, 2, 50> v;
  for (int i = 0; i < 74; ++i) sorted.data()[i] = static_cast<float>(i % 37 / 3);
  for (int i = 0; i < 100; ++i) v.data()[i] = static_cast<float>(i % 50) * 0.25f;
  auto const [left, right] = ex::jit(ex::vmap(both_sides))(sorted, v);
  for (int row = 0; row < 2; ++row)
    for (int i = 0; i < 50; ++i) {
      float const* const begin = sorted.data() + 37 * row;
      CHECK(left(row, i) == std::lower_bound(begin, begin + 37, v(row, i)) - begin);
      CHECK(right(row, i) == std::upper_bound(begin, begin + 37, v(row, i)) - begin);
    }
}
