// SPDX-License-Identifier: BSL-1.0
// logsumexp (jax.scipy.special.logsumexp).
#pragma once

#include <exprax/base/options.hpp>
#include <exprax/numpy/core/identities.hpp>
#include <exprax/numpy/core/operators.hpp>
#include <exprax/numpy/elementwise/complex.hpp>
#include <exprax/numpy/elementwise/select.hpp>
#include <exprax/numpy/reductions/reduction_options.hpp>

namespace exprax {

// logsumexp returns a pair: the logarithm of the size of the sum, and its sign.
struct return_sign_t {};
inline constexpr return_sign_t return_sign{};

namespace detail {

template <>
inline constexpr option_word word_of<return_sign_t>{"return_sign"};

inline constexpr double negative_infinity = -std::numeric_limits<double>::infinity();

// The axes of a reduction as a tag; all of them if there is none.
template <class X, class... Tags>
struct axes_tag {
  using type = decltype([]<int... I>(std::integer_sequence<int, I...>) {
    return axis_t<I...>{};
  }(std::make_integer_sequence<int, rank_in<X>>{}));
};
template <class X, int... Axes, class... Rest>
struct axes_tag<X, axis_t<Axes...>, Rest...> {
  using type = axis_t<normal_axis(Axes, rank_in<X>)...>;
};
template <class X, class First, class... Rest>
struct axes_tag<X, First, Rest...> : axes_tag<X, Rest...> {};
template <class X, class... Tags>
using reduced_axes = typename axes_tag<X, Tags...>::type;

template <class Tag, class... Tags>
inline constexpr bool is_asked_for = (std::is_same_v<Tag, Tags> || ...);

// The greatest element, at least -infinity, so that there is one of no elements (jnp.max with `initial`).
template <class Axes, tracer X>
constexpr auto bounded_max(X const& x) {
  auto const greatest = reduced<prim::reduce_max, reduction_tags<Axes>>(x);
  return maximum(negative_infinity, greatest);
}
template <class... Tags>
struct logsumexp_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    auto const a = as_expr<inexact_t<type_in<X>>>(x);
    return of<false>(a, [](auto const& e) { return e; });
  }
  // With factors of the exponentials.
  template <operand X, operand B>
  constexpr auto operator()(X const& x, B const& b) const {
    using type = inexact_t<promote_t<type_in<X>, type_in<B>>>;
    auto const factor = as_expr<type>(b);
    auto const a = where(factor != 0, as_expr<type>(x), negative_infinity);
    return of<true>(a, [&](auto const& e) { return e * factor; });
  }

 private:
  template <bool Scaled, class A, class F>
  static constexpr auto of(A const& a, F const& scaled) {
    using axes = reduced_axes<A, Tags...>;
    constexpr bool keep = is_asked_for<keepdims_t, Tags...>, with_sign = is_asked_for<return_sign_t, Tags...>;
    auto const greatest = with_axes<keep, axes>(bounded_max<axes>(real(a)));
    auto const shift = stop_gradient(select(isfinite(greatest), greatest, zeros_of(greatest)));
    auto const total =
        with_axes<keep, axes>(reduced<prim::reduce_sum, reduction_tags<axes>>(scaled(exp(a - with_axes<!keep, axes>(shift)))));
    auto const sign_of_total = sign(total);
    auto const result = log(size_of_sum<with_sign>(total)) + shift;
    if constexpr (with_sign) return std::tuple(result, sign_of_total);
    else if constexpr (Scaled && !has_complex_elements<A>)
      return where(sign_of_total < 0, std::numeric_limits<double>::quiet_NaN(), result);
    else return result;
  }
  template <bool Wanted, class Axes, class X>
  static constexpr auto with_axes(X const& x) {
    if constexpr (Wanted) return expand_dims(x, Axes{});
    else return x;
  }
  // The logarithm of a complex sum is complex, unless its sign is asked for.
  template <bool WithSign, class X>
  static constexpr auto size_of_sum(X const& total) {
    if constexpr (has_complex_elements<X> && !WithSign) return total;
    else return abs(total);
  }
  template <class X>
  static constexpr X zeros_of(X const& x) {
    return constant_like<X>(x, typename X::value_type(0));
  }
};

template <class... O>
constexpr auto mask_of(O const&... options) {
  return std::get<0>(find_tag<where_option>(options...)).value;
}
template <tracer X, class M>
constexpr auto or_minus_infinity(M const& mask, X const& x) {
  return where(mask, x, literal<typename X::dtype_type>(convert_number<typename X::value_type>(negative_infinity)));
}

// Elements that do not count are e^-infinity of the sum.
template <class... Tags>
struct masked_logsumexp_body {
  template <operand X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    return logsumexp_op<Tags...>{}(or_minus_infinity(mask_of(options...), as_expr<inexact_t<type_in<X>>>(x)));
  }
};
// With factors: those that do not count are 0.
template <class... Tags>
struct masked_scaled_logsumexp_op {
  template <operand X, operand B, operand M>
  constexpr auto operator()(X const& x, B const& b, M const& mask) const {
    return logsumexp_op<Tags...>{}(as_traced(x), where(mask, as_traced(b), literal<type_in<B>>(strong_t<type_in<B>>(0))));
  }
};

}  // namespace detail

// log(sum(exp(x))) over all axes or axis<...>, without overflow (jax.scipy.special.logsumexp, jax.nn.logsumexp). keepdims leaves these with
// size 1, where_(mask) says which elements count, return_sign makes a pair of the result and the sign of the sum. Integers become float32;
// an axis that is repeated or out of range is refused.
inline constexpr struct logsumexp_function {
  template <array_like X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    EXPRAX_TAKES("logsumexp", "axis<...>, keepdims, where_(mask), return_sign", O...) {
      static_assert(detail::reduces<X, detail::reduced_axes<X, O...>>,
                    "exprax: logsumexp: an axis is repeated, or out of range for the array");
      if constexpr (detail::has_tag<detail::where_option, O...>)
        return detail::apply_with_options<detail::masked_logsumexp_body<O...>>(x, options...);
      else return detail::apply<detail::logsumexp_op<O...>>(x);
    } else {
      return x;
    }
  }
  // logsumexp(x, b, options...): log(sum(b exp(x))); NaN where the sum is negative. logsumexp(x, 0) is meant as an axis, and refused above.
  template <array_like X, array_like B, class... O>
    requires(!std::integral<B>)
  constexpr auto operator()(X const& x, B const& b, O const&... options) const {
    EXPRAX_TAKES("logsumexp", "axis<...>, keepdims, where_(mask), return_sign", O...) {
      static_assert(detail::reduces<X, detail::reduced_axes<X, O...>>,
                    "exprax: logsumexp: an axis is repeated, or out of range for the array");
      if constexpr (detail::has_tag<detail::where_option, O...>)
        return detail::apply<detail::masked_scaled_logsumexp_op<O...>>(x, b, detail::mask_of(options...));
      else return detail::apply<detail::logsumexp_op<O...>>(x, b);
    } else {
      return x;
    }
  }
} logsumexp{};

}  // namespace exprax
