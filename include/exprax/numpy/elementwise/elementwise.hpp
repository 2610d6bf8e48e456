// SPDX-License-Identifier: BSL-1.0
// Functions of each element by itself (jax.numpy, jax.lax): exp, log, sin, tanh, floor, abs, isnan and their like. Those
// with a floating result convert integers and bool to float32 first (float64 with x64 on); floor and ceil return them as they are. The
// shape of the result is that of x.
#pragma once

#include <exprax/numpy/core/broadcasting.hpp>
#include <exprax/primitives/list.hpp>

namespace exprax {

namespace detail {

template <prim P, class X>
constexpr X record_unary(X const& x) {
  return detail::bind<X>(P, {}, x);
}

// Whether primitive P takes elements of this dtype; asked for complex numbers, which most refuse.
template <prim P>
constexpr bool accepts_dtype(dtype d) {
  if constexpr (requires { primitive<P>::accepts(d); }) return !is_complex(d) || primitive<P>::accepts(d);
  else return true;
}

template <prim P>
struct inexact_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    static_assert(accepts_dtype<P>(aval_in<X>.type),
                  "exprax: this function does not accept complex numbers (P names it): take ex::real, ex::imag or ex::abs first");
    if constexpr (accepts_dtype<P>(aval_in<X>.type)) return record_unary<P>(as_expr<inexact_t<type_in<X>>>(x));
    else return expr_type<X>(as_traced(x));  // no more errors
  }
};
struct negative_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return record_unary<prim::neg>(as_traced(x));
  }
};
struct sign_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return record_unary<prim::sign>(as_traced(x));
  }
};
template <prim P>
struct rounding_op {
  template <operand X>
  constexpr expr_type<X> operator()(X const& x) const {
    static_assert(accepts_dtype<P>(aval_in<X>.type),
                  "exprax: this function does not accept complex numbers (P names it): take ex::real, ex::imag or ex::abs first");
    if constexpr (is_floating(aval_in<X>.type))
      return record_unary<P>(as_traced(x));
    else
      return as_traced(x);
  }
};
struct abs_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    if constexpr (is_bool(aval_in<X>.type) || is_unsigned_integer(aval_in<X>.type))
      return expr_type<X>(as_traced(x));
    else if constexpr (is_complex(aval_in<X>.type))
      return detail::bind<expr_like<X, real_part_t<type_in<X>>>>(prim::abs, {}, as_traced(x));
    else
      return record_unary<prim::abs>(as_traced(x));
  }
};

template <int Y>
inline constexpr int exponent_params[] = {Y};
// x to a power that is known while tracing (jax.lax.integer_pow).
template <int Y>
struct integer_pow_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    using type = numeric_t<type_in<X>>;
    return detail::bind<expr_like<X, type>>(prim::integer_pow, exponent_params<Y>, as_expr<type>(x));
  }
};
struct square_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return record_unary<prim::square>(as_expr<numeric_t<type_in<X>>>(x));
  }
};
struct reciprocal_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return integer_pow_op<-1>{}(as_expr<inexact_t<type_in<X>>>(x));
  }
};

struct isnan_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    expr_type<X> const a = as_traced(x);
    return detail::bind<expr_like<X, bool>>(prim::ne, {}, a, a);
  }
};
struct isfinite_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    using out = expr_like<X, bool>;
    if constexpr (is_inexact(aval_in<X>.type))
      return detail::bind<out>(prim::is_finite, {}, as_traced(x));
    else
      return out(broadcast_shape<shape_in<X>>(literal<bool>(true)));
  }
};

// x as a truth value: bool, or x != 0.
template <operand X>
constexpr expr_like<X, bool> to_bool(X const& x) {
  if constexpr (is_bool(aval_in<X>.type))
    return as_traced(x);
  else
    return detail::bind<expr_like<X, bool>>(prim::ne, {}, as_traced(x), lit<type_in<X>>{});
}
struct logical_not_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return record_unary<prim::not_>(to_bool(x));
  }
};
struct invert_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return record_unary<prim::not_>(as_traced(x));
  }
};
// Conditions of static_asserts: compilers print the operand's type.
template <class X>
inline constexpr bool is_a_number = !is_bool(aval_in<X>.type);
template <class X>
inline constexpr bool has_no_bits = is_inexact(aval_in<X>.type);

template <class T>
struct astype_op {
  template <operand X>
  constexpr expr_like<X, T> operator()(X const& x) const {
    return as_expr<T>(x);
  }
};

}  // namespace detail

