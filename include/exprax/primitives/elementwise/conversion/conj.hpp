// SPDX-License-Identifier: BSL-1.0
// conj (jax.lax.conj): the complex conjugate; real numbers become complex.
#pragma once

#include <exprax/primitives/elementwise/complex_rules.hpp>

namespace exprax {

template <>
struct primitive<prim::conj> : detail::complex_rules<prim::conj> {
  static constexpr prim_traits traits{.kind = op_class::elementwise, .arity = 1, .linear_in = first_operand};
  static constexpr std::string_view name = "conj";
  static constexpr bool infer(equation_ref const& e, aval* out) {
    dtype const t = e.n_in() == 1 ? e.type(0).type : dtype::b1;
    if (e.n_par() != 0 || !(is_complex(t) || t == dtype::f32 || t == dtype::f64)) return false;
    *out = e.type(0).with_type(complex_dtype(t), e.type(0).weak);
    return true;
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    int const x = l.in(e, 0);
    aval const whole = e.out_type(0), part = whole.with_type(real_dtype(whole.type));
    auto const unary = [&](std::string_view name, int v, aval const& out) { return l.plain(name, {&v, 1}, out); };
    int const parts[] = {is_complex(e.type(0).type) ? unary("real", x, part) : x,
                         is_complex(e.type(0).type) ? unary("negate", unary("imag", x, part), part) : l.full(part, 0)};
    l.set(e, 0, l.plain("complex", parts, whole));
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("input_dtype");
    o.dtype(e.type(0).type);
  }
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    c.add_cotangent(e, 0, c.elementwise(is_complex(e.type(0).type) ? prim::conj : prim::real, c.cotangent(e)));
  }
};

}  // namespace exprax
