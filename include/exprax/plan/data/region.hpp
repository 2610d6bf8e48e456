// SPDX-License-Identifier: BSL-1.0
// Regions, as plain data: loops and branches whose values are small enough for registers, so that carries never touch memory.
//
// A region is a tree of blocks. A block is a list of steps, followed by moves, which happen at once: they set the carries for the next
// iteration of a loop, or the results of a branch. A step loads, stores, computes, or is control: a loop or a branch with blocks of its
// own. Values are in slots, and every dtype has two files of slots: scalars, and wide values.
//
// There are two layouts. Run layout (plan/regions/run_layout.hpp): a wide value is a run of packs; a value whose elements are all equal may
// be a scalar. Lane layout (plan/regions/lane_layout.hpp): the region runs for all rows of a vmap, as many at a time as a pack has lanes. A
// scalar is the same in all lanes, a wide value is one pack with an element of each row, and a row's value of many elements takes one slot
// for each. Where lanes diverge, at a condition or an index that varies, a mask marks the active lanes.
#pragma once

#include <cstddef>
#include <cstdint>

#include <exprax/base/arena.hpp>
#include <exprax/primitives/list.hpp>
#include <exprax/types/aval.hpp>

namespace exprax {

inline constexpr int max_row_axes = 3;
inline constexpr int most_lanes_with_memory = 64;  // lanes that run at once, if each has memory of its own

enum class region_step_kind : std::uint8_t {
  load,
  store,
  literal,
  constants,
  counter,
  compute,
  convert,
  permute,
  move,
  scan,
  while_loop,
  branch
};
constexpr bool is_memory(region_step_kind k) { return k == region_step_kind::load || k == region_step_kind::store; }

struct region_step {
  region_step_kind kind;
  prim op;
  dtype from, type;    // of the operands, of the result
  int n;               // elements of the result; 1: a scalar
  int d, a, b, c;      // slots; branch: a is the slot of the index
  bool wide_a, wide_b, wide_c;
  int address;         // load, store: in the table of addresses
  int table, n_in;     // permute: for each lane its source, or from_fill; constants: the values; load, store in lanes:
                       // for each of n_in elements its offset from the address, and its slot
  std::uint64_t bits;  // literal: the bit pattern; counter: the value in the first iteration
  std::int64_t scale;  // counter: the increment of an iteration
  int depth;           // scan, counter: the index of the loop's counter
  std::ptrdiff_t length;
  int block, n_block;  // blocks, whose indices are in `tables`. scan: the body; while_loop: condition, body; branch: the cases
  bool divergent;          // in lanes. while_loop, branch: lanes diverge; store: only for the active lanes
  bool reused;             // in lanes. load: several steps read one of its values, so that it is loaded once and kept
  bool forwards;           // of one element, in runs. store: also sets slot b to it, and slot c to its offset, -1 if out of bounds;
                           // load: takes slot b if its offset is in slot c
};

inline constexpr int from_fill = -1;   // in the table of a permutation: the lane comes from b
inline constexpr int no_counter = -1;  // a term of a scalar

// An element of a buffer: base, and for each term a multiple of an enclosing loop's counter, or of a clamped scalar.
struct region_term {
  int counter;     // of which loop, or no_counter: the term has a scalar
  dtype type;      // of the scalar
  int slot;
  int limit;       // the scalar is clamped to [0, limit]
  std::ptrdiff_t stride;
  bool wide;       // in lanes: each lane has its own scalar
  int from_end;    // in runs: what a negative scalar counts from; 0: it is clamped as it is
  bool in_bounds;  // in runs: the scalar is known to be in [0, limit]
};
struct region_address {
  int buffer;
  std::ptrdiff_t base;
  int term, n_term;
  bool guarded;    // nothing is stored if a scalar is out of bounds
  bool of_lanes;   // memory of the running lanes: an element is one scalar for each of them
  std::ptrdiff_t row[max_row_axes];  // in lanes: the stride from row to row, along each axis of the rows
};

struct region_move {
  dtype type;
  int n;
  int to, from;
  bool wide_from;
  bool divergent;  // in lanes: only for the active lanes
};
struct region_block {
  int step, n_step;
  int move, n_move;
  int result;  // of a loop's condition: the slot
};

struct region_kernel {
  int block = 0;
  int counters = 0;
  int widest = 1;  // elements of the largest value
  int scalars[dtype_count] = {}, wide[dtype_count] = {};  // numbers of slots
  int row_axes = 0;                // in lanes: the axes of the rows; lanes run along the last one
  int rows[max_row_axes] = {};
  int bytes_of_lane = 0;           // in lanes: private memory of each lane
  int pack = 1, lanes = 1;         // lanes in a register of the longest elements in loops, and at once
  int file_lanes = 1;              // of the lanes that run at once, those of a register file: all, or, where each step runs in several
                                   // files or one file after the other executes whole iterations, those of a pack
  bool pack_by_pack = false;       // in lanes: packs that run at once execute whole iterations, one pack after another: short-lived values
                                   // then live in one pack at a time. Else each step runs for all packs
  int live = 0, carried = 0;       // in lanes: the most bytes of a lane's values that are live at once, and that stay in registers from one
                                   // iteration to the next
};

namespace detail::planning {

constexpr bool is_selection(region_step const& s) { return s.kind == region_step_kind::compute && s.op == prim::select_n; }

// f(dtype, slot) for each operand of a step that computes, converts or moves: of those that are wide, or of the scalars, of which a slot
// below 0 is none.
template <class F>
constexpr void for_operands(region_step const& s, bool wide, F f) {
  bool const selects = is_selection(s);
  if (s.wide_a == wide) f(selects ? dtype::b1 : s.from, s.a);
  if (s.wide_b == wide) f(selects ? s.type : s.from, s.b);
  if (s.wide_c == wide) f(selects ? s.type : s.from, s.c);
}
// f(dtype, slot) for each wide slot that a step of a region in lanes reads as an operand. tables: the plan's, in which stores list their
// slots.
template <class F>
constexpr void for_wide_operands(region_step const& s, arena<int> const& tables, F f) {
  switch (s.kind) {
    case region_step_kind::compute: case region_step_kind::convert: case region_step_kind::move: return for_operands(s, true, f);
    case region_step_kind::store:
      for (int k = 0; s.n > 1 && k < s.n_in; ++k) f(s.type, tables[s.table + 2 * k + 1]);
      return;
    default: return;
  }
}

}  // namespace detail::planning

}  // namespace exprax
