// SPDX-License-Identifier: BSL-1.0
// Products with few rows and columns, against plain loops: in packs that are parts of registers, or element by element. Products of large
// matrices, in panels.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include <exprax/exprax.hpp>

namespace {

namespace ex = exprax;

// Small integers, so that sums are exact in any order.
template <class T, int... D>
ex::array<T, D...> numbers(int seed) {
  auto a = ex::array<T, D...>::full(T(0));
  for (T& v : a) v = static_cast<T>((seed = (seed * 7 + 3) % 11) - 5);
  return a;
}

constexpr auto product = [](auto a, auto b) { return ex::matmul(a, b); };
constexpr auto with_transposed = [](auto a, auto b) { return ex::dot(ex::transpose(a), b); };
constexpr auto against_rows = [](auto a, auto b) { return ex::dot(a, ex::transpose(b)); };

template <class T, int N, int K, int M>
bool is_right() {
  auto const a = numbers<T, N, K>(1);
  auto const b = numbers<T, K, M>(2);
  auto expected = ex::array<T, N, M>::full(T(0));
  auto a_columns = ex::array<T, K, N>::full(T(0));
  auto b_columns = ex::array<T, M, K>::full(T(0));
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j)
      for (int k = 0; k < K; ++k) {
        expected(i, j) = static_cast<T>(expected(i, j) + a(i, k) * b(k, j));
        a_columns(k, i) = a(i, k);
        b_columns(j, k) = b(k, j);
      }
  return ex::jit(product)(a, b) == expected && ex::jit(with_transposed)(a_columns, b) == expected &&
         ex::jit(against_rows)(a, b_columns) == expected;
}
template <class T, int K>
bool are_right() {
  return is_right<T, 3, K, 1>() && is_right<T, 1, K, 2>() && is_right<T, 3, K, 3>() && is_right<T, 2, K, 5>();
}

// ---- Exact bits

template <class T, int... D>
ex::array<T, D...> fractions(int seed) {
  auto a = ex::array<T, D...>::full(T(0));
  for (T& v : a) v = (seed = (seed * 37 + 11) % 101) % 9 == 0 ? T(-0.0) : static_cast<T>((seed - 50) * 0.37);
  return a;
}
template <class T>
bool same_bits(T a, T b) {
  return a == b && std::signbit(static_cast<double>(a)) == std::signbit(static_cast<double>(b));
}
template <class T, int N, int M>
bool same_bits(ex::array<T, N, M> const& a, ex::array<T, N, M> const& b) {
  bool same = true;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j) same = same && same_bits(a(i, j), b(i, j));
  return same;
}
template <class A>
auto transposed(A const& a) {
  constexpr int n = A::extent(0), m = A::extent(1);
  ex::array<typename A::value_type, m, n> r;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) r(j, i) = a(i, j);
  return r;
}
// Of many terms and at most three columns in 32 accumulators; else the first product, then fused multiply-adds, k ascending; where targets
// have no such instruction, products and sums.
template <class T, int N, int K, int M>
ex::array<T, N, M> by_definition(ex::array<T, N, K> const& a, ex::array<T, K, M> const& b) {
  using lane = ex::simd::lane<T>;
  ex::array<T, N, M> r;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j) {
      lane sum(T(0)), sums[32];
      bool const in_turn = M > 3 || K < (M == 1 ? 5 : 16);
      for (lane& s : sums) s = sum;
      for (int k = 0; k < K; ++k) {
        lane const x(a(i, k)), y(b(k, j));
        if (in_turn) sum = k == 0 ? x * y : mul_add(x, y, sum);
        else sums[k % 32] = mul_add(x, y, sums[k % 32]);
      }
      for (int n = 16; n > 0; n /= 2)
        for (int k = 0; k < n; ++k) sums[k] = sums[k] + sums[k + n];
      r(i, j) = in_turn ? sum.value : sums[0].value;
    }
  return r;
}
constexpr auto both_transposed = [](auto a, auto b) { return ex::dot(ex::transpose(a), ex::transpose(b)); };

// Number n of the arrays that `all` holds along its first axis.
template <int... D, class T, int... All>
ex::array<T, D...> part(ex::array<T, All...> const& all, int n) {
  ex::array<T, D...> r;
  for (std::ptrdiff_t i = 0; i < r.size(); ++i) r.data()[i] = all.data()[n * r.size() + i];
  return r;
}

