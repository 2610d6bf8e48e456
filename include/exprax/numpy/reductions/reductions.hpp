// SPDX-License-Identifier: BSL-1.0
// Reductions (jax.numpy): sum, prod, mean, max, min, any, all over all axes or axis<...>, with keepdims if the reduced
// axes shall stay with size 1. sum and prod of bool and small integers are 32 bits wide (64 with x64
// on); sums, products and means of half numbers are computed in float32. With a dtype, sum(x, float64), the elements become that first.
#pragma once

#include <exprax/numpy/shape/shaping.hpp>

namespace exprax {

namespace detail {

template <class... Tags>
struct reduction_tags;
template <>
struct reduction_tags<> {
  static constexpr bool keep = false;
  template <class X>
  static constexpr axis_set axes = [] {
    axis_set s;
    for (int i = 0; i < rank_in<X>; ++i) s.of[s.n++] = i;
    return s;
  }();
  template <class X>
  static constexpr axis_set named_axes = axes<X>;
};
template <class... Rest>
struct reduction_tags<keepdims_t, Rest...> : reduction_tags<Rest...> {
  static constexpr bool keep = true;
};
template <int... Axes, class... Rest>
struct reduction_tags<axis_t<Axes...>, Rest...> : reduction_tags<Rest...> {
  template <class X>
  static constexpr axis_set axes = sorted(normal_axes<Axes...>(rank_in<X>));
  template <class X>
  static constexpr axis_set named_axes = normal_axes<Axes...>(rank_in<X>);  // in the order of the call
};

template <class T, class... Rest>
struct reduction_tags<dtype_t<T>, Rest...> : reduction_tags<Rest...> {};

// The shape after a reduction, without and with keepdims.
template <class X, class Tags>
struct reduced_shape {
  static constexpr axis_set axes = Tags::template axes<X>;
  static constexpr param_list params = list_of(axes);
  static constexpr aval value = [] {
    aval a(aval_in<X>.type, aval_in<X>.weak);
    for (int i = 0; i < rank_in<X>; ++i)
      if (!axes.has(i)) a.dims[a.rank++] = aval_in<X>.dims[i];
    return a;
  }();
  static constexpr std::ptrdiff_t count = [] {
    std::ptrdiff_t n = 1;
    for (int i = 0; i < axes.n; ++i) n *= aval_in<X>.dims[axes.of[i]];
    return n;
  }();
};
template <class X, class Reduced>
struct kept_shape {
  static constexpr expansion of = expand(Reduced::value, Reduced::axes);
  static constexpr aval value = of.result;
};

template <prim P, class Tags, tracer X>
constexpr auto reduced(X const& x) {
  using shape = reduced_shape<X, Tags>;
  if constexpr (shape::axes.n == 0) {
    return x;
  } else {
    auto const r = detail::bind<expr_from<shape>>(P, shape::params, x);
    if constexpr (Tags::keep)
      return detail::bind<expr_from<kept_shape<X, shape>>>(prim::broadcast_in_dim, kept_shape<X, shape>::of.params, r);
    else
      return r;
  }
}

template <class T, bool Small = (size_of(dtype_of<T>) < static_cast<int>(sizeof(default_int)))>
using accumulator_t =
    std::conditional_t<is_bool(dtype_of<T>) || (Small && is_signed_integer(dtype_of<T>)), default_int,
                       std::conditional_t<Small && is_unsigned_integer(dtype_of<T>), std::make_unsigned_t<default_int>, strong_t<T>>>;
// What sums of T are computed in: half numbers are widened first.
template <class T>
using computed_in_t = std::conditional_t<is_half(dtype_of<T>), float, T>;
// And what they are computed in if the call may name a dtype.
template <class T, class... Tags>
using summed_in_t = std::conditional_t<named_dtype<Tags...>::given, T, computed_in_t<T>>;
// The reduction of bool that a sum or a product is.
constexpr prim of_bools(prim p) { return p == prim::reduce_prod ? prim::reduce_and : prim::reduce_or; }

template <prim P, class... Tags>
struct sum_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    using type = typename named_dtype<Tags...>::template or_else<accumulator_t<type_in<X>>>;
    constexpr prim op = is_bool(dtype_of<type>) ? of_bools(P) : P;
    return cast<type>(reduced<op, reduction_tags<Tags...>>(cast<summed_in_t<type, Tags...>>(as_expr<type>(x))));
  }
};
template <prim P, prim PBool, class... Tags>
struct extremum_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return reduced<is_bool(aval_in<X>.type) ? PBool : P, reduction_tags<Tags...>>(as_expr<strong_t<type_in<X>>>(x));
  }
};
template <prim P, class... Tags>
struct truth_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return reduced<P, reduction_tags<Tags...>>(as_expr<bool>(x));
  }
};
template <class... Tags>
struct mean_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    using result = typename named_dtype<Tags...>::template or_else<strong_t<inexact_t<type_in<X>>>>;
    using type = summed_in_t<result, Tags...>;
    constexpr auto count = static_cast<type>(reduced_shape<X, reduction_tags<Tags...>>::count);
    auto const total = reduced<prim::reduce_sum, reduction_tags<Tags...>>(as_expr<type>(x));
    return cast<result>(detail::bind<std::remove_const_t<decltype(total)>>(prim::div, {}, total, lit<type>{count}));
  }
};

