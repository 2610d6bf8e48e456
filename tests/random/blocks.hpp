// SPDX-License-Identifier: BSL-1.0
// Random programs, part 4: equations with blocks: jit, scan, while with few iterations, cond, vmap over one or two axes; in the smooth
// domain checkpoint, and functions with rules for their derivatives. Blocks capture values of those around them; what they make depends on
// what was made in them, so that little is dead.
#pragma once

#include <random/composites.hpp>

namespace random_programs {

class blocks : protected composites {
 protected:
  using composites::composites;

  // n equations; dive: one of them goes to the full depth.
  constexpr void equations(int n, int depth, bool dive) {
    for (int i = 0; i < n; ++i) {
      if (rng_.chance(w_.prints)) print();
      if (dive && depth > 0 && i == n / 2) control(depth - 1, true);
      else equation(depth);
    }
  }
  constexpr void vmap(int depth, bool dive, int large = -1, int more_large = -1) {
    int const n_axes = rng_.chance(25) ? 2 : 1;
    int sizes[2] = {}, places[max_rank] = {};
    arena<int> in, dims;  // dims: n_axes for each
    int first = pick([&](aval const& a) { return a.rank >= n_axes; });
    if (large >= 0 && type(large).rank >= n_axes) first = large;
    if (first < 0) return;
    permutation(places, type(first).rank);
    in.push(first);
    for (int a = 0; a < n_axes; ++a) {
      sizes[a] = type(first).dims[places[a]];
      dims.push(places[a]);
    }
    for (int k = rng_.below(3) + (large >= 0); k > 0; --k) {
      int const v = large >= 0 && k == 1 ? more_large : operand();
      in.push(v);
      int taken = -1;
      for (int a = 0; a < n_axes; ++a) {
        int at = -1;
        for (int i = 0; i < type(v).rank && rng_.chance(80); ++i)
          if (type(v).dims[i] == sizes[a] && i != taken) at = i;
        dims.push(at);
        taken = at;
      }
    }
    arena<aval> rows;
    for (int k = 0; k < in.size(); ++k) {
      aval const t = type(in[k]);
      aval row(t.type);
      for (int i = 0; i < t.rank; ++i) {
        bool mapped = false;
        for (int a = 0; a < n_axes; ++a) mapped = mapped || dims[k * n_axes + a] == i;
        if (!mapped) row.dims[row.rank++] = t.dims[i];
      }
      rows.push(row);
    }
    opened const o = open({}, rows);
    equations(1 + rng_.below(4), depth, dive);
    arena<int> made, par;
    arena<aval> outs;
    for (int k = 1 + rng_.below(2); k > 0; --k) {
      made.push(rng_.chance(w_.connected) ? mixed(type(recent())) : recent());
      outs.push(type(made.back()));
    }
    int const id = close(o, made);
    par.push(n_axes);
    for (int a = 0; a < n_axes; ++a) par.push(sizes[a]);
    for (int d : dims) par.push(d);
    for (aval const& t : outs) {
      if (t.rank + n_axes > 5) return;
      int perm[max_rank] = {};
      permutation(perm, t.rank + n_axes);
      for (int a = 0; a < n_axes; ++a) par.push(perm[a]);
    }
    finish(prim::vmap, in, par, outs.size(), {&id, 1});
  }
  // A value that depends on what the last loop or branch made, or on what was made last.
  constexpr int mixed(aval const t) {
    int v = scope_.back();
    int const of = rng_.below(scope_.size());
    if (made_by_control_ >= 0 && rng_.chance(90)) v = made_by_control_;
    else if (rng_.chance(30)) v = scope_[of];
    if (!is_simple(t.type) || !is_simple(type(v).type) || type(v).size() == 0) return value(t);
    aval const from = type(v);
    int axes[max_rank] = {};
    for (int i = 0; i < from.rank; ++i) axes[i] = i;
    bool const sums = w_.values == domain::smooth && rng_.chance(80);
    if (from.rank > 0) v = quiet(is_bool(from.type) ? prim::reduce_or : sums ? prim::reduce_sum : prim::reduce_max, {v}, {axes, from.rank});
    if (from.type != t.type) v = quiet(prim::convert_element_type, {v}, {static_cast<int>(t.type), 0});
    prim const op = is_bool(t.type) ? choose({prim::and_, prim::or_, prim::xor_, prim::max})
                     : sums             ? choose({prim::add, prim::mul, prim::sub})
                                        : choose({prim::add, prim::max, prim::sub, prim::min});
    int made = v < 0 ? -1 : quiet(op, {value(t), v});
    if (made >= 0) made = bounded(made);
    if (made < 0) return value(t);
    scope_.push(made);
    return made;
  }

