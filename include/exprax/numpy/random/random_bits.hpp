// SPDX-License-Identifier: BSL-1.0
// Random words, and floats of their bits (jax.random): bits, uniform. Equal to JAX's numbers, bit for bit.
#pragma once

#include <exprax/numpy/core/operators.hpp>
#include <exprax/numpy/elementwise/bitwise.hpp>
#include <exprax/numpy/elementwise/division.hpp>
#include <exprax/numpy/elementwise/select.hpp>
#include <exprax/numpy/random/random_keys.hpp>

namespace exprax {

namespace detail {

template <class T>
inline constexpr int significand_bits = std::is_same_v<T, float16> ? 11 : std::is_same_v<T, bfloat16> ? 8 : std::numeric_limits<T>::digits;

// A floating dtype: its width, the bits of its significand, the pattern of 1.
template <class T>
struct float_layout {
  static constexpr int width = 8 * static_cast<int>(sizeof(T)), mantissa = significand_bits<T> - 1;
  using word = element_t<width == 16 ? dtype::u16 : width == 32 ? dtype::u32 : dtype::u64>;
  // JAX draws 8 bits where they are enough: for bfloat16.
  using random_word = std::conditional_t<mantissa < 8, std::uint8_t, word>;
  static constexpr int random_bits = 8 * static_cast<int>(sizeof(random_word));
  static constexpr word one = static_cast<word>(to_bits(T(1)));
};

// Operands of equal dtypes, as jax.lax takes them.
template <prim P, class A, class B>
constexpr auto plain_binary(A const& a, B const& b) {
  using type = std::conditional_t<tracer<A>, type_in<A>, type_in<B>>;
  return record_binary<P, type, type>(a, b);
}
template <class T, operand X>
constexpr expr_like<X, T> to_dtype(X const& x) {
  return as_expr<T>(x);
}
// A value of a shape, or of one that broadcasts to it: the shape asked for, or if none is, that in which the parameters meet.
template <class Dims, class... X>
struct sample_shape {
  static constexpr aval value = aval();
};
template <int... D>
  requires(sizeof...(D) > 0)
struct sample_shape<dims<D...>> {
  static constexpr aval value = make_aval<dtype::f32, false, D...>();
};
template <class Dims, class X, class... More>
struct sample_shape<Dims, X, More...> {
  static constexpr aval value = [] {
    if constexpr (Dims::rank > 0) return sample_shape<Dims>::value;
    else return common_shape<X, More...>::value;
  }();
};
// Whether parameters broadcast to the shape of the samples.
template <class Dims, class... X>
inline constexpr bool samples_fit = [] {
  if constexpr (sizeof...(X) == 0) return true;
  else return common_shape<X...>::fits && (broadcasts_to<X, sample_shape<Dims, X...>> && ...);
}();
// The same where the shape of the samples is that of Dims, also if that is no axis.
template <class Dims, class... X>
inline constexpr bool samples_of_dims_fit = Dims::rank == 0 ? ((rank_in<X> == 0) && ...) : samples_fit<Dims, X...>;
template <class Dims, class... X>
using sample_dims = typename dims_of<sample_shape<Dims, X...>>::type;

template <int Partitionable, class T, class Dims>
struct random_bits_op;
template <int Partitionable, class T, int... Dims>
struct random_bits_op<Partitionable, T, dims<Dims...>> {
  template <operand K>
  constexpr auto operator()(K const& key) const {
    return bits_of_key<Partitionable, T, Dims...>(typed_key(key));
  }
};

// Of a product: it is rounded before it is added to another value, as JAX's numbers tell.
inline constexpr int never_fused[] = {1};

// Inside of jit[name=_uniform].
template <int Partitionable, class T, class Dims>
struct uniform_body;
template <int Partitionable, class T, int... Dims>
struct uniform_body<Partitionable, T, dims<Dims...>> {
  using layout = float_layout<T>;
  using word = typename layout::word;
  template <tracer A, tracer B>
  constexpr expr<T, Dims...> operator()(expr<prng_key> const& key, A const& minval, B const& maxval) const {
    auto const low_scalar = to_dtype<T>(minval);
    auto const high_scalar = to_dtype<T>(maxval);
    auto const low = to_rank_or_scalar(low_scalar);
    auto const high = to_rank_or_scalar(high_scalar);
    expr<typename layout::random_word, Dims...> const bits = bits_of_key<Partitionable, typename layout::random_word, Dims...>(key);
    expr<word, Dims...> const words = to_dtype<word>(bits);
    auto const mantissa = plain_binary<prim::shift_right_logical>(words, layout::random_bits - layout::mantissa);
    auto const in_binade = plain_binary<prim::or_>(mantissa, layout::one);
    auto const from_one = detail::bind<expr<T, Dims...>>(prim::bitcast_convert_type, dtype_params<T>, in_binade);
    auto const fraction = plain_binary<prim::sub>(from_one, 1);
    auto const span = plain_binary<prim::sub>(high, low);
    auto const scaled = detail::bind<expr<T, Dims...>>(prim::mul, never_fused, fraction, span);
    auto const moved = plain_binary<prim::add>(scaled, low);
    return plain_binary<prim::max>(low, moved);
  }

