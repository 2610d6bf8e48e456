// SPDX-License-Identifier: BSL-1.0
// Plans a scan that stays in registers: the body's values are small, its equations elementwise or movements.
#pragma once

#include <exprax/plan/lower.hpp>

namespace exprax::detail::planning {

class register_scan_planner {
 public:
  static constexpr std::ptrdiff_t largest_value = 512, largest_carry = 1024;  // bytes
  static constexpr int most_steps = 256;

  static constexpr bool fits(equation_ref const& e) {
    program_ref const& p = e.p;
    block const& b = e.sub(0);
    int const n_const = e.param(1), n_carry = e.param(2);
    if (b.n_eqn > most_steps || e.param(0) == 0) return false;
    std::ptrdiff_t carried = 0;
    for (int k = 0; k < b.n_in; ++k) {
      if (!is_small(p.type(p.ins(b)[k]))) return false;
      if (k >= n_const && k < n_const + n_carry) carried += bytes(p.type(p.ins(b)[k]));
    }
    if (carried > largest_carry) return false;
    for (int v : p.outs(b))
      if (!is_small(p.type(v))) return false;
    for (eqn const& q : p.body(b)) {
      equation_ref const x{p, q};
      if (q.n_out != 1 || !is_small(x.out_type(0)) || !is_done_here(x)) return false;
      for (int v : p.ins(q))
        if (!is_small(p.type(v)) || (p.is_constant(v) && p.type(v).rank > 0)) return false;
    }
    return true;
  }

  // operands, results: the buffers of the scan's operands (-1: a literal) and results.
  constexpr register_scan_planner(equation_ref const& e, plan& out, arena<realization>& at, span<int> operands, span<int> results)
      : e_(e), p_(e.p), out_(out), at_(at), operands_(operands), results_(results) {
    where_.resize(p_.n.values);
  }

  constexpr int run() {
    block const& b = e_.sub(0);
    int const n_const = e_.param(1), n_carry = e_.param(2);
    k_.length = e_.param(0);
    k_.reverse = e_.param(3) != 0;
    span<int> const in = p_.ins(b);
    for (int k = 0; k < n_const; ++k)
      where_[in[k]] = operands_[k] >= 0 ? load(p_.type(in[k]), operands_[k], false) : literal(resolve(e_.in(k)));
    k_.n_before = steps_.size();
    arena<register_carry> carries;
    for (int k = 0; k < n_carry; ++k) {
      aval const& t = p_.type(in[n_const + k]);
      where_[in[n_const + k]] = new_location(t.type, t.size());
      carries.push({t.type, operands_[n_const + k], results_[k], static_cast<int>(t.size()), where_[in[n_const + k]].slot, 0, false});
    }
    for (int k = n_const + n_carry; k < b.n_in; ++k) where_[in[k]] = load(p_.type(in[k]), operands_[k], true);
    for (eqn const& q : p_.body(b)) where_[q.out] = equation({p_, q});
    for (int k = 0; k < b.n_out; ++k) {
      int const v = p_.outs(b)[k];
      location const l = value(v);
      if (k < n_carry) {
        carries[k].out = l.slot;
        carries[k].wide_out = l.wide;
        continue;
      }
      register_step s = step_of(register_step_kind::store, p_.type(v));
      s.a = l.slot;
      s.wide_a = l.wide;
      s.buffer = results_[k];
      s.element = true;
      steps_.push(s);
    }
    k_.n_carry = n_carry;
    k_.carry = out_.register_carries.size();
    for (register_carry const& c : carries) out_.register_carries.push(c);
    k_.step = out_.register_steps.size();
    k_.n_step = steps_.size();
    for (register_step const& s : steps_) out_.register_steps.push(s);
    return out_.register_scans.push(k_);
  }

 private:
  struct location {
    int slot = -1;
    bool wide = false;  // more than one pack; else uniform
  };

