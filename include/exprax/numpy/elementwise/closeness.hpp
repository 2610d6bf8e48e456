// SPDX-License-Identifier: BSL-1.0
// Whether arrays are the same, exactly or nearly (jax.numpy): array_equal, array_equiv, isclose, allclose.
#pragma once

#include <exprax/numpy/elementwise/division.hpp>
#include <exprax/numpy/reductions/reductions.hpp>

namespace exprax {

namespace detail {

struct isclose_body {
  template <tracer A, tracer B, tracer R, tracer S>
  constexpr auto operator()(A const& x, B const& y, R const& relative, S const& absolute) const {
    using type = inexact_t<promote_t<type_in<A>, type_in<B>>>;
    auto&& u = cast<type>(x);
    auto&& v = cast<type>(y);
    auto const a = with_rank<pair_rank<A, B>>(u);
    auto const b = with_rank<pair_rank<A, B>>(v);
    using strong = strong_t<real_part_t<type>>;
    expr<strong> const rtol = cast<strong>(relative);
    expr<strong> const atol = cast<strong>(absolute);
    auto const a_nan = isnan(a);
    auto const b_nan = isnan(b);
    logical_and(a_nan, b_nan);  // JAX asks whether both are NaN, and drops the answer
    auto const finite = isfinite(b);
    auto const difference = subtract(a, b);
    auto const distance = abs(difference);
    auto const size = abs(b);
    auto const scaled = multiply(rtol, size);
    auto const limit = add(atol, scaled);
    auto const in_range = less_equal(distance, limit);
    auto const same = equal(a, b);
    auto const near = logical_and(finite, in_range);
    return logical_or(same, near);
  }
};
struct isclose_op {
  template <operand A, operand B, operand R, operand S>
  constexpr auto operator()(A const& a, B const& b, R const& relative, S const& absolute) const {
    return named_call<isclose_body>("isclose", a, b, relative, absolute);
  }
};
struct allclose_body {
  template <tracer A, tracer B, tracer R, tracer S>
  constexpr auto operator()(A const& a, B const& b, R const& relative, S const& absolute) const {
    auto const close = isclose_op{}(a, b, relative, absolute);
    return all(close);
  }
};
struct allclose_op {
  template <operand A, operand B, operand R, operand S>
  constexpr auto operator()(A const& a, B const& b, R const& relative, S const& absolute) const {
    return named_call<allclose_body>("allclose", a, b, relative, absolute);
  }
};
struct array_equal_op {
  template <operand A, operand B>
  constexpr expr<bool> operator()(A const& a, B const& b) const {
    if constexpr (!aval_in<A>.same_shape(aval_in<B>)) {
      return literal<bool>(false);
    } else {
      auto const same = equal(a, b);
      return all(same);
    }
  }
};
struct array_equiv_op {
  template <operand A, operand B>
  constexpr expr<bool> operator()(A const& a, B const& b) const {
    if constexpr (!broadcasts<A, B>) {
      return literal<bool>(false);
    } else {
      auto const same = equal(a, b);
      return all(same);
    }
  }
};

}  // namespace detail

// |a - b| <= atol + rtol * |b|, or a == b: bool (jax.numpy.isclose). Shapes broadcast, dtypes are promoted, integers become float32. NaN is
// close to nothing.
inline constexpr struct isclose_function {
  template <array_like A, array_like B, array_like R = float, array_like S = float>
  constexpr auto operator()(A const& a, B const& b, R const& rtol = 1e-5f, S const& atol = 1e-8f) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("isclose"));
    return detail::apply<detail::isclose_op>(a, b, rtol, atol);
  }
} isclose{};
// Whether isclose holds for all elements: one bool (jax.numpy.allclose).
inline constexpr struct allclose_function {
  template <array_like A, array_like B, array_like R = float, array_like S = float>
  constexpr auto operator()(A const& a, B const& b, R const& rtol = 1e-5f, S const& atol = 1e-8f) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("allclose"));
    return detail::apply<detail::allclose_op>(a, b, rtol, atol);
  }
} allclose{};
// Whether the shapes and all elements are equal: one bool (jax.numpy.array_equal). NaN is equal to nothing.
inline constexpr struct array_equal_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    if constexpr (detail::compares_at_once<A, B>()) return array<bool>(static_cast<bool>(detail::compared<true>(a, b)));
    else return detail::apply<detail::array_equal_op>(a, b);
  }
} array_equal{};
// Whether the shapes broadcast and all elements are equal then: a scalar of dtype bool (jax.numpy.array_equiv).
inline constexpr struct array_equiv_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    return detail::apply<detail::array_equiv_op>(a, b);
  }
} array_equiv{};

}  // namespace exprax