 private:
  static constexpr bool is_simple(dtype t) { return !is_half(t) && !is_complex(t) && !is_key(t); }

  // --- What is chosen

  constexpr void equation(int depth) {
    int const control_weight = depth == 0 ? 0 : calls() + w_.scan + w_.loop + w_.branches + w_.vmap;
    int const kinds[] = {w_.unary,  w_.convert,    w_.binary, w_.ternary,     w_.movement, w_.dynamic, w_.reduction, w_.contraction,
                         w_.order,  w_.cumulative, w_.window, w_.convolution, w_.random,   w_.matrix,  w_.positions, w_.other};
    int total = control_weight;
    for (int k : kinds) total += k;
    int const before = scope_.size();
    for (int tries = 0; tries < 30 && scope_.size() == before; ++tries) {
      int at = rng_.below(total), kind = 0;
      while (kind < 16 && at >= kinds[kind]) at -= kinds[kind++];
      switch (kind) {
        case 0: unary(); break;
        case 1: convert(); break;
        case 2: binary(); break;
        case 3: ternary(); break;
        case 4: movement(); break;
        case 5: dynamic(); break;
        case 6: reduction(); break;
        case 7: contraction(); break;
        case 8: order(); break;
        case 9: cumulative(); break;
        case 10: window(); break;
        case 11: convolution(); break;
        case 12: random(); break;
        case 13: matrix(); break;
        case 14: positions(); break;
        case 15: trifles(); break;
        default:
          if (depth <= 3 || rng_.chance(50)) control(depth - 1, false);
      }
      bool const grows = kind == 2 || (kind >= 5 && kind <= 11);
      for (int i = before; i < scope_.size() && grows; ++i) scope_[i] = bounded(scope_[i]);
    }
  }
  constexpr void control(int depth, bool dive) {
    bool const maps = !dive || w_.values == domain::smooth;
    int at = rng_.below(calls() + w_.scan + w_.loop + w_.branches + (maps ? w_.vmap : 0));
    if ((at -= w_.scan) < 0) scan(depth, dive);
    else if ((at -= w_.loop) < 0) loop(depth, dive);
    else if ((at -= w_.branches) < 0) branches(depth, dive);
    else if ((at -= calls()) < 0) call(depth, dive);
    else vmap(depth, dive);
  }
  constexpr void print() {
    int const v = pick([](aval const& a) { return a.rank == 0 && (a.type == dtype::i32 || a.type == dtype::f32); });
    if (v < 0) return;
    int const text = p_.names.empty() ? p_.add_name("{}") : 0;
    p_.emit(prim::debug_print, {v}, {text}, {});
  }

  // --- Values of a type

  // Constants are.
  static constexpr bool can_be_made(aval const& t) { return !is_key(t.type) && t.size() <= 400; }
  constexpr int constant(aval const& t) {
    if (t.rank == 0 || rng_.chance(60) || !is_simple(t.type)) return broadcast(literal(t.type), t);
    arena<std::uint64_t> bits;
    for (std::ptrdiff_t i = 0; i < t.size(); ++i) bits.push(special(t.type));
    return p_.add_constant(t, bits);
  }
  constexpr int value(aval const t) {
    bool const made = can_be_made(t);
    if (made && rng_.chance(6)) return constant(t);
    int const n = scope_.size(), start = rng_.chance(70) ? n - 1 : rng_.below(n);
    for (int i = 0; i < n; ++i) {
      int const v = scope_[(start + n - i) % n];
      if (type(v).matches(t) && !(made && rng_.chance(20))) return v;
    }
    return constant(t);
  }
  constexpr int scalar_number() { return value(aval(dtype::i32)); }
  constexpr int operand() {
    if (!rng_.chance(15)) return recent();
    return literal(main_type() != dtype::f64 && rng_.chance(50) ? dtype::i32 : input_type());
  }
  constexpr arena<aval> types(int n) {
    arena<aval> t;
    for (int k = 0; k < n; ++k) {
      aval const known = type(operand()), any = shape(input_type());
      t.push(can_be_made(known) && !(w_.values == domain::few && rng_.chance(70)) ? known : any);
    }
    return t;
  }

