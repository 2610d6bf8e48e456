// SPDX-License-Identifier: BSL-1.0
// dot_product_attention (jax.nn): softmax(q k^T / sqrt(H) + bias) v for each head.
#pragma once

#include <exprax/base/options.hpp>
#include <exprax/numpy/nn/softmax.hpp>
#include <exprax/numpy/products/einsum.hpp>
#include <exprax/numpy/shape/repeat.hpp>
#include <exprax/numpy/shape/triangles.hpp>

namespace exprax {

namespace nn {

struct is_causal_t {};
// dot_product_attention: a query sees the keys up to its own place.
inline constexpr is_causal_t is_causal{};

}  // namespace nn

namespace detail {

template <>
inline constexpr option_word word_of<nn::is_causal_t>{"is_causal"};

// [T, N, H] as a batch of one.
template <int Rank, operand X>
constexpr auto as_batch(X const& x) {
  if constexpr (Rank == 3 && rank_in<X> == 3) return expand_dims(as_traced(x), axis<0>);
  else return as_traced(x);
}
template <bool Causal, bool HasBias, bool HasMask>
struct attention_op {
  template <operand Q, operand K, operand V, operand... Rest>
  constexpr auto operator()(Q const& query, K const& key, V const& value, Rest const&... rest) const {
    constexpr int rank = rank_in<Q>, heads = aval_in<Q>.dims[rank - 2], width = aval_in<Q>.dims[rank - 1],
                  shared = heads / aval_in<K>.dims[rank - 2];
    using type = strong_t<type_in<Q>>;
    using computed = computed_in_t<type>;
    auto const q = as_expr<computed>(as_batch<rank>(query));
    auto const k = as_expr<computed>(for_each_head<shared>(as_batch<rank>(key)));
    auto const v = as_expr<computed>(for_each_head<shared>(as_batch<rank>(value)));
    auto const scores = multiply(einsum<"BTNH,BSNH->BNTS">(q, k), convert_number<strong_t<computed>>(1 / root(width)));
    auto const moved = with_bias(scores, as_batch<rank>(rest)...);
    // Weights are made in float, as JAX does it for all dtypes.
    auto const weights = nn::softmax(as_expr<float>(with_mask(moved, as_batch<rank>(rest)...)));
    auto const r = einsum<"BNTS,BSNH->BTNH">(as_expr<computed>(as_expr<strong_t<type_in<K>>>(weights)), v);
    if constexpr (rank == 3) return as_expr<type>(squeeze(r, axis<0>));
    else return as_expr<type>(r);
  }

 private:
  static constexpr double root(int n) {
    double r = n > 1 ? n : 1;
    for (int i = 0; i < 64; ++i) r = 0.5 * (r + n / r);
    return r;
  }
  // Keys and values that several heads of queries share, once for each of them.
  template <int Times, class X>
  static constexpr auto for_each_head(X const& x) {
    if constexpr (Times == 1) return x;
    else return repeat<Times>(x, axis<2>);
  }
  template <class S, class... Rest>
  static constexpr auto with_bias(S const& scores, [[maybe_unused]] Rest const&... rest) {
    if constexpr (HasBias) return as_expr<typename S::dtype_type>(add(scores, std::get<0>(std::tie(rest...))));
    else return scores;
  }
  template <class S, class... Rest>
  static constexpr auto with_mask(S const& scores, [[maybe_unused]] Rest const&... rest) {
    constexpr auto hidden = convert_number<typename S::value_type>(-0.7 * static_cast<double>(std::numeric_limits<float>::max()));
    auto const seen = [&] {
      if constexpr (HasMask) return where(std::get<sizeof...(Rest) - 1>(std::tie(rest...)), scores, hidden);
      else return scores;
    }();
    if constexpr (Causal) return where(tri<bool, S::extent(2), S::extent(3)>(), seen, hidden);
    else return seen;
  }
};

template <class Q, class K, class V>
inline constexpr bool are_heads = [] {
  constexpr int r = rank_in<Q>;
  if (r < 3 || r > 4 || rank_in<K> != r || !aval_in<K>.same_shape(aval_in<V>)) return false;
  if (r == 4 && aval_in<Q>.dims[0] != aval_in<K>.dims[0]) return false;
  int const of_keys = aval_in<K>.dims[r > 1 ? r - 2 : 0], of_queries = aval_in<Q>.dims[r > 1 ? r - 2 : 0];
  return aval_in<Q>.dims[r - 1] == aval_in<K>.dims[r - 1] && of_keys > 0 && of_queries % of_keys == 0;
}();
template <bool Causal, bool HasBias, bool HasMask, class Q, class K, class V, class... Rest>
constexpr auto attend(Q const& q, K const& k, V const& v, Rest const&... rest) {
  static_assert(
      are_heads<Q, K, V>,
      "exprax: nn::dot_product_attention: takes [B, T, N, H] and two of [B, S, K, H] (or all without B), where N is a multiple of K");
  if constexpr (are_heads<Q, K, V>) return apply<attention_op<Causal, HasBias, HasMask>>(q, k, v, rest...);
  else return q;  // after the error: nothing that leads to others
}

}  // namespace detail

namespace nn {

// softmax(query key^T / sqrt(H)) value for each head: query [B, T, N, H], key and value [B, S, K, H], K a divisor of N, or all without B
// -> shape and dtype of query. A bias is added to, and a mask hides, what goes into the softmax; both broadcast to [B, N, T, S]; for none
// of one ex::none. is_causal as last argument. Refused: other shapes (jax.nn.dot_product_attention).
inline constexpr struct dot_product_attention_function {
  template <array_like Q, array_like K, array_like V, class... Tag>
  constexpr auto operator()(Q const& query, K const& key, V const& value, Tag...) const {
    EXPRAX_TAKES("nn::dot_product_attention", "is_causal", Tag...)
    return detail::attend<sizeof...(Tag) == 1, false, false>(query, key, value);
    else return query;
  }
  template <array_like Q, array_like K, array_like V, array_like B, class... Tag>
  constexpr auto operator()(Q const& query, K const& key, V const& value, B const& bias, Tag...) const {
    EXPRAX_TAKES("nn::dot_product_attention", "is_causal", Tag...)
    return detail::attend<sizeof...(Tag) == 1, true, false>(query, key, value, bias);
    else return query;
  }
  template <array_like Q, array_like K, array_like V, array_like M, class... Tag>
  constexpr auto operator()(Q const& query, K const& key, V const& value, decltype(none) const&, M const& mask, Tag...) const {
    EXPRAX_TAKES("nn::dot_product_attention", "is_causal", Tag...)
    return detail::attend<sizeof...(Tag) == 1, false, true>(query, key, value, mask);
    else return query;
  }
  template <array_like Q, array_like K, array_like V, array_like B, array_like M, class... Tag>
  constexpr auto operator()(Q const& query, K const& key, V const& value, B const& bias, M const& mask, Tag...) const {
    EXPRAX_TAKES("nn::dot_product_attention", "is_causal", Tag...)
    return detail::attend<sizeof...(Tag) == 1, true, true>(query, key, value, bias, mask);
    else return query;
  }
} dot_product_attention{};

}  // namespace nn

}  // namespace exprax
