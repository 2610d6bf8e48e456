// SPDX-License-Identifier: BSL-1.0
// bind_several<Out...>(op, params, blocks, in...): one equation with a result for each Out, as a tuple.
#pragma once

#include <exprax/api/control/control.hpp>
#include <exprax/numpy/core/operand.hpp>

namespace exprax::detail {

template <class... Out, class... In>
constexpr std::tuple<Out...> bind_several(prim op, span<int> params, span<int> blocks, In const&... in) {
  arena<handle> operands = handles_of(std::tuple<In...>(in...));
  tape* const t = join_all(operands).on;
  arena<int> ids, types;
  for (handle const& h : operands) ids.push(h.id);
  (types.push(t->find_static_type(Out::type)), ...);
  int out = t->record(op, ids, params, types, blocks);
  std::tuple<Out...> results{};
  assign_leaves(results, [&](aval const&) { return handle(t, out++); });
  return results;
}

}  // namespace exprax::detail
