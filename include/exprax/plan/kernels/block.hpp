// SPDX-License-Identifier: BSL-1.0
// Plans one block: it is analysed, its equations are placed in nodes, and the nodes are lowered to kernels.
//
// An equation of many elements is inlined into the kernels that consume it, or is a root with a buffer. Roots of the same shape share a
// loop if their order allows it. Equations of one element run in program order, in one straight-line kernel until another kernel comes
// between. An update whose operand dies is made in place.
#pragma once

#include <exprax/plan/analysis/analysis.hpp>
#include <exprax/plan/kernels/contractions.hpp>
#include <exprax/plan/kernels/control.hpp>
#include <exprax/plan/kernels/cumulative.hpp>
#include <exprax/plan/kernels/nonzero.hpp>
#include <exprax/plan/kernels/ordering.hpp>
#include <exprax/plan/kernels/place.hpp>
#include <exprax/plan/kernels/reductions.hpp>
#include <exprax/plan/kernels/updates.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax::detail::planning {

constexpr kernel_range plan_block(context& c, block const& b, span<int> out_buffers);

constexpr void place_equation(context& c, int i, arena<node>& nodes) {
  eqn const& q = c.p.eqns[i];
  prim const op = q.op;
  int const v = q.out;
  if (makes_each_element(op) && c.is_scalar(v)) return place_scalar(c, i, nodes);
  if (kind_of(op) == op_class::effect) return place_print(c, i, nodes);
  if (is_control(op))
    return control_placer(c, i, nodes).place([&](block const& body, span<int> outs) { return plan_block(c, body, outs); });
  equation_ref const e{c.p, q};
  if (kind_of(op) == op_class::compression) return place_nonzero(c, i, nodes);
  aval const& type = e.out_type(0);
  if (c.size(v) == 0) {
    if (!c.has_buffer(v)) c.at[v].buffer = c.new_scratch(type);
    return;
  }
  if (is_reduction(op) || is_argument_reduction(op)) return place_whole(c, i, node_kind::reduce, nodes);
  if (is_cumulative(op)) return place_whole(c, i, node_kind::cumulative, nodes);
  if (is_contraction(op)) return place_whole(c, i, node_kind::contract, nodes);
  if (kind_of(op) == op_class::ordering) return place_whole(c, i, node_kind::ordering, nodes);
  if (c.is_scalar(v)) return place_scalar(c, i, nodes);
  if (is_update(op) && c.info[v].updates) return place_update(c, i, nodes);
  if (op == prim::reshape && !only_unit_axes_differ(e.type(0), type)) return place_view(c, i, nodes);
  bool const is_view = (op == prim::reshape || op == prim::squeeze) && c.has_buffer(v);
  if (is_view && c.at[v].buffer == c.at[c.resolve(e.in(0))].buffer) return place_view(c, i, nodes);
  if (kind_of(op) == op_class::movement && c.has_buffer(v) && layout_of_product(c, c.resolve(e.in(0))) == i) return place_view(c, i, nodes);
  bool const gathers = is_read_in_place(c, e);
  if ((kind_of(op) == op_class::dynamic && !gathers) || is_interior_pad(e)) return place_whole(c, i, node_kind::update, nodes);

  value_info& r = c.info[v];
  bool const moves = gathers || kind_of(op) == op_class::movement;
  if (gathers) place_indices(c, e, nodes);
  for (int k = 0; k < e.n_in(); ++k) {
    int const u = c.resolve(e.in(k));
    if (c.is_in_slot(u)) buffer_of_scalar(c, u, nodes);
    bool const same = !moves && c.p.type(u).same_shape(type);
    int const ready = same ? c.info[u].ready : c.info[u].ready_moved;
    if (ready > r.ready) r.ready = ready;
    if (c.info[u].ready_moved > r.ready_moved) r.ready_moved = c.info[u].ready_moved;
    if (c.info[u].inlined && c.info[u].depth >= r.depth) r.depth = c.info[u].depth + 1;
  }
  bool const again = r.uses > 1 && r.sink == value_info::several_sinks;
  if (r.other_shape && ((again && !is_cheap(c, v) && !is_read_in_parts(c, v, i)) || r.depth > 48)) r.root = true;
  if (!r.root) {
    r.inlined = true;
    return;
  }
  if (!c.has_buffer(v)) c.at[v].buffer = c.new_scratch(type);
  int g = -1;
  for (int k = nodes.size() - 1; k >= r.ready && k >= 0 && k >= nodes.size() - 8; --k)
    if (nodes[k].kind == node_kind::loop && nodes[k].shape.same_shape(type)) g = k;
  if (g < 0) {
    node n;
    n.shape = type;
    g = nodes.push(n);
  }
  nodes[g].roots.push(v);
  r.ready = g;
  r.ready_moved = g + 1;
  r.depth = 0;
}

constexpr void lower(context& c, node& n, arena<kernel>& kernels) {
  switch (n.kind) {
    case node_kind::loop: return lower_loop(c, n, kernels);
    case node_kind::scalars: return lower_scalars(c, n, kernels);
    case node_kind::copy: return lower_copy(c, n.copies[0], kernels);
    case node_kind::update: return lower_update(c, n, kernels);
    case node_kind::reduce: return lower_reduce(c, n, kernels);
    case node_kind::cumulative: return lower_cumulative(c, n, kernels);
    case node_kind::ordering: return lower_ordering(c, n, kernels);
    case node_kind::nonzero: return lower_nonzero(c, n, kernels);
    case node_kind::contract: return lower_contract(c, n, kernels);
    case node_kind::control: kernels.push(n.made); return;
  }
}

// out_buffers: the buffers for the results of the block.
constexpr kernel_range plan_block(context& c, block const& b, span<int> out_buffers) {
  analyse(c, b, out_buffers);
  arena<node> nodes;
  for (int i = b.eqn; i < b.eqn + b.n_eqn; ++i) place_equation(c, i, nodes);
  for (int k = 0; k < b.n_out; ++k) {
    int const v = c.resolve(c.p.refs[b.out + k]);
    if (c.at[v].buffer == out_buffers[k]) {
      if (c.is_in_slot(v)) store_scalar(c, v, nodes);
      continue;
    }
    if (c.is_in_slot(v)) buffer_of_scalar(c, v, nodes);
    place_copy(nodes, v, out_buffers[k]);
  }
  arena<kernel> kernels;
  for (node& n : nodes) lower(c, n, kernels);
  kernel_range r{c.out.kernels.size(), kernels.size()};
  for (kernel const& k : kernels) c.out.kernels.push(k);
  return r;
}

}  // namespace exprax::detail::planning
