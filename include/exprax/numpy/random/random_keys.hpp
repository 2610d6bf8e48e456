// SPDX-License-Identifier: BSL-1.0
// Keys of random numbers (jax.random): key, PRNGKey, key_data, wrap_key_data, split, fold_in. The generator is Threefry-2x32, bit
// for bit as JAX's. A key has the dtype key<fry>; functions accept raw keys, uint32[2], as well, and then return such.
//
//   auto key = ex::random::key(42);          // an array; of a traced seed, or of ex::static_<42>, a traced value
//   auto keys = ex::random::split<4>(key);   // array<prng_key, 4>
//
// The shape comes as template arguments, after the dtype if one is given. ex::random::non_partitionable as the last argument asks
// for the numbers of JAX before 0.5 (jax_threefry_partitionable=False).
#pragma once

#include <exprax/base/options.hpp>
#include <exprax/numpy/core/named_call.hpp>
#include <exprax/numpy/core/tags.hpp>
#include <exprax/numpy/indexing/indexing.hpp>
#include <exprax/numpy/shape/joining.hpp>
#include <exprax/numpy/sorting/sorting.hpp>

namespace exprax {

namespace random {

struct non_partitionable_t {};
inline constexpr non_partitionable_t non_partitionable{};

}  // namespace random

namespace detail {

template <>
inline constexpr option_word word_of<random::non_partitionable_t>{"non_partitionable"};

template <class... Tags>
inline constexpr int is_partitionable = sizeof...(Tags) == 0 ? 1 : 0;

// Conditions of static_asserts: compilers print the types.
template <class K>
inline constexpr bool is_raw_key =
    aval_in<K>.type == dtype::u32&& rank_in<K> > 0 && aval_in<K>.dims[rank_in<K> > 0 ? rank_in<K> - 1 : 0] == 2;
template <class K>
inline constexpr bool is_random_key = is_key(aval_in<K>.type) || is_raw_key<K>;
template <class K>
inline constexpr bool is_single_key = rank_in<K> == (is_key(aval_in<K>.type) ? 0 : 1);
template <class S>
inline constexpr bool is_seed = is_integer(aval_in<S>.type) && rank_in<S> == 0;
template <int... Dims>
inline constexpr bool are_sizes = sizeof...(Dims) <= max_rank && ((Dims >= 0) && ...);

template <class K>
struct keys_in {
  static constexpr aval value = [] {
    if constexpr (is_key(aval_in<K>.type)) return aval_in<K>;
    else return aval_in<K>.without_axis(rank_in<K> - 1).with_type(dtype::key);
  }();
};
template <class K>
struct words_of {
  static constexpr aval value = aval_in<K>.with_type(dtype::u32).with_axis(rank_in<K>, 2);
};
template <tracer K>
constexpr auto typed_key(K const& key) {
  if constexpr (is_key(K::type.type)) return key;
  else return detail::bind<expr_from<keys_in<K>>>(prim::random_wrap, {}, key);
}
template <tracer K>
constexpr auto raw_key(K const& key) {
  return detail::bind<expr_from<words_of<K>>>(prim::random_unwrap, {}, key);
}
// Keys in the form of those that were given.
template <class Given, tracer K>
constexpr auto key_like(K const& key) {
  if constexpr (is_key(aval_in<Given>.type)) return key;
  else return raw_key(key);
}

template <int Partitionable, int... Dims>
inline constexpr int split_params[] = {Partitionable, Dims...};
template <int Partitionable, int... Dims>
constexpr expr<prng_key, Dims...> split_key(expr<prng_key> const& key) {
  return detail::bind<expr<prng_key, Dims...>>(prim::random_split, split_params<Partitionable, Dims...>, key);
}
template <int Partitionable, class T, int... Dims>
inline constexpr int bits_params[] = {8 * static_cast<int>(sizeof(T)), Partitionable, Dims...};
template <int Partitionable, class T, int... Dims>
constexpr expr<T, Dims...> bits_of_key(expr<prng_key> const& key) {
  return detail::bind<expr<T, Dims...>>(prim::random_bits, bits_params<Partitionable, T, Dims...>, key);
}
// One of several keys.
template <int I, int N>
constexpr expr<prng_key> key_at(expr<prng_key, N> const& keys) {
  return keys(I);
}

struct seed_key_op {
  template <operand S>
  constexpr expr<prng_key> operator()(S const& seed) const {
    return detail::bind<expr<prng_key>>(prim::random_seed, {}, as_traced(seed));
  }
};
struct raw_seed_op {
  template <operand S>
  constexpr auto operator()(S const& seed) const {
    return raw_key(seed_key_op{}(seed));
  }
};
struct key_data_op {
  template <operand K>
  constexpr auto operator()(K const& key) const {
    return raw_key(typed_key(key));
  }
};
struct wrap_key_op {
  template <operand K>
  constexpr auto operator()(K const& words) const {
    return typed_key(words);
  }
};
template <int Partitionable, int... Dims>
struct split_key_op {
  template <operand K>
  constexpr auto operator()(K const& key) const {
    return key_like<K>(split_key<Partitionable, Dims...>(typed_key(key)));
  }
};
struct fold_in_op {
  template <operand K, operand D>
  constexpr auto operator()(K const& key, D const& data) const {
    auto const typed = typed_key(key);
    return key_like<K>(detail::bind<expr<prng_key>>(prim::random_fold_in, {}, typed, cast<std::uint32_t>(data)));
  }
};

// The counters in two halves, with a 0 behind an odd number of them.
struct threefry_op {
  template <operand K, operand X>
  constexpr expr_type<X> operator()(K const& words, X const& counts) const {
    expr_type<K> const key = as_traced(words);  // depends on a template parameter: nothing is instantiated before
    auto const flat = reshaped<-1>(as_traced(counts));
    constexpr int n = extent_of<decltype(flat), 0>, half = n / 2 + n % 2;
    auto const both = [&] {
      if constexpr (n % 2 == 0) return flat;
      else
        return concatenate(flat,
                           full<std::uint32_t, n % 2>(0));  // its size depends on a template parameter: nothing is instantiated before
    }();
    using part = expr<std::uint32_t, half>;
    part const first = both(slice<0, half>), second = both(slice<half, 2 * half>);
    expr<std::uint32_t> const k1 = key(0), k2 = key(1);
    auto const blocks = bind_several<part, part>(prim::threefry2x32, {}, {}, k1, k2, first, second);
    auto const joined = concatenate(std::get<0>(blocks), std::get<1>(blocks));
    return reshaped_like<X>(joined(slice<0, n>));
  }

