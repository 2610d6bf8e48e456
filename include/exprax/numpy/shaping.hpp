// SPDX-License-Identifier: BSL-1.0
// The same elements in another shape or order (jax.numpy): reshape, ravel, transpose, swapaxes, moveaxis, expand_dims,
// squeeze, flip. Axes are template arguments or axis<...>; negative ones count from the end.
#pragma once

#include <exprax/numpy/division.hpp>
#include <exprax/numpy/tags.hpp>

namespace exprax {

namespace detail {

constexpr int normal_axis(int axis, int rank) { return axis < 0 ? axis + rank : axis; }

// Axes counted from the front, each in range and none twice.
struct axis_set {
  int of[max_rank] = {};
  int n = 0;
  bool valid = true;
  constexpr bool has(int axis) const {
    for (int i = 0; i < n; ++i)
      if (of[i] == axis) return true;
    return false;
  }
};
template <int... Axes>
constexpr axis_set normal_axes(int rank) {
  axis_set s;
  int const given[] = {Axes..., 0};
  for (int i = 0; i < static_cast<int>(sizeof...(Axes)); ++i) {
    int const a = normal_axis(given[i], rank);
    if (a < 0 || a >= rank || s.n == max_rank || s.has(a))
      s.valid = false;
    else
      s.of[s.n++] = a;
  }
  return s;
}
constexpr axis_set sorted(axis_set s) {
  for (int i = 1; i < s.n; ++i)
    for (int k = i; k > 0 && s.of[k] < s.of[k - 1]; --k) {
      int const t = s.of[k];
      s.of[k] = s.of[k - 1];
      s.of[k - 1] = t;
    }
  return s;
}
constexpr param_list list_of(axis_set const& s) {
  param_list l;
  for (int i = 0; i < s.n; ++i) l.push(s.of[i]);
  return l;
}

// Axes of 1 at places of the result (jax.lax.expand_dims).
struct expansion {
  aval result;
  param_list params;
};
constexpr expansion expand(aval const& x, axis_set const& places) {
  expansion e{aval(x.type, x.weak), {}};
  param_list kept;
  int from = 0;
  for (int i = 0; i < x.rank + places.n; ++i) {
    bool const added = places.has(i);
    if (!added) kept.push(i);
    e.result.dims[e.result.rank++] = added ? 1 : x.dims[from++];
  }
  for (int i = 0; i < e.result.rank; ++i) e.params.push(e.result.dims[i]);
  for (int i = 0; i < kept.n; ++i) e.params.push(kept.at[i]);
  return e;
}
template <class X, int... Axes>
struct expanded_shape {
  static constexpr expansion of = expand(aval_in<X>, normal_axes<Axes...>(rank_in<X> + static_cast<int>(sizeof...(Axes))));
  static constexpr aval value = of.result;
};
template <int... Axes, tracer X>
constexpr auto expanded(X const& x) {
  if constexpr (sizeof...(Axes) == 0)
    return x;
  else
    return bind<expr_from<expanded_shape<X, Axes...>>>(prim::broadcast_in_dim, expanded_shape<X, Axes...>::of.params, x);
}
template <int... Axes>
struct expand_dims_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return expanded<Axes...>(as_traced(x));
  }
};

// Without some axes of 1 (jax.lax.squeeze).
template <class X, class Axes>
struct squeezed_shape {
  static constexpr param_list params = list_of(Axes::value);
  static constexpr aval value = [] {
    aval a(aval_in<X>.type, aval_in<X>.weak);
    for (int i = 0; i < rank_in<X>; ++i)
      if (!Axes::value.has(i)) a.dims[a.rank++] = aval_in<X>.dims[i];
    return a;
  }();
};
template <class Axes, tracer X>
constexpr auto squeezed(X const& x) {
  if constexpr (Axes::value.n == 0)
    return x;
  else
    return bind<expr_from<squeezed_shape<X, Axes>>>(prim::squeeze, squeezed_shape<X, Axes>::params, x);
}
template <class X, int... Axes>
struct squeezed_axes {
  static constexpr axis_set value = [] {
    if (sizeof...(Axes)) return sorted(normal_axes<Axes...>(rank_in<X>));
    axis_set s;
    for (int i = 0; i < rank_in<X>; ++i)
      if (aval_in<X>.dims[i] == 1) s.of[s.n++] = i;
    return s;
  }();
  static constexpr bool ones = [] {
    for (int i = 0; i < value.n; ++i)
      if (aval_in<X>.dims[value.of[i]] != 1) return false;
    return true;
  }();
};
template <int... Axes>
struct squeeze_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    using axes = squeezed_axes<X, Axes...>;
    return squeezed<axes>(as_traced(x));
  }
};

