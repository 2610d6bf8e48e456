// SPDX-License-Identifier: BSL-1.0
// pmin (jax.lax.pmin): the smallest value over named mapped axes. See primitives/collectives/collective_reduction.hpp.
#pragma once

#include <exprax/primitives/collectives/collective_reduction.hpp>
#include <exprax/primitives/reductions/reduce_min.hpp>

namespace exprax {

template <>
struct primitive<prim::pmin> : detail::collective_reduction<prim::pmin, prim::reduce_min> {
  static constexpr std::string_view name = "pmin";
};

}  // namespace exprax
