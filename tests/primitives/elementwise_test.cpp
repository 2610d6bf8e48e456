// SPDX-License-Identifier: BSL-1.0
// The kernels of the elementwise primitives: errors in ULP against long double, special values, lanes of packs equal to single
// lanes bit for bit, and the same values in constant evaluation.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include <exprax/emit/simd/pack.hpp>
#include <exprax/primitives/elementwise/arithmetic/abs.hpp>
#include <exprax/primitives/elementwise/arithmetic/ceil.hpp>
#include <exprax/primitives/elementwise/arithmetic/clamp.hpp>
#include <exprax/primitives/elementwise/arithmetic/div.hpp>
#include <exprax/primitives/elementwise/arithmetic/floor.hpp>
#include <exprax/primitives/elementwise/arithmetic/integer_pow.hpp>
#include <exprax/primitives/elementwise/arithmetic/max.hpp>
#include <exprax/primitives/elementwise/arithmetic/min.hpp>
#include <exprax/primitives/elementwise/arithmetic/rem.hpp>
#include <exprax/primitives/elementwise/arithmetic/rsqrt.hpp>
#include <exprax/primitives/elementwise/arithmetic/sign.hpp>
#include <exprax/primitives/elementwise/arithmetic/sqrt.hpp>
#include <exprax/primitives/elementwise/functions/cos.hpp>
#include <exprax/primitives/elementwise/functions/exp.hpp>
#include <exprax/primitives/elementwise/functions/expm1.hpp>
#include <exprax/primitives/elementwise/functions/log.hpp>
#include <exprax/primitives/elementwise/functions/log1p.hpp>
#include <exprax/primitives/elementwise/functions/logistic.hpp>
#include <exprax/primitives/elementwise/functions/pow.hpp>
#include <exprax/primitives/elementwise/functions/sin.hpp>
#include <exprax/primitives/elementwise/functions/tanh.hpp>
#include <exprax/primitives/elementwise/logic/is_finite.hpp>

namespace {

using namespace exprax;

template <prim P, class T>
constexpr T at(T x) {
  return primitive<P>::kernel(lane<T>(x)).value;
}
template <prim P, class T>
constexpr T at(T x, T y) {
  return primitive<P>::kernel(lane<T>(x), lane<T>(y)).value;
}

template <class T>
using bits_of = simd::detail::bits_of<T>;

template <class T>
bool same(T a, T b) {
  return (a != a && b != b) || std::bit_cast<bits_of<T>>(a) == std::bit_cast<bits_of<T>>(b);
}

// The distance of got from the exact value in units of the last place of the exact value; very large where one of them
// is NaN, or the sign of a zero is wrong.
template <class T>
double ulps(T got, long double exact) {
  using limits = std::numeric_limits<T>;
  constexpr double wrong = 1e9;
  if (std::isnan(exact) || std::isnan(got)) return std::isnan(exact) && std::isnan(got) ? 0 : wrong;
  T const rounded = static_cast<T>(exact);
  if (std::isinf(rounded) && rounded == got) return 0;
  if (std::isinf(rounded)) exact = std::copysign(std::ldexp(1.0L, limits::max_exponent), exact);
  if (exact == 0) return got == 0 && std::signbit(got) == std::signbit(exact) ? 0 : wrong;
  long double const value = std::isinf(got) ? std::copysign(std::ldexp(1.0L, limits::max_exponent), static_cast<long double>(got)) : static_cast<long double>(got);
  int const exponent = std::max(std::ilogb(exact), limits::min_exponent - 1) - (limits::digits - 1);
  return static_cast<double>(std::fabs((value - exact) / std::ldexp(1.0L, exponent)));
}

// Bit patterns of all kinds, and numbers of ordinary size.
template <class T>
struct generator {
  std::mt19937_64 engine{2024};
  int turn = 0;
  double uniform() { return static_cast<double>(engine() >> 11) * 0x1p-53 * 2 - 1; }
  T operator()() {
    switch (turn++ % 6) {
      case 0: return std::bit_cast<T>(static_cast<bits_of<T>>(engine()));
      case 1: return static_cast<T>(uniform());
      case 2: return static_cast<T>(uniform() * 20);
      case 3: return static_cast<T>(uniform() * 800);
      case 4: return static_cast<T>(1 + uniform() * 0.5);
      default: {
        using limits = std::numeric_limits<T>;
        T const special[] = {T(0), -T(0), T(1), T(-1), T(0.5), T(3), limits::infinity(), -limits::infinity(), limits::quiet_NaN(), limits::min(), limits::denorm_min(), limits::max()};
        return special[engine() % (sizeof(special) / sizeof(T))];
      }
    }
  }
};

template <prim P, class T, class F>
void check_error(double bound, F exact) {
  generator<T> next;
  double worst = 0;
  T where = 0;
  for (int i = 0; i < 300000; ++i) {
    T const x = next();
    double const u = ulps(at<P>(x), exact(static_cast<long double>(x)));
    if (u > worst) {
      worst = u;
      where = x;
    }
  }
  INFO(primitive<P>::name, " at ", where);
  CHECK(worst <= bound);
}

TEST_CASE_TEMPLATE("errors in ULP", T, float, double) {
  check_error<prim::exp, T>(1.1, [](long double x) { return std::exp(x); });
  check_error<prim::expm1, T>(1.9, [](long double x) { return std::expm1(x); });
  check_error<prim::log, T>(1.0, [](long double x) { return std::log(x); });
  check_error<prim::log1p, T>(1.0, [](long double x) { return std::log1p(x); });
  check_error<prim::sin, T>(1.6, [](long double x) { return std::sin(x); });
  check_error<prim::cos, T>(1.6, [](long double x) { return std::cos(x); });
  check_error<prim::tanh, T>(2.6, [](long double x) { return std::tanh(x); });
  check_error<prim::logistic, T>(2.4, [](long double x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); });
  check_error<prim::sqrt, T>(0.5, [](long double x) { return std::sqrt(x); });
  check_error<prim::rsqrt, T>(1.5, [](long double x) { return 1 / std::sqrt(x); });
  check_error<prim::floor, T>(0, [](long double x) { return std::floor(x); });
  check_error<prim::ceil, T>(0, [](long double x) { return std::ceil(x); });
}

