// SPDX-License-Identifier: BSL-1.0
// Threefry-2x32 with 20 rounds (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3; SC 2011), as equations over 32-bit
// words; and keys, which are 64-bit patterns where composites are expanded, as two words and back.
#pragma once

#include <exprax/primitives/primitive.hpp>

namespace exprax::detail {

struct word_pair {
  int first, second;
};

// The block of counters (x.first, x.second) under a key. Shapes broadcast as those of elementwise operands; -1 stands for 0. Values that
// depend only on the key have its shape.
template <class Context>
constexpr word_pair threefry(Context& c, word_pair key, word_pair x) {
  constexpr int rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  int const parity = c.elementwise(prim::xor_, c.elementwise(prim::xor_, key.first, key.second), c.literal(dtype::u32, 0x1bd11bda));
  int const keys[3] = {key.first, key.second, parity};
  int a = x.first < 0 ? keys[0] : c.elementwise(prim::add, x.first, keys[0]);
  int b = x.second < 0 ? keys[1] : c.elementwise(prim::add, x.second, keys[1]);
  for (int i = 0; i < 5; ++i) {
    for (int by : rotations[i % 2]) {
      a = c.elementwise(prim::add, a, b);
      b = c.elementwise(prim::xor_, a, c.elementwise(prim::rotate_left, b, c.number(dtype::u32, by)));
    }
    a = c.elementwise(prim::add, a, keys[(i + 1) % 3]);
    b = c.elementwise(prim::add, b, c.elementwise(prim::add, keys[(i + 2) % 3], c.number(dtype::u32, i + 1)));
  }
  return {a, b};
}

template <class Context>
constexpr word_pair words_of_key(Context& c, int key) {
  int const high = c.elementwise(prim::shift_right_logical, key, c.number(dtype::u64, 32));
  return {c.convert(key, dtype::u32), c.convert(high, dtype::u32)};
}
template <class Context>
constexpr int key_of_words(Context& c, word_pair w) {
  int const high = c.elementwise(prim::shift_left, c.convert(w.second, dtype::u64), c.number(dtype::u64, 32));
  return c.elementwise(prim::or_, c.convert(w.first, dtype::u64), high);
}

// Shapes of keys with one last axis for what is generated per key; reshaped at the end.
constexpr aval with_last_axis(aval a, int n) {
  a.dims[a.rank++] = n;
  return a;
}
constexpr aval joined_shape(dtype type, aval const& keys, span<int> more) {
  aval a = keys.with_type(type);
  for (int n : more) a.dims[a.rank++] = n;
  return a;
}
constexpr bool is_shape_behind(aval const& keys, span<int> more) {
  if (keys.rank + more.size() > max_rank) return false;
  for (int n : more)
    if (n < 0) return false;
  return true;
}
constexpr int product_of(span<int> dims) {
  int n = 1;
  for (int d : dims) n *= d;
  return n;
}

// The words of an array of keys, with a last axis of size 1 unless it is a scalar.
template <class Context>
constexpr word_pair words_in_column(Context& c, int key) {
  word_pair w = words_of_key(c, key);
  if (aval const t = c.type(key); t.rank > 0) {
    aval const column = with_last_axis(t.with_type(dtype::u32), 1);
    w = {c.reshape(w.first, column), c.reshape(w.second, column)};
  }
  return w;
}
// 0, 1, 2, ... n - 1 along the last axis of size n.
template <class Context>
constexpr int counters(Context& c, int rank, int n) {
  aval shape(dtype::u32);
  for (int i = 1; i < rank; ++i) shape.dims[shape.rank++] = 1;
  return c.iota(with_last_axis(shape, n), shape.rank);
}

// For each key the blocks of counters 0 to n - 1, as with JAX's threefry_partitionable: the two words of a block are those of a 64-bit
// counter. The results have the shape of the keys and a last axis of n, or n = 1 and no such axis.
template <class Context>
constexpr word_pair partitionable_blocks(Context& c, int key, int n, bool with_axis) {
  if (!with_axis) return threefry(c, words_of_key(c, key), {-1, -1});
  return threefry(c, words_in_column(c, key), {-1, counters(c, c.type(key).rank + 1, n)});
}
// Without threefry_partitionable: the counters 0 to n - 1 are cut in half, and the last block is padded with 0. Returns the two halves of
// the results.
template <class Context>
constexpr word_pair halved_blocks(Context& c, int key, int n) {
  int const half = n / 2 + n % 2;
  int const first = counters(c, c.type(key).rank + 1, half);
  int second = c.elementwise(prim::add, first, c.number(dtype::u32, half));
  if (n % 2 != 0) {
    int const is_last = c.elementwise(prim::eq, first, c.number(dtype::u32, half - 1));
    second = c.select(is_last, second, c.full(c.type(second), c.number(dtype::u32, 0)));
  }
  return threefry(c, words_in_column(c, key), {first, second});
}
// The two halves concatenated: n words along the last axis.
template <class Context>
constexpr int joined_halves(Context& c, word_pair w, int n) {
  int const axis = c.type(w.first).rank - 1, both[] = {w.first, w.second};
  return c.slice_axis(c.concatenate(both, axis), axis, 0, n);
}

// One operand, an array of keys; its batch axis stays in front of what is generated for each key.
struct rules_of_keys {
  static constexpr prim_traits traits{.kind = op_class::composite, .is_random = true};
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    c.apply(e);
  }
  // Never called: StableHLO texts are made from the expansion.
  template <class Lowering>
  static constexpr void lower(Lowering&, equation_ref const&) {}
};

}  // namespace exprax::detail
