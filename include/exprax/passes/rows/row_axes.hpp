// SPDX-License-Identifier: BSL-1.0
// row_axes: which axis of each value counts rows, for the rows of the loops of a block that never meet. Found by assumptions about what
// is made before the loops, and about carries; each assumption that an equation contradicts is changed, and the walk starts again.
// What a loop makes of rows that meet, such as a sum over all rows that it adds to a carry, is apart if the rows do not read it.
// Longer than 300 lines: the walk over the equations and its assumptions are one thing.
#pragma once

#include <exprax/passes/rows/elementwise_rows.hpp>
#include <exprax/primitives/all.hpp>
#include <exprax/primitives/control/scan.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax {

namespace detail {

inline constexpr int fewest_rows = 4;

// How many rows a loop may have: the first axis of what it carries; or 0.
constexpr int rows_of_loop(program_ref p, eqn const& e) {
  if (e.op != prim::scan) return 0;
  control_signature const s = primitive<prim::scan>::signature({p, e});
  for (int k = s.first_carry; k < s.first_element(); ++k)
    if (aval const& t = p.type(p.in(e, k)); t.rank > 0 && t.dims[0] >= fewest_rows) return t.dims[0];
  return 0;
}

// Where an equation of a block, or a value that it makes, stands: before the vmap, in it, or after it.
enum class row_place : char { before, in_rows, after };

// A template, so that programs without such loops do not instantiate the rules `unbatch`.
template <class Program>
class row_axes {
 public:
  constexpr explicit row_axes(Program p) : p_(p) {
    maker_.resize(p.n.values, -1);
    is_read_.resize(p.n.values, 0);
    for (int i = 0; i < p.n.eqns; ++i) {
      for (int k = 0; k < p.eqns[i].n_out; ++k) maker_[p.eqns[i].out + k] = i;
      for (int v : p.ins(p.eqns[i])) is_read_[v] = 1;
      has_effects_ = has_effects_ || p.eqns[i].n_out == 0;
    }
    for (int i = 0; i < p.n.blocks; ++i)
      for (int v : p.outs(p.blocks[i])) is_read_[v] = 1;
  }

  constexpr int size() const { return size_; }
  constexpr batch_axis of(int v) const { return axis_[v]; }
  // Of a value of a loop's body: it is made of rows that meet. Of a result: it is, or it is the same for all rows.
  constexpr bool is_apart(int v) const { return apart_[v] != 0; }
  constexpr bool is_apart(eqn const& e) const { return is_apart(e.out); }
  constexpr bool has_apart(eqn const& loop) const {
    for (int k = 0; k < loop.n_out; ++k)
      if (is_apart(loop.out + k)) return true;
    return false;
  }
  // The type of one row of v.
  constexpr aval row_type(int v) const {
    aval const& t = p_.type(v);
    return axis_[v].is_mapped() ? t.without_axis(axis_[v].position()) : t;
  }
  // The parameters of an equation on one row, and the axis of its result.
  constexpr arena<int> row_parameters(eqn const& e, batch_axis& out) const {
    arena<int> par;
    row_rule({p_, e}, axes_of(e), out, par);
    return par;
  }

