// SPDX-License-Identifier: BSL-1.0
// Reductions of columns, vectors times matrices and matrices times vectors: the orders of emit/kernels/reductions/reduce_order.hpp and
// contraction.hpp, written out for one result after the other.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace {

namespace ex = exprax;

// Numbers of both signs whose sums are rounded; zeros of both signs.
template <class T, int... D>
ex::array<T, D...> numbers() {
  ex::array<T, D...> x;
  unsigned state = 1;
  for (T& e : x) {
    state = state * 1664525u + 1013904223u;
    int const n = static_cast<int>(state >> 16) - 32768;
    if constexpr (std::is_same_v<T, bool>) e = n % 64 != 0;
    else if constexpr (std::is_floating_point_v<T>) e = n % 31 == 0 ? T(-0.0) : T(1) + static_cast<T>(n) / T(300000);
    else e = static_cast<T>(n);
  }
  return x;
}
template <class T>
bool same(T a, T b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

// at(i): element i of n.
template <class T, class At, class Combine>
T in_order(std::ptrdiff_t n, T identity, At at, Combine combine) {
  T sums[8];
  for (T& s : sums) s = identity;
  for (std::ptrdiff_t block = 0; block < n; block += 64)
    for (int j = 0; j < 8; ++j) {
      T m[8];
      for (int k = 0; k < 8; ++k) m[k] = block + 8 * k + j < n ? at(block + 8 * k + j) : identity;
      T const even = combine(combine(m[0], m[2]), combine(m[4], m[6])), odd = combine(combine(m[1], m[3]), combine(m[5], m[7]));
      sums[j] = combine(sums[j], combine(even, odd));
    }
  T const even = combine(combine(sums[0], sums[4]), combine(sums[2], sums[6]));
  T const odd = combine(combine(sums[1], sums[5]), combine(sums[3], sums[7]));
  return combine(even, odd);
}

template <class T>
inline constexpr T least = std::is_floating_point_v<T> ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
template <class T>
inline constexpr T most = std::is_floating_point_v<T> ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();

template <class T>
T plus(T a, T b) {
  if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + static_cast<std::make_unsigned_t<T>>(b));
  else return a + b;
}
template <class T>
T times(T a, T b) {
  if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  else return a * b;
}
template <class T>
T larger(T a, T b) {
  return a > b || (a == b && !std::signbit(static_cast<double>(a))) ? a : b;
}
template <class T>
T smaller(T a, T b) {
  return a < b || (a == b && std::signbit(static_cast<double>(a))) ? a : b;
}

// The sum along axis 0 of `values`, a matrix of `of`, is `results`.
template <class T, int Columns, class Results, class Combine>
int differences(T const* values, std::ptrdiff_t rows, Results const& results, T identity, Combine combine) {
  int n = 0;
  for (int c = 0; c < Columns; ++c)
    n += !same<T>(results.data()[c], in_order(rows, identity, [&](std::ptrdiff_t r) { return values[r * Columns + c]; }, combine));
  return n;
}

constexpr auto sums = [](auto x) {
  return ex::tuple(ex::lax::reduce_sum(x, ex::axis<0>), ex::lax::reduce_prod(x, ex::axis<0>), ex::lax::reduce_max(x, ex::axis<0>), ex::lax::reduce_min(x, ex::axis<0>));
};
template <class T, int Rows, int Columns>
void check_numbers() {
  CAPTURE(Rows);
  CAPTURE(Columns);
  auto const x = numbers<T, Rows, Columns>();
  auto const [sum, product, largest, smallest] = ex::jit(sums)(x);
  CHECK(differences<T, Columns>(x.data(), Rows, sum, T(0), plus<T>) == 0);
  CHECK(differences<T, Columns>(x.data(), Rows, product, T(1), times<T>) == 0);
  CHECK(differences<T, Columns>(x.data(), Rows, largest, least<T>, larger<T>) == 0);
  CHECK(differences<T, Columns>(x.data(), Rows, smallest, most<T>, smaller<T>) == 0);
}
template <class T>
void check_shapes() {
  check_numbers<T, 5, 3>();
  check_numbers<T, 9, 4>();
  check_numbers<T, 33, 17>();
  check_numbers<T, 64, 70>();
  check_numbers<T, 129, 33>();
  check_numbers<T, 513, 1037>();
  check_numbers<T, 70, 4200>();
}

