// SPDX-License-Identifier: BSL-1.0
// Random programs over all primitives, of all dtypes: composites, orders, windows, indexed reads and updates at traced places,
// convolutions, keys, half and complex numbers, in loops, branches and vmaps over one or two axes. Inputs and results are numbers that
// are computed in, since these are compared bit by bit. The bits of a NaN are not anyone's: where they would show, there is none.
#pragma once

#include <random/wide_composites.hpp>

namespace wide_programs {

class generator : composites {
 public:
  constexpr explicit generator(std::uint32_t seed) : composites(seed) {}

  constexpr program run(int equations) {
    p_.open();
    arena<int> in;
    in.push(p_.add_value(shape(dtype::f32)));
    in.push(p_.add_value(shape(dtype::i32)));
    for (int k = rng_.below(4); k > 0; --k) in.push(p_.add_value(shape(input_type())));
    bool const mapped = rng_.chance(50);
    int big = -1, big2 = -1;
    if (mapped) {
      int const rows[] = {1, 5, 8, 17, 33, 37, 70, 131};
      int const n = rows[rng_.below(8)];
      aval a(rng_.chance(50) ? dtype::f32 : input_type()), b(rng_.chance(60) ? dtype::i32 : input_type());
      for (aval* t : {&a, &b}) {
        for (int k = rng_.below(3); k > 0; --k) t->dims[t->rank++] = 1 + rng_.below(4);
        *t = t->with_axis(rng_.below(t->rank + 1), n);
      }
      in.push(big = p_.add_value(a));
      in.push(big2 = p_.add_value(b));
    }
    scope_ = in;
    for (int i = 0; i < equations; ++i) {
      if (mapped && i == equations / 2) {
        for (int tries = 0; tries < 5; ++tries) {
          int const before = scope_.size();
          vmap(2, big, big2);
          if (scope_.size() > before) break;
        }
      } else {
        equation(2);
      }
    }
    arena<int> out;
    for (int k = 2 + rng_.below(3); k > 0; --k) {
      int const last = scope_.size() - 1 - rng_.below(scope_.size() < 3 ? scope_.size() : 3);
      out.push(visible(k > 2 ? any() : scope_[last]));
    }
    p_.close(in, out);
    return p_.finish();
  }

 private:
  constexpr void equation(int depth) {
    int const before = scope_.size();
    for (int tries = 0; tries < 30 && scope_.size() == before; ++tries) {
      int const kind = rng_.below(34);
      if (kind < 3) unary();
      else if (kind < 5) convert();
      else if (kind < 9) binary();
      else if (kind < 11) ternary();
      else if (kind < 14) movement();
      else if (kind < 17) dynamic();
      else if (kind < 19) reduction();
      else if (kind < 21) order();
      else if (kind < 22) cumulative();
      else if (kind < 23) window();
      else if (kind < 24) contraction();
      else if (kind < 25) convolution();
      else if (kind < 26) random();
      else if (kind < 27) { if (rng_.chance(30)) matrix(); }
      else if (kind < 28) trifles();
      else if (depth == 0) unary();
      else if (kind == 28) call(depth - 1);
      else if (kind == 29) scan(depth - 1);
      else if (kind == 30) loop(depth - 1);
      else if (kind == 31) branches(depth - 1);
      else vmap(depth - 1);
    }
  }

