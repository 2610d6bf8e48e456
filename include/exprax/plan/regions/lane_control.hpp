// SPDX-License-Identifier: BSL-1.0
// Loops and branches of a region in lanes. If a condition or an index varies, lanes diverge, and values are updated only in the active
// lanes. A loop ends when all lanes that entered it are done, and a branch that no lane takes is skipped. Lanes that are done may keep
// computing: their values are discarded, or not read after the loop.
#pragma once

#include <exprax/plan/analysis/live_values.hpp>
#include <exprax/plan/analysis/step_order.hpp>
#include <exprax/plan/analysis/uniformity.hpp>
#include <exprax/plan/regions/lane_equations.hpp>

namespace exprax::detail::planning {

class lane_control : public lane_equations {
 protected:
  constexpr explicit lane_control(context& c) : lane_equations(c), uniformity_(c.p) {}

  constexpr void equations(block const& b) {
    for (int i = b.eqn; i < b.eqn + b.n_eqn && !failed_; ++i) {
      equation_ref const e{p_, p_.eqns[i]};
      if (e.e.n_blk == 0) {
        if (e.n_out() != 1) fail();
        else where_[e.e.out] = e.out_type(0).size() == 0 ? lane_location{} : equation(e);
        continue;
      }
      arena<lane_location> const made = control(e, b);
      for (int k = 0; k < made.size(); ++k) where_[e.e.out + k] = made[k];
    }
  }
  // All steps of an iteration have been written.
  constexpr void finish_iteration(int first_move) {
    if (failed_) return;
    span<region_move> const moves(moves_.data() + first_move, moves_.size() - first_move);
    step_order(out_.tables, k_).arrange(steps_, moves);
    live_values(out_.tables).count(steps_, moves, k_);
  }
  constexpr arena<lane_location> control(equation_ref const& e, block const& around) {
    switch (e.e.op) {
      case prim::scan: return scan(e);
      case prim::while_: return while_loop(e, around);
      case prim::cond: return branch(e);
      default: fail(); return {};
    }
  }
  // divergent: only for the active lanes.
  constexpr void move(lane_element to, lane_element from, dtype t, bool divergent) {
    if (from.varies && !to.varies) failed_ = true;
    moves_.push({t, to.varies ? 2 : 1, to.slot, from.slot, from.varies, divergent && to.varies});
  }

  // ---- Carries

  struct carry {
    aval type;
    lane_location at;
    bool in_memory = false;
    induction_variable count;
    lane_location last;  // the value with which each lane left the loop, if the carry itself is uniform
  };

  constexpr carry start(equation_ref const& e, int k, block const& body, int inner, int out, bool may_count) {
    carry r;
    r.type = p_.type(inner);
    int const u = resolve(e.in(k));
    if (may_count) r.count = induction_variable(p_, u, body, inner, out);
    if (r.count.counts) return r;
    bool const large = !is_small(r.type);
    if ((large || is_indexed(p_, body, inner)) && c_.live.is_updated_in_place(body, inner, out)) {
      r.in_memory = true;
      r.at = own_memory(e, k);
      if (r.at.address < 0) {
        lane_location const x = large ? fail() : in_slots(u);
        if (!failed_) r.at = new_memory(r.type, uniformity_.varies(inner) || divergent_ > 0);
        if (!failed_) store(x, r.type, r.at, true);
      }
      r.at.owned = r.at.changes = true;
      return r;
    }
    if (large) fail();
    lane_location const from = in_slots(u);
    if (failed_) return r;
    bool const wide = uniformity_.varies(inner);
    r.at = listed(count(r.type), [&](int) { return new_element(r.type.type, wide); });
    for (int i = 0; i < count(r.type) && !failed_; ++i) {
      if (element(from, i).varies && !wide) fail();
      else copy(element(r.at, i), element(from, i), r.type.type);
    }
    return r;
  }
  constexpr lane_location counter(carry const& c, int depth) {
    region_step s = step_of(region_step_kind::counter, c.type.type);
    s.bits = static_cast<std::uint64_t>(c.count.first);
    s.scale = c.count.step;
    s.depth = depth;
    return listed(1, [&](int) { return made_by(s, false); });
  }
  // Ends a body: sets the carry for the next iteration. divergent: lanes leave the loop at different iterations; taken: the carry is read
  // after the loop.
  constexpr void next(carry const& c, int out, bool divergent = false, bool taken = false) {
    if (c.count.counts || failed_) return;
    if (c.in_memory) {
      if (!stands_at(out, c.at.address)) fail();
      return;
    }
    lane_location const made = in_slots(out);
    for (int i = 0; i < count(c.type) && !failed_; ++i) {
      move(element(c.at, i), element(made, i), c.type.type, divergent && taken);
      if (c.last.first >= 0) move(element(c.last, i), element(made, i), c.type.type, true);
    }
  }
  // The memory of operand k, if the equation may overwrite it; address -1: none.
  constexpr lane_location own_memory(equation_ref const& e, int k) const {
    int const u = resolve(e.in(k));
    bool const own = !p_.is_constant(u) && where_[u].address >= 0 && where_[u].owned && where_[u].first < 0 && c_.live.dies_at(e.in(k), e.e);
    return own ? where_[u] : lane_location{};
  }
  // Whether an equation or a result of the block reads the value.
  constexpr bool is_read(block const& b, int v) const {
    for (int u : p_.outs(b))
      if (u == v) return true;
    for (eqn const& e : p_.body(b))
      for (int u : p_.ins(e))
        if (u == v) return true;
    return false;
  }

