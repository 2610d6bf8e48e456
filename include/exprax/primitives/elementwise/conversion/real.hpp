// SPDX-License-Identifier: BSL-1.0
// real (jax.lax.real): the real part of complex numbers.
#pragma once

#include <exprax/primitives/elementwise/complex_rules.hpp>

namespace exprax {

template <>
struct primitive<prim::real> : detail::complex_part<prim::real> {
  static constexpr std::string_view name = "real";
  static constexpr std::string_view stablehlo = "real";
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    int const ct = c.cotangent(e);
    c.add_cotangent(e, 0, c.elementwise(prim::complex, ct, c.zeros(c.type(ct))));
  }
};

}  // namespace exprax
