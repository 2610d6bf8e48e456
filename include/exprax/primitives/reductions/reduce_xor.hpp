// SPDX-License-Identifier: BSL-1.0
// reduce_xor (jax.lax.reduce_xor): the bitwise exclusive or along some axes.
#pragma once

#include <exprax/primitives/elementwise/logic/xor_.hpp>
#include <exprax/primitives/reductions/reduction.hpp>

namespace exprax {

template <>
struct primitive<prim::reduce_xor> : detail::reduction<prim::reduce_xor, prim::xor_, detail::reduction_kind::logical> {
  static constexpr std::string_view name = "reduce_xor";
};

}  // namespace exprax
