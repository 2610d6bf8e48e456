// SPDX-License-Identifier: BSL-1.0
// Functions of two elements: arithmetic, comparison, logic, maximum and minimum (jax.numpy.add and so on). Dtypes are
// promoted, shapes broadcast.
#pragma once

#include <exprax/numpy/elementwise/elementwise.hpp>

namespace exprax {

namespace detail {

// The result of an elementwise equation on A and B, with dtype T.
template <class T, class A, class B>
struct binary_shape {
  static constexpr aval value = broadcast(aval_in<A>, aval_in<B>).shape.with_type(dtype_of<T>, is_weak<T>);
};
template <class T, class A, class B>
struct binary_result {
  using type = expr_from<binary_shape<T, A, B>>;
};
template <class T, class A, class B>
  requires(aval_in<A>.same_shape(aval_in<B>))
struct binary_result<T, A, B> {
  using type = expr_like<A, T>;
};

// Operands of dtype T, result of dtype R.
template <prim P, class T, class R, class A, class B>
constexpr auto record_binary(A const& a, B const& b) {
  static_assert(
      accepts_dtype<P>(dtype_of<T>),
      "exprax: this function does not accept complex numbers (P names it), which have no order: take ex::real, ex::imag or ex::abs first");
  using out = typename binary_result<R, A, B>::type;
  if constexpr (!accepts_dtype<P>(dtype_of<T>)) {
    return out(broadcast_shape<shape_in<out>>(literal<R>(strong_t<R>{})));  // no more errors
  } else if constexpr (tracer<A> && tracer<B> && std::is_same_v<type_in<A>, T> && std::is_same_v<type_in<B>, T> &&
                       rank_in<A> == rank_in<B>) {
    return detail::bind<out>(P, {}, a, b);
  } else if constexpr (needs_ranks({rank_in<A>, rank_in<B>})) {
    auto&& x = cast<T>(a);
    auto&& y = cast<T>(b);
    auto&& u = to_rank<out::rank>(x);
    auto&& v = to_rank<out::rank>(y);
    return detail::bind<out>(P, {}, u, v);
  } else {
    auto&& x = cast<T>(a);
    auto&& y = cast<T>(b);
    return detail::bind<out>(P, {}, x, y);
  }
}

// Not keys.
template <class... X>
inline constexpr bool are_numbers = (!is_key(aval_in<X>.type) && ...);

// P on promoted operands; PBool on two bools.
template <prim P, prim PBool = P>
struct arithmetic_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = promote_t<type_in<A>, type_in<B>>;
    return record_binary<is_bool(dtype_of<type>) ? PBool : P, type, type>(a, b);
  }
};
struct subtract_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = promote_t<type_in<A>, type_in<B>>;
    return record_binary<prim::sub, type, type>(a, b);
  }
};
// True division: the result is floating.
struct divide_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = inexact_t<promote_t<type_in<A>, type_in<B>>>;
    return record_binary<prim::div, type, type>(a, b);
  }
};
// Complex numbers by their real parts, and where these are equal by the imaginary ones (jax.numpy's _complex_comparison).
template <prim P>
struct comparison_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = promote_t<type_in<A>, type_in<B>>;
    if constexpr (is_complex(dtype_of<type>) && P != prim::eq && P != prim::ne) return by_parts<type>(a, b);
    else return record_binary<P, type, bool>(a, b);
  }

 private:
  template <class T, class A, class B>
  static constexpr auto by_parts(A const& a, B const& b) {
    using real = real_part_t<T>;
    auto const x = as_expr<T>(a);
    auto const y = as_expr<T>(b);
    auto const of = [](prim part, auto const& z) { return detail::bind<expr_like<std::remove_cvref_t<decltype(z)>, real>>(part, {}, z); };
    auto const equal = record_binary<prim::eq, real, bool>(of(prim::real, x), of(prim::real, y));
    auto const by_imag = record_binary<P, real, bool>(of(prim::imag, x), of(prim::imag, y));
    auto const by_real = record_binary<P, real, bool>(of(prim::real, x), of(prim::real, y));
    return detail::bind<std::remove_const_t<decltype(equal)>>(prim::select_n, {}, equal, by_real, by_imag);
  }
};
template <prim P>
struct bitwise_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = promote_t<type_in<A>, type_in<B>>;
    return record_binary<P, type, type>(a, b);
  }
};
template <prim P>
struct logical_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = promote_t<type_in<A>, type_in<B>>;
    auto&& x = as_expr<type>(a);
    auto&& y = as_expr<type>(b);
    auto&& u = to_rank<needs_ranks({rank_in<A>, rank_in<B>}) ? (rank_in<A> > rank_in<B> ? rank_in<A> : rank_in<B>) : rank_in<A>>(x);
    auto&& v = to_rank<needs_ranks({rank_in<A>, rank_in<B>}) ? (rank_in<A> > rank_in<B> ? rank_in<A> : rank_in<B>) : rank_in<B>>(y);
    auto&& p = to_bool(u);
    auto&& q = to_bool(v);
    return record_binary<P, bool, bool>(p, q);
  }
};

