// SPDX-License-Identifier: BSL-1.0
// Broadcasting (jax.numpy.broadcast_to, jax.lax.broadcast_in_dim). Elementwise equations broadcast axes of 1 and scalars
// by themselves; only an operand of lower rank gets leading axes of 1 first.
#pragma once

#include <exprax/numpy/core/operand.hpp>

namespace exprax {

namespace detail {

// "[out shape..., broadcast dimensions...]"; the rest of n is 0.
struct param_list {
  int at[3 * max_rank + 4] = {};
  int n = 0;
  constexpr void push(int i) { at[n++] = i; }
  constexpr operator span<int>() const { return {at, n}; }
};

// The axes of x become the last ones.
constexpr param_list broadcast_params(aval const& out, aval const& x) {
  param_list p;
  for (int i = 0; i < out.rank; ++i) p.push(out.dims[i]);
  for (int i = 0; i < x.rank; ++i) p.push(out.rank - x.rank + i);
  return p;
}

// Shape::value gives the shape of Out; the dtype is x's.
template <class Shape, class X>
struct shaped_as {
  static constexpr aval value = [] {
    aval a = Shape::value;
    return a.with_type(aval_in<X>.type, aval_in<X>.weak);
  }();
};

template <class Shape, class X>
inline constexpr param_list broadcast_params_of = broadcast_params(Shape::value, aval_in<X>);

// jax.lax.broadcast_to. A lit<T> may come as well.
template <class Shape, tracer X>
constexpr decltype(auto) broadcast_shape(X const& x) {
  if constexpr (Shape::value.same_shape(X::type))
    return (x);
  else
    return detail::bind<expr_from<shaped_as<Shape, X>>>(prim::broadcast_in_dim, broadcast_params_of<Shape, X>, x);
}
template <class Shape, class T>
struct literal_shape {
  static constexpr aval value = aval(Shape::value).with_type(dtype_of<T>, is_weak<T>);
};
template <class Shape, class T>
constexpr auto broadcast_shape(lit<T> const& x) {
  return detail::bind<expr_from<literal_shape<Shape, T>>>(prim::broadcast_in_dim, broadcast_params_of<Shape, expr<T>>, x);
}

// Leading axes of 1 up to rank R (jax.lax.broadcast_to_rank).
template <int R, class X>
struct at_rank {
  static constexpr aval value = [] {
    aval a = aval_in<X>;
    while (a.rank < R) a = a.with_axis(0, 1);
    return a;
  }();
};
template <int R, class X>
constexpr decltype(auto) to_rank(X const& x) {
  if constexpr (!tracer<X>)
    return (x);
  else if constexpr (X::rank == R)
    return (x);
  else
    return broadcast_shape<at_rank<R, X>>(x);
}

// The shape in which operands meet.
template <class... X>
struct common_shape;
template <class X>
struct common_shape<X> {
  static constexpr bool fits = true;
  static constexpr aval value = aval_in<X>;
};
template <class A, class B, class... Rest>
struct common_shape<A, B, Rest...> {
  struct first {
    static constexpr aval value = aval_in<A>;
  };
  static constexpr broadcast_result both = broadcast(aval_in<A>, common_shape<B, Rest...>::value);
  static constexpr bool fits = both.fits && common_shape<B, Rest...>::fits;
  static constexpr aval value = both.shape;
};

// Conditions of static_asserts: compilers print the operands' types, and so their shapes.
template <class... X>
inline constexpr bool broadcasts = common_shape<X...>::fits;
template <class X, class Shape>
inline constexpr bool broadcasts_to =
    broadcast(aval_in<X>, Shape::value).fits && broadcast(aval_in<X>, Shape::value).shape.same_shape(Shape::value);

// Two operands of different ranks, neither of them a scalar, or three of which two are so.
constexpr bool needs_ranks(std::initializer_list<int> ranks) {
  int least = max_rank + 1, most = 0;
  for (int r : ranks) {
    if (r == 0) continue;
    least = r < least ? r : least;
    most = r > most ? r : most;
  }
  return least < most;
}

template <int... Dims>
struct shape_value {
  static constexpr aval value{dtype::b1, {Dims...}};
};
template <class X>
struct shape_in {
  static constexpr aval value = aval_in<X>;
};

template <int... Dims>
struct broadcast_to_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return expr<type_in<X>, Dims...>(broadcast_shape<shape_value<Dims...>>(as_traced(x)));
  }
};

}  // namespace detail

// broadcast_to<2, 3>(x): x in the shape [2, 3], in its dtype (jax.numpy.broadcast_to). Counted from the last axis, each axis of x must
// equal that of the result or be 1: anything else is refused.
template <int... Dims, array_like X>
constexpr auto broadcast_to(X const& x) {
  static_assert(detail::broadcasts_to<X, detail::shape_value<Dims...>>,
                "exprax: broadcast_to: the shape does not broadcast to the one asked for: each axis must equal it or be 1");
  return detail::apply<detail::broadcast_to_op<Dims...>>(x);
}
template <array_like X, int... Dims>
constexpr auto broadcast_to(X const& x, shape_t<Dims...>) {
  return broadcast_to<Dims...>(x);
}

}  // namespace exprax
