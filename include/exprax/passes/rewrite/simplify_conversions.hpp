// SPDX-License-Identifier: BSL-1.0
// Algebra of conversions, and of the words in a 64-bit integer, which conversions make.
#pragma once

#include <exprax/passes/rewrite/literals.hpp>
#include <exprax/passes/rewrite/request.hpp>

namespace exprax::detail {

// Of two words in a 64-bit integer, as the key of a random generator has them: the lower one, or the upper one; or -1.
template <class W>
constexpr int word_in(W& w, int x, bool upper) {
  eqn const* const both = w.made_by(prim::or_, x);
  auto const word = [&](int v) {
    eqn const* const e = w.made_by(prim::convert_element_type, v);
    return e && w.aval_of(w.in(e, 0)).matches(w.aval_of(x).with_type(dtype::u32)) ? w.in(e, 0) : -1;
  };
  for (int k = 0; k < 2 && both && w.aval_of(x).type == dtype::u64; ++k) {
    eqn const* const shift = w.made_by(prim::shift_left, w.in(both, k));
    if (!shift || !w.is_literal(w.in(shift, 1)) || w.bits(w.in(shift, 1)) != 32) continue;
    int const words[] = {word(w.in(both, 1 - k)), word(w.in(shift, 0))};
    return words[0] < 0 || words[1] < 0 ? -1 : words[upper];
  }
  return -1;
}
template <class W>
constexpr int simplify_right_shift(W& w, request const& r, int x, int y) {
  if (!w.is_literal(y) || w.bits(y) != 32) return -1;
  int const word = word_in(w, x, true);
  return word < 0 ? -1 : w.make(prim::convert_element_type, r.type, {word}, {static_cast<int>(dtype::u64), 0});
}

// The float y of which x is max(y, c) or min(y, c), with a number c that integers of a type do not pass: converted to them, both are the
// same. Or -1. max(y, +0) + 0 is a maximum, too (simplify_bound).
template <class W>
constexpr int without_bound(W& w, int x, dtype integers) {
  eqn const* e = w.made_by(prim::add, x);
  if (e && w.is_literal(w.in(e, 1)) && w.bits(w.in(e, 1)) == 0) e = w.made_by(prim::at_least, w.in(e, 0));
  else if (e = w.made_by(prim::at_least, x); !e) e = w.made_by(prim::at_most, x);
  if (!e || !w.is_literal(w.in(e, 1)) || !w.aval_of(w.in(e, 0)).same_shape(w.aval_of(x))) return -1;
  return is_beyond(w.aval_of(x).type, w.bits(w.in(e, 1)), integers, e->op == prim::at_most) ? w.in(e, 0) : -1;
}
// convert(convert(x)), where the first conversion is exact, as that of a number of bits is.
template <class W>
constexpr int simplify_convert(W& w, request const& r, int x) {
  if (w.type_of(x) == r.type) return x;
  if (w.type(r.type).type == dtype::u32)
    if (int const word = word_in(w, x, false); word >= 0) return word;
  dtype const middle = w.aval_of(x).type, to = w.type(r.type).type;
  if (is_floating(middle) && is_integer(to))
    if (int const y = without_bound(w, x, to); y >= 0) return w.make({prim::convert_element_type, r.type, &y, 1, r.par, r.n_par});
  eqn const* const inner = w.made_by(prim::convert_element_type, x);
  if (!inner) return -1;
  int const y = w.in(inner, 0);
  dtype const from = w.aval_of(y).type;
  bool const counts_bits = !is_bool(middle) && w.made_by(prim::population_count, y);
  if (!counts_bits && !converts_exactly(from, middle)) return -1;
  // An integer converted to a narrower one wraps; through a float it would saturate.
  if (is_integer(from) && is_floating(middle) && is_integer(to) && !converts_exactly(from, to)) return -1;
  return w.make({prim::convert_element_type, r.type, &y, 1, r.par, r.n_par});
}
// The float sum of n conversions of short integers or conditions, if all partial sums are exact: as a sum of integers, whose order is free.
template <class W>
constexpr int simplify_float_sum(W& w, request const& r, int x, std::ptrdiff_t n) {
  eqn const* const e = w.made_by(prim::convert_element_type, x);
  if (!e) return -1;
  int const y = w.in(e, 0);
  aval const from = w.aval_of(y), to = w.type(r.type);
  if (is_floating(from.type) || size_of(from.type) > 2 || size_of(to.type) < 4) return -1;
  int const largest = is_bool(from.type) ? 0 : 8 * size_of(from.type), exact = to.type == dtype::f32 ? 24 : 30;  // powers of two
  if (n > std::ptrdiff_t{1} << exact >> largest) return -1;
  int const integers = static_cast<int>(dtype::i32);
  int const z = w.make(prim::convert_element_type, w.intern(from.with_type(dtype::i32)), {y}, {integers, 0});
  int const sum = w.make({r.op, w.intern(to.with_type(dtype::i32)), &z, 1, r.par, r.n_par});
  return w.make(prim::convert_element_type, r.type, {sum}, {static_cast<int>(to.type), 0});
}

}  // namespace exprax::detail
