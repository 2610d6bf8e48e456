// SPDX-License-Identifier: BSL-1.0
// Whether an argument's memory may serve for a result: every read of the argument is at the index of the write, in one loop.
// Then jit can take the storage of an argument that is moved in (donation), and results may be written over arguments.
#pragma once

#include <exprax/plan/plan.hpp>

namespace exprax::detail {

// Both walk the same elements of their buffers.
template <class Plan>
constexpr bool same_walk(step const& x, step const& y, int rank) {
  if (x.access < 0 || y.access < 0) return x.access == y.access && x.bits == y.bits;
  access const& a = Plan::storage.accesses[x.access];
  access const& b = Plan::storage.accesses[y.access];
  if (a.base != b.base || a.n_term != 0 || b.n_term != 0) return false;
  for (int i = 0; i < rank; ++i)
    if (a.stride[i] != b.stride[i]) return false;
  return true;
}

template <class Plan>
constexpr bool is_place(step const& s, storage_class where, int index) {
  buffer const& b = Plan::storage.buffers[s.access < 0 ? s.c : Plan::storage.accesses[s.access].buffer];
  return b.where == where && b.index == index;
}

// Plan: a planned<P>.
template <class Plan>
constexpr bool may_share(int input, int output) {
  if (Plan::sizes.kernels != 1 || Plan::sizes.loops != 1) return false;
  loop_kernel const& k = Plan::storage.loops[0];
  for (int b = 0; b < k.n_box; ++b) {
    box const& x = Plan::storage.boxes[k.box + b];
    for (int s = x.step; s < x.step + x.n_step; ++s) {
      step const& store = Plan::storage.steps[s];
      if (store.kind != step_kind::store || !is_place<Plan>(store, storage_class::output, output)) continue;
      for (int l = x.step; l < x.step + x.n_step; ++l) {
        step const& load = Plan::storage.steps[l];
        if (load.kind != step_kind::load || !is_place<Plan>(load, storage_class::input, input)) continue;
        if (!same_walk<Plan>(load, store, k.rank)) return false;
      }
    }
  }
  return true;
}

}  // namespace exprax::detail
