// SPDX-License-Identifier: BSL-1.0
// Stacked results of a scan that another scan reads row by row, such as the residuals of a derivative. A row that follows elementwise from
// rows that the reader has anyway is computed again by the reader, if that moves fewer bytes: the array is not stored.
#pragma once

#include <exprax/passes/rewrite/rewriter.hpp>

namespace exprax::detail {

// What a function may cost that is computed again: for arrays that stay in the nearest caches, and for larger ones.
inline constexpr int few_instructions = 2 * cost_of_division, some_functions = 4 * cost_of_function;
inline constexpr std::ptrdiff_t near_bytes = std::ptrdiff_t{1} << 18;

template <class W>
class stacked_reader {
 public:
  // scanned: the arrays that the reading scan is over; they change.
  constexpr stacked_reader(W& w, arena<int>& scanned, int length) : w_(w), scanned_(scanned), length_(length) {}

  // Decides whether the rows of an array are computed again. Then it is one of the scanned ones no more, perhaps another array is in its
  // place.
  constexpr void consider(int array) {
    stacked_scan const* const s = maker_of(array);
    if (!s) return;
    bytes_ = bytes_of(array);
    limit_ = bytes_ > near_bytes ? some_functions : few_instructions;
    int const at = position(scanned_, array);
    scanned_[at] = none;
    added_ = none;
    counted_.clear();
    if (cost(*s, row_value(*s, array), 0) > limit_) {
      scanned_[at] = array;
    } else {
      again_.push(array);
      scanned_[at] = added_;
    }
  }
  // The row of an array whose rows are computed again. rows: those of the scanned arrays.
  constexpr int row(int array, span<int> rows) { return make(*maker_of(array), row_value(*maker_of(array), array), rows); }

  static constexpr int none = -1;

 private:
  constexpr stacked_scan const* maker_of(int array) const {
    for (stacked_scan const& s : w_.stacked)
      for (int k = s.n_carry; k < s.results.size() && s.length == length_; ++k)
        if (s.results[k] == array) return &s;
    return nullptr;
  }
  // The value of the block that is stacked as the array.
  constexpr int row_value(stacked_scan const& s, int array) const {
    program_ref const q = w_.written();
    return q.outs(q.blocks[s.block])[position(s.results, array)];
  }
  // Where the reader finds a value of the block: an outer value, or the number of a scanned array, or neither.
  struct place {
    int outer = none, array = none;
  };
  constexpr place find(stacked_scan const& s, int v) const {
    program_ref const q = w_.written();
    block const& b = q.blocks[s.block];
    if (q.is_constant(v)) return {v, none};
    int const input = position(q.ins(b), v);
    if (input >= 0 && input < s.n_captured) return {s.operands[input], none};
    if (input >= s.n_captured + s.n_carry) return {none, position(scanned_, s.operands[input])};
    for (int k = s.n_carry; k < b.n_out; ++k)
      if (q.outs(b)[k] == v && position(scanned_, s.results[k]) >= 0) return {none, position(scanned_, s.results[k])};
    return {};
  }
  static constexpr eqn const* maker(program_ref const& q, block const& b, int v) {
    for (int i = 0; i < b.n_eqn; ++i)
      if (eqn const& e = q.eqns[b.eqn + i]; v >= e.out && v < e.out + e.n_out) return &e;
    return nullptr;
  }
  // Whether the reader computes v in any case.
  constexpr bool is_computed(stacked_scan const& s, int v) const {
    program_ref const q = w_.written();
    block const& b = q.blocks[s.block];
    for (int k = s.n_carry; k < b.n_out; ++k)
      if (q.outs(b)[k] == v && position(again_, s.results[k]) >= 0) return true;
    return false;
  }
  constexpr std::ptrdiff_t bytes_of(int array) const { return w_.aval_of(array).size() * size_of(w_.aval_of(array).type); }
  // Of computing v from what the reader has, after what costs `before`. An array that the other scan is over may be added, one at most: it
  // is read where the stacked one was written and read.
  constexpr int cost(stacked_scan const& s, int v, int before) {
    program_ref const q = w_.written();
    block const& b = q.blocks[s.block];
    place const at = find(s, v);
    if (at.outer != none || at.array != none || is_computed(s, v) || position(counted_, v) >= 0) return before;
    if (int const input = position(q.ins(b), v); input >= s.n_captured + s.n_carry) {
      if ((added_ != none && added_ != s.operands[input]) || bytes_of(s.operands[input]) > 2 * bytes_) return limit_ + 1;
      added_ = s.operands[input];
      return before;
    }
    eqn const* const e = maker(q, b, v);
    if (!e || e->n_out != 1 || e->n_blk != 0) return limit_ + 1;
    prim_traits const& t = traits_of(e->op);
    if (t.kind != op_class::elementwise && !t.is_affine) return limit_ + 1;
    counted_.push(v);
    int sum = before + (t.cost > 0 ? t.cost : 1);
    for (int k = 0; k < e->n_in && sum <= limit_; ++k) sum = cost(s, q.in(*e, k), sum);
    return sum;
  }
  constexpr int make(stacked_scan const& s, int v, span<int> rows) {
    place const at = find(s, v);
    if (at.outer != none) return at.outer;
    if (at.array != none) return rows[at.array];
    eqn const e = *maker(w_.written(), w_.written().blocks[s.block], v);
    arena<int> in, par;
    for (int x : w_.written().params_of(e)) par.push(x);
    for (int k = 0; k < e.n_in; ++k) in.push(make(s, w_.written().in(e, k), rows));
    return w_.make(e.op, w_.type_of(v), in, par);
  }

  W& w_;
  arena<int>& scanned_;
  arena<int> again_, counted_;
  std::ptrdiff_t bytes_ = 0;
  int length_, limit_ = 0, added_ = none;
};

}  // namespace exprax::detail
