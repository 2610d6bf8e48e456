// SPDX-License-Identifier: BSL-1.0
// The signature of any equation with blocks, and its parameters for other numbers of operands.
#pragma once

#include <exprax/primitives/control/checkpoint.hpp>
#include <exprax/primitives/control/cond.hpp>
#include <exprax/primitives/control/jit.hpp>
#include <exprax/primitives/control/scan.hpp>
#include <exprax/primitives/control/vmap.hpp>
#include <exprax/primitives/control/while.hpp>

namespace exprax {

namespace detail {

// f(primitive<op>) for a control primitive.
template <class F>
constexpr auto with_control(prim op, F const& f) {
  switch (op) {
    case prim::scan: return f(primitive<prim::scan>{});
    case prim::while_: return f(primitive<prim::while_>{});
    case prim::cond: return f(primitive<prim::cond>{});
    case prim::vmap: return f(primitive<prim::vmap>{});
    default: return f(primitive<prim::jit>{});
  }
}

}  // namespace detail

constexpr control_signature signature_of(equation_ref const& e) {
  return detail::with_control(e.e.op, [&](auto rules) { return rules.signature(e); });
}
constexpr control_signature signature_of(program_ref const& p, eqn const& e) { return signature_of(equation_ref{p, e}); }

// The parameters of an equation that has operand k operands[k] times, and result k results[k] times: 0 drops it, 2 splits it.
constexpr detail::arena<int> parameters_for(equation_ref const& e, detail::span<char> operands, detail::span<char> results) {
  return detail::with_control(e.e.op, [&](auto rules) { return rules.parameters_for(e, operands, results); });
}

}  // namespace exprax
