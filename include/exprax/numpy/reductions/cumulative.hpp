// SPDX-License-Identifier: BSL-1.0
// Running reductions: cumsum and cumprod (jax.numpy), cummax, cummin and cumlogsumexp (jax.lax). Element i is the sum, product,
// ... of the elements 0 to i along axis<k>; with ex::reverse, of the elements i to the last one. Without an axis the sums and
// products are those of the flattened array, as NumPy's; the others go along axis 0, as lax's. bool is added as int32; with a dtype,
// cumsum(x, float32), the elements become that first. cumulative_sum and cumulative_prod widen small integers as sum does.
// Floats are added in the order that primitives/reductions/cumulative.hpp says: along a last axis of 512 elements or more in blocks of
// eight, as a tree, else one after the other.
#pragma once

#include <exprax/base/options.hpp>
#include <exprax/numpy/core/named_call.hpp>
#include <exprax/numpy/reductions/reductions.hpp>
#include <exprax/numpy/shape/joining.hpp>

namespace exprax {

namespace detail {

template <prim P, class Tags, tracer X>
constexpr X running(X const& x) {
  constexpr int axis = normal_axis(Tags::axis, X::rank);
  constexpr bool in_blocks = P != prim::cumlogsumexp && axis == X::rank - 1 && extent_of<X, axis> >= shortest_in_blocks;
  int const params[] = {axis, Tags::reverse, 1};
  return detail::bind<X>(P, {params, in_blocks ? 3 : 2}, x);
}

// The dtype that is asked for, or that of the elements.
template <class Asked, class T>
using summand_t = typename std::conditional_t<std::is_void_v<Asked>, std::conditional<is_bool(dtype_of<T>), default_int, strong_t<T>>,
                                              std::type_identity<Asked>>::type;

template <prim P, class Tags, class Asked = void>
struct cumulative_body {
  template <tracer X>
  constexpr auto operator()(X const& x) const {
    using type = summand_t<Asked, type_in<X>>;
    auto const rows = [&] {
      if constexpr (Tags::has_axis) return x;
      else return reshaped<-1>(x);
    }();
    if constexpr (is_bool(dtype_of<type>)) return as_expr<bool>(running<P, Tags>(as_expr<default_int>(as_expr<bool>(rows))));
    else return running<P, Tags>(as_expr<type>(rows));
  }
};
// jax.numpy's functions are jit equations; only lax's have `reverse`.
template <prim P, class Tags, class Asked = void>
struct named_cumulative_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    if constexpr (Tags::reverse) return cumulative_body<P, Tags, Asked>{}(as_traced(x));
    else return named_call<cumulative_body<P, Tags, Asked>>(P == prim::cumsum ? "cumsum" : "cumprod", x);
  }
};
// The Array API's functions: with a first element more if Initial.
template <prim P, class Tags, class Asked, bool Initial>
struct cumulative_reduction_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    using type = std::conditional_t<std::is_void_v<Asked>, accumulator_t<type_in<X>>, Asked>;
    auto const r = named_cumulative_op<P, Tags, type>{}(x);
    if constexpr (Initial) {
      constexpr int axis = normal_axis(Tags::axis, rank_in<X>);
      using start = expr_from<resized_shape<std::remove_const_t<decltype(r)>, axis, 1>>;
      auto const first = broadcast_shape<shape_in<start>>(
          constant<expr<type>>(expr_access::get(r), element_patterns(convert_number<type>(P == prim::cumsum ? 0 : 1)).of));
      return joined<axis>(start(first), r);
    } else {
      return r;
    }
  }
};
template <prim P, class Tags>
struct cumulative_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return running<P, Tags>(as_traced(x));
  }
};

struct include_initial_t {};
template <>
inline constexpr option_word word_of<include_initial_t>{"include_initial"};
template <class... Tags>
using running_axis = axis_t<running_tags<Tags...>::axis>;
template <class... Tags>
inline constexpr bool includes_initial = (std::is_same_v<Tags, include_initial_t> || ...);
template <class... Rest>
struct running_tags<include_initial_t, Rest...> : running_tags<Rest...> {};
template <class T, class... Rest>
struct running_tags<dtype_t<T>, Rest...> : running_tags<Rest...> {};

// Conditions of static_asserts: compilers print the types.
template <class X, class... Tags>
inline constexpr bool has_one_way = rank_in<X> == 1 || (running_tags<Tags...>::has_axis && rank_in<X> > 0);
template <class X, class... Tags>
inline constexpr bool goes_along_an_axis = normal_axes<running_tags<Tags...>::axis>(rank_in<X>).valid;
template <class X, class... Tags>
inline constexpr bool has_that_axis = !running_tags<Tags...>::has_axis || goes_along_an_axis<X, Tags...>;
template <class X>
inline constexpr bool is_of_numbers = is_number(aval_in<X>.type);
template <class X>
inline constexpr bool is_of_floats = is_floating(aval_in<X>.type);

}  // namespace detail

// cumulative_sum, cumulative_prod: 0 or 1 comes first.
inline constexpr detail::include_initial_t include_initial{};

