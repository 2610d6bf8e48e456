// SPDX-License-Identifier: BSL-1.0
// A matrix times each vector of a batch, which runs as one product, has in each row the bits of the product with that vector; and
// reductions and products along a short axis, which become slices, have the bits of those of each row.
#include <cmath>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr auto product = [](auto w, auto x) { return ex::dot(w, x); };
constexpr auto layer = [](auto w, auto x) { return ex::tanh(ex::dot(w, x) + 0.5f); };

template <auto const& F, class T, int M, int K, int Rows>
bool has_bits_of_rows() {
  ex::array<T, M, K> w;
  ex::array<T, Rows, K> xs;
  for (int i = 0; i < M * K; ++i) w.data()[i] = static_cast<T>((i * 37 % 101 - 50) * 0.37);
  for (int i = 0; i < Rows * K; ++i) xs.data()[i] = static_cast<T>((i * 53 % 97 - 48) * 0.21);
  auto const all = ex::jit(ex::vmap(F, ex::in_axes<ex::none, 0>))(w, xs);
  bool same = true;
  for (int r = 0; r < Rows; ++r) {
    ex::array<T, K> x;
    for (int k = 0; k < K; ++k) x(k) = xs(r, k);
    auto const one = ex::jit(F)(w, x);
    for (int i = 0; i < M; ++i) same = same && one(i) == all(r, i);
  }
  return same;
}

// A matrix whose rows meet in the cache is copied, strip by strip: 128 terms of each sum at most.
constexpr auto batched = ex::vmap(product, ex::in_axes<ex::none, 0>);
template <int Rows>
using batch = ex::detail::compiled<ex::detail::traced<decltype(batched), ex::expr<float, 128, 100>, ex::expr<float, Rows, 100>>>;
template <int Rows>
inline constexpr auto const& tiles_of = ex::planned<batch<Rows>>::storage.contracts[0].tiles;
static_assert(tiles_of<64>.depth == (ex::this_target.register_bytes > 0 ? 128 : 0) && tiles_of<32>.depth == 0);

// The order of sums that primitives/contractions/contraction.hpp defines; every third term is -0.
template <class T, int K>
bool has_bits_of_definition() {
  ex::array<T, 6, K> w;
  ex::array<T, 10, K> xs;
  for (int i = 0; i < 6 * K; ++i) w.data()[i] = i % 3 == 0 ? T(-0.0) : static_cast<T>((i * 37 % 101 - 50) * 0.37);
  for (int i = 0; i < 10 * K; ++i) xs.data()[i] = static_cast<T>((i * 53 % 97 - 48) * 0.21);
  auto const all = ex::jit(ex::vmap(product, ex::in_axes<ex::none, 0>))(w, xs);
  auto const one = ex::jit(product)(w, xs(3));
  bool same = true;
  for (int r = 0; r < 10; ++r)
    for (int i = 0; i < 6; ++i) {
      ex::detail::dot_accumulator<T> sum(K > 4 ? 1 : 0);
      for (int k = 0; k < K; ++k) sum.add(ex::simd::lane<T>(w(i, k)), ex::simd::lane<T>(xs(r, k)));
      auto const sign = [](T x) { return std::signbit(static_cast<double>(x)); };
      auto const is_same = [&](T x) { return x == sum.result() && sign(x) == sign(sum.result()); };
      same = same && is_same(all(r, i)) && (r != 3 || is_same(one(i)));
    }
  return same;
}

constexpr auto by_broadcasting = [](auto r) { return ex::sum(ex::square(r(ex::all, ex::newaxis) - r(ex::newaxis, ex::all)), ex::axis<-1>); };
constexpr auto by_vmap = [](auto r) {
  return ex::vmap([=](auto a) { return ex::vmap([=](auto b) { return ex::sum(ex::square(a - b)); })(r); })(r);
};
// No array of N x N x 3 elements.
static_assert(ex::jit(by_broadcasting).memory_analysis(ex::f32<200, 3>).temp_size_in_bytes < 200 * 200 * 4);

constexpr auto total = [](auto x, auto axis) { return ex::sum(x, axis); };
constexpr auto product_of = [](auto x, auto axis) { return ex::prod(x, axis); };
constexpr auto largest = [](auto x, auto axis) { return ex::max(x, axis); };

