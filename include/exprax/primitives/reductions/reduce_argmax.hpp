// SPDX-License-Identifier: BSL-1.0
// reduce_argmax: the index of the first NaN along an axis, else of the first largest element, in one walk.
#pragma once

#include <exprax/primitives/elementwise/arithmetic/max.hpp>
#include <exprax/primitives/reductions/argument_reduction.hpp>

namespace exprax {

template <>
struct primitive<prim::reduce_argmax> : detail::argument_reduction<prim::reduce_argmax, prim::max> {
  static constexpr std::string_view name = "reduce_argmax";
};

}  // namespace exprax
