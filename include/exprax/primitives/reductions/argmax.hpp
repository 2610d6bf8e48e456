// SPDX-License-Identifier: BSL-1.0
// argmax (jax.lax.argmax): the index of the first NaN along an axis, else of the first largest element.
#pragma once

#include <exprax/primitives/reductions/argument_extremum.hpp>

namespace exprax {

template <>
struct primitive<prim::argmax> : detail::argument_extremum<prim::argmax, prim::reduce_max, prim::reduce_argmax> {
  static constexpr std::string_view name = "argmax";
};

}  // namespace exprax