// F along a short axis of [Before, N, After] has the bits of F of each row alone.
template <int Before, int N, int After, auto const& F>
bool has_bits_along() {
  ex::array<float, Before, N, After> x;
  for (int i = 0; i < Before * N * After; ++i) x.data()[i] = i % 7 == 0 ? -0.0f : static_cast<float>(i * 29 % 83 - 40) * 0.13f;
  auto const all = ex::jit([](auto y) { return F(ex::square(y) - y * 0.25f, ex::axis<1>); })(x);
  bool same = true;
  for (int b = 0; b < Before; ++b)
    for (int a = 0; a < After; ++a) {
      ex::array<float, N> row;
      for (int k = 0; k < N; ++k) row(k) = x(b, k, a);
      float const one = ex::jit([](auto y) { return F(ex::square(y) - y * 0.25f, ex::axis<0>); })(row);
      same = same && __builtin_bit_cast(unsigned, one) == __builtin_bit_cast(unsigned, static_cast<float>(all(b, a)));
    }
  return same;
}

constexpr auto dot = [](auto x, auto y) { return ex::dot(x, y); };
// Batch axes first or last, and in another order in the second operand.
template <class T, int N>
bool has_bits_of_vectors() {
  ex::array<T, 19, 23, N> x;
  ex::array<T, N, 23, 19> y;
  for (int i = 0; i < 19 * 23 * N; ++i) {
    x.data()[i] = static_cast<T>((i * 37 % 101 - 50) * 0.37);
    y.data()[i] = i % 5 == 0 ? static_cast<T>(-0.0) : static_cast<T>((i * 53 % 97 - 48) * 0.21);
  }
  auto const all = ex::jit([](auto a, auto b) { return ex::einsum<"ijk,kji->ij">(a + a, b); })(x, y);
  auto const rows = ex::jit([](auto a, auto b) { return ex::vmap(dot)(ex::reshape<437, N>(a + a), ex::reshape<437, N>(b.T())); })(x, y);
  bool same = true;
  for (int i = 0; i < 19; ++i)
    for (int j = 0; j < 23; ++j) {
      ex::array<T, N> u, v;
      for (int k = 0; k < N; ++k) u(k) = static_cast<T>(x(i, j, k) + x(i, j, k)), v(k) = y(k, j, i);
      T const one = ex::jit(dot)(u, v);
      for (T const other : {static_cast<T>(all(i, j)), static_cast<T>(rows(i * 23 + j))})
        same = same && one == other && (one != 0 || 1 / static_cast<double>(one) == 1 / static_cast<double>(other));
    }
  return same;
}

// Vectors of a few elements, 301 of them, times one vector, or the columns of a matrix: each product has the bits of the definition. Some
// sums have no term but -0.
template <class T, int K>
bool has_bits_beside_a_matrix() {
  constexpr int n = 301;
  ex::array<T, n, K> x;
  ex::array<T, K, 3> w;
  for (int i = 0; i < n * K; ++i) x.data()[i] = i / K % 5 == 0 ? static_cast<T>(-0.0) : static_cast<T>((i * 37 % 101 - 50) * 0.37);
  for (int i = 0; i < 3 * K; ++i) w.data()[i] = i % 3 == 1 ? static_cast<T>(i + 1) : static_cast<T>((i * 53 % 97 - 48) * 0.21);
  ex::array<T, n, 3> const by_rows = ex::jit(dot)(x, w), by_vmap = ex::jit(ex::vmap(dot, ex::in_axes<0, ex::none>))(x, w);
  ex::array<T, 3, n> const by_columns = ex::jit([](auto a, auto b) { return ex::dot(b.T(), a.T()); })(x, w);
  ex::array<T, n> const times_vector = ex::jit([](auto a, auto b) { return ex::dot(a, b(ex::all, 1)); })(x, w);
  ex::array<T, n> const vector_times = ex::jit([](auto a, auto b) { return ex::dot(b(ex::all, 1), a.T()); })(x, w);
  auto const bits = [](T v) { return v == 0 ? (std::signbit(static_cast<double>(v)) ? -0.5 : 0.5) : static_cast<double>(v); };
  bool same = true;
  for (int i = 0; i < n; ++i)
    for (int c = 0; c < 3; ++c) {
      T sum[2];
      for (int order = 0; order < 2; ++order) {
        ex::detail::dot_accumulator<T> acc(order);
        for (int k = 0; k < K; ++k) acc.add(ex::simd::lane<T>(x(i, k)), ex::simd::lane<T>(w(k, c)));
        sum[order] = acc.result();
      }
      same = same && bits(by_rows(i, c)) == bits(sum[0]) && bits(by_columns(c, i)) == bits(sum[0]);
      same = same && bits(by_vmap(i, c)) == bits(sum[0]);
      if (c == 1) same = same && bits(times_vector(i)) == bits(sum[ex::detail::product_form{.terms = K}.order()]) && bits(vector_times(i)) == bits(sum[0]);
    }
  return same;
}

