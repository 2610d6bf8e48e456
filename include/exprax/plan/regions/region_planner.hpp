// SPDX-License-Identifier: BSL-1.0
// Plans a loop or a branch as a region (plan/data/region.hpp), if everything in it is small. Arrays that are too large for registers may
// be read at an index, and carried if each iteration updates them in place.
#pragma once

#include <exprax/plan/regions/region_equations.hpp>

namespace exprax::detail::planning {

class region_planner : public region_equations {
 public:
  // operands, results: the buffers of e's operands (-1: a constant) and results. A carry that is updated in place is already in its
  // result's buffer. Returns the index of the region; -1: not a region, and nothing has changed.
  static constexpr int plan_region(context& c, equation_ref const& e, span<int> operands, span<int> results) {
    plan& out = c.out;
    plan_sizes const before = out.sizes();
    region_planner r(c);
    r.root_ = &e.e;
    r.run(e, operands, results);
    if (!r.failed_) return out.regions.push(r.k_);
    for (int v : r.constants_) c.at[v].buffer = -1;
    forget_region(out, before);
    return -1;
  }

 private:
  static constexpr int deepest = 32;

  constexpr explicit region_planner(context& c) : region_equations(c) {}

  constexpr void run(equation_ref const& e, span<int> operands, span<int> results) {
    arena<location> places;
    for (int b : results) places.push(in_buffer(b, true));
    own_.resize(e.n_in());
    for (int k = 0; k < e.n_in(); ++k) {
      int const v = c_.resolve(e.in(k));
      if (p_.is_constant(v)) continue;
      for (int r = 0; r < results.size(); ++r)
        if (results[r] == operands[k]) own_[k] = places[r];  // updated in place
      if (own_[k].address >= 0 || where_[v].address >= 0) continue;
      where_[v] = in_buffer(operands[k], false);
      if (!is_small(p_.type(v))) continue;
      location const l = load(p_.type(v), where_[v].address);
      where_[v].slot = l.slot;
      where_[v].wide = l.wide;
    }
    arena<location> const made = control(e, places);
    for (int k = 0; k < made.size() && !failed_; ++k)
      if (made[k].address < 0 || out_.region_addresses[made[k].address].buffer != results[k]) store(slotted(made[k], e.out_type(k)), e.out_type(k), places[k].address);
    k_.block = close_block(0, -1);
  }
  constexpr location in_buffer(int buffer, bool owned) { return {-1, false, new_address(buffer), owned, owned}; }
  constexpr location slotted(location const& l, aval const& t) { return l.slot >= 0 ? l : l.address >= 0 ? load(t, l.address) : fail(); }

  constexpr void equations(block const& b) {
    for (int i = b.eqn; i < b.eqn + b.n_eqn && !failed_; ++i) {
      equation_ref const e{p_, p_.eqns[i]};
      if (e.e.n_blk == 0) {
        if (e.n_out() != 1) fail();
        else where_[e.e.out] = equation(e);
        continue;
      }
      arena<location> places;
      for (int k = 0; k < e.n_out(); ++k) places.push(places_of_results_[e.e.out + k]);
      arena<location> const made = control(e, places);
      for (int k = 0; k < made.size(); ++k) where_[e.e.out + k] = made[k];
    }
  }
  constexpr void move(location const& to, location const& from, aval const& t) {
    moves_.push({t.type, to.wide ? static_cast<int>(t.size()) : 1, to.slot, from.slot, from.wide, false});
  }
  // A new location for a loop's carry or a branch's result.
  constexpr location fresh(aval const& t) { return is_small(t) ? new_location(t.type, t.size()) : fail(); }
  // Copies to a slot of its own, now.
  constexpr void copy(location const& to, location const& from, aval const& t) {
    region_step s = step_of(region_step_kind::move, t);
    s.d = to.slot;
    set_operands(s, from, {}, {});
    push(s);
  }

  // places: the memory for each result, if it must be there; address -1: anywhere.
  constexpr arena<location> control(equation_ref const& e, arena<location> const& places) {
    if (places_of_results_.empty()) places_of_results_.resize(p_.n.values);
    switch (e.e.op) {
      case prim::scan: return scan(e, places);
      case prim::while_: return while_loop(e);
      case prim::cond: return branch(e);
      default: fail(); return {};
    }
  }

  // ---- Carries

  struct carry {
    aval type;
    location at;
    bool in_memory = false;
    induction_variable count;
  };

