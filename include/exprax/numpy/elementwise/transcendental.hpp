// SPDX-License-Identifier: BSL-1.0
// Exponential, trigonometric, hyperbolic and special functions of each element (jax.numpy, jax.lax, jax.scipy.special). Integers are
// converted to float32 first. The errors are those of the primitives: 2 units of the last place at most, 4 for the special ones. cbrt and
// the special functions refuse complex numbers.
#pragma once

#include <exprax/numpy/elementwise/rounding.hpp>

namespace exprax {

namespace detail {

// log(x) / log(2) and log(x) * (1 / log(10)), as jax.numpy has them.
struct log2_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    using type = inexact_t<type_in<X>>;
    auto const logarithm = record_unary<prim::log>(as_expr<type>(x));
    if constexpr (has_complex_elements<X>) {
      auto const re = real_op{}(logarithm);
      auto const im = imag_op{}(logarithm);
      auto const two = record_unary<prim::log>(as_expr<real_part_t<type>>(2));
      auto const scaled = divide_op{}(re, two);
      return complex_op{}(scaled, divide_op{}(im, two));
    } else {
      auto const of_two = record_unary<prim::log>(as_expr<type>(2));
      return record_binary<prim::div, type, type>(logarithm, of_two);
    }
  }
};
struct log10_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    using type = inexact_t<type_in<X>>;
    auto const logarithm = record_unary<prim::log>(as_expr<type>(x));
    if constexpr (has_complex_elements<X>) {
      auto const re = real_op{}(logarithm);
      auto const im = imag_op{}(logarithm);
      auto const scaled = multiply_op{}(re, 0.4342944819032518);
      return complex_op{}(scaled, multiply_op{}(im, 0.4342944819032518));
    } else {
      return record_binary<prim::mul, type, type>(logarithm, 0.4342944819032518);
    }
  }
};
struct arccosh_body {
  template <tracer X>
  constexpr auto operator()(X const& x) const {
    return record_unary<prim::acosh>(as_expr<inexact_t<type_in<X>>>(x));
  }
};
struct arccosh_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return named_call<arccosh_body>("arccosh", x);
  }
};

}  // namespace detail

// 2 to the x (jax.numpy.exp2).
template <array_like X>
constexpr auto exp2(X const& x) {
  return detail::apply<detail::inexact_op<prim::exp2>>(x);
}
// The cube root (jax.numpy.cbrt).
template <array_like X>
constexpr auto cbrt(X const& x) {
  return detail::apply<detail::inexact_op<prim::cbrt>>(x);
}
// The tangent of x radians (jax.numpy.tan).
template <array_like X>
constexpr auto tan(X const& x) {
  return detail::apply<detail::inexact_op<prim::tan>>(x);
}
// arcsin(x), asin(x): the arc sine; NaN beyond 1 (jax.numpy.arcsin).
template <array_like X>
constexpr auto arcsin(X const& x) {
  return detail::apply<detail::inexact_op<prim::asin>>(x);
}
template <array_like X>
constexpr auto asin(X const& x) {
  return arcsin(x);
}
// arccos(x), acos(x): the arc cosine; NaN beyond 1 (jax.numpy.arccos).
template <array_like X>
constexpr auto arccos(X const& x) {
  return detail::apply<detail::inexact_op<prim::acos>>(x);
}
template <array_like X>
constexpr auto acos(X const& x) {
  return arccos(x);
}
// arctan(x), atan(x): the arc tangent (jax.numpy.arctan).
template <array_like X>
constexpr auto arctan(X const& x) {
  return detail::apply<detail::inexact_op<prim::atan>>(x);
}
template <array_like X>
constexpr auto atan(X const& x) {
  return arctan(x);
}
// The hyperbolic sine (jax.numpy.sinh).
template <array_like X>
constexpr auto sinh(X const& x) {
  return detail::apply<detail::inexact_op<prim::sinh>>(x);
}
// The hyperbolic cosine (jax.numpy.cosh).
template <array_like X>
constexpr auto cosh(X const& x) {
  return detail::apply<detail::inexact_op<prim::cosh>>(x);
}
// arcsinh(x), asinh(x): the inverse of sinh (jax.numpy.arcsinh).
template <array_like X>
constexpr auto arcsinh(X const& x) {
  return detail::apply<detail::inexact_op<prim::asinh>>(x);
}
template <array_like X>
constexpr auto asinh(X const& x) {
  return arcsinh(x);
}
// arctanh(x), atanh(x): the inverse of tanh; infinite at 1, NaN beyond (jax.numpy.arctanh).
template <array_like X>
constexpr auto arctanh(X const& x) {
  return detail::apply<detail::inexact_op<prim::atanh>>(x);
}
template <array_like X>
constexpr auto atanh(X const& x) {
  return arctanh(x);
}
// arccosh(x), acosh(x): the inverse of cosh; NaN below 1 (jax.numpy.arccosh).
template <array_like X>
constexpr auto arccosh(X const& x) {
  return detail::apply<detail::arccosh_op>(x);
}
template <array_like X>
constexpr auto acosh(X const& x) {
  return arccosh(x);
}
// log2(x), log10(x): logarithms to the bases 2 and 10 (jax.numpy.log2, jax.numpy.log10).
template <array_like X>
constexpr auto log2(X const& x) {
  return detail::apply<detail::log2_op>(x);
}
template <array_like X>
constexpr auto log10(X const& x) {
  return detail::apply<detail::log10_op>(x);
}
// arctan2(y, x), atan2(y, x): the angle of the point (x, y) from the first axis, in [-pi, pi] (jax.numpy.arctan2). Shapes broadcast, dtypes
// are promoted.
template <array_like Y, array_like X>
constexpr auto arctan2(Y const& y, X const& x) {
  EXPRAX_BROADCASTS("arctan2", Y, X);
  return detail::apply<detail::inexact_pair_op<prim::atan2>>(y, x);
}
template <array_like Y, array_like X>
constexpr auto atan2(Y const& y, X const& x) {
  return arctan2(y, x);
}

