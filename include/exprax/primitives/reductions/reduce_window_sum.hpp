// SPDX-License-Identifier: BSL-1.0
// reduce_window_sum (jax.lax.reduce_window_sum): the sum of each window.
#pragma once

#include <exprax/primitives/elementwise/arithmetic/add.hpp>
#include <exprax/primitives/reductions/windows.hpp>

namespace exprax {

template <>
struct primitive<prim::reduce_window_sum> : detail::window_reduction<prim::reduce_window_sum, prim::add> {
  static constexpr std::string_view name = "reduce_window_sum";
};

}  // namespace exprax
