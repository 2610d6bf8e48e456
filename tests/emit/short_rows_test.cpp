// SPDX-License-Identifier: BSL-1.0
// Loops whose rows are shorter than a pack (emit/kernels/short_rows.hpp), beside plain C++ loops.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
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

// By column, by row, of a wider array, of a transposed one; the rows are those of a strip and more.
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
// Reductions of rows, of what is computed from them, and of slices.
template <class T, int Rows, int N>
void check_reductions() {
  auto const x = numbers<T, Rows, N>(0);
  auto const w = numbers<T, N + 1>(4);
  constexpr auto f = [](auto a, auto b) {
    return ex::tuple(ex::sum(a * b(ex::slice<N>), ex::axis<1>), ex::max(a, ex::axis<1>),
                     ex::min(a - b(ex::slice<1, ex::none>), ex::axis<1>), ex::prod(a, ex::axis<1>), ex::sum(a, ex::axis<1>));
  };
  auto const [sum, max, min, product, plain] = ex::jit(f)(x, w);
  bool same = true;
  for (int i = 0; i < Rows; ++i) {
    using S = typename decltype(sum)::value_type;  // sums and products of short integers are 32-bit ones, and wrap
    using U = std::conditional_t<std::is_floating_point_v<S>, S, std::uint64_t>;
    U s{}, p = 1, q{};
    T m = x(i, 0), n = static_cast<T>(x(i, 0) - w(1));
    for (int j = 0; j < N; ++j) {
      s += static_cast<U>(static_cast<T>(x(i, j) * w(j))), q += static_cast<U>(x(i, j)), p *= static_cast<U>(x(i, j));
      m = std::max(m, x(i, j)), n = std::min(n, static_cast<T>(x(i, j) - w(j + 1)));
    }
    same = same && sum(i) == static_cast<S>(s) && max(i) == m && min(i) == n && product(i) == static_cast<S>(p) &&
           plain(i) == static_cast<S>(q);
  }
  INFO(Rows, " rows of ", N);
  CHECK(same);
}
// Rounding and NaN: as in constant evaluation.
constexpr auto reduced = [](auto x) { return ex::tuple(ex::max(x, ex::axis<2>), ex::sum(ex::sqrt(x), ex::axis<2>)); };
template <int N>
constexpr ex::array<float, 2, 40, N> fractions = [] {
  ex::array<float, 2, 40, N> x;
  unsigned bits = 1;
  for (float& e : x) bits = bits * 1664525u + 1013904223u, e = static_cast<float>(bits >> 8) / 1000;
  x(1, 3, 2) = -1;  // its root is NaN
  return x;
}();
template <int N>
void check_fractions() {
  static constexpr auto expected = ex::jit(reduced)(fractions<N>);
  ex::array<float, 2, 40, N> const x = fractions<N>;
  auto const [max, sum] = ex::jit(reduced)(x);
  CHECK(max == ex::get<0>(expected));
  CHECK(std::isnan(sum(1, 3)));
  for (int i = 0; i < 80; ++i) CHECK((i == 43 || sum.data()[i] == ex::get<1>(expected).data()[i]));
}

