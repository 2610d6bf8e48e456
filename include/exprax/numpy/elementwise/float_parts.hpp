// SPDX-License-Identifier: BSL-1.0
// Signs, exponents and kinds of floats (jax.numpy): signbit, copysign, frexp, ldexp, modf, isinf, isposinf, isneginf, nan_to_num,
// spacing, fabs, positive. Integers are converted to float first where the result is one.
// Longer than 300 lines: many functions of a few lines each.
#pragma once

#include <exprax/numpy/elementwise/bitwise.hpp>
#include <exprax/numpy/elementwise/transcendental.hpp>
#include <exprax/types/numeric_info.hpp>

namespace exprax {

namespace detail {

template <class X>
using float_type = real_part_t<strong_t<inexact_t<type_in<X>>>>;

template <bool Value, class X>
constexpr expr_like<X, bool> truth_like(X const&) {
  return expr_like<X, bool>(broadcast_shape<shape_in<X>>(literal<bool>(Value)));
}

struct signbit_body {
  template <tracer X>
  constexpr auto operator()(X const& x) const {
    if constexpr (is_bool(aval_in<X>.type)) {
      return truth_like<false>(x);
    } else if constexpr (!is_floating(aval_in<X>.type)) {
      return less(x, 0);
    } else {
      using F = float_bits<float_type<X>>;
      auto const bits = bitcast_convert_type<typename F::integer>(x);
      auto const sign = right_shift(bits, F::exponent + F::mantissa);
      return astype<bool>(sign);
    }
  }
};
struct signbit_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return named_call<signbit_body>("signbit", x);
  }
};
struct copysign_body {
  template <tracer A, tracer B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = inexact_t<promote_t<type_in<A>, type_in<B>>>;
    auto&& u = cast<type>(a);
    auto&& v = cast<type>(b);
    auto const x = with_rank<pair_rank<A, B>>(u);
    auto const y = with_rank<pair_rank<A, B>>(v);
    auto const negative = signbit_op{}(y);
    auto const size = abs(x);
    auto const minus = -size;
    auto const plus = abs(x);
    return where(negative, minus, plus);
  }
};
struct copysign_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    return named_call<copysign_body>("copysign", a, b);
  }
};

struct isinf_body {
  template <tracer X>
  constexpr auto operator()(X const& x) const {
    if constexpr (has_complex_elements<X>) {
      constexpr double infinite = std::numeric_limits<double>::infinity();
      auto const re = equal(abs(real(x)), infinite);
      return bitwise_or(re, equal(abs(imag(x)), infinite));
    } else if constexpr (is_inexact(aval_in<X>.type)) {
      auto const size = abs(x);
      return equal(size, std::numeric_limits<double>::infinity());
    } else {
      return truth_like<false>(x);
    }
  }
};
struct isinf_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return named_call<isinf_body>("isinf", x);
  }
};
template <bool Negative>
struct is_signed_infinity_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    static_assert(!has_complex_elements<X>, "exprax: isposinf, isneginf are not well defined for complex types");
    if constexpr (is_floating(aval_in<X>.type)) return equal(as_traced(x), Negative ? -infinite : infinite);
    else return truth_like<false>(x);
  }
};

