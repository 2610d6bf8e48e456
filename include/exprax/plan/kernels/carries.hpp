// SPDX-License-Identifier: BSL-1.0
// The carries of a loop that runs kernels: which are updated in place, copied, or change their buffers.
//
// A carry whose new value is the old value of another one is shifted: (u, before) -> (new, u). Only the first of such a chain is written;
// the others are read where it was written earlier. So the first one writes to the buffers of a ring in turn: one for each carry of the
// chain, and a spare one if the old value of the last is still read while the new one of the first is written. A carry that is a row of
// ys, too, is written there and needs no ring.
#pragma once

#include <exprax/plan/analysis/context.hpp>
#include <exprax/plan/analysis/uses.hpp>

namespace exprax::detail::planning {

struct loop_carry {
  static constexpr int none = -1;

  carry_slot slot;
  aval type;
  int from = none;  // the carry whose old value it takes
  int to = none;    // the carry that takes its old value

  constexpr bool is_row() const { return slot.mode == carry_mode::shifted && from == none; }  // of ys
};

inline constexpr std::ptrdiff_t largest_copy = 256;  // bytes
inline constexpr int unknown_iterations = -1;

constexpr bool is_copied(aval const& t) { return t.size() * size_of(t.type) <= largest_copy; }

// inputs, outputs: of the body, the carries.
constexpr void find_histories(arena<loop_carry>& carries, span<int> inputs, span<int> outputs) {
  for (int k = 0; k < carries.size(); ++k) {
    loop_carry& x = carries[k];
    if (is_copied(x.type) || x.slot.in == x.slot.out || x.is_row()) continue;
    for (int j = 0; j < carries.size(); ++j) {
      loop_carry const& y = carries[j];
      if (inputs[j] != outputs[k] || y.to != loop_carry::none || y.slot.in == y.slot.out) continue;
      int head = j;  // one carry of a cycle is written
      while (head != k && carries[head].from != loop_carry::none) head = carries[head].from;
      if (head == k) continue;
      x.from = j;
      x.slot.mode = carry_mode::shifted;
      carries[j].to = k;
    }
  }
  for (loop_carry& x : carries)
    if (x.from != loop_carry::none) x.slot.out = carries[x.from].slot.in;
}

// chain: carries, from the one that is written to the oldest.
constexpr void make_ring(context& c, arena<loop_carry>& carries, arena<int> const& chain, bool overwrites_oldest, int iterations) {
  int const m = chain.size(), n = m + !overwrites_oldest;
  carry_slot& written = carries[chain[0]].slot;
  if (!overwrites_oldest) written.spare = c.new_scratch(carries[chain[0]].type);
  // After the loop the last value written is in the first result, that before it in the second, and so on.
  int const last = iterations == unknown_iterations ? m - 1 : iterations > 0 ? (iterations - 1) % n : 0;
  written.ring = c.out.tables.size();
  written.n_ring = n;
  for (int i = 0; i < n; ++i) {
    int const k = (last - i + n) % n;
    c.out.tables.push(k < m ? carries[chain[k]].slot.result : written.spare);
  }
  if (iterations == unknown_iterations)
    for (int k = 0; k < m; ++k) carries[chain[k]].slot.older = m - 1 - k;
}

// After the body is planned: decides whether new values may overwrite old ones. A carry that is shifted comes before the one that it takes.
constexpr void push_carries(context& c, arena<loop_carry>& carries, kernel_range body, int iterations) {
  for (int k = 0; k < carries.size(); ++k) {
    loop_carry& x = carries[k];
    if (x.from != loop_carry::none) continue;
    arena<int> chain;
    for (int j = k; j != loop_carry::none; j = carries[j].to) chain.push(j);
    if (x.slot.in != x.slot.out && !x.is_row()) {
      bool const overwrites = is_read_before_written(c.out, body, carries[chain.back()].slot.in, x.slot.out);
      if (!is_copied(x.type)) make_ring(c, carries, chain, overwrites, iterations);
      else if (overwrites) x.slot.mode = carry_mode::in_place;
      else x.slot.mode = carry_mode::copied, x.slot.spare = c.new_scratch(x.type);
    }
    for (int i = chain.size() - 1; i >= 0; --i) c.out.carries.push(carries[chain[i]].slot);
  }
}

}  // namespace exprax::detail::planning
