// SPDX-License-Identifier: BSL-1.0
// random_bits: an array of random words for each key (jax.random.bits). Parameters: width in bits (8, 16, 32, 64), JAX's
// threefry_partitionable, the shape for one key.
#pragma once

#include <exprax/primitives/random/threefry.hpp>

namespace exprax {

template <>
struct primitive<prim::random_bits> : detail::rules_of_keys {
  static constexpr std::string_view name = "random_bits";

  static constexpr dtype type_of(int width) {
    return width == 8 ? dtype::u8 : width == 16 ? dtype::u16 : width == 32 ? dtype::u32 : dtype::u64;
  }
  static constexpr detail::span<int> shape(equation_ref const& e) { return e.params().part(2, e.n_par() - 2); }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1 || e.n_par() < 2 || !is_key(e.type(0).type) || !detail::is_shape_behind(e.type(0), shape(e))) return false;
    int const width = e.param(0);
    if ((width != 8 && width != 16 && width != 32 && width != 64) || e.param(1) < 0 || e.param(1) > 1) return false;
    *out = detail::joined_shape(type_of(width), e.type(0), shape(e));
    return true;
  }
  template <class Context>
  static constexpr void expand(Context& c, equation_ref const& e) {
    int const n = detail::product_of(shape(e)), key = c.in(e, 0);
    int const words = e.param(1) != 0 ? partitionable(c, e, key, n) : halved(c, e.param(0), key, n);
    c.set(e, 0, c.reshape(words, e.out_type(0)));
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("bit_width");
    o.integer(e.param(0));
    o.key("shape");
    o.tuple(shape(e));
  }

 private:
  template <class Context>
  static constexpr int long_word(Context& c, detail::word_pair w) {
    return detail::key_of_words(c, {w.second, w.first});
  }
  template <class Context>
  static constexpr int partitionable(Context& c, equation_ref const& e, int key, int n) {
    detail::word_pair const w = detail::partitionable_blocks(c, key, n, !shape(e).empty());
    if (e.param(0) == 64) return long_word(c, w);
    return c.convert(c.elementwise(prim::xor_, w.first, w.second), type_of(e.param(0)));
  }
  template <class Context>
  static constexpr int halved(Context& c, int width, int key, int n) {
    if (width == 64) return long_word(c, detail::halved_blocks(c, key, 2 * n));
    int const per_word = 32 / width, n_words = n / per_word + (n % per_word != 0);
    int const words = detail::joined_halves(c, detail::halved_blocks(c, key, n_words), n_words);
    if (width == 32) return words;
    // Each word holds several results, the lowest bits first.
    aval const column = detail::with_last_axis(c.type(words), 1);
    int const shifts = c.elementwise(prim::mul, detail::counters(c, column.rank, per_word), c.number(dtype::u32, width));
    int const parts = c.convert(c.elementwise(prim::shift_right_logical, c.reshape(words, column), shifts), type_of(width));
    aval flat = c.type(words).with_type(type_of(width));
    flat.dims[flat.rank - 1] *= per_word;
    return c.slice_axis(c.reshape(parts, flat), flat.rank - 1, 0, n);
  }
};

}  // namespace exprax