  // --- Blocks

  // Captured values of the block that is made next: they become operands.
  constexpr arena<int> captured() {
    arena<int> c, seen;
    for (int i = scope_.size() - 1; i >= 0 && seen.size() < 6; --i) {
      bool known = false;
      for (int v : seen) known = known || type(v).matches(type(scope_[i]));
      if (known) continue;
      seen.push(scope_[i]);
      if (rng_.chance(50)) c.push(scope_[i]);
    }
    if (rng_.chance(20)) c.push(constant(shape(input_type())));
    return c;
  }
  struct opened {
    arena<int> in, outer;
    int made_by_control = -1;
  };
  constexpr opened open(span<int> captures, span<aval> inputs) {
    opened o;
    p_.open();
    for (int v : captures) o.in.push(p_.add_value(type(v)));
    for (aval const& t : inputs) o.in.push(p_.add_value(t));
    o.outer = scope_;
    o.made_by_control = made_by_control_;
    made_by_control_ = -1;
    scope_ = o.in;
    if (scope_.empty()) scope_.push(literal(main_type() == dtype::f64 ? dtype::f64 : dtype::i32));
    return o;
  }
  constexpr int close(opened const& o, span<int> out) {
    int const id = p_.close(o.in, out);
    scope_ = o.outer;
    made_by_control_ = o.made_by_control;
    return id;
  }
  // Records it, if it is well typed; a block that nothing refers to does not matter.
  constexpr void finish(prim op, span<int> in, span<int> par, int n_out, span<int> sub) {
    if (make(op, in, par, n_out, sub) && n_out > 0) made_by_control_ = made_ + rng_.below(n_out);
  }
  // The number plus a constant.
  constexpr int counted(int x) {
    dtype const t = type(x).type;
    int const made = is_simple(t) && !is_bool(t) ? quiet(prim::add, {x, literal(t)}) : -1;
    return made < 0 ? x : bounded(made);
  }
  // The value with one element, or a run of them along an axis, replaced.
  constexpr int updated(int x) {
    aval const t = type(x);
    if (t.rank == 0 || t.size() == 0 || !is_simple(t.type)) return x;
    aval part = t;
    for (int i = 0; i < t.rank; ++i) part.dims[i] = rng_.chance(70) ? 1 : t.dims[i];
    arena<int> in;
    in.push(x);
    in.push(broadcast(mixed(aval(t.type)), part));
    for (int i = 0; i < t.rank; ++i) in.push(start(t.dims[i]));
    int const made = quiet(prim::dynamic_update_slice, in);
    return made < 0 ? x : made;
  }
  // The next values of carries: what was made last, what was there, a count or an update of it, that of another carry, or a constant.
  constexpr arena<int> next(span<aval> carry, span<int> inputs) {
    arena<int> out;
    for (int k = 0; k < carry.size(); ++k) {
      int v = rng_.chance(8) ? inputs[k] : rng_.chance(w_.connected) ? mixed(carry[k]) : value(carry[k]);
      if (rng_.chance(20)) v = carry[k].rank == 0 ? counted(inputs[k]) : updated(inputs[k]);
      if (rng_.chance(7))
        for (int i = 0; i < inputs.size(); ++i)
          if (type(inputs[i]).matches(carry[k])) v = inputs[i];
      out.push(v);
    }
    return out;
  }
  constexpr int equations_of_block() { return 1 + rng_.below(w_.dives ? 5 : 4); }