  // --- Blocks
  constexpr int body(span<aval> types, int from, int kept, int more, int depth, arena<aval>* outs = nullptr) {
    arena<int> const outer = scope_;
    p_.open();
    arena<int> in, out;
    for (aval const& t : types) in.push(p_.add_value(t));
    scope_ = in;
    if (scope_.empty()) scope_.push(literal(dtype::f32));
    int const n = 1 + rng_.below(4);
    bool const force = force_ != 0;
    force_ = 0;
    for (int i = 0; i < n; ++i) {
      equation(depth);
      if (force && i == n / 2 && depth > 0) {
        int const which = rng_.below(3);
        if (which == 0) scan(depth - 1);
        else if (which == 1) loop(depth - 1);
        else branches(depth - 1);
      }
    }
    for (int k = 0; k < kept; ++k) {
      aval const want = types[from + k];
      int v = rng_.chance(15) ? -1 : -2;
      if (v == -2) {
        for (int i = scope_.size() - 1; i >= 0 && v < 0; --i)
          if (type(scope_[i]).matches(want) && !rng_.chance(15)) v = scope_[i];
      }
      out.push(v >= 0 ? v : in[from + k]);
    }
    for (int k = 0; k < more; ++k) out.push(recent());
    if (outs) for (int v : out) outs->push(type(v));
    int const id = p_.close(in, out);
    scope_ = outer;
    return id;
  }
  constexpr int operand() { return rng_.chance(15) ? literal(rng_.chance(50) ? dtype::f32 : dtype::i32) : recent(); }
  constexpr void call(int depth) {
    arena<int> in;
    arena<aval> types;
    for (int k = 1 + rng_.below(3); k > 0; --k) {
      in.push(operand());
      types.push(type(in.back()));
    }
    int const n = 1 + rng_.below(2), id = body(types, 0, 0, n, depth);
    make(prim::jit, in, {p_.add_name("f")}, n, {&id, 1});
  }
  constexpr void scan(int depth) {
    arena<int> in;
    arena<aval> types;
    int const n_const = rng_.below(3), n_carry = rng_.below(3);
    for (int k = 0; k < n_const + n_carry; ++k) {
      in.push(operand());
      types.push(type(in.back()));
    }
    int length = rng_.below(5);
    int const xs = pick([&](aval const& a) { return a.rank > 0 && a.dims[0] < 6; });
    if (xs >= 0 && rng_.chance(80)) {
      length = type(xs).dims[0];
      in.push(xs);
      types.push(type(xs).without_axis(0));
    }
    int const more = n_carry == 0 ? 1 + rng_.below(2) : rng_.below(3);
    int const id = body(types, n_const, n_carry, more, depth);
    make(prim::scan, in, {length, n_const, n_carry, rng_.below(2), 1}, n_carry + more, {&id, 1});
  }
  constexpr void loop(int depth) {
    arena<int> in;
    arena<aval> types;
    int const n_cond = rng_.below(2), n_body = rng_.below(3), n_carry = 1 + rng_.below(3);
    int const limit = 1 + rng_.below(4);
    for (int k = 0; k < n_cond + n_body; ++k) in.push(operand());
    for (int k = 0; k < n_cond; ++k) types.push(type(in[k]));
    // the counter comes from the data, in bounds
    int counter = pick([](aval const& a) { return a.type == dtype::i32 && a.rank == 0; });
    counter = counter < 0 || rng_.chance(30) ? number(dtype::i32, rng_.below(2)) : quiet(prim::clamp, {number(dtype::i32, 0), counter,
            number(dtype::i32, 3)});
    in.push(counter);
    types.push(aval(dtype::i32));
    for (int k = 1; k < n_carry; ++k) {
      in.push(operand());
      types.push(type(in.back()));
    }
    // condition
    arena<int> const outer = scope_;
    p_.open();
    arena<int> cin;
    for (aval const& t : types) cin.push(p_.add_value(t));
    scope_ = cin;
    for (int k = rng_.below(3); k > 0; --k) equation(0);
    int go = quiet(prim::lt, {cin[n_cond], number(dtype::i32, limit)});
    if (rng_.chance(50)) {
      int const f = pick([](aval const& a) { return a.rank == 0 && a.type == dtype::b1; });
      if (f >= 0) go = quiet(prim::and_, {go, f});
    }
    int const cond = p_.close(cin, {&go, 1});
    scope_ = outer;
    // body
    p_.open();
    arena<int> bin, out;
    for (int k = 0; k < n_body; ++k) bin.push(p_.add_value(type(in[n_cond + k])));
    for (int k = 0; k < n_carry; ++k) bin.push(p_.add_value(type(in[n_cond + n_body + k])));
    scope_ = bin;
    for (int k = 1 + rng_.below(4); k > 0; --k) equation(depth);
    out.push(quiet(prim::add, {bin[n_body], number(dtype::i32, 1)}));
    for (int k = 1; k < n_carry; ++k) {
      aval const want = type(bin[n_body + k]);
      int v = -1;
      for (int i = scope_.size() - 1; i >= 0 && v < 0; --i)
        if (type(scope_[i]).matches(want) && !rng_.chance(15)) v = scope_[i];
      out.push(v >= 0 ? v : bin[n_body + k]);
    }
    int const ids[] = {cond, p_.close(bin, out)};
    scope_ = outer;
    make(prim::while_, in, {n_cond, n_body}, n_carry, ids);
  }
  constexpr void branches(int depth) {
    int idx = pick([](aval const& a) { return a.type == dtype::i32 && a.rank == 0; });
    if (rng_.chance(40) || idx < 0) {
      int const b = pick([](aval const& a) { return a.type == dtype::b1 && a.rank == 0; });
      if (b >= 0) idx = quiet(prim::convert_element_type, {b}, {static_cast<int>(dtype::i32), 0});
    }
    if (idx < 0) return;
    arena<int> in, ids;
    arena<aval> types;
    in.push(idx);
    for (int k = 1 + rng_.below(3); k > 0; --k) {
      in.push(operand());
      types.push(type(in.back()));
    }
    int const kept = types.size();
    for (int k = 1 + rng_.below(3); k > 0; --k) ids.push(body(types, 0, kept, 0, depth));
    make(prim::cond, in, {}, kept, ids);
  }
  constexpr void vmap(int depth, int big = -1, int big2 = -1) {
    int const n_axes = rng_.chance(25) ? 2 : 1;
    int sizes[2] = {}, in_rank = 0;
    arena<int> in, dims;  // dims: n_axes for each
    int first = pick([&](aval const& a) { return a.rank >= n_axes; });
    if (big >= 0 && type(big).rank >= n_axes) first = big;
    if (first < 0) return;
    in_rank = type(first).rank;
    int places[max_rank] = {};
    permutation(places, in_rank);
    in.push(first);
    for (int a = 0; a < n_axes; ++a) {
      sizes[a] = type(first).dims[places[a]];
      dims.push(places[a]);
    }
    for (int k = rng_.below(3) + (big >= 0); k > 0; --k) {
      int const v = big >= 0 && k == 1 ? big2 : operand();
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
    arena<aval> types, outs;
    for (int k = 0; k < in.size(); ++k) {
      aval const t = type(in[k]);
      aval row(t.type);
      for (int i = 0; i < t.rank; ++i) {
        bool mapped = false;
        for (int a = 0; a < n_axes; ++a) mapped = mapped || dims[k * n_axes + a] == i;
        if (!mapped) row.dims[row.rank++] = t.dims[i];
      }
      types.push(row);
    }
    if (big >= 0) force_ = 1;
    int const n = 1 + rng_.below(2), id = body(types, 0, 0, n, depth, &outs);
    arena<int> par;
    par.push(n_axes);
    for (int a = 0; a < n_axes; ++a) par.push(sizes[a]);
    for (int d : dims) par.push(d);
    for (aval const& t : outs) {
      if (t.rank + n_axes > 5) return;
      int perm[max_rank] = {};
      permutation(perm, t.rank + n_axes);
      for (int a = 0; a < n_axes; ++a) par.push(perm[a]);
    }
    make(prim::vmap, in, par, n, {&id, 1});
  }

  int force_ = 0;  // the next body has a loop or a branch
};

constexpr program wide_program(std::uint32_t seed, int equations) { return generator(seed).run(equations); }

}  // namespace wide_programs