// One size may be -1: what is left.
template <class X, int... Sizes>
struct reshaped_shape {
  static constexpr aval value = [] {
    aval a(aval_in<X>.type, {Sizes...}, aval_in<X>.weak);
    std::ptrdiff_t known = 1;
    int open = -1;
    for (int i = 0; i < a.rank; ++i) {
      if (a.dims[i] == -1 && open < 0)
        open = i;
      else
        known *= a.dims[i];
    }
    if (open >= 0) a.dims[open] = known ? static_cast<int>(aval_in<X>.size() / known) : 0;
    return a;
  }();
  static constexpr bool fits = value.size() == aval_in<X>.size() && ((Sizes >= -1) && ...) && (0 + ... + (Sizes == -1)) <= 1;
  static constexpr param_list params = [] {
    param_list l;
    for (int i = 0; i < value.rank; ++i) l.push(value.dims[i]);
    return l;
  }();
};
template <int... Sizes, tracer X>
constexpr auto reshaped(X const& x) {
  using to = reshaped_shape<X, Sizes...>;
  if constexpr (X::rank > 0 && to::value.same_shape(X::type))
    return x;
  else
    return bind<expr_from<to>>(prim::reshape, to::params, x);
}
template <int... Sizes>
struct reshape_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return reshaped<Sizes...>(as_traced(x));
  }
};

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
      return bind<expr_from<to>>(prim::transpose, to::params, as_traced(x));
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
    return bind<expr_type<X>>(prim::rev, rev_params<X, Axes...>, as_traced(x));
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
template <class X, int... Sizes>
inline constexpr bool reshapes_to = reshaped_shape<X, Sizes...>::fits;
template <class X, int... Axes>
inline constexpr bool permutes = transposed_shape<X, Axes...>::fits;
template <class X, int... Axes>
inline constexpr bool has_axes = normal_axes<Axes...>(rank_in<X>).valid;
template <class X, int... Axes>
inline constexpr bool can_add_axes = normal_axes<Axes...>(rank_in<X> + static_cast<int>(sizeof...(Axes))).valid;
template <class X, int... Axes>
inline constexpr bool can_squeeze = squeezed_axes<X, Axes...>::value.valid && squeezed_axes<X, Axes...>::ones;

}  // namespace detail

// reshape<6, -1>(x): the elements in row-major order; one size may be -1.
template <int... Sizes, array_like X>
constexpr auto reshape(X const& x) {
  static_assert(detail::reshapes_to<X, Sizes...>, "exprax: reshape: the number of elements must stay the same");
  return detail::apply<detail::reshape_op<Sizes...>>(x);
}
template <array_like X>
constexpr auto ravel(X const& x) {
  return reshape<-1>(x);
}
// transpose(x) reverses all axes; transpose<2, 0, 1>(x) permutes them.
template <int... Axes, array_like X>
constexpr auto transpose(X const& x) {
  static_assert(detail::permutes<X, Axes...>, "exprax: transpose: the axes must be a permutation of all axes");
  return detail::apply<detail::transpose_op<Axes...>>(x);
}
template <int From, int To, array_like X>
constexpr auto moveaxis(X const& x) {
  static_assert(detail::has_axes<X, From> && detail::has_axes<X, To>, "exprax: moveaxis: an axis is out of range");
  return detail::apply<detail::moveaxis_op<From, To>>(x);
}
template <int A, int B, array_like X>
constexpr auto swapaxes(X const& x) {
  static_assert(detail::has_axes<X, A> && detail::has_axes<X, B>, "exprax: swapaxes: an axis is out of range");
  return detail::apply<detail::swapaxes_op<A, B>>(x);
}
// expand_dims(x, axis<0>): new axes of 1, counted in the result.
template <array_like X, int... Axes>
constexpr auto expand_dims(X const& x, axis_t<Axes...>) {
  static_assert(detail::can_add_axes<X, Axes...>, "exprax: expand_dims: an axis is repeated, or out of range for the result");
  return detail::apply<detail::expand_dims_op<Axes...>>(x);
}
// squeeze(x): without all axes of 1; squeeze(x, axis<0>): without this one.
template <array_like X>
constexpr auto squeeze(X const& x) {
  return detail::apply<detail::squeeze_op<>>(x);
}
template <array_like X, int... Axes>
constexpr auto squeeze(X const& x, axis_t<Axes...>) {
  static_assert(detail::can_squeeze<X, Axes...>, "exprax: squeeze: an axis is repeated or out of range, or its size is not 1");
  return detail::apply<detail::squeeze_op<Axes...>>(x);
}
// flip(x), flip(x, axis<1>): reversed along all or some axes.
template <array_like X>
constexpr auto flip(X const& x) {
  return detail::apply<detail::flip_op<>>(x);
}
template <array_like X, int... Axes>
constexpr auto flip(X const& x, axis_t<Axes...>) {
  static_assert(detail::has_axes<X, Axes...>, "exprax: flip: an axis is repeated or out of range");
  return detail::apply<detail::flip_op<Axes...>>(x);
}
// The same as one equation (jax.lax.rev).
template <array_like X, int... Axes>
constexpr auto rev(X const& x, axis_t<Axes...>) {
  static_assert(detail::has_axes<X, Axes...>, "exprax: rev: an axis is repeated or out of range");
  return detail::apply<detail::rev_op<Axes...>>(x);
}

}  // namespace exprax
