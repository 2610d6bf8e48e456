// SPDX-License-Identifier: BSL-1.0
// Which equations have effects: those without results and blocks (debug_print), and those whose blocks contain one. They are
// never dead, merged or moved.
#pragma once

#include <exprax/passes/rewrite/writer.hpp>

namespace exprax::detail {

class effect_table {
 public:
  constexpr explicit effect_table(program_ref p) : of_block_(p.n.blocks) {
    for (int id = 0; id + 1 < p.n.blocks; ++id)  // blocks come before the equations that use them
      for (eqn const& e : p.body(p.blocks[id]))
        if ((e.n_blk != 0 || e.n_out == 0) && of(p, e)) of_block_.at[id] = 1;
  }
  constexpr bool of(program_ref const& p, eqn const& e) const {
    if (e.n_blk == 0) return e.n_out == 0;
    for (int id : p.subs(e))
      if (of_block_.at[id]) return true;
    return false;
  }

 private:
  flat<char> of_block_;
};

}  // namespace exprax::detail
