// SPDX-License-Identifier: BSL-1.0
// The inverse trigonometric and hyperbolic functions of complex numbers against those of the C library, part by part: branch cuts,
// signed zeros, infinities and NaN (C99 Annex G), what is near the branch points, and the ends of the range.
#include <cmath>
#include <complex>

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