template <class T, int N, int K, int M, bool Transposed = false>
bool has_bits() {
  auto const a = fractions<T, N, K>(3);
  auto const b = fractions<T, K, M>(5);
  auto const expected = by_definition(a, b);
  bool same = same_bits(ex::jit(product)(a, b), expected);
  if constexpr (Transposed) {
    auto const at = transposed(a);
    auto const bt = transposed(b);
    same = same && same_bits(ex::jit(with_transposed)(at, b), expected) && same_bits(ex::jit(against_rows)(a, bt), expected) &&
           same_bits(ex::jit(both_transposed)(at, bt), expected);
  }
  // A batch of matrices. Nothing else is written.
  constexpr int batch = 19;
  auto const as = fractions<T, batch, N, K>(7);
  auto const bs = fractions<T, batch, K, M>(9);
  std::array<T, batch * N * M + 2> memory;
  memory.fill(T(77));
  ex::view<T, batch, N, M> inside(memory.data() + 1);
  ex::jit(ex::vmap(product)).into(inside, as, bs);
  for (int r = 0; r < batch; ++r) {
    auto const one = by_definition(part<N, K>(as, r), part<K, M>(bs, r));
    for (int i = 0; i < N * M; ++i) same = same && same_bits(one.data()[i], inside.data()[r * N * M + i]);
  }
  return same && memory.front() == T(77) && memory.back() == T(77);
}
// The result over either operand, or over parts of both.
template <class T, int N>
bool may_overlap() {
  auto const a = fractions<T, N, N>(3);
  auto const b = fractions<T, N, N>(5);
  auto const expected = by_definition(a, b);
  bool same = true;
  for (int at : {0, 1, N * N / 2, N * N, 3 * N * N / 2, 2 * N * N}) {
    std::array<T, 3 * N * N + 2> memory;
    memory.fill(T(77));
    T* const first = memory.data() + 1;
    for (int i = 0; i < N * N; ++i) first[i] = a.data()[i], first[N * N + i] = b.data()[i];
    auto expected_memory = memory;
    for (int i = 0; i < N * N; ++i) expected_memory[static_cast<std::size_t>(1 + at + i)] = expected.data()[i];
    ex::view<T, N, N> result(first + at);
    ex::jit(product).into(result, ex::view<T const, N, N>(first), ex::view<T const, N, N>(first + N * N));
    for (std::size_t i = 0; i < memory.size(); ++i) same = same && same_bits(memory[i], expected_memory[i]);
  }
  return same;
}
template <class T, int... N>
bool squares(std::integer_sequence<int, N...>) {
  return (has_bits<T, N + 1, N + 1, N + 1, true>() && ...) && (may_overlap<T, N + 1>() && ...);
}
template <class T>
bool oblongs() {
  return has_bits<T, 4, 2, 2>() && has_bits<T, 3, 2, 2>() && has_bits<T, 2, 3, 4>() && has_bits<T, 8, 2, 4>() && has_bits<T, 2, 2, 3>() &&
         has_bits<T, 8, 9, 7>() && has_bits<T, 7, 8, 5>() && has_bits<T, 6, 3, 7>() && has_bits<T, 7, 3, 9>() && has_bits<T, 6, 5, 23>();
}
template <class T, int N>
constexpr bool is_constant() {
  ex::array<T, N, N> a, b;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) a(i, j) = static_cast<T>(.37 * (i + 1) - j), b(i, j) = static_cast<T>(1.1 * i - .3 * j * j);
  ex::array<T, N, N> const c = ex::jit(product)(a, b);
  bool same = true;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      ex::simd::lane<T> sum = ex::simd::lane<T>(a(i, 0)) * ex::simd::lane<T>(b(0, j));
      for (int k = 1; k < N; ++k) sum = mul_add(ex::simd::lane<T>(a(i, k)), ex::simd::lane<T>(b(k, j)), sum);
      same = same && c(i, j) == sum.value;
    }
  return same;
}
static_assert(is_constant<float, 2>() && is_constant<float, 3>() && is_constant<double, 2>() && is_constant<double, 5>());

}  // namespace

