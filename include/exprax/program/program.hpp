// SPDX-License-Identifier: BSL-1.0
// The jaxpr as plain data: values, equations and nested blocks in flat tables, all addressed by int.
//
// A value is a literal or constant (constant >= 0: the offset of its elements in the pool, one 64-bit pattern for each, row-major; integers
// are sign- or zero-extended, the bits of shorter floats are the low ones, a complex number is two patterns), an input of a block, or a
// result of one equation. The results of one equation have consecutive indices. A block is closed: it reads only its own inputs, the
// results of its own equations, and constants. The last block is the program itself.
//
// program owns its tables and lives in one constant evaluation; program_storage is the same in static storage; every stage reads a
// program_ref.
#pragma once

#include <cstdint>
#include <string_view>

#include <exprax/base/arena.hpp>
#include <exprax/base/span.hpp>
#include <exprax/program/mistake.hpp>
#include <exprax/types/aval.hpp>

namespace exprax {

// Its enumerators, one per primitive, are defined in primitives/list.hpp.
enum class prim : std::uint8_t;

// No default member initializers: creating an array of these costs nothing per element in constant evaluation.
struct value {
  int type;      // in the table of avals
  int constant;  // in the pool of constants, or no_constant
};
inline constexpr int no_constant = -1;

struct eqn {
  prim op;
  int in, n_in;    // in the table of references: values
  int out, n_out;  // values out, out + 1, ...
  int par, n_par;  // in the table of parameters; each primitive's header says what they mean
  int blk, n_blk;  // in the table of references: blocks
};

struct block {
  int in = 0, n_in = 0;    // in the table of references: values
  int out = 0, n_out = 0;  // in the table of references: values
  int eqn = 0, n_eqn = 0;  // in the table of equations
};

// The name of a function that was jitted; the text has static storage.
struct name {
  char const* text = nullptr;
  int size = 0;
  constexpr std::string_view view() const { return {text, static_cast<std::size_t>(size)}; }
};

struct program_sizes {
  int values = 0, eqns = 0, blocks = 0, refs = 0, params = 0, avals = 0, constants = 0, names = 0;
  constexpr bool operator==(program_sizes const&) const = default;
};

struct program_ref {
  value const* values = nullptr;
  eqn const* eqns = nullptr;
  block const* blocks = nullptr;
  int const* refs = nullptr;
  int const* params = nullptr;
  aval const* avals = nullptr;
  std::uint64_t const* constants = nullptr;
  name const* names = nullptr;
  program_sizes n;

  constexpr block const& main() const { return blocks[n.blocks - 1]; }
  constexpr int main_id() const { return n.blocks - 1; }
  constexpr aval const& type(int v) const { return avals[values[v].type]; }
  constexpr bool is_constant(int v) const { return values[v].constant >= 0; }
  // A literal is a constant scalar: JAX prints it in place.
  constexpr bool is_literal(int v) const { return values[v].constant >= 0 && type(v).rank == 0; }
  constexpr std::uint64_t bits(int v, std::ptrdiff_t i = 0) const { return constants[values[v].constant + i]; }

  constexpr int in(eqn const& e, int k) const { return refs[e.in + k]; }
  constexpr int param(eqn const& e, int k) const { return params[e.par + k]; }
  constexpr int block_id(eqn const& e, int k) const { return refs[e.blk + k]; }
  constexpr block const& sub(eqn const& e, int k) const { return blocks[refs[e.blk + k]]; }
  constexpr detail::span<int> ins(eqn const& e) const { return {refs + e.in, e.n_in}; }
  constexpr detail::span<int> params_of(eqn const& e) const { return {params + e.par, e.n_par}; }
  constexpr detail::span<int> subs(eqn const& e) const { return {refs + e.blk, e.n_blk}; }
  constexpr detail::span<int> ins(block const& b) const { return {refs + b.in, b.n_in}; }
  constexpr detail::span<int> outs(block const& b) const { return {refs + b.out, b.n_out}; }
  constexpr detail::span<eqn> body(block const& b) const { return {eqns + b.eqn, b.n_eqn}; }
};

// A view of one equation, for rules: the aval of operand k, parameter k.
struct equation_ref {
  program_ref const& p;
  eqn const& e;
  constexpr int n_in() const { return e.n_in; }
  constexpr int n_out() const { return e.n_out; }
  constexpr int n_par() const { return e.n_par; }
  constexpr int in(int k) const { return p.in(e, k); }
  constexpr aval const& type(int k) const { return p.type(p.in(e, k)); }
  constexpr aval const& out_type(int k) const { return p.type(e.out + k); }
  constexpr int param(int k) const { return p.param(e, k); }
  constexpr detail::span<int> params() const { return p.params_of(e); }
  constexpr block const& sub(int k) const { return p.sub(e, k); }
};

// What a builder makes (program/builder.hpp).
struct program {
  detail::arena<value> values;
  detail::arena<eqn> eqns;
  detail::arena<block> blocks;
  detail::arena<int> refs;
  detail::arena<int> params;
  detail::arena<aval> avals;
  detail::arena<std::uint64_t> constants;
  detail::arena<name> names;
  detail::found_mistake wrong;  // an error in the traced function

