// SPDX-License-Identifier: BSL-1.0
// The shared state of the planner: the program, the plan so far, and what is known about each value. A block becomes a list of nodes in
// the order in which they run; each node is then lowered to kernels.
#pragma once

#include <exprax/base/target.hpp>
#include <exprax/plan/analysis/liveness.hpp>
#include <exprax/plan/data/index_map.hpp>
#include <exprax/plan/data/make_step.hpp>
#include <exprax/primitives/indexed/gather.hpp>
#include <exprax/primitives/indexed/scatter_family.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax::detail::planning {

// No default values in these two structs: compilers would initialise each element, and each value has one of both.
struct realization {
  static constexpr int none = -1;

  int buffer;  // that holds its elements, row-major, or none
  int def;     // the equation that makes it, or none
  int same;    // another value with the same elements (an input of a block, bound to a constant), or none
  int visit;   // the index of the last walk that visited it, at the index of the loop
  int reg;     // its register in the box with the index `visit`
};

struct value_info {
  bool root;         // wants a buffer
  bool inlined;      // an equation that consumers compute for themselves; a one-element value: stored to its buffer
  bool updates;      // an update that is a store into its buffer, not a choice between two operands
  bool mutated;      // an update will overwrite its buffer
  bool other_shape;  // a use is not elementwise in the value's own shape
  int uses;
  int sink;          // the one value whose kernel computes all uses, each at the index of the value; or no_sink, several_sinks
  int depth;         // the depth of the chain of inlined equations
  int last_use;      // the equation
  int ready;         // the first node that may read it at the index of its own loop
  int ready_moved;   // the first node that may read it at any index
  int node;          // one-element values: the node that holds it in a slot, or none
  int reg;

  static constexpr int none = -1, no_sink = -1, several_sinks = -2;
};

enum class node_kind : std::uint8_t { loop, scalars, reduce, cumulative, contract, ordering, nonzero, update, copy, control };
// The elements of a value, copied into a buffer.
struct copy_of {
  int value = 0, buffer = 0;
};
struct node {
  node_kind kind = node_kind::loop;
  aval shape;
  int eqn = -1;            // reduce, cumulative, contract, ordering, nonzero, update
  arena<copy_of> copies;   // copy; scalars: the copies before the straight line
  arena<int> roots;        // loop: values
  arena<step> steps;       // scalars
  kernel made{};           // control: already in the plan
};

struct context {
  program_ref p;
  plan out;
  arena<realization> at;
  arena<value_info> info;
  arena<std::ptrdiff_t> sizes;  // of each type in the program's table
  int visits = 0;
  liveness live;
  target machine;
  bool has_packs;  // on the target

  constexpr context(program_ref program, target const& planned_for)
      : p(program), live(program), machine(planned_for), has_packs(machine.register_bytes > 0) {
    at.resize(p.n.values, {realization::none, realization::none, realization::none, 0, 0});
    value_info unused{};
    unused.node = value_info::none;
    unused.sink = value_info::no_sink;
    info.resize(p.n.values, unused);
    for (int i = 0; i < p.n.avals; ++i) sizes.push(p.avals[i].size());
  }

  constexpr int resolve(int v) const {
    while (at[v].same != realization::none) v = at[v].same;
    return v;
  }
  constexpr bool has_buffer(int v) const { return at[v].buffer != realization::none; }
  constexpr bool has_equation(int v) const { return at[v].def != realization::none; }
  // Whether a node holds a value of one element in a slot.
  constexpr bool is_in_slot(int v) const { return info[v].node != value_info::none; }
  constexpr equation_ref eq(int i) const { return {p, p.eqns[i]}; }
  constexpr equation_ref def(int v) const { return {p, p.eqns[at[v].def]}; }
  constexpr std::ptrdiff_t size(int v) const { return sizes[p.values[v].type]; }
  // A value of one element.
  constexpr bool is_scalar(int v) const { return sizes[p.values[v].type] == 1; }

  constexpr int new_scratch(aval const& t) { return out.add_buffer(t.type, storage_class::scratch, 0, t.size()); }
  // A buffer that an input of a block and its result share: updates between them are made in it.
  constexpr void mark_shared(int buffer) { shared_.push(buffer); }
  constexpr bool is_shared(int buffer) const {
    for (int b : shared_)
      if (b == buffer) return true;
    return false;
  }
  // The buffer of a value that a kernel reads from memory; it must have one, or be a constant.
  constexpr int operand_buffer(int v) {
    v = resolve(v);
    return p.is_constant(v) ? constant_buffer(v) : at[v].buffer;
  }
  constexpr int constant_buffer(int v) {
    if (!has_buffer(v)) at[v].buffer = out.add_buffer(p.type(v).type, storage_class::constant, p.values[v].constant, p.type(v).size());
    return at[v].buffer;
  }

 private:
  arena<int> shared_;
};

