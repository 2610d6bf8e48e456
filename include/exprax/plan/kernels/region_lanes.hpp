// SPDX-License-Identifier: BSL-1.0
// How many lanes each region of a plan has at once, on a target: of a value, or, in lanes, of as many rows.
#pragma once

#include <exprax/base/target.hpp>
#include <exprax/plan/data/plan.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax::detail::planning {

class region_lanes {
 public:
  constexpr region_lanes(plan& p, target const& machine) : p_(p), machine_(machine) {}

  constexpr void choose() const {
    for (region_kernel& r : p_.regions) {
      r.pack = machine_.lanes_for(r.row_axes > 0 ? widest_in_loops(r.block, widest_of(r, 4)) : widest_of(r, 1));
      r.lanes = r.row_axes > 0 ? of_rows(r) : of_values(r);
      r.pack_by_pack = r.lanes > r.pack && !fill_at_most(r.live * r.lanes, 3, 2) && is_short(r);
      r.file_lanes = lanes_of_file(r);
    }
  }

 private:
  static constexpr int most_cost_of_iteration = 64, most_cost_of_eight = 16;

  static constexpr int widest_of(region_kernel const& r, int least) {
    int widest = least;
    for (int d = 0; d < dtype_count; ++d)
      if (r.wide[d] > 0 && size_of(static_cast<dtype>(d)) > widest) widest = size_of(static_cast<dtype>(d));
    return widest;
  }

  // Bytes of the widest values that lanes have in the loops of a block, at least 4: where the time is spent. Those of its own steps, which
  // run once, take more registers. all: of a block without loops.
  constexpr int widest_in_loops(int block, int all) const {
    region_block const b = p_.region_blocks[block];
    int widest = 4;
    bool has_loops = false;
    for (int i = b.step; i < b.step + b.n_step; ++i) {
      region_step const& s = p_.region_steps[i];
      if (s.kind != region_step_kind::scan && s.kind != region_step_kind::while_loop) continue;
      has_loops = true;
      for (int k = 0; k < s.n_block; ++k) widest = widest_in(p_.tables[s.block + k], widest);
    }
    return has_loops ? widest : all;
  }
  constexpr int widest_in(int block, int widest) const {
    region_block const b = p_.region_blocks[block];
    auto const add = [&](dtype t) { widest = size_of(t) > widest ? size_of(t) : widest; };
    for (int i = b.step; i < b.step + b.n_step; ++i) {
      region_step const& s = p_.region_steps[i];
      if (s.n > 1) add(s.type);
      if (s.wide_a || s.wide_b || s.wide_c) add(s.from);
      for (int k = 0; s.kind >= region_step_kind::scan && k < s.n_block; ++k) widest = widest_in(p_.tables[s.block + k], widest);
    }
    for (int i = b.move; i < b.move + b.n_move; ++i)
      if (p_.region_moves[i].n > 1) add(p_.region_moves[i].type);
    return widest;
  }

  // Masks that are vectors fit packs of one register: those of longer packs would be converted. Where the number of lanes is no power of
  // two, or the last packs overlap, each pack has a file.
  constexpr int lanes_of_file(region_kernel const& r) const {
    if (r.pack_by_pack) return r.pack;
    bool const is_ragged = r.row_axes > 0 && (r.lanes > r.rows[r.row_axes - 1] || (r.lanes & (r.lanes - 1)) != 0);
    int const lanes = machine_.has_mask_registers() && !is_ragged ? r.lanes : usual_lanes(r);
    return lanes < r.lanes ? lanes : r.lanes;
  }
  // Of one register of most values.
  constexpr int usual_lanes(region_kernel const& r) const {
    int const lanes = machine_.has_mask_registers() ? r.pack : machine_.lanes_for(usual_bytes(r));
    return lanes > r.pack ? lanes : r.pack;
  }
  // Of the values that lanes have: 8 if more than half of the steps make such values, else 4.
  constexpr int usual_bytes(region_kernel const& r) const {
    if (widest_of(r, 4) == 4) return 4;
    int steps = 0, wide = 0;
    auto const count = [&](auto const& self, int block) -> void {
      region_block const b = p_.region_blocks[block];
      for (int i = b.step; i < b.step + b.n_step; ++i) {
        region_step const& s = p_.region_steps[i];
        for (int k = 0; s.kind >= region_step_kind::scan && k < s.n_block; ++k) self(self, p_.tables[s.block + k]);
        if (s.kind != region_step_kind::compute && s.kind != region_step_kind::convert) continue;
        int const bytes = is_bool(s.type) ? size_of(s.from) : size_of(s.type);
        steps += s.n > 1;
        wide += s.n > 1 && bytes == 8;
      }
    };
    count(count, r.block);
    return 2 * wide > steps ? 8 : 4;
  }

