// SPDX-License-Identifier: BSL-1.0
// Updates of a known slice as boxes: where in place would be no gain, because the update is computed from elements of the old value.
#pragma once

#include <exprax/base/arena.hpp>
#include <exprax/primitives/indexed/update_slice_family.hpp>
#include <exprax/primitives/movement/affine.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax::detail::planning {

// A slice with steps of 1 can be lowered to boxes.
constexpr bool is_box_update(equation_ref const& e) {
  if (!is_static_update(e.e.op)) return false;
  updated_slice const s(e);
  for (int i = 0; i < e.out_type(0).rank; ++i)
    if (s.step[i] != 1 && s.size[i] > 1) return false;
  return true;
}
constexpr int update_operand(equation_ref const& e) { return is_scatter(e.e.op) ? 2 : 1; }

// Whether e, an equation of block b, replaces much of a large array by what is computed from other elements of the same array, as a
// stencil does. In place, all that it reads of the array would be copied first; in other memory only the rest of the array is copied.
// old: another value that stands in the array's memory.
constexpr bool reads_what_it_updates(equation_ref const& e, block const& b, int old) {
  constexpr std::ptrdiff_t largest_in_registers = 128, largest_bytes = 512;
  aval const &whole = e.out_type(0), &update = e.type(update_operand(e));
  std::ptrdiff_t const n = update.size();
  if (n <= largest_in_registers || n * size_of(whole.type) <= largest_bytes || n * 4 < whole.size() || !is_box_update(e)) return false;
  program_ref const& p = e.p;
  arena<char> wanted;
  wanted.resize(p.n.values, 0);
  wanted[e.in(update_operand(e))] = 1;
  int pending = 1;
  for (int i = static_cast<int>(&e.e - p.eqns) - 1; i >= b.eqn && pending > 0; --i) {
    eqn const& q = p.eqns[i];
    if (!wanted[q.out]) continue;
    --pending;
    if (!(makes_each_element(q.op) || is_update(q.op)) || p.type(q.out).size() == 1) continue;
    for (int v : p.ins(q)) {
      if (v == old || v == e.in(0)) return true;
      pending += !wanted[v];
      wanted[v] = 1;
    }
  }
  return false;
}

// Whether a movement reads no element that an update of a known slice of the same array stores, or exactly these, one for one.
constexpr bool is_beside_update(equation_ref const& movement, equation_ref const& update) {
  updated_slice const to(update);
  aval const& read = movement.out_type(0);
  index_map const m = operand_index(movement);
  bool same = read.rank == m.rank;
  for (int i = 0; i < m.rank; ++i) {
    axis_map const& at = m.of[i];
    int const n = at.is_fixed() ? 1 : read.dims[at.axis], step = n == 1 ? 1 : at.scale, last = at.offset + (n - 1) * step;
    if (step < 1) return false;
    if (last < to.start[i] || at.offset >= to.limit(i)) return true;
    int a = step, b = to.step[i];  // their greatest common divisor
    while (b != 0) {
      int const rest = a % b;
      a = b;
      b = rest;
    }
    if ((at.offset - to.start[i]) % a != 0) return true;
    same = same && !at.is_fixed() && at.axis == i && at.offset == to.start[i] && n == to.size[i] && (n == 1 || step == to.step[i]);
  }
  return same;
}

}  // namespace exprax::detail::planning