using add_op = arithmetic_op<prim::add, prim::or_>;
using multiply_op = arithmetic_op<prim::mul, prim::and_>;

template <class A, class B>
inline constexpr bool subtracts = !is_bool(aval_in<A>.type) || !is_bool(aval_in<B>.type);
template <class... X>
inline constexpr bool has_bits = (!is_inexact(aval_in<X>.type) && ...);

}  // namespace detail

// add(a, b), subtract, multiply, divide, true_divide: a + b, a - b, a * b, a / b (jax.numpy). Shapes broadcast, dtypes are promoted; the
// quotient of integers is float32. Of two bools the sum is or, the product and; their difference is refused.
inline constexpr struct add_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("add"));
    return detail::apply<detail::add_op>(a, b);
  }
} add{};
inline constexpr struct subtract_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("subtract"));
    static_assert(detail::subtracts<A, B>,
                  "exprax: subtract: does not accept two bools: use ^ or logical_xor, or convert with astype<int>");
    return detail::apply<detail::subtract_op>(a, b);
  }
} subtract{};
inline constexpr struct multiply_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("multiply"));
    return detail::apply<detail::multiply_op>(a, b);
  }
} multiply{};
inline constexpr struct divide_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("divide"));
    return detail::apply<detail::divide_op>(a, b);
  }
} divide{};
inline constexpr struct true_divide_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    return divide(a, b);
  }
} true_divide{};
// maximum(a, b), minimum(a, b): the larger and the smaller one (jax.numpy.maximum, jax.numpy.minimum). Shapes broadcast, dtypes are
// promoted. NaN if either is NaN; maximum(-0, +0) is +0. Complex numbers are compared by their real, then by their imaginary parts.
inline constexpr struct maximum_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("maximum"));
    return detail::apply<detail::arithmetic_op<prim::max>>(a, b);
  }
} maximum{};
inline constexpr struct minimum_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("minimum"));
    return detail::apply<detail::arithmetic_op<prim::min>>(a, b);
  }
} minimum{};

// equal(a, b), not_equal, less, less_equal, greater, greater_equal: bool (jax.numpy). Shapes broadcast, dtypes are promoted. Complex
// numbers are ordered by their real, then by their imaginary parts.
inline constexpr struct equal_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("equal"));
    return detail::apply<detail::comparison_op<prim::eq>>(a, b);
  }
} equal{};
inline constexpr struct not_equal_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("not_equal"));
    return detail::apply<detail::comparison_op<prim::ne>>(a, b);
  }
} not_equal{};
inline constexpr struct less_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("less"));
    return detail::apply<detail::comparison_op<prim::lt>>(a, b);
  }
} less{};
inline constexpr struct less_equal_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("less_equal"));
    return detail::apply<detail::comparison_op<prim::le>>(a, b);
  }
} less_equal{};
inline constexpr struct greater_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("greater"));
    return detail::apply<detail::comparison_op<prim::gt>>(a, b);
  }
} greater{};
inline constexpr struct greater_equal_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("greater_equal"));
    return detail::apply<detail::comparison_op<prim::ge>>(a, b);
  }
} greater_equal{};

// bitwise_and(a, b), bitwise_or, bitwise_xor: of the bits of integers, or of bools (jax.numpy). Shapes broadcast, dtypes are promoted;
// floats and complex numbers are refused.
inline constexpr struct bitwise_and_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("bitwise_and"));
    static_assert(detail::has_bits<A, B>, "exprax: bitwise_and (&): does not accept floats: use logical_and, or convert with astype<int>");
    return detail::apply<detail::bitwise_op<prim::and_>>(a, b);
  }
} bitwise_and{};
inline constexpr struct bitwise_or_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("bitwise_or"));
    static_assert(detail::has_bits<A, B>, "exprax: bitwise_or (|): does not accept floats: use logical_or, or convert with astype<int>");
    return detail::apply<detail::bitwise_op<prim::or_>>(a, b);
  }
} bitwise_or{};
inline constexpr struct bitwise_xor_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("bitwise_xor"));
    static_assert(detail::has_bits<A, B>, "exprax: bitwise_xor (^): does not accept floats: use logical_xor, or convert with astype<int>");
    return detail::apply<detail::bitwise_op<prim::xor_>>(a, b);
  }
} bitwise_xor{};
// logical_and(a, b), logical_or, logical_xor: of a != 0 and b != 0, bool (jax.numpy). Shapes broadcast.
inline constexpr struct logical_and_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("logical_and"));
    return detail::apply<detail::logical_op<prim::and_>>(a, b);
  }
} logical_and{};
inline constexpr struct logical_or_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("logical_or"));
    return detail::apply<detail::logical_op<prim::or_>>(a, b);
  }
} logical_or{};
inline constexpr struct logical_xor_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("logical_xor"));
    return detail::apply<detail::logical_op<prim::xor_>>(a, b);
  }
} logical_xor{};

}  // namespace exprax