  // Whether so many bytes fill part / of of the registers at most.
  constexpr bool fill_at_most(int bytes, int part, int of) const {
    return of * bytes <= part * machine_.registers * machine_.register_bytes;
  }
  // The same, but not much more than the values have.
  constexpr int of_values(region_kernel const& r) const {
    int lanes = r.pack;
    while (lanes > 1 && lanes / 2 >= r.widest) lanes /= 2;
    return r.widest < 4 ? 1 : lanes;
  }
  // The lanes of one register, or of a few, if there are enough rows; one lane if they would fill less than a small register.
  constexpr int of_rows(region_kernel const& r) const {
    int const rows = r.rows[r.row_axes - 1];
    int lanes = has_colliding_lines(r) ? 4 * r.pack : r.pack;
    if (r.live > 0 && loops_take_most(r.block)) {
      lanes *= packs_at_once(r, lanes);
      if (int const pack = usual_lanes(r); pack < lanes && pack < rows) return in_equal_passes(rows, lanes, pack);
    }
    while (lanes > rows) lanes /= 2;
    return lanes < 2 || lanes * machine_.register_bytes < 16 * r.pack ? 1 : lanes;
  }
  // The fewest packs, of at most so many lanes together, that walk the rows in as few passes as the most would: a loop over 100 rows in
  // seven packs of 16 takes one pass, in four it would take two.
  static constexpr int in_equal_passes(int rows, int lanes, int pack) {
    int const packs = (rows + pack - 1) / pack, passes = (rows + lanes - 1) / lanes;
    return (packs + passes - 1) / passes * pack;
  }
  // Iterations of a loop depend on each other: if its carries leave room, two or four packs run at once. Short-lived values may exceed the
  // registers, because they need not live in all packs at the same time: in short iterations one pack runs after the other; in long ones
  // those of two packs may by more than those of four, because two already hide much of the latency. Not if most of the time is spent
  // outside of loops: each pack has code of its own there too. Eight or sixteen packs of a few operations, if all fits, in a scan: rows of
  // memory are walked in longer runs. In a while loop more lanes would wait for others.
  constexpr int packs_at_once(region_kernel const& r, int lanes) const {
    int const cost = cost_of_block(r.block);
    int packs = 1;
    for (int next = 2; next <= 16; next *= 2) {
      int const together = next * r.pack;
      int const in_turn = (r.live + (next - 1) * r.carried) * r.pack;
      bool const live_fit = (cost <= most_cost_of_iteration && fill_at_most(in_turn, next >= 8 ? 1 : 2, 1)) ||
                            (next < 8 && fill_at_most(r.live * together, next == 2 ? 5 : 4, 2));
      if (!live_fit || !fill_at_most(r.carried * together, 3, 4) || next * lanes * r.bytes_of_lane > machine_.nearest_cache) break;
      if (r.bytes_of_lane > 0 && next * lanes > most_lanes_with_memory) break;
      if (next >= 8 && (cost > most_cost_of_eight || has_while_loop(r.block))) break;
      packs = next;
    }
    return packs;
  }
  // Whether a value without loops is walked along more cache lines at once than the nearest cache keeps where their addresses agree in the
  // lower bits, as [6, 6, 1024] along its last axis: they are gone before the next pack, so four packs use more of each line, and of its
  // neighbour, at once.
  constexpr bool has_colliding_lines(region_kernel const& r) const {
    constexpr int ways = 8, line = 64;
    std::ptrdiff_t const way = machine_.nearest_cache / ways;
    region_block const b = p_.region_blocks[r.block];
    bool found = false;
    for (int i = b.step; i < b.step + b.n_step; ++i) {
      region_step const& s = p_.region_steps[i];
      if (s.kind >= region_step_kind::scan) return false;
      if (s.address < 0) continue;
      region_address const& a = p_.region_addresses[s.address];
      std::ptrdiff_t const row = a.row[r.row_axes - 1];
      if (a.of_lanes || row == 0 || s.n == 1) continue;
      if (row != 1) return false;
      int together = 0;
      auto const place = [&](int k) { return p_.tables[s.table + 2 * k] * size_of(p_.buffers[a.buffer].type) % way / line; };
      for (int k = 0; k < s.n_in; ++k) together += place(k) == place(0);
      found = found || together > ways;
    }
    return found;
  }
  constexpr bool has_while_loop(int block) const {
    region_block const b = p_.region_blocks[block];
    for (int i = b.step; i < b.step + b.n_step; ++i) {
      region_step const& s = p_.region_steps[i];
      if (s.kind == region_step_kind::while_loop) return true;
      for (int k = 0; s.kind >= region_step_kind::scan && k < s.n_block; ++k)
        if (has_while_loop(p_.tables[s.block + k])) return true;
    }
    return false;
  }
  // A while loop has many iterations.
  constexpr bool loops_take_most(int block) const {
    region_block const b = p_.region_blocks[block];
    std::ptrdiff_t in_loops = 0, others = 0;
    for (int i = b.step; i < b.step + b.n_step; ++i) {
      region_step const& s = p_.region_steps[i];
      if (s.kind == region_step_kind::while_loop) return true;
      if (s.kind == region_step_kind::scan) in_loops += s.length * cost_of_block(p_.tables[s.block]);
      else others += cost_of_step(s);
    }
    return others <= in_loops;
  }
  constexpr bool is_short(region_kernel const& r) const { return cost_of_block(r.block) <= most_cost_of_iteration; }
  constexpr int cost_of_step(region_step const& s) const {
    int cost = s.kind == region_step_kind::compute ? traits_of(s.op).cost : 0;
    for (int k = 0; s.kind >= region_step_kind::scan && k < s.n_block; ++k) cost += cost_of_block(p_.tables[s.block + k]);
    return cost;
  }
  constexpr int cost_of_block(int block) const {
    region_block const b = p_.region_blocks[block];
    int cost = 0;
    for (int i = b.step; i < b.step + b.n_step; ++i) cost += cost_of_step(p_.region_steps[i]);
    return cost;
  }

  plan& p_;
  target machine_;
};

}  // namespace exprax::detail::planning
