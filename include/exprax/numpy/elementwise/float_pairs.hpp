// SPDX-License-Identifier: BSL-1.0
// Functions of one or two floats that are made of others (jax.numpy): hypot, logaddexp, logaddexp2, heaviside, sinc, fmax, fmin, fmod,
// float_power, deg2rad, rad2deg. Of two operands the shapes broadcast and the dtypes are promoted.
#pragma once

#include <exprax/numpy/elementwise/division.hpp>
#include <exprax/numpy/elementwise/float_parts.hpp>

namespace exprax {

namespace detail {

// Body on both operands with one floating dtype and one rank.
template <class Body>
struct on_inexact_pair {
  template <tracer A, tracer B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = inexact_t<promote_t<type_in<A>, type_in<B>>>;
    auto&& u = cast<type>(a);
    auto&& v = cast<type>(b);
    return Body{}(with_rank<pair_rank<A, B>>(u), with_rank<pair_rank<A, B>>(v));
  }
};
struct hypot_body {
  template <tracer A, tracer B>
  constexpr auto operator()(A const& a, B const& b) const {
    auto const u = abs(a);
    auto const v = abs(b);
    auto const infinite = bitwise_or(isposinf(u), isposinf(v));
    auto const most = maximum(u, v);
    auto const least = minimum(u, v);
    // No overflow before the result.
    auto const safe = where(equal(most, 0), 1.0f, most);
    auto const root = sqrt(add(1, square(divide(least, safe))));
    auto const r = where(equal(most, 0), most, multiply(most, root));
    return where(infinite, std::numeric_limits<float>::infinity(), r);
  }
};
struct hypot_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    return named_call<on_inexact_pair<hypot_body>>("hypot", a, b);
  }
};
struct heaviside_body {
  template <tracer A, tracer B>
  constexpr auto operator()(A const& a, B const& b) const {
    auto const negative = less(a, 0);
    auto const positive = greater(a, 0);
    return where(negative, 0.0f, where(positive, 1.0f, where(isnan(a), a, b)));
  }
};
struct heaviside_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    return named_call<on_inexact_pair<heaviside_body>>("heaviside", a, b);
  }
};
struct fmod_body {
  template <tracer A, tracer B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = numeric_pair<A, B>;
    auto&& u = cast<type>(a);
    auto const x = with_rank<pair_rank<A, B>>(u);
    if constexpr (is_integer(dtype_of<type>)) {
      auto const safe = where(equal(b, 0), 1, b);
      auto&& v = cast<type>(safe);
      return record_binary<prim::rem, type, type>(x, with_rank<pair_rank<A, B>>(v));
    } else {
      auto&& v = cast<type>(b);
      return record_binary<prim::rem, type, type>(x, with_rank<pair_rank<A, B>>(v));
    }
  }
};
struct fmod_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    return named_call<fmod_body>("fmod", a, b);
  }
};
template <bool BaseTwo>
struct logaddexp_body {
  template <tracer A, tracer B>
  constexpr auto operator()(A const& a, B const& b) const {
    auto const most = maximum(a, b);
    if constexpr (has_complex_elements<A>) return of_complex(a, b, most);
    else return of_real(a, b, most);
  }

 private:
  template <class A, class B, class C>
  static constexpr auto of_real(A const& a, B const& b, C const& most) {
    auto const difference = subtract(a, b);
    auto const unknown = isnan(difference);
    auto const sum = add(a, b);  // NaN, or infinities of one sign
    auto const size = negative(abs(difference));
    if constexpr (BaseTwo) return select_n(unknown, add(most, multiply(1.4426950408889634, log1p(exp2(size)))), sum);
    else return select_n(unknown, add(most, log1p(exp(size))), sum);
  }
  // most is a or b, so that a + b - 2 most is the difference of the other one from it. The angle goes back to [-pi, pi].
  template <class A, class B, class C>
  static constexpr auto of_complex(A const& a, B const& b, C const& most) {
    auto const difference = subtract(add(a, b), multiply(most, 2));
    auto const result = [&] {
      if constexpr (BaseTwo) return add(most, multiply(1.4426950408889634, log1p(exp2(difference))));
      else return add(most, log1p(exp(difference)));
    }();
    constexpr double half_turn = BaseTwo ? 3.141592653589793 * 1.4426950408889634 : 3.141592653589793;
    auto const angle = fmod_op{}(add(imag(result), half_turn), 2 * half_turn);
    auto const wrapped = where(less(angle, 0), add(angle, 2 * half_turn), angle);
    return complex_op{}(real(result), subtract(wrapped, half_turn));
  }
};
template <bool BaseTwo>
struct logaddexp_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = inexact_t<promote_t<type_in<A>, type_in<B>>>;
    return on_inexact_pair<logaddexp_body<BaseTwo>>{}(as_expr<type>(a), as_expr<type>(b));
  }
};
struct sinc_body {
  template <tracer X>
  constexpr auto operator()(X const& x) const {
    auto const a = as_expr<inexact_t<type_in<X>>>(x);
    auto const at_zero = equal(a, 0);
    auto const at_infinity = is_far(a);
    auto const angle = multiply(3.141592653589793, a);
    auto const safe = where(bitwise_or(at_zero, at_infinity), 1.0f, angle);
    auto const ratio = divide(sin(safe), safe);
    return where(at_infinity, 0.0f, where(at_zero, 1.0f, ratio));
  }

