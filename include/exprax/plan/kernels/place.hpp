// SPDX-License-Identifier: BSL-1.0
// Equations that always become nodes: kernels of their own, views, updates, and values of one element.
#pragma once

#include <exprax/plan/kernels/indexed.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax::detail::planning {

// One equation that is a kernel of its own.
constexpr void place_whole(context& c, int i, node_kind kind, arena<node>& nodes) {
  equation_ref const e = c.eq(i);
  for (int k = 0; k < e.n_in(); ++k)
    if (int const u = c.resolve(e.in(k)); c.is_in_slot(u)) buffer_of_scalar(c, u, nodes);
  if (is_indexed(e)) place_indices(c, e, nodes);
  int const v = e.e.out;
  if (!c.has_buffer(v)) c.at[v].buffer = c.new_scratch(e.out_type(0));
  node n;
  n.kind = kind;
  n.eqn = i;
  n.shape = e.out_type(0);
  c.info[v].ready = c.info[v].ready_moved = nodes.push(n) + 1;
}

constexpr void place_view(context& c, int i, arena<node>& nodes) {
  equation_ref const e = c.eq(i);
  int const v = e.e.out, u = c.resolve(e.in(0));
  if (c.p.is_constant(u)) c.at[u].buffer = c.constant_buffer(u);
  if (!c.has_buffer(v) || c.at[v].buffer == c.at[u].buffer) {
    c.at[v].buffer = c.at[u].buffer;
    c.info[v].ready = c.info[v].ready_moved = c.info[u].ready_moved;
    return;
  }
  // a result of the block: the elements are copied, row-major on both sides
  place_copy(nodes, u, c.at[v].buffer);
  c.info[v].ready = c.info[v].ready_moved = nodes.size();
}

constexpr void place_update(context& c, int i, arena<node>& nodes) {
  equation_ref const e = c.eq(i);
  int const v = e.e.out, u = c.resolve(e.in(0));
  if (c.at[u].buffer != c.at[v].buffer) {
    // copied before an open line of scalars if possible: the update is often in that line, and its value stays in a slot
    int const last = nodes.size() - 1;
    if (last >= 0 && nodes[last].kind == node_kind::scalars && c.info[u].ready_moved <= last) nodes[last].copies.push({u, c.at[v].buffer});
    else place_copy(nodes, u, c.at[v].buffer);
  }
  if (is_static_update(e.e.op) && c.is_scalar(e.in(1))) return place_element_update(c, e, nodes);
  place_whole(c, i, node_kind::update, nodes);
}

constexpr void place_print(context& c, int i, arena<node>& nodes) {
  equation_ref const e = c.eq(i);
  print_kernel k;
  k.equation = i;
  k.n_operand = e.n_in();
  arena<int> operands;
  for (int j = 0; j < e.n_in(); ++j) operands.push(operand_buffer(c, e.in(j), nodes));
  k.operand = c.out.tables.size();
  for (int b : operands) c.out.tables.push(b);
  node n;
  n.kind = node_kind::control;
  n.made = {kernel_kind::print, c.out.prints.push(k), kernel::one_thread};
  nodes.push(n);
}

// A pad, concatenation or update with one element: a loop of one iteration.
constexpr void place_scalar_piece(context& c, int i, arena<node>& nodes) {
  equation_ref const e = c.eq(i);
  int const v = e.e.out;
  if (!c.has_buffer(v)) c.at[v].buffer = c.new_scratch(e.out_type(0));
  if (is_update(e.e.op) && !is_box_update(e)) {
    for (int k = 0; k < e.n_in(); ++k) operand_buffer(c, e.in(k), nodes);
    return place_update(c, i, nodes);
  }
  for (int k = 0; k < e.n_in(); ++k)
    if (c.is_scalar(c.resolve(e.in(k)))) operand_buffer(c, e.in(k), nodes);
  node n;
  n.shape = e.out_type(0);
  n.roots.push(v);
  c.info[v].ready = c.info[v].ready_moved = nodes.push(n) + 1;
}

constexpr void place_scalar(context& c, int i, arena<node>& nodes) {
  eqn const& q = c.p.eqns[i];
  prim const op = q.op;
  equation_ref const e{c.p, q};
  if (!is_elementwise(op)) {
    switch (op) {
      case prim::gather: return place_whole(c, i, node_kind::update, nodes);
      case prim::dynamic_slice:
        for (int k = 1; k < q.n_in; ++k) operand_buffer(c, e.in(k), nodes);
        return place_whole(c, i, node_kind::update, nodes);
      case prim::concatenate: case prim::pad: return place_scalar_piece(c, i, nodes);
      default:
        if (is_update(op)) return place_scalar_piece(c, i, nodes);
    }
  }
  int const g = scalar_node(nodes);
  arena<step>& steps = nodes[g].steps;
  value_info& r = c.info[q.out];
  r.node = g;
  r.ready = r.ready_moved = g + 1;
  dtype const type = c.p.type(q.out).type;
  int const* const in = c.p.refs + q.in;
  if (!is_elementwise(op)) {
    if (op == prim::iota) r.reg = steps.push(literal_step(type, 0));
    else if (c.is_scalar(in[0])) r.reg = scalar_reg(c, in[0], nodes, g);
    else r.reg = load_moved(c, e, steps);
    return;
  }
  dtype const from = c.p.type(in[q.n_in - 1]).type;
  int reg[3] = {};
  for (int k = 0; k < q.n_in; ++k) {
    value_info const& u = c.info[in[k]];
    reg[k] = u.node == g ? u.reg : scalar_reg(c, in[k], nodes, g);
  }
  if (op == prim::convert_element_type) r.reg = from == type ? reg[0] : steps.push(convert_step(from, type, reg[0]));
  else r.reg = steps.push(compute_step(op, from, type, reg[0], q.n_in > 1 ? reg[1] : reg[0], q.n_in > 2 ? reg[2] : reg[0]));
}

}  // namespace exprax::detail::planning
