// SPDX-License-Identifier: BSL-1.0
// Several arrays as one (jax.numpy): concatenate (concat), stack, vstack, hstack, append, and pad. What they join are arguments, or
// the elements of a tuple, or of a std::array of traced values.
// Longer than 300 lines: many functions of a few lines each.
#pragma once

#include <array>
#include <tuple>

#include <exprax/numpy/core/named_call.hpp>
#include <exprax/numpy/core/static_sizes.hpp>
#include <exprax/numpy/shape/shaping.hpp>

namespace exprax {

namespace detail {

// The shape of x, with another size along one axis.
template <class X, int Axis, int Size>
struct resized_shape {
  static constexpr aval value = [] {
    aval a = aval_in<X>;
    a.dims[Axis] = Size;
    return a;
  }();
};
template <int Axis>
inline constexpr int axis_params[] = {Axis};

template <class A, class B>
constexpr bool same_but_for(int axis) {
  if (rank_in<A> != rank_in<B>) return false;
  for (int i = 0; i < rank_in<A>; ++i)
    if (i != axis && aval_in<A>.dims[i] != aval_in<B>.dims[i]) return false;
  return true;
}

// Conditions of static_asserts: compilers print the types.
template <int Axis, class First, class... Rest>
inline constexpr bool joins = normal_axis(Axis, rank_in<First>) >= 0 && normal_axis(Axis, rank_in<First>) < rank_in<First> &&
                              (same_but_for<First, Rest>(normal_axis(Axis, rank_in<First>)) && ...);
template <int Axis, class First, class... Rest>
inline constexpr bool stacks = normal_axis(Axis, rank_in<First> + 1) >= 0 && normal_axis(Axis, rank_in<First> + 1) <= rank_in<First> &&
                               (same_but_for<First, Rest>(-1) && ...);

// concatenate along an axis that is counted from the front.
template <int Axis, tracer First, tracer... Rest>
constexpr auto joined(First const& first, Rest const&... rest) {
  using type = promote_t<type_in<First>, type_in<Rest>...>;
  static_assert(joins<Axis, First, Rest...>,
                "exprax: the shapes of arrays that are joined must be equal but for the axis along which they are joined");
  if constexpr (sizeof...(Rest) == 0 || !joins<Axis, First, Rest...>) {
    return first;
  } else if constexpr (std::is_same_v<type_in<First>, type> && (std::is_same_v<type_in<Rest>, type> && ...)) {
    using out = expr_from<resized_shape<First, Axis, (aval_in<First>.dims[Axis] + ... + aval_in<Rest>.dims[Axis])>>;
    return detail::bind<out>(prim::concatenate, axis_params<Axis>, first, rest...);
  } else {
    std::tuple<expr_like<First, type>, expr_like<Rest, type>...> const cast_all{as_expr<type>(first), as_expr<type>(rest)...};
    return std::apply([](auto const&... x) { return joined<Axis>(x...); }, cast_all);
  }
}

template <int Axis>
struct concatenate_op {
  template <operand First, operand... Rest>
  constexpr auto operator()(First const& first, Rest const&... rest) const {
    return joined<normal_axis(Axis, rank_in<First>)>(as_traced(first), as_traced(rest)...);
  }
};
template <int Axis>
struct stack_op {
  template <operand First, operand... Rest>
  constexpr auto operator()(First const& first, Rest const&... rest) const {
    constexpr int axis = normal_axis(Axis, rank_in<First> + 1);
    auto const parts = std::tuple{expanded<axis>(as_traced(first)), expanded<axis>(as_traced(rest))...};
    return std::apply([](auto const&... x) { return joined<axis>(x...); }, parts);
  }
};

// At least one axis, at least two.
template <operand X>
constexpr auto at_least_1d(X const& x) {
  if constexpr (rank_in<X> == 0)
    return expanded<0>(as_traced(x));
  else
    return expr_type<X>(as_traced(x));
}
template <operand X>
constexpr auto at_least_2d(X const& x) {
  if constexpr (rank_in<X> == 0)
    return expanded<0, 1>(as_traced(x));
  else if constexpr (rank_in<X> == 1)
    return expanded<0>(as_traced(x));
  else
    return expr_type<X>(as_traced(x));
}
template <class... X>
inline constexpr bool stacks_as_rows = joins<0, decltype(at_least_2d(std::declval<to_expr_t<X>>()))...>;
template <class First, class... X>
inline constexpr bool stacks_side_by_side = joins<(rank_in<First> > 1), decltype(at_least_1d(std::declval<to_expr_t<First>>())),
                                                  decltype(at_least_1d(std::declval<to_expr_t<X>>()))...>;

struct vstack_op {
  template <operand... X>
  constexpr auto operator()(X const&... x) const {
    auto const parts = std::tuple{at_least_2d(x)...};
    return std::apply([](auto const&... p) { return joined<0>(p...); }, parts);
  }
};
struct hstack_op {
  template <operand First, operand... X>
  constexpr auto operator()(First const& first, X const&... x) const {
    auto const parts = std::tuple{at_least_1d(first), at_least_1d(x)...};
    return std::apply([](auto const&... p) { return joined<(rank_in<First> > 1)>(p...); }, parts);
  }
};

template <class Axis>
struct append_body {
  template <tracer X, tracer V>
  constexpr auto operator()(X const& x, V const& values) const {
    return joined<normal_axis(Axis::value, rank_in<X>)>(x, values);
  }
};
template <>
struct append_body<void> {
  template <tracer X, tracer V>
  constexpr auto operator()(X const& x, V const& values) const {
    auto const a = reshaped<-1>(x);
    auto const b = reshaped<-1>(values);
    return joined<0>(a, b);
  }
};
template <class Axis>
struct append_op {
  template <operand X, operand V>
  constexpr auto operator()(X const& x, V const& values) const {
    return named_call<append_body<Axis>>("append", x, values);
  }
};

// A std::array of traced values: one type, and a number of them that may be large.
template <class E, std::size_t N, int... D>
struct stacked_shape {
  static constexpr aval value = [] {
    aval a = E::type;
    return a;
  }();
};
template <int Axis, class E>
struct stack_element {
  using type = decltype(expanded<Axis>(std::declval<E const&>()));
};
template <int Axis, class E, std::size_t N>
constexpr auto stacked(std::array<E, N> const& x) {
  static_assert(N > 0, "exprax: stack: need at least one array to stack");
  using part = typename stack_element<Axis, E>::type;
  arena<handle> parts;
  for (E const& e : x) parts.push(expr_access::get(expanded<Axis>(e)));
  return bind_list<expr_from<resized_shape<part, Axis, static_cast<int>(N)>>>(prim::concatenate, axis_params<Axis>, parts);
}
template <int Axis, class E, std::size_t N>
constexpr auto concatenated(std::array<E, N> const& x) {
  static_assert(N > 0, "exprax: concatenate: need at least one array");
  arena<handle> parts;
  for (E const& e : x) parts.push(expr_access::get(e));
  return bind_list<expr_from<resized_shape<E, Axis, static_cast<int>(N) * E::extent(Axis)>>>(prim::concatenate, axis_params<Axis>, parts);
}

template <class X, int... Widths>
struct padded_shape {
  static constexpr int given[sizeof...(Widths)] = {Widths...};
  static constexpr bool fits = sizeof...(Widths) == 1 || sizeof...(Widths) == 2 || sizeof...(Widths) == 2 * rank_in<X>;
  static constexpr int low(int axis) { return sizeof...(Widths) <= 2 ? given[0] : given[2 * axis]; }
  static constexpr int high(int axis) { return sizeof...(Widths) <= 2 ? given[sizeof...(Widths) - 1] : given[2 * axis + 1]; }
  static constexpr aval value = [] {
    aval a = aval_in<X>;
    for (int i = 0; i < a.rank; ++i) a.dims[i] += low(i) + high(i);
    return a;
  }();
  static constexpr param_list params = [] {
    param_list l;
    for (int i = 0; i < rank_in<X>; ++i) l.push(low(i));
    for (int i = 0; i < rank_in<X>; ++i) l.push(high(i));
    for (int i = 0; i < rank_in<X>; ++i) l.push(0);
    return l;
  }();
};
template <int... Widths>
struct pad_body {
  template <tracer X, tracer V>
  constexpr auto operator()(X const& x, V const& value) const {
    using to = padded_shape<X, Widths...>;
    auto&& v = cast<type_in<X>>(value);
    return detail::bind<expr_from<to>>(prim::pad, to::params, x, v);
  }
};
template <int... Widths>
struct pad_op {
  template <operand X, operand V>
  constexpr auto operator()(X const& x, V const& value) const {
    constexpr bool fits = padded_shape<X, Widths...>::fits, has_negative = ((Widths < 0) || ...), is_scalar = rank_in<V> == 0;
    static_assert(fits, "exprax: pad: give one width, ex::pad<1>(x), (before, after), or two widths for each axis");
    static_assert(!has_negative, "exprax: pad: index can't contain negative values");
    static_assert(is_scalar, "exprax: pad: the padding value must be a scalar");
    if constexpr (!fits || has_negative || !is_scalar) return as_traced(x);  // after the error: nothing that leads to others
    else return named_call<pad_body<Widths...>>("_pad", x, value);
  }
};

}  // namespace detail

// concatenate(x, y, ...), concatenate(tuple(x, y), axis<k>), or of a std::array of traced values: joined along axis 0, or k
// (jax.numpy.concatenate). [n, ...], [m, ...] -> [n + m, ...]; dtypes are promoted. Refused: scalars, other axes that differ, an axis out
// of range.
inline constexpr struct concatenate_function {
  template <array_like... X>
  constexpr auto operator()(X const&... x) const {
    static_assert(detail::joins<0, X...>,
                  "exprax: concatenate: the shapes must be equal but for the axis along which they are joined, and scalars need stack");
    if constexpr (detail::joins<0, X...>) return detail::apply<detail::concatenate_op<0>>(x...);
    else return 0;  // after the error: nothing that leads to others
  }
  template <array_like... X, int Axis = 0>
  constexpr auto operator()(std::tuple<X...> const& x, axis_t<Axis> = {}) const {
    static_assert(detail::joins<Axis, X...>,
                  "exprax: concatenate: the shapes must be equal but for the axis along which they are joined, and scalars need stack");
    if constexpr (detail::joins<Axis, X...>)
      return std::apply([](auto const&... p) { return detail::apply<detail::concatenate_op<Axis>>(p...); }, x);
    else return 0;  // after the error: nothing that leads to others
  }
  template <detail::tracer E, std::size_t N, int Axis = 0>
  constexpr auto operator()(std::array<E, N> const& x, axis_t<Axis> = {}) const {
    static_assert(detail::joins<Axis, E>,
                  "exprax: concatenate: the shapes must be equal but for the axis along which they are joined, and scalars need stack");
    return detail::concatenated<detail::normal_axis(Axis, E::rank)>(x);
  }
  template <class... Axis>
  constexpr auto operator()(detail::arrays_in_braces, Axis...) const {
    return 0;
  }
  EXPRAX_REFUSES_NUMBERS("concatenate", "an axis is part of a type: write ex::concatenate(ex::tuple(x, y), ex::axis<1>)")
} concatenate{};
// stack(x, y, ...), stack(tuple(x, y), axis<k>), or of a std::array of traced values: joined along a new axis 0, or k (jax.numpy.stack).
// Two of [...] -> [2, ...]; dtypes are promoted. Refused: shapes that differ, an axis out of range.
inline constexpr struct stack_function {
  template <array_like... X>
  constexpr auto operator()(X const&... x) const {
    static_assert(detail::stacks<0, X...>, "exprax: stack: the shapes must be equal, and the axis one of the result");
    if constexpr (detail::stacks<0, X...>) return detail::apply<detail::stack_op<0>>(x...);
    else return 0;  // after the error: nothing that leads to others
  }
  template <array_like... X, int Axis = 0>
  constexpr auto operator()(std::tuple<X...> const& x, axis_t<Axis> = {}) const {
    static_assert(detail::stacks<Axis, X...>, "exprax: stack: the shapes must be equal, and the axis one of the result");
    if constexpr (detail::stacks<Axis, X...>)
      return std::apply([](auto const&... p) { return detail::apply<detail::stack_op<Axis>>(p...); }, x);
    else return 0;  // after the error: nothing that leads to others
  }
  template <detail::tracer E, std::size_t N, int Axis = 0>
  constexpr auto operator()(std::array<E, N> const& x, axis_t<Axis> = {}) const {
    return detail::stacked<detail::normal_axis(Axis, E::rank + 1)>(x);
  }
  template <class... Axis>
  constexpr auto operator()(detail::arrays_in_braces, Axis...) const {
    return 0;
  }
  EXPRAX_REFUSES_NUMBERS("stack", "an axis is part of a type: write ex::stack(ex::tuple(x, y), ex::axis<1>)")
} stack{};
// vstack(x, y, ...), vstack(tuple(x, y)): joined along axis 0, vectors as rows (jax.numpy.vstack). hstack: along axis 1, scalars and
// vectors along axis 0 (jax.numpy.hstack). Dtypes are promoted. Refused: shapes that differ along another axis.
inline constexpr struct vstack_function {
  template <array_like... X>
  constexpr auto operator()(X const&... x) const {
    static_assert(detail::stacks_as_rows<X...>,
                  "exprax: vstack: the shapes must be equal but for the first axis; vectors are rows of one length");
    if constexpr (detail::stacks_as_rows<X...>) return detail::apply<detail::vstack_op>(x...);
    else return 0;  // after the error: nothing that leads to others
  }
  template <array_like... X>
  constexpr auto operator()(std::tuple<X...> const& x) const {
    return std::apply(*this, x);
  }
  template <class... Axis>
  constexpr auto operator()(detail::arrays_in_braces, Axis...) const {
    return 0;
  }
} vstack{};
inline constexpr struct hstack_function {
  template <array_like... X>
  constexpr auto operator()(X const&... x) const {
    static_assert(detail::stacks_side_by_side<X...>,
                  "exprax: hstack: the shapes must be equal but for the second axis; vectors go with vectors");
    if constexpr (detail::stacks_side_by_side<X...>) return detail::apply<detail::hstack_op>(x...);
    else return 0;  // after the error: nothing that leads to others
  }
  template <array_like... X>
  constexpr auto operator()(std::tuple<X...> const& x) const {
    return std::apply(*this, x);
  }
  template <class... Axis>
  constexpr auto operator()(detail::arrays_in_braces, Axis...) const {
    return 0;
  }
} hstack{};
// append(x, values): both flat, one after the other; append(x, values, axis<k>): joined along an axis (jax.numpy.append). Dtypes are
// promoted. Refused: with an axis, shapes that differ along another one.
inline constexpr struct append_function {
  template <array_like X, array_like V>
  constexpr auto operator()(X const& x, V const& values) const {
    return detail::apply<detail::append_op<void>>(x, values);
  }
  template <array_like X, array_like V, int Axis>
  constexpr auto operator()(X const& x, V const& values, axis_t<Axis>) const {
    static_assert(detail::joins<Axis, X, V>, "exprax: append: the shapes must be equal but for the axis along which they are joined");
    if constexpr (detail::joins<Axis, X, V>) return detail::apply<detail::append_op<std::integral_constant<int, Axis>>>(x, values);
    else return x;  // after the error: nothing that leads to others
  }
  EXPRAX_REFUSES_NUMBERS("append", "an axis is part of a type: write ex::append(x, y, ex::axis<0>)")
} append{};
// pad<w>(x, v), pad<before, after>(x, v), pad<b0, a0, b1, a1>(x, v): v, a scalar, 0 if it is not given, around x (jax.numpy.pad). Each axis
// grows by its two widths; the dtype of x. Refused: negative widths, a number of widths that does not fit the axes.
template <int... Widths, array_like X, array_like V = int>
constexpr auto pad(X const& x, V const& value = 0) {
  return detail::apply<detail::pad_op<Widths...>>(x, value);
}
// concatenate under another name; axis<k>, 0 if none is given (jax.numpy.concat).
inline constexpr struct concat_function {
  template <class... X, int Axis = 0>
  constexpr auto operator()(std::tuple<X...> const& x, axis_t<Axis> a = {}) const {
    return concatenate(x, a);
  }
  EXPRAX_REFUSES_NUMBERS("concat", "an axis is part of a type: write ex::concat(ex::tuple(x, y), ex::axis<1>)")
} concat{};

}  // namespace exprax
