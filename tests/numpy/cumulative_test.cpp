// SPDX-License-Identifier: BSL-1.0
// cumsum, cumprod, cummax, cummin, cumlogsumexp: values that JAX and NumPy print, loops in plain C++, and jaxprs.
#include <algorithm>
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

using ex::axis, ex::reverse;
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
constexpr ex::array<int, 2, 3> table{{0, 1, 2}, {3, 4, 5}};

// --- Values, in constant evaluation ---

static_assert(ex::cumsum(table, axis<1>) == ex::array<int, 2, 3>{{0, 1, 3}, {3, 7, 12}});
static_assert(ex::cumsum(table, axis<-2>) == ex::array<int, 2, 3>{{0, 1, 2}, {3, 5, 7}});
static_assert(ex::cumsum(table, axis<0>, reverse) == ex::array<int, 2, 3>{{3, 5, 7}, {3, 4, 5}});
static_assert(ex::cumsum(table) == ex::array<int, 6>{0, 1, 3, 6, 10, 15});
static_assert(ex::cumsum(ex::array<bool, 4>{true, false, true, true}) == ex::array<int, 4>{1, 1, 2, 3});
static_assert(ex::cumsum(ex::array<std::int8_t, 3>{100, 27, 1}) == ex::array<std::int8_t, 3>{100, 127, -128});
static_assert(ex::cumprod(ex::array<int, 4>{1, 2, 3, 4}) == ex::array<int, 4>{1, 2, 6, 24});
static_assert(ex::cumprod(ex::array<int, 4>{1, 2, 3, 4}, reverse) == ex::array<int, 4>{24, 24, 12, 4});
static_assert(ex::cummax(ex::array<int, 5>{3, 1, 4, 1, 5}) == ex::array<int, 5>{3, 3, 4, 4, 5});
static_assert(ex::cummin(ex::array<unsigned, 5>{3, 1, 4, 1, 5}, reverse) == ex::array<unsigned, 5>{1, 1, 1, 1, 5});
static_assert(ex::cummax(table) == table && ex::cummin(table, axis<-1>) == ex::array<int, 2, 3>{{0, 0, 0}, {3, 3, 3}});
// Nothing, and one element.
static_assert(ex::cumsum(ex::array<float, 0>{}) == ex::array<float, 0>{});
static_assert(ex::cumsum(ex::array<float, 2, 0>{}, axis<1>).type == ex::array<float, 2, 0>::type);
static_assert(ex::cumprod(ex::array<float, 1>{7}) == ex::array<float, 1>{7});

// --- Jaxprs ---

static_assert(ex::make_jaxpr([](auto x) { return ex::cumsum(x != 0); })(ex::i32<5>) ==
              R"({ lambda ; a:i32[5]. let
    b:bool[5] = ne a 0:i32[]
    c:i32[5] = jit[
      name=cumsum
      jaxpr={ lambda ; b:bool[5]. let
          d:i32[5] = convert_element_type[new_dtype=int32 weak_type=False] b
          c:i32[5] = cumsum[axis=0 reverse=False] d
        in (c,) }
    ] b
  in (c,) })");
static_assert(ex::make_jaxpr([](auto x) { return ex::cumlogsumexp(x, axis<-1>, reverse); })(ex::f32<2, 3>) ==
              R"({ lambda ; a:f32[2,3]. let
    b:f32[2,3] = cumlogsumexp[axis=1 reverse=True] a
  in (b,) })");
// The batch axis is put before the axis that the sum goes along.
static_assert(ex::make_jaxpr(ex::vmap([](auto x) { return ex::cummax(x, axis<1>); }))(ex::f32<4, 2, 3>) ==
              R"({ lambda ; a:f32[4,2,3]. let
    b:f32[4,2,3] = cummax[axis=2 reverse=False] a
  in (b,) })");

template <class A>
bool equal_or_nan(A const& a, A const& b) {
  for (std::ptrdiff_t i = 0; i < a.size(); ++i)
    if (!(a.data()[i] == b.data()[i] || (a.data()[i] != a.data()[i] && b.data()[i] != b.data()[i]))) return false;
  return true;
}

}  // namespace

