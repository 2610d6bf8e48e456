// SPDX-License-Identifier: BSL-1.0
// optimize: what a program goes through before it is planned. Two walks: the first inlines, simplifies, folds and numbers,
// the second removes what is dead and contracts. Batched conditions are lowered first, so that the walks see what becomes of
// them; short convolutions are expanded last.
#pragma once

#include <exprax/passes/contract.hpp>
#include <exprax/passes/expand.hpp>
#include <exprax/passes/lower_while.hpp>
#include <exprax/passes/simplify.hpp>

namespace exprax {

template <class Options = detail::simplify_options>
constexpr program optimize(program_ref p) {
  if (detail::while_lowerer::is_needed(p)) {
    program const lowered = lower_while(p);
    return optimize<Options>(lowered.ref());
  }
  program const simplified = simplify<Options>(p);
  program contracted = contract(simplified.ref());
  if (detail::expander::is_needed(contracted.ref())) return expand(contracted.ref());
  return contracted;
}

}  // namespace exprax
