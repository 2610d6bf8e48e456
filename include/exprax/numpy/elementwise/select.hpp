// SPDX-License-Identifier: BSL-1.0
// Choices of each element: where, clip (jax.numpy), select and select_n (jax.lax).
#pragma once

#include <exprax/numpy/core/named_call.hpp>
#include <exprax/numpy/elementwise/arithmetic.hpp>

namespace exprax {

namespace detail {

template <class T, class... X>
struct common_as {
  static constexpr aval value = aval(common_shape<X...>::value).with_type(dtype_of<T>, is_weak<T>);
};

// Inside of jit[name=_where].
struct where_body {
  template <tracer C, tracer X, tracer Y>
  constexpr auto operator()(C const& condition, X const& x, Y const& y) const {
    using type = promote_t<type_in<X>, type_in<Y>>;
    auto&& which = to_bool(condition);
    auto&& a = cast<type>(x);
    auto&& b = cast<type>(y);
    // A scalar condition needs no broadcasting.
    using out = std::conditional_t<C::rank == 0, common_as<type, X, Y>, common_as<type, C, X, Y>>;
    auto&& c = broadcast_condition<out>(which);
    auto&& p = broadcast_shape<out>(a);
    auto&& q = broadcast_shape<out>(b);
    return detail::bind<expr_from<out>>(prim::select_n, {}, c, q, p);
  }