// exp, expm1 (exp(x) - 1), log, log1p (log(1 + x)), sin, cos, tanh and sqrt of each element (jax.numpy). Integers become float32.
template <array_like X>
constexpr auto exp(X const& x) {
  return detail::apply<detail::inexact_op<prim::exp>>(x);
}
template <array_like X>
constexpr auto expm1(X const& x) {
  return detail::apply<detail::inexact_op<prim::expm1>>(x);
}
template <array_like X>
constexpr auto log(X const& x) {
  return detail::apply<detail::inexact_op<prim::log>>(x);
}
template <array_like X>
constexpr auto log1p(X const& x) {
  return detail::apply<detail::inexact_op<prim::log1p>>(x);
}
template <array_like X>
constexpr auto sin(X const& x) {
  return detail::apply<detail::inexact_op<prim::sin>>(x);
}
template <array_like X>
constexpr auto cos(X const& x) {
  return detail::apply<detail::inexact_op<prim::cos>>(x);
}
template <array_like X>
constexpr auto tanh(X const& x) {
  return detail::apply<detail::inexact_op<prim::tanh>>(x);
}
template <array_like X>
constexpr auto sqrt(X const& x) {
  return detail::apply<detail::inexact_op<prim::sqrt>>(x);
}
// 1 / sqrt(x) (jax.lax.rsqrt). Integers become float32.
template <array_like X>
constexpr auto rsqrt(X const& x) {
  return detail::apply<detail::inexact_op<prim::rsqrt>>(x);
}
// logistic(x), expit(x), sigmoid(x): 1 / (1 + exp(-x)) (jax.lax.logistic, jax.scipy.special.expit, jax.nn.sigmoid). Integers become
// float32.
template <array_like X>
constexpr auto logistic(X const& x) {
  return detail::apply<detail::inexact_op<prim::logistic>>(x);
}
template <array_like X>
constexpr auto expit(X const& x) {
  return logistic(x);
}
template <array_like X>
constexpr auto sigmoid(X const& x) {
  return logistic(x);
}

// floor(x), ceil(x): the nearest whole number not above, or not below x (jax.numpy.floor, jax.numpy.ceil). The dtype of x; complex numbers
// are refused.
template <array_like X>
constexpr auto floor(X const& x) {
  return detail::apply<detail::rounding_op<prim::floor>>(x);
}
template <array_like X>
constexpr auto ceil(X const& x) {
  return detail::apply<detail::rounding_op<prim::ceil>>(x);
}
// -x (jax.numpy.negative). The dtype of x; bool is refused.
template <array_like X>
constexpr auto negative(X const& x) {
  static_assert(detail::is_a_number<X>, "exprax: negative: does not accept bool: use logical_not, or convert with astype<int>");
  return detail::apply<detail::negative_op>(x);
}
// -1, 0 or 1; NaN and signed zeros stay what they are (jax.numpy.sign). The dtype of x; bool is refused.
template <array_like X>
constexpr auto sign(X const& x) {
  static_assert(detail::is_a_number<X>, "exprax: sign: does not accept bool: convert with astype<int>");
  return detail::apply<detail::sign_op>(x);
}
// abs(x), absolute(x): |x| (jax.numpy.abs). The dtype of x; of complex64 float32, of complex128 float64. The least integer stays what it
// is.
template <array_like X>
constexpr auto abs(X const& x) {
  return detail::apply<detail::abs_op>(x);
}
template <array_like X>
constexpr auto absolute(X const& x) {
  return abs(x);
}
// x * x (jax.numpy.square). The dtype of x; bool becomes int32.
template <array_like X>
constexpr auto square(X const& x) {
  return detail::apply<detail::square_op>(x);
}
// 1 / x (jax.numpy.reciprocal). Integers become float32.
template <array_like X>
constexpr auto reciprocal(X const& x) {
  return detail::apply<detail::reciprocal_op>(x);
}
// integer_pow<Y>(x): x^Y for a whole number Y, by repeated squaring (jax.lax.integer_pow). The dtype of x; bool becomes int32.
template <int Y, array_like X>
constexpr auto integer_pow(X const& x) {
  return detail::apply<detail::integer_pow_op<Y>>(x);
}

// isnan(x), isfinite(x): whether x is NaN, or neither NaN nor infinite, as bool (jax.numpy.isnan, jax.numpy.isfinite).
template <array_like X>
constexpr auto isnan(X const& x) {
  return detail::apply<detail::isnan_op>(x);
}
template <array_like X>
constexpr auto isfinite(X const& x) {
  return detail::apply<detail::isfinite_op>(x);
}
// x == 0, as bool (jax.numpy.logical_not).
template <array_like X>
constexpr auto logical_not(X const& x) {
  return detail::apply<detail::logical_not_op>(x);
}
// bitwise_not(x), invert(x): all bits inverted; of bool, not x (jax.numpy.bitwise_not, ~x). The dtype of x; floats are refused.
template <array_like X>
constexpr auto bitwise_not(X const& x) {
  static_assert(!detail::has_no_bits<X>, "exprax: bitwise_not (~): does not accept floats: use logical_not, or convert with astype<int>");
  return detail::apply<detail::invert_op>(x);
}
template <array_like X>
constexpr auto invert(X const& x) {
  return bitwise_not(x);
}
// astype<T>(x): x with dtype T (jax.Array.astype). Of complex numbers the real part counts; as bool, whether x is not 0.
template <class T, array_like X>
constexpr auto astype(X const& x) {
  return detail::apply<detail::astype_op<canonical_t<T>>>(x);
}

}  // namespace exprax