// A few products are added in turn; rows with one vector have the bits of each row alone, on either side, and no rows are stored.
constexpr auto rows_by_vector = [](auto x, auto w) { return ex::dot(x + x, w); };
constexpr auto vector_by_rows = [](auto x, auto w) { return ex::inner(w, x + x); };
constexpr auto each_by_vector = ex::vmap(rows_by_vector, ex::in_axes<0, ex::none>);
static_assert(ex::jit(rows_by_vector).memory_analysis(ex::f32<300, 4>, ex::f32<4>).temp_size_in_bytes < 300 * 4);
static_assert(ex::jit(each_by_vector).memory_analysis(ex::f32<300, 3>, ex::f32<3>).temp_size_in_bytes < 300 * 4);
template <class T, int N>
bool has_bits_in_turn() {
  ex::array<T, 61, N> x;
  ex::array<T, N> w;
  for (int i = 0; i < 61 * N; ++i) x.data()[i] = static_cast<T>((i * 37 % 101 - 50) * 0.37);
  for (int k = 0; k < N; ++k) w(k) = static_cast<T>((k * 53 % 97 - 48) * 0.21);
  auto const rows = ex::jit(rows_by_vector)(x, w), exchanged = ex::jit(vector_by_rows)(x, w);
  auto const each = ex::jit(each_by_vector)(x, w);
  bool same = true;
  for (int i = 0; i < 61; ++i) {
    ex::array<T, N> row;
    for (int k = 0; k < N; ++k) row(k) = x(i, k);
    T sum = 2 * row(0) * w(0);
    for (int k = 1; k < N; ++k)
      sum = static_cast<T>(ex::simd::fuses<T> ? std::fma(2 * row(k), w(k), sum) : static_cast<T>(2 * row(k) * w(k)) + sum);
    T const one = ex::jit(rows_by_vector)(row, w);
    same = same && one == sum && rows(i) == sum && each(i) == sum && exchanged(i) == sum;
  }
  return same;
}

// Pairs of rows, the product of whose difference with itself is summed: nothing of the size of all pairs is stored.
constexpr auto energy = [](auto r) {
  auto const d = r(ex::all, ex::newaxis) - r(ex::newaxis, ex::all);
  return ex::sum(1 / (1 + ex::einsum<"ijk,ijk->ij">(d, d)));
};
constexpr auto energy_by_vmap = [](auto r) {
  auto const one = [](auto a, auto b) { return 1 / (1 + ex::dot(a - b, a - b)); };
  auto const of_one = [=](auto a, auto all) { return ex::sum(ex::vmap(one, ex::in_axes<ex::none, 0>)(a, all)); };
  return ex::sum(ex::vmap(of_one, ex::in_axes<0, ex::none>)(r, r));
};
static_assert(ex::jit(energy).memory_analysis(ex::f32<200, 3>).temp_size_in_bytes < 200 * (3 * 4 + 8));
static_assert(ex::jit(energy_by_vmap).memory_analysis(ex::f32<200, 3>).temp_size_in_bytes < 200 * (3 * 4 + 8));

}  // namespace

