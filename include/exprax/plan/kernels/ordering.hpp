// SPDX-License-Identifier: BSL-1.0
// sort_rows and order_rows: a kernel that walks over rows, each of which is contiguous, with scratch memory for one row.
#pragma once

#include <bit>

#include <exprax/plan/analysis/context.hpp>

namespace exprax::detail::planning {

// Whether to select a few of many without sorting all.
constexpr bool selects(int count, int n) { return count <= 32 && count * 4 <= n; }

constexpr void lower_ordering(context& c, node& n, arena<kernel>& kernels) {
  equation_ref const e = c.eq(n.eqn);
  aval const& in = e.type(0);
  ordering_kernel k;
  k.op = e.e.op;
  k.type = in.type;
  k.n = in.dims[in.rank - 1];
  k.count = n.shape.dims[n.shape.rank - 1];
  k.rows = static_cast<int>(in.size() / k.n);
  k.in = c.operand_buffer(e.in(0));
  k.out = c.at[e.e.out].buffer;
  bool const wide = size_of(in.type) > 4;
  k.padded = static_cast<int>(std::bit_ceil(static_cast<unsigned>(k.n)));
  if (k.op == prim::sort_rows) {
    k.scratch = c.new_scratch(aval(wide ? dtype::i64 : dtype::i32, {2 * k.padded}));
  } else {
    k.gives_indices = true;
    k.descending = e.param(1) != 0;
    k.total = e.param(2) != 0;
    k.selects = selects(k.count, k.n);
    k.scratch = c.new_scratch(aval(dtype::i64, {k.selects ? 1 : wide ? 3 * k.padded : 2 * k.padded}));
  }
  kernels.push({kernel_kind::ordering, c.out.orderings.push(k), kernel::one_thread});
}

}  // namespace exprax::detail::planning
