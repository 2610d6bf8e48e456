// SPDX-License-Identifier: BSL-1.0
// Parts of an array, as a tuple (jax.numpy): split, array_split, hsplit, vsplit, dsplit, unstack. split<3>(x) makes three equal parts,
// split(x, split_at<2, 5>) cuts before the elements 2 and 5; along axis 0, or the one given.
#pragma once

#include <exprax/numpy/core/bind_several.hpp>
#include <exprax/numpy/shape/rolling.hpp>

namespace exprax {

template <int... Places>
struct split_at_t {};
template <int... Places>
inline constexpr split_at_t<Places...> split_at{};

namespace detail {

// Where the parts begin and end: equal ones, of which the first few are one longer if the size is no multiple; or at places.
template <int N>
struct equal_parts {
  static constexpr int count = N;
  static constexpr int begin(int part, int size) { return part * (size / N) + (part < size % N ? part : size % N); }
  static constexpr int end(int part, int size) { return begin(part + 1, size); }
};
template <int... Places>
struct parts_at {
  static constexpr int count = static_cast<int>(sizeof...(Places)) + 1;
  // As a slice of NumPy: negative places count from the end, and what is out of range is cut off.
  static constexpr int place(int k, int size) {
    int const at[] = {0, Places..., size};
    int const p = at[k] < 0 ? at[k] + size : at[k];
    return p < 0 ? 0 : p > size ? size : p;
  }
  static constexpr int begin(int part, int size) { return place(part, size); }
  static constexpr int end(int part, int size) {
    int const b = begin(part, size), e = place(part + 1, size);
    return e < b ? b : e;
  }
};
template <class X, class Parts, int Axis, int Part>
struct part_shape {
  static constexpr int begin = Parts::begin(Part, aval_in<X>.dims[Axis]), end = Parts::end(Part, aval_in<X>.dims[Axis]);
  static constexpr aval value = [] {
    aval s = aval_in<X>;
    s.dims[Axis] = end - begin;
    return s;
  }();
};
template <class Parts, int Axis>
struct split_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    constexpr int axis = normal_axis(Axis, rank_in<X>);
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      if constexpr ((part_shape<X, Parts, axis, I>::value.dims[axis] + ...) == aval_in<X>.dims[axis]) {
        int const params[] = {axis, part_shape<X, Parts, axis, I>::value.dims[axis]...};
        return bind_several<expr_from<part_shape<X, Parts, axis, I>>...>(prim::split, params, {}, as_traced(x));
      } else {  // places that go back: parts that overlap
        handle const whole = untyped::from(as_traced(x));
        return std::tuple{untyped::typed<part_shape<X, Parts, axis, I>>(
            untyped::slice(whole, axis, part_shape<X, Parts, axis, I>::begin, part_shape<X, Parts, axis, I>::end))...};
      }
    }(std::make_integer_sequence<int, Parts::count>{});
  }
};

template <int Axis>
struct unstack_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    constexpr int axis = normal_axis(Axis, rank_in<X>);
    auto const parts = split_op<equal_parts<aval_in<X>.dims[axis]>, axis>{}(x);
    return std::apply([](auto const&... part) { return std::tuple{squeeze_op<axis>{}(part)...}; }, parts);
  }
};

// Conditions of static_asserts: compilers print the types.
template <class X, int N, int Axis>
inline constexpr bool divides_equally = [] {
  if constexpr (!normal_axes<Axis>(rank_in<X>).valid || N <= 0) return false;
  else return aval_in<X>.dims[normal_axis(Axis, rank_in<X>)] % N == 0;
}();
template <class X, int Axis>
inline constexpr bool has_the_axis = normal_axes<Axis>(rank_in<X>).valid;
template <class X>
inline constexpr int horizontal_axis = rank_in<X> > 1;

}  // namespace detail

// split<N>(x, axis<k>): a tuple of N equal parts along axis k, 0 by default (jax.numpy.split): [n, ...] -> N of [n / N, ...]. Refused: a
// size that is no multiple of N, an axis out of range.
template <int N, array_like X, int Axis = 0>
constexpr auto split(X const& x, axis_t<Axis> = {}) {
  static_assert(detail::divides_equally<X, N, Axis>,
                "exprax: split: array split does not result in an equal division: use array_split, or split_at<...>");
  return detail::apply<detail::split_op<detail::equal_parts<N>, Axis>>(x);
}
// split(x, split_at<2, 5>, axis<k>): parts that begin at the elements 0, 2 and 5. Negative places count from the end. An axis out of range
// is refused.
template <array_like X, int... Places, int Axis = 0>
constexpr auto split(X const& x, split_at_t<Places...>, axis_t<Axis> = {}) {
  static_assert(detail::has_the_axis<X, Axis>, "exprax: split: the axis is out of range");
  return detail::apply<detail::split_op<detail::parts_at<Places...>, Axis>>(x);
}
// array_split<N>(x, axis<k>): as split<N>, but the first parts are one longer where the size is no multiple of N; array_split(x,
// split_at<...>, axis<k>) is split (jax.numpy.array_split). Refused: N < 1, an axis out of range.
template <int N, array_like X, int Axis = 0>
constexpr auto array_split(X const& x, axis_t<Axis> = {}) {
  static_assert(N > 0, "exprax: array_split: the number of sections must be larger than 0");
  static_assert(detail::has_the_axis<X, Axis>, "exprax: array_split: the axis is out of range");
  return detail::apply<detail::split_op<detail::equal_parts<N>, Axis>>(x);
}
template <array_like X, int... Places, int Axis = 0>
constexpr auto array_split(X const& x, split_at_t<Places...> places, axis_t<Axis> a = {}) {
  return split(x, places, a);
}
// hsplit: split along axis 1 (0 of a vector); vsplit: along axis 0; dsplit: along axis 2 (jax.numpy). Either hsplit<N>(x), in equal parts,
// or hsplit(x, split_at<...>). Errors as for split.
template <int N, array_like X>
constexpr auto hsplit(X const& x) {
  return split<N>(x, axis<detail::horizontal_axis<X>>);
}
template <array_like X, int... Places>
constexpr auto hsplit(X const& x, split_at_t<Places...> places) {
  return split(x, places, axis<detail::horizontal_axis<X>>);
}
template <int N, array_like X>
constexpr auto vsplit(X const& x) {
  return split<N>(x, axis<0>);
}
template <array_like X, int... Places>
constexpr auto vsplit(X const& x, split_at_t<Places...> places) {
  return split(x, places, axis<0>);
}
template <int N, array_like X>
constexpr auto dsplit(X const& x) {
  return split<N>(x, axis<2>);
}
template <array_like X, int... Places>
constexpr auto dsplit(X const& x, split_at_t<Places...> places) {
  return split(x, places, axis<2>);
}
// The parts along axis<k> (0), without it: [n, ...] -> a tuple of n [...], dtype of x. Refused: scalars, an axis out of range
// (jax.numpy.unstack).
inline constexpr struct unstack_function {
  template <array_like X, int Axis = 0>
  constexpr auto operator()(X const& x, axis_t<Axis> = {}) const {
    constexpr bool fits = detail::normal_axes<Axis>(detail::rank_in<X>).valid;
    static_assert(fits, "exprax: unstack: requires arrays with rank > 0, and an axis in range");
    if constexpr (!fits) return x;  // after the error: nothing that leads to others
    else if constexpr (detail::aval_in<X>.dims[detail::normal_axis(Axis, detail::rank_in<X>)] == 0) return std::tuple<>();
    else return detail::apply<detail::unstack_op<Axis>>(x);
  }
} unstack{};

}  // namespace exprax
