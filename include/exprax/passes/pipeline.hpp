// SPDX-License-Identifier: BSL-1.0
// optimize: the passes before planning. Types, composites, collectives, vmaps and batched conditions are lowered or expanded first. Then
// two walks follow: the first does inlining, simplification, folding and value numbering, the second removes dead equations and fuses
// products with sums. Convolutions and others are expanded last (passes/expand.hpp).
#pragma once

#include <exprax/legalize/known_scatters.hpp>
#include <exprax/legalize/lower_collectives.hpp>
#include <exprax/legalize/lower_types.hpp>
#include <exprax/legalize/lower_while.hpp>
#include <exprax/passes/expand.hpp>
#include <exprax/passes/fuse_multiply_add.hpp>
#include <exprax/passes/place_vmaps.hpp>
#include <exprax/passes/rewrite/simplify.hpp>

namespace exprax {

namespace detail {

template <class Options, class Program>
constexpr program optimize_placed(Program p) {
  if (while_lowerer::is_needed(p)) {
    program const lowered = lower_while(p);
    return optimize_placed<Options>(lowered.ref());
  }
  program const simplified = simplify<Options>(p);
  program contracted = fuse_multiply_add(simplified.ref());
  if (expander::is_needed(contracted.ref())) return expand(contracted.ref());
  return contracted;
}
// Batching rules may write composites.
template <class Options, class Program>
constexpr program optimize_batched(Program p) {
  if (!has_composites(p)) return optimize_placed<Options>(p);
  program const expanded = expand_composites(p);
  return optimize_placed<Options>(expanded.ref());
}

}  // namespace detail

// in_lanes: vmap equations may stay, and the planner runs them in lanes.
template <class Options = detail::simplify_options, class Program = program_ref>
constexpr program optimize(Program p, bool in_lanes = false) {
  if (has_known_scatters(p)) {
    program const updated = known_scatters(p);
    return optimize<Options>(updated.ref(), in_lanes);
  }
  if (needs_lowering(p)) {
    program const lowered = lower_types(p);
    return optimize<Options>(lowered.ref(), in_lanes);
  }
  if (detail::has_collectives(p)) {
    program const lowered = lower_collectives(p);
    return optimize<Options>(lowered.ref(), in_lanes);
  }
  if (!has_vmap(p)) return detail::optimize_placed<Options>(p);
  if (in_lanes) {
    program const placed = place_vmaps(p);
    return detail::optimize_batched<Options>(placed.ref());
  }
  program const expanded = expand_vmap(p, true);
  return detail::optimize_batched<Options>(expanded.ref());
}

}  // namespace exprax