  // ---- Loops

  // Whether to transpose: lanes read memory with a stride, and a row has enough elements.
  constexpr bool is_turned(lane_location const& l, aval const& t) const {
    region_address const& a = address(l.address);
    return !a.of_lanes && a.row[k_.row_axes - 1] != 0 && a.row[k_.row_axes - 1] != 1 && is_small(t) && t.size() >= 4;
  }
  // Transposes what a loop reads in each iteration, once before the loop.
  constexpr lane_location turned(lane_location const& l, aval const& t) {
    if (failed_ || l.changes || !is_turned(l, t)) return l;
    lane_location const x = load(t, l);
    lane_location const r = new_memory(t, true);
    if (!failed_) store(x, t, r, true);
    return r;
  }

  constexpr arena<lane_location> scan(equation_ref const& e) {
    using rules = primitive<prim::scan>;
    int const length = rules::length(e), n_const = rules::num_consts(e), n_carry = rules::num_carry(e), first_x = n_const + n_carry;
    bool const reverse = rules::reverse(e);
    block const& body = e.sub(0);
    span<int> const in = p_.ins(body), out = p_.outs(body);
    arena<lane_location> made, xs, ys;
    if (length == 0 || depth_ >= deepest) return fail(), made;
    arena<carry> carries;
    for (int k = 0; k < n_const; ++k) bind_const(in[k], e.in(k));
    for (int k = 0; k < n_carry && !failed_; ++k) carries.push(start(e, n_const + k, body, in[n_const + k], out[k], true));
    for (int k = first_x; k < e.n_in() && !failed_; ++k) xs.push(turned(in_memory(e.in(k)), e.type(k)));
    for (int k = n_carry; k < e.n_out() && !failed_; ++k) {
      lane_location const place = places_of_results_[e.e.out + k];
      lane_location y = place;
      if (place.address < 0 || is_turned(place, e.out_type(k))) y = new_memory(e.out_type(k), uniformity_.varies(e.e.out + k) || divergent_ > 0);
      ys.push(y);
    }
    if (failed_) return made;

    int const depth = depth_++;
    if (depth_ > k_.counters) k_.counters = depth_;
    region_step s = step_of(region_step_kind::scan, dtype::i32);
    s.depth = depth;
    s.length = length;
    int const turn = in_block([&](int first_move) {
      for (int k = 0; k < n_carry; ++k) where_[in[n_const + k]] = carries[k].count.counts ? counter(carries[k], depth) : carries[k].at;
      for (int k = 0; k < xs.size() && !failed_; ++k) {
        int const inner = in[first_x + k];
        lane_location x = row_of(xs[k], e.type(first_x + k), depth, reverse);
        x.changes = xs[k].changes;
        if (is_small(p_.type(inner)) && (x.changes || is_read_whole(body, inner))) x.first = load(p_.type(inner), x).first;
        where_[inner] = x;
      }
      arena<lane_location> rows;
      for (int k = 0; k < ys.size(); ++k) {
        rows.push(row_of(ys[k], e.out_type(n_carry + k), depth, reverse));
        places_of_results_[out[n_carry + k]] = rows[k];  // an inner loop that makes it writes it there
      }
      equations(body);
      for (int k = 0; k < n_carry && !failed_; ++k) next(carries[k], out[k]);
      for (int k = 0; k < ys.size() && !failed_; ++k) {
        int const v = resolve(out[n_carry + k]);
        if (!p_.is_constant(v) && where_[v].address == rows[k].address) continue;
        lane_location const l = in_slots(v);
        if (!failed_) store(l, p_.type(v), rows[k]);
      }
      finish_iteration(first_move);
      return -1;
    });
    --depth_;
    if (failed_) return made;
    push_control(s, {&turn, 1});
    for (int k = 0; k < n_carry; ++k) {
      carry const& c = carries[k];
      made.push(c.count.counts ? listed(1, [&](int) { return literal(c.type.type, c.count.after(length, c.type.type)); }) : c.at);
    }
    for (lane_location y : ys) {
      y.owned = y.changes = false;
      made.push(y);
    }
    return made;
  }