constexpr auto logic = [](auto x) {
  return ex::tuple(ex::lax::reduce_and(x, ex::axis<0>), ex::lax::reduce_or(ex::logical_not(x), ex::axis<0>), ex::lax::reduce_xor(x, ex::axis<0>));
};
template <int Rows, int Columns>
void check_logic() {
  auto const x = numbers<bool, Rows, Columns>();
  auto const [every, some, odd] = ex::jit(logic)(x);
  int n = 0;
  for (int c = 0; c < Columns; ++c) {
    bool all = true, any = false, parity = false;
    for (int r = 0; r < Rows; ++r) {
      bool const e = x.data()[r * Columns + c];
      all = all && e, any = any || !e, parity = parity != e;
    }
    n += (every.data()[c] != all) + (some.data()[c] != any) + (odd.data()[c] != parity);
  }
  CHECK(n == 0);
}

// ---- Axes and prologues

// What is computed before a reduction, the axes that are kept, and reductions of several axes.
template <class F, class G, class X>
bool same_results(F const& fused, G const& elements, X const& x) {
  auto const made = ex::jit(elements)(x);
  auto const a = ex::jit(fused)(x);
  auto const b = ex::jit([](auto y) { return ex::lax::reduce_sum(y, ex::axis<0>); })(made);
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof *a.data()) == 0;
}
constexpr auto squares = [](auto x) { return x * x; };
constexpr auto sum_of_squares = [](auto x) { return ex::lax::reduce_sum(squares(x), ex::axis<0>); };
constexpr auto exponentials = [](auto x) { return ex::exp(ex::sin(x)) + ex::arange<float, 33>() * 0.1f; };
constexpr auto sum_of_exponentials = [](auto x) { return ex::lax::reduce_sum(exponentials(x), ex::axis<0>); };
constexpr auto rows_counted = [](auto x) { return x * ex::reshape<129, 1>(ex::arange<float, 129>()); };
constexpr auto sum_of_counted = [](auto x) { return ex::lax::reduce_sum(rows_counted(x), ex::axis<0>); };

// ---- All pairs of two vectors

constexpr auto of_pairs = [](auto x, auto c) {
  auto const d = ex::abs(x(ex::all, ex::none) - c);
  return ex::tuple(ex::sum(d, ex::axis<1>), ex::max(x(ex::all, ex::none) - c, ex::axis<1>), ex::argmin(d, ex::axis<1>));
};
template <class T, int Columns, int N>
void check_pairs() {
  CAPTURE(N);
  auto const x = numbers<T, Columns>();
  auto const c = numbers<T, N>();
  auto const [sum, largest, nearest] = ex::jit(of_pairs)(x, c);
  int n = 0;
  for (int i = 0; i < Columns; ++i) {
    auto const difference = [&](std::ptrdiff_t k) { return x.data()[i] - c.data()[k]; };
    auto const distance = [&](std::ptrdiff_t k) { return std::abs(difference(k)); };
    n += !same(sum.data()[i], in_order(N, T(0), distance, plus<T>));
    n += !same(largest.data()[i], in_order(N, least<T>, difference, larger<T>));
    int first = 0;
    for (int k = 1; k < N; ++k) first = distance(k) < distance(first) ? k : first;
    n += nearest.data()[i] != first;
  }
  CHECK(n == 0);
}

// ---- Products

// primitives/contractions/contraction.hpp has the two orders.
template <class T, class L, class R>
T product(std::ptrdiff_t n, int order, L l, R r) {
  ex::detail::dot_accumulator<T> sum(order);
  for (std::ptrdiff_t k = 0; k < n; ++k) sum.add(ex::simd::lane<T>(l(k)), ex::simd::lane<T>(r(k)));
  return sum.result();
}
constexpr auto dot = [](auto a, auto b) { return ex::dot(a, b); };

