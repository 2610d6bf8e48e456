// SPDX-License-Identifier: BSL-1.0
// floor_divide (Python's //), remainder (%), divmod, fmod and power (**). An integer divided by zero has the value of StableHLO.
#pragma once

#include <exprax/numpy/elementwise/select.hpp>

namespace exprax {

namespace detail {

template <class A, class B>
using numeric_pair = numeric_t<promote_t<type_in<A>, type_in<B>>>;

// The rank that two operands of an elementwise equation get, or -1 where they can stay as they are.
template <class A, class B>
inline constexpr int pair_rank = needs_ranks({rank_in<A>, rank_in<B>}) ? (rank_in<A> > rank_in<B> ? rank_in<A> : rank_in<B>) : -1;
template <int R, tracer X>
constexpr auto with_rank(X const& x) {
  if constexpr (R < 0 || R == X::rank)
    return x;
  else
    return broadcast_shape<at_rank<R, X>>(x);
}

// Rounds the quotient down: the inside of jit[name=floor_divide].
struct floor_divide_body {
  template <tracer A, tracer B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = numeric_pair<A, B>;
    auto&& u = cast<type>(a);
    auto&& v = cast<type>(b);
    auto const x = with_rank<pair_rank<A, B>>(u);
    auto const y = with_rank<pair_rank<A, B>>(v);
    if constexpr (is_unsigned_integer(dtype_of<type>)) {
      return record_binary<prim::div, type, type>(x, y);
    } else if constexpr (is_integer(dtype_of<type>)) {
      auto const quotient = record_binary<prim::div, type, type>(x, y);
      auto const sign_x = record_unary<prim::sign>(x);
      auto const sign_y = record_unary<prim::sign>(y);
      auto const differ = not_equal(sign_x, sign_y);
      auto const rest = record_binary<prim::rem, type, type>(x, y);
      auto const inexact = not_equal(rest, 0);
      auto const down = logical_and(differ, inexact);
      auto const less_one = subtract(quotient, 1);
      return where(down, less_one, quotient);
    } else {
      // As float_divmod of CPython; divided by zero x is infinite.
      auto const rest = record_binary<prim::rem, type, type>(x, y);
      auto const difference = where(equal(y, 0), x, record_binary<prim::sub, type, type>(x, rest));
      auto const quotient = record_binary<prim::div, type, type>(difference, y);
      auto const inexact = not_equal(rest, 0);
      auto const sign_y = record_unary<prim::sign>(y);
      auto const sign_rest = record_unary<prim::sign>(rest);
      auto const differ = not_equal(sign_y, sign_rest);
      auto const down = bitwise_and(inexact, differ);
      auto const less_one = subtract(quotient, 1);
      auto const near = select_n(down, quotient, less_one);
      // The nearest whole number, halves away from zero (0).
      int const halves_away = 0;
      return detail::bind<std::remove_const_t<decltype(near)>>(prim::round, {&halves_away, 1}, near);
    }
  }
};
struct floor_divide_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    return named_call<floor_divide_body>("floor_divide", a, b);
  }
};

// With the sign of the divisor: the inside of jit[name=remainder].
struct remainder_body {
  template <tracer A, tracer B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = numeric_pair<A, B>;
    auto&& u = cast<type>(a);
    auto&& v = cast<type>(b);
    auto const x = with_rank<pair_rank<A, B>>(u);
    auto const y = safe_divisor(with_rank<pair_rank<A, B>>(v));
    auto const rest = record_binary<prim::rem, type, type>(x, y);
    auto const inexact = not_equal(rest, 0);
    auto const rest_negative = less(rest, 0);
    auto const y_negative = less(y, 0);
    auto const differ = not_equal(rest_negative, y_negative);
    auto const shift = bitwise_and(differ, inexact);
    auto const shifted = record_binary<prim::add, type, type>(rest, y);
    return select_n(shift, rest, shifted);
  }

 private:
  // An integer 0 becomes 1.
  template <class Y>
  static constexpr Y safe_divisor(Y const& y) {
    if constexpr (is_integer(Y::type.type)) {
      using type = typename Y::dtype_type;
      auto const is_zero = equal(y, 0);
      auto const one = expr_like<Y, type>(broadcast_shape<shape_in<Y>>(literal<type>(1)));
      return where(is_zero, one, y);
    } else {
      return y;
    }
  }
};
struct remainder_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    return named_call<remainder_body>("remainder", a, b);
  }
};

