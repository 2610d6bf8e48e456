// SPDX-License-Identifier: BSL-1.0
// Conversions of traced values between dtypes: convert_element_type, except for literals, which are converted in place. Complex numbers
// convert by their real part, but to bool by comparison with 0.
#pragma once

#include <exprax/primitives/list.hpp>
#include <exprax/program/expr.hpp>

namespace exprax::detail {

// e with dtype U, which may be weak. The same dtype and weakness: nothing is recorded.
template <class U, class T, int... D>
constexpr expr<U, D...> convert_to(expr<T, D...> const& e) {
  if constexpr (std::is_same_v<T, U>) {
    return e;
  } else {
    if constexpr (sizeof...(D) == 0) {
      if (is_literal(e)) {
        return constant<expr<U>>(expr_access::get(e), element_patterns(convert_number<strong_t<U>>(literal_value(e))).of);
      }
    }
    if constexpr (is_complex(dtype_of<T>) && is_bool(dtype_of<U>)) {
      return detail::bind<expr<U, D...>>(prim::ne, {}, e, lit<T>{});
    } else if constexpr (is_complex(dtype_of<T>) && !is_complex(dtype_of<U>)) {
      return convert_to<U>(detail::bind<expr<real_part_t<T>, D...>>(prim::real, {}, e));
    } else {
      int const p[] = {static_cast<int>(dtype_of<U>), is_weak<U> ? 1 : 0};
      return detail::bind<expr<U, D...>>(prim::convert_element_type, p, e);
    }
  }
}

// The conversion from a weak value to its dtype, found by expr's constructor.
template <class T, int... D>
constexpr expr<T, D...> strengthen(expr<weak<T>, D...> const& e) {
  return convert_to<T>(e);
}

}  // namespace exprax::detail
