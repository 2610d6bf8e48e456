// SPDX-License-Identifier: BSL-1.0
// lower_types: a program on native dtypes without composites, for passes, planning and interpretation. Half-precision values become bits
// first, so that composites of them compute in float; complex numbers are split last, after composites are expanded.
#pragma once

#include <exprax/legalize/lower_complex.hpp>
#include <exprax/legalize/lower_halves.hpp>

namespace exprax {

constexpr bool needs_lowering(program_ref p) { return has_halves(p) || has_composites(p) || has_complex(p); }

namespace detail {

// One step. No conditional expression of programs: g++ 12 would destroy them twice.
template <class Program>
constexpr program lower_once(Program p) {
  if (has_halves(p)) return lower_halves(p);
  if (has_composites(p)) return expand_composites(p);
  return lower_complex(p);
}

}  // namespace detail

template <class Program>
constexpr program lower_types(Program p) {
  program const lowered = detail::lower_once(p);
  if (needs_lowering(lowered.ref())) return lower_types<Program>(lowered.ref());
  return lowered;
}

}  // namespace exprax