struct power_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = promote_t<type_in<A>, type_in<B>>;
    if constexpr (number<B> && is_integer(aval_in<B>.type)) {
      int const exponent[] = {static_cast<int>(b)};
      using base = numeric_t<type_in<A>>;
      return detail::bind<expr_like<A, base>>(prim::integer_pow, exponent, as_expr<base>(a));
    } else {
      using result = numeric_t<type>;
      if constexpr (is_inexact(dtype_of<type>)) return record_binary<prim::pow, type, type>(a, b);
      else return whole_power<result>(a, b);
    }
  }

 private:
  // By squaring, as JAX does it: the last six bits of the exponent count, and 0 to a power that is not 0 is 0.
  template <class T, class A, class B>
  static constexpr auto whole_power(A const& a, B const& b) {
    using shape = common_shape<A, B>;
    using out = with_dtype_t<expr_from<shape>, T>;
    auto const zero = lit<T>{0}, one = lit<T>{1};
    out x = broadcast_shape<shape>(as_expr<T>(a)), y = broadcast_shape<shape>(as_expr<T>(b));
    auto const where_set = [](auto const& which, out const& yes, auto const& no) {
      return detail::bind<out>(prim::select_n, {}, which, no, yes);
    };
    auto const full = [](lit<T> v) { return out(broadcast_shape<shape>(literal<T>(v.value))); };
    using flags = with_dtype_t<out, bool>;
    auto const vanishes =
        detail::bind<flags>(prim::and_, {}, detail::bind<flags>(prim::eq, {}, x, zero), detail::bind<flags>(prim::ne, {}, y, zero));
    out r = where_set(vanishes, full(zero), full(one));
    for (int bit = 0; bit < 6; ++bit) {
      auto const odd = detail::bind<flags>(prim::ne, {}, detail::bind<out>(prim::and_, {}, y, one), zero);
      r = where_set(odd, detail::bind<out>(prim::mul, {}, r, x), r);
      x = detail::bind<out>(prim::mul, {}, x, x);
      y = detail::bind<out>(prim::shift_right_logical, {}, y, one);
    }
    return r;
  }
};
struct divmod_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    return std::tuple{floor_divide_op{}(a, b), remainder_op{}(a, b)};
  }
};

}  // namespace detail

// The largest whole number not above a / b (jax.numpy.floor_divide, Python's a // b). Shapes broadcast, dtypes are promoted, bool becomes
// int32; complex numbers are refused.
inline constexpr struct floor_divide_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("floor_divide"));
    return detail::apply<detail::floor_divide_op>(a, b);
  }
} floor_divide{};
// remainder(a, b), mod(a, b): what floor_divide leaves, with the sign of b (jax.numpy.remainder, jax.numpy.mod, a % b); of integers by 0 it
// is 0. Shapes, dtypes and errors as for floor_divide.
inline constexpr struct remainder_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("remainder"));
    return detail::apply<detail::remainder_op>(a, b);
  }
} remainder{};
inline constexpr struct mod_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    return remainder(a, b);
  }
} mod{};
// power(a, b), pow(a, b): a^b (jax.numpy.power). Shapes broadcast, dtypes are promoted, bool becomes int32. A C++ integer as the exponent
// gives integer_pow in the dtype of a. Integers to powers that are arrays of integers wrap, and of the exponent the last six bits count.
inline constexpr struct power_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("power"));
    return detail::apply<detail::power_op>(a, b);
  }
} power{};
inline constexpr struct pow_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    return power(a, b);
  }
} pow{};
// (floor_divide(a, b), remainder(a, b)). Shapes broadcast; the promoted dtype. Refused: shapes that do not broadcast (jax.numpy.divmod).
inline constexpr struct divmod_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("divmod"));
    return detail::apply<detail::divmod_op>(a, b);
  }
} divmod{};

}  // namespace exprax
