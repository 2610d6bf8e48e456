// SPDX-License-Identifier: BSL-1.0
// select_n (jax.lax.select_n): the case given by the first operand. The kernel is that for two cases: if_true where which.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::select_n> : detail::select_family<prim::select_n> {
  static constexpr std::string_view name = "select_n";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(typename V::mask which, V if_false, V if_true) {
    return select(which, if_true, if_false);
  }
};

}  // namespace exprax