  static constexpr std::ptrdiff_t bytes(aval const& t) { return t.size() * size_of(t.type); }
  static constexpr bool is_small(aval const& t) { return t.size() > 0 && bytes(t) <= largest_value; }
  static constexpr bool is_done_here(equation_ref const& e) {
    prim const op = e.e.op;
    if (op < prim::broadcast_in_dim) return op != prim::integer_pow && (op != prim::select_n || (e.n_in() == 3 && e.type(0).type == dtype::b1));
    if (op == prim::pad) {
      int const r = e.out_type(0).rank;
      for (int i = 0; i < r; ++i)
        if (e.param(2 * r + i) != 0) return false;
      return true;
    }
    if (op <= prim::iota) return true;
    return op == prim::scatter && e.param(0) == 0;
  }

  constexpr int resolve(int v) const {
    while (at_[v].same >= 0) v = at_[v].same;
    return v;
  }
  constexpr location new_location(dtype t, std::ptrdiff_t n) {
    if (n > k_.widest) k_.widest = static_cast<int>(n);
    return {k_.slots[static_cast<int>(t)]++, n > 1};
  }
  static constexpr register_step step_of(register_step_kind kind, aval const& t) {
    register_step s{};
    s.buffer = -1;
    s.kind = kind;
    s.from = s.type = t.type;
    s.n = static_cast<int>(t.size());
    return s;
  }
  constexpr location load(aval const& t, int buffer, bool element) {
    register_step s = step_of(register_step_kind::load, t);
    location const l = new_location(t.type, t.size());
    s.d = l.slot;
    s.buffer = buffer;
    s.element = element;
    steps_.push(s);
    return l;
  }
  constexpr location literal(int v) {
    register_step s = step_of(register_step_kind::literal, aval(p_.type(v).type));
    location const l = new_location(s.type, 1);
    s.d = l.slot;
    s.bits = p_.bits(v);
    steps_.push(s);
    return l;
  }
  constexpr location value(int v) {
    v = resolve(v);
    return p_.is_constant(v) ? literal(v) : where_[v];
  }

  constexpr location equation(equation_ref const& e) {
    prim const op = e.e.op;
    aval const& t = e.out_type(0);
    if (op == prim::iota) return numbers(e);
    if (op >= prim::broadcast_in_dim) return movement(e);
    register_step s = step_of(op == prim::convert_element_type ? register_step_kind::convert : register_step_kind::compute, t);
    s.op = op;
    s.from = op == prim::select_n ? t.type : e.type(0).type;
    location in[3];
    bool wide = false;
    for (int k = 0; k < e.n_in(); ++k) {
      in[k] = broadcast(value(e.in(k)), p_.type(e.in(k)), t);
      wide = wide || in[k].wide;
    }
    for (int k = e.n_in(); k < 3; ++k) in[k] = in[0];
    if (op == prim::convert_element_type && s.from == s.type) return in[0];
    s.a = in[0].slot;
    s.b = in[1].slot;
    s.c = in[2].slot;
    s.wide_a = in[0].wide;
    s.wide_b = in[1].wide;
    s.wide_c = in[2].wide;
    if (!wide) s.n = 1;
    location const l = new_location(t.type, s.n);
    s.d = l.slot;
    steps_.push(s);
    return l;
  }
  // An operand with axes of 1 where the result has more.
  constexpr location broadcast(location l, aval const& from, aval const& to) {
    if (!l.wide || from.same_shape(to)) return l;
    index_map const m = pull_broadcast(from, to, index_map::identity(to));
    return permute(l, {}, from, to, [&](int lane) { return flat_index(from, m, to, lane); });
  }