TEST_CASE("running reductions: NaN from its place on, infinities, -0") {
  CHECK(equal_or_nan(ex::cummax(ex::array<float, 4>{1, not_a_number, 3, 2}), ex::array<float, 4>{1, not_a_number, not_a_number, not_a_number}));
  CHECK(equal_or_nan(ex::cummin(ex::array<float, 4>{1, not_a_number, 3, 2}, reverse), ex::array<float, 4>{not_a_number, not_a_number, 2, 2}));
  CHECK(equal_or_nan(ex::cumsum(ex::array<float, 4>{1, inf, -inf, 2}), ex::array<float, 4>{1, inf, not_a_number, not_a_number}));
  CHECK(equal_or_nan(ex::cumlogsumexp(ex::array<float, 4>{-inf, -inf, inf, 1}), ex::array<float, 4>{-inf, -inf, inf, inf}));
  CHECK(equal_or_nan(ex::cumlogsumexp(ex::array<float, 3>{1, not_a_number, 2}), ex::array<float, 3>{1, not_a_number, not_a_number}));
  CHECK(std::signbit(ex::cumsum(ex::array<float, 2>{-0.0f, -0.0f})(1)));
}

TEST_CASE("running reductions: a loop in plain C++, in order") {
  constexpr int rows = 37, columns = 19;
  ex::array<float, rows, columns> x;
  for (int i = 0; i < rows * columns; ++i) x.data()[i] = static_cast<float>((i * 37 + 11) % 101 - 50) / 7.0f;
  auto const along_rows = ex::cumsum(x, axis<1>), along_columns = ex::cumsum(x, axis<0>, reverse), products = ex::cumprod(x, axis<1>, reverse);
  auto const logs = ex::cumlogsumexp(x, axis<0>);
  int wrong = 0;
  for (int i = 0; i < rows; ++i) {
    float sum = 0, product = 1;
    for (int j = 0; j < columns; ++j) wrong += along_rows(i, j) != (sum += x(i, j));
    for (int j = columns; j-- > 0;) wrong += products(i, j) != (product *= x(i, j));
  }
  for (int j = 0; j < columns; ++j) {
    float sum = 0;
    double powers = 0;
    for (int i = rows; i-- > 0;) wrong += along_columns(i, j) != (sum += x(i, j));
    for (int i = 0; i < rows; ++i) {
      powers += std::exp(static_cast<double>(x(i, j)));
      wrong += std::abs(static_cast<double>(logs(i, j)) - std::log(powers)) > 1e-5;
    }
  }
  CHECK(wrong == 0);
}

// Along the last axis of many rows, and along an axis in the middle.
template <int A, int N, int B>
int wrong_sums() {
  ex::array<float, A, N, B> x;
  for (int i = 0; i < A * N * B; ++i) x.data()[i] = static_cast<float>((i * 53 + 7) % 97 - 48) / 9.0f;
  auto const sums = ex::cumsum(x, axis<1>), smallest = ex::cummin(x, axis<1>, reverse);
  int wrong = 0;
  for (int a = 0; a < A; ++a)
    for (int b = 0; b < B; ++b) {
      float sum = 0, least = inf;
      for (int i = 0; i < N; ++i) wrong += sums(a, i, b) != (sum += x(a, i, b));
      for (int i = N; i-- > 0;) wrong += smallest(a, i, b) != (least = x(a, i, b) < least ? x(a, i, b) : least);
    }
  return wrong;
}
TEST_CASE("running reductions: long and short axes on both sides") {
  CHECK(wrong_sums<3, 5, 20>() == 0);
  CHECK(wrong_sums<48, 19, 1>() == 0);
  CHECK(wrong_sums<34, 70, 1>() == 0);
  CHECK(wrong_sums<37, 9, 1>() == 0);
  CHECK(wrong_sums<40, 1, 2>() == 0);
}

