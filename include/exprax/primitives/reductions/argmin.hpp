// SPDX-License-Identifier: BSL-1.0
// argmin (jax.lax.argmin): the index of the first NaN along an axis, else of the first smallest element.
#pragma once

#include <exprax/primitives/reductions/argument_extremum.hpp>

namespace exprax {

template <>
struct primitive<prim::argmin> : detail::argument_extremum<prim::argmin, prim::reduce_min, prim::reduce_argmin> {
  static constexpr std::string_view name = "argmin";
};

}  // namespace exprax
