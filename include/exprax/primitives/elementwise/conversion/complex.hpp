// SPDX-License-Identifier: BSL-1.0
// complex (jax.lax.complex): complex numbers from their real and imaginary parts.
#pragma once

#include <exprax/primitives/elementwise/complex_rules.hpp>

namespace exprax {

template <>
struct primitive<prim::complex> : detail::complex_rules<prim::complex> {
  static constexpr prim_traits traits{.kind = op_class::elementwise, .arity = 2};
  static constexpr std::string_view name = "complex";
  static constexpr std::string_view stablehlo = "complex";
  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 2 || e.n_par() != 0 || !detail::join_operands(e, out) || !(out->type == dtype::f32 || out->type == dtype::f64))
      return false;
    *out = out->with_type(complex_dtype(out->type), out->weak);
    return true;
  }
};

}  // namespace exprax