 private:
  template <class Out, class C>
  static constexpr decltype(auto) broadcast_condition(C const& c) {
    if constexpr (C::rank == 0)
      return (c);
    else
      return broadcast_shape<Out>(c);
  }
};
struct where_op {
  template <operand C, operand X, operand Y>
  constexpr auto operator()(C const& condition, X const& x, Y const& y) const {
    return named_call<where_body>("_where", condition, x, y);
  }
};

struct clip_body {
  template <tracer X, tracer Low, tracer High>
  constexpr auto operator()(X const& x, Low const& low, High const& high) const {
    return minimum(high, maximum(low, x));
  }
};
struct clip_op {
  template <operand X, operand Low, operand High>
  constexpr auto operator()(X const& x, Low const& low, High const& high) const {
    return named_call<clip_body>("clip", x, low, high);
  }
};
// With one bound.
template <bool Low>
struct clip_one_body {
  template <tracer X, tracer Bound>
  constexpr auto operator()(X const& x, Bound const& bound) const {
    if constexpr (Low) return maximum(bound, x);
    else return minimum(bound, x);
  }
};
template <bool Low>
struct clip_one_op {
  template <operand X, operand Bound>
  constexpr auto operator()(X const& x, Bound const& bound) const {
    return named_call<clip_one_body<Low>>("clip", x, bound);
  }
};

// The cases as they are: lax does not promote.
struct select_n_op {
  template <tracer Which, tracer X, tracer... More>
  constexpr X operator()(Which const& which, X const& x, More const&... more) const {
    static_assert((std::is_same_v<X, More> && ...), "exprax: select_n: the cases must have equal shapes and dtypes");
    static_assert(is_bool(Which::type.type) || Which::type.type == dtype::i32, "exprax: select_n: `which` must be bool or int32");
    static_assert(!is_bool(Which::type.type) || sizeof...(More) == 1, "exprax: select_n: a bool `which` chooses between two cases");
    static_assert(Which::rank == 0 || Which::type.same_shape(X::type),
                  "exprax: select_n: `which` must be a scalar or have the shape of the cases");
    return detail::bind<X>(prim::select_n, {}, which, x, more...);
  }
};
// Conditions of static_asserts: compilers print the types.
template <class X, class Y>
inline constexpr bool have_equal_shapes = aval_in<X>.same_shape(aval_in<Y>);
template <class X, class Y>
inline constexpr bool have_equal_dtypes = aval_in<X>.type == aval_in<Y>.type || aval_in<X>.weak || aval_in<Y>.weak;
template <class Which, class X>
inline constexpr bool chooses_among = rank_in<Which> == 0 || aval_in<Which>.same_shape(aval_in<X>);

template <class... X>
inline constexpr bool has_order = !(is_complex(aval_in<X>.type) || ...);

struct select_op {
  template <operand Which, operand X, operand Y>
  constexpr auto operator()(Which const& which, X const& on_true, Y const& on_false) const {
    using type = promote_t<type_in<X>, type_in<Y>>;
    auto&& x = as_expr<type>(on_true);
    auto&& y = as_expr<type>(on_false);
    return select_n_op{}(as_traced(which), y, x);
  }
};

}  // namespace detail

// x where the condition holds (a number: is not 0), y elsewhere (jax.numpy.where). Shapes broadcast, the dtypes of x and y are promoted.
inline constexpr struct where_function {
  template <array_like C, array_like X, array_like Y>
  constexpr auto operator()(C const& condition, X const& x, Y const& y) const {
    static_assert(detail::broadcasts<C, X, Y>, EXPRAX_SHAPES("where"));
    return detail::apply<detail::where_op>(condition, x, y);
  }
  // With one argument nonzero (numpy/indexing/nonzero.hpp).
  template <array_like X, class... Options>
  constexpr auto operator()(X const& x, Options const&... options) const;
} where{};
// clip(x, low, high), clip(x, low), clip(x, none, high): x limited to [low, high] (jax.numpy.clip); ex::none, or nothing: no such bound.
// Where low is above high the result is high. Shapes broadcast, dtypes are promoted; complex numbers are refused.
inline constexpr struct clip_function {
  template <array_like X, array_like Low, array_like High>
  constexpr auto operator()(X const& x, Low const& low, High const& high) const {
    static_assert(detail::broadcasts<X, Low, High>, EXPRAX_SHAPES("clip"));
    static_assert(detail::has_order<X, Low, High>,
                  "exprax: clip: complex values have no ordering and cannot be clipped: take ex::real or ex::imag first");
    if constexpr (detail::broadcasts<X, Low, High> && detail::has_order<X, Low, High>) return detail::apply<detail::clip_op>(x, low, high);
    else return x;  // after the error: nothing that leads to others
  }
  template <array_like X, array_like Low>
  constexpr auto operator()(X const& x, Low const& low, none_t = none) const {
    static_assert(detail::broadcasts<X, Low>, EXPRAX_SHAPES("clip"));
    static_assert(detail::has_order<X, Low>,
                  "exprax: clip: complex values have no ordering and cannot be clipped: take ex::real or ex::imag first");
    if constexpr (detail::broadcasts<X, Low> && detail::has_order<X, Low>) return detail::apply<detail::clip_one_op<true>>(x, low);
    else return x;
  }
  template <array_like X, array_like High>
  constexpr auto operator()(X const& x, none_t, High const& high) const {
    static_assert(detail::broadcasts<X, High>, EXPRAX_SHAPES("clip"));
    static_assert(detail::has_order<X, High>,
                  "exprax: clip: complex values have no ordering and cannot be clipped: take ex::real or ex::imag first");
    if constexpr (detail::broadcasts<X, High> && detail::has_order<X, High>) return detail::apply<detail::clip_one_op<false>>(x, high);
    else return x;
  }
  template <array_like X>
  constexpr auto operator()(X const& x, none_t = none, none_t = none) const {
    return x;
  }
} clip{};
// One of two values of the same shape and dtype (jax.lax.select): no broadcasting, no promotion but of C++ numbers. Refused: shapes or
// dtypes that differ, a predicate that is neither a scalar nor of that shape.
template <array_like Which, array_like X, array_like Y>
constexpr auto select(Which const& which, X const& on_true, Y const& on_false) {
  static_assert(detail::have_equal_shapes<X, Y>, "exprax: select: the cases must have equal shapes: it does not broadcast, ex::where does");
  static_assert(detail::have_equal_dtypes<X, Y>, "exprax: select: the cases must have equal dtypes: it does not promote, ex::where does");
  static_assert(detail::chooses_among<Which, X>, "exprax: select: the predicate must be a scalar or have the shape of the cases");
  if constexpr (detail::have_equal_shapes<X, Y> && detail::have_equal_dtypes<X, Y> && detail::chooses_among<Which, X>)
    return detail::apply<detail::select_op>(which, on_true, on_false);
  else return on_true;  // after the error: nothing that leads to others
}
// Case number `which`; false is case 0 (jax.lax.select_n). `which` is bool or int32, a scalar or of the shape of the cases. Refused: other
// dtypes and shapes, cases that differ in shape or dtype, a bool for more than two cases.
inline constexpr struct select_n_function {
  template <array_like Which, array_like... X>
  constexpr auto operator()(Which const& which, X const&... cases) const {
    return detail::apply<detail::select_n_op>(which, cases...);
  }
} select_n{};

}  // namespace exprax
