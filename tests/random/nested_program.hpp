// SPDX-License-Identifier: BSL-1.0
// Random programs of loops in branches in loops: scan, while with few turns, cond, jit, six deep at most, with captured values,
// carries of several shapes that stay, swap or depend on each other, and reads and updates at computed places inside.
#pragma once

#include <random/random_program.hpp>

namespace random_programs {

// What a nested program may contain besides control flow.
enum class content {
  all,
  no_products,  // of floats: contraction changes no bit
  prints        // as well
};

class nested_generator {
 public:
  constexpr nested_generator(std::uint32_t seed, content c) : rng_(seed * 7919u + 17u), content_(c) {}

  constexpr program run() {
    p_.open();
    arena<int> in, out;
    for (aval const& t : pool) in.push(p_.add_value(t));
    scope_ = in;
    int const deepest = 1 + rng_.below(6);
    equations(3 + rng_.below(4), deepest, true);
    for (int k = 1 + rng_.below(3); k > 0; --k) out.push(mixed(pool[rng_.below(5)]));
    p_.close(in, out);
    return p_.finish();
  }

 private:
  static constexpr aval pool[] = {aval(dtype::f32), aval(dtype::f32, {3}),  aval(dtype::f32, {2, 3}),
                                  aval(dtype::i32), aval(dtype::i32, {3}), aval(dtype::b1)};
  static constexpr aval scalar = pool[0], row = pool[1], matrix = pool[2], number = pool[3], numbers = pool[4], truth = pool[5];

  // --- Values ---

  constexpr aval const& type(int v) const { return p_.type(v); }
  constexpr int literal(aval const& t) {
    int const k = rng_.below(7);
    if (t.type == dtype::b1) return p_.add_literal(t.type, std::uint64_t(k & 1));
    return p_.add_literal(t.type, t.type == dtype::f32 ? detail::to_bits(static_cast<float>(k - 3) * 0.5f) : detail::to_bits(k - 2));
  }
  constexpr int constant(aval const& t) {
    if (t.rank == 0) return literal(t);
    if (rng_.chance(60)) return emit(prim::broadcast_in_dim, {literal(t)}, t, {t.dims, t.rank});
    arena<std::uint64_t> bits;
    for (std::ptrdiff_t i = 0; i < t.size(); ++i) {
      int const x = rng_.below(9) - 4;
      bits.push(t.type == dtype::f32 ? detail::to_bits(static_cast<float>(x)) : detail::to_bits(x));
    }
    return p_.add_constant(t, bits);
  }
  constexpr int value(aval const& t) {
    if (rng_.chance(6)) return constant(t);
    int const n = scope_.size(), start = rng_.chance(70) ? n - 1 : rng_.below(n);
    for (int i = 0; i < n; ++i) {
      int const v = scope_[(start + n - i) % n];
      if (type(v).matches(t) && !rng_.chance(20)) return v;
    }
    return constant(t);
  }
  // A value that depends on what the last loop or branch made, or on what was made last, so that little is dead.
  constexpr int mixed(aval const& t) {
    int v = scope_.back();
    int const of = rng_.below(scope_.size());
    if (made_by_control_ >= 0 && rng_.chance(90)) v = made_by_control_;
    else if (rng_.chance(30)) v = scope_[of];
    aval const from = type(v);
    aval const one(from.type);
    int axes[max_rank] = {};
    for (int i = 0; i < from.rank; ++i) axes[i] = i;
    if (from.rank > 0) v = emit(is_bool(from.type) ? prim::reduce_or : prim::reduce_max, {v}, one, {axes, from.rank});
    if (from.type != t.type) v = emit(prim::convert_element_type, {v}, aval(t.type), {static_cast<int>(t.type), 0});
    prim const op = choose({prim::add, prim::max, prim::sub, prim::min});
    int const made = emit(op, {value(t), v}, t);
    scope_.push(made);
    return made;
  }
  constexpr int emit(prim op, span<int> in, aval const& t, span<int> par = {}) { return p_.emit_one(op, in, par, t); }
  constexpr prim choose(std::initializer_list<prim> of) { return of.begin()[rng_.below(static_cast<int>(of.size()))]; }