// Adds what it costs to compute an element of v for each use, once for each equation, until it is more than `most`.
constexpr void count_cost(context const& c, int v, arena<int>& counted, int& cost, int most = cheap) {
  v = c.resolve(v);
  if (position(counted, v) >= 0 || !c.has_equation(v)) return;
  equation_ref const e = c.def(v);
  if (e.e.op == prim::gather) cost += cost_of_function;
  if (makes_each_element(e.e.op)) cost += traits_of(e.e.op).cost;
  else if (!is_static_update(e.e.op)) return;  // which chooses between two operands, if it has no buffer
  counted.push(v);
  for (int k = 0; k < e.n_in() && cost <= most; ++k) {
    int const u = c.resolve(e.in(k));
    if (!c.info[u].root && !c.has_buffer(u) && !c.p.is_constant(u) && !c.is_scalar(u)) count_cost(c, u, counted, cost, most);
  }
}
constexpr bool is_cheap(context const& c, int v, int most = cheap) {
  if (c.info[v].root || c.has_buffer(v) || c.p.is_constant(v) || c.is_scalar(v)) return true;
  arena<int> counted;
  int cost = 0;
  count_cost(c, v, counted, cost, most);
  return cost <= most;
}
// Whether all uses of v, the result of equation i, read parts of it that do not overlap, few enough that each has its own code. Then no
// element is computed twice where they are needed.
constexpr bool is_read_in_parts(context const& c, int v, int i) {
  constexpr int most_code = 2048;
  aval const& t = c.p.type(v);
  arena<int> counted;
  int cost = 0;
  count_cost(c, v, counted, cost, most_code);
  if (cost * c.info[v].uses > most_code) return false;
  int parts = 0, axis = -1;
  arena<char> read;
  for (int k = i + 1; k <= c.info[v].last_use && parts < c.info[v].uses; ++k) {
    eqn const& q = c.p.eqns[k];
    bool reads = false;
    for (int j = 0; j < q.n_in; ++j) reads = reads || c.resolve(c.p.refs[q.in + j]) == v;
    if (!reads) continue;
    equation_ref const e{c.p, q};
    if (!is_affine_movement(e)) return false;
    ++parts;
    index_map const m = operand_index(e);
    std::ptrdiff_t n = 1;
    int along = -1;
    auto const length = [&](int a) { return m.of[a].is_fixed() ? 1 : e.out_type(0).dims[m.of[a].axis]; };
    for (int a = 0; a < t.rank; ++a) {
      if (!m.of[a].is_fixed() && m.of[a].scale != 1) return false;
      n *= length(a);
      if (length(a) == t.dims[a]) continue;
      if (along >= 0) return false;
      along = a;
    }
    if (along < 0 || (axis >= 0 && axis != along) || n != e.out_type(0).size()) return false;  // all of it, or repeated
    if (axis < 0) read.resize(t.dims[axis = along], 0);
    for (int at = m.of[axis].offset; at < m.of[axis].offset + length(axis); ++at) {
      if (read[at]) return false;
      read[at] = 1;
    }
  }
  return parts == c.info[v].uses;
}
// Rows shorter than a pack, and enough of them: they are walked together (emit/kernels/short_rows.hpp), so that what is computed for a row
// is computed for each element.
constexpr bool has_short_rows(context const& c, aval const& a) {
  constexpr int shortest_pack = 16, fewest_elements = 64;
  return c.has_packs && a.rank >= 2 && a.dims[a.rank - 1] < shortest_pack && a.size() >= fewest_elements;
}
// Rows whose columns may be made one after the other, for packs of rows (kernels/loops.hpp): what is computed for a row is computed once.
constexpr bool has_few_columns(context const& c, aval const& a) {
  constexpr int most_columns = 4;
  return has_short_rows(c, a) && a.dims[a.rank - 1] <= most_columns;
}
// Whether an elementwise equation, or a broadcast, reads operand k once for each row of its result.
constexpr bool reads_by_rows(equation_ref const& e, int k) {
  aval const &u = e.type(k), &v = e.out_type(0);
  int const last = v.rank - 1;
  if (u.size() * v.dims[last] != v.size()) return false;
  if (e.e.op != prim::broadcast_in_dim) return u.rank == v.rank && u.dims[last] == 1;
  for (int i = 0; i < u.rank; ++i)
    if (e.param(i) == last && u.dims[i] != 1) return false;
  return true;
}
constexpr void place_copy(arena<node>& nodes, int value, int buffer) {
  node n;
  n.kind = node_kind::copy;
  n.copies.push({value, buffer});
  nodes.push(n);
}

constexpr bool is_interior_pad(equation_ref const& e) {
  if (e.e.op != prim::pad) return false;
  int const r = e.out_type(0).rank;
  for (int i = 0; i < r; ++i)
    if (e.param(2 * r + i) != 0 && e.type(0).dims[i] > 1) return true;
  return false;
}

// A scatter with many index vectors, or one that clamps its windows.
constexpr bool is_batched_scatter(equation_ref const& e) {
  return is_scatter(e.e.op) && (e.type(1).rank > 1 || scatter_numbers(e).mode != index_mode::fill_or_drop);
}
// Equations with a kernel of their own that walks over index vectors.
constexpr bool is_indexed(equation_ref const& e) { return e.e.op == prim::gather || is_batched_scatter(e); }

}  // namespace exprax::detail::planning
