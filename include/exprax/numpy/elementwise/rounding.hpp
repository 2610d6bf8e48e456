// SPDX-License-Identifier: BSL-1.0
// round, rint, trunc, fix (jax.numpy), and round, reduce_precision, nextafter (jax.lax). In jax.numpy halves go to the even
// number, in jax.lax away from zero.
#pragma once

#include <exprax/numpy/elementwise/complex.hpp>
#include <exprax/numpy/elementwise/select.hpp>

namespace exprax {

namespace lax {

enum class rounding_method { away_from_zero, to_nearest_even };

}  // namespace lax

namespace detail {

template <lax::rounding_method Method>
inline constexpr int rounding_params[] = {static_cast<int>(Method)};
template <lax::rounding_method Method, tracer X>
constexpr X record_round(X const& x) {
  return detail::bind<X>(prim::round, rounding_params<Method>, x);
}
template <lax::rounding_method Method>
struct lax_round_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return record_round<Method>(as_traced(x));
  }
};

constexpr double power_of_ten(int n) {
  double r = 1;
  for (int i = 0; i < (n < 0 ? -n : n); ++i) r *= 10;
  return n < 0 ? 1 / r : r;
}
template <int Decimals>
struct round_body {
  template <tracer X>
  constexpr X operator()(X const& x) const {
    constexpr auto even = lax::rounding_method::to_nearest_even;
    constexpr int most = real_dtype(aval_in<X>.type) == dtype::f64 ? 308 : 38;
    if constexpr (!is_inexact(aval_in<X>.type) || (Decimals > most)) {
      return x;
    } else if constexpr (has_complex_elements<X>) {
      return on_each_part(x, round_body{});
    } else if constexpr (Decimals == 0) {
      return record_round<even>(x);
    } else {
      using T = type_in<X>;
      lit<T> const factor{static_cast<strong_t<T>>(power_of_ten(Decimals))};
      return detail::bind<X>(prim::div, {}, record_round<even>(detail::bind<X>(prim::mul, {}, x, factor)), factor);
    }
  }
};
template <int Decimals>
struct round_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return named_call<round_body<Decimals>>("round", x);
  }
};

struct rint_body {
  template <tracer X>
  constexpr auto operator()(X const& x) const {
    if constexpr (has_complex_elements<X>) return on_each_part(x, [](auto const& part) { return named_call<rint_body>("rint", part); });
    else if constexpr (is_floating(aval_in<X>.type)) return record_round<lax::rounding_method::to_nearest_even>(x);
    else return cast<float>(x);
  }
};
struct rint_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return named_call<rint_body>("rint", x);
  }
};
struct trunc_body {
  template <tracer X>
  constexpr X operator()(X const& x) const {
    static_assert(!has_complex_elements<X>, "exprax: trunc, fix: complex numbers have no order: take ex::real or ex::imag first");
    if constexpr (!is_floating(aval_in<X>.type)) {
      return x;
    } else {
      auto const negative = comparison_op<prim::lt>{}(x, 0);
      auto const up = ceil(x);
      auto const down = floor(x);
      return where(negative, up, down);
    }
  }
};
struct trunc_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return named_call<trunc_body>("trunc", x);
  }
};

// P on floating operands.
template <prim P>
struct inexact_pair_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = inexact_t<promote_t<type_in<A>, type_in<B>>>;
    return record_binary<P, type, type>(a, b);
  }
};
template <int... Bits>
inline constexpr int precision_params[] = {Bits...};
template <int Exponent, int Mantissa>
struct reduce_precision_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return detail::bind<expr_type<X>>(prim::reduce_precision, precision_params<Exponent, Mantissa>, as_traced(x));
  }
};

}  // namespace detail

template <int N>
struct decimals_t {};
// Of round: to how many decimals (decimals= of jax.numpy.round).
template <int N>
inline constexpr decimals_t<N> decimals{};

// round(x), round(x, decimals<2>), around: to the nearest number with so many decimals, 0 by default, halves to the even one
// (jax.numpy.round). The dtype of x: integers stay what they are, of complex numbers both parts are rounded. Negative decimals of integers
// are refused.
inline constexpr struct round_function {
  template <array_like X, int N = 0>
  constexpr auto operator()(X const& x, decimals_t<N> = {}) const {
    static_assert(N >= 0 || !is_integer(detail::aval_in<X>.type),
                  "exprax: round: integers are not rounded to tens: decimals must not be negative");
    return detail::apply<detail::round_op<N>>(x);
  }
  EXPRAX_REFUSES_NUMBERS("round", "the number of decimals is part of the type: write ex::round(x, ex::decimals<2>)")
} round{};
inline constexpr struct around_function {
  template <array_like X, int N = 0>
  constexpr auto operator()(X const& x, decimals_t<N> n = {}) const {
    return round(x, n);
  }
} around{};
// To the nearest whole number, halves to the even one (jax.numpy.rint). Integers become float32.
inline constexpr struct rint_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::rint_op>(x);
  }
} rint{};
// trunc(x), fix(x): towards zero (jax.numpy.trunc, jax.numpy.fix). The dtype of x: integers stay what they are; complex numbers are
// refused.
inline constexpr struct trunc_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::trunc_op>(x);
  }
} trunc{};
inline constexpr struct fix_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return trunc(x);
  }
} fix{};
// The number next to x in the direction of y (jax.numpy.nextafter). Shapes broadcast, dtypes are promoted, integers become float32.
inline constexpr struct nextafter_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& x, B const& y) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("nextafter"));
    return detail::apply<detail::inexact_pair_op<prim::nextafter>>(x, y);
  }
} nextafter{};
// Rounded to a format with so many bits, in the dtype of x (jax.lax.reduce_precision). Refused: other dtypes than floats, less than one
// exponent bit.
template <int ExponentBits, int MantissaBits, array_like X>
constexpr auto reduce_precision(X const& x) {
  static_assert(is_floating(detail::aval_in<X>.type), "exprax: reduce_precision: needs a floating dtype: convert with astype<float>");
  static_assert(ExponentBits >= 1 && MantissaBits >= 0,
                "exprax: reduce_precision: needs one exponent bit or more, and no negative mantissa bits");
  return detail::apply<detail::reduce_precision_op<ExponentBits, MantissaBits>>(x);
}

namespace lax {

using exprax::nextafter;
using exprax::reduce_precision;

// To the nearest whole number, halves away from zero or, with rounding_method::to_nearest_even, to the even one (jax.lax.round). Only
// floats are accepted.
template <rounding_method Method = rounding_method::away_from_zero, array_like X>
constexpr auto round(X const& x) {
  static_assert(is_floating(detail::aval_in<X>.type), "exprax: lax.round: needs a floating dtype: convert with astype<float>");
  return detail::apply<detail::lax_round_op<Method>>(x);
}

}  // namespace lax

}  // namespace exprax
