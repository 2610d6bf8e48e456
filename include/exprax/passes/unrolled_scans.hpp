// SPDX-License-Identifier: BSL-1.0
// Scans that need no loop: of at most one iteration, and short ones that are to be unrolled whole (ex::unroll).
#pragma once

#include <exprax/passes/rewrite/rewriter.hpp>
#include <exprax/primitives/control/scan.hpp>

namespace exprax::detail {

// A scan of at most one iteration.
template <class W>
constexpr void unroll_scan(W& w, eqn const& e, int length, int n_carry, int first_x, arena<int>& in) {
  program_ref const& p = w.source();
  block const& b = p.sub(e, 0);
  for (int k = 0; k < e.n_out && length == 0; ++k) {
    int const t = w.type_in(e.out + k);
    w.bind(e.out + k, k < n_carry ? in[first_x - n_carry + k] : w.filled_with(t, 0));
  }
  if (length == 0) return;
  for (int k = first_x; k < e.n_in; ++k) in[k] = w.reshape(w.type_in(p.ins(b)[k]), in[k]);
  w.splice(e, 0, in);
  for (int k = n_carry; k < e.n_out; ++k) w.bind(e.out + k, w.reshape(w.type_in(e.out + k), w.operand(p.outs(b)[k])));
}

// Row i of an array.
template <class W>
constexpr int row_at(W& w, int array, int i) {
  int const row = w.intern(w.aval_of(array).without_axis(0));
  return w.reshape(row, w.slice_axis(array, 0, i, i + 1));
}

// Equations of a block and of those inside it; its inputs and results count as one each.
constexpr int size_with_blocks(program_ref const& p, block const& b) {
  int n = b.n_eqn + b.n_in + b.n_out;
  for (eqn const& e : p.body(b))
    for (int id : p.subs(e)) n += size_with_blocks(p, p.blocks[id]);
  return n;
}
// A scan that is to be unrolled whole, and stays small: its iterations one after the other.
inline constexpr int most_unrolled = 256;  // equations
constexpr bool is_unrolled(equation_ref const& loop, block const& body, int length) {
  int const turns = primitive<prim::scan>::unroll(loop);
  return (turns == 0 || turns >= length) && length <= most_unrolled && size_with_blocks(loop.p, body) <= most_unrolled / length;
}
template <class W>
constexpr void unroll_iterations(W& w, eqn const& e, int length, int n_carry, int first_x, bool reverse, arena<int> const& in) {
  program_ref const& p = w.source();
  block const& b = p.sub(e, 0);
  int const stacked = e.n_out - n_carry;
  arena<int> now = in, rows;  // operands of an iteration; what all iterations stack, in their order
  for (int turn = 0; turn < length; ++turn) {
    for (int k = first_x; k < e.n_in; ++k) now[k] = row_at(w, in[k], reverse ? length - 1 - turn : turn);
    w.splice(e, 0, now);
    for (int k = 0; k < n_carry; ++k) now[first_x - n_carry + k] = w.operand(p.outs(b)[k]);
    for (int k = 0; k < stacked; ++k) {
      int const y = w.operand(p.outs(b)[n_carry + k]);
      aval one = w.type(w.type_in(e.out + n_carry + k));
      one.dims[0] = 1;
      rows.push(w.reshape(w.intern(one), y));
    }
  }
  for (int k = 0; k < n_carry; ++k) w.bind(e.out + k, now[first_x - n_carry + k]);
  int const axis = 0;
  for (int k = 0; k < stacked; ++k) {
    arena<int> of;
    for (int i = 0; i < length; ++i) of.push(rows[(reverse ? length - 1 - i : i) * stacked + k]);
    w.bind(e.out + n_carry + k, w.make({prim::concatenate, w.type_in(e.out + n_carry + k), of.data(), length, &axis, 1}));
  }
}

}  // namespace exprax::detail
