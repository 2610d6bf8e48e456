// SPDX-License-Identifier: BSL-1.0
// Which products are small: all of their sums stay in registers, and their code has no loop.
#pragma once

#include <cstddef>

namespace exprax::detail::planning {

// A result of so many rows and columns, each of which is the sum of so many products. The rows of a few columns are short packs.
constexpr bool stays_in_registers(std::ptrdiff_t rows, std::ptrdiff_t columns, std::ptrdiff_t terms, int registers) {
  constexpr int few_columns = 3, most_rows = 8, most_terms = 16, most_products = 256, others = 4;
  if (columns > few_columns) return rows <= most_rows && terms <= most_rows + 1;
  return rows <= registers - others && terms <= most_terms && rows * terms <= most_products;
}

}  // namespace exprax::detail::planning