TEST_CASE_TEMPLATE("pow", T, float, double) {
  generator<T> next, other;
  other.engine.seed(7);
  double worst = 0;
  T wx = 0, wy = 0;
  auto const one = [&](T x, T y) {
    double const u = ulps(at<prim::pow>(x, y), std::pow(static_cast<long double>(x), static_cast<long double>(y)));
    if (u > worst) worst = u, wx = x, wy = y;
  };
  using limits = std::numeric_limits<T>;
  T const special[] = {T(0), -T(0), T(1), T(-1), T(0.5), T(-0.5), T(2), T(3), T(-3), T(2.5), limits::infinity(), -limits::infinity(), limits::quiet_NaN(), limits::max(), limits::denorm_min()};
  for (T x : special)
    for (T y : special) one(x, y);
  for (int i = 0; i < 300000; ++i) {
    for (int skip = i % 5; skip > 0; --skip) other();
    one(next(), other());
  }
  INFO(wx, " ", wy);
  CHECK(worst <= 2);
}

TEST_CASE_TEMPLATE("rem and the extremes", T, float, double) {
  generator<T> next, other;
  for (int i = 0; i < 100000; ++i) {
    T const x = next();
    for (int skip = i % 5; skip >= 0; --skip) other();
    T const y = other();
    CHECK_UNARY(same(at<prim::rem>(x, y), std::fmod(x, y)));
    CHECK_UNARY(same(detail::ieee::fmod(x, y), std::fmod(x, y)));
    T const larger = x != x || y != y ? x + y : x == y ? (std::signbit(x) ? y : x) : x > y ? x : y;
    T const smaller = x != x || y != y ? x + y : x == y ? (std::signbit(x) ? x : y) : x < y ? x : y;
    CHECK_UNARY(same(at<prim::max>(x, y), larger));
    CHECK_UNARY(same(at<prim::min>(x, y), smaller));
  }
}

