// SPDX-License-Identifier: BSL-1.0
// Which equations and blocks refer to a named mapped axis (primitives/collectives/axis_names.hpp).
#pragma once

#include <exprax/primitives/collectives/axis_names.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax::detail {

// Whether the equation itself, not one of its blocks, refers to the axis.
constexpr bool is_over_axis(program_ref const& p, eqn const& e, span<int> axis) {
  return is_collective(e.op) && names_axis(axes_of(p, e), axis);
}

// For each block, whether it or a block in it has an equation over the axis. Inner blocks precede outer ones.
constexpr arena<char> blocks_over_axis(program_ref const& p, span<int> axis) {
  arena<char> over;
  if (axis.empty()) return over;
  over.resize(p.n.blocks, 0);
  for (int i = 0; i < p.n.blocks; ++i) {
    for (eqn const& e : p.body(p.blocks[i])) {
      over[i] = over[i] || is_over_axis(p, e, axis);
      for (int b : p.subs(e)) over[i] = over[i] || over[b];
    }
  }
  return over;
}

}  // namespace exprax::detail
