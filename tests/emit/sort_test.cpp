// SPDX-License-Identifier: BSL-1.0
// Sorting with packs: rows with every special value against std::sort of pairs of an element and its index.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <tuple>
#include <utility>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr auto sorts = [](auto x) { return std::tuple(ex::sort(x), ex::argsort(x)); };
constexpr auto best = [](auto x) { return ex::top_k<3>(x); };

template <class T, int Rows, int N>
void check_rows() {
  std::mt19937 random(N);
  ex::array<T, Rows, N> x;
  for (int i = 0; i < Rows * N; ++i) {
    auto const r = random();
    x.data()[i] = static_cast<T>(static_cast<int>(r % 97) - 48);
    if constexpr (std::numeric_limits<T>::has_infinity) {
      T const odd[] = {T(0), T(-0.0), std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity(), -std::numeric_limits<T>::quiet_NaN()};
      if (r % 7 == 0) x.data()[i] = odd[r / 7 % 5];
      else if (r % 3 == 0) x.data()[i] *= T(1.00000001);
    }
  }
  auto const less = [](T a, T b) { return a == a && (b != b || a < b); };
  auto const [sorted, order] = ex::jit(ex::vmap(sorts))(x);
  auto const largest = std::get<1>(ex::jit(ex::vmap(best))(x));
  for (int row = 0; row < Rows; ++row) {
    int expected[N], from_top[N];
    for (int i = 0; i < N; ++i) expected[i] = from_top[i] = i;
    std::sort(expected, expected + N, [&](int a, int b) { return less(x(row, a), x(row, b)) || (!less(x(row, b), x(row, a)) && a < b); });
    auto const key = [&](int i) { return std::pair(-ex::detail::sort_key(x(row, i), true), i); };  // no key is the least of all
    std::sort(from_top, from_top + N, [&](int a, int b) { return key(a) < key(b); });
    for (int i = 0; i < N; ++i) {
      CHECK(order(row, i) == expected[i]);
      CHECK(ex::detail::to_bits(sorted(row, i)) == ex::detail::to_bits(x(row, expected[i])));
      if (i < 3) CHECK(largest(row, i) == from_top[i]);
    }
  }
}

}  // namespace

TEST_CASE("rows against std::sort") {
  check_rows<float, 3, 8>();
  check_rows<float, 1, 13>();
  check_rows<float, 2, 300>();
  check_rows<double, 2, 37>();
  check_rows<std::int16_t, 2, 70>();
}
