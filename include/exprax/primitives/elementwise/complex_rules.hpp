// SPDX-License-Identifier: BSL-1.0
// Shared by the primitives that create complex numbers or take their parts. They have neither kernels nor evaluation rules:
// legalize/lower_complex.hpp defines their meaning.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax::detail {

template <prim P>
struct complex_rules : elementwise_rules {
  template <class Machine>
  static constexpr void evaluate(Machine&, equation_ref const&) {}
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    l.elementwise(e, primitive<P>::stablehlo);
  }
};
// The real or the imaginary part.
template <prim P>
struct complex_part : complex_rules<P> {
  static constexpr prim_traits traits{.kind = op_class::elementwise, .arity = 1, .linear_in = first_operand};
  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1 || e.n_par() != 0 || !is_complex(e.type(0).type)) return false;
    *out = e.type(0).with_type(real_dtype(e.type(0).type), e.type(0).weak);
    return true;
  }
};

}  // namespace exprax::detail
