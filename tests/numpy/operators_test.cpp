// SPDX-License-Identifier: BSL-1.0
// Arithmetic, comparison and logic: values as NumPy has them, broadcasting, promotion.
#include <limits>
#include <tuple>
#include <utility>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr ex::array<float, 3, 4> x{{1, -2, 3, 4}, {5, 6, -7, 8}, {0.5f, 0, 2.5f, -1}};
constexpr ex::array<float, 4> y{2, -1, 0.5f, 3};
constexpr ex::array<std::int32_t, 2, 3> k{{7, -7, 3}, {-4, 5, 0}};
constexpr ex::array<std::int32_t, 3> m{3, -3, 2};
constexpr ex::array<bool, 4> b{true, false, true, true};
constexpr ex::array<std::uint8_t, 3> u{1, 2, 250};

constexpr auto arithmetic = [](auto x, auto y, auto k, auto m, auto b, auto u) {
  return std::tuple(x + y,
                    x - 1,
                    2 * y,
                    y / 4.0f,
                    -y,
                    k * m,
                    k - 1,
                    m / 2,
                    u + 10,
                    b + b,
                    b * false,
                    x + y(ex::newaxis));
};
constexpr std::tuple arithmetic_expected(ex::array<float, 3, 4>{3, -3, 3.5f, 7, 7, 5, -6.5f, 11, 2.5f, -1, 3, 2},
    ex::array<float, 3, 4>{0, -3, 2, 3, 4, 5, -8, 7, -0.5f, -1, 1.5f, -2},
    ex::array<float, 4>{4, -2, 1, 6},
    ex::array<float, 4>{0.5f, -0.25f, 0.125f, 0.75f},
    ex::array<float, 4>{-2, 1, -0.5f, -3},
    ex::array<std::int32_t, 2, 3>{21, 21, 6, -12, -15, 0},
    ex::array<std::int32_t, 2, 3>{6, -8, 2, -5, 4, -1},
    ex::array<float, 3>{1.5f, -1.5f, 1},
    ex::array<std::uint8_t, 3>{11, 12, 4},
    ex::array<bool, 4>{true, false, true, true},
    ex::array<bool, 4>{false, false, false, false},
    ex::array<float, 3, 4>{3, -3, 3.5f, 7, 7, 5, -6.5f, 11, 2.5f, -1, 3, 2});
static_assert(ex::jit(arithmetic)(x, y, k, m, b, u) == arithmetic_expected);

constexpr auto comparisons = [](auto x, auto y, auto m) {
  return std::tuple(x < y,
                    y <= 0.5f,
                    y > 0,
                    m >= m,
                    m == 3,
                    y != y,
                    ex::maximum(x, y),
                    ex::minimum(m, 0));
};
constexpr std::tuple comparisons_expected(ex::array<bool, 3, 4>{true, true, false, false, false, false, true, false, true, false, false, true},
    ex::array<bool, 4>{false, true, true, false},
    ex::array<bool, 4>{true, false, true, true},
    ex::array<bool, 3>{true, true, true},
    ex::array<bool, 3>{true, false, false},
    ex::array<bool, 4>{false, false, false, false},
    ex::array<float, 3, 4>{2, -1, 3, 4, 5, 6, 0.5f, 8, 2, 0, 2.5f, 3},
    ex::array<std::int32_t, 3>{0, -3, 0});
static_assert(ex::jit(comparisons)(x, y, m) == comparisons_expected);

constexpr auto bits = [](auto y, auto m, auto b) {
  return std::tuple(m & 2,
                    m | 4,
                    m ^ m,
                    ~m,
                    ~b,
                    ex::logical_and(m, b(ex::slice<0, 3>)),
                    ex::logical_or(y, 0),
                    ex::logical_xor(b, true),
                    ex::logical_not(y));
};
constexpr std::tuple bits_expected(ex::array<std::int32_t, 3>{2, 0, 2},
    ex::array<std::int32_t, 3>{7, -3, 6},
    ex::array<std::int32_t, 3>{0, 0, 0},
    ex::array<std::int32_t, 3>{-4, 2, -3},
    ex::array<bool, 4>{false, true, false, false},
    ex::array<bool, 3>{true, false, true},
    ex::array<bool, 4>{true, true, true, true},
    ex::array<bool, 4>{false, true, false, false},
    ex::array<bool, 4>{false, false, false, false});
static_assert(ex::jit(bits)(y, m, b) == bits_expected);

