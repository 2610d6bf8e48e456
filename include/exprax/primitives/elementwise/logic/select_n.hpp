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
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    int const which = c.in(e, 0), ct = c.cotangent(e);
    for (int k = 1; k < e.n_in(); ++k) {
      if (!c.is_linear(e, k)) continue;
      detail::arena<int> in;
      in.push(which);
      for (int j = 1; j < e.n_in(); ++j) in.push(j == k ? ct : c.zeros(e.out_type(0)));
      c.add_summed(e, k, c.emit(prim::select_n, in));
    }
  }
};

}  // namespace exprax
