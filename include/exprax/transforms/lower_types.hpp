// SPDX-License-Identifier: BSL-1.0
// What comes before passes, planning and interpretation: programs on the dtypes that are computed in, without composites. Half
// numbers become bits first, so that composites of them compute in float.
#pragma once

#include <exprax/transforms/expand_composites.hpp>
#include <exprax/transforms/lower_halves.hpp>

namespace exprax {

constexpr bool needs_lowering(program_ref p) { return has_halves(p) || has_composites(p); }

constexpr program lower_types(program_ref p) {
  if (has_halves(p)) {
    program const lowered = lower_halves(p);
    if (!has_composites(lowered.ref())) return lowered;
    return expand_composites(lowered.ref());
  }
  return expand_composites(p);
}

}  // namespace exprax
