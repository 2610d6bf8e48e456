// SPDX-License-Identifier: BSL-1.0
// Random choices (jax.random): choice, categorical. Equal to JAX's where no logarithms are in it.
#pragma once

#include <exprax/base/options.hpp>
#include <exprax/numpy/indexing/indexing.hpp>
#include <exprax/numpy/random/random_continuous.hpp>
#include <exprax/numpy/random/random_integers.hpp>
#include <exprax/numpy/random/random_permutation.hpp>
#include <exprax/numpy/reductions/argument_extrema.hpp>
#include <exprax/numpy/reductions/cumulative.hpp>
#include <exprax/numpy/sorting/sorting.hpp>

namespace exprax {

namespace detail {

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

// Conditions of static_asserts: compilers print the types.
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

// Dims... random rows of x along axis<k> (0), or numbers below n for ex::static_<n>, int32; with ex::random::without_replacement none
// twice. The axis is replaced by Dims; dtype of x. Refused: no rows, an axis out of range, more draws than rows without replacement
// (jax.random.choice).
template <int... Dims, array_like K, array_like X, class... Tags>
constexpr auto choice(K const& key, X const& x, Tags...) {
  EXPRAX_TAKES("random::choice", "axis<k>, without_replacement", Tags...) {
    using tags = detail::choice_tags<Tags...>;
    static_assert(detail::can_choose<X, tags::axis, tags::replace, (1 * ... * Dims)>,
                  "exprax: random::choice: takes an array with that axis, or ex::static_<n>, with at least one row; without replacement, "
                  "with at least as many as are drawn");
    if constexpr (!detail::can_choose<X, tags::axis, tags::replace, (1 * ... * Dims)>) return x;
    else if constexpr (detail::static_constant<X>)
      return detail::with_key<detail::choice_of_numbers_op<static_cast<int>(X::value), tags::replace, detail::dims<Dims...>>>(key);
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
    static_assert(fits,
                  "exprax: random::choice: p must be a vector with a weight for each row; without replacement there must be as many rows "
                  "as are drawn");
    if constexpr (!fits) return x;
    else if constexpr (detail::static_constant<X>)
      return detail::with_key<detail::choice_of_numbers_op<static_cast<int>(X::value), tags::replace, detail::dims<Dims...>>>(key, p);
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
    static_assert(is_floating(detail::aval_in<L>.type) && detail::has_rows<L, axis>,
                  "exprax: random::categorical: needs floats with that axis as logits");
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