  // The initial value of a carry, where the body reads it. k: the operand of the loop; inner, out: the input and output of the body;
  // may_count: the number of iterations is known.
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
        location const x = large ? fail() : in_slot(u);
        r.at.address = new_address(c_.new_scratch(r.type));
        if (!failed_) store(x, r.type, r.at.address);
      }
      r.at.owned = r.at.changes = true;
      return r;
    }
    r.at = fresh(r.type);
    if (!failed_) copy(r.at, in_slot(u), r.type);
    return r;
  }
  constexpr location counter(carry const& c, int depth) {
    region_step s = step_of(region_step_kind::counter, c.type);
    location const l = new_location(c.type.type, 1);
    s.d = l.slot;
    s.bits = static_cast<std::uint64_t>(c.count.first);
    s.scale = c.count.step;
    s.depth = depth;
    push(s);
    return l;
  }
  // Ends a body: sets the carry for the next iteration.
  constexpr void next(carry const& c, int out) {
    if (c.count.counts || failed_) return;
    if (!c.in_memory) return move(c.at, in_slot(out), c.type);
    if (!stands_at(out, c.at.address)) fail();
  }

  // ---- Loops

  constexpr arena<location> scan(equation_ref const& e, arena<location> const& places) {
    using rules = primitive<prim::scan>;
    int const length = rules::length(e), n_const = rules::num_consts(e), n_carry = rules::num_carry(e), first_x = n_const + n_carry;
    bool const reverse = rules::reverse(e);
    block const& body = e.sub(0);
    span<int> const in = p_.ins(body), out = p_.outs(body);
    arena<location> made;
    if (length == 0 || depth_ >= deepest) return fail(), made;
    arena<carry> carries;
    for (int k = 0; k < n_const; ++k) bind_const(in[k], e.in(k));
    for (int k = 0; k < n_carry && !failed_; ++k) carries.push(start(e, n_const + k, body, in[n_const + k], out[k], true));
    arena<int> xs, ys;
    for (int k = first_x; k < e.n_in() && !failed_; ++k) xs.push(is_uniform(e.in(k)) ? -1 : in_memory(e.in(k)).address);
    for (int k = n_carry; k < e.n_out(); ++k) ys.push(places[k].address >= 0 ? places[k].address : new_address(c_.new_scratch(e.out_type(k))));
    if (failed_) return made;

    int const depth = depth_++;
    if (depth_ > k_.counters) k_.counters = depth_;
    region_step s = step_of(region_step_kind::scan, aval());
    s.depth = depth;
    s.length = length;
    int const turn = in_block([&](int) {
      for (int k = 0; k < n_carry; ++k) where_[in[n_const + k]] = carries[k].count.counts ? counter(carries[k], depth) : carries[k].at;
      for (int k = 0; k < xs.size() && !failed_; ++k) {
        int const inner = in[first_x + k];
        aval const& t = p_.type(inner);
        location x;
        if (xs[k] < 0) x = in_slot(e.in(first_x + k));
        else x.address = row_address(xs[k], depth, t.size(), reverse, length);
        x.changes = xs[k] >= 0 && may_change(e.in(first_x + k));
        if (xs[k] >= 0 && is_small(t)) x = load(t, x.address);
        where_[inner] = x;
      }
      arena<int> rows;
      for (int k = 0; k < ys.size(); ++k) {
        int const v = out[n_carry + k];
        rows.push(row_address(ys[k], depth, p_.type(v).size(), reverse, length));
        places_of_results_[v].address = rows[k];  // an inner loop that makes it writes it there
      }
      equations(body);
      for (int k = 0; k < n_carry && !failed_; ++k) next(carries[k], out[k]);
      for (int k = 0; k < ys.size() && !failed_; ++k) {
        int const v = resolve(out[n_carry + k]);
        if (!p_.is_constant(v) && where_[v].address == rows[k]) continue;
        store(in_slot(v), p_.type(v), rows[k]);
      }
      return -1;
    });
    --depth_;
    if (failed_) return made;
    push_control(s, {&turn, 1});
    for (int k = 0; k < n_carry; ++k) {
      carry const& c = carries[k];
      made.push(c.count.counts ? literal(c.type.type, c.count.after(length, c.type.type)) : c.at);
    }
    for (int k = 0; k < ys.size(); ++k) {
      location y;
      y.address = ys[k];
      made.push(y);
    }
    return made;
  }
  constexpr bool may_change(int v) const {
    v = resolve(v);
    return !p_.is_constant(v) && where_[v].changes;
  }
  // Whether all elements of v are the same scalar.
  constexpr bool is_uniform(int v) {
    v = resolve(v);
    if (!p_.is_constant(v)) return where_[v].slot >= 0 && !where_[v].wide && p_.type(v).size() > 1;
    for (std::ptrdiff_t i = 1; i < p_.type(v).size(); ++i)
      if (p_.bits(v, i) != p_.bits(v)) return false;
    return true;
  }

  constexpr arena<location> while_loop(equation_ref const& e) {
    using rules = primitive<prim::while_>;
    int const n_cond = rules::cond_nconsts(e), n_body = rules::body_nconsts(e), n_carry = rules::num_carry(e);
    block const &cond = e.sub(0), &body = e.sub(1);
    span<int> const cond_in = p_.ins(cond), in = p_.ins(body), out = p_.outs(body);
    arena<location> made;
    if (p_.type(p_.outs(cond)[0]).size() != 1) return fail(), made;
    for (int k = 0; k < n_cond; ++k) bind_const(cond_in[k], e.in(k));
    for (int k = 0; k < n_body; ++k) bind_const(in[k], e.in(n_cond + k));
    arena<carry> carries;
    for (int k = 0; k < n_carry && !failed_; ++k) {
      carries.push(start(e, n_cond + n_body + k, body, in[n_body + k], out[k], false));
      where_[cond_in[n_cond + k]] = where_[in[n_body + k]] = carries[k].at;
      where_[cond_in[n_cond + k]].owned = false;
    }
    if (failed_) return made;
    region_step s = step_of(region_step_kind::while_loop, aval());
    int const condition = in_block([&](int) {
      equations(cond);
      return failed_ ? -1 : in_slot(p_.outs(cond)[0]).slot;
    });
    int const turn = in_block([&](int) {
      equations(body);
      for (int k = 0; k < n_carry && !failed_; ++k) next(carries[k], out[k]);
      return -1;
    });
    if (failed_) return made;
    int const blocks[] = {condition, turn};
    push_control(s, blocks);
    for (carry const& c : carries) made.push(c.at);
    return made;
  }

  constexpr arena<location> branch(equation_ref const& e) {
    arena<location> made;
    location const index = in_slot(e.in(0));
    arena<char> in_place;
    for (int k = 0; k < e.n_out() && !failed_; ++k) {
      aval const& t = e.out_type(k);
      int const u = c_.live.operand_that_becomes(e.e, e.e.out + k);
      location const own = u >= 0 ? own_memory(e, u) : location{};
      in_place.push(own.address >= 0);
      made.push(own.address >= 0 ? own : fresh(t));
    }
    arena<int> cases;
    for (int j = 0; j < e.e.n_blk && !failed_; ++j) {
      block const& b = e.sub(j);
      cases.push(in_block([&](int) {
        for (int k = 0; k < b.n_in; ++k) {
          bind(p_.ins(b)[k], e.in(1 + k));
          location const own = own_memory(e, 1 + k);
          location& inner = where_[p_.ins(b)[k]];
          if (own.address >= 0) inner = own;
          inner.owned = own.address >= 0;
        }
        equations(b);
        for (int k = 0; k < b.n_out && !failed_; ++k) {
          int const v = p_.outs(b)[k];
          if (!in_place[k]) move(made[k], in_slot(v), e.out_type(k));
          else if (!stands_at(v, made[k].address)) fail();
        }
        return -1;
      }));
    }
    if (failed_) return made;
    region_step s = step_of(region_step_kind::branch, aval());
    s.a = index.slot;
    push_control(s, cases);
    return made;
  }

  // The memory of operand k, if the equation may overwrite it; address -1: none.
  constexpr location own_memory(equation_ref const& e, int k) const {
    if (&e.e == root_) return own_[k];
    int const u = resolve(e.in(k));
    bool const own = !p_.is_constant(u) && where_[u].address >= 0 && where_[u].owned && where_[u].slot < 0 && c_.live.dies_at(e.in(k), e.e);
    return own ? where_[u] : location{};
  }

  eqn const* root_ = nullptr;
  arena<location> own_;  // for the root's operands: the copies that it updates in place
  int depth_ = 0;
};

}  // namespace exprax::detail::planning