 private:
  template <class X, class Y>
  static constexpr expr_type<X> reshaped_like(Y const& y) {
    return detail::bind<expr_type<X>>(prim::reshape, {X::type.dims, X::rank}, y);
  }
};

// JAX takes a Python integer as int64, and then as the default integer.
template <class S>
constexpr prng_key key_of_seed(S seed) {
  auto const bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(seed));
  return prng_key::of(x64_enabled ? static_cast<std::uint32_t>(bits >> 32) : 0, static_cast<std::uint32_t>(bits));
}

// Op of a key and what else it takes; after an error the key, so that no other follows.
template <class Op, class K, class... X>
constexpr auto with_key(K const& key, X const&... x) {
  static_assert(is_random_key<K>,
                "exprax: random: the first argument must be a key: ex::random::key(seed), or the uint32[2] of ex::random::PRNGKey(seed)");
  static_assert(!is_random_key<K> || is_single_key<K>,
                "exprax: random: accepts a single key, but was given an array of keys. Use ex::vmap for batching");
  if constexpr (is_random_key<K> && is_single_key<K>) return apply<Op>(key, x...);
  else return key;
}

}  // namespace detail

namespace random {

// A key from an integer: a scalar of dtype key<fry>. A C++ integer gives an array at once; it counts with 32 bits, with x64 on with 64. Of
// a traced value or an array of int64 or uint64 all bits count. Refused: a seed that is not an integer scalar (jax.random.key).
inline constexpr struct key_function {
  template <array_like S>
  constexpr auto operator()(S const& seed) const {
    static_assert(detail::is_seed<S>, "exprax: random::key: accepts a scalar integer seed. Use ex::vmap for batching");
    if constexpr (!detail::is_seed<S>) return array<prng_key>();
    else if constexpr (scalar<S>) return array<prng_key>::full(detail::key_of_seed(seed));
    else return detail::apply<detail::seed_key_op>(seed);
  }
} key{};
// The same as a raw key, uint32[2] (jax.random.PRNGKey).
template <array_like S>
constexpr auto PRNGKey(S const& seed) {
  static_assert(detail::is_seed<S>, "exprax: random::PRNGKey: accepts a scalar integer seed. Use ex::vmap for batching");
  if constexpr (!detail::is_seed<S>) return array<std::uint32_t, 2>();
  else if constexpr (scalar<S>) return array<std::uint32_t, 2>{detail::key_of_seed(seed).word(0), detail::key_of_seed(seed).word(1)};
  else return detail::apply<detail::raw_seed_op>(seed);
}
// The words of keys of any shape: [...] -> uint32[..., 2]. Refused: what is no key (jax.random.key_data).
inline constexpr struct key_data_function {
  template <array_like K>
  constexpr auto operator()(K const& keys) const {
    static_assert(detail::is_random_key<K>, "exprax: random::key_data: the argument must be keys");
    if constexpr (detail::is_random_key<K>) return detail::apply<detail::key_data_op>(keys);
    else return keys;
  }
} key_data{};
// Keys from their words: uint32[..., 2] -> [...] of dtype key<fry>. Refused: other dtypes and shapes (jax.random.wrap_key_data).
inline constexpr struct wrap_key_data_function {
  template <array_like W>
  constexpr auto operator()(W const& words) const {
    static_assert(detail::is_raw_key<W>, "exprax: random::wrap_key_data: the argument must be uint32 with a last axis of 2");
    if constexpr (detail::is_raw_key<W>) return detail::apply<detail::wrap_key_op>(words);
    else return words;
  }
} wrap_key_data{};

// The hash that all of this is made of: words of 32 bits for counters of any shape, under the two words of a key, uint32[2]: uint32, of
// the counters' shape. Refused: other dtypes, a key of another shape (jax.extend.random.threefry_2x32).
inline constexpr struct threefry_2x32_function {
  template <array_like K, array_like X>
  constexpr auto operator()(K const& words, X const& counts) const {
    static_assert(detail::is_raw_key<K> && detail::rank_in<K> == 1, "exprax: random::threefry_2x32: the key must be uint32[2]");
    static_assert(detail::aval_in<X>.type == dtype::u32, "exprax: random::threefry_2x32: the counters must be uint32");
    return detail::apply<detail::threefry_op>(words, counts);
  }
} threefry_2x32{};

// New keys, two if no shape is given: split(key), split<4>(key), split<2, 3>(key): [Dims...] of keys, or uint32[Dims..., 2] of a raw key.
// Refused: more than one key (jax.random.split).
template <int... Dims, array_like K, class... Tags>
constexpr auto split(K const& key, Tags...) {
  EXPRAX_TAKES("random::split", "non_partitionable", Tags...) {
    if constexpr (sizeof...(Dims) == 0) return detail::with_key<detail::split_key_op<detail::is_partitionable<Tags...>, 2>>(key);
    else return detail::with_key<detail::split_key_op<detail::is_partitionable<Tags...>, Dims...>>(key);
  } else {
    return key;
  }
}
// A new key from a key and an integer, which is taken as uint32; raw if the key is. Refused: data that is not an integer scalar, more than
// one key (jax.random.fold_in).
inline constexpr struct fold_in_function {
  template <array_like K, array_like D>
  constexpr auto operator()(K const& key, D const& data) const {
    static_assert(detail::is_seed<D>, "exprax: random::fold_in: accepts a scalar integer. Use ex::vmap for batching");
    if constexpr (detail::is_seed<D>) return detail::with_key<detail::fold_in_op>(key, data);
    else return key;
  }
} fold_in{};

}  // namespace random

}  // namespace exprax