constexpr auto divided = [](auto x, auto y, auto k, auto m, auto u) {
  return std::tuple(ex::floor_divide(k, m),
                    k % m,
                    ex::floor_divide(x, y),
                    x % y,
                    ex::floor_divide(u, 7),
                    ex::pow(m, 3),
                    ex::pow(y, -1),
                    ex::pow(u, 2),
                    ex::square(y),
                    ex::reciprocal(y));
};
constexpr std::tuple divided_expected(ex::array<std::int32_t, 2, 3>{2, 2, 1, -2, -2, 0},
    ex::array<std::int32_t, 2, 3>{1, -1, 1, 2, -1, 0},
    ex::array<float, 3, 4>{0, 2, 6, 1, 2, -6, -14, 2, 0, -0.0f, 5, -1},
    ex::array<float, 3, 4>{1, -0.0f, 0, 1, 1, -0.0f, 0, 2, 0.5f, -0.0f, 0, 2},
    ex::array<std::uint8_t, 3>{0, 0, 35},
    ex::array<std::int32_t, 3>{27, -27, 8},
    ex::array<float, 4>{0.5f, -1, 2, 0.33333334f},
    ex::array<std::uint8_t, 3>{1, 4, 36},
    ex::array<float, 4>{4, 1, 0.25f, 9},
    ex::array<float, 4>{0.5f, -1, 2, 0.33333334f});
static_assert(ex::jit(divided)(x, y, k, m, u) == divided_expected);

// == and != of arrays are elementwise, as of traced values; their truth value is that of all elements, and of any.
constexpr ex::array<float, 3> left{1, 2, 3}, right{1, 5, 3};
static_assert(left == left && !(left == right) && left != right && !(left != left));
static_assert(ex::array_equal(left == right, ex::array<bool, 3>{true, false, true}));
static_assert(ex::array_equal(left != right, ex::array<bool, 3>{false, true, false}));
static_assert(ex::array_equal(left == 2, ex::array<bool, 3>{false, true, false}));
static_assert(ex::array_equal(left == ex::array<std::int32_t, 1>{3}, ex::array<bool, 3>{false, false, true}));
static_assert(ex::array_equal(ex::where(left == right, 10, left), ex::array<float, 3>{10, 2, 10}));
static_assert(ex::array_equal(ex::jit([](auto a, auto b) { return ex::where(a == b, 10, a); })(left, right), ex::where(left == right, 10, left)));
static_assert(ex::sum(left) == 6 && 6 == ex::sum(left) && ex::sum(left) != 7.5);
static_assert(!ex::array_equal(ex::array<float, 1>{std::numeric_limits<float>::quiet_NaN()}, ex::array<float, 1>{std::numeric_limits<float>::quiet_NaN()}));

}  // namespace

TEST_CASE("arithmetic with broadcasting") { CHECK(ex::jit(arithmetic)(x, y, k, m, b, u) == arithmetic_expected); }
TEST_CASE("comparisons") { CHECK(ex::jit(comparisons)(x, y, m) == comparisons_expected); }
TEST_CASE("logic and bits") { CHECK(ex::jit(bits)(y, m, b) == bits_expected); }
TEST_CASE("whole division, remainder, powers") { CHECK(ex::jit(divided)(x, y, k, m, u) == divided_expected); }

// ---- x += y is x = x + y

namespace {

constexpr auto assigned = [](auto a, auto w) {
  a += w;
  a -= 1;
  a *= 2.0f;
  a /= w;
  a %= 3.0f;
  return a;
};
static_assert(ex::make_jaxpr(assigned)(ex::f32<3, 4>, ex::f32<4>) == ex::make_jaxpr([](auto a, auto w) {
                auto const sum = a + w;
                auto const less = sum - 1;
                auto const twice = less * 2.0f;
                auto const quotient = twice / w;
                return quotient % 3.0f;
              })(ex::f32<3, 4>, ex::f32<4>));
constexpr auto assigned_bits = [](auto i) {
  i &= 12;
  i |= 3;
  i ^= 5;
  return i;
};

}  // namespace

TEST_CASE("compound assignment") {
  CHECK(ex::jit(assigned_bits)(m) == ex::array<std::int32_t, 3>{6, ((-3 & 12) | 3) ^ 5, 6});
  ex::array<float, 4> a = y;
  a += a;
  a *= 0.5f;
  a -= ex::array<float>(1);
  CHECK(a == ex::array<float, 4>{1, -2, -0.5f, 2});
  auto sum = ex::negative(y) + y;
  sum += 1.0f;
  CHECK(sum == ex::array<float, 4>{1, 1, 1, 1});
  ex::array<bool, 4> c = b;
  (c &= ex::array<bool, 4>{true, true, false, true}) |= false;
  CHECK(c == ex::array<bool, 4>{true, false, false, true});
}

// ---- x[i] is x(i)

namespace {

static_assert(ex::make_jaxpr([](auto a, auto i) { return a[0] + a[i] + a[ex::slice<1, 4>](0); })(ex::f32<4>, ex::i32<>) ==
              ex::make_jaxpr([](auto a, auto i) { return a(0) + a(i) + a(ex::slice<1, 4>)(0); })(ex::f32<4>, ex::i32<>));

}  // namespace

TEST_CASE("subscripts") {
  ex::array<int, 3> a{1, 2, 3};
  a[1] = 7;
  CHECK(a[1] == 7);
  CHECK(std::as_const(a)[2] == 3);
  CHECK(ex::array<int, 2, 2>{{1, 2}, {3, 4}}[1] == ex::array<int, 2>{3, 4});
  ex::view<int, 3> const v(a);
  v[0] = 5;
  CHECK(a[0] == 5);
}
