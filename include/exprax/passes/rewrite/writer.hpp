// SPDX-License-Identifier: BSL-1.0
// writer: the common part of passes that read one program and write another: values, equations of open blocks, constants. Its tables are
// public, and the passes write into them directly: a call for each equation and operand would take most of the constexpr steps.
#pragma once

#include <utility>

#include <exprax/primitives/list.hpp>
#include <exprax/program/program.hpp>
#include <exprax/program/tape.hpp>

namespace exprax::detail {

// A set of primitives.
struct prim_set {
  bool has[prim_count] = {};
  constexpr prim_set(std::initializer_list<prim> list) {
    for (prim p : list) has[static_cast<int>(p)] = true;
  }
};

// Entries below 0 in a map of values: no new value yet (-1), or an encoded equation or literal from which it is made when it is first read.
constexpr bool waits_in_map(int entry) { return entry < -1; }
constexpr int waiting(int of) { return -2 - of; }
constexpr int waited_for(int entry) { return -2 - entry; }

// n equal elements.
template <class T>
struct flat {
  T* at;
  constexpr explicit flat(int n) : at(new T[static_cast<std::size_t>(n + 1)]()) {}
  constexpr flat(int n, T fill) : at(new T[static_cast<std::size_t>(n + 1)]) {
    int i = 0;
    for (; i + 8 <= n; i += 8)  // one statement
      at[i] = fill, at[i + 1] = fill, at[i + 2] = fill, at[i + 3] = fill, at[i + 4] = fill, at[i + 5] = fill, at[i + 6] = fill, at[i + 7] = fill;
    for (; i < n; ++i) at[i] = fill;
  }
  flat(flat const&) = delete;
  flat& operator=(flat const&) = delete;
  constexpr ~flat() { delete[] at; }
};

class writer {
 public:
  program_ref p;  // the program that is read
  int* map;       // for each value of p the new value, or less than 0
  int const* type;  // for each aval of p its index in the new program

  table<value> values;
  table<eqn> pending;  // equations of open blocks
  table<eqn> eqns;
  table<block> blocks;
  table<int> refs, params;
  table<std::uint64_t> constants;
  arena<aval> avals;

  // The number of equations for which there is room, each with one result and at most `few` operands.
  int left = 0;
  static constexpr int few = 8;

  constexpr explicit writer(program_ref from) : p(from), map_(from.n.values, -1), type_(from.n.avals) {
    map = map_.at;
    type = type_.at;
    values.reserve(p.n.values + 16);
    pending.reserve(p.n.eqns + 16);
    refs.reserve(p.n.refs + 16 * few);
    copy_types();
  }

  constexpr void refill() {
    left = 64;
    values.make_room(left + 8);
    pending.make_room(left + 8);
    refs.make_room((left + 8) * few);
  }
  constexpr int add_value(int t) {
    --left;
    return values.push({t, no_constant});
  }
  constexpr int add_constant(int t, std::uint64_t const* bits, std::ptrdiff_t n) {
    --left;
    int const at = constants.n;
    constants.make_room(static_cast<int>(n) + 1);
    constants.at[at] = 0;
    copy_run(constants.at + at, bits, static_cast<int>(n));
    constants.n += n > 0 ? static_cast<int>(n) : 1;
    return values.push({t, at});
  }
  constexpr int add_refs(span<int> s) {
    left = 0;
    refs.make_room(s.count);
    copy_run(refs.at + refs.n, s.first, s.count);
    refs.n += s.count;
    return refs.n - s.count;
  }
  constexpr int add_params(int const* s, int n) {
    params.make_room(n);
    copy_run(params.at + params.n, s, n);
    params.n += n;
    return params.n - n;
  }
  constexpr void add_equation(eqn const& e) {
    left = 0;
    pending.push(e);
  }

  constexpr void open() { open_.push(pending.n); }
  // The first equation of the innermost open block.
  constexpr int first() const { return open_.back(); }
  constexpr int close(span<int> in, span<int> out) {
    int const begin = open_.back();
    int const n = pending.n - begin;
    int const first_eqn = eqns.n;
    if (begin == 0 && first_eqn == 0) {  // the only block: the pending equations become its table
      std::swap(pending.at, eqns.at), std::swap(pending.n, eqns.n), std::swap(pending.room, eqns.room);
    } else {
      eqns.make_room(n);
      copy_run(eqns.at + first_eqn, pending.at + begin, n);
      eqns.n += n;
    }
    pending.n = begin;
    open_.pop();
    int const first_in = add_refs(in), first_out = add_refs(out);
    blocks.push({first_in, in.count, first_out, out.count, first_eqn, n});
    return blocks.n - 1;
  }

  // Closes the innermost block, whose equations are already in their table from `first` on; its inputs are set later.
  constexpr int close_written(int first, span<int> out) {
    open_.pop();
    int const at = add_refs(out);
    return blocks.push({0, 0, at, out.count, first, eqns.n - first});
  }
  constexpr void set_inputs(int id, span<int> in) {
    int const at = add_refs(in);
    blocks.at[id].in = at, blocks.at[id].n_in = in.count;
  }
  constexpr void set_outputs(int id, span<int> out) {
    int const at = add_refs(out);
    blocks.at[id].out = at, blocks.at[id].n_out = out.count;
  }
  // The program so far, without the equations of open blocks.
  constexpr program_ref ref() const {
    return {values.at, eqns.at, blocks.at, refs.at, params.at, avals.data(), constants.at, p.names,
            {values.n, eqns.n, blocks.n, refs.n, params.n, avals.size(), constants.n, p.n.names}};
  }

  constexpr program finish() {
    program q;
    q.values = values.release();
    q.eqns = eqns.release();
    q.blocks = blocks.release();
    q.refs = refs.release();
    q.params = params.release();
    q.constants = constants.release();
    q.avals = static_cast<arena<aval>&&>(avals);
    name* to = q.names.grow(p.n.names);
    for (int i = 0; i < p.n.names; ++i) to[i] = p.names[i];
    return q;
  }

  constexpr int intern(aval const& a) {
    for (int i = avals.size() - 1; i >= 0; --i)
      if (avals[i].matches(a)) return i;
    return avals.push(a);
  }

 private:
  // Avals keep their indices; a weak one takes the index of an equal strong one. Passes write no weak types: only the front end needs
  // them.
  constexpr void copy_types() {
    int const n = p.n.avals;
    aval* to = avals.grow(n);
    for (int i = 0; i < n; ++i) {
      to[i] = p.avals[i];
      to[i].weak = false;
      type_.at[i] = i;
      if (p.avals[i].weak)
        for (int k = 0; k < n; ++k)
          if (!p.avals[k].weak && p.avals[k].matches(p.avals[i])) type_.at[i] = k;
    }
  }

  flat<int> map_;
  flat<int> type_;
  arena<int> open_;
};

}  // namespace exprax::detail
