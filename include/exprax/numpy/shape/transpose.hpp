// SPDX-License-Identifier: BSL-1.0
// The same elements in another order (jax.numpy): transpose (permute_dims), moveaxis, swapaxes, flip, and rev of jax.lax.
#pragma once

#include <exprax/base/options.hpp>
#include <exprax/numpy/core/named_call.hpp>
#include <exprax/numpy/shape/shaping.hpp>

namespace exprax {

namespace detail {

template <class X, int... Axes>
struct transposed_shape {
  static constexpr axis_set permutation = [] {
    if (sizeof...(Axes) || rank_in<X> == 0) return normal_axes<Axes...>(rank_in<X>);
    axis_set s;
    for (int i = rank_in<X> - 1; i >= 0; --i) s.of[s.n++] = i;
    return s;
  }();
  static constexpr bool fits = permutation.valid && permutation.n == rank_in<X>;
  static constexpr bool trivial = [] {
    for (int i = 0; i < permutation.n; ++i)
      if (permutation.of[i] != i) return false;
    return true;
  }();
  static constexpr param_list params = list_of(permutation);
  static constexpr aval value = [] {
    aval a = aval_in<X>;
    for (int i = 0; i < permutation.n; ++i) a.dims[i] = aval_in<X>.dims[permutation.of[i]];
    return a;
  }();
};
template <int... Axes>
struct transpose_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    using to = transposed_shape<X, Axes...>;
    if constexpr (to::trivial)
      return expr_type<X>(as_traced(x));
    else
      return detail::bind<expr_from<to>>(prim::transpose, to::params, as_traced(x));
  }
};

// The permutation that moves axis From to place To.
template <class Indices, int Rank, int From, int To>
struct moved;
template <int... I, int Rank, int From, int To>
struct moved<std::integer_sequence<int, I...>, Rank, From, To> {
  static constexpr int from_at(int place) {
    if (place == To) return From;
    int const rank_among_others = place < To ? place : place - 1;
    return rank_among_others < From ? rank_among_others : rank_among_others + 1;
  }
  using type = transpose_op<from_at(I)...>;
};
template <int From, int To>
struct moveaxis_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    constexpr int from = normal_axis(From, rank_in<X>), to = normal_axis(To, rank_in<X>);
    return typename moved<std::make_integer_sequence<int, rank_in<X>>, rank_in<X>, from, to>::type{}(x);
  }
};
template <class Indices, int A, int B>
struct swapped;
template <int... I, int A, int B>
struct swapped<std::integer_sequence<int, I...>, A, B> {
  using type = transpose_op<(I == A ? B : I == B ? A : I)...>;
};
template <int A, int B>
struct swapaxes_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    constexpr int a = normal_axis(A, rank_in<X>), b = normal_axis(B, rank_in<X>);
    return typename swapped<std::make_integer_sequence<int, rank_in<X>>, a, b>::type{}(x);
  }
};

// The order of elements reversed along some axes (jax.lax.rev).
template <class X, int... Axes>
inline constexpr param_list rev_params = list_of([] {
  if (sizeof...(Axes)) return normal_axes<Axes...>(rank_in<X>);
  axis_set s;
  for (int i = 0; i < rank_in<X>; ++i) s.of[s.n++] = i;
  return s;
}());
template <int... Axes>
struct rev_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return detail::bind<expr_type<X>>(prim::rev, rev_params<X, Axes...>, as_traced(x));
  }
};
template <int... Axes>
struct flip_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return named_call<rev_op<Axes...>>("_flip", x);
  }
};

// Conditions of static_asserts: compilers print the types.
template <class X, int... Axes>
inline constexpr bool permutes = transposed_shape<X, Axes...>::fits;
template <class X, int... Axes>
inline constexpr bool has_axes = normal_axes<Axes...>(rank_in<X>).valid;

}  // namespace detail

// transpose(x) reverses all axes, [n, m] -> [m, n]; transpose(x, axis<2, 0, 1>) permutes them (jax.numpy.transpose). Axes that are no
// permutation of all axes are refused.
inline constexpr struct transpose_function {
  template <array_like X, int... Axes>
  constexpr auto operator()(X const& x, axis_t<Axes...> = {}) const {
    static_assert(detail::permutes<X, Axes...>, "exprax: transpose: the axes must be a permutation of all axes");
    return detail::apply<detail::transpose_op<Axes...>>(x);
  }
  template <array_like X>
  constexpr auto operator()(X const& x, std::initializer_list<int>) const {
    static_assert(detail::are_template_arguments<X>, "exprax: transpose: axes are part of types: write ex::transpose(x, ex::axis<1, 0>)");
    return x;
  }
  EXPRAX_REFUSES_NUMBERS("transpose", "axes are parts of types: write ex::transpose(x, ex::axis<1, 0>)")
} transpose{};
// moveaxis<From, To>(x): one axis at another place, the others in their order (jax.numpy.moveaxis). Axes out of range are refused.
template <int From, int To, array_like X>
constexpr auto moveaxis(X const& x) {
  static_assert(detail::has_axes<X, From> && detail::has_axes<X, To>, "exprax: moveaxis: an axis is out of range");
  return detail::apply<detail::moveaxis_op<From, To>>(x);
}
// swapaxes<A, B>(x): two axes in place of each other (jax.numpy.swapaxes). Axes out of range are refused.
template <int A, int B, array_like X>
constexpr auto swapaxes(X const& x) {
  static_assert(detail::has_axes<X, A> && detail::has_axes<X, B>, "exprax: swapaxes: an axis is out of range");
  return detail::apply<detail::swapaxes_op<A, B>>(x);
}
// flip(x), flip(x, axis<1>): reversed along all or some axes, in the shape of x (jax.numpy.flip). Axes that are repeated or out of range
// are refused.
inline constexpr struct flip_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::flip_op<>>(x);
  }
  template <array_like X, int... Axes>
  constexpr auto operator()(X const& x, axis_t<Axes...>) const {
    static_assert(detail::has_axes<X, Axes...>, "exprax: flip: an axis is repeated or out of range");
    return detail::apply<detail::flip_op<Axes...>>(x);
  }
  EXPRAX_REFUSES_NUMBERS("flip", "an axis is part of a type: write ex::flip(x, ex::axis<0>)")
} flip{};
// rev(x, axis<1>): the same as one equation (jax.lax.rev).
inline constexpr struct rev_function {
  template <array_like X, int... Axes>
  constexpr auto operator()(X const& x, axis_t<Axes...>) const {
    static_assert(detail::has_axes<X, Axes...>, "exprax: rev: an axis is repeated or out of range");
    return detail::apply<detail::rev_op<Axes...>>(x);
  }
  EXPRAX_REFUSES_NUMBERS("rev", "an axis is part of a type: write ex::lax::rev(x, ex::axis<0>)")
} rev{};
// transpose under another name: permute_dims<1, 0>(x) (jax.numpy.permute_dims).
template <int... Axes, array_like X>
constexpr auto permute_dims(X const& x) {
  return transpose(x, axis<Axes...>);
}

}  // namespace exprax
