// SPDX-License-Identifier: BSL-1.0
// random_seed: keys from integers (jax.random.key): the two words of the integer, the high one first; the high word is 0 for integers of at
// most 32 bits.
#pragma once

#include <exprax/primitives/random/threefry.hpp>

namespace exprax {

template <>
struct primitive<prim::random_seed> : detail::rules_of_keys {
  static constexpr std::string_view name = "random_seed";

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1 || e.n_par() != 0 || !is_integer(e.type(0).type)) return false;
    *out = e.type(0).with_type(dtype::key);
    return true;
  }
  template <class Context>
  static constexpr void expand(Context& c, equation_ref const& e) {
    int const seed = c.in(e, 0), low = c.convert(seed, dtype::u32);
    int high = c.number(dtype::u32, 0);
    if (dtype const t = e.type(0).type; size_of(t) == 8)
      high = c.convert(c.elementwise(prim::shift_right_logical, seed, c.number(t, 32)), dtype::u32);
    c.set(e, 0, detail::key_of_words(c, {high, low}));
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const&) {
    o.key("impl");
    o.text("fry");
  }
};

}  // namespace exprax
