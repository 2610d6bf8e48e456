// SPDX-License-Identifier: BSL-1.0
// Loops and branches of a region, over either layout. Where a condition or an index varies, lanes diverge, and values are updated only in
// the active lanes. A loop ends when all lanes that entered it are done, and a branch that no lane takes is skipped. Lanes that are done
// may keep computing: their values are discarded, or not read after the loop.
#pragma once

#include <exprax/plan/regions/region_equations.hpp>

namespace exprax::detail::planning {

template <class Layout>
class region_control : public region_equations<Layout> {
  using base = region_equations<Layout>;

 protected:
  using base::base;
  using base::c_, base::p_, base::k_, base::where_, base::wanted_, base::failed_, base::divergent_;
  using base::fail, base::resolve, base::bind, base::bind_const, base::is_small, base::in_slots, base::in_memory, base::stands_at;
  using base::new_memory, base::load, base::store, base::row_of, base::literal, base::fresh, base::copy, base::move, base::in_block;

  constexpr void equations(block const& b) {
    for (int i = b.eqn; i < b.eqn + b.n_eqn && !failed_; ++i) {
      equation_ref const e{p_, p_.eqns[i]};
      if (e.e.n_blk == 0) {
        if (e.n_out() != 1) fail();
        else where_[e.e.out] = base::equation(e);
        continue;
      }
      arena<location> const made = control(e, &b);
      for (int k = 0; k < made.size(); ++k) where_[e.e.out + k] = made[k];
    }
  }
  // around: the block of the equation, if lanes can diverge.
  constexpr arena<location> control(equation_ref const& e, block const* around) {
    switch (e.e.op) {
      case prim::scan: return scan(e);
      case prim::while_: return while_loop(e, around);
      case prim::cond: return branch(e);
      default: fail(); return {};
    }
  }

  eqn const* root_ = nullptr;
  arena<location> own_;  // for the root's operands: the copies that it updates in place

 private:
  static constexpr int deepest = 32;

  // The memory of operand k, if the equation may overwrite it.
  constexpr location own_memory(equation_ref const& e, int k) const {
    if (&e.e == root_) return own_[k];
    int const u = resolve(e.in(k));
    bool const own = !p_.is_constant(u) && where_[u].only_in_memory() && where_[u].owned && c_.live.dies_at(e.in(k), e.e);
    return own ? where_[u] : location{};
  }
  constexpr bool has_own_memory(int v) const { return this->varies(v) || divergent_ > 0; }

  // ---- Carries

