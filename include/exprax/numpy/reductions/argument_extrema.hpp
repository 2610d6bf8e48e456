// SPDX-License-Identifier: BSL-1.0
// argmax, argmin, nanargmax, nanargmin (jax.numpy): int32 indices along axis<k>, or of the flattened array.
#pragma once

#include <exprax/numpy/core/named_call.hpp>
#include <exprax/numpy/elementwise/elementwise.hpp>
#include <exprax/numpy/elementwise/select.hpp>
#include <exprax/numpy/shape/shaping.hpp>

namespace exprax {

namespace detail {

template <class... Tags>
struct one_axis_tags;
template <>
struct one_axis_tags<> {
  static constexpr bool has_axis = false, keep = false;
  static constexpr int axis = 0;
};
template <class... Rest>
struct one_axis_tags<keepdims_t, Rest...> : one_axis_tags<Rest...> {
  static constexpr bool keep = true;
};
template <int Axis, class... Rest>
struct one_axis_tags<axis_t<Axis>, Rest...> : one_axis_tags<Rest...> {
  static constexpr bool has_axis = true;
  static constexpr int axis = Axis;
};

template <class X, int Axis>
struct argument_shape {
  static constexpr aval value = aval_in<X>.without_axis(Axis).with_type(dtype_of<default_int>);
};
// All axes, or one, with size 1.
template <class X, class Tags>
struct kept_arguments {
  static constexpr expansion of = [] {
    axis_set s;
    int const axis = normal_axis(Tags::axis, rank_in<X>);
    for (int i = 0; i < rank_in<X>; ++i)
      if (!Tags::has_axis || i == axis) s.of[s.n++] = i;
    return expand(Tags::has_axis ? aval_in<X>.without_axis(axis).with_type(dtype_of<default_int>) : aval(dtype_of<default_int>), s);
  }();
  static constexpr aval value = of.result;
};

template <prim P, class Tags, tracer X>
constexpr auto argument_of(X const& x) {
  auto const r = [&] {
    if constexpr (Tags::has_axis) {
      constexpr int axis = normal_axis(Tags::axis, X::rank);
      int const par[] = {axis, static_cast<int>(dtype_of<default_int>)};
      return detail::bind<expr_from<argument_shape<X, axis>>>(P, par, x);
    } else {
      int const par[] = {0, static_cast<int>(dtype_of<default_int>)};
      return detail::bind<expr<default_int>>(P, par, reshaped<-1>(x));
    }
  }();
  if constexpr (Tags::keep)
    return detail::bind<expr_from<kept_arguments<X, Tags>>>(prim::broadcast_in_dim, kept_arguments<X, Tags>::of.params, r);
  else return r;
}
template <prim P, class Tags>
struct argument_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return argument_of<P, Tags>(as_traced(x));
  }
};

// jax.numpy's _nanargmax: NaN counts as the worst; where all are NaN, -1.
template <prim P, class Tags>
struct nan_argument_body {
  template <tracer X>
  constexpr auto operator()(X const& x) const {
    if constexpr (!is_floating(X::type.type)) {
      return argument_of<P, Tags>(x);
    } else {
      using tags = std::conditional_t<Tags::has_axis, axis_t<Tags::axis>, void>;
      auto const nans = isnan(x);
      constexpr auto worst = P == prim::argmax ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity();
      auto const best = argument_of<P, Tags>(where(nans, worst, x));
      auto const none_left = all_true<tags>(nans);
      return where(none_left, -1, best);
    }
  }

 private:
  template <class Axes, class M>
  static constexpr auto all_true(M const& nans) {
    if constexpr (std::is_void_v<Axes>) {
      if constexpr (Tags::keep) return all(nans, keepdims);
      else return all(nans);
    } else {
      if constexpr (Tags::keep) return all(nans, Axes{}, keepdims);
      else return all(nans, Axes{});
    }
  }
};
template <prim P, class Tags>
struct nan_argument_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return named_call<nan_argument_body<P, Tags>>(P == prim::argmax ? "_nanargmax" : "_nanargmin", x);
  }
};

