// SPDX-License-Identifier: BSL-1.0
// Loops in lanes that need fewer elements of their carries from one iteration to the next, as a tree that is walked from its leaves to its
// root and of which only the root is read. Such a loop becomes several: each has the steps that its first iteration needs.
#pragma once

#include <utility>

#include <exprax/plan/data/plan.hpp>
#include <exprax/plan/data/region.hpp>
#include <exprax/plan/data/slot_numbers.hpp>

namespace exprax::detail::planning {

class shrinking_loops {
  // f(index) for each wide slot that a step reads, as an operand or in its address.
  template <class F>
  constexpr void for_slots_read(region_step const& s, F f) const {
    for_wide_operands(s, out_.tables, [&](dtype t, int slot) { f(index_(t, slot)); });
    if (!is_memory(s.kind)) return;
    region_address const& a = out_.region_addresses[s.address];
    for (int i = 0; i < a.n_term; ++i)
      if (region_term const& t = out_.region_terms[a.term + i]; t.wide) f(index_(t.type, t.slot));
  }

 public:
  // slots: the region, with its numbers of slots.
  constexpr shrinking_loops(plan& out, region_kernel const& slots) : out_(out), index_(slots.wide) {}

  // Divides the loops among the steps. moves: what is read after them.
  constexpr void divide(arena<region_step>& steps, span<region_move> moves) {
    for (int k = steps.size() - 1; k >= 0; --k) {
      if (steps[k].kind < region_step_kind::scan) continue;
      if (steps[k].kind != region_step_kind::scan) return;
      arena<char> read = none();
      for (region_move const& m : moves)
        if (m.n > 1) read[index_(m.type, m.from)] = 1;
      for (int i = k + 1; i < steps.size(); ++i)
        for_slots_read(steps[i], [&](int slot) { read[slot] = 1; });
      if (find_needs(steps[k], read)) replace(steps, k);
      return;
    }
  }

 private:
  static constexpr int most_pieces = 8, shortest_piece = 4;
  static constexpr std::ptrdiff_t longest_search = 1 << 16;  // steps, over all iterations

  constexpr arena<char> none() const {
    arena<char> r;
    r.resize(index_.size(), 0);
    return r;
  }
  constexpr bool makes_what_is_needed(region_step const& s, arena<char> const& needed) const {
    if (s.kind == region_step_kind::store || s.n == 1) return true;
    if (s.kind != region_step_kind::load) return needed[index_(s.type, s.d)] != 0;
    for (int i = 0; i < s.n_in; ++i)
      if (needed[index_(s.type, out_.tables[s.table + 2 * i + 1])]) return true;
    return false;
  }

  // Finds the last iteration that needs each step and each move of the loop's body; walks back from the last one. read: the slots that
  // are read after the loop. False if too little would be saved.
  constexpr bool find_needs(region_step const& loop, arena<char> const& read) {
    body_ = out_.region_blocks[out_.tables[loop.block]];
    if (loop.length < 2 * shortest_piece || loop.length * (body_.n_step + body_.n_move) > longest_search) return false;
    for (int i = 0; i < body_.n_step; ++i)
      if (step(i).kind >= region_step_kind::scan) return false;
    bool all_are_read = true;
    for (int i = 0; i < body_.n_move; ++i) {
      region_move const& m = move(i);
      if (m.divergent) return false;
      if (m.n > 1 && !read[index_(m.type, m.to)]) all_are_read = false;
    }
    if (all_are_read) return false;
    step_until_.clear();
    move_until_.clear();
    step_until_.resize(body_.n_step, 0);
    move_until_.resize(body_.n_move, 0);
    arena<char> after = read;
    std::ptrdiff_t needed_steps = 0;
    bool changes = true;
    for (int t = static_cast<int>(loop.length) - 1, n = 0; t >= 0; --t, needed_steps += n) {
      if (!changes) continue;
      arena<char> needed = none();
      n = 0;
      for (int i = 0; i < body_.n_move; ++i)
        if (region_move const& m = move(i); m.n == 1 || after[index_(m.type, m.to)]) {
          if (move_until_[i] == 0) move_until_[i] = t + 1;
          if (m.n > 1 && m.wide_from) needed[index_(m.type, m.from)] = 1;
        }
      for (int i = body_.n_step - 1; i >= 0; --i) {
        if (!makes_what_is_needed(step(i), needed)) continue;
        if (step_until_[i] == 0) step_until_[i] = t + 1;
        ++n;
        for_slots_read(step(i), [&](int slot) { needed[slot] = 1; });
      }
      changes = false;
      for (int i = 0; i < body_.n_move; ++i)
        if (region_move const& m = move(i); m.n > 1 && needed[index_(m.type, m.to)] != after[index_(m.type, m.to)]) {
          changes = true;
          after[index_(m.type, m.to)] = needed[index_(m.type, m.to)];
        }
    }
    return 4 * needed_steps < 3 * loop.length * body_.n_step;
  }
  constexpr region_step const& step(int i) const { return out_.region_steps[body_.step + i]; }
  constexpr region_move const& move(int i) const { return out_.region_moves[body_.move + i]; }

  // The step of a piece that starts at iteration `begin` of the loop at `depth`.
  constexpr region_step shifted(region_step s, int depth, int begin) {
    if (s.kind == region_step_kind::counter && s.depth == depth)
      s.bits += static_cast<std::uint64_t>(s.scale) * static_cast<std::uint64_t>(begin);
    if (s.address < 0) return s;
    region_address a = out_.region_addresses[s.address];
    bool moves = false;
    for (int i = 0; i < a.n_term; ++i)
      if (region_term const& t = out_.region_terms[a.term + i]; t.counter == depth) {
        a.base += t.stride * begin;
        moves = true;
      }
    if (moves) s.address = out_.region_addresses.push(a);
    return s;
  }
  constexpr void replace(arena<region_step>& steps, int k) {
    region_step const loop = steps[k];
    int const length = static_cast<int>(loop.length);
    int const pieces = length / shortest_piece < most_pieces ? length / shortest_piece : most_pieces;
    arena<region_step> const from = std::move(steps);
    steps = arena<region_step>();
    for (int i = 0; i < k; ++i) steps.push(from[i]);
    for (int p = 0; p < pieces; ++p) {
      int const begin = length * p / pieces, end = length * (p + 1) / pieces;
      region_block b{out_.region_steps.size(), 0, out_.region_moves.size(), 0, body_.result};
      for (int i = 0; i < body_.n_step; ++i)
        if (step_until_[i] > begin) {
          region_step const s = shifted(step(i), loop.depth, begin);
          out_.region_steps.push(s);
          ++b.n_step;
        }
      for (int i = 0; i < body_.n_move; ++i)
        if (move_until_[i] > begin) {
          region_move const m = move(i);
          out_.region_moves.push(m);
          ++b.n_move;
        }
      region_step s = loop;
      s.length = end - begin;
      s.block = out_.tables.size();
      out_.tables.push(out_.region_blocks.push(b));
      steps.push(s);
    }
    for (int i = k + 1; i < from.size(); ++i) steps.push(from[i]);
  }

  plan& out_;
  region_block body_{};
  slot_numbers index_;
  arena<int> step_until_, move_until_;  // the number of the first iteration that does not need it, nor does a later one
};

}  // namespace exprax::detail::planning
