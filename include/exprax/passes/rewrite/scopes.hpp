// SPDX-License-Identifier: BSL-1.0
// scopes: the blocks that are open while a program is rewritten. Inside a block, values of all enclosing blocks are read directly, so that
// rules and value numbering work across block boundaries. When the block closes, the outer values that it reads become its inputs. An
// equation belongs to the innermost block of its operands, so loop-invariant equations are hoisted.
//
// All primitives are total, so any equation without effects may be hoisted: if the loop never runs, work is wasted, but nothing breaks.
// Nothing is hoisted out of a branch of a cond, which may not run. An iota, or a broadcast larger than its operand, costs memory outside
// the loop and nothing at its uses: it is hoisted so that equations on it can be, and is made again for the equations that stay.
#pragma once

#include <exprax/passes/rewrite/writer.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax::detail {

// Entries of the table of definitions for values without an equation that rules may inspect.
inline constexpr int input_def = -2, constant_def = -1;

// A closed block. Its inputs are set later, because some equations choose their order late.
struct closed_scope {
  int id = 0;
  arena<int> captured;  // values of enclosing blocks that it reads
  arena<int> inputs;    // the inputs that replace them
};

class scopes {
 public:
  int depth = 0;    // of the innermost open block; 0: the program
  int barrier = 0;  // no equation leaves the block of this depth

  constexpr scopes(writer& w, arena<int>& def) : w_(w), def_(def) {}

  // Depth of the block that a value belongs to; literals and constants belong to all blocks.
  constexpr int level_of(int v) const { return v < level_.n ? level_.at[v] : 0; }
  constexpr int level_of(span<int> values) const {
    int level = barrier;
    for (int v : values)
      if (level_of(v) > level) level = level_of(v);
    return level;
  }
  constexpr void set_level(int v, int level) {
    extend(level_, v, 0);
    level_.at[v] = level;
  }

  // keeps: nothing is hoisted out of the block. Returns the previous barrier.
  constexpr int open(bool keeps) {
    int const before = barrier;
    w_.open();
    w_.left = 0;
    ++depth;
    if (keeps) barrier = depth;
    return before;
  }
  // Closes the innermost block. outs become values of the block.
  constexpr closed_scope close(arena<int>& outs, int barrier_before) {
    closed_scope c;
    now_ = &c;
    int const begin = w_.first(), first_eqn = w_.eqns.n;
    int kept = begin;
    for (int i = begin; i < w_.pending.n; ++i) {
      eqn const e = w_.pending.at[i];
      if (e.n_out > 0 && level_of(e.out) < depth) {
        int& d = def_.at[e.out];
        if (d >= 0) d = kept << 1 | (d & 1);
        w_.pending.at[kept++] = e;
        continue;
      }
      bool const copies = !reads_memory(e);
      for (int k = 0; k < e.n_in; ++k) {
        int const v = local(w_.refs.at[e.in + k], copies);
        w_.refs.at[e.in + k] = v;
      }
      if (e.n_out > 0 && def_.at[e.out] >= 0) def_.at[e.out] = constant_def;
      w_.eqns.push(e);
    }
    w_.pending.n = kept;
    for (int& v : outs) v = local(v, true);
    c.id = w_.close_written(first_eqn, outs);
    for (int v : copied_) local_.at[v] = -1;
    for (int v : c.captured) local_.at[v] = -1;
    copied_.clear();
    --depth;
    barrier = barrier_before;
    w_.left = 0;
    return c;
  }

 private:
  // Extends t so that it has an entry for v.
  static constexpr void extend(arena<int>& t, int v, int fill) {
    if (v < t.n) return;
    t.make_room(v + 8 - t.n);
    for (; t.n <= v; t.n += 8)  // one statement
      t.at[t.n] = fill, t.at[t.n + 1] = fill, t.at[t.n + 2] = fill, t.at[t.n + 3] = fill, t.at[t.n + 4] = fill, t.at[t.n + 5] = fill,
      t.at[t.n + 6] = fill, t.at[t.n + 7] = fill;
  }
  // Whether the operands are read from memory in any case.
  constexpr bool reads_memory(eqn const& e) const {
    return e.n_blk != 0 || traits_of(e.op).reads_memory;
  }
  // The value inside the block that replaces an outer value.
  constexpr int local(int v, bool copies) {
    if (w_.values.at[v].constant >= 0 || level_of(v) == depth) return v;
    extend(local_, v, -1);
    if (local_.at[v] >= 0) return local_.at[v];
    if (is_generated(v, copies)) {
      copied_.push(v);
      int const made = copy(v);
      return local_.at[v] = made;
    }
    int const input = w_.add_value(w_.values.at[v].type);
    def_.push(input_def);
    set_level(input, depth);
    now_->captured.push(v);
    now_->inputs.push(input);
    return local_.at[v] = input;
  }
  // Whether making v again costs less than memory for it. A broadcast constant is made again everywhere.
  constexpr bool is_generated(int v, bool copies) const {
    int const d = def_.at[v];
    if (d < 0) return false;
    eqn const& e = w_.pending.at[d >> 1];
    if (e.op == prim::iota) return copies;
    if (e.op != prim::broadcast_in_dim) return false;
    int const from = w_.refs.at[e.in];
    if (w_.values.at[from].constant >= 0) return true;
    return copies && size(v) > size(from);
  }
  constexpr std::ptrdiff_t size(int v) const { return w_.avals.data()[w_.values.at[v].type].size(); }
  constexpr int copy(int v) {
    eqn e = w_.pending.at[def_.at[v] >> 1];
    if (e.n_in == 1) {
      int const from = local(w_.refs.at[e.in], true);
      e.in = w_.add_refs({&from, 1});
    }
    e.out = w_.add_value(w_.values.at[v].type);
    def_.push(constant_def);
    set_level(e.out, depth);
    w_.eqns.push(e);
    return e.out;
  }

  writer& w_;
  arena<int>& def_;
  arena<int> level_;  // of the values so far; values past the end have 0
  arena<int> local_;  // the replacement of a value in the block that is being closed, or -1
  arena<int> copied_;
  closed_scope* now_ = nullptr;
};

}  // namespace exprax::detail
