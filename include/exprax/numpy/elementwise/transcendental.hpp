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
inline constexpr struct exp2_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::inexact_op<prim::exp2>>(x);
  }
} exp2{};
// The cube root (jax.numpy.cbrt).
inline constexpr struct cbrt_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::inexact_op<prim::cbrt>>(x);
  }
} cbrt{};
// The tangent of x radians (jax.numpy.tan).
inline constexpr struct tan_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::inexact_op<prim::tan>>(x);
  }
} tan{};
// arcsin(x), asin(x): the arc sine; NaN beyond 1 (jax.numpy.arcsin).
inline constexpr struct arcsin_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::inexact_op<prim::asin>>(x);
  }
} arcsin{};
inline constexpr struct asin_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return arcsin(x);
  }
} asin{};
// arccos(x), acos(x): the arc cosine; NaN beyond 1 (jax.numpy.arccos).
inline constexpr struct arccos_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::inexact_op<prim::acos>>(x);
  }
} arccos{};
inline constexpr struct acos_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return arccos(x);
  }
} acos{};
// arctan(x), atan(x): the arc tangent (jax.numpy.arctan).
inline constexpr struct arctan_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::inexact_op<prim::atan>>(x);
  }
} arctan{};
inline constexpr struct atan_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return arctan(x);
  }
} atan{};
// The hyperbolic sine (jax.numpy.sinh).
inline constexpr struct sinh_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::inexact_op<prim::sinh>>(x);
  }
} sinh{};
// The hyperbolic cosine (jax.numpy.cosh).
inline constexpr struct cosh_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::inexact_op<prim::cosh>>(x);
  }
} cosh{};
// arcsinh(x), asinh(x): the inverse of sinh (jax.numpy.arcsinh).
inline constexpr struct arcsinh_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::inexact_op<prim::asinh>>(x);
  }
} arcsinh{};
inline constexpr struct asinh_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return arcsinh(x);
  }
} asinh{};
// arctanh(x), atanh(x): the inverse of tanh; infinite at 1, NaN beyond (jax.numpy.arctanh).
inline constexpr struct arctanh_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::inexact_op<prim::atanh>>(x);
  }
} arctanh{};
inline constexpr struct atanh_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return arctanh(x);
  }
} atanh{};
// arccosh(x), acosh(x): the inverse of cosh; NaN below 1 (jax.numpy.arccosh).
inline constexpr struct arccosh_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::arccosh_op>(x);
  }
} arccosh{};
inline constexpr struct acosh_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return arccosh(x);
  }
} acosh{};
// log2(x), log10(x): logarithms to the bases 2 and 10 (jax.numpy.log2, jax.numpy.log10).
inline constexpr struct log2_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::log2_op>(x);
  }
} log2{};
inline constexpr struct log10_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::log10_op>(x);
  }
} log10{};
// arctan2(y, x), atan2(y, x): the angle of the point (x, y) from the first axis, in [-pi, pi] (jax.numpy.arctan2). Shapes broadcast, dtypes
// are promoted.
inline constexpr struct arctan2_function {
  template <array_like Y, array_like X>
  constexpr auto operator()(Y const& y, X const& x) const {
    static_assert(detail::broadcasts<Y, X>, EXPRAX_SHAPES("arctan2"));
    return detail::apply<detail::inexact_pair_op<prim::atan2>>(y, x);
  }
} arctan2{};
inline constexpr struct atan2_function {
  template <array_like Y, array_like X>
  constexpr auto operator()(Y const& y, X const& x) const {
    return arctan2(y, x);
  }
} atan2{};

// The error function (jax.lax.erf, jax.scipy.special.erf).
inline constexpr struct erf_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::inexact_op<prim::erf>>(x);
  }
} erf{};
// 1 - erf(x), exact where that is tiny (jax.lax.erfc, jax.scipy.special.erfc).
inline constexpr struct erfc_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::inexact_op<prim::erfc>>(x);
  }
} erfc{};
// The inverse of erf; infinite at 1, NaN beyond (jax.lax.erf_inv, jax.scipy.special.erfinv).
inline constexpr struct erf_inv_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::inexact_op<prim::erf_inv>>(x);
  }
} erf_inv{};
// log |gamma(x)|; infinite at 0 and the negative whole numbers (jax.lax.lgamma, jax.scipy.special.gammaln).
inline constexpr struct lgamma_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::inexact_op<prim::lgamma>>(x);
  }
} lgamma{};
// The derivative of lgamma; NaN at 0 and the negative whole numbers (jax.lax.digamma, jax.scipy.special.digamma).
inline constexpr struct digamma_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::inexact_op<prim::digamma>>(x);
  }
} digamma{};
// The gamma function, with its sign (jax.scipy.special.gamma); infinite at 0, NaN at the negative whole numbers.
inline constexpr struct tgamma_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::inexact_op<prim::tgamma>>(x);
  }
} tgamma{};

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
inline constexpr struct acosh_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::inexact_op<prim::acosh>>(x);
  }
} acosh{};

}  // namespace lax

}  // namespace exprax
