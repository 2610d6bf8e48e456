// SPDX-License-Identifier: BSL-1.0
// What reductions take besides axes: where_(mask), the elements that count (jax.numpy's where=); initial(v), a value that they
// start with; ddof<n>, what variances take from the number of elements; weights(w) of an average. sum, prod, mean, max, min, any
// and all with them.
#pragma once

#include <exprax/base/options.hpp>
#include <exprax/numpy/elementwise/select.hpp>
#include <exprax/numpy/reductions/reductions.hpp>

namespace exprax {

namespace detail {

template <class M>
struct where_option {
  M value;
};
template <class V>
struct initial_option {
  V value;
};
template <class W>
struct weights_option {
  W value;
};
template <class M>
struct mean_option {
  M value;
};
template <class M>
inline constexpr option_word word_of<where_option<M>>{"where_(mask)"};
template <class V>
inline constexpr option_word word_of<initial_option<V>>{"initial(v)"};
template <class W>
inline constexpr option_word word_of<weights_option<W>>{"weights(w)"};
template <class M>
inline constexpr option_word word_of<mean_option<M>>{"mean_(m)"};

}  // namespace detail

// Of a reduction: only elements where the mask is true count; it broadcasts to the array (where= of jax.numpy).
inline constexpr struct where__function {
  template <array_like M>
  constexpr detail::where_option<M> operator()(M const& mask) const {
    return {mask};
  }
} where_{};
// Of a reduction: the value that it starts with, a scalar (initial= of jax.numpy).
inline constexpr struct initial_function {
  template <array_like V>
  constexpr detail::initial_option<V> operator()(V const& value) const {
    return {value};
  }
} initial{};
// Of average: how much each element counts (weights= of jax.numpy).
inline constexpr struct weights_function {
  template <array_like W>
  constexpr detail::weights_option<W> operator()(W const& w) const {
    return {w};
  }
} weights{};
// Of var, std, nanvar and nanstd: the mean from which the distances are taken (jax.numpy's mean=); it broadcasts to the array.
inline constexpr struct mean__function {
  template <array_like M>
  constexpr detail::mean_option<M> operator()(M const& mean) const {
    return {mean};
  }
} mean_{};
template <int N>
struct ddof_t {};
// Of var and std: the divisor is the number of elements less n ("delta degrees of freedom", correction).
template <int N>
inline constexpr ddof_t<N> ddof{};

// max and min under their other names (jax.numpy.amax, amin).
inline constexpr struct amax_function {
  template <array_like X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    EXPRAX_TAKES("amax", "axis<...>, keepdims, initial(v), where_(mask)", O...) return exprax::max(x, options...);
    else return x;
  }
} amax{};
inline constexpr struct amin_function {
  template <array_like X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    EXPRAX_TAKES("amin", "axis<...>, keepdims, initial(v), where_(mask)", O...) return exprax::min(x, options...);
    else return x;
  }
} amin{};

namespace detail {

template <int N>
inline constexpr option_word word_of<ddof_t<N>>{"ddof<n>"};

// Which tags have a value, and the same tag with another.
template <class O>
struct value_tag {
  static constexpr bool has = false;
};
template <class M>
struct value_tag<where_option<M>> {
  static constexpr bool has = true;
  using type = M;
  template <class U>
  using with = where_option<U>;
};
template <class V>
struct value_tag<initial_option<V>> {
  static constexpr bool has = true;
  using type = V;
  template <class U>
  using with = initial_option<U>;
};
template <class W>
struct value_tag<weights_option<W>> {
  static constexpr bool has = true;
  using type = W;
  template <class U>
  using with = weights_option<U>;
};
template <class M>
struct value_tag<mean_option<M>> {
  static constexpr bool has = true;
  using type = M;
  template <class U>
  using with = mean_option<U>;
};

template <class M, class... Rest>
struct reduction_tags<where_option<M>, Rest...> : reduction_tags<Rest...> {};
template <class V, class... Rest>
struct reduction_tags<initial_option<V>, Rest...> : reduction_tags<Rest...> {};
template <class W, class... Rest>
struct reduction_tags<weights_option<W>, Rest...> : reduction_tags<Rest...> {};
template <class M, class... Rest>
struct reduction_tags<mean_option<M>, Rest...> : reduction_tags<Rest...> {};
template <int N, class... Rest>
struct reduction_tags<ddof_t<N>, Rest...> : reduction_tags<Rest...> {};

// The tag of one kind among options, as a tuple of it or of nothing.
template <template <class> class Kind>
constexpr std::tuple<> find_tag() {
  return {};
}
template <template <class> class Kind, class O, class... Rest>
constexpr auto find_tag(O const& o, Rest const&... rest) {
  if constexpr (is_of_kind<O, Kind>) return std::tuple<O>(o);
  else return find_tag<Kind>(rest...);
}
template <class... O>
inline constexpr int ddof_of = 0;
template <int N, class... Rest>
inline constexpr int ddof_of<ddof_t<N>, Rest...> = N;
template <class First, class... Rest>
inline constexpr int ddof_of<First, Rest...> = ddof_of<Rest...>;

// Body{}(x, options...) on traced values; on arrays as a program, whose inputs are x and the values of the options.
template <class Body, class... O>
struct body_with_options {
  template <class X, class... V>
  constexpr auto operator()(X const& x, V const&... values) const {
    return run(x, std::tuple<V const&...>(values...), std::index_sequence_for<O...>{});
  }