  // Which values of a loop's body its part that is apart has by itself: all but rows that are carried, and what is made of them.
  constexpr arena<char> made_apart(eqn const& loop) const {
    block const& b = p_.sub(loop, 0);
    control_signature const s = primitive<prim::scan>::signature({p_, loop});
    arena<char> has;
    has.resize(p_.n.values, 0);
    for (int k = 0; k < b.n_in; ++k) has[p_.ins(b)[k]] = s.role_of(k) != operand_role::carry || !axis_[p_.ins(b)[k]].is_mapped();
    for (bool stable = false; !stable;) {
      stable = true;
      for (eqn const& e : p_.body(b)) {
        bool all = true;
        for (int v : p_.ins(e)) all = all && (has[v] || p_.is_constant(v));
        for (int k = 0; k < e.n_out; ++k) all = all && (!axis_[e.out + k].is_mapped() || repeats(e));
        for (int k = 0; k < e.n_out; ++k) has[e.out + k] = all || is_apart(e);
      }
      for (int k = 0; k < s.n_carry; ++k) {
        char& carry = has[p_.ins(b)[s.first_carry + k]];
        if (!carry || has[p_.outs(b)[k]] || p_.is_constant(p_.outs(b)[k]) || is_apart(p_.ins(b)[s.first_carry + k])) continue;
        carry = 0;
        stable = false;
      }
    }
    return has;
  }
  // What the loop stacks for the part that is apart: what that reads and does not have.
  constexpr arena<int> crossing(eqn const& loop) const {
    arena<int> r;
    if (!has_apart(loop)) return r;
    block const& b = p_.sub(loop, 0);
    arena<char> has = made_apart(loop);
    auto const read = [&](int v) {
      if (!has[v] && !p_.is_constant(v)) r.push(v), has[v] = 1;
    };
    for (eqn const& e : p_.body(b))
      for (int v : p_.ins(e))
        if (is_apart(e)) read(v);
    for (int k = 0; k < b.n_out; ++k)
      if (is_apart(loop.out + k)) read(p_.outs(b)[k]);
    return r;
  }

  // Where each equation of a block stands: in the vmap, if it is on rows, `size` of them, and a loop is or needs it. Returns whether there
  // are any: none in a program with effects, whose order is that of whole iterations.
  constexpr bool find(block const& b, int size, arena<row_place>& of_equations) {
    if (has_effects_) return false;
    constexpr int most_tries = 64;
    size_ = size;
    assumed_ = {}, apart_carries_ = {};
    assumed_.resize(p_.n.values);
    apart_carries_.resize(p_.n.values, 0);
    for (int tries = 0; tries < most_tries; ++tries)
      if (walk(b, of_equations)) return keep_what_loops_need(b, of_equations);
    return false;
  }

 private:
  enum class answer { yes, again, no };  // again: an assumption has changed

  // Of an input of the block of a loop.
  struct input {
    int from = -1;        // the operand
    bool is_row = false;  // the operand has the axis of the iterations in front
    bool is_carry = false;
  };

  // Operand v should have rows along an axis. Whether that is a new assumption.
  constexpr bool assume(int v, int axis) {
    if (axis_[v].is_mapped() || p_.is_constant(v)) return false;
    aval const& t = p_.type(v);
    if (axis < 0 || axis >= t.rank || t.dims[axis] != size_ || assumed_[v].is_mapped()) return false;
    if (input const& i = inputs_[v]; i.from >= 0) {
      if (i.is_carry) assumed_[v] = axis;
      return assume(i.from, axis + i.is_row) || i.is_carry;
    }
    if (places_[v] == row_place::before) {
      assumed_[v] = axis;
      return true;
    }
    // A value of a loop's body that is the same for all rows: its operands.
    eqn const* const e = maker_[v] >= 0 ? &p_.eqns[maker_[v]] : nullptr;
    if (!e || e->n_blk > 0) return false;
    equation_ref const r{p_, *e};
    for (int k = 0; k < e->n_in; ++k) {
      for (int a = 0; a < r.type(k).rank; ++a) {
        if (r.type(k).dims[a] != size_) continue;
        arena<batch_axis> given;
        for (int j = 0; j < e->n_in; ++j) given.push(r.type(j).same_shape(r.type(k)) ? batch_axis(a) : not_mapped);
        batch_axis out;
        arena<int> par;
        if (row_rule(r, given, out, par) && out == batch_axis(axis) && assume(r.in(k), a)) return true;
      }
    }
    return false;
  }

  template <prim P>
  struct rule {
    static constexpr bool call(equation_ref const& e, span<batch_axis> in, int size, batch_axis& out, arena<int>& par) {
      if constexpr (requires { primitive<P>::unbatch(e, in, size, out, par); }) return primitive<P>::unbatch(e, in, size, out, par);
      else return false;
    }
  };
  constexpr bool row_rule(equation_ref const& e, span<batch_axis> in, batch_axis& out, arena<int>& par) const {
    if (!is_elementwise(e.e.op))
      return dispatch<rule, bool(equation_ref const&, span<batch_axis>, int, batch_axis&, arena<int>&)>(e.e.op, e, in, size_, out, par);
    return elementwise_row_rule(e, in, out, par);
  }
  constexpr arena<batch_axis> axes_of(eqn const& e) const {
    arena<batch_axis> in;
    for (int v : p_.ins(e)) in.push(axis_[v]);
    return in;
  }

