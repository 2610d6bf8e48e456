// SPDX-License-Identifier: BSL-1.0
// Walks of the table: a law for each entry of the primitives from First to Last, both included.
#pragma once

#include <doctest/doctest.h>

#include <laws/subject.hpp>
#include <laws/table.hpp>

namespace laws {

// Rule<P, Entry>::check() for each entry of one row.
template <template <prim, class> class Rule, prim P, class... On>
void check_row(table::entries<On...>) {
  INFO("primitive: ", std::string(primitive<P>::name));
  int entry = 0;
  (
      [&] {
        INFO("entry: ", entry++);
        Rule<P, On>::check();
      }(),
      ...);
}
template <template <prim, class> class Rule, prim First, prim Last>
void check_rows() {
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (check_row<Rule, static_cast<prim>(static_cast<int>(First) + I)>(table::row<static_cast<prim>(static_cast<int>(First) + I)>{}), ...);
  }(std::make_integer_sequence<int, static_cast<int>(Last) - static_cast<int>(First) + 1>{});
}

}  // namespace laws