struct frexp_body {
  template <tracer X>
  constexpr auto operator()(X const& x) const {
    using type = inexact_t<type_in<X>>;
    using F = float_bits<strong_t<type>>;
    using I = typename F::integer;
    constexpr std::int64_t mask = (std::int64_t{1} << F::exponent) - 1;
    auto const a = as_expr<type>(x);
    // Subnormals are lifted to normal numbers.
    auto const size = abs(a);
    auto const tiny = less(size, smallest_normal<strong_t<type>>());
    auto const lifted = multiply(a, static_cast<double>(std::int64_t{1} << F::mantissa));
    auto const bits = bitcast_convert_type<I>(where(tiny, lifted, a));
    auto const shift = where(tiny, expr<I>(literal<I>(static_cast<I>(-F::mantissa))), expr<I>(literal<I>(I(0))));
    auto const field = bitwise_and(right_shift(bits, F::mantissa), expr<I>(literal<I>(static_cast<I>(mask))));
    auto const exponent = add(shift, add(subtract(field, expr<I>(literal<I>(static_cast<I>(F::bias)))), 1));
    auto const cleared = bitwise_and(bits, expr<I>(literal<I>(static_cast<I>(~(mask << F::mantissa)))));
    auto const half = bitwise_or(cleared, expr<I>(literal<I>(static_cast<I>(static_cast<std::int64_t>(F::bias - 1) << F::mantissa))));
    auto const significand = bitcast_convert_type<strong_t<type>>(half);
    auto const as_it_is = logical_or(logical_or(isinf_op{}(a), isnan(a)), equal(a, 0));
    return std::tuple(where(as_it_is, a, significand), astype<std::int32_t>(where(as_it_is, expr<I>(literal<I>(I(0))), exponent)));
  }
};
struct frexp_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return named_call<frexp_body>("frexp", x);
  }
};
struct ldexp_body {
  template <tracer X, tracer N>
  constexpr auto operator()(X const& x, N const& n) const {
    using type = strong_t<inexact_t<type_in<X>>>;
    auto const a = expr_like<X, type>(as_expr<inexact_t<type_in<X>>>(x));
    auto const power = astype<type>(n);
    auto const parts = frexp_op{}(a);
    auto const exponent = add(astype<type>(std::get<1>(parts)), power);
    // The exponent may be beyond the range by one, the result within.
    auto const positive = greater(exponent, 0);
    auto const m = where(positive, multiply(std::get<0>(parts), 2), std::get<0>(parts));
    auto const e = where(positive, subtract(exponent, 1), exponent);
    auto const scaled = multiply(m, exprax::power(2.0f, e));
    return where(logical_or(isinf_op{}(a), equal(a, 0)), a, scaled);
  }
};
struct ldexp_op {
  template <operand X, operand N>
  constexpr auto operator()(X const& x, N const& n) const {
    return named_call<ldexp_body>("ldexp", x, n);
  }
};
struct modf_body {
  template <tracer X>
  constexpr auto operator()(X const& x) const {
    auto const a = as_expr<inexact_t<type_in<X>>>(x);
    auto const whole = where(greater_equal(a, 0), floor(a), ceil(a));
    return std::tuple(subtract(a, whole), whole);
  }
};
struct modf_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return named_call<modf_body>("modf", x);
  }
};

struct nan_to_num_body {
  template <tracer X, tracer Nan, tracer Above, tracer Below>
  constexpr auto operator()(X const& x, Nan const& nan, Above const& above, Below const& below) const {
    using type = strong_t<type_in<X>>;
    if constexpr (has_complex_elements<X>) {
      return on_each_part(x, [&](auto const& part) { return named_call<nan_to_num_body>("nan_to_num", part, nan, above, below); });
    } else {
      auto const a = where(isnan(x), astype<type>(nan), x);
      auto const b = where(is_signed_infinity_op<false>{}(a), astype<type>(above), a);
      return where(is_signed_infinity_op<true>{}(b), astype<type>(below), b);
    }
  }
};
struct nan_to_num_op {
  template <operand X, operand Nan, operand Above, operand Below>
  constexpr auto operator()(X const& x, Nan const& nan, Above const& above, Below const& below) const {
    return named_call<nan_to_num_body>("nan_to_num", x, nan, above, below);
  }
};
struct positive_op {
  template <operand X>
  constexpr expr_type<X> operator()(X const& x) const {
    return as_traced(x);
  }
};
struct spacing_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    using type = inexact_t<type_in<X>>;
    auto const a = as_expr<type>(x);
    lit<type> const infinite{static_cast<strong_t<type>>(std::numeric_limits<double>::infinity())};
    auto const next = inexact_pair_op<prim::nextafter>{}(a, copysign_op{}(as_expr<type>(infinite.value), a));
    return subtract(next, a);
  }
};

}  // namespace detail

