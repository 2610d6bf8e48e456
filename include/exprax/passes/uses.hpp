// SPDX-License-Identifier: BSL-1.0
// uses: how often live equations read each value, by the dataflow engine. Equations with effects are live.
#pragma once

#include <exprax/passes/rewrite/effects.hpp>
#include <exprax/primitives/control/dataflow.hpp>

namespace exprax::detail {

class use_rules {
 public:
  constexpr explicit use_rules(program_ref p) : callers_(p.n.blocks), effects_(p) {
    for (int i = 0; i < p.n.eqns && p.n.blocks > 1; ++i)
      for (int id : p.subs(p.eqns[i])) ++callers_.at[id];
  }
  constexpr bool has_effects(program_ref const& p, eqn const& e) const { return effects_.of(p, e); }
  // If it is a jit, shares a block with another equation, or has no blocks.
  constexpr bool stays_whole(program_ref const& p, eqn const& e) const {
    bool shared = e.op == prim::jit || e.n_blk == 0;
    for (int id : p.subs(e)) shared = shared || callers_.at[id] > 1;
    return shared;
  }

 private:
  flat<int> callers_;  // for each block, the equations that name it
  effect_table effects_;
};

using use_counter = backward_dataflow<use_rules>;

}  // namespace exprax::detail