template <int Step>
void check_steps() {
  auto const x = numbers<float, 301 * Step + 1>(0);  // the last element is read
  auto const y = ex::jit([](auto a) { return 2 * a(ex::slice<ex::none, ex::none, Step>) + a(ex::slice<1, ex::none, Step>)(0); })(x);
  bool same = y.size() == 302;
  for (int i = 0; i < 302; ++i) same = same && y(i) == 2 * x(i * Step) + x(1);
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

// Each column of [Rows, N], and all of them together in one loop.
template <class T, int Rows, int N>
bool reads_columns() {
  auto const x = numbers<T, Rows, N>(0);
  constexpr auto some = [](auto a) {
    return ex::tuple(a(ex::all, N - 1), a(ex::all, 0) - a(ex::all, N - 1), a(ex::all, N / 2).template astype<float>());
  };
  constexpr auto total = [](auto a) {
    auto sum = a(ex::all, 0);
    for (int k = 1; k < N; ++k) sum = sum + a(ex::all, k) * static_cast<T>(k + 1);
    return sum;
  };
  auto const [last, difference, middle] = ex::jit(some)(x);
  auto const sum = ex::jit(total)(x);
  bool same = true;
  for (int i = 0; i < Rows; ++i) {
    T all = 0;
    for (int k = 0; k < N; ++k) all = static_cast<T>(all + static_cast<T>(x(i, k) * static_cast<T>(k + 1)));
    same = same && last(i) == x(i, N - 1) && difference(i) == static_cast<T>(x(i, 0) - x(i, N - 1)) && sum(i) == all;
    same = same && middle(i) == static_cast<float>(x(i, N / 2));
  }
  return same;
}

// More is read for whole rows than for each element.
template <class T, int Rows, int N>
bool spreads_rows() {
  auto const x = numbers<T, Rows, 5>(0);
  auto const w = numbers<T, N>(3);
  auto const y = numbers<T, Rows, N>(4);
  constexpr auto f = [](auto a, auto b, auto c) {
    return a(ex::all, ex::slice<0, 1>) * b + a(ex::all, ex::slice<2, 3>) * c - a(ex::all, ex::slice<4, 5>);
  };
  auto const z = ex::jit(f)(x, w, y);
  bool same = true;
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < N; ++j) same = same && z(i, j) == static_cast<T>(x(i, 0) * w(j) + x(i, 2) * y(i, j) - x(i, 4));
  return same;
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
TEST_CASE("reductions") {
  check_reductions<float, 75, 2>();
  check_reductions<float, 1000, 3>();
  check_reductions<float, 75, 6>();
  check_reductions<float, 75, 7>();
  check_reductions<float, 75, 8>();
  check_reductions<double, 75, 3>();
  check_reductions<std::int32_t, 75, 5>();
  check_reductions<std::int32_t, 75, 8>();
  check_fractions<5>();
  check_fractions<7>();
  check_fractions<8>();
}
TEST_CASE("integers of rows up to 64, whose lanes are joined") {
  check_reductions<std::int8_t, 19, 8>();
  check_reductions<std::uint8_t, 19, 33>();
  check_reductions<std::int16_t, 19, 12>();
  check_reductions<std::int32_t, 19, 12>();
  check_reductions<std::int64_t, 19, 9>();
}
TEST_CASE("columns") {
  CHECK(reads_columns<std::uint8_t, 333, 2>());
  CHECK(reads_columns<std::uint8_t, 333, 3>());
  CHECK(reads_columns<std::int8_t, 70, 4>());
  CHECK(reads_columns<std::int16_t, 333, 5>());
  CHECK(reads_columns<std::uint16_t, 75, 8>());
  CHECK(reads_columns<float, 333, 4>());
  CHECK(reads_columns<float, 75, 6>());
  CHECK(reads_columns<float, 333, 8>());
  CHECK(reads_columns<float, 75, 9>());
  CHECK(reads_columns<double, 75, 7>());
  CHECK(reads_columns<std::int64_t, 75, 4>());
}
TEST_CASE("values for whole rows") {
  CHECK(spreads_rows<float, 333, 2>());
  CHECK(spreads_rows<float, 1000, 3>());
  CHECK(spreads_rows<double, 75, 4>());
  CHECK(spreads_rows<std::int32_t, 75, 3>());
  CHECK(spreads_rows<std::int8_t, 75, 3>());
}
TEST_CASE("slices with a step") {
  check_steps<2>();
  check_steps<3>();
  check_steps<5>();
  check_steps<8>();
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
  // Elements that have other packs, or none of their own.
  auto const flags = ex::jit([](auto a) { return ex::stack(ex::tuple(a > 0, a < 3), ex::axis<1>); })(x);
  constexpr auto conjugates = [](auto a) { return ex::stack(ex::tuple(ex::lax::complex(a, -a), ex::lax::complex(a, a)), ex::axis<1>); };
  auto const complex = ex::jit(conjugates)(x);
  for (int i = 0; i < 333; ++i) {
    CHECK((flags(i, 0) == (x(i) > 0) && flags(i, 1) == (x(i) < 3)));
    CHECK((complex(i, 0) == std::complex<float>(x(i), -x(i)) && complex(i, 1) == std::complex<float>(x(i), x(i))));
  }
}
TEST_CASE("columns of short rows, each of its own") {
  auto const x = numbers<float, 5, 67>(0);
  auto const w = numbers<float, 3>(2);
  constexpr auto f = [](auto a, auto b) {
    auto const points = ex::transpose(ex::stack(ex::tuple(ex::sin(a), a * 2, ex::exp(-a * a))), ex::axis<1, 2, 0>);
    auto const moved = points * b + a(ex::ellipsis, ex::newaxis);
    return ex::tuple(moved, moved.at(ex::ellipsis, 1).set(-a), ex::flip(moved, ex::axis<2>));
  };
  auto const [moved, changed, flipped] = ex::jit(f)(x, w);
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 67; ++j) {
      float const a = x(i, j), columns[] = {std::sin(a), a * 2, std::exp(-a * a)};
      for (int k = 0; k < 3; ++k) {
        CHECK(moved(i, j, k) == doctest::Approx(columns[k] * w(k) + a).epsilon(1e-5));
        CHECK(changed(i, j, k) == (k == 1 ? -a : moved(i, j, k)));
        CHECK(flipped(i, j, k) == moved(i, j, 2 - k));
      }
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
  auto const turn = numbers<float, 3, 3>(1);
  auto turned = numbers<float, 333, 3>(0);
  auto const from = turned;
  ex::jit([](auto a, auto r) { return ex::dot(a, r); }).into(turned, turned, turn);
  for (int i = 0; i < 333; ++i)
    for (int j = 0; j < 3; ++j) CHECK(turned(i, j) == from(i, 0) * turn(0, j) + from(i, 1) * turn(1, j) + from(i, 2) * turn(2, j));
}
