// SPDX-License-Identifier: BSL-1.0
// copy (jax.numpy.copy): its operand.
#pragma once

#include <exprax/primitives/movement/identity.hpp>

namespace exprax {

template <>
struct primitive<prim::copy> : detail::identity_family<prim::copy> {
  static constexpr std::string_view name = "copy";
  static constexpr prim_traits traits = identity_family::traits.linear_in_operands(first_operand);
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    c.add_cotangent(e, 0, c.cotangent(e));
  }
};

}  // namespace exprax
