// SPDX-License-Identifier: BSL-1.0
// result_type: the dtype in which an operation on these values computes.
#pragma once

#include <exprax/numpy/core/operand.hpp>
#include <exprax/types/dtype_object.hpp>

namespace exprax {

namespace detail {

template <class X>
struct result_operand {
  using type = type_in<X>;
};
template <class T>
struct result_operand<dtype_t<T>> {
  using type = T;
};

}  // namespace detail

// The dtype to which arrays, C++ numbers and dtypes promote, numbers as weak ones (jax.numpy.result_type): result_type(x, 1.0), of int8 and
// 2 int8.
inline constexpr struct result_type_function {
  template <class... X>
  constexpr auto operator()(X const&...) const {
    static_assert(sizeof...(X) > 0, "exprax: result_type: at least one value or dtype");
    if constexpr (sizeof...(X) > 0) return dtype_<strong_t<promote_t<typename detail::result_operand<X>::type...>>>;
  }
} result_type{};

}  // namespace exprax
