// SPDX-License-Identifier: BSL-1.0
// The kinds of kernels and steps in a plan: what emitted code consists of.
#pragma once

#include <string_view>

#include <exprax/plan/data/plan.hpp>

namespace random_programs {

using namespace exprax;

// One run of names for each enumeration, and one for what else has code of its own. Permutations and constants do not exist in lanes, where
// elements have slots of their own.
enum first_kind : int {
  kernels = 0, steps = 13, region_steps = 22, lane_steps = 34, diverging = 46, carries = 50, storage = 54, shapes = 59
};
enum shape : int {
  rows, several_axes, columns, in_order, in_blocks, sorted, ordered, selected, in_bounds, dropped, combining, guarded_loop, dynamic_address,
  several_boxes, several_kernels, guarded_store, memory_of_lanes, index_of_lane, several_results, row_nest, stored_operand
};
inline constexpr std::string_view kind_names[] = {
    "loop", "reduce", "cumulative", "contract", "gather", "scatter", "ordering", "nonzero", "region", "scan", "while_loop", "branch", "print",
    "literal", "iota", "load", "load of an element", "store", "store of an element", "gather at computed places",
    "convert", "compute",
    "load of a region", "store of a region", "literal of a region", "constants of a region", "counter of a region", "compute of a region",
    "convert of a region", "permute of a region", "move of a region", "scan of a region", "while_loop of a region", "branch of a region",
    "load in lanes", "store in lanes", "literal in lanes", "", "counter in lanes", "compute in lanes",
    "convert in lanes", "", "move in lanes", "scan in lanes", "while_loop in lanes", "branch in lanes",
    "diverging store", "diverging while_loop", "diverging branch", "diverging move",
    "carry in place", "copied carry", "swapped carry", "shifted carry",
    "input", "output", "constant", "scratch", "bound",
    "reduction of rows", "reduction of several axes", "reduction of columns", "product in order", "product in blocks", "sort", "order",
    "selection", "updates in bounds", "updates that may be dropped", "combining scatter", "guarded loop", "dynamic address",
    "several boxes", "several kernels", "guarded store of a region", "memory of lanes", "index of each lane",
    "several reductions at once", "loop over rows", "reduction that stores its operand"};
inline constexpr int kind_count = static_cast<int>(sizeof kind_names / sizeof kind_names[0]);
// From here on: what only large arrays have, and small ones where the cache is small. tests/plan/rows_test.cpp emits it.
inline constexpr int kinds_of_large_arrays = static_cast<int>(shapes) + static_cast<int>(row_nest);

// Which of them a plan has.
struct kinds {
  bool has[kind_count] = {};

  constexpr explicit kinds(plan const& p) {
    for (kernel const& k : p.kernels) note(kernels, k.kind);
    for (step const& s : p.steps) note(steps, s.kind);
    for (region_kernel const& k : p.regions) note_block(p, k.block, k.row_axes > 0 ? lane_steps : region_steps);
    for (carry_slot const& c : p.carries) note(carries, c.mode);
    for (buffer const& b : p.buffers) note(storage, b.where, b.size > 0);
    for (reduce_kernel const& k : p.reduces) note(shapes, k.columns ? columns : k.rank - k.kept > 1 ? several_axes : rows);
    for (reduce_kernel const& k : p.reduces) note(shapes, several_results, k.n_reduction > 1);
    for (scan_kernel const& k : p.scans) note(shapes, row_nest, k.is_nest);
    for (reduce_kernel const& k : p.reduces) note(shapes, stored_operand, stores(p, k) > k.n_reduction);
    for (contract_kernel const& k : p.contracts) note(shapes, k.blocked ? in_blocks : in_order);
    for (ordering_kernel const& k : p.orderings) note(shapes, k.op == prim::sort_rows ? sorted : k.selects ? selected : ordered);
    for (indexed_kernel const& k : p.indexed) {
      note(shapes, k.drops ? dropped : in_bounds);
      note(shapes, combining, k.op != prim::gather && k.op != prim::scatter);
    }
    for (loop_kernel const& k : p.loops) {
      note(shapes, guarded_loop, k.n_guard > 0);
      note(shapes, several_boxes, k.n_box > 1);
    }
    for (struct access const& a : p.accesses) note(shapes, dynamic_address, a.n_term > 0);
    note(shapes, several_kernels, p.main.count > 4);  // each is a function of its own
    for (region_address const& a : p.region_addresses) {
      note(shapes, guarded_store, a.guarded);
      note(shapes, memory_of_lanes, a.of_lanes);
    }
    for (region_term const& t : p.region_terms) note(shapes, index_of_lane, t.wide);
  }

 private:
  template <class Kind>
  constexpr void note(first_kind first, Kind kind, bool present = true) {
    int const k = static_cast<int>(first) + static_cast<int>(kind);
    has[k] = has[k] || present;
  }
  static constexpr int stores(plan const& p, reduce_kernel const& k) {
    int n = 0;
    box const& b = p.boxes[k.box];
    for (int s = b.step; s < b.step + b.n_step; ++s) n += p.steps[s].kind == step_kind::store;
    return n;
  }
  constexpr void note_block(plan const& p, int block, first_kind first) {
    region_block const& b = p.region_blocks[block];
    for (int i = b.step; i < b.step + b.n_step; ++i) {
      region_step const& s = p.region_steps[i];
      note(first, s.kind);
      if (s.divergent) note(diverging, s.kind == region_step_kind::store ? 0 : s.kind == region_step_kind::while_loop ? 1 : 2);
      for (int j = 0; j < s.n_block; ++j) note_block(p, p.tables[s.block + j], first);
    }
    for (int i = b.move; i < b.move + b.n_move; ++i) note(diverging, 3, p.region_moves[i].divergent);
  }
};

}  // namespace random_programs
