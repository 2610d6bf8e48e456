// SPDX-License-Identifier: BSL-1.0
// psum (jax.lax.psum): the sum over named mapped axes. See primitives/collectives/collective_reduction.hpp.
#pragma once

#include <exprax/primitives/collectives/collective_reduction.hpp>
#include <exprax/primitives/reductions/reduce_sum.hpp>

namespace exprax {

template <>
struct primitive<prim::psum> : detail::collective_reduction<prim::psum, prim::reduce_sum> {
  static constexpr std::string_view name = "psum";
};

}  // namespace exprax