 private:
  // Of complex numbers along the real axis only: the sine grows along the other.
  template <class A>
  static constexpr auto is_far(A const& a) {
    constexpr float infinite = std::numeric_limits<float>::infinity();
    if constexpr (has_complex_elements<A>) return bitwise_and(equal(abs(real(a)), infinite), isfinite(imag(a)));
    else return equal(abs(a), infinite);
  }
};
struct sinc_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return named_call<sinc_body>("sinc", x);
  }
};
template <bool Greater>
struct known_extreme_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    auto const first = bitwise_or(comparison_op<Greater ? prim::gt : prim::lt>{}(a, b), isnan(b));
    return where(first, a, b);
  }
};
// x times a constant, floating.
template <bool Degrees>
struct angle_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    using type = inexact_t<type_in<X>>;
    return record_binary<prim::mul, type, type>(as_expr<type>(x), Degrees ? 57.29577951308232 : 0.017453292519943295);
  }
};

}  // namespace detail

// sqrt(a^2 + b^2), without overflow before the result (jax.numpy.hypot). Integers become float32.
inline constexpr struct hypot_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("hypot"));
    return detail::apply<detail::hypot_op>(a, b);
  }
} hypot{};
// log(exp(a) + exp(b)), without overflow before the result (jax.numpy.logaddexp). Integers become float32.
inline constexpr struct logaddexp_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("logaddexp"));
    return detail::apply<detail::logaddexp_op<false>>(a, b);
  }
} logaddexp{};
// log2(2^a + 2^b), without overflow before the result (jax.numpy.logaddexp2). Integers become float32.
inline constexpr struct logaddexp2_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("logaddexp2"));
    return detail::apply<detail::logaddexp_op<true>>(a, b);
  }
} logaddexp2{};
// 0 for negative a, 1 for positive a, b at 0 (jax.numpy.heaviside). Integers become float32.
inline constexpr struct heaviside_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("heaviside"));
    return detail::apply<detail::heaviside_op>(a, b);
  }
} heaviside{};
// fmax(a, b), fmin(a, b): the larger and the smaller one; of a number and NaN the number (jax.numpy.fmax, jax.numpy.fmin).
inline constexpr struct fmax_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("fmax"));
    return detail::apply<detail::known_extreme_op<true>>(a, b);
  }
} fmax{};
inline constexpr struct fmin_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("fmin"));
    return detail::apply<detail::known_extreme_op<false>>(a, b);
  }
} fmin{};
// a - b * trunc(a / b), with the sign of a (jax.numpy.fmod); of integers by 0 it is 0. bool becomes int32; complex numbers are refused.
inline constexpr struct fmod_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("fmod"));
    return detail::apply<detail::fmod_op>(a, b);
  }
} fmod{};
// a^b (jax.numpy.float_power). Integers become float32.
inline constexpr struct float_power_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("float_power"));
    return detail::apply<detail::inexact_pair_op<prim::pow>>(a, b);
  }
} float_power{};
// sin(pi x) / (pi x), 1 at 0 (jax.numpy.sinc). Integers become float32.
inline constexpr struct sinc_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::sinc_op>(x);
  }
} sinc{};
// deg2rad(x), radians(x): degrees to radians; rad2deg(x), degrees(x): radians to degrees (jax.numpy). Integers become float32.
inline constexpr struct deg2rad_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::angle_op<false>>(x);
  }
} deg2rad{};
inline constexpr struct radians_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return deg2rad(x);
  }
} radians{};
inline constexpr struct rad2deg_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::angle_op<true>>(x);
  }
} rad2deg{};
inline constexpr struct degrees_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return rad2deg(x);
  }
} degrees{};

// For unqualified calls: see base/by_argument.hpp.
namespace by_argument {

template <array_like A, array_like B>
constexpr auto fmax(A const& a, B const& b) {
  return exprax::fmax(a, b);
}
template <array_like A, array_like B>
constexpr auto fmin(A const& a, B const& b) {
  return exprax::fmin(a, b);
}
template <array_like A, array_like B>
constexpr auto fmod(A const& a, B const& b) {
  return exprax::fmod(a, b);
}
template <array_like A, array_like B>
constexpr auto hypot(A const& a, B const& b) {
  return exprax::hypot(a, b);
}

}  // namespace by_argument

}  // namespace exprax
