// SPDX-License-Identifier: BSL-1.0
// Whether an argument's memory may serve for a result: nothing reads the argument once the result is written. Then jit can take
// the storage of an argument that is moved in (donation), and results may be written over arguments.
#pragma once

#include <exprax/plan/uses.hpp>

namespace exprax::detail {

template <class Plan>
constexpr int user_buffer(storage_class where, int index) {
  for (int b = 0; b < Plan::sizes.buffers; ++b)
    if (Plan::storage.buffers[b].where == where && Plan::storage.buffers[b].index == index) return b;
  return -1;
}

// Plan: a planned<P>.
template <class Plan>
constexpr bool may_share(int input, int output) {
  int const in = user_buffer<Plan>(storage_class::input, input), out = user_buffer<Plan>(storage_class::output, output);
  return in < 0 || out < 0 || is_read_before_written(Plan::storage, Plan::sizes.main, in, out);
}

}  // namespace exprax::detail
