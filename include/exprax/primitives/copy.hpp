// SPDX-License-Identifier: BSL-1.0
// Copies equations and blocks from one program into another, replacing some values.
#pragma once

#include <exprax/primitives/list.hpp>

namespace exprax {

// Maps each value of `from` to its value in `to`. The two programs must be different objects.
class block_copier {
 public:
  constexpr block_copier(program& to, program_ref from) : to_(to), from_(from) {
    map_.resize(from.n.values, -1);
    types_.resize(from.n.avals, -1);
  }

  constexpr void set(int v, int mapped) { map_[v] = mapped; }
  constexpr bool knows(int v) const { return map_[v] >= 0; }
  // The value of `to` for v; a constant is copied at its first use.
  constexpr int operator[](int v) {
    if (map_[v] < 0 && from_.is_constant(v)) {
      aval const& type = from_.type(v);
      map_[v] = to_.add_constant(type, {from_.constants + from_.values[v].constant, static_cast<int>(type.pattern_count())});
    }
    return map_[v];
  }

  // Emits a copy of e, and of its nested blocks, into the open block.
  constexpr void copy(eqn const& e) {
    if (e.n_out == 1 && e.n_blk == 0 && e.n_in <= 4) {
      int in[4] = {};
      for (int k = 0; k < e.n_in; ++k) in[k] = (*this)[from_.in(e, k)];
      map_[e.out] = to_.emit_one(e.op, {in, e.n_in}, from_.params_of(e), type(from_.values[e.out].type));
      return;
    }
    detail::arena<int> sub;
    for (int b : from_.subs(e)) sub.push(copy_block(b));
    copy(e, sub);
  }
  // The same, with the given blocks of `to` in place of its own.
  constexpr void copy(eqn const& e, detail::span<int> sub) {
    detail::arena<int> in;
    in.reserve(e.n_in);
    for (int v : from_.ins(e)) in.push((*this)[v]);
    detail::arena<aval> out;
    for (int k = 0; k < e.n_out; ++k) out.push(from_.type(e.out + k));
    int const first = to_.emit(e.op, in, from_.params_of(e), out, sub);
    if (e.op == prim::jit || e.op == prim::debug_print) to_.params[to_.params.size() - e.n_par] = copy_name(from_.param(e, 0));
    for (int k = 0; k < e.n_out; ++k) map_[e.out + k] = first + k;
  }
  constexpr void copy_body(block const& b) {
    for (eqn const& e : from_.body(b)) copy(e);
  }
  // Copies a whole block, closed; returns its index in `to`.
  constexpr int copy_block(int id) {
    block const& b = from_.blocks[id];
    detail::arena<int> in, out;
    for (int v : from_.ins(b)) {
      map_[v] = to_.add_value(from_.type(v));
      in.push(map_[v]);
    }
    to_.open();
    copy_body(b);
    for (int v : from_.outs(b)) out.push((*this)[v]);
    return to_.close(in, out);
  }
  constexpr int copy_name(int n) { return to_.add_name(from_.names[n].view()); }

  constexpr program& to() const { return to_; }
  constexpr program_ref const& from() const { return from_; }

 private:
  constexpr int type(int old) {
    if (types_[old] < 0) types_[old] = to_.intern(from_.avals[old]);
    return types_[old];
  }

  program& to_;
  program_ref from_;
  detail::arena<int> map_;
  detail::arena<int> types_;  // for each aval of `from`, its index in `to`
};

// Emits the equations of b into the open block of `to`, the inputs of b being args; results: the values of its outputs.
constexpr void splice(program& to, program_ref from, block const& b, detail::span<int> args, int* results) {
  block_copier copy(to, from);
  for (int k = 0; k < b.n_in; ++k) copy.set(from.ins(b)[k], args[k]);
  copy.copy_body(b);
  for (int k = 0; k < b.n_out; ++k) results[k] = copy[from.outs(b)[k]];
}

namespace detail {

template <class T>
constexpr void copy_table(arena<T>& to, T const* from, int n) {
  for (int i = 0; i < n; ++i) to.push(from[i]);
}
// Copies a whole program into an empty one.
constexpr void copy_tables(program& to, program_ref from) {
  copy_table(to.values, from.values, from.n.values);
  copy_table(to.eqns, from.eqns, from.n.eqns);
  copy_table(to.blocks, from.blocks, from.n.blocks);
  copy_table(to.refs, from.refs, from.n.refs);
  copy_table(to.params, from.params, from.n.params);
  copy_table(to.avals, from.avals, from.n.avals);
  copy_table(to.constants, from.constants, from.n.constants);
  copy_table(to.names, from.names, from.n.names);
}

}  // namespace detail

constexpr int copy_nested(program& to, program_ref from, int block_id) { return block_copier(to, from).copy_block(block_id); }

}  // namespace exprax
