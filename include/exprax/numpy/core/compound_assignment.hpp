// SPDX-License-Identifier: BSL-1.0
// The operators += -= *= /= %= &= |= ^= of traced values, arrays and views: x += y is x = x + y, and of a view the elements that it shows
// change. A C++ variable keeps its dtype and shape (in Python x becomes what the sum is): other results are refused.
#pragma once

#include <exprax/numpy/core/operators.hpp>

namespace exprax {

namespace detail {

template <class X>
inline constexpr bool owns_elements = false;
template <class T, int... D>
inline constexpr bool owns_elements<array<T, D...>> = true;
template <class X>
inline constexpr bool shows_elements = false;
template <class T, int... D>
inline constexpr bool shows_elements<view<T, D...>> = true;
template <class X>
concept variable = tracer<X> || owns_elements<std::remove_cvref_t<X>> || shows_elements<std::remove_cvref_t<X>>;

// Words in error texts.
template <class X>
inline constexpr bool is_a_variable_that_changes = std::is_lvalue_reference_v<X> && !std::is_const_v<std::remove_reference_t<X>>;
template <class X>
  requires shows_elements<std::remove_cvref_t<X>>
inline constexpr bool is_a_variable_that_changes<X> = !std::is_const_v<typename std::remove_cvref_t<X>::element_type>;
template <class Variable, class Value>
inline constexpr bool is_a_traced_variable = tracer<Variable>;
template <bool Fits, class Variable, class Result>
inline constexpr bool keeps_dtype_and_shape = Fits;

template <class X, class Result>
inline constexpr bool takes_result = aval_in<X>.same_shape(aval_in<Result>) && aval_in<X>.type == aval_in<Result>.type &&
                                     (is_weak<type_in<Result>> || !is_weak<type_in<X>>);

// The elements that a view shows become those of an array of its dtype and shape.
template <class T, int... D, class U>
constexpr view<T, D...> overwrite(view<T, D...> to, array<U, D...> const& from) {
  for (std::ptrdiff_t i = 0; i < to.size(); ++i) to.data()[i] = static_cast<T>(from.data()[i]);
  return to;
}

}  // namespace detail

#define EXPRAX_ASSIGNS(op)                                                                                                               \
  template <detail::variable X, array_like Y>                                                                                            \
  constexpr decltype(auto) operator op##=(X&& x, Y const& y) {                                                                           \
    using variable = std::remove_cvref_t<X>;                                                                                             \
    auto const operate = [](auto const& a, auto const& b) {                                                                              \
      if constexpr (detail::broadcasts<variable, Y>) return a op b;                                                                      \
      else return b; /* after the error: avoids further ones */                                                                          \
    };                                                                                                                                   \
    using result = decltype(operate(x, y));                                                                                              \
    constexpr bool fits = detail::takes_result<variable, result>;                                                                        \
    static_assert(detail::is_a_variable_that_changes<X>,                                                                                 \
                  "exprax: x(i) " #op "= v changes nothing, for x(i) is a value of its own: write x = x.at(i).add(v); nor does a "       \
                  "const variable change, nor a view of constants");                                                                     \
    static_assert(detail::keeps_dtype_and_shape<fits, variable, result>,                                                                 \
                  "exprax: x " #op "= y: x " #op " y has another dtype or shape than x: this message names both. A C++ variable keeps its "\
                  "type: write auto z = x " #op " y, or convert with astype<T>");                                                        \
    if constexpr (!fits || !detail::is_a_variable_that_changes<X>) return;                                                               \
    else if constexpr (detail::shows_elements<variable>) return detail::overwrite(x, x op y);                                            \
    else return x = x op y;                                                                                                              \
  }                                                                                                                                      \
  template <class X, detail::plain_tracer Y>                                                                                             \
    requires std::is_arithmetic_v<X>                                                                                                     \
  constexpr auto& operator op##=(X& x, Y const&) {                                                                                       \
    static_assert(detail::is_a_traced_variable<X, Y>,                                                                                    \
                  "exprax: x " #op "= y: x is a C++ number, and y a traced value, which has no value while tracing: begin with a traced "\
                  "x, as in ex::expr<float> x = 0.0f");                                                                                  \
    return x;                                                                                                                            \
  }
// Beside a C++ number, a scalar made of no array is one.
#define EXPRAX_ASSIGNS_TO_A_NUMBER(op)                                                                      \
  template <class N, class S, class T>                                                                      \
    requires(std::is_arithmetic_v<N> && std::is_arithmetic_v<strong_t<T>>)                                  \
  constexpr N& operator op##=(N& x, deferred<S, T> const& y) {                                              \
    using type = std::common_type_t<N, strong_t<T>>;                                                        \
    return x = static_cast<N>(static_cast<type>(x) op static_cast<type>(static_cast<strong_t<T>>(y)));      \
  }
EXPRAX_ASSIGNS_TO_A_NUMBER(+)
EXPRAX_ASSIGNS_TO_A_NUMBER(-)
EXPRAX_ASSIGNS_TO_A_NUMBER(*)
EXPRAX_ASSIGNS_TO_A_NUMBER(/)
#undef EXPRAX_ASSIGNS_TO_A_NUMBER
EXPRAX_ASSIGNS(+)
EXPRAX_ASSIGNS(-)
EXPRAX_ASSIGNS(*)
EXPRAX_ASSIGNS(/)
EXPRAX_ASSIGNS(%)
EXPRAX_ASSIGNS(&)
EXPRAX_ASSIGNS(|)
EXPRAX_ASSIGNS(^)
#undef EXPRAX_ASSIGNS

}  // namespace exprax
