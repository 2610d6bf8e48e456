// SPDX-License-Identifier: BSL-1.0
// What a run of a plan leaves behind.
#pragma once

#include <cstdint>

#include <exprax/base/arena.hpp>

namespace plan_interpreter {

struct outcome {
  exprax::detail::arena<exprax::detail::arena<std::uint64_t>> results;
  int faults = 0;  // accesses out of bounds
};

}  // namespace plan_interpreter
