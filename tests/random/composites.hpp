// SPDX-License-Identifier: BSL-1.0
// Random programs, part 3: reductions, orders, windows, contractions, convolutions, keys, matrices.
#pragma once

#include <random/places.hpp>

namespace random_programs {

class composites : protected places {
 protected:
  using places::places;

  constexpr void reduction() {
    int const x = recent();
    aval const t = type(x);
    int par[max_rank] = {}, n = 0;
    for (int i = 0; i < t.rank; ++i)
      if (rng_.chance(60)) par[n++] = i;
    if (is_key(t.type)) return;
    if ((w_.functions || w_.values == domain::smooth) && rng_.chance(30) && t.rank > 0) {
      prim const op = rng_.chance(50) ? prim::argmax : prim::argmin;
      make(op, {x}, {rng_.below(t.rank), static_cast<int>(rng_.chance(70) || w_.values == domain::smooth ? dtype::i32 : any_type())});
      return;
    }
    if (w_.functions && rng_.chance(20) && !is_complex(t.type) && !is_bool(t.type)) return reduce(x, {par, n});
    if (is_bool(t.type)) make(choose({prim::reduce_and, prim::reduce_or, prim::reduce_xor}), {x}, {par, n});
    else if (!is_floating(t.type) && rng_.chance(30)) make(choose({prim::reduce_and, prim::reduce_or, prim::reduce_xor}), {x}, {par, n});
    else
      make(choose({prim::reduce_sum, w_.products ? prim::reduce_prod : prim::reduce_sum, prim::reduce_max, prim::reduce_min}), {x}, {par, n});
  }
  // (a, b) -> max(a, b) + 0 * ..., not a known one; and pairs
  constexpr int combiner(dtype t, int kind, dtype second) {
    aval const s(t), s2(second);
    p_.open();
    arena<int> in, out;
    if (kind < 2) {
      int const a = p_.add_value(s), b = p_.add_value(s);
      in.push(a), in.push(b);
      int const op[] = {a, b};
      int const m = emit1(kind == 0 ? prim::max : prim::add, op, s);
      if (kind == 0) out.push(m);
      else {
        int const more[] = {m, a};
        out.push(emit1(prim::max, more, s));
      }
    } else {
      int const a = p_.add_value(s), i = p_.add_value(s2), b = p_.add_value(s), j = p_.add_value(s2);
      in.push(a), in.push(i), in.push(b), in.push(j);
      aval const truth(dtype::b1);
      int const ab[] = {a, b};
      int const less = emit1(prim::lt, ab, truth);
      int const sel[] = {less, a, b}, sel2[] = {less, i, j};
      out.push(emit1(prim::select_n, sel, s));
      out.push(emit1(prim::select_n, sel2, s2));
    }
    return p_.close(in, out);
  }
  constexpr void reduce(int x, span<int> axes) {
    aval const t = type(x);
    int const kind = rng_.below(3);
    if (kind < 2) {
      int const id = combiner(t.type, kind, t.type);
      make(prim::reduce, {x, literal(t.type)}, axes, 1, {&id, 1});
    } else {
      int const y = pick([&](aval const& a) { return a.same_shape(t) && !is_key(a.type); });
      if (y < 0) return;
      int const id = combiner(t.type, kind, type(y).type);
      make(prim::reduce, {x, y, literal(t.type), literal(type(y).type)}, axes, 2, {&id, 1});
    }
  }
  constexpr void order() {
    int const x = recent();
    aval const t = type(x);
    if (t.rank == 0 || is_key(t.type)) return;
    int const axis = rng_.below(t.rank);
    if (rng_.chance(30)) {
      int const c = clean(x);
      if (c >= 0 && !is_complex(t.type)) make(prim::top_k, {c}, {rng_.below(t.dims[axis] + 1), axis, 1}, 2);
      return;
    }
    arena<int> in;
    in.push(x);
    for (int k = rng_.below(3); k > 0; --k) {
      int const y = pick([&](aval const& a) { return a.same_shape(t) && !is_key(a.type); });
      if (y >= 0) in.push(y);
    }
    if (rng_.chance(25)) {
      int par[2 + max_rank] = {static_cast<int>(dtype::i32), axis};
      for (int i = 0; i < t.rank; ++i) par[2 + i] = t.dims[i];
      in.push(quiet(prim::iota, {}, {par, 2 + t.rank}));
    }
    if (w_.values != domain::smooth && rng_.chance(20) && t.dims[axis] < 10 && !is_complex(t.type)) {
      for (int v : in)
        if (v < 0) return;
      p_.open();
      arena<int> ins;
      for (int v : in) {
        ins.push(p_.add_value(aval(type(v).type)));
        ins.push(p_.add_value(aval(type(v).type)));
      }
      int const ab[] = {ins[0], ins[1]};
      int const r = emit1(rng_.chance(50) ? prim::gt : prim::lt, ab, aval(dtype::b1));
      int const id = p_.close(ins, {&r, 1});
      // NaN do not compare as an order: only without them
      in[0] = clean(in[0]);
      if (in[0] < 0) return;
      make(prim::sort, in, {axis, 1, 1}, in.size(), {&id, 1});
      return;
    }
    make(prim::sort, in, {axis, rng_.below(2) | 1, 1 + rng_.below(in.size())}, in.size());
  }
  constexpr void cumulative() {
    int const x = recent();
    if (type(x).rank == 0) return;
    prim const op = choose({prim::cumsum, prim::cumprod, prim::cummax, prim::cummin, prim::cumlogsumexp});
    int const axis = rng_.below(type(x).rank), how = rng_.below(4);
    int const par[] = {axis, how & 1, 1};
    make(op, {x}, {par, how & 2 ? 3 : 2});
  }
  constexpr void window() {
    int const x = recent();
    aval const t = type(x);
    if (t.rank == 0 || is_key(t.type)) return;
    int par[6 * max_rank] = {};
    int const r = t.rank;
    for (int i = 0; i < r; ++i) {
      par[i] = 1 + (rng_.chance(60) ? rng_.below(4) : 0);
      par[r + i] = 1 + (rng_.chance(40) ? rng_.below(3) : 0);
      par[2 * r + i] = rng_.chance(40) ? rng_.below(3) : 0;
      par[3 * r + i] = rng_.chance(40) ? rng_.below(3) : 0;
      par[4 * r + i] = rng_.chance(15) ? 2 : 1;
      par[5 * r + i] = rng_.chance(15) ? 2 : 1;
    }
    if (w_.values != domain::smooth && rng_.chance(25) && !is_complex(t.type) && !is_bool(t.type)) {
      int const id = combiner(t.type, rng_.below(2), t.type);
      make(prim::reduce_window, {x, literal(t.type)}, {par, 6 * r}, 1, {&id, 1});
      return;
    }
    // Windows of nothing but padding have infinite extrema.
    if (w_.values == domain::smooth) make(prim::reduce_window_sum, {x}, {par, 6 * r});
    else make(choose({prim::reduce_window_sum, prim::reduce_window_max, prim::reduce_window_min}), {x}, {par, 6 * r});
  }
  constexpr void contraction() {
    int const x = recent();
    aval const t = type(x);
    if (t.rank == 0 || is_bool(t.type) || is_key(t.type)) return;
    int const y = pick([&](aval const& a) { return a.type == t.type && a.rank > 0; });
    if (y < 0) return;
    aval const u = type(y);
    arena<int> lc, rc, lb, rb;
    for (int i = 0; i < t.rank; ++i) {
      if (rng_.chance(30)) continue;
      bool used = false;
      for (int j = 0; j < u.rank && !used; ++j) {
        if (t.dims[i] != u.dims[j] || detail::contains(rc, j) || detail::contains(rb, j)) continue;
        used = true;
        if (rng_.chance(60)) lc.push(i), rc.push(j);
        else lb.push(i), rb.push(j);
      }
    }
    arena<int> par;
    par.push(lc.size());
    for (int a : lc) par.push(a);
    for (int a : rc) par.push(a);
    par.push(lb.size());
    for (int a : lb) par.push(a);
    for (int a : rb) par.push(a);
    dtype const to = !w_.functions || rng_.chance(80) ? t.type : any_type();
    par.push(static_cast<int>(to));
    par.push(rng_.below(2));
    if (is_complex(t.type) != is_complex(to)) return;
    make(prim::dot_general, {x, y}, par);
  }
  constexpr void convolution() {
    int const x = recent();
    dtype const t = type(x).type;
    if (is_bool(t) || is_key(t)) return;
    int const s = 1 + rng_.below(2), fg = rng_.chance(20) ? 2 : 1, bg = fg == 1 && rng_.chance(15) ? 2 : 1;
    aval a(t), b(t);
    a.rank = b.rank = s + 2;
    a.dims[0] = bg * (1 + rng_.below(2));
    a.dims[1] = fg * (1 + rng_.below(2));
    b.dims[0] = fg * bg * (1 + rng_.below(2));
    b.dims[1] = a.dims[1] / fg;
    for (int i = 0; i < s; ++i) a.dims[2 + i] = rng_.chance(8) ? 0 : 3 + rng_.below(s == 1 ? 15 : 4), b.dims[2 + i] = 1 + rng_.below(3);
    // contents: x, repeated
    int const n = static_cast<int>(type(x).size());
    if (n == 0) return;
    int const flat = quiet(prim::reshape, {x}, {n});
    auto const filled = [&](aval const& want) {
      int v = flat;
      int have = n;
      int const size = static_cast<int>(want.size());
      for (int guard = 0; have < size && guard < 10; ++guard) {
        v = quiet(prim::concatenate, {v, v}, {0});
        if (v < 0) return -1;
        have *= 2;
      }
      if (have < size) return -1;
      v = quiet(prim::slice, {v}, {0, size});
      if (v < 0) return -1;
      return quiet(prim::reshape, {v}, {want.dims, want.rank});
    };
    int const va = filled(a), vb = filled(b);
    if (va < 0 || vb < 0) return;
    arena<int> par;
    par.push(s);
    for (int i = 0; i < s; ++i) par.push(1 + rng_.below(2));
    for (int i = 0; i < s; ++i) par.push(rng_.below(4) - 1);
    for (int i = 0; i < s; ++i) par.push(rng_.below(4) - 1);
    for (int i = 0; i < s; ++i) par.push(rng_.chance(30) ? 2 : 1);
    for (int i = 0; i < s; ++i) par.push(rng_.chance(30) ? 2 : 1);
    par.push(fg);
    par.push(bg);
    par.push(static_cast<int>(t));
    int ins[2] = {va, vb};
    if (rng_.chance(40)) {
      for (int k = 0; k < 3; ++k) {
        int perm[max_rank] = {};
        permutation(perm, s + 2);
        for (int i = 0; i < s + 2; ++i) par.push(perm[i]);
        if (k == 2) continue;
        // operand axes: conv axis i stands at perm[i]
        int inverse[max_rank] = {};
        for (int i = 0; i < s + 2; ++i) inverse[perm[i]] = i;
        ins[k] = quiet(prim::transpose, {ins[k]}, {inverse, s + 2});
      }
    }
    make(prim::conv_general_dilated, ins, par);
  }
  constexpr void random() {
    int key = pick([](aval const& a) { return is_key(a.type); });
    if (key < 0 || rng_.chance(20)) {
      int const s = pick([](aval const& a) { return is_integer(a.type) && a.size() < 7; });
      if (s < 0 || !make(prim::random_seed, {s})) return;
      key = scope_.back();
    }
    switch (rng_.below(5)) {
      case 0: make(prim::random_split, {key}, {rng_.below(2), 1 + rng_.below(3)}); break;
      case 1: {
        aval const want = type(key).with_type(dtype::u32);
        int const n = pick([&](aval const& a) { return a.matches(want); });
        if (n >= 0) make(prim::random_fold_in, {key, n});
        else make(prim::random_unwrap, {key});
        break;
      }
      case 2: make(prim::random_unwrap, {key}); break;
      default: make(prim::random_bits, {key}, {8 << rng_.below(4), rng_.below(2), 1 + rng_.below(5), rng_.below(4)}); break;
    }
  }
  constexpr void matrix() {
    int const x = pick([](aval const& a) {
      return (a.type == dtype::f32 || a.type == dtype::f64) && a.rank >= 2 && a.dims[a.rank - 1] == a.dims[a.rank - 2];
    });
    if (x < 0) return;
    if (rng_.chance(40)) {
      make(prim::cholesky, {x});
      return;
    }
    aval const t = type(x);
    int const y = pick([&](aval const& a) { return a.type == t.type && a.rank == t.rank && a.rank >= 2; });
    if (y >= 0) make(prim::triangular_solve, {x, y}, {rng_.below(2), rng_.below(2), rng_.below(2), 0, rng_.below(2)});
  }
  constexpr void trifles() {
    int const x = recent();
    if (type(x).type == dtype::u32 && rng_.chance(70)) {
      make(prim::threefry2x32, {x, partner(x), x, x}, {}, 2);
      return;
    }
    make(rng_.chance(50) ? prim::copy : prim::stop_gradient, {x});
  }
};

}  // namespace random_programs
