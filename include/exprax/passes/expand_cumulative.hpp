// SPDX-License-Identifier: BSL-1.0
// A cumulative reduction in turn (primitives/reductions/cumulative.hpp) as the scan that defines it: the axis moves to the front, the carry
// starts with the identity, and each iteration combines one row with it. The body uses the operations of primitive<P>::join, so the bits do
// not change. An array [a, n, b] along n is scanned in parts, so that the carry stays in registers and the rows stay in the cache:
// [n, b] if b is not 1, else blocks of the a rows.
#pragma once

#include <initializer_list>

#include <exprax/primitives/reductions/cumulative.hpp>
#include <exprax/primitives/rule_context.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax::detail {

class cumulative_expander {
 public:
  constexpr cumulative_expander(rule_context& c, program_builder& to, program_ref from, eqn const& e)
      : c_(c), q_(to), e_(e), type_(from.type(e.out)), axis_(from.param(e, 0)), reverse_(from.param(e, 1)) {
    type_.weak = false;
  }

  // x: the operand in the new program. Returns the result.
  constexpr int run(int x) {
    int before = 1, after = 1;
    for (int i = 0; i < axis_; ++i) before *= type_.dims[i];
    for (int i = axis_ + 1; i < type_.rank; ++i) after *= type_.dims[i];
    int const n = type_.dims[axis_], rows = after > 1 ? 1 : block_of(before);
    if (before <= rows || (after == 1 && before <= most_rows)) return one_scan(x, type_, axis_);
    aval const part = after > 1 ? aval(type_.type, {n, after}) : aval(type_.type, {rows, n});
    aval const parts = part.with_axis(0, before / rows);
    int const split = c_.reshape(x, parts);
    q_.open();
    int const each = q_.add_value(part);
    int const made = one_scan(each, part, after > 1 ? 0 : 1);
    int const body = q_.close({each}, {made});
    return c_.reshape(q_.emit(prim::scan, {split}, {before / rows, 0, 0, 0, 1}, {&parts, 1}, {&body, 1}), type_);
  }

 private:
  static constexpr int most_rows = 32;
  // The rows of one block, a divisor of `rows`: 16, else the largest from 8 to 32, else all.
  static constexpr int block_of(int rows) {
    if (rows % 16 == 0) return 16;
    for (int k = most_rows; k >= 8; --k)
      if (rows % k == 0) return k;
    return rows;
  }

  constexpr int one_scan(int x, aval const& t, int axis) {
    int const n = t.dims[axis];
    aval row = t.without_axis(axis), rows = row.with_axis(0, n);
    int start = q_.add_literal(t.type, cumulative_identity_bits(e_.op, t.type));
    if (row.rank > 0) start = c_.broadcast(start, row, {});
    int const moved = move(x, axis, true);

    q_.open();
    int const carry = q_.add_value(row), each = q_.add_value(row);
    int const next = join(row, carry, each);
    int const body = q_.close({carry, each}, {next, next});
    aval const results[] = {row, rows};
    int const last = q_.emit(prim::scan, {start, moved}, {n, 0, 1, reverse_, 1}, {results, 2}, {&body, 1});
    return move(last + 1, axis, false);
  }
  // Moves the axis to the front, or back.
  constexpr int move(int v, int axis, bool to_front) {
    int permutation[max_rank] = {};
    int const rank = q_.type(v).rank;
    for (int i = 0; i < rank; ++i) {
      int const rest = i < axis ? i + 1 : i;  // the position of axis i when `axis` is in front
      if (to_front) permutation[i == axis ? 0 : rest] = i;
      else permutation[i] = i == axis ? 0 : rest;
    }
    return c_.transpose(v, {permutation, rank});
  }
  constexpr int emit(prim op, aval const& t, std::initializer_list<int> in) { return q_.emit_one(op, in, {}, t); }
  constexpr int join(aval const& t, int a, int b) {
    if (e_.op != prim::cumlogsumexp) return emit(traits_of(e_.op).combiner, t, {a, b});
    int const difference = emit(prim::sub, t, {a, b});
    int const tail = emit(prim::log1p, t, {emit(prim::exp, t, {emit(prim::neg, t, {emit(prim::abs, t, {difference})})})});
    int const joined = emit(prim::add, t, {emit(prim::max, t, {a, b}), tail});
    int const is_nan = emit(prim::ne, t.with_type(dtype::b1), {difference, difference});
    return emit(prim::select_n, t, {is_nan, joined, emit(prim::add, t, {a, b})});
  }

  rule_context& c_;
  program_builder& q_;
  eqn const& e_;
  aval type_;
  int axis_, reverse_;
};

}  // namespace exprax::detail