template <class Tag>
concept reduction_tag = std::is_same_v<Tag, keepdims_t> || is_axis<Tag> || is_dtype_object<Tag>;

// Conditions of static_asserts: compilers print the types.
template <class X, class... Tags>
inline constexpr bool reduces = reduced_shape<X, reduction_tags<Tags...>>::axes.valid;
template <class X, class... Tags>
inline constexpr bool reduces_something = reduced_shape<X, reduction_tags<Tags...>>::count > 0;

// With tags that have values: numpy/reductions/reduction_options.hpp.
template <prim P, prim Combine>
struct sum_body;
struct mean_body;
template <prim P, prim PBool, prim Combine, prim CombineBool>
struct extremum_body;
template <prim P>
struct truth_body;
template <class Body, class X, class... Options>
constexpr auto apply_with_options(X const& x, Options const&... options);
template <class V>
struct initial_option;
template <class O, template <class> class Kind>
inline constexpr bool is_of_kind = false;
template <class V, template <class> class Kind>
inline constexpr bool is_of_kind<Kind<V>, Kind> = true;
template <template <class> class Kind, class... O>
inline constexpr bool has_tag = (is_of_kind<O, Kind> || ...);

}  // namespace detail

// sum(x), prod(x): over all axes, or axis<...>; these go away, or with keepdims have size 1 (jax.numpy.sum, jax.numpy.prod). where_(mask):
// which elements count, initial(v): a value to start with. bool and integers below 32 bits become int32 or uint32; sum(x, float32): that
// dtype. Refused: an axis that is repeated or out of range.
inline constexpr struct sum_function {
  template <array_like X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    EXPRAX_TAKES("sum", "axis<...>, dtype_<T>, keepdims, initial(v), where_(mask)", O...) {
      static_assert(detail::reduces<X, O...>, "exprax: sum: an axis is repeated, or out of range for the array");
      if constexpr ((detail::reduction_tag<O> && ...)) return detail::apply<detail::sum_op<prim::reduce_sum, O...>>(x);
      else return detail::apply_with_options<detail::sum_body<prim::reduce_sum, prim::add>>(x, options...);
    } else {
      return x;
    }
  }
} sum{};
inline constexpr struct prod_function {
  template <array_like X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    EXPRAX_TAKES("prod", "axis<...>, dtype_<T>, keepdims, initial(v), where_(mask)", O...) {
      static_assert(detail::reduces<X, O...>, "exprax: prod: an axis is repeated, or out of range for the array");
      if constexpr ((detail::reduction_tag<O> && ...)) return detail::apply<detail::sum_op<prim::reduce_prod, O...>>(x);
      else return detail::apply_with_options<detail::sum_body<prim::reduce_prod, prim::mul>>(x, options...);
    } else {
      return x;
    }
  }
} prod{};
// The mean over all axes, or axis<...> (jax.numpy.mean), with keepdims and where_(mask) as for sum. Integers become float32; mean(x,
// float64): that dtype.
// An axis that is repeated or out of range is refused.
inline constexpr struct mean_function {
  template <array_like X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    EXPRAX_TAKES("mean", "axis<...>, dtype_<T>, keepdims, where_(mask)", O...) {
      static_assert(detail::reduces<X, O...>, "exprax: mean: an axis is repeated, or out of range for the array");
      if constexpr ((detail::reduction_tag<O> && ...)) return detail::apply<detail::mean_op<O...>>(x);
      else return detail::apply_with_options<detail::mean_body>(x, options...);
    } else {
      return x;
    }
  }
} mean{};
// max(x), min(x): the largest and the smallest element over all axes, or axis<...>, with the options of sum (jax.numpy.max, jax.numpy.min).
// The dtype of x; NaN if any element is NaN. Refused: no elements or where_(mask) without initial(v), an axis that is repeated or out of
// range.
inline constexpr struct max_function {
  template <array_like X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    EXPRAX_TAKES("max", "axis<...>, keepdims, initial(v), where_(mask)", O...) {
      static_assert(detail::reduces<X, O...>, "exprax: max: an axis is repeated, or out of range for the array");
      static_assert(!(detail::reduction_tag<O> && ...) || detail::reduces_something<X, O...>,
                    "exprax: max: of zero elements there is none (zero-size array to a reduction that has no identity)");
      static_assert(
          (detail::reduction_tag<O> && ...) || detail::has_tag<detail::initial_option, O...>,
          "exprax: reduction operation max does not have an identity, so to use a where mask one has to specify 'initial': ex::initial(v)");
      if constexpr ((detail::reduction_tag<O> && ...))
        return detail::apply<detail::extremum_op<prim::reduce_max, prim::reduce_or, O...>>(x);
      else return detail::apply_with_options<detail::extremum_body<prim::reduce_max, prim::reduce_or, prim::max, prim::or_>>(x, options...);
    } else {
      return x;
    }
  }
} max{};
inline constexpr struct min_function {
  template <array_like X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    EXPRAX_TAKES("min", "axis<...>, keepdims, initial(v), where_(mask)", O...) {
      static_assert(detail::reduces<X, O...>, "exprax: min: an axis is repeated, or out of range for the array");
      static_assert(!(detail::reduction_tag<O> && ...) || detail::reduces_something<X, O...>,
                    "exprax: min: of zero elements there is none (zero-size array to a reduction that has no identity)");
      static_assert(
          (detail::reduction_tag<O> && ...) || detail::has_tag<detail::initial_option, O...>,
          "exprax: reduction operation min does not have an identity, so to use a where mask one has to specify 'initial': ex::initial(v)");
      if constexpr ((detail::reduction_tag<O> && ...))
        return detail::apply<detail::extremum_op<prim::reduce_min, prim::reduce_and, O...>>(x);
      else
        return detail::apply_with_options<detail::extremum_body<prim::reduce_min, prim::reduce_and, prim::min, prim::and_>>(x, options...);
    } else {
      return x;
    }
  }
} min{};
// any(x), all(x): whether any element, or every element, is not zero, over all axes, or axis<...>, as bool (jax.numpy.any, jax.numpy.all),
// with keepdims and where_(mask) as for sum. An axis that is repeated or out of range is refused.
inline constexpr struct any_function {
  template <array_like X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    EXPRAX_TAKES("any", "axis<...>, keepdims, where_(mask)", O...) {
      static_assert(detail::reduces<X, O...>, "exprax: any: an axis is repeated, or out of range for the array");
      if constexpr ((detail::reduction_tag<O> && ...)) return detail::apply<detail::truth_op<prim::reduce_or, O...>>(x);
      else return detail::apply_with_options<detail::truth_body<prim::reduce_or>>(x, options...);
    } else {
      return x;
    }
  }
} any{};
template <class X, class... O>
constexpr auto all_t::operator()(X const& x, O const&... options) const {
  EXPRAX_TAKES("all", "axis<...>, keepdims, where_(mask)", O...) {
    static_assert(detail::reduces<X, O...>, "exprax: all: an axis is repeated, or out of range for the array");
    if constexpr ((detail::reduction_tag<O> && ...)) return detail::apply<detail::truth_op<prim::reduce_and, O...>>(x);
    else return detail::apply_with_options<detail::truth_body<prim::reduce_and>>(x, options...);
  } else {
    return x;
  }
}

}  // namespace exprax
