// SPDX-License-Identifier: BSL-1.0
// cumsum, cumprod, cummax, cummin, cumlogsumexp: values that JAX and NumPy print, loops in plain C++, and jaxprs.
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
