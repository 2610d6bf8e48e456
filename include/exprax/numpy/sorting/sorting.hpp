// SPDX-License-Identifier: BSL-1.0
// Order: sort, argsort, lexsort (jax.numpy), lax::sort and sort_key_val (jax.lax). Rows along the last axis, or axis<k>.
// Numbers in ascending order, -0 equal to 0, NaN last; equal elements stay in their order.
#pragma once

#include <exprax/api/control/control.hpp>
#include <exprax/base/options.hpp>
#include <exprax/numpy/core/bind_several.hpp>
#include <exprax/numpy/core/creation.hpp>
#include <exprax/numpy/core/named_call.hpp>
#include <exprax/numpy/shape/transpose.hpp>

namespace exprax {

// Equal elements stay in their order: what sorting does anyway. unstable: they need not.
template <bool Stable>
struct stable_t {};
inline constexpr stable_t<true> stable{};
inline constexpr stable_t<false> unstable{};

struct descending_t {};
// The largest first.
inline constexpr descending_t descending{};

template <int N>
struct num_keys_t {};
// lax::sort: how many operands are compared, the first one first.
template <int N>
inline constexpr num_keys_t<N> num_keys{};

namespace detail {

template <>
inline constexpr option_word word_of<stable_t<true>>{"stable", "stable"};
template <>
inline constexpr option_word word_of<stable_t<false>>{"unstable", "stable"};
template <>
inline constexpr option_word word_of<descending_t>{"descending"};
template <int N>
inline constexpr option_word word_of<num_keys_t<N>>{"num_keys<n>"};

template <class... Tags>
struct order_tags;
template <>
struct order_tags<> {
  static constexpr int axis = -1, keys = 1;
  static constexpr bool stable = true, descending = false, flat = false;
};
template <class... Rest>
struct order_tags<none_t, Rest...> : order_tags<Rest...> {
  static constexpr bool flat = true;
};
template <int Axis, class... Rest>
struct order_tags<axis_t<Axis>, Rest...> : order_tags<Rest...> {
  static constexpr int axis = Axis;
};
template <bool Stable, class... Rest>
struct order_tags<stable_t<Stable>, Rest...> : order_tags<Rest...> {
  static constexpr bool stable = Stable;
};
template <class... Rest>
struct order_tags<descending_t, Rest...> : order_tags<Rest...> {
  static constexpr bool descending = true;
};
template <int N, class... Rest>
struct order_tags<num_keys_t<N>, Rest...> : order_tags<Rest...> {
  static constexpr int keys = N;
};

template <class Tags, tracer First, tracer... More>
constexpr auto lax_sorted(First const& x, More const&... more) {
  int const params[] = {normal_axis(Tags::axis, First::rank), Tags::stable, Tags::keys};
  return bind_several<First, More...>(prim::sort, params, {}, x, more...);
}

template <class X>
struct as_indices {
  static constexpr aval value = aval_in<X>.with_type(dtype::i32);
};
// 0, 1, 2, ... along an axis.
template <class X>
constexpr auto indices_like(X const& x, int axis) {
  using out = expr_from<as_indices<X>>;
  arena<int> params;
  params.push(static_cast<int>(dtype::i32));
  params.push(axis);
  for (int i = 0; i < X::rank; ++i) params.push(X::type.dims[i]);
  handle const h = resolve(expr_access::get(x));
  int const type = h.on->find_static_type(out::type);
  return expr_access::make<out>(h.on, h.on->record(prim::iota, {}, params, {&type, 1}));
}
template <tracer X>
constexpr X reversed(X const& x, int axis) {
  return detail::bind<X>(prim::rev, {&axis, 1}, x);
}

template <class Tags>
struct sort_body {
  template <tracer X>
  constexpr X operator()(X const& x) const {
    auto const sorted = std::get<0>(lax_sorted<Tags>(x));
    if constexpr (Tags::descending) return reversed(sorted, normal_axis(Tags::axis, X::rank));
    else return sorted;
  }
};
template <class Tags>
struct sort_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    if constexpr (Tags::flat) return named_call<sort_body<Tags>>("sort", reshaped<-1>(as_traced(x)));
    else return named_call<sort_body<Tags>>("sort", x);
  }
};

