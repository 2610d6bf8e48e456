// SPDX-License-Identifier: BSL-1.0
// Random orders and choices (jax.random): permutation, shuffle, choice, categorical. Equal to JAX's where no logarithms are in it.
#pragma once

#include <exprax/base/options.hpp>
#include <exprax/numpy/indexing/indexing.hpp>
#include <exprax/numpy/random/random_continuous.hpp>
#include <exprax/numpy/reductions/argument_extrema.hpp>
#include <exprax/numpy/reductions/cumulative.hpp>
#include <exprax/numpy/sorting/sorting.hpp>

namespace exprax {

namespace random {

struct independent_t {};
// permutation: each row along the axis by itself.
inline constexpr independent_t independent{};
struct without_replacement_t {};
// choice, categorical: nothing is chosen twice.
inline constexpr without_replacement_t without_replacement{};

}  // namespace random

namespace detail {

template <>
inline constexpr option_word word_of<random::without_replacement_t>{"without_replacement"};
template <>
inline constexpr option_word word_of<random::independent_t>{"independent"};

// Sorting by words of 32 bits, again and again until equal words are out of question: 3 ln(n) / ln(2^32 - 1) times, rounded up.
constexpr int shuffle_rounds(std::ptrdiff_t n) { return n <= 1 ? 0 : n <= 1625 ? 1 : n <= 2642245 ? 2 : 3; }

template <int Axis>
struct shuffle_tags {
  static constexpr int axis = Axis, keys = 1;
  static constexpr bool stable = true;
};
// Inside of jit[name=_shuffle].
template <int Axis>
struct shuffle_body {
  static constexpr std::string_view name = "_shuffle";
  template <tracer X>
  constexpr X operator()(expr<prng_key> const& key, X const& x) const {
    return rounds<shuffle_rounds(X::size())>(key, x);
  }

 private:
  template <int N, class X>
  static constexpr X rounds(expr<prng_key> const& key, X const& x) {
    if constexpr (N == 0) {
      return x;
    } else {
      auto const keys = split_key<1, 2>(key);
      auto const next = key_at<0>(keys);
      auto const words = random_bits_op<1, std::uint32_t, typename dims_of<shape_in<X>>::type>{}(key_at<1>(keys));
      return rounds<N - 1>(next, std::get<1>(lax_sorted<shuffle_tags<Axis>>(words, x)));
    }
  }
};
template <int Axis, tracer X>
constexpr X shuffled(expr<prng_key> const& key, X const& x) {
  return named_random_op<shuffle_body<Axis>>{}(key, x);
}
template <int N>
constexpr expr<std::int32_t, N> shuffled_numbers(expr<prng_key> const& key) {
  return shuffled<0>(key, broadcasted_iota_near<std::int32_t, 0, N>(key));
}
// Rows of x along an axis, by an array of their numbers.
template <int Axis, tracer X, tracer I>
constexpr auto rows_at(X const& x, I const& rows) {
  return [&]<int... K>(std::integer_sequence<int, K...>) { return x((static_cast<void>(K), all)..., rows); }(std::make_integer_sequence<int, Axis>{});
}

template <int Axis>
struct shuffle_op {
  template <operand K, tracer X>
  constexpr X operator()(K const& key, X const& x) const {
    return shuffled<normal_axis(Axis, X::rank)>(typed_key(key), x);
  }
};
template <int N>
struct permuted_numbers_op {
  template <operand K>
  constexpr auto operator()(K const& key) const {
    return shuffled_numbers<N>(typed_key(key));
  }
};
template <int Axis>
struct permutation_op {
  template <operand K, tracer X>
  constexpr X operator()(K const& key, X const& x) const {
    constexpr int axis = normal_axis(Axis, X::rank);
    auto const typed = typed_key(key);
    if constexpr (X::rank == 1) return shuffled<0>(typed, x);
    else return rows_at<axis>(x, shuffled_numbers<X::extent(axis)>(typed));
  }
};

// The numbers of what is chosen among N, as an array of shape Dims.
template <int N, bool Replace, class Dims>
struct choose_numbers;
template <int N, bool Replace, int... D>
struct choose_numbers<N, Replace, dims<D...>> {
  static constexpr int draws = (1 * ... * D);
  static constexpr auto evenly(expr<prng_key> const& key) {
    if constexpr (Replace) return randint_op<1, std::int32_t, dims<D...>>{}(key, 0, N);
    else return reshape_to(shuffled_numbers<N>(key)(slice<0, draws>));
  }
  template <tracer P>
  static constexpr auto weighted(expr<prng_key> const& key, P const& p) {
    using type = strong_t<inexact_t<type_in<P>>>;
    auto const weights = to_dtype<type>(p);
    if constexpr (Replace) {
      auto const sums = cumsum(weights);
      auto const r = sums(-1) * (1 - unit_uniform<type, dims<D...>>(key));
      return numbers_below(sums, r);
    } else {
      auto const g = named_random_op<gumbel_body<1, type, dims<N>, false>>{}(key) + log(weights);
      return reshape_to(std::get<1>(top_k<draws>(g)));
    }
  }