#if EXPRAX_SIMD
template <class T, int L, class F>
void check_lanes(std::string_view name, F f) {
  generator<T> next, other;
  for (int round = 0; round < 2000; ++round) {
    T x[L], y[L], out[L];
    for (int i = 0; i < L; ++i) {
      x[i] = next();
      y[i] = other();
      if (next.engine() % 3 == 0) x[i] = next();  // all mixtures of kinds
    }
    simd::store(f(simd::load<T, L>(x), simd::load<T, L>(y)), out);
    for (int i = 0; i < L; ++i) {
      T const expected = f(lane<T>(x[i]), lane<T>(y[i])).value;
      if (!same(out[i], expected)) {
        INFO(name, " L = ", L, " x = ", x[i], " y = ", y[i], " pack ", out[i], " lane ", expected);
        CHECK(same(out[i], expected));
        return;
      }
    }
  }
}
template <class T, int L>
void check_packs() {
  check_lanes<T, L>("exp", [](auto x, auto) { return primitive<prim::exp>::kernel(x); });
  check_lanes<T, L>("expm1", [](auto x, auto) { return primitive<prim::expm1>::kernel(x); });
  check_lanes<T, L>("log", [](auto x, auto) { return primitive<prim::log>::kernel(x); });
  check_lanes<T, L>("log1p", [](auto x, auto) { return primitive<prim::log1p>::kernel(x); });
  check_lanes<T, L>("sin", [](auto x, auto) { return primitive<prim::sin>::kernel(x); });
  check_lanes<T, L>("cos", [](auto x, auto) { return primitive<prim::cos>::kernel(x); });
  check_lanes<T, L>("tanh", [](auto x, auto) { return primitive<prim::tanh>::kernel(x); });
  check_lanes<T, L>("logistic", [](auto x, auto) { return primitive<prim::logistic>::kernel(x); });
  check_lanes<T, L>("rsqrt", [](auto x, auto) { return primitive<prim::rsqrt>::kernel(x); });
  check_lanes<T, L>("sign", [](auto x, auto) { return primitive<prim::sign>::kernel(x); });
  check_lanes<T, L>("pow", [](auto x, auto y) { return primitive<prim::pow>::kernel(x, y); });
  check_lanes<T, L>("rem", [](auto x, auto y) { return primitive<prim::rem>::kernel(x, y); });
  check_lanes<T, L>("integer_pow", [](auto x, auto) { return primitive<prim::integer_pow>::kernel(x, -5); });
}

TEST_CASE("lanes of packs are single lanes") {
  check_packs<float, 2>();
  check_packs<float, simd::native_lanes<float>>();
  check_packs<double, simd::native_lanes<double>>();
  check_packs<double, 2 * simd::native_lanes<double>>();
}
#endif

// What constant evaluation makes must be what runs: the same bits.
template <class T>
constexpr T points[9] = {T(0.3), T(-0.7), T(1.25), T(5.5), T(-9), T(40), T(1e-6), T(1e5), T(0)};

template <prim P, class T, int I>
void check_constant() {
  constexpr T folded = at<P>(points<T>[I]);
  T volatile const x = points<T>[I];
  INFO(primitive<P>::name, " at ", points<T>[I]);
  CHECK(same(folded, at<P>(T(x))));
}
template <class T, int... I>
void check_constants(std::integer_sequence<int, I...>) {
  (check_constant<prim::exp, T, I>(), ...);
  (check_constant<prim::expm1, T, I>(), ...);
  (check_constant<prim::log, T, I>(), ...);
  (check_constant<prim::log1p, T, I>(), ...);
  (check_constant<prim::sin, T, I>(), ...);
  (check_constant<prim::cos, T, I>(), ...);
  (check_constant<prim::tanh, T, I>(), ...);
  (check_constant<prim::logistic, T, I>(), ...);
  (check_constant<prim::sqrt, T, I>(), ...);
  (check_constant<prim::rsqrt, T, I>(), ...);
}

TEST_CASE_TEMPLATE("constant evaluation gives the same bits", T, float, double) {
  check_constants<T>(std::make_integer_sequence<int, 9>{});
  constexpr T power = at<prim::pow>(T(1.7), T(-3.3));
  T volatile const x = T(1.7);
  CHECK(same(power, at<prim::pow>(T(x), T(-3.3))));
}

constexpr bool near(double a, double b) { return a - b < 1e-6 && b - a < 1e-6; }

static_assert(near(at<prim::exp>(1.0f), 2.718281828));
static_assert(near(at<prim::sin>(1e22), -0.8522008497671888));
static_assert(near(at<prim::cos>(1e10f), 0.8731196226768560));
static_assert(at<prim::exp>(-std::numeric_limits<float>::infinity()) == 0);
static_assert(at<prim::log>(0.0) == -std::numeric_limits<double>::infinity());
static_assert(at<prim::pow>(-2.0, 3.0) == -8.0);
static_assert(at<prim::sign>(-3) == -1 && at<prim::sign>(7u) == 1);
static_assert(at<prim::rem>(-7, 3) == -1 && at<prim::rem>(7, 0) == 7 && at<prim::div>(7, 0) == -1);
static_assert(at<prim::rem>(-7.5f, 2.0f) == -1.5f);
static_assert(at<prim::abs>(std::int8_t{-128}) == -128);
static_assert(primitive<prim::clamp>::kernel(lane<int>(0), lane<int>(9), lane<int>(5)).value == 5);
static_assert(!primitive<prim::is_finite>::kernel(lane<float>(std::numeric_limits<float>::quiet_NaN())).value);

}  // namespace
