// SPDX-License-Identifier: BSL-1.0
// Sorting with packs: rows with every special value against std::sort of pairs of an element and its index.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <random>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

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
    } else if (r % 7 == 0) {
      x.data()[i] = r / 7 % 2 == 0 ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();
    }
  }
  auto const less = [](T a, T b) { return a == a && (b != b || a < b); };
  auto const [sorted, order] = ex::jit(ex::vmap(sorts))(x);
  auto const largest = std::get<1>(ex::jit(ex::vmap(best))(x));
  for (int row = 0; row < Rows; ++row) {
    int expected[N], from_top[N];
    for (int i = 0; i < N; ++i) expected[i] = from_top[i] = i;
    std::sort(expected, expected + N, [&](int a, int b) { return less(x(row, a), x(row, b)) || (!less(x(row, b), x(row, a)) && a < b); });
    auto const key = [&](int i) { return std::pair(~ex::detail::sort_key(x(row, i), true), i); };
    std::sort(from_top, from_top + N, [&](int a, int b) { return key(a) < key(b); });
    for (int i = 0; i < N; ++i) {
      CHECK(order(row, i) == expected[i]);
      CHECK(ex::detail::to_bits(sorted(row, i)) == ex::detail::to_bits(x(row, expected[i])));
      if (i < 3) CHECK(largest(row, i) == from_top[i]);
    }
  }
}

// The first elements of rows of every special value, many of them equal; Style 1: all elements are the one that comes last, but for a few.
template <class T, int Rows, int N, int Count, int Style = 0>
void check_first() {
  std::mt19937 random(N + Count);
  ex::array<T, Rows, N> x;
  T last = std::numeric_limits<T>::lowest();
  if constexpr (std::is_same_v<T, float>) last = std::bit_cast<float>(~0u);
  for (int i = 0; i < Rows * N; ++i) {
    auto const r = random();
    x.data()[i] = static_cast<T>(static_cast<int>(r % 97) - 48);
    if constexpr (std::numeric_limits<T>::has_infinity) {
      T const inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
      T const odd[] = {T(0), T(-0.0), nan, inf, -inf, -nan};
      if (r % 7 == 0) x.data()[i] = odd[r / 7 % 6];
      else if (r % 3 == 0) x.data()[i] *= T(1.0000001);
    }
    if (Style == 1 && (r >> 20) % 16 != 0) x.data()[i] = last;
  }
  auto const [values, indices] = ex::jit(ex::vmap([](auto row) { return ex::top_k<Count>(row); }))(x);
  for (int row = 0; row < Rows; ++row) {
    std::vector<int> expected(N);
    for (int i = 0; i < N; ++i) expected[static_cast<std::size_t>(i)] = i;
    auto const key = [&](int i) { return ~ex::detail::sort_key(x(row, i), true); };
    std::sort(expected.begin(), expected.end(), [&](int a, int b) { return key(a) < key(b) || (key(a) == key(b) && a < b); });
    for (int i = 0; i < Count; ++i) {
      CHECK(indices(row, i) == expected[static_cast<std::size_t>(i)]);
      CHECK(ex::detail::to_bits(values(row, i)) == ex::detail::to_bits(x(row, indices(row, i))));
    }
  }
}

}  // namespace

TEST_CASE("the first few of long rows") {
  check_first<float, 1, 64, 4>();
  check_first<float, 2, 77, 1>();
  check_first<float, 1, 2500, 16>();
  check_first<float, 1, 2048, 3, 1>();
  check_first<float, 1, 130, 32, 1>();
  check_first<float, 1, 9, 2>();
  check_first<double, 1, 100, 7>();
  check_first<double, 1, 3000, 5, 1>();
  check_first<std::int32_t, 1, 1000, 4, 1>();
  check_first<std::uint32_t, 1, 150, 10, 1>();
  check_first<std::int64_t, 1, 333, 12, 1>();
  check_first<std::int8_t, 2, 321, 6, 1>();
  check_first<bool, 1, 200, 9>();
}
TEST_CASE("the first ones of many rows") {
  check_first<float, 40, 24, 4>();
  check_first<float, 33, 61, 7>();
  check_first<float, 19, 5, 5>();
  check_first<float, 19, 3, 1>();
  check_first<float, 18, 20, 20>();
  check_first<float, 5, 13, 13, 1>();
  check_first<double, 11, 9, 3>();
  check_first<double, 9, 2, 2>();
  check_first<std::int32_t, 17, 31, 3, 1>();
  check_first<std::uint32_t, 20, 16, 5, 1>();
  check_first<std::int64_t, 12, 10, 4, 1>();
  check_first<std::int8_t, 16, 12, 3, 1>();
  check_first<bool, 21, 7, 3>();
}

TEST_CASE("rows against std::sort") {
  check_rows<float, 3, 8>();
  check_rows<float, 1, 13>();
  check_rows<float, 2, 300>();
  check_rows<double, 2, 37>();
  check_rows<std::int16_t, 2, 70>();
}
