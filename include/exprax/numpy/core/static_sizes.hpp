// SPDX-License-Identifier: BSL-1.0
// Sizes that are given as arguments: ex::zeros(3), ex::reshape(x, 2, 3). They are part of types here, so each call is an error that says
// how it is written.
#pragma once

#include <concepts>

#include <exprax/numpy/core/operand.hpp>

namespace exprax {

namespace detail {

template <class... Size>
inline constexpr bool are_template_arguments = sizeof...(Size) == 0;

}  // namespace detail

#define EXPRAX_SIZES_ALONE(function, cure)                                                                                              \
  template <std::integral... Size>                                                                                                      \
    requires(sizeof...(Size) > 0)                                                                                                       \
  constexpr auto function(Size...) {                                                                                                    \
    static_assert(detail::are_template_arguments<Size...>, "exprax: " #function ": sizes are part of types: write " cure);              \
    return 0.0f;                                                                                                                        \
  }
#define EXPRAX_SIZES_BEHIND(function, cure)                                                                                             \
  template <array_like X, std::integral... Size>                                                                                        \
    requires(sizeof...(Size) > 0)                                                                                                       \
  constexpr auto function(X const& x, Size...) {                                                                                        \
    static_assert(detail::are_template_arguments<Size...>, "exprax: " #function ": sizes are part of types: write " cure);              \
    return x;                                                                                                                           \
  }
EXPRAX_SIZES_ALONE(zeros, "ex::zeros<2, 3>()")
EXPRAX_SIZES_ALONE(ones, "ex::ones<2, 3>()")
EXPRAX_SIZES_ALONE(eye, "ex::eye<3>()")
EXPRAX_SIZES_ALONE(arange, "ex::arange<5>()")
EXPRAX_SIZES_BEHIND(reshape, "ex::reshape<2, 3>(x)")
EXPRAX_SIZES_BEHIND(broadcast_to, "ex::broadcast_to<2, 3>(x)")
EXPRAX_SIZES_BEHIND(split, "ex::split<3>(x)")
EXPRAX_SIZES_BEHIND(top_k, "ex::top_k<3>(x)")
#undef EXPRAX_SIZES_ALONE
#undef EXPRAX_SIZES_BEHIND

}  // namespace exprax