 private:
  static constexpr int before(std::size_t i) {
    bool const has[] = {value_tag<O>::has..., false};
    int n = 0;
    for (std::size_t k = 0; k < i; ++k) n += has[k];
    return n;
  }
  template <class Option, int I, class Values>
  static constexpr auto option(Values const& values) {
    if constexpr (value_tag<Option>::has) {
      using V = std::remove_cvref_t<std::tuple_element_t<static_cast<std::size_t>(I), Values>>;
      return typename value_tag<Option>::template with<V>{std::get<static_cast<std::size_t>(I)>(values)};
    } else {
      return Option{};
    }
  }
  template <class X, class Values, std::size_t... I>
  static constexpr auto run(X const& x, Values const& values, std::index_sequence<I...>) {
    return Body{}(x, option<O, before(I)>(values)...);
  }
};
template <class O>
constexpr auto option_values(O const& o) {
  if constexpr (value_tag<O>::has) return std::tuple<typename value_tag<O>::type>(o.value);
  else return std::tuple<>();
}
template <class Body, class X, class... O>
constexpr auto apply_with_options(X const& x, O const&... options) {
  return std::apply([&](auto const&... values) { return apply<body_with_options<Body, O...>>(x, values...); },
                    std::tuple_cat(option_values(options)...));
}

// a where the mask is true, else a value that changes nothing.
template <tracer A, class... O>
constexpr auto masked(A const& a, strong_t<typename A::dtype_type> otherwise, O const&... options) {
  if constexpr (has_tag<where_option, O...>)
    return where(std::get<0>(find_tag<where_option>(options...)).value, a, literal<typename A::dtype_type>(otherwise));
  else return a;
}
template <prim P, tracer R, class... O>
constexpr auto started(R const& r, O const&... options) {
  if constexpr (has_tag<initial_option, O...>) {
    using T = typename R::dtype_type;
    return record_binary<P, T, T>(as_expr<T>(std::get<0>(find_tag<initial_option>(options...)).value), r);
  } else {
    return r;
  }
}

template <prim P, prim Combine>
struct sum_body {
  template <operand X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    using type = typename named_dtype<O...>::template or_else<accumulator_t<type_in<X>>>;
    using computed = summed_in_t<type, O...>;
    auto const a = masked(as_expr<computed>(as_expr<type>(x)), strong_t<computed>(Combine == prim::mul ? 1 : 0), options...);
    if constexpr (is_bool(dtype_of<type>))
      return started < Combine == prim::mul ? prim::and_ : prim::or_ > (reduced<of_bools(P), reduction_tags<O...>>(a), options...);
    else return as_expr<type>(started<Combine>(reduced<P, reduction_tags<O...>>(a), options...));
  }
};
template <prim P, prim PBool, prim Combine, prim CombineBool>
struct extremum_body {
  template <operand X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    using type = strong_t<type_in<X>>;
    constexpr bool of_bools = is_bool(dtype_of<type>);
    auto const a = masked(as_expr<type>(x), worst<type>(), options...);
    return started<of_bools ? CombineBool : Combine>(reduced<of_bools ? PBool : P, reduction_tags<O...>>(a), options...);
  }

 private:
  template <class T>
  static constexpr T worst() {
    using limits = std::numeric_limits<T>;
    if constexpr (is_bool(dtype_of<T>)) return Combine == prim::min;
    else if constexpr (is_half(dtype_of<T>))
      return T(Combine == prim::max ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity());
    else if constexpr (limits::has_infinity) return Combine == prim::max ? -limits::infinity() : limits::infinity();
    else return Combine == prim::max ? limits::lowest() : limits::max();
  }
};
template <prim P>
struct truth_body {
  template <operand X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    return reduced<P, reduction_tags<O...>>(masked(as_expr<bool>(x), P == prim::reduce_and, options...));
  }
};
// How many elements count, as T: a number, or where there is a mask a sum of it.
template <class T, tracer X, class... O>
constexpr auto counted_elements(X const&, [[maybe_unused]] O const&... options) {
  if constexpr (has_tag<where_option, O...>) {
    auto const mask =
        where(std::get<0>(find_tag<where_option>(options...)).value, broadcast_shape<shape_in<X>>(literal<T>(T(1))), literal<T>(T(0)));
    return reduced<prim::reduce_sum, reduction_tags<O...>>(mask);
  } else {
    return static_cast<strong_t<T>>(reduced_shape<X, reduction_tags<O...>>::count);
  }
}
struct mean_body {
  template <operand X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    using result = typename named_dtype<O...>::template or_else<strong_t<inexact_t<type_in<X>>>>;
    using type = summed_in_t<result, O...>;
    auto const a = as_expr<type>(x);
    auto const total = reduced<prim::reduce_sum, reduction_tags<O...>>(masked(a, strong_t<type>(0), options...));
    return as_expr<result>(record_binary<prim::div, type, type>(total, counted_elements<type>(a, options...)));
  }
};

}  // namespace detail

}  // namespace exprax
