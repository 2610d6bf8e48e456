// SPDX-License-Identifier: BSL-1.0
// named_call: a function of the library as a jit equation, which is how JAX records jnp.where, jnp.clip and others:
// jit[name=_where jaxpr={ ... }]. Numbers are operands of the equation, and inputs inside.
#pragma once

#include <string_view>

#include <exprax/api/call.hpp>
#include <exprax/numpy/core/operand.hpp>

namespace exprax::detail {

template <class Op, operand... X>
constexpr auto named_call(std::string_view text, X const&... x) {
  return record_jit(text, Op{}, as_traced(x)...);
}

}  // namespace exprax::detail