  // --- Equations without blocks ---

  constexpr int simple() {
    switch (rng_.below(16)) {
      default: {
        aval const t = pool[rng_.below(5)];
        bool const product = t.type != dtype::f32 || content_ != content::no_products;
        prim const op = choose({prim::add, prim::sub, product ? prim::mul : prim::min, prim::max, prim::add});
        return emit(op, {value(t), rng_.chance(25) ? value(aval(t.type)) : value(t)}, t);
      }
      case 6: {
        aval const t = pool[rng_.below(5)];
        prim const op = choose({prim::neg, prim::abs, prim::sign});
        return emit(op, {value(t)}, t);
      }
      case 7: return compare();
      case 8: {
        aval const t = pool[rng_.below(5)];
        return emit(prim::select_n, {value(truth), value(t), value(t)}, t);
      }
      case 9: return read(matrix, aval(dtype::f32, {1, 3}), row);
      case 10: {
        int const update = emit(prim::broadcast_in_dim, {value(row)}, aval(dtype::f32, {1, 3}), {1, 3, 1});
        return emit(prim::dynamic_update_slice, {value(matrix), update, value(number), value(number)}, matrix);
      }
      case 11: {
        int const update = emit(prim::broadcast_in_dim, {value(scalar)}, aval(dtype::f32, {1}), {1});
        prim const op = choose({prim::update_slice, prim::update_slice_add, prim::update_slice_max});
        int const at = rng_.below(3);
        return emit(op, {value(row), update}, row, {at, 1});
      }
      case 12:
        if (rng_.chance(50)) return emit(prim::reduce_sum, {value(row)}, scalar, {0});
        return rng_.chance(50) ? emit(prim::reduce_sum, {value(matrix)}, row, {0}) : emit(prim::reduce_max, {value(matrix)}, row, {0});
      case 13:
        if (rng_.chance(30)) return emit(prim::iota, {}, numbers, {static_cast<int>(dtype::i32), 0, 3});
        if (rng_.chance(50)) return emit(prim::broadcast_in_dim, {value(row)}, matrix, {2, 3, 1});
        return emit(prim::broadcast_in_dim, {value(scalar)}, row, {3});
      case 14:
        if (rng_.chance(50)) return emit(prim::convert_element_type, {value(numbers)}, row, {static_cast<int>(dtype::f32), 0});
        return emit(prim::convert_element_type, {value(number)}, scalar, {static_cast<int>(dtype::f32), 0});
      case 15: return rng_.chance(40) ? emit(prim::rev, {value(row)}, row, {0}) : read(row, aval(dtype::f32, {1}), scalar);
    }
  }
  constexpr int compare() {
    aval const t = rng_.chance(50) ? number : scalar;
    prim const op = choose({prim::lt, prim::ge, prim::eq});
    return emit(op, {value(t), value(t)}, truth);
  }
  constexpr int read(aval const& from, aval const& part, aval const& to) {
    int const x = value(from), i = value(number), j = value(number);
    int const in[] = {x, i, j};
    return emit(prim::reshape, {emit(prim::dynamic_slice, {in, 1 + from.rank}, part, {part.dims, part.rank})}, to, {to.dims, to.rank});
  }
  constexpr void print() {
    int const text = p_.names.empty() ? p_.add_name("{}") : 0, v = value(rng_.chance(50) ? number : scalar);
    p_.emit(prim::debug_print, {v}, {text}, {});
  }

  // --- Blocks ---

  constexpr void equations(int n, int depth, bool dive) {
    for (int i = 0; i < n; ++i) {
      if (content_ == content::prints && rng_.chance(10)) print();
      if (depth > 0 && ((dive && i == n / 2) || rng_.chance(depth > 3 ? 10 : 25))) control(depth - 1, dive && i == n / 2);
      else scope_.push(simple());
    }
  }
  constexpr void control(int depth, bool dive) {
    int const kind = rng_.below(10);
    if (kind < 3) scan(depth, dive);
    else if (kind < 6) loop(depth, dive);
    else if (kind < 9) branches(depth, dive);
    else call(depth, dive);
  }

