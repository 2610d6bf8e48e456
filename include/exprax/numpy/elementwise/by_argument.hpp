// SPDX-License-Identifier: BSL-1.0
// The functions that have the names of <cmath> and <complex>, for unqualified calls: see base/by_argument.hpp.
#pragma once

#include <exprax/numpy/elementwise/complex.hpp>
#include <exprax/numpy/elementwise/float_parts.hpp>
#include <exprax/numpy/elementwise/rounding.hpp>
#include <exprax/numpy/elementwise/transcendental.hpp>

namespace exprax::by_argument {

template <array_like X>
constexpr auto abs(X const& x) {
  return exprax::abs(x);
}
template <array_like X>
constexpr auto acos(X const& x) {
  return exprax::acos(x);
}
template <array_like X>
constexpr auto acosh(X const& x) {
  return exprax::acosh(x);
}
template <array_like X>
constexpr auto asin(X const& x) {
  return exprax::asin(x);
}
template <array_like X>
constexpr auto asinh(X const& x) {
  return exprax::asinh(x);
}
template <array_like X>
constexpr auto atan(X const& x) {
  return exprax::atan(x);
}
template <array_like X>
constexpr auto atanh(X const& x) {
  return exprax::atanh(x);
}
template <array_like X>
constexpr auto cbrt(X const& x) {
  return exprax::cbrt(x);
}
template <array_like X>
constexpr auto ceil(X const& x) {
  return exprax::ceil(x);
}
template <array_like X>
constexpr auto conj(X const& x) {
  return exprax::conj(x);
}
template <array_like X>
constexpr auto cos(X const& x) {
  return exprax::cos(x);
}
template <array_like X>
constexpr auto cosh(X const& x) {
  return exprax::cosh(x);
}
template <array_like X>
constexpr auto erf(X const& x) {
  return exprax::erf(x);
}
template <array_like X>
constexpr auto erfc(X const& x) {
  return exprax::erfc(x);
}
template <array_like X>
constexpr auto exp(X const& x) {
  return exprax::exp(x);
}
template <array_like X>
constexpr auto exp2(X const& x) {
  return exprax::exp2(x);
}
template <array_like X>
constexpr auto expm1(X const& x) {
  return exprax::expm1(x);
}
template <array_like X>
constexpr auto fabs(X const& x) {
  return exprax::fabs(x);
}
template <array_like X>
constexpr auto floor(X const& x) {
  return exprax::floor(x);
}
template <array_like X>
constexpr auto frexp(X const& x) {
  return exprax::frexp(x);
}
template <array_like X>
constexpr auto imag(X const& x) {
  return exprax::imag(x);
}
template <array_like X>
constexpr auto isfinite(X const& x) {
  return exprax::isfinite(x);
}
template <array_like X>
constexpr auto isinf(X const& x) {
  return exprax::isinf(x);
}
template <array_like X>
constexpr auto isnan(X const& x) {
  return exprax::isnan(x);
}
template <array_like X>
constexpr auto lgamma(X const& x) {
  return exprax::lgamma(x);
}
template <array_like X>
constexpr auto log(X const& x) {
  return exprax::log(x);
}
template <array_like X>
constexpr auto log10(X const& x) {
  return exprax::log10(x);
}
template <array_like X>
constexpr auto log1p(X const& x) {
  return exprax::log1p(x);
}
template <array_like X>
constexpr auto log2(X const& x) {
  return exprax::log2(x);
}
template <array_like X>
constexpr auto real(X const& x) {
  return exprax::real(x);
}
template <array_like X>
constexpr auto rint(X const& x) {
  return exprax::rint(x);
}
template <array_like X>
constexpr auto signbit(X const& x) {
  return exprax::signbit(x);
}
template <array_like X>
constexpr auto round(X const& x) {
  return exprax::round(x);
}
template <array_like X>
constexpr auto sin(X const& x) {
  return exprax::sin(x);
}
template <array_like X>
constexpr auto sinh(X const& x) {
  return exprax::sinh(x);
}
template <array_like X>
constexpr auto sqrt(X const& x) {
  return exprax::sqrt(x);
}
template <array_like X>
constexpr auto tan(X const& x) {
  return exprax::tan(x);
}
template <array_like X>
constexpr auto tanh(X const& x) {
  return exprax::tanh(x);
}
template <array_like X>
constexpr auto tgamma(X const& x) {
  return exprax::tgamma(x);
}
template <array_like X>
constexpr auto trunc(X const& x) {
  return exprax::trunc(x);
}
template <array_like A, array_like B>
constexpr auto atan2(A const& a, B const& b) {
  return exprax::atan2(a, b);
}
template <array_like A, array_like B>
constexpr auto copysign(A const& a, B const& b) {
  return exprax::copysign(a, b);
}
template <array_like A, array_like B>
constexpr auto ldexp(A const& a, B const& b) {
  return exprax::ldexp(a, b);
}
template <array_like A, array_like B>
constexpr auto nextafter(A const& a, B const& b) {
  return exprax::nextafter(a, b);
}
template <array_like A, array_like B>
constexpr auto pow(A const& a, B const& b) {
  return exprax::pow(a, b);
}

}  // namespace exprax::by_argument
