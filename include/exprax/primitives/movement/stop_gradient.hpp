// SPDX-License-Identifier: BSL-1.0
// stop_gradient (jax.lax.stop_gradient): its operand, without derivatives.
#pragma once

#include <exprax/primitives/movement/identity.hpp>

namespace exprax {

template <>
struct primitive<prim::stop_gradient> : detail::identity_family<prim::stop_gradient> {
  static constexpr std::string_view name = "stop_gradient";
  static constexpr prim_traits traits = identity_family::traits.locally_constant();
};

}  // namespace exprax
