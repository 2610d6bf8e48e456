// SPDX-License-Identifier: BSL-1.0
// ex::lax: elementwise functions that have the name of one in jax.numpy and mean something else in jax.lax. Operands must have one dtype,
// and shapes of one rank, equal or 1; only C++ numbers adapt. Names that mean the same in ex are named here as well.
#pragma once

#include <exprax/numpy/elementwise/bitwise.hpp>
#include <exprax/numpy/elementwise/division.hpp>
#include <exprax/numpy/elementwise/float_parts.hpp>
#include <exprax/numpy/elementwise/rounding.hpp>
#include <exprax/numpy/elementwise/select.hpp>
#include <exprax/numpy/elementwise/transcendental.hpp>

namespace exprax {

namespace detail {

// Conditions of static_asserts: compilers print the types.
template <class A, class B>
inline constexpr bool have_one_dtype = [] {
  using type = promote_t<type_in<A>, type_in<B>>;
  if (aval_in<A>.type == aval_in<B>.type) return true;
  return (number<A> && dtype_of<type> == aval_in<B>.type) || (number<B> && dtype_of<type> == aval_in<A>.type);
}();
template <class A, class B>
inline constexpr bool have_one_rank = rank_in<A> == 0 || rank_in<B> == 0 || rank_in<A> == rank_in<B>;

template <prim P, bool Predicate = false>
struct lax_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = promote_t<type_in<A>, type_in<B>>;
    return record_binary<P, type, std::conditional_t<Predicate, bool, type>>(a, b);
  }
};
template <prim P, bool Predicate = false, class A, class B>
constexpr auto lax_binary(A const& a, B const& b) {
  static_assert(have_one_dtype<A, B>,
                "exprax: the functions of lax (add, mul, ...) require arguments to have the same dtypes: this message names them (tip: "
                "ex::add and others do automatic type promotion on inputs)");
  static_assert(have_one_rank<A, B>, "exprax: the functions of lax: arrays must have the same number of dimensions");
  static_assert(broadcasts<A, B>, "exprax: the functions of lax: incompatible shapes for broadcasting: sizes must be equal or 1");
  return apply<lax_op<P, Predicate>>(a, b);
}
struct clamp_op {
  template <operand Low, operand X, operand High>
  constexpr auto operator()(Low const& low, X const& x, High const& high) const {
    using type = type_in<X>;
    auto&& a = cast<type>(low);
    auto const v = as_traced(x);
    auto&& b = cast<type>(high);
    return detail::bind<expr_type<X>>(prim::clamp, {}, a, v, b);
  }
};

// The upper half of a product with twice the bits.
struct mulhi_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = strong_t<promote_t<type_in<A>, type_in<B>>>;
    constexpr bool is_signed = is_signed_integer(dtype_of<type>);
    constexpr int bits = 8 * size_of(dtype_of<type>);
    auto const x = as_expr<type>(a);
    auto const y = as_expr<type>(b);
    if constexpr (bits < 64) {
      using wide = std::conditional_t<is_signed, std::int64_t, std::uint64_t>;
      return as_expr<type>(shifted<wide, bits>(multiply(as_expr<wide>(x), as_expr<wide>(y))));
    } else {
      using word = std::uint64_t;
      auto const u = as_expr<word>(x);
      auto const v = as_expr<word>(y);
      auto const low = [](auto const& t) { return bitwise_and(t, word(0xffffffff)); };
      auto const high = [](auto const& t) { return shifted<word, 32>(t); };
      auto const middle = add(multiply(high(u), low(v)), high(multiply(low(u), low(v))));
      auto const other = add(multiply(low(u), high(v)), low(middle));
      auto const product = add(add(multiply(high(u), high(v)), high(middle)), high(other));
      if constexpr (is_signed) {
        // A negative factor is 2^64 too much: that much of the other one comes off the upper half.
        auto const sign_mask = [](auto const& t) { return shifted<type, 63>(t); };
        return subtract(subtract(as_expr<type>(product), bitwise_and(sign_mask(x), y)), bitwise_and(sign_mask(y), x));
      } else {
        return product;
      }
    }
  }

 private:
  template <class T, int Bits, class X>
  static constexpr auto shifted(X const& x) {
    return right_shift(x, T(Bits));
  }
};

}  // namespace detail

