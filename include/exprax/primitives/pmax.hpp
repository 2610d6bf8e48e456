// SPDX-License-Identifier: BSL-1.0
// pmax (jax.lax.pmax): the largest value over mapped axes that have names. See primitives/collective_reduction.hpp.
#pragma once

#include <exprax/primitives/collective_reduction.hpp>
#include <exprax/primitives/reduce_max.hpp>

namespace exprax {

template <>
struct primitive<prim::pmax> : detail::collective_reduction<prim::pmax, prim::reduce_max> {
  static constexpr std::string_view name = "pmax";
};

}  // namespace exprax