  constexpr int calls() const { return w_.call + w_.checkpoint + w_.custom_jvp + w_.custom_vjp; }
  constexpr void call(int depth, bool dive) {
    int at = w_.values == domain::smooth ? rng_.below(calls()) : 0;
    bool const stores = (at -= w_.call) < 0, checkpoints = !stores && (at -= w_.checkpoint) < 0;
    if (!stores && !checkpoints) return custom(at < w_.custom_jvp);
    arena<int> const in = captured();
    opened const o = open(in, {});
    equations(equations_of_block(), depth, dive);
    arena<int> made;
    for (int k = 1 + rng_.below(2); k > 0; --k) made.push(rng_.chance(w_.connected) ? mixed(type(recent())) : recent());
    int const id = close(o, made);
    if (checkpoints) finish(prim::checkpoint, in, checkpoint_parameters(), made.size(), {&id, 1});
    else finish(prim::jit, in, {p_.add_name("f")}, made.size(), {&id, 1});
  }
  // Up to two policies; of a name, where they take names.
  constexpr arena<int> checkpoint_parameters() {
    name_hash const hash(known_name);
    arena<int> par;
    par.push(0), par.push(rng_.below(2));
    for (int n = rng_.below(3); n > 0; --n) {
      par.push(rng_.below(7));
      bool const of_names = par.back() >= static_cast<int>(checkpoint_policy::save_anything_except_these_names);
      par.push(of_names);
      for (int k = 0; k < 2 && of_names; ++k) par.push(hash.words[k]);
    }
    return par;
  }
  // sin(x) y n, with a rule for its derivative, which may take the result; n is an integer.
  constexpr void custom(bool forward) {
    int const x = value(shape(dtype::f64)), y = value(type(x)), n = scalar_number();
    bool const of_results = x % 2 == 0;
    aval const t = type(x), no_tangent(dtype::b1);
    arena<int> in, out;
    auto const input = [&](aval const& of) {
      in.push(p_.add_value(of));
      return in.back();
    };
    auto const product = [&](int a, int b) { return quiet(prim::mul, {a, b}); };
    auto const opened_block = [&] {
      in = {}, out = {};
      p_.open();
    };
    auto const scaled = [&](int a, int by) {
      return product(a, quiet(prim::convert_element_type, {by}, {static_cast<int>(dtype::f64), 0}));
    };
    int ids[3] = {};
    for (int k = 0; k < 2; ++k) {
      opened_block();
      int const a = input(t), b = input(t), c = input(aval(dtype::i32)), s = quiet(prim::sin, {a});
      if (k == 0 || !forward || !of_results) out.push(scaled(product(s, b), c));
      if (k == 1 && forward) {
        if (of_results) input(t);
        int const ta = input(t), tb = input(t);
        input(no_tangent);
        int const first = product(product(ta, quiet(prim::cos, {a})), b), second = product(s, tb);
        out.push(scaled(quiet(prim::add_any, {first, second}), c));
      } else if (k == 1) {
        out.push(scaled(product(quiet(prim::cos, {a}), b), c));
        out.push(scaled(s, c));
      }
      ids[k] = p_.close(in, out);
    }
    int const name = p_.add_name("f");
    if (forward) return finish(prim::custom_jvp_call, {x, y, n}, {name}, 1, {ids, 2});
    opened_block();
    int const a = input(t), b = input(t), ct = input(t);
    out.push(product(a, ct)), out.push(product(b, ct)), out.push(p_.add_literal(dtype::b1, 0));
    ids[2] = p_.close(in, out);
    finish(prim::custom_vjp_call, {x, y, n}, {name, 2}, 1, {ids, 3});
  }
  constexpr void scan(int depth, bool dive) {
    int const n_carry = rng_.below(4), n_xs = rng_.below(3);
    int length = rng_.chance(10) ? rng_.below(2) : 2 + rng_.below(3);
    arena<int> in = captured();
    int const n_const = in.size();
    arena<aval> inputs = types(n_carry);
    for (int k = 0; k < n_carry; ++k) in.push(value(inputs[k]));
    for (int k = 0; k < n_xs; ++k) {  // a value, its first rows, or a constant
      int v = pick([&](aval const& a) {
        if (a.rank == 0) return false;
        return k == 0 && a.dims[0] < 6 ? a.dims[0] > 0 || rng_.chance(20) : a.dims[0] >= length;
      });
      if (v >= 0 && k == 0 && type(v).dims[0] < 6 && rng_.chance(80)) length = type(v).dims[0];
      if (v >= 0 && type(v).dims[0] < length) v = -1;
      if (v < 0 || rng_.chance(20)) v = constant(shape(input_type()).with_axis(0, length));
      else if (type(v).dims[0] > length) {
        int par[2 * max_rank] = {};
        for (int i = 0; i < type(v).rank; ++i) par[type(v).rank + i] = i == 0 ? length : type(v).dims[i];
        v = quiet(prim::slice, {v}, {par, 2 * type(v).rank});
      }
      if (v < 0) continue;
      in.push(v);
      inputs.push(type(v).without_axis(0));
    }
    opened const o = open({in.data(), n_const}, inputs);
    equations(equations_of_block(), depth, dive);
    arena<int> made = next({inputs.data(), n_carry}, {o.in.data() + n_const, n_carry});
    for (int k = n_carry == 0 ? 1 + rng_.below(2) : rng_.below(3); k > 0; --k) {
      if (rng_.chance(15) && !o.in.empty()) made.push(o.in[rng_.below(o.in.size())]);
      else made.push(rng_.chance(w_.connected) ? mixed(shape(input_type())) : recent());
    }
    int const n_out = made.size(), id = close(o, made);
    finish(prim::scan, in, {length, n_const, n_carry, rng_.below(2), 1}, n_out, {&id, 1});
  }
  // A counter and carries; at most four iterations.
  constexpr void loop(int depth, bool dive) {
    arena<int> in = captured();
    arena<int> const second = captured();
    int const n_cond = in.size(), n_body = second.size(), n_carry = 1 + rng_.below(3);
    for (int v : second) in.push(v);
    arena<aval> carry;
    carry.push(aval(dtype::i32));
    for (aval const& t : types(n_carry - 1)) carry.push(t);
    int const limit = number(dtype::i32, rng_.chance(8) ? 0 : 2 + rng_.below(3)), one = number(dtype::i32, 1);
    int const first = scalar_number(), least = number(dtype::i32, 0), most = number(dtype::i32, 3);
    in.push(rng_.chance(50) ? number(dtype::i32, rng_.below(2)) : quiet(prim::clamp, {least, first, most}));
    for (int k = 1; k < n_carry; ++k) in.push(value(carry[k]));
    opened o = open({in.data(), n_cond}, carry);
    int const in_condition = rng_.below(3);
    equations(in_condition, depth > 0 && w_.dives ? rng_.below(2) : 0, false);
    int go = quiet(prim::lt, {o.in[n_cond], limit});
    if (rng_.chance(45)) {
      int more = pick([](aval const& a) { return a.rank == 0 && is_bool(a.type); });
      if (more < 0) {
        prim const op = choose({prim::lt, prim::ge, prim::ne});
        more = quiet(op, {scalar_number(), scalar_number()});
      }
      go = quiet(prim::and_, {go, more});
    }
    int const cond = close(o, {&go, 1});
    o = open({in.data() + n_cond, n_body}, carry);
    equations(equations_of_block(), depth, dive);
    arena<int> made = next(carry, {o.in.data() + n_body, n_carry});
    made[0] = quiet(prim::add, {o.in[n_body], one});
    int const ids[] = {cond, close(o, made)};
    finish(prim::while_, in, {n_cond, n_body}, n_carry, ids);
  }
  constexpr void branches(int depth, bool dive) {
    int const n = 1 + rng_.below(3);
    int index = rng_.chance(6) ? literal(dtype::i32) : scalar_number();
    int const truth = pick([](aval const& a) { return is_bool(a.type) && a.rank == 0; });
    if (truth >= 0 && rng_.chance(40)) index = quiet(prim::convert_element_type, {truth}, {static_cast<int>(dtype::i32), 0});
    // As switch_ does: the vmap of a cond over its index stops what is not in range.
    if (w_.values == domain::smooth) index = quiet(prim::clamp, {number(dtype::i32, 0), index, number(dtype::i32, n - 1)});
    arena<int> in, ids;
    in.push(index);
    for (int v : captured()) in.push(v);
    arena<aval> const out = types(1 + rng_.below(3));
    rng const before = rng_;
    bool const same = rng_.chance(10);  // branches that are equal
    for (int k = 0; k < n; ++k) {
      if (k > 0 && same) rng_ = before;
      opened const o = open({in.data() + 1, in.size() - 1}, {});
      equations(equations_of_block(), depth, dive && k == 0);
      arena<int> made;
      for (aval const& t : out) {
        made.push(rng_.chance(w_.connected) ? mixed(t) : value(t));
        for (int i = 0; i < o.in.size() && rng_.chance(5); ++i)
          if (type(o.in[i]).matches(t)) made.back() = o.in[i];
      }
      ids.push(close(o, made));
    }
    finish(prim::cond, in, {}, out.size(), ids);
  }

  int made_by_control_ = -1;  // a result of the last loop or branch in scope
};

}  // namespace random_programs
