// SPDX-License-Identifier: BSL-1.0
// Functions of the bits of integers: shifts with << and >>, bitwise_count (jax.numpy), population_count, clz (jax.lax), and
// bitcast_convert_type. A shift by the width or more, or by a negative count, moves all bits out.
#pragma once

#include <exprax/numpy/core/operators.hpp>

namespace exprax {

namespace detail {

template <class A, class B>
inline constexpr bool shifts = has_bits<A, B>;

// On promoted operands; bools become integers.
template <prim P>
struct shift_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = numeric_t<promote_t<type_in<A>, type_in<B>>>;
    return record_binary<P, type, type>(a, b);
  }
};
// Of signed dtypes arithmetic, of unsigned ones logical.
struct right_shift_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = numeric_t<promote_t<type_in<A>, type_in<B>>>;
    return record_binary<is_unsigned_integer(dtype_of<type>) ? prim::shift_right_logical : prim::shift_right_arithmetic, type, type>(a, b);
  }
};
template <prim P>
struct bits_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return record_unary<P>(as_traced(x));
  }
};
struct bitwise_count_body {
  template <tracer X>
  constexpr auto operator()(X const& x) const {
    using type = numeric_t<type_in<X>>;
    auto&& value = cast<type>(x);
    auto const size = abs_op{}(value);
    return cast<std::uint8_t>(record_unary<prim::population_count>(size));
  }
};
struct bitwise_count_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return named_call<bitwise_count_body>("bitwise_count", x);
  }
};

// The shape of x as dtype T.
template <class T, class X>
struct bitcast_shape {
  static constexpr int from_bytes = size_of(aval_in<X>.type), to_bytes = size_of(dtype_of<T>);
  static constexpr bool is_same = dtype_of<T> == aval_in<X>.type;
  static constexpr bool are_numbers = !is_bool(dtype_of<T>) && !is_bool(aval_in<X>.type);
  static constexpr bool has_parts = to_bytes <= from_bytes || (rank_in<X> > 0 && aval_in<X>.dims[rank_in<X> - 1] == to_bytes / from_bytes);
  static constexpr aval value = [] {
    aval a = aval(aval_in<X>).with_type(dtype_of<T>, false);
    if (to_bytes < from_bytes) a = a.with_axis(a.rank, from_bytes / to_bytes);
    if (to_bytes > from_bytes) a = a.without_axis(a.rank - 1);
    return a;
  }();
};
template <class T>
inline constexpr int dtype_params[] = {static_cast<int>(dtype_of<T>)};
template <class T>
struct bitcast_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return detail::bind<expr_from<bitcast_shape<T, X>>>(prim::bitcast_convert_type, dtype_params<T>, as_traced(x));
  }
};

}  // namespace detail

// left_shift(x, n), bitwise_left_shift(x, n): x * 2^n, wrapped (jax.numpy.left_shift, x << n). Shapes broadcast, dtypes are promoted, bool
// becomes int32; floats are refused.
inline constexpr struct left_shift_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& x, B const& n) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("left_shift"));
    static_assert(detail::shifts<A, B>, "exprax: left_shift (<<): does not accept floats: convert with astype<int>");
    return detail::apply<detail::shift_op<prim::shift_left>>(x, n);
  }
} left_shift{};
inline constexpr struct bitwise_left_shift_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& x, B const& n) const {
    return left_shift(x, n);
  }
} bitwise_left_shift{};
// right_shift(x, n), bitwise_right_shift(x, n): x / 2^n, rounded down (jax.numpy.right_shift, x >> n). Signed integers keep their sign.
// Shapes, dtypes and errors as for left_shift.
inline constexpr struct right_shift_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& x, B const& n) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("right_shift"));
    static_assert(detail::shifts<A, B>, "exprax: right_shift (>>): does not accept floats: convert with astype<int>");
    return detail::apply<detail::right_shift_op>(x, n);
  }
} right_shift{};
inline constexpr struct bitwise_right_shift_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& x, B const& n) const {
    return right_shift(x, n);
  }
} bitwise_right_shift{};
// x << n, x >> n, x <<= n, x >>= n: left_shift and right_shift as operators.
template <class A, class B>
  requires detail::operator_pair<A, B>
