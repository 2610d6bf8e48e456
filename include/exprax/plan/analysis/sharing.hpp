// SPDX-License-Identifier: BSL-1.0
// Whether a result may be stored in an argument's memory: nothing reads the argument after the result is written. Then jit can reuse the
// storage of an argument that is moved in (donation), and results may overwrite arguments.
#pragma once

#include <exprax/plan/analysis/uses.hpp>

namespace exprax::detail {

template <class Plan>
constexpr int user_buffer(storage_class where, int index) {
  for (int b = 0; b < Plan::sizes.buffers; ++b)
    if (Plan::storage.buffers[b].where == where && Plan::storage.buffers[b].index == index) return b;
  return -1;
}

// Plan: a planned<P>. A table, so that nothing is computed at run time.
template <class Plan>
struct sharing {
  static constexpr int inputs = Plan::program::ref.main().n_in, outputs = Plan::program::ref.main().n_out;
  struct table {
    bool of[inputs + 1][outputs + 1];
  };
  static constexpr table may = [] {
    table t{};
    for (int i = 0; i < inputs; ++i)
      for (int j = 0; j < outputs; ++j) {
        int const in = user_buffer<Plan>(storage_class::input, i), out = user_buffer<Plan>(storage_class::output, j);
        t.of[i][j] = in < 0 || out < 0 || is_read_before_written(Plan::storage, Plan::sizes.main, in, out);
      }
    return t;
  }();
};

template <class Plan>
constexpr bool may_share(int input, int output) {
  return sharing<Plan>::may.of[input][output];
}

}  // namespace exprax::detail
