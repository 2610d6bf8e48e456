// SPDX-License-Identifier: BSL-1.0
// complex (jax.lax.complex): complex numbers from their real and imaginary parts.
#pragma once

#include <exprax/primitives/elementwise/complex_rules.hpp>

namespace exprax {

template <>
struct primitive<prim::complex> : detail::complex_rules<prim::complex> {
  static constexpr prim_traits traits{.kind = op_class::elementwise, .arity = 2, .linear_in = all_operands};
  static constexpr std::string_view name = "complex";
  static constexpr std::string_view stablehlo = "complex";
  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 2 || e.n_par() != 0 || !detail::join_operands(e, out) || !(out->type == dtype::f32 || out->type == dtype::f64))
      return false;
    *out = out->with_type(complex_dtype(out->type), out->weak);
    return true;
  }
  // JAX's convention: the transposed map, not the adjoint one.
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    int const ct = c.cotangent(e);
    if (c.is_linear(e, 0)) c.add_summed(e, 0, c.elementwise(prim::real, ct));
    if (c.is_linear(e, 1)) c.add_summed(e, 1, c.elementwise(prim::imag, c.neg(ct)));
  }
};

}  // namespace exprax
