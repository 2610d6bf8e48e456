// SPDX-License-Identifier: BSL-1.0
// interp: between points, along straight lines; unwrap: angles without jumps (jax.numpy).
#pragma once

#include <exprax/numpy/core/dynamic_shapes.hpp>
#include <exprax/numpy/core/operators.hpp>
#include <exprax/numpy/elementwise/division.hpp>
#include <exprax/numpy/indexing/indexing.hpp>
#include <exprax/numpy/indexing/take.hpp>
#include <exprax/numpy/reductions/cumulative.hpp>
#include <exprax/numpy/reductions/reductions.hpp>
#include <exprax/numpy/shape/joining.hpp>
#include <exprax/numpy/sorting/searching.hpp>
#include <exprax/numpy/sorting/sorting.hpp>

namespace exprax {

struct extrapolate_t {};
// interp: the first or last line goes on.
inline constexpr extrapolate_t extrapolate{};

namespace detail {

// The values at x of the lines through (xp[i], fp[i]).
template <tracer X, tracer P, tracer F>
constexpr auto on_lines(X const& x, P const& xp, F const& fp) {
  using type = typename X::dtype_type;
  constexpr int n = P::extent(0);
  auto const i = clip(searchsorted_op<true>{}(xp, x), 1, n - 1);
  auto const left = subtract(i, 1);
  auto const f_left = take(fp, left, mode_clip);
  auto const x_left = take(xp, left, mode_clip);
  auto const df = subtract(take(fp, i, mode_clip), f_left);
  auto const dx = subtract(take(xp, i, mode_clip), x_left);
  auto const delta = subtract(x, x_left);
  // np.spacing(np.finfo(dtype).eps)
  constexpr strong_t<type> epsilon = sizeof(strong_t<type>) == 8 ? strong_t<type>(0x1p-104) : strong_t<type>(0x1p-46f);
  auto const same = less_equal(abs(dx), epsilon);
  auto const slope = divide(delta, where(same, 1, dx));
  return where(same, f_left, add(f_left, multiply(slope, df)));
}
template <class Left, class Right>
struct interp_op {
  template <operand X, operand P, operand F, class... Ends>
  constexpr auto operator()(X const& x, P const& xp, F const& fp, Ends const&... ends) const {
    using type = inexact_t<promote_t<type_in<X>, type_in<P>>>;
    auto const at = expr_like<X, type>(as_expr<type>(x));
    auto const points = expr_like<P, type>(as_expr<type>(xp));
    auto const values = expr_like<F, inexact_t<type_in<F>>>(as_expr<inexact_t<type_in<F>>>(fp));
    auto const inner = on_lines(at, points, values);
    constexpr int n = P::extent(0);
    auto const ended = std::tuple<Ends const&...>(ends...);
    auto const with_left = [&] {
      if constexpr (std::is_same_v<Left, extrapolate_t>) return inner;
      else if constexpr (std::is_same_v<Left, none_t>) return where(less(at, points(0)), values(0), inner);
      else return where(less(at, points(0)), std::get<0>(ended), inner);
    }();
    if constexpr (std::is_same_v<Right, extrapolate_t>) return with_left;
    else if constexpr (std::is_same_v<Right, none_t>) return where(greater(at, points(n - 1)), values(n - 1), with_left);
    else return where(greater(at, points(n - 1)), std::get<sizeof...(Ends) - 1>(ended), with_left);
  }
};

// As a jit equation.
template <class Left, class Right>
struct named_interp_op {
  template <operand... X>
  constexpr auto operator()(X const&... x) const {
    return named_call<interp_op<Left, Right>>("interp", x...);
  }
};

// Points of a function that repeats itself: in order within one period, with one more on each side; nothing is beyond them.
struct periodic_interp_body {
  template <tracer X, tracer P, tracer F, tracer Period>
  constexpr auto operator()(X const& x, P const& xp, F const& fp, Period const& given) const {
    using type = inexact_t<promote_t<type_in<X>, type_in<P>>>;
    using values_type = inexact_t<type_in<F>>;
    constexpr int n = P::extent(0);
    auto const period = expr<type>(as_expr<type>(abs(given)));
    auto const at = mod(expr_like<X, type>(as_expr<type>(x)), period);
    auto const places = mod(expr_like<P, type>(as_expr<type>(xp)), period);
    auto const sorted = sort_key_val(places, expr_like<F, values_type>(as_expr<values_type>(fp)));
    auto const points = std::get<0>(sorted);
    auto const values = std::get<1>(sorted);
    auto const first = points(slice<0, 1>);
    auto const last = points(slice<n - 1, n>);
    auto const all_points = concatenate(subtract(last, period), points, add(first, period));
    auto const all_values = concatenate(values(slice<n - 1, n>), values, values(slice<0, 1>));
    return interp_op<extrapolate_t, extrapolate_t>{}(at, all_points, all_values);
  }
};
struct periodic_interp_op {
  template <operand X, operand P, operand F, operand Period>
  constexpr auto operator()(X const& x, P const& xp, F const& fp, Period const& period) const {
    return named_call<periodic_interp_body>("interp", x, xp, fp, period);
  }
};

template <int Axis>
struct unwrap_body {
  template <tracer X, tracer Period, class... Discont>
  constexpr auto operator()(X const& x, Period const& period, Discont const&... discont) const {
    constexpr int axis = normal_axis(Axis, X::rank), n = X::extent(axis);
    using type = promote_t<type_in<X>, type_in<Period>>;
    auto const p = expr_like<X, type>(as_expr<type>(x));
    auto const one_period = expr<type>(as_expr<type>(period));
    if constexpr (n == 0) {
      return p;
    } else {
      using rest = expr_from<resized_shape<expr_like<X, type>, axis, n - 1>>;
      handle const h = untyped::from(p);
      auto const later = untyped::as<rest>(untyped::slice(h, axis, 1, n));
      auto const earlier = untyped::as<rest>(untyped::slice(h, axis, 0, n - 1));
      auto const half = [&] {
        if constexpr (is_integer(dtype_of<type>)) return floor_divide(one_period, 2);
        else return divide(one_period, 2);
      }();
      auto const step = subtract(later, earlier);
      auto const folded = subtract(mod(add(step, half), one_period), half);
      auto const sided = where(logical_and(equal(folded, negative(half)), greater(step, 0)), half, folded);
      auto const limit = [&] {
        if constexpr (sizeof...(Discont) == 0) return divide(one_period, 2);
        else return std::get<0>(std::tuple(discont...));
      }();
      auto const correction = where(less(abs(step), limit), 0, subtract(sided, step));
      auto const all_later = add(later, cumsum(correction, exprax::axis<axis>));
      using first = expr_from<resized_shape<expr_like<X, type>, axis, 1>>;
      auto const start = untyped::as<first>(untyped::slice(h, axis, 0, 1));
      return joined<axis>(start, all_later);
    }
  }
};
template <int Axis>
struct unwrap_op {
  template <operand... X>
  constexpr auto operator()(X const&... x) const {
    return named_call<unwrap_body<Axis>>("unwrap", x...);
  }
};

// Conditions of static_asserts: compilers print the types.
template <class End>
inline constexpr bool is_beyond_points = array_like<End> || std::is_same_v<End, extrapolate_t> || std::is_same_v<End, none_t>;
template <class P, class F>
inline constexpr bool are_points = rank_in<P> == 1 && rank_in<F> == 1 && aval_in<P>.dims[0] == aval_in<F>.dims[0] && aval_in<P>.dims[0] > 0;

}  // namespace detail

// The value at x on straight lines between the points (xp[i], fp[i]); xp must increase. Beyond the points: left and right, which are
// numbers, ex::extrapolate, or ex::none for the first and the last of fp. Shape of x; the promoted floating dtype. Refused: xp and fp that
// are not vectors of one size (jax.numpy.interp).
inline constexpr struct interp_function {
  template <array_like X, array_like P, array_like F, class Left = none_t, class Right = none_t>
  constexpr auto operator()(X const& x, P const& xp, F const& fp, Left const& left = {}, Right const& right = {}) const {
    static_assert(detail::are_points<P, F>, "exprax: interp: xp and fp must be one-dimensional arrays of equal size");
    constexpr bool known = detail::is_beyond_points<Left> && detail::is_beyond_points<Right>;
    static_assert(known, "exprax: interp: what stands left and right of the points is a number, ex::extrapolate, or ex::none");
    using op = detail::named_interp_op<Left, Right>;
    constexpr bool has_left = array_like<Left>, has_right = array_like<Right>;
    if constexpr (!known) return x;  // after the error: nothing that leads to others
    else if constexpr (has_left && has_right) return detail::apply<op>(x, xp, fp, left, right);
    else if constexpr (has_left) return detail::apply<op>(x, xp, fp, left);
    else if constexpr (has_right) return detail::apply<op>(x, xp, fp, right);
    else return detail::apply<op>(x, xp, fp);
  }
  // The same for a function that repeats itself after `period`, a scalar; xp may be in any order (period= of jax.numpy.interp).
  template <array_like X, array_like P, array_like F, array_like Period>
  constexpr auto operator()(X const& x, P const& xp, F const& fp, none_t, none_t, Period const& period) const {
    static_assert(detail::are_points<P, F>, "exprax: interp: xp and fp must be one-dimensional arrays of equal size");
    static_assert(detail::rank_in<Period> == 0, "exprax: interp: period must be a scalar");
    return detail::apply<detail::periodic_interp_op>(x, xp, fp, period);
  }
} interp{};
// x with multiples of the period (2 pi) added, so that neighbours along axis<k> (the last one) differ by at most half of it; with discont
// jumps smaller than that stay. Shape of x; the dtype that x and the period promote to. Refused: an axis out of range (jax.numpy.unwrap).
inline constexpr struct unwrap_function {
  template <array_like X, int Axis = -1, array_like Period = double>
  constexpr auto operator()(X const& x, axis_t<Axis> = {}, Period const& period = 6.283185307179586) const {
    static_assert(detail::normal_axes<Axis>(detail::rank_in<X>).valid, "exprax: unwrap: the axis is out of range");
    return detail::apply<detail::unwrap_op<Axis>>(x, period);
  }
  template <array_like X, array_like Discont, int Axis, array_like Period>
  constexpr auto operator()(X const& x, Discont const& discont, axis_t<Axis>, Period const& period) const {
    static_assert(detail::normal_axes<Axis>(detail::rank_in<X>).valid, "exprax: unwrap: the axis is out of range");
    if constexpr (detail::normal_axes<Axis>(detail::rank_in<X>).valid) return detail::apply<detail::unwrap_op<Axis>>(x, period, discont);
    else return x;  // after the error: nothing that leads to others
  }
} unwrap{};

}  // namespace exprax
