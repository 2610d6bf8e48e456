// SPDX-License-Identifier: BSL-1.0
// random_unwrap: the words of keys, uint32[..., 2] (jax.random.key_data).
#pragma once

#include <exprax/primitives/random/threefry.hpp>

namespace exprax {

template <>
struct primitive<prim::random_unwrap> : detail::rules_of_keys {
  static constexpr std::string_view name = "random_unwrap";

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1 || e.n_par() != 0 || !is_key(e.type(0).type) || e.type(0).rank == max_rank) return false;
    *out = detail::with_last_axis(e.type(0).with_type(dtype::u32), 2);
    return true;
  }
  template <class Context>
  static constexpr void expand(Context& c, equation_ref const& e) {
    detail::word_pair const w = detail::words_of_key(c, c.in(e, 0));
    aval const column = detail::with_last_axis(c.type(w.first), 1);
    int const words[] = {c.reshape(w.first, column), c.reshape(w.second, column)};
    c.set(e, 0, c.concatenate(words, column.rank - 1));
  }
  template <class Printer>
  static constexpr void print(Printer&, equation_ref const&) {}
};

}  // namespace exprax
