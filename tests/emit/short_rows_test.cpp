// SPDX-License-Identifier: BSL-1.0
// Loops whose rows are shorter than a pack (emit/kernels/short_rows.hpp), beside plain C++ loops.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

template <class T, int... Dims>
ex::array<T, Dims...> numbers(int first) {
  ex::array<T, Dims...> x;
  int k = first;
  for (T& e : x) e = static_cast<T>(k++ % 23 - 7);
  return x;
}

// By column, by row, of a wider array, of a transposed one, by two indices; the rows are those of a strip and more.
template <class T, int Rows, int N>
void check_reads() {
  auto const x = numbers<T, Rows, N>(0);
  auto const column = numbers<T, N>(3);
  auto const row = numbers<T, Rows, 1>(5);
  auto const wide = numbers<T, Rows, N + 3>(1);
  auto const across = numbers<T, N, Rows>(2);
  constexpr auto f = [](auto a, auto b, auto c, auto d, auto e) {
    return ex::tuple(a * b + c, a - d(ex::all, ex::slice<2, N + 2>) * e.T());
  };
  auto const [sum, difference] = ex::jit(f)(x, column, row, wide, across);
  bool same = true;
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < N; ++j) {
      same = same && sum(i, j) == static_cast<T>(x(i, j) * column(j) + row(i, 0));
      same = same && difference(i, j) == static_cast<T>(x(i, j) - wide(i, j + 2) * across(j, i));
    }
  INFO(Rows, " rows of ", N);
  CHECK(same);
}
// The indices of the row, of the column and of outer axes.
template <int Outer, int Rows, int N>
void check_indices() {
  constexpr auto f = [](auto x) {
    auto const i = ex::lax::broadcasted_iota<int, 0, Outer, Rows, N>();
    auto const j = ex::lax::broadcasted_iota<int, 1, Outer, Rows, N>();
    auto const k = ex::lax::broadcasted_iota<int, 2, Outer, Rows, N>();
    return x + 10000 * i + 10 * j - k;
  };
  auto const y = ex::jit(f)(ex::array<int, Outer, Rows, N>());
  bool same = true;
  for (int i = 0; i < Outer; ++i)
    for (int j = 0; j < Rows; ++j)
      for (int k = 0; k < N; ++k) same = same && y(i, j, k) == 10000 * i + 10 * j - k;
  CHECK(same);
}


}  // namespace

TEST_CASE("what is read in another order") {
  check_reads<float, 75, 2>();
  check_reads<float, 1000, 3>();
  check_reads<float, 16, 4>();
  check_reads<float, 75, 7>();
  check_reads<float, 40, 15>();
  check_reads<double, 75, 3>();
  check_reads<std::int32_t, 211, 5>();
  check_reads<std::int8_t, 75, 3>();
}
TEST_CASE("indices") {
  check_indices<1, 300, 3>();
  check_indices<3, 211, 5>();
  check_indices<7, 40, 2>();
}
TEST_CASE("functions of rows, and of elements") {
  auto const x = numbers<float, 500, 3>(0);
  auto const y = ex::jit([](auto a) { return ex::exp(0.1f * a) / ex::sqrt(1 + ex::sum(a * a, ex::axis<1>, ex::keepdims)); })(x);
  float worst = 0;
  for (int i = 0; i < 500; ++i) {
    float sum = 1;
    for (int j = 0; j < 3; ++j) sum += x(i, j) * x(i, j);
    for (int j = 0; j < 3; ++j) worst = std::max(worst, std::abs(y(i, j) - std::exp(0.1f * x(i, j)) / std::sqrt(sum)) / y(i, j));
  }
  CHECK(worst < 1e-6f);
}
TEST_CASE("interleaved operands") {
  auto const x = numbers<float, 333>(0);
  constexpr auto f = [](auto a) {
    auto const pair = ex::stack(ex::tuple(a + 1, a * 2), ex::axis<1>);
    auto const four = ex::stack(ex::tuple(ex::exp(0.1f * a), a, -a, a * a), ex::axis<-1>);
    return ex::tuple(pair, four, ex::stack(ex::tuple(a, pair(ex::all, 0), a - 3), ex::axis<1>));
  };
  auto const [pair, four, three] = ex::jit(f)(x);
  for (int i = 0; i < 333; ++i) {
    CHECK((pair(i, 0) == x(i) + 1 && pair(i, 1) == x(i) * 2));
    CHECK((std::abs(four(i, 0) - std::exp(0.1f * x(i))) < 1e-5f && four(i, 1) == x(i) && four(i, 2) == -x(i) && four(i, 3) == x(i) * x(i)));
    CHECK((three(i, 0) == x(i) && three(i, 1) == x(i) + 1 && three(i, 2) == x(i) - 3));
  }
  // Booleans, complex numbers and keys have no packs of their own, or others.
  auto const flags = ex::jit([](auto a) { return ex::stack(ex::tuple(a > 0, a < 3), ex::axis<1>); })(x);
  constexpr auto conjugates = [](auto a) { return ex::stack(ex::tuple(ex::lax::complex(a, -a), ex::lax::complex(a, a)), ex::axis<1>); };
  auto const complex = ex::jit(conjugates)(x);
  for (int i = 0; i < 333; ++i) {
    CHECK((flags(i, 0) == (x(i) > 0) && flags(i, 1) == (x(i) < 3)));
    CHECK((complex(i, 0) == std::complex<float>(x(i), -x(i)) && complex(i, 1) == std::complex<float>(x(i), x(i))));
  }
}
TEST_CASE("results take the memory of operands") {
  auto const x = numbers<float, 200, 3>(0);
  auto const w = numbers<float, 3>(2);
  constexpr auto f = [](auto a, auto b) { return a * b + 1; };
  ex::array<float, 200, 3> y = x;
  ex::jit(f).into(y, y, w);
  ex::array<float, 201, 3> shifted = numbers<float, 201, 3>(0);  // the result begins one row later than the operand
  std::vector<float> const before(shifted.begin(), shifted.end());
  ex::jit(f).into(ex::view<float, 200, 3>(shifted.data() + 3), ex::view<float const, 200, 3>(shifted.data()), w);
  for (int i = 0; i < 200; ++i)
    for (int j = 0; j < 3; ++j) {
      CHECK(y(i, j) == x(i, j) * w(j) + 1);
      CHECK(shifted(i + 1, j) == before[static_cast<std::size_t>(3 * i + j)] * w(j) + 1);
    }
}
