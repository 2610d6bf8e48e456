// SPDX-License-Identifier: BSL-1.0
// copy (jax.numpy.copy): its operand.
#pragma once

#include <exprax/primitives/movement/identity.hpp>

namespace exprax {

template <>
struct primitive<prim::copy> : detail::identity_family<prim::copy> {
  static constexpr std::string_view name = "copy";
};

}  // namespace exprax
