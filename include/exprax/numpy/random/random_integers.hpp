// SPDX-License-Identifier: BSL-1.0
// Random integers and signs (jax.random): randint, bernoulli, rademacher. Equal to JAX's numbers, bit for bit.
#pragma once

#include <exprax/numpy/elementwise/select.hpp>
#include <exprax/numpy/random/random_bits.hpp>

namespace exprax {

namespace detail {

template <int Partitionable, class Dims>
struct bernoulli_body {
  template <tracer P>
  constexpr auto operator()(expr<prng_key> const& key, P const& p) const {
    return less(uniform_of_key<Partitionable, strong_t<type_in<P>>, sample_dims<Dims, P>>(key, 0.0f, 1.0f), p);
  }
};
template <int Partitionable, class Dims>
struct bernoulli_op {
  template <operand K, operand P>
  constexpr auto operator()(K const& key, P const& p) const {
    auto const typed = typed_key(key);
    auto const threshold = to_dtype<strong_t<type_in<P>>>(p);
    return named_call<bernoulli_body<Partitionable, Dims>>("_bernoulli", typed, threshold);
  }
};

template <class T, class Dims>
struct rademacher_body {
  template <tracer K>
  constexpr auto operator()(K const& key) const {
    auto const heads = to_dtype<T>(bernoulli_op<1, Dims>{}(key, 0.5f));
    return to_dtype<T>(subtract(multiply(2, heads), 1));
  }
};
template <class T, class Dims>
struct rademacher_op {
  template <operand K>
  constexpr auto operator()(K const& key) const {
    return named_call<rademacher_body<T, Dims>>("_rademacher", typed_key(key));
  }
};

// Integers of dtype T between bounds of any integer dtype: 2 words of random bits for each, reduced by the span.
template <int Partitionable, class T, class Dims>
struct randint_body {
  using word = element_t<is_unsigned_integer(dtype_of<T>) ? dtype_of<T> : static_cast<dtype>(static_cast<int>(dtype_of<T>) + 4)>;

  template <tracer A, tracer B>
  constexpr auto operator()(expr<prng_key> const& key, A const& minval, B const& maxval) const {
    using dims = sample_dims<Dims, A, B>;
    // A bound of one more than the greatest number is not lost.
    auto const beyond = detail::bind<expr_like<B, bool>>(prim::gt, {}, maxval, lit<type_in<B>>{greatest_of<type_in<B>>()});
    auto const low = to_rank<dims::rank>(clipped(minval));
    auto const high = to_rank<dims::rank>(clipped(maxval));
    auto const keys = split_key<Partitionable, 2>(key);
    auto const first = key_at<0>(keys);
    auto const second = key_at<1>(keys);
    auto const higher = random_bits_op<Partitionable, word, dims>{}(first);
    auto const lower = random_bits_op<Partitionable, word, dims>{}(second);
    auto const difference = to_dtype<word>(plain_binary<prim::sub>(high, low));
    auto const is_empty = less_equal(high, low);
    auto const one = broadcast_shape<shape_in<decltype(difference)>>(lit<word>{1});
    auto const positive = detail::bind<std::remove_const_t<decltype(difference)>>(prim::select_n, {}, is_empty, difference, one);
    auto const is_wider = bitwise_and(beyond, greater(high, low));
    auto const wider = plain_binary<prim::add>(positive, 1);
    auto const span = detail::bind<std::remove_const_t<decltype(positive)>>(prim::select_n, {}, is_wider, positive, wider);
    constexpr int half = 4 * static_cast<int>(sizeof(T));
    auto const power =
        detail::bind<std::remove_const_t<decltype(span)>>(prim::rem, {}, lit<word>{static_cast<word>(word{1} << half)}, span);
    auto const factor = plain_binary<prim::rem>(plain_binary<prim::mul>(power, power), span);
    auto const from_higher = plain_binary<prim::mul>(plain_binary<prim::rem>(higher, span), factor);
    auto const sum = plain_binary<prim::add>(from_higher, plain_binary<prim::rem>(lower, span));
    auto const offset = to_dtype<T>(plain_binary<prim::rem>(sum, span));
    return plain_binary<prim::add>(low, offset);
  }

