// SPDX-License-Identifier: BSL-1.0
// The inverse trigonometric and hyperbolic functions of complex numbers against those of the C library, part by part: branch cuts,
// signed zeros, infinities and NaN (C99 Annex G), what is near the branch points, and the ends of the range.
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <random>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr auto inverses = [](auto z) { return ex::tuple(ex::asin(z), ex::acos(z), ex::atan(z), ex::asinh(z), ex::acosh(z), ex::atanh(z)); };

template <class T>
bool near(T x, T y) {
  if (std::isnan(y)) return std::isnan(x);
  if (std::signbit(x) != std::signbit(y)) return false;
  return x == y || std::abs(x - y) <= 6 * std::numeric_limits<T>::epsilon() * std::abs(y) + 2 * std::numeric_limits<T>::denorm_min();
}
// Beside NaN the sign of an infinity or a zero is nobody's business.
template <class T>
bool agree(std::complex<T> x, std::complex<T> y) {
  if (std::isnan(y.real())) return std::isnan(x.real()) && near(std::abs(x.imag()), std::abs(y.imag()));
  if (std::isnan(y.imag())) return std::isnan(x.imag()) && near(std::abs(x.real()), std::abs(y.real()));
  return near(x.real(), y.real()) && near(x.imag(), y.imag());
}

template <class T>
void compare() {
  using C = std::complex<T>;
  using limits = std::numeric_limits<T>;
  T const eps = limits::epsilon();
  T const parts[] = {0,
                     limits::min(),
                     T(700),
                     eps * eps,
                     T(1e-4),
                     T(0.3),
                     1 - eps,
                     1,
                     1 + eps,
                     T(1.7),
                     T(12.5),
                     1 / eps / eps,
                     limits::max() / 4,
                     limits::max(),
                     limits::infinity(),
                     limits::quiet_NaN()};
  constexpr int n = 16, all = 4 * n * n;
  ex::array<C, all> z;
  for (int i = 0; i < all; ++i) z.data()[i] = C((i & 1 ? -1 : 1) * parts[i / 4 % n], (i & 2 ? -1 : 1) * parts[i / 4 / n]);
  auto const [asin, acos, atan, asinh, acosh, atanh] = ex::jit(inverses)(z);
  for (int i = 0; i < all; ++i) {
    C const x = z(i);
    CAPTURE(x.real());
    CAPTURE(x.imag());
    CHECK(agree(asin(i), std::asin(x)));
    CHECK(agree(acos(i), std::acos(x)));
    CHECK(agree(atan(i), std::atan(x)));
    CHECK(agree(asinh(i), std::asinh(x)));
    CHECK(agree(acosh(i), std::acosh(x)));
    CHECK(agree(atanh(i), std::atanh(x)));
  }
}

// The largest error of either part of n numbers, in units of the last place, against the C library's next larger type.
template <class T>
double error(T x, long double y) {
  if (!std::isfinite(static_cast<T>(y)) || std::abs(y) < std::numeric_limits<T>::min()) return 0;  // what compare() is for
  if (std::isnan(x)) return std::numeric_limits<double>::infinity();
  int const e = std::ilogb(y) - std::numeric_limits<T>::digits + 1;
  return static_cast<double>(std::abs(static_cast<long double>(x) - y) / std::scalbn(1.0L, e));
}
template <class T, int N, class F>
double largest_error(ex::array<std::complex<T>, N> const& z, ex::array<std::complex<T>, N> const& found, F f) {
  double r = 0;
  for (int i = 0; i < N; ++i) {
    std::complex<long double> const y = f(std::complex<long double>(z(i)));
    r = std::max({r, error(found(i).real(), y.real()), error(found(i).imag(), y.imag())});
  }
  return r;
}
constexpr auto elementary = [](auto z) { return ex::tuple(ex::exp(z), ex::sin(z), ex::cos(z), ex::sinh(z), ex::cosh(z), ex::tan(z), ex::tanh(z)); };
// Parts of all sizes from 2^-Range to 2^Range.
template <class T, int N>
ex::array<std::complex<T>, N> sample(int range) {
  std::mt19937 next(7);
  auto const part = [&] {
    T const m = T(1) + static_cast<T>(next() % 0x800000) / T(0x800000);
    int const e = static_cast<int>(next() % static_cast<unsigned>(2 * range)) - range;
    return std::ldexp(next() % 2 ? m : -m, e);
  };
  ex::array<std::complex<T>, N> z;
  for (int i = 0; i < N; ++i) {
    T const re = part();
    z(i) = {re, part()};
  }
  return z;
}
// The bounds that math/README.md tells.
template <class T>
void measure() {
  auto const z = sample<T, 4096>(20), small = sample<T, 4096>(6);
  auto const [asin, acos, atan, asinh, acosh, atanh] = ex::jit(inverses)(z);
  CHECK(largest_error(z, asin, [](auto x) { return std::asin(x); }) < 4);
  CHECK(largest_error(z, acos, [](auto x) { return std::acos(x); }) < 4);
  CHECK(largest_error(z, atan, [](auto x) { return std::atan(x); }) < 4);
  CHECK(largest_error(z, asinh, [](auto x) { return std::asinh(x); }) < 4);
  CHECK(largest_error(z, acosh, [](auto x) { return std::acosh(x); }) < 4);
  CHECK(largest_error(z, atanh, [](auto x) { return std::atanh(x); }) < 4);
  auto const [exp, sin, cos, sinh, cosh, tan, tanh] = ex::jit(elementary)(small);
  CHECK(largest_error(small, exp, [](auto x) { return std::exp(x); }) < 3);
  CHECK(largest_error(small, sin, [](auto x) { return std::sin(x); }) < 3);
  CHECK(largest_error(small, cos, [](auto x) { return std::cos(x); }) < 3);
  CHECK(largest_error(small, sinh, [](auto x) { return std::sinh(x); }) < 3);
  CHECK(largest_error(small, cosh, [](auto x) { return std::cosh(x); }) < 3);
  CHECK(largest_error(small, tan, [](auto x) { return std::tan(x); }) < 5);
  CHECK(largest_error(small, tanh, [](auto x) { return std::tanh(x); }) < 5);
}

// In constant evaluation: arcs of the unit and of numbers on the cuts.
using c64 = ex::complex64;
constexpr auto cuts = ex::jit(inverses)(ex::array<c64, 2>{c64(2, 0.0f), c64(2, -0.0f)});
static_assert(ex::get<0>(cuts) == ex::array<c64, 2>{c64(1.57079637f, 1.31695795f), c64(1.57079637f, -1.31695795f)});
static_assert(ex::get<1>(cuts) == ex::array<c64, 2>{c64(0, -1.31695795f), c64(0, 1.31695795f)});
static_assert(ex::get<5>(cuts) == ex::array<c64, 2>{c64(0.549306154f, 1.57079637f), c64(0.549306154f, -1.57079637f)});

}  // namespace

TEST_CASE("inverse functions of complex numbers") {
  compare<float>();
  compare<double>();
}
TEST_CASE("errors of functions of complex numbers") {
  measure<float>();
  measure<double>();
}
