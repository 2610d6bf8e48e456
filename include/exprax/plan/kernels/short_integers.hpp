// SPDX-License-Identifier: BSL-1.0
// Products of int8, uint8 and int16 that are summed as 32-bit integers. x86 has instructions that sum 4 products of bytes, or 2 of
// 16-bit integers (target::short_products): operands stay as they are in memory, where others are copied as 32-bit integers.
#pragma once

#include <exprax/plan/kernels/contract_views.hpp>

namespace exprax::detail::planning {

struct short_integers {
  dtype type[2] = {};  // of the operands
  int group = 0;       // how many products are summed at once; 0: the operands become 32-bit integers

  constexpr short_integers(context const& c, equation_ref const& e) {
    constexpr int shortest_sum = 8;
    int const nc = e.param(0), nb = e.param(1 + 2 * nc);
    dtype const out = e.out_type(0).type;
    if (c.machine.short_products == 0 || nc != 1 || (out != dtype::i32 && out != dtype::u32)) return;
    if (e.type(0).dims[e.param(1)] < shortest_sum || e.out_type(0).rank == nb || e.out_type(0).size() == 0) return;
    for (int k = 0; k < 2; ++k) type[k] = c.p.type(source_of(c, e.in(k), widening::of_short_integers, [](equation_ref const&) {})).type;
    if (!is_short_integer(type[0]) || !is_short_integer(type[1])) return;
    group = c.machine.short_products == 4 && size_of(type[0]) == 1 && size_of(type[1]) == 1 ? 4 : 2;
  }
};

// Neighbours of the sum lie together in the operand that is broadcast (16-bit integers, if 2 are summed); the other one, of which panels
// are copied, is contiguous along the sum or along the columns. The rhs is the other one, unless it has no columns.
constexpr void lower_short_integers(context& c, equation_ref const& e, short_integers const& s, arena<kernel>& kernels) {
  int const nb = e.param(3);
  int columns = 1;
  for (int i = 0, last = e.out_type(0).rank - (e.type(1).rank - 1 - nb); i < e.type(1).rank - 1 - nb; ++i)
    columns *= e.out_type(0).dims[last + i];
  int const panel = columns > 1 ? 1 : 0;
  view_of of[2];
  for (int k = 0; k < 2; ++k) of[k] = view(c, e.in(k), kernels, k != panel && s.group == 2 ? dtype::i16 : s.type[k]);
  for (int k = 0; k < 2; ++k) {
    aval const& type = e.type(k);
    int const along = e.param(1 + k), free = last_free_axis(e, k, 1, nb);
    if (of[k].stride[along] == 1 || (k == panel && free >= 0 && of[k].stride[free] == 1)) continue;
    dtype const held = c.out.buffers[of[k].buffer].type;
    of[k] = with_axis_last(c, type.with_type(held), of[k], along, kernels);
  }
  contract_kernel k;
  k.group = s.group;
  push_product(c, e, of[0], of[1], 0, k, result_of_product(c, e), kernels);
}

}  // namespace exprax::detail::planning