  // Captured values of the block that is made next: they become operands.
  constexpr arena<int> captured() {
    arena<int> c;
    for (aval const& t : pool)
      for (int i = scope_.size() - 1; i >= 0; --i)
        if (type(scope_[i]).matches(t) && rng_.chance(50)) {
          c.push(scope_[i]);
          break;
        }
    if (rng_.chance(20)) c.push(constant(pool[rng_.below(5)]));
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
    if (scope_.empty()) scope_.push(literal(number));
    return o;
  }
  constexpr int close(opened const& o, span<int> out) {
    int const id = p_.close(o.in, out);
    scope_ = o.outer;
    made_by_control_ = o.made_by_control;
    return id;
  }
  constexpr arena<aval> types(int n) {
    arena<aval> t;
    for (int k = 0; k < n; ++k) {
      int const kind = rng_.below(10);
      t.push(pool[kind < 3 ? 0 : kind < 6 ? 1 : kind < 7 ? 2 : kind < 9 ? 3 : 4]);
    }
    return t;
  }
  // The next values of carries: what was made last, what was there, that of another carry, or a constant.
  constexpr arena<int> next(span<aval> carry, span<int> inputs) {
    arena<int> out;
    for (int k = 0; k < carry.size(); ++k) {
      int v = rng_.chance(8) ? inputs[k] : rng_.chance(80) ? mixed(carry[k]) : value(carry[k]);
      if (rng_.chance(7))
        for (int i = 0; i < inputs.size(); ++i)
          if (type(inputs[i]).matches(carry[k])) v = inputs[i];
      out.push(v);
    }
    return out;
  }
  constexpr void results(prim op, span<int> in, span<int> par, span<aval> out, span<int> blocks) {
    int const first = p_.emit(op, in, par, out, blocks);
    for (int k = 0; k < out.size(); ++k) scope_.push(first + k);
    if (!out.empty()) made_by_control_ = first + rng_.below(out.size());
  }

