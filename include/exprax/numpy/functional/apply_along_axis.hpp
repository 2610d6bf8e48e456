// SPDX-License-Identifier: BSL-1.0
// Functions of the user along axes (jax.numpy): apply_along_axis, apply_over_axes.
#pragma once

#include <exprax/api/vmap/vmap.hpp>
#include <exprax/numpy/shape/shaping.hpp>

namespace exprax {

namespace detail {

// vmap over all axes but one.
template <class F, int Axis>
struct along_axis_op {
  [[no_unique_address]] F f;
  template <operand X>
  constexpr auto operator()(X const& x) const {
    constexpr int axis = normal_axis(Axis, rank_in<X>);
    return mapped<1, rank_in<X> - axis, axis>(f)(as_traced(x));
  }

 private:
  template <int I, int End, int Before, class G>
  static constexpr auto mapped(G const& g) {
    if constexpr (I < End) return mapped<I + 1, End, Before>(vmap(g, in_axes<I>, out_axes<-1>));
    else if constexpr (Before > 0) return mapped<I, End, Before - 1>(vmap(g));
    else return g;
  }
};
template <int Axis, int... Rest, class F, class X>
constexpr auto over_axes(F const& f, X const& x) {
  auto const y = f(x, axis<Axis>);
  auto const z = [&] {
    if constexpr (rank_in<decltype(y)> == rank_in<X>) return y;
    else return expand_dims(y, axis<Axis>);
  }();
  if constexpr (sizeof...(Rest) == 0) return z;
  else return over_axes<Rest...>(f, z);
}

}  // namespace detail

// f of the vectors along one axis; the axes that f returns stand in its place: [a, n, b] -> [a, ..., b], the dtype of f. Refused: an axis
// out of range (jax.numpy.apply_along_axis).
inline constexpr struct apply_along_axis_function {
  template <class F, int Axis, array_like X>
  constexpr auto operator()(F const& f, axis_t<Axis>, X const& x) const {
    static_assert(detail::normal_axes<Axis>(detail::rank_in<X>).valid, "exprax: apply_along_axis: the axis is out of range");
    if constexpr (detail::stored<X>) return jit(detail::along_axis_op<F, Axis>{f})(x);
    else return detail::along_axis_op<F, Axis>{f}(x);
  }
} apply_along_axis{};
// f(x, axis<k>) for one axis after the other; an axis that f removes comes back with size 1. The dtype of f (jax.numpy.apply_over_axes).
inline constexpr struct apply_over_axes_function {
  template <class F, array_like X, int... Axes>
  constexpr auto operator()(F const& f, X const& x, axis_t<Axes...>) const {
    return detail::over_axes<Axes...>(f, x);
  }
} apply_over_axes{};

}  // namespace exprax