namespace lax {

// add, sub, mul: a + b, a - b, a * b; integers wrap. Shapes must have one rank, or be scalars, with sizes equal or 1; both operands have
// one dtype, which is the result's; only C++ numbers adapt. Refused: other dtypes and shapes, in all functions of two operands here
// (jax.lax.add, sub, mul).
inline constexpr struct add_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    return detail::lax_binary<prim::add>(a, b);
  }
} add{};
inline constexpr struct sub_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    return detail::lax_binary<prim::sub>(a, b);
  }
} sub{};
inline constexpr struct mul_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    return detail::lax_binary<prim::mul>(a, b);
  }
} mul{};
// The quotient; of integers without its fraction, and x / 0 is -1. Shapes, dtypes and errors as of add (jax.lax.div, StableHLO divide).
inline constexpr struct div_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    return detail::lax_binary<prim::div>(a, b);
  }
} div{};
// What div leaves, with the sign of a. Shapes, dtypes and errors as of add (jax.lax.rem, StableHLO remainder).
inline constexpr struct rem_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    return detail::lax_binary<prim::rem>(a, b);
  }
} rem{};
// The larger (max) and the smaller (min) of two elements; NaN if one of them is. Shapes, dtypes and errors as of add (jax.lax.max, min).
inline constexpr struct max_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    return detail::lax_binary<prim::max>(a, b);
  }
} max{};
inline constexpr struct min_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    return detail::lax_binary<prim::min>(a, b);
  }
} min{};
// Bit by bit, for integers and bool: bitwise_and, bitwise_or, bitwise_xor. Shapes, dtypes and errors as of add (jax.lax.bitwise_and, ...).
inline constexpr struct bitwise_and_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    return detail::lax_binary<prim::and_>(a, b);
  }
} bitwise_and{};
inline constexpr struct bitwise_or_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    return detail::lax_binary<prim::or_>(a, b);
  }
} bitwise_or{};
inline constexpr struct bitwise_xor_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    return detail::lax_binary<prim::xor_>(a, b);
  }
} bitwise_xor{};
// Comparisons: eq (=), ne (not equal), lt (<), le (<=), gt (>), ge (>=); bool. Shapes and errors as of add (jax.lax.eq, ne, lt, le, gt,
// ge).
inline constexpr struct eq_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    return detail::lax_binary<prim::eq, true>(a, b);
  }
} eq{};
inline constexpr struct ne_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    return detail::lax_binary<prim::ne, true>(a, b);
  }
} ne{};
inline constexpr struct lt_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    return detail::lax_binary<prim::lt, true>(a, b);
  }
} lt{};
inline constexpr struct le_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    return detail::lax_binary<prim::le, true>(a, b);
  }
} le{};
inline constexpr struct gt_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    return detail::lax_binary<prim::gt, true>(a, b);
  }
} gt{};
inline constexpr struct ge_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    return detail::lax_binary<prim::ge, true>(a, b);
  }
} ge{};

// x^y: of floats; or by a whole number that is known while tracing, as integer_pow. Refused: different dtypes, unless the exponent is an
// integer (jax.lax.pow).
inline constexpr struct pow_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::have_one_dtype<A, B> || is_integer(detail::aval_in<B>.type),
                  "exprax: lax.pow requires arguments to have the same dtypes, or an integer exponent");
    return power(a, b);
  }
} pow{};
using exprax::integer_pow;
// -x; shape and dtype of x (jax.lax.neg).
inline constexpr struct neg_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return negative(x);
  }
} neg{};
// Whether x is neither infinite nor NaN: bool, of x's shape (jax.lax.is_finite).
inline constexpr struct is_finite_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return isfinite(x);
  }
} is_finite{};
using exprax::abs;
using exprax::bitwise_not;
using exprax::ceil;
using exprax::cos;
using exprax::exp;
using exprax::expm1;
using exprax::floor;
using exprax::log;
using exprax::log1p;
using exprax::logistic;
using exprax::reciprocal;
using exprax::rsqrt;
using exprax::sign;
using exprax::sin;
using exprax::sqrt;
using exprax::square;
using exprax::tanh;

// min(max(x, low), high); low and high have the shape of x, or are scalars. Shape and dtype of x. Refused: different dtypes, other shapes
// (jax.lax.clamp, StableHLO clamp).
inline constexpr struct clamp_function {
  template <array_like Low, array_like X, array_like High>
  constexpr auto operator()(Low const& low, X const& x, High const& high) const {
    static_assert(detail::have_one_dtype<X, Low> && detail::have_one_dtype<X, High>,
                  "exprax: lax.clamp requires arguments to have the same dtypes");
    static_assert((detail::rank_in<Low> == 0 || detail::have_equal_shapes<Low, X>) &&
                      (detail::rank_in<High> == 0 || detail::have_equal_shapes<High, X>),
                  "exprax: lax.clamp: min and max must be scalars or have the shape of the operand");
    return detail::apply<detail::clamp_op>(low, x, high);
  }
} clamp{};
using exprax::select_n;
// on_true where `which` holds, else on_false; which is a scalar or of their shape. Refused: cases of different shapes or dtypes, nothing
// is broadcast or promoted (jax.lax.select, StableHLO select).
inline constexpr struct select_function {
  template <array_like Which, array_like X, array_like Y>
  constexpr auto operator()(Which const& which, X const& on_true, Y const& on_false) const {
    return exprax::select(which, on_true, on_false);
  }
} select{};
// x with the dtype T: convert_element_type<double>(x) (jax.lax.convert_element_type, StableHLO convert).
template <class T, array_like X>
constexpr auto convert_element_type(X const& x) {
  return astype<T>(x);
}
// The upper half of the bits of a product of integers. Shapes broadcast; both have one dtype, which is the result's. Refused: other dtypes
// (jax.lax.mulhi).
inline constexpr struct mulhi_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::have_one_dtype<A, B> && is_integer(detail::aval_in<A>.type),
                  "exprax: lax.mulhi requires integers of the same dtype");
    return detail::apply<detail::mulhi_op>(a, b);
  }
} mulhi{};

}  // namespace lax

}  // namespace exprax
