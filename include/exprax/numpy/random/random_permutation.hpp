// SPDX-License-Identifier: BSL-1.0
// Random orders (jax.random): permutation, shuffle; and the tags that they share with choice. Equal to JAX's.
#pragma once

#include <exprax/base/options.hpp>
#include <exprax/numpy/indexing/indexing.hpp>
#include <exprax/numpy/random/random_bits.hpp>
#include <exprax/numpy/random/random_continuous.hpp>
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
  return [&]<int... K>(std::integer_sequence<int, K...>) { return x((static_cast<void>(K), all)..., rows); }
  (std::make_integer_sequence<int, Axis>{});
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

}  // namespace detail

namespace random {

// x in a random order along axis<k> (0): whole rows together, or with ex::random::independent each row by itself; shape and dtype of x. Of
// ex::static_<n> the numbers 0 to n - 1: int32[n]. Refused: an axis out of range (jax.random.permutation).
inline constexpr struct permutation_function {
  template <array_like K, array_like X, class... Tags>
  constexpr auto operator()(K const& key, X const& x, Tags...) const {
    EXPRAX_TAKES("random::permutation", "axis<k>, independent", Tags...) {
      using tags = detail::choice_tags<Tags...>;
      if constexpr (detail::static_constant<X>) {
        return detail::with_key<detail::permuted_numbers_op<static_cast<int>(X::value)>>(key);
      } else {
        static_assert(detail::has_rows<X, tags::axis>,
                      "exprax: random::permutation: needs an array with that axis, or ex::static_<n> for the numbers below n");
        if constexpr (!detail::has_rows<X, tags::axis>) return x;
        else if constexpr (tags::independent) return detail::with_key<detail::shuffle_op<tags::axis>>(key, x);
        else return detail::with_key<detail::permutation_op<tags::axis>>(key, x);
      }
    } else {
      return x;
    }
  }
} permutation{};
// permutation with ex::random::independent: the elements in a random order along axis<k> (0), each row by itself (as
// jax.random.permutation with independent=True).
inline constexpr struct shuffle_function {
  template <array_like K, array_like X, class... Tags>
  constexpr auto operator()(K const& key, X const& x, Tags... tags) const {
    EXPRAX_TAKES("random::shuffle", "axis<k>", Tags...) return permutation(key, x, independent, tags...);
    else return x;
  }
} shuffle{};

}  // namespace random

}  // namespace exprax
