// SPDX-License-Identifier: BSL-1.0
// lower_collectives: psum, pmax and pmin become reductions. Batching has replaced their axis names by positions, and has removed all
// other collectives.
#pragma once

#include <exprax/primitives/collectives/axis_names.hpp>
#include <exprax/primitives/copy.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax {
namespace detail {

constexpr bool has_collectives(program_ref p) {
  for (int i = 0; i < p.n.eqns; ++i)
    if (is_collective(p.eqns[i].op)) return true;
  return false;
}

}  // namespace detail

// Only the primitive changes, and the order of its axes: those of a reduction ascend.
constexpr program lower_collectives(program_ref p) {
  program q = copied(p);
  for (eqn& e : q.eqns) {
    if (!is_collective(e.op)) continue;
    e.op = e.op == prim::psum ? prim::reduce_sum : e.op == prim::pmax ? prim::reduce_max : prim::reduce_min;
    int* const axes = q.params.data() + e.par;
    for (int i = 1; i < e.n_par; ++i)
      for (int j = i; j > 0 && axes[j] < axes[j - 1]; --j) std::swap(axes[j], axes[j - 1]);
  }
  return q;
}

}  // namespace exprax