 private:
  template <class X>
  static constexpr auto to_rank_or_scalar(X const& x) {
    return to_rank<static_cast<int>(sizeof...(Dims))>(x);
  }
};
template <int Partitionable, class T, class Dims, class Low, class High>
constexpr auto uniform_of_key(expr<prng_key> const& key, Low const& minval, High const& maxval) {
  return named_call<uniform_body<Partitionable, T, Dims>>("_uniform", key, minval, maxval);
}
template <int Partitionable, class T, class Dims>
struct uniform_op {
  template <operand K, operand Low, operand High>
  constexpr auto operator()(K const& key, Low const& minval, High const& maxval) const {
    return uniform_of_key<Partitionable, T, Dims>(typed_key(key), minval, maxval);
  }
  template <operand K>
  constexpr auto operator()(K const& key) const {
    return uniform_of_key<Partitionable, T, Dims>(typed_key(key), 0.0f, 1.0f);
  }
};

using default_unsigned = std::conditional_t<x64_enabled, std::uint64_t, std::uint32_t>;

// Conditions of static_asserts.
template <class T>
inline constexpr bool is_float_type = is_floating(dtype_of<T>);

}  // namespace detail

namespace random {

// Random words of an unsigned dtype, uint32 (x64: uint64) if none is given: bits<3>(key), bits<std::uint8_t, 3>(key): [Dims...]. Refused:
// other dtypes (jax.random.bits).
template <class T, int... Dims, array_like K, class... Tags>
constexpr auto bits(K const& key, Tags...) {
  EXPRAX_TAKES("random::bits", "non_partitionable", Tags...) {
    static_assert(is_unsigned_integer(dtype_of<T>), "exprax: random::bits: the dtype must be unsigned: std::uint8_t to std::uint64_t");
    return detail::with_key<detail::random_bits_op<detail::is_partitionable<Tags...>, canonical_t<T>, detail::dims<Dims...>>>(key);
  } else {
    return key;
  }
}
template <int... Dims, array_like K, class... Tags>
constexpr auto bits(K const& key, Tags... tags) {
  EXPRAX_TAKES("random::bits", "non_partitionable", Tags...) return bits<detail::default_unsigned, Dims...>(key, tags...);
  else return key;
}

// Evenly distributed floats in [0, 1), or in [minval, maxval): [Dims...], default_float if no dtype is given. With bounds it is one
// product and one sum, each rounded. Refused: a dtype that is not floating, bounds that do not broadcast to the shape
// (jax.random.uniform).
template <class T, int... Dims, array_like K, class... Tags>
constexpr auto uniform(K const& key, Tags...) {
  EXPRAX_TAKES("random::uniform", "non_partitionable", Tags...) {
    static_assert(detail::is_float_type<T>, "exprax: random::uniform: the dtype must be floating");
    return detail::with_key<detail::uniform_op<detail::is_partitionable<Tags...>, T, detail::dims<Dims...>>>(key);
  } else {
    return key;
  }
}
template <int... Dims, array_like K, class... Tags>
constexpr auto uniform(K const& key, Tags... tags) {
  EXPRAX_TAKES("random::uniform", "non_partitionable", Tags...) return uniform<default_float, Dims...>(key, tags...);
  else return key;
}
template <class T, int... Dims, array_like K, array_like Low, array_like High, class... Tags>
constexpr auto uniform(K const& key, Low const& minval, High const& maxval, Tags...) {
  EXPRAX_TAKES("random::uniform", "non_partitionable", Tags...) {
    static_assert(detail::is_float_type<T>, "exprax: random::uniform: the dtype must be floating");
    constexpr bool fits = detail::samples_of_dims_fit<detail::dims<Dims...>, Low, High>;
    static_assert(fits, "exprax: random::uniform: minval and maxval must broadcast to the shape");
    if constexpr (fits)
      return detail::with_key<detail::uniform_op<detail::is_partitionable<Tags...>, T, detail::dims<Dims...>>>(key, minval, maxval);
    else return key;
  } else {
    return key;
  }
}
template <int... Dims, array_like K, array_like Low, array_like High, class... Tags>
constexpr auto uniform(K const& key, Low const& minval, High const& maxval, Tags... tags) {
  EXPRAX_TAKES("random::uniform", "non_partitionable", Tags...) return uniform<default_float, Dims...>(key, minval, maxval, tags...);
  else return key;
}

}  // namespace random

}  // namespace exprax