 private:
  using limits = std::numeric_limits<T>;
  // The least and greatest number of T that B has too.
  template <class B, class L = std::numeric_limits<strong_t<B>>>
  static constexpr strong_t<B> greatest_of() {
    return std::cmp_less(limits::max(), L::max()) ? static_cast<strong_t<B>>(limits::max()) : L::max();
  }
  template <class B, class L = std::numeric_limits<strong_t<B>>>
  static constexpr strong_t<B> least_of() {
    return std::cmp_greater(limits::min(), L::min()) ? static_cast<strong_t<B>>(limits::min()) : L::min();
  }
  template <tracer A>
  static constexpr auto clipped(A const& x) {
    using type = type_in<A>;
    return to_dtype<T>(clip_op{}(x, literal<type>(least_of<type>()), literal<type>(greatest_of<type>())));
  }
};
template <int Partitionable, class T, class Dims>
struct randint_op {
  // Small dtypes are drawn in 32 bits.
  using drawn = std::conditional_t<(sizeof(T) < 4), std::int32_t, T>;
  template <operand K, operand A, operand B>
  constexpr auto operator()(K const& key, A const& minval, B const& maxval) const {
    auto const typed = typed_key(key);
    if constexpr (sizeof(T) < 4) {
      auto const low = bounded(minval, 0);
      auto const high = bounded(maxval, 1);
      return to_dtype<T>(named_call<randint_body<Partitionable, drawn, Dims>>("_randint", typed, low, high));
    } else {
      return named_call<randint_body<Partitionable, T, Dims>>("_randint", typed, minval, maxval);
    }
  }

 private:
  template <class A>
  static constexpr auto bounded(A const& x, int more) {
    return clip_op{}(to_dtype<std::int32_t>(x), int{std::numeric_limits<T>::min()}, int{std::numeric_limits<T>::max()} + more);
  }
};
template <class T>
inline constexpr bool is_integer_type = is_integer(dtype_of<T>);
template <class... X>
inline constexpr bool are_integers = (is_integer(aval_in<X>.type) && ...);
template <class... X>
inline constexpr bool are_scalars = ((rank_in<X> == 0) && ...);

}  // namespace detail

namespace random {

// True with probability p, 0.5 if none is given: bool, [Dims...], or the shape of p if there are no Dims. Refused: a p that is not
// floating or does not broadcast to the shape (jax.random.bernoulli).
template <int... Dims, array_like K, array_like P, class... Tags>
constexpr auto bernoulli(K const& key, P const& p, Tags...) {
  EXPRAX_TAKES("random::bernoulli", "non_partitionable", Tags...) {
    static_assert(is_floating(detail::aval_in<P>.type), "exprax: random::bernoulli: the probability must have a floating dtype");
    static_assert(detail::samples_fit<detail::dims<Dims...>, P>,
                  "exprax: random::bernoulli: the shape of p must broadcast to the shape of the result");
    return detail::with_key<detail::bernoulli_op<detail::is_partitionable<Tags...>, detail::dims<Dims...>>>(key, p);
  } else {
    return key;
  }
}
template <int... Dims, array_like K, class... Tags>
constexpr auto bernoulli(K const& key, Tags... tags) {
  EXPRAX_TAKES("random::bernoulli", "non_partitionable", Tags...) return bernoulli<Dims...>(key, 0.5f, tags...);
  else return key;
}
// -1 or 1 with equal probability: [Dims...], default_int if no dtype is given (jax.random.rademacher).
template <class T, int... Dims, array_like K>
constexpr auto rademacher(K const& key) {
  return detail::with_key<detail::rademacher_op<canonical_t<T>, detail::dims<Dims...>>>(key);
}
template <int... Dims, array_like K>
constexpr auto rademacher(K const& key) {
  return rademacher<default_int, Dims...>(key);
}

// Integers in [minval, maxval); minval where the interval is empty: [Dims...], or the shape to which the bounds broadcast; default_int if
// no dtype is given. Refused: a dtype or bounds that are not integers, bounds that do not broadcast to the shape (jax.random.randint).
template <class T, int... Dims, array_like K, array_like Low, array_like High, class... Tags>
constexpr auto randint(K const& key, Low const& minval, High const& maxval, Tags...) {
  EXPRAX_TAKES("random::randint", "non_partitionable", Tags...) {
    static_assert(detail::is_integer_type<T>, "exprax: random::randint: the dtype must be an integer");
    static_assert(detail::are_integers<Low, High>, "exprax: random::randint: minval and maxval must be integers");
    static_assert(detail::samples_fit<detail::dims<Dims...>, Low, High>,
                  "exprax: random::randint: minval and maxval must broadcast to the shape");
    return detail::with_key<detail::randint_op<detail::is_partitionable<Tags...>, canonical_t<T>, detail::dims<Dims...>>>(key, minval,
                                                                                                                          maxval);
  } else {
    return key;
  }
}
template <int... Dims, array_like K, array_like Low, array_like High, class... Tags>
constexpr auto randint(K const& key, Low const& minval, High const& maxval, Tags... tags) {
  EXPRAX_TAKES("random::randint", "non_partitionable", Tags...) return randint<default_int, Dims...>(key, minval, maxval, tags...);
  else return key;
}

}  // namespace random

}  // namespace exprax