// Conditions of static_asserts: compilers print the types.
template <class X, class... Tags>
inline constexpr bool has_one_such_axis =
    !one_axis_tags<Tags...>::has_axis ||
    (normal_axis(one_axis_tags<Tags...>::axis, rank_in<X>) >= 0 && normal_axis(one_axis_tags<Tags...>::axis, rank_in<X>) < rank_in<X>);
template <class X, class... Tags>
inline constexpr bool has_elements_there = [] {
  if (!has_one_such_axis<X, Tags...>) return true;
  if (!one_axis_tags<Tags...>::has_axis) return aval_in<X>.size() > 0;
  return aval_in<X>.dims[normal_axis(one_axis_tags<Tags...>::axis, rank_in<X>)] > 0;
}();
template <class X, class... Tags>
inline constexpr bool has_argument = has_one_such_axis<X, Tags...> && has_elements_there<X, Tags...> && !is_complex(aval_in<X>.type);
template <class X>
constexpr void refuse_complex_arguments() {
  static_assert(!is_complex(aval_in<X>.type),
                "exprax: argmax, argmin: complex numbers are not accepted, as in JAX: take ex::real or ex::abs first");
}

}  // namespace detail

// argmax(x), argmin(x): the index of the first NaN, else of the first of the largest or smallest elements, along axis<k> or of all,
// row-major (jax.numpy.argmax, jax.numpy.argmin). int32; with keepdims the axis stays, with size 1. Refused: no elements, complex numbers,
// an axis out of range.
inline constexpr struct argmax_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("argmax", "axis<k>, keepdims", Tags...) {
      detail::refuse_complex_arguments<X>();
      static_assert(detail::has_one_such_axis<X, Tags...>, "exprax: argmax: the axis is out of range for the array");
      static_assert(detail::has_elements_there<X, Tags...>, "exprax: attempt to get argmax of an empty sequence");
      if constexpr (detail::has_argument<X, Tags...>)
        return detail::apply<detail::argument_op<prim::argmax, detail::one_axis_tags<Tags...>>>(x);
      else return x;  // after the error: nothing that leads to others
    } else {
      return x;
    }
  }
} argmax{};
// The same for the smallest (jax.numpy.argmin).
inline constexpr struct argmin_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("argmin", "axis<k>, keepdims", Tags...) {
      detail::refuse_complex_arguments<X>();
      static_assert(detail::has_one_such_axis<X, Tags...>, "exprax: argmin: the axis is out of range for the array");
      static_assert(detail::has_elements_there<X, Tags...>, "exprax: attempt to get argmin of an empty sequence");
      if constexpr (detail::has_argument<X, Tags...>)
        return detail::apply<detail::argument_op<prim::argmin, detail::one_axis_tags<Tags...>>>(x);
      else return x;
    } else {
      return x;
    }
  }
} argmin{};
// nanargmax(x), nanargmin(x): of what is not NaN; -1 where all is NaN (jax.numpy.nanargmax, jax.numpy.nanargmin). Tags and errors as for
// argmax.
inline constexpr struct nanargmax_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("nanargmax", "axis<k>, keepdims", Tags...) {
      detail::refuse_complex_arguments<X>();
      static_assert(detail::has_one_such_axis<X, Tags...>, "exprax: nanargmax: the axis is out of range for the array");
      static_assert(detail::has_elements_there<X, Tags...>, "exprax: attempt to get nanargmax of an empty sequence");
      if constexpr (detail::has_argument<X, Tags...>)
        return detail::apply<detail::nan_argument_op<prim::argmax, detail::one_axis_tags<Tags...>>>(x);
      else return x;
    } else {
      return x;
    }
  }
} nanargmax{};
inline constexpr struct nanargmin_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("nanargmin", "axis<k>, keepdims", Tags...) {
      detail::refuse_complex_arguments<X>();
      static_assert(detail::has_one_such_axis<X, Tags...>, "exprax: nanargmin: the axis is out of range for the array");
      static_assert(detail::has_elements_there<X, Tags...>, "exprax: attempt to get nanargmin of an empty sequence");
      if constexpr (detail::has_argument<X, Tags...>)
        return detail::apply<detail::nan_argument_op<prim::argmin, detail::one_axis_tags<Tags...>>>(x);
      else return x;
    } else {
      return x;
    }
  }
} nanargmin{};

}  // namespace exprax