  constexpr answer visit(eqn const& e, bool is_outermost = false) {
    if (e.op == prim::scan) return visit_scan(e, is_outermost);
    arena<batch_axis> const in = axes_of(e);
    batch_axis row;
    for (batch_axis const& a : in)
      if (a.is_mapped() && !row.is_mapped()) row = a;
    if (e.n_blk > 0 || e.n_out != 1) return row.is_mapped() ? answer::no : answer::yes;
    if (!row.is_mapped() && e.op != prim::broadcast_in_dim) return answer::yes;
    batch_axis out;
    arena<int> par;
    if (row_rule({p_, e}, in, out, par)) {
      axis_[e.out] = out;
      return answer::yes;
    }
    for (int k = 0; k < e.n_in; ++k)
      if (!in[k].is_mapped() && assume(p_.in(e, k), row.position())) return answer::again;
    return answer::no;
  }
  constexpr answer visit_scan(eqn const& e, bool is_outermost) {
    equation_ref const r{p_, e};
    block const& b = p_.sub(e, 0);
    control_signature const s = primitive<prim::scan>::signature(r);
    for (int k = 0; k < e.n_in; ++k) {
      int const v = p_.in(e, k), x = p_.ins(b)[k];
      bool const is_row = s.role_of(k) == operand_role::element, is_carry = s.role_of(k) == operand_role::carry;
      inputs_[x] = {v, is_row, is_carry};
      apart_[x] = apart_carries_[x];
      if (apart_[x]) continue;
      if (is_carry && assume(v, 0)) return answer::again;
      axis_[x] = axis_[v];
      if (is_row && axis_[v].is_mapped()) {
        if (axis_[v].position() == 0) return answer::no;
        axis_[x] = axis_[v].position() - 1;
      }
      if (is_carry && assumed_[x].is_mapped() && !(axis_[x] == assumed_[x])) return answer::no;
    }
    for (eqn const& inner : p_.body(b)) {
      answer a = answer::yes;
      bool apart = false;
      for (int v : p_.ins(inner)) apart = apart || apart_[v];
      if (!apart) a = visit(inner);
      if (a == answer::again || (a == answer::no && !is_outermost)) return a;
      for (int k = 0; k < inner.n_out; ++k)
        if (apart || a == answer::no) axis_[inner.out + k] = not_mapped, apart_[inner.out + k] = 1;
    }
    for (int k = 0; k < e.n_out; ++k) {
      int const v = p_.outs(b)[k];
      batch_axis const made = axis_[v];
      axis_[e.out + k] = made;
      int const x = s.is_carry(k) ? p_.ins(b)[s.first_carry + k] : v;
      apart_[e.out + k] = apart_[v] || apart_[x];
      if (apart_[e.out + k]) {
        axis_[e.out + k] = not_mapped;
        if (apart_[x]) continue;
        apart_carries_[x] = 1;
        return answer::again;
      }
      if (!s.is_carry(k)) {
        if (made.is_mapped()) axis_[e.out + k] = made.position() + 1;
        continue;
      }
      if (axis_[x] == made) continue;
      bool const changes = axis_[x].is_mapped() ? assume(v, axis_[x].position()) : assume(x, made.position());
      if (changes) return answer::again;
      if (!is_outermost) return answer::no;
      apart_carries_[x] = 1;
      return answer::again;
    }
    for (int k = 0; k < e.n_out && is_outermost; ++k)
      if (!axis_[e.out + k].is_mapped() && is_read_[e.out + k]) apart_[e.out + k] = 1;
    return is_outermost && !stores_little(e, s) ? answer::no : answer::yes;
  }
  // Whether what is stacked for the part that is apart takes no more bytes than the loop reads and stacks for each row in any case.
  constexpr bool stores_little(eqn const& e, control_signature const& s) const {
    std::ptrdiff_t left = 0;
    auto const bytes_of = [&](int v) { return axis_[v].is_mapped() ? p_.type(v).size() * size_of(p_.type(v).type) : 0; };
    block const& b = p_.sub(e, 0);
    for (int k = s.first_element(); k < b.n_in; ++k) left += bytes_of(p_.ins(b)[k]);
    for (int k = s.n_carry; k < b.n_out; ++k) left += bytes_of(p_.outs(b)[k]);
    for (int v : crossing(e)) {
      if (!axis_[v].is_mapped()) return false;
      left -= bytes_of(v);
    }
    return left >= 0;
  }

