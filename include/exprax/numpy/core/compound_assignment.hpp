// SPDX-License-Identifier: BSL-1.0
// The operators += -= *= /= %= &= |= ^= of traced values and arrays: x += y is x = x + y. A C++ variable keeps its dtype and shape (in
// Python x becomes what the sum is): other results are refused.
#pragma once

#include <exprax/numpy/core/operators.hpp>

namespace exprax {

namespace detail {

template <class X>
inline constexpr bool owns_elements = false;
template <class T, int... D>
inline constexpr bool owns_elements<array<T, D...>> = true;
template <class X>
concept variable = tracer<X> || owns_elements<std::remove_cvref_t<X>>;

// Words in error texts.
template <class X>
inline constexpr bool is_a_variable_that_changes = std::is_lvalue_reference_v<X> && !std::is_const_v<std::remove_reference_t<X>>;
template <bool Fits, class Variable, class Result>
inline constexpr bool keeps_dtype_and_shape = Fits;

template <class X, class Result>
inline constexpr bool takes_result = aval_in<X>.same_shape(aval_in<Result>) && aval_in<X>.type == aval_in<Result>.type &&
                                     (is_weak<type_in<Result>> || !is_weak<type_in<X>>);

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
                  "const variable change");                                                                                              \
    static_assert(detail::keeps_dtype_and_shape<fits, variable, result>,                                                                 \
                  "exprax: x " #op "= y: x " #op " y has another dtype or shape than x: this message names both. A C++ variable keeps its "\
                  "type: write auto z = x " #op " y, or convert with astype<T>");                                                        \
    if constexpr (fits && detail::is_a_variable_that_changes<X>) return x = x op y;                                                      \
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