  constexpr program_sizes sizes() const {
    return {values.size(), eqns.size(), blocks.size(), refs.size(), params.size(), avals.size(), constants.size(), names.size()};
  }
  constexpr program_ref ref() const {
    return {values.data(), eqns.data(), blocks.data(), refs.data(), params.data(), avals.data(), constants.data(), names.data(), sizes()};
  }
};

template <program_sizes N>
struct program_storage {
  value values[N.values + 1] = {};
  eqn eqns[N.eqns + 1] = {};
  block blocks[N.blocks + 1] = {};
  int refs[N.refs + 1] = {};
  int params[N.params + 1] = {};
  aval avals[N.avals + 1] = {};
  std::uint64_t constants[N.constants + 1] = {};
  name names[N.names + 1] = {};

  constexpr program_ref ref() const { return {values, eqns, blocks, refs, params, avals, constants, names, N}; }
};

namespace detail {

// For each value, the equation that defines it, or -1.
constexpr arena<int> definitions_of(program_ref p) {
  arena<int> of;
  of.resize(p.n.values, -1);
  for (int i = 0; i < p.n.eqns; ++i)
    for (int k = 0; k < p.eqns[i].n_out; ++k) of[p.eqns[i].out + k] = i;
  return of;
}

template <class T>
constexpr void fill(T* to, arena<T> const& from) {
  copy_run(to, from.data(), from.size());
}
template <program_sizes N>
constexpr void fill_storage(program_storage<N>& s, program const& p) {
  fill(s.values, p.values);
  fill(s.eqns, p.eqns);
  fill(s.blocks, p.blocks);
  fill(s.refs, p.refs);
  fill(s.params, p.params);
  fill(s.avals, p.avals);
  fill(s.constants, p.constants);
  fill(s.names, p.names);
}

constexpr bool within(program_sizes const& a, program_sizes const& b) {
  return a.values <= b.values && a.eqns <= b.eqns && a.blocks <= b.blocks && a.refs <= b.refs && a.params <= b.params &&
         a.avals <= b.avals && a.constants <= b.constants && a.names <= b.names;
}
constexpr program_sizes enlarged(program_sizes const& a, int more) {
  return {a.values + more, a.eqns + more,  a.blocks + more,    a.refs + more,
          a.params + more, a.avals + more, a.constants + more, a.names + more};
}

}  // namespace detail

// Count, then fill: Source::make() is a constexpr function that returns a program. The type frozen<Source> represents the program as a
// template argument; its symbol is as short as Source's name. The program is always an argument: in a function body both compilers would
// evaluate a call without arguments twice.
template <program_sizes N>
constexpr program_storage<N> to_storage(program const& p) {
  program_storage<N> s;
  detail::fill_storage(s, p);
  return s;
}
template <class Source>
struct frozen {
  static constexpr program_sizes sizes = Source::make().sizes();  // "step limit" below: compile with -fconstexpr-steps=<n>
  static constexpr program_storage<sizes> storage = to_storage<sizes>(Source::make());
  static constexpr program_ref ref = storage.ref();
};

// The same with a single evaluation of Source::make() if the program is not larger than Bound; otherwise as frozen. For passes, whose
// results are seldom larger than their input.
template <program_sizes Bound>
struct stored_within {
  program_sizes sizes;
  bool fits;
  program_storage<Bound> storage;

  constexpr explicit stored_within(program const& p) : sizes(p.sizes()), fits(detail::within(sizes, Bound)) {
    if (fits) detail::fill_storage(storage, p);
  }
};
template <class Source, program_sizes Bound>
struct frozen_within {
  static constexpr stored_within<Bound> once{Source::make()};  // "step limit" below: compile with -fconstexpr-steps=<n>
  static constexpr program_ref ref = [] {
    if constexpr (once.fits) {
      program_ref r = once.storage.ref();
      r.n = once.sizes;
      return r;
    } else {
      return frozen<Source>::ref;
    }
  }();
};

}  // namespace exprax
