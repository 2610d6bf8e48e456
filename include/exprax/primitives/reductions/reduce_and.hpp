// SPDX-License-Identifier: BSL-1.0
// reduce_and (jax.lax.reduce_and): whether all are true along some axes; bitwise for integers.
#pragma once

#include <exprax/primitives/elementwise/logic/and_.hpp>
#include <exprax/primitives/reductions/reduction.hpp>

namespace exprax {

template <>
struct primitive<prim::reduce_and> : detail::reduction<prim::reduce_and, prim::and_, detail::reduction_kind::logical> {
  static constexpr std::string_view name = "reduce_and";
};

}  // namespace exprax
