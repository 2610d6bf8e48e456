// SPDX-License-Identifier: BSL-1.0
// reduce_argmin: the index of the first NaN along an axis, else of the first smallest element, in one walk.
#pragma once

#include <exprax/primitives/elementwise/arithmetic/min.hpp>
#include <exprax/primitives/reductions/argument_reduction.hpp>

namespace exprax {

template <>
struct primitive<prim::reduce_argmin> : detail::argument_reduction<prim::reduce_argmin, prim::min> {
  static constexpr std::string_view name = "reduce_argmin";
};

}  // namespace exprax
