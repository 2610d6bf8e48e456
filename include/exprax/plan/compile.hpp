// SPDX-License-Identifier: BSL-1.0
// compiled<Traced>: the program that runs, from which planned<P> makes the plan. What is tried again is tried here.
#pragma once

#include <exprax/passes/pipeline.hpp>
#include <exprax/plan/planner.hpp>

namespace exprax::detail {

template <class Traced, bool InLanes>
struct optimized {
  static constexpr program make() {
    if constexpr (InLanes) return optimize_in_lanes<has_row_loops(Traced::recorded)>(Traced::recorded);
    else return optimize(Traced::recorded);
  }
};
template <class Traced, bool InLanes>
using optimized_within = frozen_within<optimized<Traced, InLanes>, enlarged(Traced::sizes, 64)>;

// The program that runs: the traced program after the passes. A vmap, and loops whose rows are independent, run in lanes unless the planner
// finds an equation that does not.
template <class Traced>
struct compiled_of {
  static constexpr auto find() {
    if constexpr (!has_vmap(Traced::recorded) && !has_row_loops(Traced::recorded) && !batched_vectors::is_needed(Traced::recorded))
      return std::type_identity<optimized_within<Traced, false>>{};
    else if constexpr (planned<optimized_within<Traced, true>>::sizes.is_possible)
      return std::type_identity<optimized_within<Traced, true>>{};
    else return std::type_identity<optimized_within<Traced, false>>{};
  }
  using type = typename decltype(find())::type;
};
template <class Traced>
using compiled = typename compiled_of<Traced>::type;

}  // namespace exprax::detail
