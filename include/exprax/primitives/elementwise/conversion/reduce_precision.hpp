// SPDX-License-Identifier: BSL-1.0
// reduce_precision (jax.lax.reduce_precision): rounds to a float format with fewer bits, to nearest even, but keeps the dtype of x. Values
// too large for the format become infinite, values below its normal numbers zero; NaN stays, or becomes infinity in a format without a
// mantissa.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

// Parameters: exponent_bits, mantissa_bits.
template <>
struct primitive<prim::reduce_precision> : detail::elementwise_rules {
  static constexpr std::string_view name = "reduce_precision";
  static constexpr prim_traits traits{.kind = op_class::composite, .linear_in = first_operand};
  static constexpr bool infer(equation_ref const& e, aval* out) {
    return e.n_in() == 1 && e.n_par() == 2 && e.param(0) >= 1 && e.param(1) >= 0 && detail::join_operands(e, out) && is_floating(out->type);
  }
  template <class Context>
  static constexpr void expand(Context& c, equation_ref const& e) {
    dtype const real = e.type(0).type, word = real == dtype::f64 ? dtype::u64 : dtype::u32;
    int const x = c.in(e, 0), mantissa = real == dtype::f64 ? 52 : 23, exponent = real == dtype::f64 ? 11 : 8;
    int const drop = mantissa - e.param(1);
    std::uint64_t const sign = std::uint64_t{1} << (mantissa + exponent), infinite = ((std::uint64_t{1} << exponent) - 1) << mantissa;
    auto const literal = [&](std::uint64_t bits) { return c.literal(word, bits); };
    int const from[] = {static_cast<int>(word)}, to[] = {static_cast<int>(real)};
    aval const words = e.type(0).with_type(word, false);
    int const bits = c.emit(prim::bitcast, {&x, 1}, from, words), signs = c.elementwise(prim::and_, bits, literal(sign));
    int r = bits;
    if (drop > 0) {
      // Half an ulp of the result, minus one; plus one if the last kept bit is odd.
      std::uint64_t const last = std::uint64_t{1} << drop;
      int const odd =
          c.elementwise(prim::and_, c.elementwise(prim::shift_right_logical, bits, literal(static_cast<std::uint64_t>(drop))), literal(1));
      r = c.elementwise(prim::add, c.elementwise(prim::add, bits, literal((last >> 1) - 1)), odd);
      r = c.elementwise(prim::and_, r, literal(~(last - 1) & (infinite | sign | (infinite ^ (sign - 1)))));
    }
    if (e.param(0) < exponent) {
      std::uint64_t const bias = (std::uint64_t{1} << (exponent - 1)) - 1, reduced = (std::uint64_t{1} << (e.param(0) - 1)) - 1;
      int const power = c.elementwise(prim::and_, r, literal(infinite));
      int const small = c.elementwise(prim::le, power, literal((bias - reduced) << mantissa));
      int const large = c.elementwise(prim::gt, power, literal((bias + reduced) << mantissa));
      r = c.select(small, r, signs);
      r = c.select(large, r, c.elementwise(prim::or_, signs, literal(infinite)));
    }
    int const magnitude = c.elementwise(prim::and_, bits, literal(sign - 1));
    int const unknown = c.elementwise(prim::gt, magnitude, literal(infinite));
    r = c.select(unknown, r, e.param(1) > 0 ? bits : c.elementwise(prim::or_, signs, literal(infinite)));
    c.set(e, 0, c.emit(prim::bitcast, {&r, 1}, to, e.out_type(0)));
  }
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    c.add_cotangent(e, 0, c.cotangent(e));
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    l.set(e, 0, l.reduce_precision(l.in(e, 0), e.param(0), e.param(1)));
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("exponent_bits");
    o.integer(e.param(0));
    o.key("mantissa_bits");
    o.integer(e.param(1));
  }
};

}  // namespace exprax