template <class T, int Rows, int Columns>
void check_products() {
  CAPTURE(Rows);
  CAPTURE(Columns);
  auto const matrix = numbers<T, Rows, Columns>();
  auto const left = numbers<T, Rows>();
  auto const right = numbers<T, Columns>();
  T const* const m = matrix.data();
  auto const by_rows = ex::jit(dot)(left, matrix);
  auto const by_columns = ex::jit(dot)(matrix, right);
  int n = 0;
  for (std::ptrdiff_t c = 0; c < Columns; ++c)
    n += !same(by_rows.data()[c], product<T>(Rows, 0, [&](std::ptrdiff_t k) { return left.data()[k]; }, [&](std::ptrdiff_t k) { return m[k * Columns + c]; }));
  CHECK(n == 0);
  for (std::ptrdiff_t r = 0; r < Rows; ++r)
    n += !same(by_columns.data()[r], product<T>(Columns, ex::detail::product_form{.terms = Columns}.order(), [&](std::ptrdiff_t k) { return m[r * Columns + k]; }, [&](std::ptrdiff_t k) { return right.data()[k]; }));
  CHECK(n == 0);
}
template <class T>
void check_products() {
  check_products<T, 5, 3>();
  check_products<T, 16, 33>();
  check_products<T, 17, 64>();
  check_products<T, 39, 300>();
  check_products<T, 129, 33>();
  check_products<T, 513, 1037>();
  check_products<T, 18, 17000>();
}

}  // namespace

TEST_CASE("reductions of columns") {
  check_shapes<float>();
  check_shapes<double>();
  check_shapes<int>();
  check_numbers<std::int8_t, 129, 133>();
  check_logic<5, 3>();
  check_logic<129, 33>();
  check_logic<513, 1037>();
}
TEST_CASE("all pairs") {
  check_pairs<float, 70, 3>();
  check_pairs<float, 133, 9>();
  check_pairs<float, 70, 16>();
  check_pairs<double, 70, 13>();
  check_pairs<double, 300, 17>();
  check_pairs<float, 70, 100>();
}
TEST_CASE("reductions of columns: prologues and axes") {
  auto const x = numbers<float, 129, 33>();
  CHECK(same_results(sum_of_squares, squares, x));
  CHECK(same_results(sum_of_exponentials, exponentials, x));
  CHECK(same_results(sum_of_counted, rows_counted, x));
  // Axes before the reduced one, and after it.
  auto const y = numbers<float, 3, 71, 37>();
  auto const all = ex::jit([](auto z) { return ex::lax::reduce_sum(z, ex::axis<1>); })(y);
  int n = 0;
  for (int i = 0; i < 3; ++i)
    for (int c = 0; c < 37; ++c)
      n += !same(all.data()[i * 37 + c], in_order(71, 0.0f, [&](std::ptrdiff_t r) { return y.data()[(i * 71 + r) * 37 + c]; }, plus<float>));
  CHECK(n == 0);
  // Two axes that are no neighbours.
  auto const some = ex::jit([](auto z) { return ex::lax::reduce_sum(z, ex::axis<0, 2>); })(numbers<float, 40, 37, 3>());
  auto const z = numbers<float, 40, 37, 3>();
  for (int c = 0; c < 37; ++c)
    n += !same(some.data()[c], in_order(120, 0.0f, [&](std::ptrdiff_t r) { return z.data()[r / 3 * 37 * 3 + c * 3 + r % 3]; }, plus<float>));
  CHECK(n == 0);
}
TEST_CASE("reductions of columns in constant evaluation") {
  constexpr auto ints = [] {
    ex::array<int, 70, 13> x;
    for (int i = 0; i < 70 * 13; ++i) x.data()[i] = i * i % 101;
    return ex::jit([](auto y) { return ex::sum(y, ex::axis<0>); })(x);
  }();
  int n = 0;
  for (int c = 0; c < 13; ++c) {
    int sum = 0;
    for (int r = 0; r < 70; ++r) sum += (r * 13 + c) * (r * 13 + c) % 101;
    n += ints.data()[c] != sum;
  }
  CHECK(n == 0);
}
TEST_CASE("vectors and matrices") {
  check_products<float>();
  check_products<double>();
  check_products<int>();
  check_products<std::int16_t, 129, 133>();
}
