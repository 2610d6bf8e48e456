// SPDX-License-Identifier: BSL-1.0
// random_wrap: keys from their words, uint32[..., 2] (jax.random.wrap_key_data).
#pragma once

#include <exprax/primitives/random/threefry.hpp>

namespace exprax {

template <>
struct primitive<prim::random_wrap> : detail::rules_of_keys {
  static constexpr std::string_view name = "random_wrap";

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1 || e.n_par() != 0) return false;
    aval const& t = e.type(0);
    if (t.type != dtype::u32 || t.rank == 0 || t.dims[t.rank - 1] != 2) return false;
    *out = t.with_type(dtype::key).without_axis(t.rank - 1);
    return true;
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const x = c.move(c.value(e, 0), c.dim(e, 0).position(), 0);
    c.replace(e, {&x, 1}, {}, 0);
  }
  template <class Context>
  static constexpr void expand(Context& c, equation_ref const& e) {
    int const x = c.in(e, 0), last = e.type(0).rank - 1;
    aval const shape = e.out_type(0);
    int const first = c.reshape(c.slice_axis(x, last, 0, 1), shape), second = c.reshape(c.slice_axis(x, last, 1, 2), shape);
    c.set(e, 0, detail::key_of_words(c, {first, second}));
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const&) {
    o.key("impl");
    o.text("fry");
  }
};

}  // namespace exprax