constexpr auto operator<<(A const& x, B const& n) {
  return left_shift(x, n);
}
template <class A, class B>
  requires detail::operator_pair<A, B>
constexpr auto operator>>(A const& x, B const& n) {
  return right_shift(x, n);
}

template <class A, class B>
  requires(detail::operator_pair<A, B> && !detail::number<A>)
constexpr A& operator<<=(A& x, B const& n) {
  return x = left_shift(x, n);
}
template <class A, class B>
  requires(detail::operator_pair<A, B> && !detail::number<A>)
constexpr A& operator>>=(A& x, B const& n) {
  return x = right_shift(x, n);
}

// The number of bits that are set in the magnitude of x, as uint8 (jax.numpy.bitwise_count); floats are refused.
inline constexpr struct bitwise_count_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    static_assert(!detail::has_no_bits<X>, "exprax: bitwise_count: does not accept floats: convert with astype<int>");
    return detail::apply<detail::bitwise_count_op>(x);
  }
} bitwise_count{};
// The number of bits that are set, in the dtype of x (jax.lax.population_count); only integers are accepted.
inline constexpr struct population_count_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    static_assert(is_integer(detail::aval_in<X>.type), "exprax: population_count: needs an integer dtype: convert with astype<int>");
    return detail::apply<detail::bits_op<prim::population_count>>(x);
  }
} population_count{};
// The number of zero bits above the highest one that is set, in the dtype of x (jax.lax.clz); only integers are accepted.
inline constexpr struct clz_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    static_assert(is_integer(detail::aval_in<X>.type), "exprax: clz: needs an integer dtype: convert with astype<int>");
    return detail::apply<detail::bits_op<prim::clz>>(x);
  }
} clz{};
// The bits of x as dtype T (jax.lax.bitcast_convert_type). A smaller dtype adds a last axis with the parts of each element, lowest bits
// first: [...] -> [..., k]; a larger one takes such an axis away: [..., k] -> [...]. Refused: a last axis of another size, bool to or from
// another dtype.
template <class T, array_like X>
constexpr auto bitcast_convert_type(X const& x) {
  using shape = detail::bitcast_shape<canonical_t<T>, X>;
  static_assert(shape::is_same || shape::are_numbers, "exprax: bitcast_convert_type: bool has no bits of its own: convert with astype");
  static_assert(shape::has_parts,
                "exprax: bitcast_convert_type: for a larger dtype the last axis must hold its parts: as many as the ratio of the sizes");
  return detail::apply<detail::bitcast_op<canonical_t<T>>>(x);
}
// bitwise_not under another name (jax.numpy.bitwise_invert).
inline constexpr struct bitwise_invert_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return bitwise_not(x);
  }
} bitwise_invert{};

namespace lax {

using exprax::bitcast_convert_type;
using exprax::clz;
using exprax::population_count;

// shift_left(x, n), shift_right_logical (zeros come in), shift_right_arithmetic (the sign bit comes in): the shifts of jax.lax. Dtypes that
// differ and floats are refused.
inline constexpr struct shift_left_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& x, B const& n) const {
    static_assert(detail::have_equal_dtypes<A, B> && detail::has_bits<A, B>, "exprax: shift_left: needs two equal integer dtypes");
    return left_shift(x, n);
  }
} shift_left{};
inline constexpr struct shift_right_logical_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& x, B const& n) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("shift_right_logical"));
    static_assert(detail::have_equal_dtypes<A, B> && detail::has_bits<A, B>, "exprax: shift_right_logical: needs two equal integer dtypes");
    return detail::apply<detail::shift_op<prim::shift_right_logical>>(x, n);
  }
} shift_right_logical{};
inline constexpr struct shift_right_arithmetic_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& x, B const& n) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("shift_right_arithmetic"));
    static_assert(detail::have_equal_dtypes<A, B> && detail::has_bits<A, B>,
                  "exprax: shift_right_arithmetic: needs two equal integer dtypes");
    return detail::apply<detail::shift_op<prim::shift_right_arithmetic>>(x, n);
  }
} shift_right_arithmetic{};

}  // namespace lax

}  // namespace exprax