// Descending and stable: the row is reversed, so that equal elements are in order when the result is reversed again.
template <class Tags>
struct argsort_body {
  template <tracer X>
  constexpr auto operator()(X const& x) const {
    constexpr int axis = normal_axis(Tags::axis, X::rank);
    auto const indices = indices_like(x, axis);
    if constexpr (Tags::descending && Tags::stable)
      return reversed(std::get<1>(lax_sorted<Tags>(reversed(x, axis), reversed(indices, axis))), axis);
    else if constexpr (Tags::descending) return reversed(std::get<1>(lax_sorted<Tags>(x, indices)), axis);
    else return std::get<1>(lax_sorted<Tags>(x, indices));
  }
};
template <class Tags>
struct argsort_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    if constexpr (Tags::flat) return named_call<argsort_body<Tags>>("argsort", reshaped<-1>(as_traced(x)));
    else return named_call<argsort_body<Tags>>("argsort", x);
  }
};

// Keys from the first to the last one that counts.
template <class Tags>
struct lexsort_body {
  template <tracer... X>
  constexpr auto operator()(X const&... keys) const {
    return with(std::tuple<X...>(keys...), std::index_sequence_for<X...>{});
  }

 private:
  template <int N>
  struct tags_for : Tags {
    static constexpr int keys = N;
  };
  template <class Keys, std::size_t... I>
  static constexpr auto with(Keys const& keys, std::index_sequence<I...>) {
    constexpr std::size_t n = sizeof...(I);
    auto const& last = std::get<n - 1>(keys);
    auto const indices = indices_like(last, normal_axis(Tags::axis, std::remove_cvref_t<decltype(last)>::rank));
    return std::get<n>(lax_sorted<tags_for<static_cast<int>(n)>>(std::get<n - 1 - I>(keys)..., indices));
  }
};
template <class Tags>
struct lexsort_op {
  template <operand... X>
  constexpr auto operator()(X const&... keys) const {
    return named_call<lexsort_body<Tags>>("lexsort", keys...);
  }
};

template <class Tags>
struct lax_sort_op {
  template <operand... X>
  constexpr auto operator()(X const&... x) const {
    if constexpr (sizeof...(X) == 1) return std::get<0>(lax_sorted<Tags>(as_traced(x)...));
    else return lax_sorted<Tags>(as_traced(x)...);
  }
};

// Conditions of static_asserts: compilers print the types.
template <class X, int Axis>
inline constexpr bool has_axis_of_rows = normal_axis(Axis, rank_in<X>) >= 0 && normal_axis(Axis, rank_in<X>) < rank_in<X>;
template <class First, class... More>
inline constexpr bool are_of_one_shape = (aval_in<First>.same_shape(aval_in<More>) && ...);
template <int Keys, class... X>
inline constexpr bool has_keys = Keys >= 1 && Keys <= static_cast<int>(sizeof...(X));

}  // namespace detail

