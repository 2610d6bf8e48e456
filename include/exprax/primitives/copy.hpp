// SPDX-License-Identifier: BSL-1.0
// Copies equations and blocks from one program into another, replacing some values.
#pragma once

#include <exprax/primitives/list.hpp>
#include <exprax/program/builder.hpp>

namespace exprax {

// Maps each value of `from` to its value in `to`.
class block_copier {
 public:
  constexpr block_copier(program_builder& to, program_ref from) : to_(to), from_(from) {
    map_.resize(from.n.values, -1);
    types_.resize(from.n.avals, -1);
  }

  constexpr void set(int v, int mapped) { map_[v] = mapped; }
  constexpr bool knows(int v) const { return map_[v] >= 0; }
  // The value of `to` for v; a constant is copied at its first use.
  constexpr int operator[](int v) {
    if (map_[v] < 0 && from_.is_constant(v))
      map_[v] = to_.add_constant(type(v), {from_.constants + from_.values[v].constant, static_cast<int>(from_.type(v).pattern_count())});
    return map_[v];
  }
  constexpr detail::arena<int> operator[](detail::span<int> values) {
    detail::arena<int> r;
    for (int v : values) r.push((*this)[v]);
    return r;
  }

  // With step: it writes each equation of the block, and of those in it. Without: all are copied.

  // Emits the equations of b into the open block, the inputs of b being args. Returns the values of its outputs.
  template <class Step>
  constexpr detail::arena<int> splice(block const& b, detail::span<int> args, Step step) {
    for (int k = 0; k < b.n_in; ++k) map_[from_.ins(b)[k]] = args[k];
    for (eqn const& e : from_.body(b)) step(e);
    return (*this)[from_.outs(b)];
  }
  // Copies a whole block, closed; returns its index in `to`.
  template <class Step>
  constexpr int copy_block(int id, Step step) {
    detail::arena<int> in;
    for (int v : from_.ins(from_.blocks[id])) in.push(to_.add_value(type(v)));
    to_.open();
    return to_.close(in, splice(from_.blocks[id], in, step));
  }
  // Emits a copy of e, and of its nested blocks, into the open block.
  template <class Step>
    requires requires(Step step, eqn const& e) { step(e); }
  constexpr void copy(eqn const& e, Step step) {
    detail::arena<int> sub;
    for (int b : from_.subs(e)) sub.push(copy_block(b, step));
    copy(e, detail::span<int>(sub));
  }
  // The same, with the given blocks of `to` in place of its own.
  constexpr void copy(eqn const& e, detail::span<int> sub) {
    detail::arena<int> types;
    for (int k = 0; k < e.n_out; ++k) types.push(type(e.out + k));
    int const first = to_.record(e.op, (*this)[from_.ins(e)], from_.params_of(e), types, sub);
    if (has_name(e.op)) to_.rename_last(from_.names[from_.param(e, 0)].view());
    for (int k = 0; k < e.n_out; ++k) map_[e.out + k] = first + k;
  }
  constexpr void copy(eqn const& e) {
    if (e.n_out != 1 || e.n_blk != 0 || e.n_in > program_builder::few || has_name(e.op)) return copy(e, copied_equation{*this});
    int in[program_builder::few] = {};
    for (int k = 0; k < e.n_in; ++k) in[k] = (*this)[from_.in(e, k)];
    map_[e.out] = to_.emit_one(e.op, {in, e.n_in}, from_.params_of(e), type(e.out));
  }
  constexpr int copy_block(int id) { return copy_block(id, copied_equation{*this}); }
  constexpr detail::arena<int> splice(block const& b, detail::span<int> args) { return splice(b, args, copied_equation{*this}); }

  constexpr program_builder& to() const { return to_; }
  constexpr program_ref const& from() const { return from_; }
  // Values of the aval with index `type` in `from` have this one in `to`.
  constexpr void retype(int type, aval const& t) { types_[type] = to_.intern(t); }
  // The index in `to` of the aval of v.
  constexpr int type(int v) {
    int& t = types_[from_.values[v].type];
    if (t < 0) t = to_.intern(from_.type(v));
    return t;
  }

 private:
  struct copied_equation {
    block_copier& c;
    constexpr void operator()(eqn const& e) const { c.copy(e); }
  };

  program_builder& to_;
  program_ref from_;
  detail::arena<int> map_;
  detail::arena<int> types_;  // for each aval of `from`, its index in `to`
};

// Emits the equations of the main block into the open block of `to`, its inputs being args. Returns the values of its outputs.
constexpr detail::arena<int> splice(program_builder& to, program_ref from, detail::span<int> args) {
  return block_copier(to, from).splice(from.main(), args);
}

// A block as a program of its own.
constexpr program block_alone(program_ref from, int id) {
  program_builder to;
  block_copier(to, from).copy_block(id);
  return to.finish();
}

// A copy, to be changed in place.
constexpr program copied(program_ref p) {
  program q;
  q.values.append(p.values, p.n.values), q.eqns.append(p.eqns, p.n.eqns), q.blocks.append(p.blocks, p.n.blocks);
  q.refs.append(p.refs, p.n.refs), q.params.append(p.params, p.n.params), q.avals.append(p.avals, p.n.avals);
  q.constants.append(p.constants, p.n.constants), q.names.append(p.names, p.n.names);
  return q;
}

}  // namespace exprax
