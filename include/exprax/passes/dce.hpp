// SPDX-License-Identifier: BSL-1.0
// dce: removes what no result depends on, also in loops (constants, carries, scanned operands, stacked results), and
// constants that nothing reads. The inputs and results of the program stay.
#pragma once

#include <exprax/passes/compactor.hpp>

namespace exprax {
namespace detail {

struct dce_options {
  static constexpr bool fuses = false;
};

}  // namespace detail

constexpr program dce(program_ref p) { return detail::compactor<detail::dce_options>(p).run(); }

}  // namespace exprax
