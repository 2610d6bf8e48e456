// SPDX-License-Identifier: BSL-1.0
// Shared by loops and branches: which calls are programs of their own, and closed blocks before their equation is recorded.
#pragma once

#include <exprax/api/jit.hpp>

namespace exprax::detail {

// Arrays and no traced value, or no arrays: outside of a trace, such a call runs as a jitted function, if the callables allow it.
template <class... Trees>
inline constexpr bool takes_arrays = (any_stored<leaves_t<Trees>> || ...) && !in_a_trace<Trees...>;

// Until its equation is recorded, a closed block may move to another tape together with its own.
constexpr void follow(closed_block& b) {
  b.id = resolve_block(b.on, b.id);
  for (int& v : b.captures) v = resolve(handle(b.on.on, v)).id;
  b.on = resolve(b.on);
}

// Of a result that is no value of the tape yet.
inline constexpr int new_result = -1;

// A result for each leaf of the tree: value from[k] of the tape, or, if that is new_result, the next result of an equation, out.
template <class Tree>
constexpr Tree results_of(tape* t, span<int> from, int out) {
  Tree results{};
  int k = 0;
  assign_leaves(results, [&](aval const&) {
    int const v = from.first[k++];
    return handle(t, v == new_result ? out++ : v);
  });
  return results;
}

}  // namespace exprax::detail