  struct carry {
    aval type;
    location at;
    bool in_memory = false;
    induction_variable count;
    location last;  // the value with which each lane left the loop, if the carry itself is uniform
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
      if (!r.at.in_memory()) {
        location const x = large ? fail() : in_slots(u);
        if (!failed_) r.at = new_memory(r.type, has_own_memory(inner));
        if (!failed_) store(x, r.type, r.at, true);
      }
      r.at.owned = r.at.changes = true;
      return r;
    }
    location const from = large ? fail() : in_slots(u);
    if (failed_) return r;
    r.at = fresh(r.type, this->varies(inner));
    copy(r.at, from, r.type);
    return r;
  }
  // Ends a body: sets the carry for the next iteration. divergent: lanes leave the loop at different iterations; is_read: the carry is read
  // after the loop.
  constexpr void next(carry const& c, int out, bool divergent, bool is_read) {
    if (c.count.counts || failed_) return;
    if (c.in_memory) {
      if (!stands_at(out, c.at.address)) fail();
      return;
    }
    location const made = in_slots(out);
    if (failed_) return;
    move(c.at, made, c.type, divergent && is_read);
    if (c.last.in_slots()) move(c.last, made, c.type, true);
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

  // Whether all elements of v are the same scalar.
  constexpr bool is_splat(int v) const {
    v = resolve(v);
    if (!p_.is_constant(v)) return where_[v].in_slots() && !where_[v].wide && p_.type(v).size() > 1;
    for (std::ptrdiff_t i = 1; i < p_.type(v).size(); ++i)
      if (p_.bits(v, i) != p_.bits(v)) return false;
    return true;
  }
  constexpr arena<location> scan(equation_ref const& e) {
    using rules = primitive<prim::scan>;
    int const length = rules::length(e), n_const = rules::num_consts(e), n_carry = rules::num_carry(e), first_x = n_const + n_carry;
    bool const reverse = rules::reverse(e);
    block const& body = e.sub(0);
    span<int> const in = p_.ins(body), out = p_.outs(body);
    arena<location> made, xs, ys;
    if (length == 0 || depth_ >= deepest) return fail(), made;
    arena<carry> carries;
    for (int k = 0; k < n_const; ++k) bind_const(in[k], e.in(k));
    for (int k = 0; k < n_carry && !failed_; ++k) carries.push(start(e, n_const + k, body, in[n_const + k], out[k], true));
    for (int k = first_x; k < e.n_in() && !failed_; ++k)
      xs.push(is_splat(e.in(k)) ? location{} : this->prepared(in_memory(e.in(k)), e.type(k)));
    for (int k = n_carry; k < e.n_out() && !failed_; ++k) {
      location const place = wanted_[e.e.out + k];
      bool const there = place.in_memory() && this->is_written_in_rows(place, e.out_type(k));
      ys.push(there ? place : new_memory(e.out_type(k), has_own_memory(e.e.out + k)));
    }
    if (failed_) return made;

    int const depth = depth_++;
    if (depth_ > k_.counters) k_.counters = depth_;
    region_step s = region_base::step_of(region_step_kind::scan, dtype::i32, 1);
    s.depth = depth;
    s.length = length;
    int const iteration = in_block([&](int first_move) {
      for (int k = 0; k < n_carry; ++k) {
        carry const& c = carries[k];
        where_[in[n_const + k]] = c.count.counts ? this->counter(c.type.type, c.count, depth) : c.at;
      }
      for (int k = 0; k < xs.size() && !failed_; ++k) {
        int const inner = in[first_x + k];
        aval const& t = p_.type(inner);
        location x = xs[k].in_memory() ? row_of(xs[k], e.type(first_x + k), t, depth, reverse) : in_slots(e.in(first_x + k));
        if (xs[k].in_memory() && this->is_loaded_first(x, body, inner, t)) {
          location const loaded = load(t, x);
          x.slots = loaded.slots, x.wide = loaded.wide;
        }
        where_[inner] = x;
      }
      arena<location> rows;
      for (int k = 0; k < ys.size(); ++k) {
        int const v = out[n_carry + k];
        rows.push(row_of(ys[k], e.out_type(n_carry + k), p_.type(v), depth, reverse));
        wanted_[v] = rows[k];  // an inner loop that makes it writes it there
      }
      equations(body);
      for (int k = 0; k < n_carry && !failed_; ++k) next(carries[k], out[k], false, false);
      for (int k = 0; k < ys.size() && !failed_; ++k) {
        int const v = resolve(out[n_carry + k]);
        if (!p_.is_constant(v) && where_[v].address == rows[k].address) continue;
        location const y = in_slots(v);
        if (!failed_) store(y, p_.type(v), rows[k]);
      }
      this->finish_iteration(first_move, length);
      return -1;
    });
    --depth_;
    if (failed_) return made;
    this->begin_loop();
    this->push_control(s, {&iteration, 1});
    for (carry const& c : carries) made.push(c.count.counts ? literal(c.type.type, c.count.after(length, c.type.type)) : c.at);
    for (location y : ys) {
      y.owned = y.changes = false;
      made.push(y);
    }
    return made;
  }
  constexpr arena<location> while_loop(equation_ref const& e, block const* around) {
    using rules = primitive<prim::while_>;
    int const n_cond = rules::cond_nconsts(e), n_body = rules::body_nconsts(e), n_carry = rules::num_carry(e);
    block const &cond = e.sub(0), &body = e.sub(1);
    span<int> const cond_in = p_.ins(cond), in = p_.ins(body), out = p_.outs(body);
    arena<location> made;
    if (p_.type(p_.outs(cond)[0]).size() != 1) return fail(), made;
    bool const divergent = this->varies(p_.outs(cond)[0]);
    auto const is_read_after = [&](int k) { return divergent && is_read(*around, e.e.out + k); };
    arena<carry> carries;
    divergent_ += divergent;
    for (int k = 0; k < n_cond; ++k) bind_const(cond_in[k], e.in(k));
    for (int k = 0; k < n_body; ++k) bind_const(in[k], e.in(n_cond + k));
    for (int k = 0; k < n_carry && !failed_; ++k) {
      carries.push(start(e, n_cond + n_body + k, body, in[n_body + k], out[k], false));
      carry& c = carries.back();
      where_[cond_in[n_cond + k]] = where_[in[n_body + k]] = c.at;
      where_[cond_in[n_cond + k]].owned = false;
      if (c.in_memory || failed_ || this->varies(in[n_body + k]) || !is_read_after(k)) continue;
      c.last = fresh(c.type, true);
      copy(c.last, c.at, c.type);
    }
    if (failed_) return made;
    region_step s = region_base::step_of(region_step_kind::while_loop, dtype::b1, 1);
    s.divergent = divergent;
    int const condition = in_block([&](int) {
      equations(cond);
      location const l = in_slots(p_.outs(cond)[0]);
      return failed_ ? -1 : this->condition(l, divergent);
    });
    int const iteration = in_block([&](int first_move) {
      equations(body);
      for (int k = 0; k < n_carry && !failed_; ++k) next(carries[k], out[k], divergent, is_read_after(k));
      this->finish_iteration(first_move, 0);
      return -1;
    });
    divergent_ -= divergent;
    if (failed_) return made;
    int const blocks[] = {condition, iteration};
    this->begin_loop();
    if (this->push_iterations_in_bounds(s, condition, iteration)) this->push_control(s, blocks);
    for (carry const& c : carries) made.push(c.last.in_slots() ? c.last : c.at);
    return made;
  }

  // ---- Branches

  constexpr arena<location> branch(equation_ref const& e) {
    arena<location> made;
    location const index = in_slots(e.in(0));
    if (failed_) return made;
    element_slot const i = this->scalar(index, e.type(0), 0);
    bool const divergent = i.varies;
    arena<char> in_place;
    for (int k = 0; k < e.n_out() && !failed_; ++k) {
      int const u = c_.live.operand_that_becomes(e.e, e.e.out + k);
      location const own = u >= 0 ? own_memory(e, u) : location{};
      in_place.push(own.in_memory());
      made.push(own.in_memory() ? own : this->fresh_result(e.out_type(k), this->varies(e.e.out + k)));
    }
    arena<int> cases;
    divergent_ += divergent;
    for (int j = 0; j < e.e.n_blk && !failed_; ++j) {
      block const& b = e.sub(j);
      cases.push(in_block([&](int) {
        for (int k = 0; k < b.n_in; ++k) {
          bind(p_.ins(b)[k], e.in(1 + k));
          location const own = own_memory(e, 1 + k);
          location& inner = where_[p_.ins(b)[k]];
          if (own.in_memory()) inner = own;
          inner.owned = own.in_memory();
        }
        equations(b);
        for (int k = 0; k < b.n_out && !failed_; ++k) {
          int const v = p_.outs(b)[k];
          if (in_place[k]) {
            if (!stands_at(v, made[k].address)) fail();
          } else if (location const x = in_slots(v); !failed_) {
            move(made[k], x, e.out_type(k), divergent);
          }
        }
        return -1;
      }));
    }
    divergent_ -= divergent;
    if (failed_) return made;
    region_step s = region_base::step_of(region_step_kind::branch, dtype::i32, 1);
    s.a = i.slot;
    s.divergent = divergent;
    this->push_control(s, cases);
    return made;
  }

  int depth_ = 0;
};

}  // namespace exprax::detail::planning