 private:
  template <class X>
  static constexpr expr<std::int32_t, D...> reshape_to(X const& x) {
    return reshaped<D...>(x);
  }
  // searchsorted: how many of the sums are less.
  template <class S, class R>
  static constexpr expr<std::int32_t, D...> numbers_below(S const& sums, R const& r) {
    auto const column = expand_dims(r, axis<-1>);
    return sum(astype<std::int32_t>(sums < column), axis<-1>);
  }
};
template <bool Replace, int Axis, class Dims>
struct choice_op {
  template <operand K, tracer X>
  constexpr auto operator()(K const& key, X const& x) const {
    constexpr int axis = normal_axis(Axis, X::rank);
    return rows_at<axis>(x, choose_numbers<X::extent(axis), Replace, Dims>::evenly(typed_key(key)));
  }
  template <operand K, tracer X, tracer P>
  constexpr auto operator()(K const& key, X const& x, P const& p) const {
    constexpr int axis = normal_axis(Axis, X::rank);
    return rows_at<axis>(x, choose_numbers<X::extent(axis), Replace, Dims>::weighted(typed_key(key), p));
  }
};
template <int N, bool Replace, class Dims>
struct choice_of_numbers_op {
  template <operand K>
  constexpr auto operator()(K const& key) const {
    return choose_numbers<N, Replace, Dims>::evenly(typed_key(key));
  }
  template <operand K, tracer P>
  constexpr auto operator()(K const& key, P const& p) const {
    return choose_numbers<N, Replace, Dims>::weighted(typed_key(key), p);
  }
};

// categorical: the shape of the samples, whose last axes are those of the logits without the axis of the categories.
template <class L, int Axis, class Dims>
struct categorical_shapes {
  static constexpr int axis = normal_axis(Axis, rank_in<L>), categories = aval_in<L>.dims[axis];
  static constexpr aval batch = aval_in<L>.without_axis(axis);
  static constexpr aval asked = aval_of_dims<Dims>(aval_in<L>.type);
  static constexpr int prefix = Dims::rank == 0 ? 0 : Dims::rank - batch.rank;
  static constexpr bool fits = prefix >= 0 && (Dims::rank == 0 || broadcast(batch, asked).shape.same_shape(asked));
  // Of the gumbel numbers.
  static constexpr aval value = [] {
    aval const samples = Dims::rank == 0 ? batch : asked;
    return samples.with_axis(prefix + axis, categories);
  }();
};
template <bool Replace, int Axis, class Dims>
struct categorical_op {
  template <operand K, tracer L>
  constexpr auto operator()(K const& key, L const& logits) const {
    using type = strong_t<type_in<L>>;
    using shapes = categorical_shapes<L, Axis, Dims>;
    if constexpr (Replace) {
      auto const g = named_random_op<gumbel_body<1, type, typename dims_of<shapes>::type, false>>{}(typed_key(key));
      return argmax(add(g, logits), axis<shapes::prefix + shapes::axis>);
    } else {
      constexpr int n = [] {
        int k = 1;
        for (int i = 0; i < shapes::prefix; ++i) k *= Dims::of[i];
        return k;
      }();
      auto const g = named_random_op<gumbel_body<1, type, typename dims_of<shape_in<L>>::type, false>>{}(typed_key(key));
      auto const best = std::get<1>(top_k<n>(moveaxis<shapes::axis, -1>(add(logits, g))));
      return in_front(moveaxis<-1, 0>(best), Dims{});
    }
  }