// Whether the sign is negative, -0 and -NaN included, as bool (jax.numpy.signbit). Complex numbers are refused.
inline constexpr struct signbit_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    static_assert(!detail::has_complex_elements<X>,
                  "exprax: signbit is not well defined for complex numbers: take ex::real or ex::imag first");
    return detail::apply<detail::signbit_op>(x);
  }
} signbit{};
// |a| with the sign of b (jax.numpy.copysign). Shapes broadcast, dtypes are promoted, integers become float32; complex numbers are refused.
inline constexpr struct copysign_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("copysign"));
    static_assert(!detail::has_complex_elements<A> && !detail::has_complex_elements<B>,
                  "exprax: copysign does not support complex-valued inputs");
    return detail::apply<detail::copysign_op>(a, b);
  }
} copysign{};
// |x| (jax.numpy.fabs). Integers become float32; complex numbers are refused.
inline constexpr struct fabs_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    static_assert(!detail::has_complex_elements<X>, "exprax: fabs does not support complex dtypes: take ex::abs");
    return detail::apply<detail::inexact_op<prim::abs>>(x);
  }
} fabs{};
// isinf(x), isposinf(x), isneginf(x): whether x is infinite, +infinity, -infinity, as bool (jax.numpy). isinf of a complex number: whether
// a part is; the other two refuse complex numbers.
inline constexpr struct isinf_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::isinf_op>(x);
  }
} isinf{};
inline constexpr struct isposinf_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::is_signed_infinity_op<false>>(x);
  }
} isposinf{};
inline constexpr struct isneginf_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::is_signed_infinity_op<true>>(x);
  }
} isneginf{};
// x = m 2^n with |m| in [1/2, 1): the pair of m, floating, and n, int32, in the shape of x (jax.numpy.frexp). Zeros, infinities and NaN:
// themselves and 0. Complex numbers are refused.
inline constexpr struct frexp_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    static_assert(!detail::has_complex_elements<X>, "exprax: frexp does not support complex-valued inputs");
    return detail::apply<detail::frexp_op>(x);
  }
} frexp{};
// x 2^n for integers n (jax.numpy.ldexp). Shapes broadcast; the dtype of x, integers become float32. Refused: complex x, floats as n.
inline constexpr struct ldexp_function {
  template <array_like X, array_like N>
  constexpr auto operator()(X const& x, N const& n) const {
    static_assert(!detail::has_complex_elements<X>, "exprax: ldexp does not support complex-valued inputs");
    static_assert(!is_inexact(detail::aval_in<N>.type), "exprax: ldexp: the exponent must have an integer dtype: convert with astype<int>");
    static_assert(detail::broadcasts<X, N>, EXPRAX_SHAPES("ldexp"));
    return detail::apply<detail::ldexp_op>(x, n);
  }
} ldexp{};
// The pair of the fraction and the whole part, both with the sign of x (jax.numpy.modf). Integers become float32; complex numbers are
// refused.
inline constexpr struct modf_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::modf_op>(x);
  }
} modf{};
// nan_to_num(x, nan, posinf, neginf): x with other numbers for NaN and the infinities, by default 0 and the largest and least finite ones
// (jax.numpy.nan_to_num). The dtype of x; integers stay what they are. Of complex numbers each part by itself.
inline constexpr struct nan_to_num_function {
  template <array_like X, array_like Nan = float, array_like Above = double, array_like Below = double>
  constexpr auto operator()(X const& x, Nan const& nan = 0.0f, Above const& posinf = detail::largest_finite<detail::float_type<X>>(),
                            Below const& neginf = -detail::largest_finite<detail::float_type<X>>()) const {
    if constexpr (is_inexact(detail::aval_in<X>.type)) return detail::apply<detail::nan_to_num_op>(x, nan, posinf, neginf);
    else return detail::apply<detail::positive_op>(x);
  }
} nan_to_num{};
// x itself (jax.numpy.positive).
inline constexpr struct positive_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::positive_op>(x);
  }
} positive{};
// The distance to the next number away from 0 (jax.numpy.spacing). Integers become float32.
inline constexpr struct spacing_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::spacing_op>(x);
  }
} spacing{};

}  // namespace exprax