  constexpr arena<lane_location> while_loop(equation_ref const& e, block const& around) {
    using rules = primitive<prim::while_>;
    int const n_cond = rules::cond_nconsts(e), n_body = rules::body_nconsts(e), n_carry = rules::num_carry(e);
    block const &cond = e.sub(0), &body = e.sub(1);
    span<int> const cond_in = p_.ins(cond), in = p_.ins(body), out = p_.outs(body);
    arena<lane_location> made;
    if (p_.type(p_.outs(cond)[0]).rank != 0) return fail(), made;
    bool const divergent = uniformity_.varies(p_.outs(cond)[0]);
    arena<carry> carries;
    divergent_ += divergent;
    for (int k = 0; k < n_cond; ++k) bind_const(cond_in[k], e.in(k));
    for (int k = 0; k < n_body; ++k) bind_const(in[k], e.in(n_cond + k));
    for (int k = 0; k < n_carry && !failed_; ++k) {
      carries.push(start(e, n_cond + n_body + k, body, in[n_body + k], out[k], false));
      carry& c = carries.back();
      where_[cond_in[n_cond + k]] = where_[in[n_body + k]] = c.at;
      where_[cond_in[n_cond + k]].owned = false;
      if (!divergent || c.in_memory || failed_ || uniformity_.varies(in[n_body + k]) || !is_read(around, e.e.out + k)) continue;
      c.last = listed(count(c.type), [&](int) { return new_element(c.type.type, true); });
      for (int i = 0; i < count(c.type) && !failed_; ++i) copy(element(c.last, i), element(c.at, i), c.type.type);
    }
    region_step s = step_of(region_step_kind::while_loop, dtype::b1);
    s.divergent = divergent;
    int const condition = failed_ ? 0 : in_block([&](int) {
      equations(cond);
      lane_location const l = in_slots(p_.outs(cond)[0]);
      if (failed_ || element(l, 0).varies == divergent) return failed_ ? -1 : element(l, 0).slot;
      lane_element const in_each = new_element(dtype::b1, true);
      copy(in_each, element(l, 0), dtype::b1);
      if (!divergent) fail();
      return in_each.slot;
    });
    int const turn = failed_ ? 0 : in_block([&](int first_move) {
      equations(body);
      for (int k = 0; k < n_carry && !failed_; ++k) next(carries[k], out[k], divergent, is_read(around, e.e.out + k));
      finish_iteration(first_move);
      return -1;
    });
    divergent_ -= divergent;
    if (failed_) return made;
    int const blocks[] = {condition, turn};
    push_control(s, blocks);
    for (carry const& c : carries) made.push(c.last.first >= 0 ? c.last : c.at);
    return made;
  }

  constexpr arena<lane_location> branch(equation_ref const& e) {
    arena<lane_location> made;
    lane_location const index = in_slots(e.in(0));
    if (failed_) return made;
    bool const divergent = element(index, 0).varies;
    arena<char> in_place;
    for (int k = 0; k < e.n_out() && !failed_; ++k) {
      aval const& t = e.out_type(k);
      int const u = c_.live.operand_that_becomes(e.e, e.e.out + k);
      lane_location own;
      if (u >= 0) own = own_memory(e, u);
      in_place.push(own.address >= 0);
      if (own.address < 0) {
        if (!is_small(t)) return fail(), made;
        bool const wide = uniformity_.varies(e.e.out + k);
        own = listed(count(t), [&](int) { return new_element(t.type, wide); });
        lane_element const none = literal(t.type, 0);
        for (int i = 0; i < count(t) && !failed_; ++i) copy(element(own, i), none, t.type);
      }
      made.push(own);
    }
    arena<int> cases;
    divergent_ += divergent;
    for (int j = 0; j < e.e.n_blk && !failed_; ++j) {
      block const& b = e.sub(j);
      cases.push(in_block([&](int) {
        for (int k = 0; k < b.n_in; ++k) {
          bind(p_.ins(b)[k], e.in(1 + k));
          lane_location const own = own_memory(e, 1 + k);
          lane_location& inner = where_[p_.ins(b)[k]];
          if (own.address >= 0) inner = own;
          inner.owned = own.address >= 0;
        }
        equations(b);
        for (int k = 0; k < b.n_out && !failed_; ++k) {
          int const v = p_.outs(b)[k];
          if (in_place[k]) {
            if (!stands_at(v, made[k].address)) fail();
            continue;
          }
          lane_location const l = in_slots(v);
          for (int i = 0; i < count(e.out_type(k)) && !failed_; ++i) move(element(made[k], i), element(l, i), e.out_type(k).type, divergent);
        }
        return -1;
      }));
    }
    divergent_ -= divergent;
    if (failed_) return made;
    region_step s = step_of(region_step_kind::branch, dtype::i32);
    s.a = element(index, 0).slot;
    s.divergent = divergent;
    push_control(s, cases);
    return made;
  }

  // Whether an equation or a result reads all elements of v, not only rows or windows.
  constexpr bool is_read_whole(block const& b, int v) const {
    for (eqn const& e : p_.body(b))
      for (int k = 0; k < e.n_in; ++k) {
        if (p_.in(e, k) != v) continue;
        bool const in_parts = (e.n_blk > 0 && signature_of(p_, e).role_of(k) == operand_role::element) || (e.op == prim::dynamic_slice && k == 0) ||
                              (e.op == prim::dot_general && (k == 0 || is_ready(where_[v], p_.type(v))));
        if (!in_parts) return true;
      }
    for (int u : p_.outs(b))
      if (u == v) return true;
    return false;
  }

  static constexpr int deepest = 32;
  uniformity uniformity_;
  int depth_ = 0;
};

}  // namespace exprax::detail::planning