  constexpr void scan(int depth, bool dive) {
    int const length = rng_.chance(10) ? rng_.below(2) : 2 + rng_.below(2), n_carry = rng_.below(4), n_xs = rng_.below(3);
    arena<int> in = captured();
    int const n_const = in.size();
    arena<aval> inputs = types(n_carry), out = inputs;
    for (int k = 0; k < n_carry; ++k) in.push(value(inputs[k]));
    for (int k = 0; k < n_xs; ++k) {  // rows of a matrix, of numbers, or of a broadcast
      int const which = rng_.below(3);
      aval const t = which == 0 ? row : which == 1 ? scalar : number, of = t.with_axis(0, length);
      aval const from = which == 0 ? matrix : which == 1 ? row : numbers;
      if (from.matches(of)) in.push(value(from));
      else if (rng_.chance(30) || from.dims[0] < length) in.push(constant(of));
      else {
        int par[2 * max_rank];
        for (int i = 0; i < of.rank; ++i) par[i] = 0, par[of.rank + i] = of.dims[i];
        in.push(emit(prim::slice, {value(from)}, of, {par, 2 * of.rank}));
      }
      inputs.push(t);
    }
    opened const o = open({in.data(), n_const}, inputs);
    equations(1 + rng_.below(5), depth, dive);
    arena<int> made = next({inputs.data(), n_carry}, {o.in.data() + n_const, n_carry});
    for (int k = n_carry == 0 ? 1 : rng_.below(3); k > 0; --k) {
      int const v = rng_.chance(15) && !o.in.empty() ? o.in[rng_.below(o.in.size())] : mixed(pool[rng_.below(5)]);
      made.push(v);
      out.push(type(v).with_axis(0, length));
    }
    int const id = close(o, made);
    int const reverse = rng_.below(2);
    results(prim::scan, in, {length, n_const, n_carry, reverse, 1}, out, {&id, 1});
  }
  // A counter and carries; at most four turns.
  constexpr void loop(int depth, bool dive) {
    arena<int> in = captured(), second = captured();
    int const n_cond = in.size(), n_body = second.size(), n_carry = 1 + rng_.below(3);
    for (int v : second) in.push(v);
    arena<aval> carry;
    carry.push(number);
    for (aval const& t : types(n_carry - 1)) carry.push(t);
    int const turns = rng_.chance(8) ? 0 : 2 + rng_.below(3);
    int const limit = p_.add_literal(dtype::i32, detail::to_bits(turns)), one = p_.add_literal(dtype::i32, detail::to_bits(1));
    in.push(rng_.chance(60) ? p_.add_literal(dtype::i32, detail::to_bits(rng_.below(2)))
                            : emit(prim::clamp, {p_.add_literal(dtype::i32, 0), value(number), p_.add_literal(dtype::i32, 3)}, number));
    for (int k = 1; k < n_carry; ++k) in.push(value(carry[k]));
    opened o = open({in.data(), n_cond}, carry);
    int const in_condition = rng_.below(3);
    equations(in_condition, depth > 0 ? rng_.below(2) : 0, false);
    int go = emit(prim::lt, {o.in[n_cond], limit}, truth);
    if (rng_.chance(40)) go = emit(prim::and_, {go, compare()}, truth);
    int const cond = close(o, {&go, 1});
    o = open({in.data() + n_cond, n_body}, carry);
    equations(1 + rng_.below(5), depth, dive);
    arena<int> made = next(carry, {o.in.data() + n_body, n_carry});
    made[0] = emit(prim::add, {o.in[n_body], one}, number);
    int const blocks[] = {cond, close(o, made)};
    results(prim::while_, in, {n_cond, n_body}, carry, blocks);
  }
  constexpr void branches(int depth, bool dive) {
    int const n = 1 + rng_.below(3);
    int index = rng_.chance(6) ? literal(number) : value(number);
    if (rng_.chance(40)) index = emit(prim::convert_element_type, {value(truth)}, number, {static_cast<int>(dtype::i32), 0});
    arena<int> in, blocks;
    in.push(index);
    for (int v : captured()) in.push(v);
    arena<aval> const out = types(1 + rng_.below(3));
    rng const before = rng_;
    int const same = rng_.chance(10);  // branches that are equal
    for (int k = 0; k < n; ++k) {
      if (k > 0 && same) rng_ = before;
      opened const o = open({in.data() + 1, in.size() - 1}, {});
      equations(1 + rng_.below(4), depth, dive && k == 0);
      arena<int> made;
      for (aval const& t : out) {
        made.push(rng_.chance(85) ? mixed(t) : value(t));
        for (int i = 0; i < o.in.size() && rng_.chance(5); ++i)
          if (type(o.in[i]).matches(t)) made.back() = o.in[i];
      }
      blocks.push(close(o, made));
    }
    results(prim::cond, in, {}, out, blocks);
  }
  constexpr void call(int depth, bool dive) {
    arena<int> const in = captured();
    opened const o = open(in, {});
    equations(1 + rng_.below(4), depth, dive);
    int const made = mixed(pool[rng_.below(5)]);
    aval const out = type(made);
    int const id = close(o, {&made, 1});
    results(prim::jit, in, {p_.add_name("f")}, {&out, 1}, {&id, 1});
  }

  rng rng_;
  content content_;
  program_builder p_;
  arena<int> scope_;
  int made_by_control_ = -1;  // a result of the last loop or branch in scope
};

constexpr program nested_program(std::uint32_t seed, content c = content::all) { return nested_generator(seed, c).run(); }

template <std::uint32_t Seed>
struct nested_source {
  static constexpr program make() { return nested_program(Seed); }
};

}  // namespace random_programs