// The order along long last axes (primitives/reductions/cumulative.hpp), of n elements with a distance.
template <class T, class Op>
void in_blocks(T const* x, T* to, int n, int distance, bool reversed, T start, Op op) {
  auto const at = [&](int i) { return (reversed ? n - 1 - i : i) * distance; };
  for (int i = 0; i < n; i += 8) {
    T v[8];
    int const count = std::min(n - i, 8);
    for (int k = 0; k < count; ++k) v[k] = x[at(i + k)];
    for (int d = 1; d < 8; d *= 2)
      for (int k = d; k < count; ++k)
        if (k / d % 2 == 1) v[k] = op(v[k / d * d - 1], v[k]);
    for (int k = 0; k < count; ++k) to[at(i + k)] = op(start, v[k]);
    start = op(start, v[count - 1]);
  }
}
template <class A>
int wrong_bits(A const& found, A const& expected) {
  int wrong = 0;
  for (std::ptrdiff_t i = 0; i < found.size(); ++i) {
    auto const a = found.data()[i], b = expected.data()[i];
    bool const same = a == b && std::signbit(static_cast<double>(a)) == std::signbit(static_cast<double>(b));
    wrong += !same && (a == a || b == b);
  }
  return wrong;
}
// Rows; the same as columns of a transposed array.
template <class T, int A, int N>
int wrong_in_blocks() {
  ex::array<T, A, N> x, y;
  for (int i = 0; i < A * N; ++i) x.data()[i] = static_cast<T>((i * 53 + 7) % 97 - 48) / T(9);
  ex::array<T, N, A> const columns = ex::transpose(x);
  auto const add = [](T a, T b) { return a + b; };
  int wrong = 0;
  for (bool const reversed : {false, true}) {
    for (int i = 0; i < A; ++i) in_blocks(x.data() + i * N, y.data() + i * N, N, 1, reversed, T(-0.0), add);
    wrong += reversed ? wrong_bits(ex::cumsum(x, axis<1>, reverse), y) : wrong_bits(ex::cumsum(x, axis<1>), y);
  }
  constexpr auto backwards = [](auto row) { return ex::cumsum(row, reverse); };
  ex::array<T, N, A> const sums = ex::jit(ex::vmap(backwards, ex::in_axes<1>, ex::out_axes<1>))(columns);
  return wrong + wrong_bits(ex::transpose(sums), y);
}
TEST_CASE("running reductions along long rows: blocks of eight") {
  CHECK(wrong_in_blocks<float, 3, 512>() == 0);
  CHECK(wrong_in_blocks<double, 37, 541>() == 0);
  ex::array<float, 1003> x, y, z;
  for (int i = 0; i < 1003; ++i) x.data()[i] = std::sin(static_cast<float>(i)) * static_cast<float>(i);
  auto const largest = [](float a, float b) { return a != a || a > b ? a : b; };
  auto const smallest = [](float a, float b) { return a != a || a < b ? a : b; };
  for (int pass = 0; pass < 2; ++pass) {
    in_blocks(x.data(), y.data(), 1003, 1, false, -inf, largest);
    CHECK(wrong_bits(ex::cummax(x), y) == 0);
    in_blocks(x.data(), y.data(), 1003, 1, true, inf, smallest);
    CHECK(wrong_bits(ex::cummin(x, reverse), y) == 0);
    x.data()[510] = not_a_number;
  }
  ex::array<float, 520> const zeros = ex::array<float, 520>::full(-0.0f);
  CHECK(wrong_bits(ex::cumsum(zeros), zeros) == 0);
  CHECK(wrong_bits(ex::cummin(zeros, reverse), zeros) == 0);
  // Functions are computed in the same kernel, in packs of several blocks.
  constexpr auto powers = [](auto v) { return ex::cumsum(ex::exp(v * 0.001f), reverse); };
  z = ex::jit([](auto v) { return ex::exp(v * 0.001f); })(x);
  in_blocks(z.data(), y.data(), 1003, 1, true, -0.0f, [](float a, float b) { return a + b; });
  CHECK(wrong_bits(ex::jit(powers)(x), y) == 0);
  ex::array<std::int8_t, 700> bytes, products;
  for (int i = 0; i < 700; ++i) bytes.data()[i] = static_cast<std::int8_t>(2 * i + 1);
  in_blocks<std::int8_t>(bytes.data(), products.data(), 700, 1, false, 1, [](int a, int b) { return static_cast<std::int8_t>(a * b); });
  CHECK(ex::cumprod(bytes) == products);
}

TEST_CASE("running reductions: sums of what is computed, and what is computed from sums") {
  constexpr auto centred = [](auto x) {
    auto const total = ex::cumsum(x * x, axis<0>);
    return ex::sqrt(total) - ex::cummax(x, axis<0>);
  };
  ex::array<float, 4> const x{3, -4, 12, 84};
  CHECK(ex::jit(centred)(x) == ex::array<float, 4>{0, 2, 1, 1});
  ex::array<float, 2, 4> const xs{{3, -4, 12, 84}, {3, -4, 12, 84}};
  CHECK(ex::jit(ex::vmap(centred))(xs) == ex::array<float, 2, 4>{{0, 2, 1, 1}, {0, 2, 1, 1}});
}
