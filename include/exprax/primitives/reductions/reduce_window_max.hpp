// SPDX-License-Identifier: BSL-1.0
// reduce_window_max (jax.lax.reduce_window_max): the largest element of each window.
#pragma once

#include <exprax/primitives/elementwise/arithmetic/max.hpp>
#include <exprax/primitives/reductions/windows.hpp>

namespace exprax {

template <>
struct primitive<prim::reduce_window_max> : detail::window_reduction<prim::reduce_window_max, prim::max> {
  static constexpr std::string_view name = "reduce_window_max";
};

}  // namespace exprax
