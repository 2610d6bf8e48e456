// SPDX-License-Identifier: BSL-1.0
// Loops and branches: each becomes a region if everything in it is small (region_planner.hpp), else a kernel that runs the kernels of its
// blocks. Rows of xs are read, and rows of ys written, in place; so are carries that are updated in place. A carry that is a row of ys is
// read there. The buffers of other large carries change places (carries.hpp).
#pragma once

#include <exprax/plan/kernels/carries.hpp>
#include <exprax/plan/kernels/scalars.hpp>
#include <exprax/plan/regions/lane_planner.hpp>
#include <exprax/plan/regions/region_planner.hpp>

namespace exprax::detail::planning {

class control_placer {
 public:
  constexpr control_placer(context& c, int i, arena<node>& nodes) : c_(c), e_(c.eq(i)), nodes_(nodes) {}

  // plan_body: block, result buffers -> its kernels.
  template <class PlanBody>
  constexpr void place(PlanBody const& plan_body) {
    find_buffers();
    bool const in_lanes = e_.e.op == prim::vmap;
    if (!in_lanes) place_copies(true);
    int const region =
        in_lanes ? lane_planner::plan_lanes(c_, e_, operands_, results_) : region_planner::plan_region(c_, e_, operands_, results_);
    kernel made{kernel_kind::region, region, kernel::one_thread};
    if (region < 0 && in_lanes) {
      c_.out.is_possible = false;
    } else if (region < 0) {
      place_copies(false);
      switch (e_.e.op) {
        case prim::scan: made = scan(plan_body); break;
        case prim::while_: made = while_loop(plan_body); break;
        default: made = branch(plan_body);
      }
    }
    node n;
    n.kind = node_kind::control;
    n.made = made;
    int const ready = nodes_.push(n) + 1;
    for (int k = 0; k < e_.n_out(); ++k) c_.info[e_.e.out + k].ready = c_.info[e_.e.out + k].ready_moved = ready;
  }

 private:
  constexpr aval const& type(int v) const { return c_.p.type(v); }

  constexpr void find_buffers() {
    for (int k = 0; k < e_.n_in(); ++k) {
      int const v = c_.resolve(e_.in(k));
      operands_.push(c_.p.is_constant(v) ? -1 : operand_buffer(c_, v, nodes_));
    }
    for (int k = 0; k < e_.n_out(); ++k) {
      int const v = e_.e.out + k;
      if (!c_.has_buffer(v)) c_.at[v].buffer = c_.new_scratch(type(v));
      results_.push(c_.at[v].buffer);
    }
  }
  // Copies operands that are updated in place to the result's buffer. large: only those that no region holds in registers.
  constexpr void place_copies(bool large) {
    for (int k = 0; k < e_.n_out(); ++k) {
      if (large && type(e_.e.out + k).size() * size_of(type(e_.e.out + k).type) <= region_planner::largest_value) continue;
      int const j = c_.live.operand_that_becomes(e_.e, e_.e.out + k);
      if (j < 0 || operands_[j] == results_[k]) continue;
      place_copy(nodes_, c_.resolve(e_.in(j)), results_[k]);
      operands_[j] = results_[k];
    }
  }
  // The buffer of an operand that is read.
  constexpr int read(int k) { return operands_[k] >= 0 ? operands_[k] : c_.constant_buffer(c_.resolve(e_.in(k))); }
  constexpr void bind(int inner, int k) {
    int const u = c_.resolve(e_.in(k));
    if (c_.p.is_constant(u)) c_.at[inner].same = u;
    else c_.at[inner].buffer = operands_[k];
  }
  constexpr int bound(aval const& t) { return c_.out.add_buffer(t.type, storage_class::bound, 0, t.size()); }

  // ---- Carries

  // The row of ys that is carry k, too, if the body makes it; or -1.
  constexpr int row_that_is(block const& body, int k, span<int> ys) const {
    span<int> const out = c_.p.outs(body);
    int j = 0;
    while (j < ys.size() && out[out.size() - ys.size() + j] != out[k]) ++j;
    if (j == ys.size()) return -1;
    for (int i = body.eqn; i < body.eqn + body.n_eqn; ++i)
      if (eqn const& e = c_.p.eqns[i]; e.out <= out[k] && out[k] < e.out + e.n_out) return ys[j];
    return -1;
  }
  // first: the operand of the first one. body_in, body_out: the inputs and outputs of the body that are carries. rows: of a scan, where the
  // body writes the row of ys that a carry is; -1 if it is none.
  constexpr arena<loop_carry> new_carries(int first, span<int> body_in, span<int> body_out, span<int> rows = {}) {
    arena<loop_carry> made;
    for (int k = 0; k < body_in.size(); ++k) {
      loop_carry r;
      r.type = type(e_.e.out + k);
      r.slot.result = results_[k];
      if (rows.size() > 0 && rows[k] >= 0) {
        r.slot.init = read(first + k);
        r.slot.in = bound(r.type);
        r.slot.out = rows[k];
        r.slot.mode = carry_mode::shifted;
      } else if (operands_[first + k] == results_[k]) {
        r.slot.init = r.slot.in = r.slot.out = results_[k];
        r.slot.mode = carry_mode::in_place;
        c_.mark_shared(results_[k]);
      } else {
        r.slot.init = read(first + k);
        r.slot.in = bound(r.type);
        r.slot.out = bound(r.type);
      }
      made.push(r);
    }
    find_histories(made, body_in, body_out);
    return made;
  }