  // Whether all assumptions hold.
  constexpr bool walk(block const& b, arena<row_place>& of_equations) {
    of_equations = {};
    axis_ = {}, inputs_ = {}, places_ = {}, apart_ = {};
    apart_.resize(p_.n.values, 0);
    inputs_.resize(p_.n.values);
    axis_.resize(p_.n.values);
    places_.resize(p_.n.values, row_place::in_rows);
    for (int v : p_.ins(b)) begin_before(v);
    for (eqn const& e : p_.body(b)) {
      row_place at = row_place::before;
      for (int v : p_.ins(e))
        if (!p_.is_constant(v) && places_[v] > at) at = places_[v];
      if (at == row_place::before && rows_of_loop(p_, e) == size_) at = row_place::in_rows;
      if (at == row_place::in_rows) {
        answer const a = visit(e, true);
        if (a == answer::again) return false;
        if (a == answer::no || !has_rows(e)) at = row_place::after;
      }
      of_equations.push(at);
      for (int v = e.out; v < e.out + e.n_out; ++v) {
        if (at == row_place::before) begin_before(v);
        else if (at == row_place::after || apart_[v]) axis_[v] = not_mapped, places_[v] = row_place::after;
      }
    }
    return true;
  }
  constexpr void begin_before(int v) {
    places_[v] = row_place::before;
    axis_[v] = assumed_[v];
  }
  // An operand that is the same for all rows, along an axis of rows.
  constexpr bool repeats(eqn const& e) const { return e.op == prim::broadcast_in_dim && !axis_[p_.in(e, 0)].is_mapped(); }
  constexpr bool has_rows(eqn const& e) const {
    for (int k = 0; k < e.n_out; ++k)
      if (axis_[e.out + k].is_mapped()) return true;
    return false;
  }

  // What only follows the loops stays on arrays.
  constexpr bool keep_what_loops_need(block const& b, arena<row_place>& of_equations) const {
    bool any = false;
    arena<char> needed;
    needed.resize(p_.n.values, 0);
    for (int i = b.n_eqn - 1; i >= 0; --i) {
      eqn const& e = p_.eqns[b.eqn + i];
      if (of_equations[i] != row_place::in_rows) continue;
      bool keep = e.op == prim::scan;
      for (int k = 0; k < e.n_out; ++k) keep = keep || needed[e.out + k];
      any = any || keep;
      if (!keep) of_equations[i] = row_place::after;
      for (int v : p_.ins(e)) needed[v] = needed[v] || keep;
    }
    return any;
  }

  Program p_;
  int size_ = 0;               // how many rows
  arena<batch_axis> axis_;     // of each value
  arena<batch_axis> assumed_;  // of values that are made before the loops, and of carries
  arena<char> apart_;          // of values of the bodies of loops, and of results of loops
  arena<char> apart_carries_;  // inputs of bodies
  arena<row_place> places_;    // of values of the block
  arena<input> inputs_;        // of blocks of loops
  arena<int> maker_;           // of each value: the equation
  arena<char> is_read_;        // by an equation, or returned
  bool has_effects_ = false;
};

}  // namespace detail

// Whether a loop may have independent rows.
constexpr bool has_row_loops(program_ref p) {
  for (int i = 0; i < p.n.eqns && p.n.blocks > 1; ++i)
    if (detail::rows_of_loop(p, p.eqns[i]) > 0) return true;
  return false;
}

}  // namespace exprax