TEST_CASE("small matrices have the bits of the definition") {
  CHECK(squares<float>(std::make_integer_sequence<int, 9>{}));
  CHECK(squares<double>(std::make_integer_sequence<int, 9>{}));
  CHECK(oblongs<float>());
  CHECK(oblongs<double>());
}
TEST_CASE("one to five columns") {
  CHECK(are_right<double, 2>());
  CHECK(are_right<double, 70>());
  CHECK(are_right<std::int64_t, 3>());
  CHECK(are_right<float, 3>());
  CHECK(are_right<std::int16_t, 3>());
  CHECK(are_right<std::int8_t, 2>());
}
TEST_CASE("batches, and the bits of constant evaluation") {
  constexpr ex::array<double, 2, 3> a{.1, .7, -.3, 1.1, .9, 1e-3};
  constexpr ex::array<double, 3, 2> b{.3, -.2, 1.7, .6, .01, 5};
  constexpr auto expected = ex::jit(product)(a, b);
  static ex::array<double, 2, 3> at_run_time = a;
  CHECK(ex::jit(product)(at_run_time, b) == expected);

  auto const x = numbers<double, 5, 3, 3>(4);
  auto const y = numbers<double, 5, 3, 2>(5);
  auto const z = ex::jit(product)(x, y);
  bool right = true;
  for (int n = 0; n < 5; ++n)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 2; ++j) right = right && z(n, i, j) == x(n, i, 0) * y(n, 0, j) + x(n, i, 1) * y(n, 1, j) + x(n, i, 2) * y(n, 2, j);
  CHECK(right);

  // One matrix for the whole batch, on either side.
  auto const one = fractions<float, 7, 7>(3);
  auto const many = fractions<float, 9, 7, 7>(5);
  auto const from_left = ex::jit(ex::vmap(product, ex::in_axes<ex::none, 0>))(one, many);
  auto const from_right = ex::jit(ex::vmap(product, ex::in_axes<0, ex::none>))(many, one);
  for (int n = 0; n < 9; ++n) {
    CHECK(same_bits(part<7, 7>(from_left, n), by_definition(one, part<7, 7>(many, n))));
    CHECK(same_bits(part<7, 7>(from_right, n), by_definition(part<7, 7>(many, n), one)));
  }
}

// A few columns: packs run along the sum, along the rows of the result, or hold a row and what lies behind it.
TEST_CASE("a few columns") {
  CHECK(has_bits<float, 40, 64, 1, true>());
  CHECK(has_bits<float, 37, 61, 3, true>());
  CHECK(has_bits<float, 3, 100, 3, true>());
  CHECK(has_bits<float, 1, 33, 1>());
  CHECK(has_bits<float, 9, 9, 2>());
  CHECK(has_bits<float, 12, 12, 3, true>());
  CHECK(has_bits<float, 24, 12, 3>());
  CHECK(has_bits<float, 41, 13, 2>());
  CHECK(has_bits<float, 13, 7, 1>());
  CHECK(has_bits<double, 40, 64, 2>());
  CHECK(has_bits<double, 3, 100, 3>());
  CHECK(has_bits<double, 5, 3, 1>());
}

// One array on both sides, as for a covariance; columns of a larger array; one or three rows of which the columns are contiguous along the
// sum; sums over two axes; a matrix in the middle of an array.
TEST_CASE("a few columns of other arrays") {
  auto const x = fractions<float, 50, 3>(3);
  CHECK(same_bits(ex::jit([](auto a) { return ex::dot(ex::transpose(a), a); })(x), by_definition(transposed(x), x)));
  auto const y = fractions<float, 20, 64>(5);
  auto const wide = fractions<float, 64, 10>(7);
  ex::array<float, 64, 1> column;
  for (int k = 0; k < 64; ++k) column(k, 0) = wide(k, 4);
  auto const by_column = by_definition(y, column);
  auto const vector = ex::jit([](auto a, auto b) { return ex::dot(a, b(ex::all, 4)); })(y, wide);
  bool same = true;
  for (int i = 0; i < 20; ++i) same = same && same_bits(vector(i), by_column(i, 0));
  CHECK(same);
  auto const rows = fractions<float, 3, 64>(9);
  CHECK(same_bits(ex::jit([](auto a, auto b) { return ex::inner(a, b); })(rows, y), transposed(by_definition(y, transposed(rows)))));
  CHECK(same_bits(ex::jit([](auto a, auto b) { return ex::dot(a, ex::transpose(b)); })(rows, y), transposed(by_definition(y, transposed(rows)))));
  auto const one = ex::jit([](auto a, auto b) { return ex::dot(a(1), b.T()); })(rows, y);
  for (int i = 0; i < 20; ++i) same = same && same_bits(one(i), by_definition(y, transposed(rows))(i, 1));
  CHECK(same);
  static_assert(ex::jit([](auto a, auto b) { return ex::dot(a, b.T()); }).memory_analysis(ex::f32<1, 64>, ex::f32<128, 64>).temp_size_in_bytes == 0);
  auto const u = fractions<float, 11, 30>(3);
  auto const v = fractions<float, 30, 2>(5);
  auto const over_two = ex::jit([](auto a, auto b) { return ex::tensordot(ex::reshape<11, 5, 6>(a), ex::reshape<5, 6, 2>(b)); })(u, v);
  CHECK(same_bits(over_two, by_definition(u, v)));
  auto const inside = ex::jit([](auto a, auto b) { return ex::dot(a(ex::slice<2, 14>, ex::slice<1, 13>), b(ex::slice<40, 52>, ex::slice<3, 6>)); })(y, wide);
  ex::array<float, 12, 12> left;
  ex::array<float, 12, 3> right;
  for (int i = 0; i < 12; ++i) {
    for (int k = 0; k < 12; ++k) left(i, k) = y(2 + i, 1 + k);
    for (int j = 0; j < 3; ++j) right(i, j) = wide(40 + i, 3 + j);
  }
  CHECK(same_bits(inside, by_definition(left, right)));
}