  // ---- Kernels

  template <class PlanBody>
  constexpr kernel scan(PlanBody const& plan_body) {
    using rules = primitive<prim::scan>;
    int const n_const = rules::num_consts(e_), n_carry = rules::num_carry(e_), first_x = n_const + n_carry;
    block const& body = e_.sub(0);
    span<int> const in = c_.p.ins(body);
    scan_kernel s;
    s.length = rules::length(e_);
    s.reverse = rules::reverse(e_);
    arena<int> ys, rows;
    for (int k = n_carry; k < e_.n_out(); ++k) ys.push(bound(type(e_.e.out + k).without_axis(0)));
    for (int k = 0; k < n_carry; ++k) rows.push(row_that_is(body, k, ys));
    arena<loop_carry> carries = new_carries(n_const, in.part(n_const, n_carry), c_.p.outs(body).part(0, n_carry), rows);
    arena<stream_slot> streams;
    arena<int> outs;
    for (int k = 0; k < n_const; ++k) bind(in[k], k);
    for (int k = 0; k < n_carry; ++k) {
      c_.at[in[n_const + k]].buffer = carries[k].slot.in;
      outs.push(carries[k].slot.out);
    }
    for (int k = first_x; k < e_.n_in(); ++k) {
      streams.push({read(k), bound(type(in[k]))});
      c_.at[in[k]].buffer = streams.back().part;
    }
    for (int k = 0; k < ys.size(); ++k) {
      streams.push({results_[n_carry + k], ys[k]});
      outs.push(ys[k]);
    }
    s.stream = c_.out.streams.size();
    s.n_stream = streams.size();
    for (stream_slot const& x : streams) c_.out.streams.push(x);
    // The body cannot read the slots of this block's one-element values; by now all of its operands have buffers.
    s.body = plan_body(body, outs);
    s.carry = c_.out.carries.size();
    s.n_carry = n_carry;
    push_carries(c_, carries, s.body, s.length);
    return {kernel_kind::scan, c_.out.scans.push(s), kernel::one_thread};
  }

  template <class PlanBody>
  constexpr kernel while_loop(PlanBody const& plan_body) {
    using rules = primitive<prim::while_>;
    int const n_cond = rules::cond_nconsts(e_), n_body = rules::body_nconsts(e_), first = rules::first_carry(e_);
    block const &cond = e_.sub(0), &body = e_.sub(1);
    span<int> const cond_in = c_.p.ins(cond), in = c_.p.ins(body);
    while_kernel w;
    arena<loop_carry> carries = new_carries(first, in.part(n_body, e_.n_out()), c_.p.outs(body));
    arena<int> outs;
    for (int k = 0; k < n_cond; ++k) bind(cond_in[k], k);
    for (int k = 0; k < n_body; ++k) bind(in[k], n_cond + k);
    for (int k = 0; k < e_.n_out(); ++k) {
      c_.at[cond_in[n_cond + k]].buffer = c_.at[in[n_body + k]].buffer = carries[k].slot.in;
      outs.push(carries[k].slot.out);
    }
    w.predicate = c_.new_scratch(aval(dtype::b1));
    w.condition = plan_body(cond, {&w.predicate, 1});
    w.body = plan_body(body, outs);
    w.carry = c_.out.carries.size();
    w.n_carry = carries.size();
    push_carries(c_, carries, w.body, unknown_iterations);
    return {kernel_kind::while_loop, c_.out.whiles.push(w), kernel::one_thread};
  }

  template <class PlanBody>
  constexpr kernel branch(PlanBody const& plan_body) {
    branch_kernel r;
    r.index = read(0);
    arena<kernel_range> cases;
    for (int k = 0; k < e_.n_out(); ++k)
      for (int j = 1; j < e_.n_in(); ++j)
        if (operands_[j] == results_[k]) c_.mark_shared(results_[k]);
    for (int j = 0; j < e_.e.n_blk; ++j) {
      block const& b = e_.sub(j);
      for (int k = 0; k < b.n_in; ++k) bind(c_.p.ins(b)[k], 1 + k);
      cases.push(plan_body(b, results_));
    }
    r.first = c_.out.cases.size();
    r.count = cases.size();
    for (kernel_range const& x : cases) c_.out.cases.push(x);
    return {kernel_kind::branch, c_.out.branches.push(r), kernel::one_thread};
  }

  context& c_;
  equation_ref e_;
  arena<node>& nodes_;
  arena<int> operands_, results_;
};

}  // namespace exprax::detail::planning
