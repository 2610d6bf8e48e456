// SPDX-License-Identifier: BSL-1.0
// imag (jax.lax.imag): the imaginary part of complex numbers.
#pragma once

#include <exprax/primitives/elementwise/complex_rules.hpp>

namespace exprax {

template <>
struct primitive<prim::imag> : detail::complex_part<prim::imag> {
  static constexpr std::string_view name = "imag";
  static constexpr std::string_view stablehlo = "imag";
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    int const ct = c.cotangent(e);
    c.add_cotangent(e, 0, c.elementwise(prim::complex, c.zeros(c.type(ct)), c.neg(ct)));
  }
};

}  // namespace exprax
