// SPDX-License-Identifier: BSL-1.0
// random_fold_in: a new key from a key and a uint32 (jax.random.fold_in), elementwise.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>
#include <exprax/primitives/random/threefry.hpp>

namespace exprax {

template <>
struct primitive<prim::random_fold_in> : detail::rules_of_keys {
  static constexpr std::string_view name = "random_fold_in";

  static constexpr bool infer(equation_ref const& e, aval* out) {
    *out = aval(dtype::key);
    return e.n_in() == 2 && e.n_par() == 0 && is_key(e.type(0).type) && e.type(1).type == dtype::u32 && detail::join_shapes(e, out);
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    detail::batch_elementwise(c, e);
  }
  template <class Context>
  static constexpr void expand(Context& c, equation_ref const& e) {
    int const key = detail::key_of_words(c, detail::threefry(c, detail::words_of_key(c, c.in(e, 0)), {-1, c.in(e, 1)}));
    c.set(e, 0, key);
  }
  template <class Printer>
  static constexpr void print(Printer&, equation_ref const&) {}
};

}  // namespace exprax
