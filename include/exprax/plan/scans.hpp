// SPDX-License-Identifier: BSL-1.0
// scan: its body is planned as a block of its own, or whole in registers where its values are small.
#pragma once

#include <exprax/plan/numbers.hpp>
#include <exprax/plan/register_scan.hpp>

namespace exprax::detail::planning {

constexpr bool place_register_scan(context& c, int i, arena<node>& nodes) {
  equation_ref const e = c.eq(i);
  if (!register_scan_planner::fits(e)) return false;
  arena<int> operands, results;
  for (int k = 0; k < e.n_in(); ++k) operands.push(c.p.is_literal(c.resolve(e.in(k))) ? -1 : operand_buffer(c, e.in(k), nodes));
  for (int k = 0; k < e.n_out(); ++k) {
    int const v = e.e.out + k;
    if (c.at[v].buffer < 0) c.at[v].buffer = c.new_scratch(c.p.type(v));
    results.push(c.at[v].buffer);
  }
  for (int k = 0; k < e.param(2); ++k)  // a literal that starts a carry needs a place as well
    if (operands[e.param(1) + k] < 0) operands[e.param(1) + k] = c.constant_buffer(c.resolve(e.in(e.param(1) + k)));
  node n;
  n.kind = node_kind::register_scan;
  n.eqn = i;
  n.index = register_scan_planner(e, c.out, c.at, operands, results).run();
  int const ready = nodes.push(n) + 1;
  for (int k = 0; k < e.n_out(); ++k) c.info[e.e.out + k].ready = c.info[e.e.out + k].ready_moved = ready;
  return true;
}

// plan_body: block, result buffers -> the kernels.
template <class PlanBody>
constexpr void place_scan(context& c, int i, arena<node>& nodes, PlanBody const& plan_body) {
  equation_ref const e = c.eq(i);
  eqn const& q = e.e;
  block const& body = e.sub(0);
  if (place_register_scan(c, i, nodes)) return;
  int const length = e.param(0), n_const = e.param(1), n_carry = e.param(2), n_xs = q.n_in - n_const - n_carry;
  node n;
  n.kind = node_kind::scan;
  n.eqn = i;
  n.scan.length = length;
  n.scan.reverse = e.param(3) != 0;
  arena<carry_slot> carries;
  arena<stream_slot> streams;
  arena<int> outs;
  for (int k = 0; k < n_const; ++k) {
    int const u = c.resolve(e.in(k)), inner = c.p.refs[body.in + k];
    if (c.p.is_constant(u)) c.at[inner].same = u;
    else c.at[inner].buffer = operand_buffer(c, u, nodes);
  }
  for (int k = 0; k < n_carry; ++k) {
    int const v = q.out + k, inner = c.p.refs[body.in + n_const + k];
    aval const& t = c.p.type(v);
    carry_slot x;
    x.init = operand_buffer(c, e.in(n_const + k), nodes);
    if (c.at[v].buffer < 0) c.at[v].buffer = c.new_scratch(t);
    x.result = c.at[v].buffer;
    x.spare = c.new_scratch(t);
    x.in = c.at[inner].buffer = c.out.add_buffer(t.type, storage_class::bound, 0, t.size());
    x.out = c.out.add_buffer(t.type, storage_class::bound, 0, t.size());
    outs.push(x.out);
    carries.push(x);
  }
  for (int k = 0; k < n_xs; ++k) {
    int const inner = c.p.refs[body.in + n_const + n_carry + k];
    aval const& t = c.p.type(inner);
    stream_slot s{operand_buffer(c, e.in(n_const + n_carry + k), nodes), c.out.add_buffer(t.type, storage_class::bound, 0, t.size())};
    c.at[inner].buffer = s.part;
    streams.push(s);
  }
  for (int k = n_carry; k < q.n_out; ++k) {
    int const v = q.out + k;
    aval const t = c.p.type(v).without_axis(0);
    if (c.at[v].buffer < 0) c.at[v].buffer = c.new_scratch(c.p.type(v));
    stream_slot s{c.at[v].buffer, c.out.add_buffer(t.type, storage_class::bound, 0, t.size())};
    outs.push(s.part);
    streams.push(s);
  }
  n.scan.carry = c.out.carries.size();
  n.scan.n_carry = carries.size();
  for (carry_slot const& x : carries) c.out.carries.push(x);
  n.scan.stream = c.out.streams.size();
  n.scan.n_stream = streams.size();
  for (stream_slot const& s : streams) c.out.streams.push(s);
  // One-element values of this block live in slots that the body cannot see: its operands are all in buffers by now.
  n.body = plan_body(body, outs);
  int const ready = nodes.push(n) + 1;
  for (int k = 0; k < q.n_out; ++k) c.info[q.out + k].ready = c.info[q.out + k].ready_moved = ready;
}

}  // namespace exprax::detail::planning
