// SPDX-License-Identifier: BSL-1.0
// reduce_window_min (jax.lax.reduce_window_min): the smallest element of each window.
#pragma once

#include <exprax/primitives/elementwise/arithmetic/min.hpp>
#include <exprax/primitives/reductions/windows.hpp>

namespace exprax {

template <>
struct primitive<prim::reduce_window_min> : detail::window_reduction<prim::reduce_window_min, prim::min> {
  static constexpr std::string_view name = "reduce_window_min";
};

}  // namespace exprax