// A batch of matrices and vectors on either side; each product has the bits of one alone. Small ones run in lanes.
constexpr auto matrices_by_vectors = [](auto a, auto x) { return ex::einsum<"bij,bj->bi">(a, x); };
constexpr auto vectors_by_matrices = [](auto x, auto a) { return ex::einsum<"bj,bji->bi">(x, a); };
constexpr bool runs_in_lanes(auto const& lowered) { return lowered.as_text("plan").str().find("lanes, rows [19]") != std::string_view::npos; }
static_assert(ex::this_target.register_bytes == 0 || runs_in_lanes(ex::lower<matrices_by_vectors>()(ex::f32<19, 3, 3>, ex::f32<19, 3>)));

template <class T, int N>
bool has_bits_of_each_vector() {
  constexpr int batch = 19;
  auto const a = fractions<T, batch, N, N>(3);
  auto const x = fractions<T, batch, N>(5);
  auto const of_rows = ex::jit(matrices_by_vectors)(a, x);
  auto const of_columns = ex::jit(vectors_by_matrices)(x, a);
  bool same = true;
  for (int b = 0; b < batch; ++b) {
    auto const matrix = part<N, N>(a, b);
    auto const vector = part<N>(x, b);
    ex::array<T, N> const by_row = ex::jit([](auto m, auto v) { return ex::einsum<"ij,j->i">(m, v); })(matrix, vector);
    ex::array<T, N> const by_column = ex::jit([](auto v, auto m) { return ex::einsum<"j,ji->i">(v, m); })(vector, matrix);
    for (int i = 0; i < N; ++i) same = same && same_bits(of_rows(b, i), by_row(i)) && same_bits(of_columns(b, i), by_column(i));
  }
  return same;
}
TEST_CASE("a matrix and a vector for each index") {
  CHECK(has_bits_of_each_vector<float, 3>());
  CHECK(has_bits_of_each_vector<double, 6>());
  CHECK(has_bits_of_each_vector<float, 8>());
}

// Tiles of rows of about the same height; whole, half and overlapping packs at the end of a row.
template <class T, int N, int K, int M>
bool has_bits_at_end_of_rows() {
  auto const a = fractions<T, N, K>(3);
  auto const b = fractions<T, K, M>(5);
  return same_bits(ex::jit(product)(a, b), by_definition(a, b));
}
TEST_CASE("ends of rows") {
  CHECK(has_bits_at_end_of_rows<float, 33, 20, 33>());
  CHECK(has_bits_at_end_of_rows<float, 10, 3, 67>());
  CHECK(has_bits_at_end_of_rows<float, 21, 5, 53>());
  CHECK(has_bits_at_end_of_rows<double, 13, 6, 20>());
}

// Several panels along both axes; neither rows nor columns fill the last tile.
TEST_CASE("panels") {
  auto const a = fractions<float, 37, 1100>(3);
  auto const b = fractions<float, 1100, 901>(5);
  auto const expected = by_definition(a, b);
  CHECK(same_bits(ex::jit(product)(a, b), expected));
  CHECK(same_bits(ex::jit(with_transposed)(transposed(a), b), expected));
  auto const x = fractions<double, 65, 701>(3);
  auto const y = fractions<double, 701, 403>(5);
  CHECK(same_bits(ex::jit(product)(x, y), by_definition(x, y)));
  CHECK(is_right<int, 33, 513, 450>());
}

// A few rows at once, three where four do not fit into the registers: each has the bits of one alone.
template <class T, int Rows, int Terms>
bool has_bits_of_each_row() {
  auto const m = fractions<T, Rows, Terms>(3);
  auto const v = fractions<T, Terms>(5);
  auto const all = ex::jit([](auto a, auto b) { return ex::dot(a, b); })(m, v);
  bool same = true;
  for (int i = 0; i < Rows; ++i) {
    ex::array<T> const one = ex::jit([](auto a, auto b) { return ex::dot(a, b); })(part<Terms>(m, i), v);
    same = same && same_bits(all(i), one());
  }
  return same;
}
template <class T, int... Rows>
bool have_bits_of_each_row(std::integer_sequence<int, Rows...>) {
  return (has_bits_of_each_row<T, Rows + 1, 70>() && ...);
}
TEST_CASE("a matrix times a vector, with all numbers of rows") {
  CHECK(have_bits_of_each_row<float>(std::make_integer_sequence<int, 17>{}));
  CHECK(has_bits_of_each_row<double, 7, 64>());
  CHECK(has_bits_of_each_row<float, 100, 33>());
}