TEST_CASE("a matrix times each vector of a batch") {
  CHECK(has_bits_of_rows<product, float, 16, 16, 64>());
  CHECK(has_bits_of_rows<product, float, 16, 16, 1>());
  CHECK(has_bits_of_rows<product, float, 7, 5, 13>());
  CHECK(has_bits_of_rows<product, float, 33, 40, 9>());
  CHECK(has_bits_of_rows<product, float, 65, 31, 18>());
  CHECK(has_bits_of_rows<product, double, 16, 33, 10>());
  CHECK(has_bits_of_rows<product, int, 9, 35, 6>());
  CHECK(has_bits_of_rows<layer, float, 24, 24, 21>());
  CHECK(has_bits_of_rows<product, float, 128, 100, 64>());
  CHECK(has_bits_of_rows<product, float, 150, 1100, 37>());
  CHECK(has_bits_of_definition<float, 1>());
  CHECK(has_bits_of_definition<float, 2>());
  CHECK(has_bits_of_definition<float, 3>());
  CHECK(has_bits_of_definition<float, 5>());
  CHECK(has_bits_of_definition<float, 8>());
  CHECK(has_bits_of_definition<float, 9>());
  CHECK(has_bits_of_definition<double, 6>());
  CHECK(has_bits_of_definition<int, 7>());
}

TEST_CASE("reductions along a short axis") {
  CHECK(has_bits_along<1, 2, 300, total>());
  CHECK(has_bits_along<1, 3, 300, total>());
  CHECK(has_bits_along<17, 4, 33, total>());
  CHECK(has_bits_along<300, 3, 1, total>());
  CHECK(has_bits_along<301, 5, 1, total>());
  CHECK(has_bits_along<19, 6, 21, total>());
  CHECK(has_bits_along<1, 7, 300, total>());
  CHECK(has_bits_along<301, 8, 1, total>());
  CHECK(has_bits_along<19, 8, 21, product_of>());
  CHECK(has_bits_along<19, 3, 21, product_of>());
  CHECK(has_bits_along<19, 4, 21, largest>());
  CHECK(has_bits_along<45, 7, 1, total>());
  CHECK(has_bits_along<45, 12, 1, product_of>());
  CHECK(has_bits_along<45, 12, 1, largest>());
  CHECK(has_bits_along<16, 33, 1, total>());
  CHECK(has_bits_along<11, 64, 1, largest>());
  ex::array<float, 37, 3> r;
  for (int i = 0; i < 37 * 3; ++i) r.data()[i] = static_cast<float>(i * 29 % 83) * 0.13f;
  CHECK(ex::jit(by_broadcasting)(r) == ex::jit(by_vmap)(r));
}

TEST_CASE("products of short vectors") {
  CHECK(has_bits_of_vectors<float, 2>());
  CHECK(has_bits_of_vectors<float, 3>());
  CHECK(has_bits_of_vectors<double, 4>());
  CHECK(has_bits_of_vectors<int, 3>());
  CHECK(has_bits_of_vectors<float, 5>());
  CHECK(has_bits_of_vectors<float, 8>());
  CHECK(has_bits_of_vectors<double, 9>());
  CHECK(has_bits_in_turn<float, 2>());
  CHECK(has_bits_in_turn<float, 3>());
  CHECK(has_bits_in_turn<double, 4>());
  CHECK(has_bits_in_turn<int, 3>());
  ex::array<float, 37, 3> r;
  for (int i = 0; i < 37 * 3; ++i) r.data()[i] = static_cast<float>(i * 29 % 83) * 0.13f;
  CHECK(ex::allclose(ex::jit(energy)(r), ex::jit(energy_by_vmap)(r), 1e-5, 0));
}

TEST_CASE("short vectors beside a matrix") {
  CHECK(has_bits_beside_a_matrix<float, 2>());
  CHECK(has_bits_beside_a_matrix<float, 3>());
  CHECK(has_bits_beside_a_matrix<float, 5>());
  CHECK(has_bits_beside_a_matrix<double, 4>());
  CHECK(has_bits_beside_a_matrix<float, 7>());
  CHECK(has_bits_beside_a_matrix<double, 8>());
  CHECK(has_bits_beside_a_matrix<float, 9>());
  CHECK(has_bits_beside_a_matrix<int, 6>());
}
