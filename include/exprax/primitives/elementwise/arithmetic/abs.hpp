// SPDX-License-Identifier: BSL-1.0
// abs (jax.lax.abs): the absolute value, real for complex numbers; the smallest signed integer stays as it is.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::abs> : detail::unary<prim::abs> {
  static constexpr std::string_view name = "abs";
  static constexpr std::string_view stablehlo = "abs";
  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (!detail::unary<prim::abs>::infer(e, out)) return false;
    *out = out->with_type(real_dtype(out->type), out->weak);
    return true;
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    if (is_unsigned_integer(e.type(0).type)) l.set(e, 0, l.in(e, 0));
    else l.elementwise(e, stablehlo);
  }
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    return abs(x);
  }
  template <class Context>
  static constexpr int tangent(Context& c, equation_ref const& e, int, int t) {
    int const x = c.in(e, 0);
    if (is_complex(e.type(0).type)) {
      int const size = c.replace_zeros(c.convert(c.out(e), e.type(0).type));
      return c.elementwise(prim::real, c.mul(t, c.div(c.elementwise(prim::conj, x), size)));
    }
    int const is_positive = c.elementwise(prim::ge, x, c.number_like(x, 0));
    return c.select(is_positive, c.neg(t), t);
  }
};

}  // namespace exprax
