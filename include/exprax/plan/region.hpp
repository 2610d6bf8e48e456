// SPDX-License-Identifier: BSL-1.0
// Regions, as plain data: loops and branches whose values are small, so that each stands whole in registers and carries never
// touch memory.
//
// A region is a tree of blocks. A block is a list of steps, and then moves, all at once: what a loop's next turn starts with,
// or what a branch hands to its surroundings. A step loads, stores, computes, or is control: a loop or a branch with blocks
// of its own. Values stand in slots, of which every dtype has two files: numbers, and wide values, each of which is a run of
// packs. A value with many elements that are all equal may stand as a number.
#pragma once

#include <cstddef>
#include <cstdint>

#include <exprax/primitives/list.hpp>
#include <exprax/types/aval.hpp>

namespace exprax {

enum class region_step_kind : std::uint8_t { load, store, literal, numbers, counter, compute, convert, permute, move, scan, while_loop, branch };

struct region_step {
  region_step_kind kind;
  prim op;
  dtype from, type;    // of the operands, of the result
  int n;               // elements of the result; 1: a number
  int d, a, b, c;      // slots; branch: a is the slot of the index
  bool wide_a, wide_b, wide_c;
  int address;         // load, store: in the table of addresses
  int table, n_in;     // permute: for each lane its source, or -1: the lane of b; numbers: the values
  std::uint64_t bits;  // literal: the pattern; counter: the value at the first turn
  std::int64_t scale;  // counter: what a turn adds
  int depth;           // scan, counter: the number of the loop's counter
  std::ptrdiff_t length;
  int block, n_block;  // blocks, whose numbers stand in `tables`. scan: the body; while_loop: condition, body; branch: the cases
};

// An element of a buffer: base, and for each term a multiple of the counter of a loop around, or of a number that is clamped.
struct region_term {
  int counter;     // of which loop, or -1
  dtype type;      // of the number
  int slot;
  int limit;       // the number is clamped to [0, limit]
  std::ptrdiff_t stride;
};
struct region_address {
  int buffer;
  std::ptrdiff_t base;
  int term, n_term;
  bool guarded;    // nothing is stored where a number had to be clamped
};

struct region_move {
  dtype type;
  int n;
  int to, from;
  bool wide_from;
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
  int numbers[dtype_count] = {}, wide[dtype_count] = {};  // how many slots
};

}  // namespace exprax
