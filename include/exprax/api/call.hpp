// SPDX-License-Identifier: BSL-1.0
// Records the call of a jitted function inside a trace: a jit equation with the function's equations as its block. Captured values are its
// first operands.
#pragma once

#include <string_view>

#include <exprax/primitives/list.hpp>
#include <exprax/program/blocks.hpp>
#include <exprax/program/lift_tree.hpp>

namespace exprax::detail {

// Runs f on new inputs of an open block that are like args, and adds its results to outs; returns a tree of their types.
template <class F, class... Args>
constexpr auto run_in_block(block_scope& scope, arena<handle>& outs, F const& f, std::tuple<Args...> args) {
  assign_leaves(args, [&](aval const& type) { return scope.input(type); });
  auto result = lift_result(f, args);
  push_handles(outs, result);
  int k = 0;
  if (was_assigned(args, scope.inputs(), k)) scope.blame({mistake::assigns_to_a_parameter});
  return std::type_identity<decltype(result)>{};
}

// A call whose equations are a closed block of a tape, before something is recorded for it. Results: the tree of its results.
template <class Results>
struct closed_call {
  using results = Results;
  using program = program_ref;  // what depends on it is instantiated with the call
  handle on;            // any value of the tape
  int block = 0;
  arena<int> operands;  // values of the tape: captured ones, then the leaves of the arguments
  int n_captures = 0;
  arena<int> types;     // of the outputs of the block, in the tape's table

  constexpr tape* tape_of() const { return on.on; }
};
template <class F, class... Args>
constexpr auto close_call(F const& f, Args const&... args) {
  auto lifted = std::make_tuple(lift_tree(args)...);
  arena<handle> in = handles_of(lifted);
  block_scope scope(join_all(in));
  arena<handle> outs;
  auto const results = run_in_block(scope, outs, f, lifted);
  closed_block const b = scope.close(outs);

  closed_call<typename decltype(results)::type> r{b.on, b.id, b.captures, b.captures.size(), {}};
  for (handle const& h : in) r.operands.push(resolve(h).id);
  for (handle const& h : outs) r.types.push(b.on.on->values.at[h.id].type);
  return r;
}

// Records an equation with f on args as its block, by write(tape, operands, types of the results, block), which returns its first result.
template <class Write, class F, class... Args>
constexpr auto record_with_block(Write const& write, F const& f, Args const&... args) {
  auto const call = close_call(f, args...);
  tape* const t = call.tape_of();
  int out = write(t, call.operands, call.types, call.block);
  typename decltype(call)::results r{};
  assign_leaves(r, [&](aval const&) { return handle(t, out++); });
  return r;
}

// name: a text with static storage.
template <class F, class... Args>
constexpr auto record_jit(std::string_view text, F const& f, Args const&... args) {
  auto const write = [&](tape* t, arena<int> const& operands, arena<int> const& types, int block) {
    int const first = t->record(prim::jit, operands, {0}, types, {&block, 1});
    t->rename_last(text);
    return first;
  };
  return record_with_block(write, f, args...);
}

}  // namespace exprax::detail
