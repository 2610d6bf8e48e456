// SPDX-License-Identifier: BSL-1.0
// Functions of each element by itself (jax.numpy, jax.lax): exp, log, sin, tanh, floor, abs, isnan and their like. Those
// with a floating result convert integers and bool to float32 first (float64 with x64 on); floor and ceil return them as they are. The
// shape of the result is that of x.
// Longer than 300 lines: many functions of a few lines each.
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
inline constexpr struct exp_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::inexact_op<prim::exp>>(x);
  }
} exp{};
inline constexpr struct expm1_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::inexact_op<prim::expm1>>(x);
  }
} expm1{};
inline constexpr struct log_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::inexact_op<prim::log>>(x);
  }
} log{};
inline constexpr struct log1p_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::inexact_op<prim::log1p>>(x);
  }
} log1p{};
inline constexpr struct sin_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::inexact_op<prim::sin>>(x);
  }
} sin{};
inline constexpr struct cos_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::inexact_op<prim::cos>>(x);
  }
} cos{};
inline constexpr struct tanh_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::inexact_op<prim::tanh>>(x);
  }
} tanh{};
inline constexpr struct sqrt_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::inexact_op<prim::sqrt>>(x);
  }
} sqrt{};
// 1 / sqrt(x) (jax.lax.rsqrt). Integers become float32.
inline constexpr struct rsqrt_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::inexact_op<prim::rsqrt>>(x);
  }
} rsqrt{};
// logistic(x), expit(x), sigmoid(x): 1 / (1 + exp(-x)) (jax.lax.logistic, jax.scipy.special.expit, jax.nn.sigmoid). Integers become
// float32.
inline constexpr struct logistic_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::inexact_op<prim::logistic>>(x);
  }
} logistic{};
inline constexpr struct expit_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return logistic(x);
  }
} expit{};
inline constexpr struct sigmoid_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return logistic(x);
  }
} sigmoid{};

// floor(x), ceil(x): the nearest whole number not above, or not below x (jax.numpy.floor, jax.numpy.ceil). The dtype of x; complex numbers
// are refused.
inline constexpr struct floor_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::rounding_op<prim::floor>>(x);
  }
} floor{};
inline constexpr struct ceil_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::rounding_op<prim::ceil>>(x);
  }
} ceil{};
// -x (jax.numpy.negative). The dtype of x; bool is refused.
inline constexpr struct negative_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    static_assert(detail::is_a_number<X>, "exprax: negative: does not accept bool: use logical_not, or convert with astype<int>");
    return detail::apply<detail::negative_op>(x);
  }
} negative{};
// -1, 0 or 1; NaN and signed zeros stay what they are (jax.numpy.sign). The dtype of x; bool is refused.
inline constexpr struct sign_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    static_assert(detail::is_a_number<X>, "exprax: sign: does not accept bool: convert with astype<int>");
    return detail::apply<detail::sign_op>(x);
  }
} sign{};
// abs(x), absolute(x): |x| (jax.numpy.abs). The dtype of x; of complex64 float32, of complex128 float64. The least integer stays what it
// is.
inline constexpr struct abs_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::abs_op>(x);
  }
} abs{};
inline constexpr struct absolute_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return abs(x);
  }
} absolute{};
// x * x (jax.numpy.square). The dtype of x; bool becomes int32.
inline constexpr struct square_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::square_op>(x);
  }
} square{};
// 1 / x (jax.numpy.reciprocal). Integers become float32.
inline constexpr struct reciprocal_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::reciprocal_op>(x);
  }
} reciprocal{};
// integer_pow<Y>(x): x^Y for a whole number Y, by repeated squaring (jax.lax.integer_pow). The dtype of x; bool becomes int32.
template <int Y, array_like X>
constexpr auto integer_pow(X const& x) {
  return detail::apply<detail::integer_pow_op<Y>>(x);
}

// isnan(x), isfinite(x): whether x is NaN, or neither NaN nor infinite, as bool (jax.numpy.isnan, jax.numpy.isfinite).
inline constexpr struct isnan_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::isnan_op>(x);
  }
} isnan{};
inline constexpr struct isfinite_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::isfinite_op>(x);
  }
} isfinite{};
// x == 0, as bool (jax.numpy.logical_not).
inline constexpr struct logical_not_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::logical_not_op>(x);
  }
} logical_not{};
// bitwise_not(x), invert(x): all bits inverted; of bool, not x (jax.numpy.bitwise_not, ~x). The dtype of x; floats are refused.
inline constexpr struct bitwise_not_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    static_assert(!detail::has_no_bits<X>, "exprax: bitwise_not (~): does not accept floats: use logical_not, or convert with astype<int>");
    return detail::apply<detail::invert_op>(x);
  }
} bitwise_not{};
inline constexpr struct invert_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return bitwise_not(x);
  }
} invert{};
// astype<T>(x), astype(x, float32): x with that dtype (jax.numpy.astype). Of complex numbers the real part counts; as bool, whether x is
// not 0.
template <class T, array_like X>
constexpr auto astype(X const& x) {
  return detail::apply<detail::astype_op<canonical_t<T>>>(x);
}
template <array_like X, class T>
constexpr auto astype(X const& x, dtype_t<T>) {
  return astype<T>(x);
}

}  // namespace exprax
