// SPDX-License-Identifier: BSL-1.0
// argmax and argmin of rows and columns of all lengths, of arrays and of what is computed, beside the definition: the first NaN, else the
// first of the largest or smallest elements.
#include <cmath>
#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

// Few different values, so that many are equal; special ones in some rows.
template <class T, int... Dims>
ex::array<T, Dims...> numbers(unsigned seed) {
  ex::array<T, Dims...> x;
  using limits = std::numeric_limits<T>;
  int k = 0;
  for (T& e : x) {
    seed = seed * 1664525u + 1013904223u;
    unsigned const r = seed >> 20;
    e = static_cast<T>(static_cast<int>(r % 7) - 3);
    if (k++ % 97 < 30) continue;
    if constexpr (limits::has_infinity) {
      T const special[] = {limits::quiet_NaN(), -limits::quiet_NaN(), limits::infinity(), -limits::infinity(), T(-0.0), T(0)};
      if (r % 19 == 0) e = special[r / 19 % 6];
    } else if (r % 19 == 0) {
      e = r / 19 % 2 != 0 ? limits::lowest() : limits::max();
    }
  }
  return x;
}
// at(i): element i of n.
template <class F>
int first_extremum(int n, bool largest, F const& at) {
  int best = 0;
  for (int i = 1; i < n; ++i) {
    if (at(best) != at(best)) break;
    if (at(i) != at(i) || (largest ? at(i) > at(best) : at(i) < at(best))) best = i;
  }
  return best;
}

template <class T, int Rows, int N>
void check() {
  INFO(Rows, " rows of ", N, ", ", sizeof(T), " bytes");
  constexpr auto f = [](auto x, auto y) {
    return ex::tuple(ex::argmax(x, ex::axis<1>), ex::argmin(x, ex::axis<1>), ex::argmax(y, ex::axis<0>), ex::argmin(y, ex::axis<0>),
                     ex::argmax(x - y.T(), ex::axis<1>), ex::argmin(y - x.T(), ex::axis<0>),
                     ex::vmap([](auto row) { return ex::argmin(row); })(x));
  };
  auto const x = numbers<T, Rows, N>(Rows * 64 + N);
  auto const y = numbers<T, N, Rows>(Rows + N * 64);
  auto const [most, least, most_of_column, least_of_column, most_of_difference, least_of_difference, by_vmap] = ex::jit(f)(x, y);
  bool same = true;
  for (int i = 0; i < Rows; ++i) {
    auto const row = [&](int j) { return x(i, j); };
    auto const column = [&](int j) { return y(j, i); };
    auto const difference = [&](int j) { return static_cast<T>(x(i, j) - y(j, i)); };
    auto const negative = [&](int j) { return static_cast<T>(y(j, i) - x(i, j)); };
    same = same && most(i) == first_extremum(N, true, row) && least(i) == first_extremum(N, false, row) && by_vmap(i) == least(i);
    same = same && most_of_column(i) == first_extremum(N, true, column) && least_of_column(i) == first_extremum(N, false, column);
    same = same && most_of_difference(i) == first_extremum(N, true, difference);
    same = same && least_of_difference(i) == first_extremum(N, false, negative);
  }
  CHECK(same);
}

}  // namespace

TEST_CASE("short rows, and columns") {
  check<float, 300, 1>();
  check<float, 300, 3>();
  check<float, 259, 8>();
  check<double, 300, 5>();
}
TEST_CASE("rows that are transposed, and columns") {
  check<float, 37, 9>();
  check<float, 37, 10>();
  check<float, 32, 16>();
  check<float, 19, 64>();
  check<double, 37, 7>();
  check<double, 9, 20>();
  check<int, 37, 12>();
  check<std::int64_t, 19, 11>();
}
TEST_CASE("few rows, long rows, and columns") {
  check<float, 3, 7>();
  check<float, 2, 65>();
  check<float, 3, 200>();
  check<double, 3, 131>();
  check<std::uint32_t, 3, 100>();
  check<std::int8_t, 20, 300>();
}
TEST_CASE("elements that are all the worst") {
  ex::array<float, 20, 40> x;
  for (float& e : x) e = -std::numeric_limits<float>::infinity();
  constexpr auto f = [](auto x) { return ex::tuple(ex::argmax(x, ex::axis<1>), ex::argmax(x, ex::axis<0>), ex::argmax(x)); };
  x(0, 0) = x(3, 7) = std::numeric_limits<float>::quiet_NaN();
  auto const [rows, columns, all] = ex::jit(f)(x);
  CHECK(rows(1) == 0);
  CHECK(rows(3) == 7);
  CHECK(columns(0) == 0);
  CHECK(columns(7) == 3);
  CHECK(columns(8) == 0);
  CHECK(all.item() == 0);
}
TEST_CASE("in constant evaluation") {
  constexpr auto f = [](auto x) { return ex::tuple(ex::argmax(x, ex::axis<1>), ex::argmin(x, ex::axis<0>), ex::argmin(x * x)); };
  constexpr ex::array<float, 2, 3> x{{1, -2, 1}, {0, -2, -0.0f}};
  constexpr auto made = ex::jit(f)(x);
  static_assert(ex::get<0>(made)(0) == 0 && ex::get<0>(made)(1) == 0);
  static_assert(ex::get<1>(made)(0) == 1 && ex::get<1>(made)(1) == 0 && ex::get<1>(made)(2) == 1);
  static_assert(ex::get<2>(made).item() == 3);
}
