// SPDX-License-Identifier: BSL-1.0
// convert_element_type (jax.lax.convert_element_type): as in C++, but floats out of the range of integers saturate and NaN gives 0.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::convert_element_type> : detail::convert_family<prim::convert_element_type> {
  static constexpr std::string_view name = "convert_element_type";
  template <class U, class V>
  EXPRAX_INLINE static constexpr typename V::template rebind<U> kernel(V x) {
    return convert<U>(x);
  }
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    c.add_cotangent(e, 0, c.convert(c.cotangent(e), e.type(0).type));
  }
};

}  // namespace exprax