  static constexpr int flat_index(aval const& from, index_map const& m, aval const& to, int lane) {
    int index[max_rank] = {};
    for (int i = to.rank - 1; i >= 0; --i) {
      index[i] = lane % to.dims[i];
      lane /= to.dims[i];
    }
    strides const weight(from);
    std::ptrdiff_t at = 0;
    for (int i = 0; i < from.rank; ++i) at += weight[i] * (m.of[i].offset + (m.of[i].axis >= 0 ? m.of[i].scale * index[m.of[i].axis] : 0));
    return static_cast<int>(at);
  }
  // result[lane] = source[at(lane)], or fill[lane] where that is negative.
  template <class F>
  constexpr location permute(location source, location fill, aval const& from, aval const& to, F at) {
    register_step s = step_of(register_step_kind::permute, to);
    s.table = out_.tables.size();
    s.n_in = static_cast<int>(from.size());
    bool same = s.n == s.n_in;
    for (int lane = 0; lane < s.n; ++lane) {
      int const i = at(lane);
      same = same && i == lane;
      out_.tables.push(i);
    }
    if (same && fill.slot < 0) {
      while (out_.tables.size() > s.table) out_.tables.pop();
      return source;
    }
    location const l = new_location(to.type, s.n);
    s.d = l.slot;
    s.a = source.slot;
    s.wide_a = source.wide;
    s.b = fill.slot < 0 ? source.slot : fill.slot;
    s.wide_b = fill.slot >= 0 && fill.wide;
    steps_.push(s);
    return l;
  }
  constexpr location numbers(equation_ref const& e) {
    aval const& t = e.out_type(0);
    register_step s = step_of(register_step_kind::numbers, t);
    s.table = out_.tables.size();
    strides const weight(t);
    int const axis = e.param(1);
    for (int lane = 0; lane < s.n; ++lane) out_.tables.push(static_cast<int>(lane / weight[axis]) % t.dims[axis]);
    location const l = new_location(t.type, s.n);
    s.d = l.slot;
    steps_.push(s);
    return l;
  }

  constexpr location movement(equation_ref const& e) {
    prim const op = e.e.op;
    aval const& t = e.out_type(0);
    aval const& from = e.type(0);
    location const x = value(e.in(0));
    if (op == prim::concatenate) return concatenation(e);
    if (op == prim::pad || op == prim::scatter) {
      bool const is_pad = op == prim::pad;
      aval const& piece = is_pad ? from : e.type(1);
      auto lane_of = [&](int lane) {
        int at = 0;
        strides const weight(piece), whole(t);
        for (int i = 0; i < t.rank; ++i) {
          int k = static_cast<int>(lane / whole[i]) % t.dims[i] - e.param(is_pad ? i : 1 + i);
          int const step = is_pad ? 1 : e.param(1 + t.rank + i);
          if (k % step != 0) return -1;
          k /= step;
          if (k < 0 || k >= piece.dims[i]) return -1;
          at += static_cast<int>(weight[i]) * k;
        }
        return at;
      };
      return is_pad ? permute(x, value(e.in(1)), piece, t, lane_of) : permute(value(e.in(1)), x, piece, t, lane_of);
    }
    if (!x.wide) return x;
    if (op == prim::reshape) return x;
    index_map m = index_map::identity(t);
    m = pull(e, m);
    return permute(x, {}, from, t, [&](int lane) { return flat_index(from, m, t, lane); });
  }
  constexpr location concatenation(equation_ref const& e) {
    aval const& t = e.out_type(0);
    int const axis = e.param(0);
    strides const whole(t);
    location made = value(e.in(0));
    int first = 0;
    for (int k = 0; k < e.n_in(); ++k) {
      aval const& piece = e.type(k);
      location const part = value(e.in(k));
      strides const weight(piece);
      if (piece.size() > 0)
        made = permute(part, k == 0 ? location{} : made, piece, t, [&](int lane) {
          int at = 0;
          for (int i = 0; i < t.rank; ++i) {
            int const at_axis = static_cast<int>(lane / whole[i]) % t.dims[i] - (i == axis ? first : 0);
            if (at_axis < 0 || at_axis >= piece.dims[i]) return k == 0 ? 0 : -1;  // the first piece fills what comes later
            at += static_cast<int>(weight[i]) * at_axis;
          }
          return at;
        });
      first += piece.dims[axis];
    }
    return made;
  }

  equation_ref e_;
  program_ref p_;
  plan& out_;
  arena<realization>& at_;
  span<int> operands_, results_;
  register_scan_kernel k_;
  arena<location> where_;
  arena<register_step> steps_;
};

}  // namespace exprax::detail::planning
