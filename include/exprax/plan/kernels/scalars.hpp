// SPDX-License-Identifier: BSL-1.0
// Values of one element run in program order, in one straight line until another kernel comes between. Each is held in a slot, and gets a
// buffer if something outside its line reads it. Unrolled programs have thousands of such equations, so this code makes few calls: calls
// are expensive in constant evaluation.
#pragma once

#include <exprax/plan/kernels/box_lowering.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax::detail::planning {

// The straight line that is open at the end of the list.
constexpr int scalar_node(arena<node>& nodes) {
  if (nodes.empty() || nodes.back().kind != node_kind::scalars) {
    node n;
    n.kind = node_kind::scalars;
    nodes.push(n);
  }
  return nodes.size() - 1;
}

constexpr void store_scalar(context& c, int v, arena<node>& nodes) {
  value_info& r = c.info[v];
  if (r.inlined) return;  // stored before
  r.inlined = true;
  nodes[r.node].steps.push(store_element(c.p.type(v).type, r.reg, c.at[v].buffer, 0));
}
// For a consumer outside its line: v is stored at the end of the line that made it.
constexpr int buffer_of_scalar(context& c, int v, arena<node>& nodes) {
  if (!c.has_buffer(v)) c.at[v].buffer = c.new_scratch(c.p.type(v));
  store_scalar(c, v, nodes);
  return c.at[v].buffer;
}
// The buffer of a value that a kernel will read from memory.
constexpr int operand_buffer(context& c, int v, arena<node>& nodes) {
  v = c.resolve(v);
  if (c.p.is_constant(v)) return c.constant_buffer(v);
  if (c.is_in_slot(v)) buffer_of_scalar(c, v, nodes);
  return c.at[v].buffer;
}

// The register of v in the line g, the last node.
constexpr int scalar_reg(context& c, int v, arena<node>& nodes, int g) {
  v = c.resolve(v);
  value_info const& r = c.info[v];
  if (r.node == g) return r.reg;
  dtype const t = c.p.type(v).type;
  if (c.p.is_constant(v)) return nodes[g].steps.push(literal_step(t, c.p.bits(v)));
  if (r.node >= 0) buffer_of_scalar(c, v, nodes);
  return nodes[g].steps.push(load_element(t, c.at[v].buffer, 0));
}

// A movement from many elements to one: a load.
constexpr int load_moved(context& c, equation_ref const& e, arena<step>& steps) {
  aval const& type = e.out_type(0);
  int u = c.resolve(e.in(0));
  std::ptrdiff_t at = 0;
  if (e.e.op == prim::slice && c.has_buffer(u)) {
    aval const& from = e.type(0);
    int const* const start = c.p.params + e.e.par;
    for (int k = 0; k < from.rank; ++k) at = at * from.dims[k] + start[k];
  } else {
    index_map m;
    m.rank = type.rank;
    m = pull(e, m);
    while (!c.has_buffer(u) && !c.p.is_constant(u)) {
      equation_ref const d = c.def(u);
      m = pull(d, m);
      u = c.resolve(d.in(0));
    }
    if (c.p.is_constant(u)) c.constant_buffer(u);
    at = access_to(c.at[u].buffer, c.p.type(u), m).base;
  }
  return steps.push(load_element(type.type, c.at[u].buffer, at));
}

// Updates one element of a larger array by a store in the straight line.
constexpr void place_element_update(context& c, equation_ref const& e, arena<node>& nodes) {
  int const g = scalar_node(nodes), v = e.e.out;
  aval const& type = e.out_type(0);
  updated_slice const s(e);
  std::ptrdiff_t at = 0;
  for (int k = 0; k < type.rank; ++k) at = at * type.dims[k] + s.start[k];
  int reg = scalar_reg(c, e.in(1), nodes, g);
  arena<step>& steps = nodes[g].steps;
  if (!replaces_elements(e.e.op)) {
    int const old = steps.push(load_element(type.type, c.at[v].buffer, at));
    reg = steps.push(compute_step(traits_of(e.e.op).combiner, type.type, type.type, old, reg, old));
  }
  steps.push(store_element(type.type, reg, c.at[v].buffer, at));
  c.info[v].ready = c.info[v].ready_moved = g + 1;
}

}  // namespace exprax::detail::planning