// x in ascending order along axis<k> (the last one), or the reverse of it with ex::descending; with ex::none of the flattened array. Shape
// and dtype stay. Complex numbers by real, then imaginary parts. Refused: an axis out of range (jax.numpy.sort).
inline constexpr struct sort_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("sort", "axis<k>, none, stable, unstable, descending", Tags...) {
      using tags = detail::order_tags<Tags...>;
      static_assert(tags::flat || detail::has_axis_of_rows<X, tags::axis>, "exprax: sort: the axis is out of range for the array");
      if constexpr (tags::flat || detail::has_axis_of_rows<X, tags::axis>) return detail::apply<detail::sort_op<tags>>(x);
      else return x;  // after the error: nothing that leads to others
    } else {
      return x;
    }
  }
} sort{};
// x sorted along the last axis, by real, then by imaginary parts: x's shape, complex64, of double complex128 (jax.numpy.sort_complex).
inline constexpr struct sort_complex_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    using type = strong_t<detail::type_in<X>>;
    using real = std::conditional_t<is_inexact(dtype_of<type>), type, float>;
    if constexpr (is_complex(dtype_of<real>)) return sort(x);
    else return astype<detail::complex_of_t<std::conditional_t<std::is_same_v<real, double>, double, float>>>(sort(x));
  }
} sort_complex{};
// The indices that sort: int32, of x's shape, or [size] with ex::none. Equal elements stay in their order, unless ex::unstable is given.
// Refused: an axis out of range (jax.numpy.argsort).
inline constexpr struct argsort_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("argsort", "axis<k>, none, stable, unstable, descending", Tags...) {
      using tags = detail::order_tags<Tags...>;
      static_assert(tags::flat || detail::has_axis_of_rows<X, tags::axis>, "exprax: argsort: the axis is out of range for the array");
      if constexpr (tags::flat || detail::has_axis_of_rows<X, tags::axis>) return detail::apply<detail::argsort_op<tags>>(x);
      else return x;
    } else {
      return x;
    }
  }
} argsort{};
// The indices that sort by several keys of one shape, the last of which counts first: lexsort(std::tuple(a, b)) sorts by b, then by a.
// int32, of the keys' shape. Refused: keys of different shapes, an axis out of range (jax.numpy.lexsort).
inline constexpr struct lexsort_function {
  template <array_like... X, class... Tags>
  constexpr auto operator()(std::tuple<X...> const& keys, Tags...) const {
    EXPRAX_TAKES("lexsort", "axis<k>", Tags...) {
      using tags = detail::order_tags<Tags...>;
      static_assert(detail::are_of_one_shape<X...>, "exprax: lexsort: all keys must have one shape");
      static_assert((detail::has_axis_of_rows<X, tags::axis> && ...), "exprax: lexsort: the axis is out of range for the keys");
      if constexpr (detail::are_of_one_shape<X...> && (detail::has_axis_of_rows<X, tags::axis> && ...))
        return std::apply([](auto const&... key) { return detail::apply<detail::lexsort_op<tags>>(key...); }, keys);
      else return keys;
    } else {
      return std::get<0>(keys);
    }
  }
} lexsort{};

namespace lax {

// Arrays of one shape sorted along axis<k> (the last one) by the first of them, or by the first num_keys<n>; the others go with them. An
// array for one, a tuple for several; shapes and dtypes stay. Refused: different shapes, an axis or n out of range (jax.lax.sort,
// StableHLO sort).
template <array_like X, class... Tags>
constexpr auto sort(X const& x, Tags...) {
  EXPRAX_TAKES("lax::sort", "axis<k>, stable, unstable, num_keys<n>", Tags...) {
    using tags = detail::order_tags<Tags...>;
    static_assert(detail::has_axis_of_rows<X, tags::axis>, "exprax: sort: the axis is out of range for the array");
    if constexpr (detail::has_axis_of_rows<X, tags::axis>) return detail::apply<detail::lax_sort_op<tags>>(x);
    else return x;
  } else {
    return x;
  }
}
template <array_like... X, class... Tags>
constexpr auto sort(std::tuple<X...> const& operands, Tags...) {
  EXPRAX_TAKES("lax::sort", "axis<k>, stable, unstable, num_keys<n>", Tags...) {
    using tags = detail::order_tags<Tags...>;
    static_assert(detail::are_of_one_shape<X...>, "exprax: sort: all operands must have one shape");
    static_assert((detail::has_axis_of_rows<X, tags::axis> && ...), "exprax: sort: the axis is out of range for the operands");
    static_assert(detail::has_keys<tags::keys, X...>, "exprax: sort: num_keys<n> must be between 1 and the number of operands");
    if constexpr (detail::are_of_one_shape<X...> && (detail::has_axis_of_rows<X, tags::axis> && ...) && detail::has_keys<tags::keys, X...>)
      return std::apply([](auto const&... x) { return detail::apply<detail::lax_sort_op<tags>>(x...); }, operands);
    else return operands;
  } else {
    return operands;
  }
}

}  // namespace lax

// (keys, values), both sorted by the keys along axis<k> (the last one). Shapes, which must be equal, and dtypes stay
// (jax.lax.sort_key_val).
inline constexpr struct sort_key_val_function {
  template <array_like K, array_like V, class... Tags>
  constexpr auto operator()(K const& keys, V const& values, Tags... tags) const {
    EXPRAX_TAKES("sort_key_val", "axis<k>, stable, unstable", Tags...) return lax::sort(std::tuple<K, V>(keys, values), tags...);
    else return std::tuple(keys, values);
  }
} sort_key_val{};

}  // namespace exprax
