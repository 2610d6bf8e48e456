// SPDX-License-Identifier: BSL-1.0
// The same elements in another shape (jax.numpy): reshape, ravel, expand_dims, squeeze. Axes are template arguments or
// axis<...>; negative ones count from the end.
#pragma once

#include <exprax/numpy/core/broadcasting.hpp>
#include <exprax/numpy/core/tags.hpp>
#include <exprax/primitives/list.hpp>

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
    return detail::bind<expr_from<expanded_shape<X, Axes...>>>(prim::broadcast_in_dim, expanded_shape<X, Axes...>::of.params, x);
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
    return detail::bind<expr_from<squeezed_shape<X, Axes>>>(prim::squeeze, squeezed_shape<X, Axes>::params, x);
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
    return detail::bind<expr_from<to>>(prim::reshape, to::params, x);
}
template <int... Sizes>
struct reshape_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return reshaped<Sizes...>(as_traced(x));
  }
};

// Conditions of static_asserts: compilers print the types.
template <class X, int... Sizes>
inline constexpr bool reshapes_to = reshaped_shape<X, Sizes...>::fits;
template <class X, int... Axes>
inline constexpr bool can_add_axes = normal_axes<Axes...>(rank_in<X> + static_cast<int>(sizeof...(Axes))).valid;
template <class X, int... Axes>
inline constexpr bool can_squeeze = squeezed_axes<X, Axes...>::value.valid && squeezed_axes<X, Axes...>::ones;

}  // namespace detail

// reshape<6, -1>(x), reshape(x, shape<6, -1>): the elements in row-major order in the shape [6, n]; one size may be -1 (jax.numpy.reshape).
// ravel(x): as a vector (jax.numpy.ravel). Another number of elements is refused.
template <int... Sizes, array_like X>
constexpr auto reshape(X const& x) {
  static_assert(detail::reshapes_to<X, Sizes...>, "exprax: reshape: the number of elements must stay the same");
  return detail::apply<detail::reshape_op<Sizes...>>(x);
}
template <array_like X, int... Sizes>
constexpr auto reshape(X const& x, shape_t<Sizes...>) {
  return reshape<Sizes...>(x);
}
inline constexpr struct ravel_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return reshape<-1>(x);
  }
} ravel{};
// expand_dims(x, axis<0>): new axes of 1, counted in the result, [...] -> [1, ...] (jax.numpy.expand_dims). Axes that are repeated or out
// of range are refused.
inline constexpr struct expand_dims_function {
  template <array_like X, int... Axes>
  constexpr auto operator()(X const& x, axis_t<Axes...>) const {
    static_assert(detail::can_add_axes<X, Axes...>, "exprax: expand_dims: an axis is repeated, or out of range for the result");
    return detail::apply<detail::expand_dims_op<Axes...>>(x);
  }
  EXPRAX_REFUSES_NUMBERS("expand_dims", "an axis is part of a type: write ex::expand_dims(x, ex::axis<0>)")
} expand_dims{};
// squeeze(x): without all axes of 1; squeeze(x, axis<0>): without this one, [1, ...] -> [...] (jax.numpy.squeeze). Refused: axes that are
// repeated, out of range, or not of size 1.
inline constexpr struct squeeze_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::squeeze_op<>>(x);
  }
  template <array_like X, int... Axes>
  constexpr auto operator()(X const& x, axis_t<Axes...>) const {
    static_assert(detail::can_squeeze<X, Axes...>, "exprax: squeeze: an axis is repeated or out of range, or its size is not 1");
    return detail::apply<detail::squeeze_op<Axes...>>(x);
  }
  EXPRAX_REFUSES_NUMBERS("squeeze", "an axis is part of a type: write ex::squeeze(x, ex::axis<0>)")
} squeeze{};

}  // namespace exprax
