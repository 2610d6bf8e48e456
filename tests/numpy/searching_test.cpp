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

}  // namespace

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
