// SPDX-License-Identifier: BSL-1.0
// random_split: an array of new keys for each key (jax.random.split). Parameters: JAX's threefry_partitionable, the shape for one key.
#pragma once

#include <exprax/primitives/random/threefry.hpp>

namespace exprax {

template <>
struct primitive<prim::random_split> : detail::rules_of_keys {
  static constexpr std::string_view name = "random_split";

  static constexpr detail::span<int> shape(equation_ref const& e) { return e.params().part(1, e.n_par() - 1); }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1 || e.n_par() < 1 || !is_key(e.type(0).type) || !detail::is_shape_behind(e.type(0), shape(e))) return false;
    *out = detail::joined_shape(dtype::key, e.type(0), shape(e));
    return e.param(0) == 0 || e.param(0) == 1;
  }
  template <class Context>
  static constexpr void expand(Context& c, equation_ref const& e) {
    int const n = detail::product_of(shape(e)), key = c.in(e, 0);
    detail::word_pair const w = e.param(0) != 0 ? detail::partitionable_blocks(c, key, n, !shape(e).empty()) : pairs(c, key, n);
    c.set(e, 0, c.reshape(detail::key_of_words(c, w), e.out_type(0)));
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("shape");
    o.tuple(shape(e));
  }

 private:
  // Each pair of adjacent words among 2 n is a key.
  template <class Context>
  static constexpr detail::word_pair pairs(Context& c, int key, int n) {
    int const words = detail::joined_halves(c, detail::halved_blocks(c, key, 2 * n), 2 * n), axis = c.type(words).rank;
    aval one = c.type(words);
    one.dims[axis - 1] = n;
    int const rows = c.reshape(words, detail::with_last_axis(one, 2));
    return {c.reshape(c.slice_axis(rows, axis, 0, 1), one), c.reshape(c.slice_axis(rows, axis, 1, 2), one)};
  }
};

}  // namespace exprax