 private:
  template <class X, int... D>
  static constexpr auto in_front(X const& x, dims<D...>) {
    return reshaped<D...>(x);
  }
};

template <class... Tags>
struct choice_tags;
template <>
struct choice_tags<> {
  static constexpr bool replace = true, independent = false, has_axis = false;
  static constexpr int axis = 0;
};
template <class... Rest>
struct choice_tags<random::without_replacement_t, Rest...> : choice_tags<Rest...> {
  static constexpr bool replace = false;
};
template <class... Rest>
struct choice_tags<random::independent_t, Rest...> : choice_tags<Rest...> {
  static constexpr bool independent = true;
};
template <int Axis, class... Rest>
struct choice_tags<axis_t<Axis>, Rest...> : choice_tags<Rest...> {
  static constexpr bool has_axis = true;
  static constexpr int axis = Axis;
};

// Conditions of static_asserts: compilers print the types.
template <class X, int Axis>
inline constexpr bool has_rows = normal_axis(Axis, rank_in<X>) >= 0 && normal_axis(Axis, rank_in<X>) < rank_in<X>;
// How many there are to choose from: of a number itself.
template <class X, int Axis>
inline constexpr int population = [] {
  if constexpr (static_constant<X>) return static_cast<int>(X::value);
  else if constexpr (has_rows<X, Axis>) return aval_in<X>.dims[normal_axis(Axis, rank_in<X>)];
  else return -1;
}();
template <class X, int Axis, bool Replace, int Draws>
inline constexpr bool can_choose = population<X, Axis> > 0 && (Replace || Draws <= population<X, Axis>);

}  // namespace detail

namespace random {

// x in a random order along axis<k> (0): whole rows together, or with ex::random::independent each row by itself; shape and dtype of x. Of
// ex::static_<n> the numbers 0 to n - 1: int32[n]. Refused: an axis out of range (jax.random.permutation).
template <array_like K, array_like X, class... Tags>
constexpr auto permutation(K const& key, X const& x, Tags...) {
  EXPRAX_TAKES("random::permutation", "axis<k>, independent", Tags...) {
    using tags = detail::choice_tags<Tags...>;
    if constexpr (detail::static_constant<X>) {
      return detail::with_key<detail::permuted_numbers_op<static_cast<int>(X::value)>>(key);
    } else {
      static_assert(detail::has_rows<X, tags::axis>, "exprax: random::permutation: needs an array with that axis, or ex::static_<n> for the numbers below n");
      if constexpr (!detail::has_rows<X, tags::axis>) return x;
      else if constexpr (tags::independent) return detail::with_key<detail::shuffle_op<tags::axis>>(key, x);
      else return detail::with_key<detail::permutation_op<tags::axis>>(key, x);
    }
  } else {
    return x;
  }
}
// permutation with ex::random::independent: the elements in a random order along axis<k> (0), each row by itself (as
// jax.random.permutation with independent=True).
template <array_like K, array_like X, class... Tags>
constexpr auto shuffle(K const& key, X const& x, Tags... tags) {
  EXPRAX_TAKES("random::shuffle", "axis<k>", Tags...) return permutation(key, x, independent, tags...);
  else return x;
}

// Dims... random rows of x along axis<k> (0), or numbers below n for ex::static_<n>, int32; with ex::random::without_replacement none
// twice. The axis is replaced by Dims; dtype of x. Refused: no rows, an axis out of range, more draws than rows without replacement
// (jax.random.choice).
template <int... Dims, array_like K, array_like X, class... Tags>
constexpr auto choice(K const& key, X const& x, Tags...) {
  EXPRAX_TAKES("random::choice", "axis<k>, without_replacement", Tags...) {
    using tags = detail::choice_tags<Tags...>;
    static_assert(detail::can_choose<X, tags::axis, tags::replace, (1 * ... * Dims)>,
                  "exprax: random::choice: takes an array with that axis, or ex::static_<n>, with at least one row; without replacement, with at least as many as are drawn");
    if constexpr (!detail::can_choose<X, tags::axis, tags::replace, (1 * ... * Dims)>) return x;
    else if constexpr (detail::static_constant<X>) return detail::with_key<detail::choice_of_numbers_op<static_cast<int>(X::value), tags::replace, detail::dims<Dims...>>>(key);
    else return detail::with_key<detail::choice_op<tags::replace, tags::axis, detail::dims<Dims...>>>(key, x);
  } else {
    return x;
  }
}
// The same with a weight for each row, p, which need not have the sum 1. Refused as well: a p that is not a vector with one weight for
// each row.
template <int... Dims, array_like K, array_like X, array_like P, class... Tags>
constexpr auto choice(K const& key, X const& x, P const& p, Tags...) {
  EXPRAX_TAKES("random::choice", "axis<k>, without_replacement", Tags...) {
    using tags = detail::choice_tags<Tags...>;
    constexpr bool fits = detail::can_choose<X, tags::axis, tags::replace, (1 * ... * Dims)> && detail::rank_in<P> == 1 &&
                          detail::aval_in<P>.dims[0] == detail::population<X, tags::axis>;
    static_assert(fits, "exprax: random::choice: p must be a vector with a weight for each row; without replacement there must be as many rows as are drawn");
    if constexpr (!fits) return x;
    else if constexpr (detail::static_constant<X>) return detail::with_key<detail::choice_of_numbers_op<static_cast<int>(X::value), tags::replace, detail::dims<Dims...>>>(key, p);
    else return detail::with_key<detail::choice_op<tags::replace, tags::axis, detail::dims<Dims...>>>(key, x, p);
  } else {
    return x;
  }
}

// The numbers of categories, drawn by the logarithms of their weights along axis<k> (the last one): integers, of the logits' shape without
// this axis, or of shape Dims, which ends in that. Refused: logits that are not floating, a shape that does not end so
// (jax.random.categorical).
template <int... Dims, array_like K, array_like L, class... Tags>
constexpr auto categorical(K const& key, L const& logits, Tags...) {
  EXPRAX_TAKES("random::categorical", "axis<k>, without_replacement", Tags...) {
    using tags = detail::choice_tags<Tags...>;
    constexpr int axis = tags::has_axis ? tags::axis : -1;
    static_assert(is_floating(detail::aval_in<L>.type) && detail::has_rows<L, axis>, "exprax: random::categorical: needs floats with that axis as logits");
    if constexpr (is_floating(detail::aval_in<L>.type) && detail::has_rows<L, axis>) {
      static_assert(detail::categorical_shapes<L, axis, detail::dims<Dims...>>::fits,
                    "exprax: random::categorical: the shape must end in that of the logits without the axis of the categories");
      return detail::with_key<detail::categorical_op<tags::replace, axis, detail::dims<Dims...>>>(key, logits);
    } else return logits;
  } else {
    return logits;
  }
}

}  // namespace random

}  // namespace exprax
