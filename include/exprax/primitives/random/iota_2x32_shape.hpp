// SPDX-License-Identifier: BSL-1.0
// iota_2x32_shape: the row-major indices of the elements of a shape, 64 bits in two words: the high ones, the low ones
// (jax._src.random.prng). Parameters: the shape, which has at least one axis.
#pragma once

#include <exprax/primitives/random/threefry.hpp>

namespace exprax {

template <>
struct primitive<prim::iota_2x32_shape> : detail::rules_of_keys {
  static constexpr std::string_view name = "iota_2x32_shape";

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 0 || e.n_par() < 1 || !detail::is_shape_behind(aval(), e.params())) return false;
    out[0] = out[1] = detail::joined_shape(dtype::u32, aval(), e.params());
    return true;
  }
  template <class Context>
  static constexpr void expand(Context& c, equation_ref const& e) {
    c.set(e, 0, c.full(e.out_type(0), c.number(dtype::u32, 0)));
    c.set(e, 1, c.reshape(detail::counters(c, 1, detail::product_of(e.params())), e.out_type(1)));
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("shape");
    o.tuple(e.params());
  }
};

}  // namespace exprax