// The error function (jax.lax.erf, jax.scipy.special.erf).
template <array_like X>
constexpr auto erf(X const& x) {
  return detail::apply<detail::inexact_op<prim::erf>>(x);
}
// 1 - erf(x), exact where that is tiny (jax.lax.erfc, jax.scipy.special.erfc).
template <array_like X>
constexpr auto erfc(X const& x) {
  return detail::apply<detail::inexact_op<prim::erfc>>(x);
}
// The inverse of erf; infinite at 1, NaN beyond (jax.lax.erf_inv, jax.scipy.special.erfinv).
template <array_like X>
constexpr auto erf_inv(X const& x) {
  return detail::apply<detail::inexact_op<prim::erf_inv>>(x);
}
// log |gamma(x)|; infinite at 0 and the negative whole numbers (jax.lax.lgamma, jax.scipy.special.gammaln).
template <array_like X>
constexpr auto lgamma(X const& x) {
  return detail::apply<detail::inexact_op<prim::lgamma>>(x);
}
// The derivative of lgamma; NaN at 0 and the negative whole numbers (jax.lax.digamma, jax.scipy.special.digamma).
template <array_like X>
constexpr auto digamma(X const& x) {
  return detail::apply<detail::inexact_op<prim::digamma>>(x);
}
// The gamma function, with its sign (jax.scipy.special.gamma); infinite at 0, NaN at the negative whole numbers.
template <array_like X>
constexpr auto tgamma(X const& x) {
  return detail::apply<detail::inexact_op<prim::tgamma>>(x);
}

namespace lax {

using exprax::acos;
using exprax::asin;
using exprax::asinh;
using exprax::atan;
using exprax::atan2;
using exprax::atanh;
using exprax::cbrt;
using exprax::cosh;
using exprax::digamma;
using exprax::erf;
using exprax::erf_inv;
using exprax::erfc;
using exprax::exp2;
using exprax::lgamma;
using exprax::sinh;
using exprax::tan;

// The inverse of cosh (jax.lax.acosh).
template <array_like X>
constexpr auto acosh(X const& x) {
  return detail::apply<detail::inexact_op<prim::acosh>>(x);
}

}  // namespace lax

}  // namespace exprax