// cumsum(x), cumprod(x): running sums and products along axis<k>, in the shape of x, or of all elements, flat (jax.numpy.cumsum,
// jax.numpy.cumprod). With reverse from the end. The dtype of x, bool becomes int32; cumsum(x, float32): that dtype. An axis out of range
// is refused.
inline constexpr struct cumsum_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("cumsum", "axis<k>, dtype_<T>, reverse", Tags...) {
      static_assert(detail::has_that_axis<X, Tags...>, "exprax: cumsum: the axis is out of range for the array");
      if constexpr (detail::has_that_axis<X, Tags...>)
        return detail::apply<detail::named_cumulative_op<prim::cumsum, detail::running_tags<Tags...>, detail::named_dtype_t<Tags...>>>(x);
      else return x;  // after the error: nothing that leads to others
    } else {
      return x;
    }
  }
} cumsum{};
inline constexpr struct cumprod_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("cumprod", "axis<k>, dtype_<T>, reverse", Tags...) {
      static_assert(detail::has_that_axis<X, Tags...>, "exprax: cumprod: the axis is out of range for the array");
      if constexpr (detail::has_that_axis<X, Tags...>)
        return detail::apply<detail::named_cumulative_op<prim::cumprod, detail::running_tags<Tags...>, detail::named_dtype_t<Tags...>>>(x);
      else return x;  // after the error: nothing that leads to others
    } else {
      return x;
    }
  }
} cumprod{};
// cumulative_sum(x), cumulative_prod(x): the same with bool and integers below 32 bits widened as in sum (jax.numpy.cumulative_sum,
// jax.numpy.cumulative_prod). With include_initial 0 or 1 comes first, and the axis is one longer. Refused: scalars, several axes without
// axis<k>, an axis out of range.
inline constexpr struct cumulative_sum_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("cumulative_sum", "axis<k>, dtype_<T>, include_initial", Tags...) {
      using tags = detail::running_tags<detail::running_axis<Tags...>>;
      static_assert(detail::has_one_way<X, Tags...>,
                    "exprax: cumulative_sum: the input must be non-scalar, and the axis is only optional for one-dimensional arrays");
      static_assert(detail::has_that_axis<X, Tags...>, "exprax: cumulative_sum: the axis is out of range for the array");
      if constexpr (detail::has_one_way<X, Tags...> && detail::has_that_axis<X, Tags...>)
        return detail::apply<
            detail::cumulative_reduction_op<prim::cumsum, tags, detail::named_dtype_t<Tags...>, detail::includes_initial<Tags...>>>(x);
      else return x;
    } else {
      return x;
    }
  }
} cumulative_sum{};
inline constexpr struct cumulative_prod_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("cumulative_prod", "axis<k>, dtype_<T>, include_initial", Tags...) {
      using tags = detail::running_tags<detail::running_axis<Tags...>>;
      static_assert(detail::has_one_way<X, Tags...>,
                    "exprax: cumulative_prod: the input must be non-scalar, and the axis is only optional for one-dimensional arrays");
      static_assert(detail::has_that_axis<X, Tags...>, "exprax: cumulative_prod: the axis is out of range for the array");
      if constexpr (detail::has_one_way<X, Tags...> && detail::has_that_axis<X, Tags...>)
        return detail::apply<
            detail::cumulative_reduction_op<prim::cumprod, tags, detail::named_dtype_t<Tags...>, detail::includes_initial<Tags...>>>(x);
      else return x;
    } else {
      return x;
    }
  }
} cumulative_prod{};
// cummax(x), cummin(x): the largest and the smallest element so far, along axis 0 or axis<k>; with reverse from the end (jax.lax.cummax,
// jax.lax.cummin). Shape and dtype of x; NaN from the first NaN on. Refused: an axis out of range, bool.
inline constexpr struct cummax_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("cummax", "axis<k>, reverse", Tags...) {
      static_assert(detail::goes_along_an_axis<X, Tags...>, "exprax: cummax: the axis is out of range for the array");
      static_assert(detail::is_of_numbers<X>, "exprax: cummax: does not accept bool: convert with astype<int>");
      if constexpr (detail::goes_along_an_axis<X, Tags...> && detail::is_of_numbers<X>)
        return detail::apply<detail::cumulative_op<prim::cummax, detail::running_tags<Tags...>>>(x);
      else return x;
    } else {
      return x;
    }
  }
} cummax{};
inline constexpr struct cummin_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("cummin", "axis<k>, reverse", Tags...) {
      static_assert(detail::goes_along_an_axis<X, Tags...>, "exprax: cummin: the axis is out of range for the array");
      static_assert(detail::is_of_numbers<X>, "exprax: cummin: does not accept bool: convert with astype<int>");
      if constexpr (detail::goes_along_an_axis<X, Tags...> && detail::is_of_numbers<X>)
        return detail::apply<detail::cumulative_op<prim::cummin, detail::running_tags<Tags...>>>(x);
      else return x;
    } else {
      return x;
    }
  }
} cummin{};
// log(cumsum(exp(x))), without overflow, along axis 0 or axis<k>; with reverse from the end (jax.lax.cumlogsumexp). Shape and dtype of x.
// Refused: other dtypes than floats, an axis out of range.
inline constexpr struct cumlogsumexp_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("cumlogsumexp", "axis<k>, reverse", Tags...) {
      static_assert(detail::goes_along_an_axis<X, Tags...>, "exprax: cumlogsumexp: the axis is out of range for the array");
      static_assert(detail::is_of_floats<X>, "exprax: cumlogsumexp: the elements must be floats: convert them with ex::astype<float>(x)");
      if constexpr (detail::is_of_floats<X> && detail::goes_along_an_axis<X, Tags...>)
        return detail::apply<detail::cumulative_op<prim::cumlogsumexp, detail::running_tags<Tags...>>>(x);
      else return x;
    } else {
      return x;
    }
  }
} cumlogsumexp{};

}  // namespace exprax
