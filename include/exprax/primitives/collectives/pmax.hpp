// SPDX-License-Identifier: BSL-1.0
// pmax (jax.lax.pmax): the largest value over named mapped axes. See primitives/collectives/collective_reduction.hpp.
#pragma once

#include <exprax/primitives/collectives/collective_reduction.hpp>
#include <exprax/primitives/reductions/reduce_max.hpp>

namespace exprax {

template <>
struct primitive<prim::pmax> : detail::collective_reduction<prim::pmax, prim::reduce_max> {
  static constexpr std::string_view name = "pmax";
};

}  // namespace exprax
