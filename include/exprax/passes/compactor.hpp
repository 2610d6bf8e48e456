// SPDX-License-Identifier: BSL-1.0
// compactor: one forward walk over all blocks that writes what is used (passes/uses.hpp). If Options::fuses, a product that is used once,
// by a sum or difference, waits for it and becomes an fma with it, where the target has one.
#pragma once

#include <exprax/math/fused.hpp>
#include <exprax/passes/rewrite/literals.hpp>
#include <exprax/passes/rewrite/writer.hpp>
#include <exprax/passes/uses.hpp>
#include <exprax/primitives/control/signatures.hpp>

namespace exprax::detail {

// Options: static constexpr bool fuses.
template <class Options>
class compactor {
 public:
  constexpr explicit compactor(program_ref p) : w_(p), map_(w_.map), uses_(p), u_(uses_.of) {}

  constexpr program run() {
    uses_.run();
    block const& b = w_.p.main();
    arena<int> in, out;
    w_.open();
    for (int v : w_.p.ins(b)) in.push(bind(v));
    write(b);
    for (int v : w_.p.outs(b)) out.push(operand(v));
    w_.close(in, out);
    return w_.finish();
  }

 private:
  constexpr int type_in(int v) const { return w_.types[w_.p.values[v].type]; }
  constexpr int bind(int v) { return map_[v] = w_.add_value(type_in(v)); }
  constexpr int operand(int v) { return map_[v] >= 0 ? map_[v] : late(v); }
  // A constant at its first use, or a waiting product that is not fused.
  constexpr int late(int v) {
    if (waits_in_map(map_[v])) {
      eqn const& e = w_.p.eqns[waited_for(map_[v])];
      return map_[v] = emit(e.op, type_in(v), {map_[w_.p.refs[e.in]], map_[w_.p.refs[e.in + 1]]});
    }
    int const t = type_in(v);
    return map_[v] = w_.add_constant(t, {w_.p.constants + w_.p.values[v].constant, static_cast<int>(w_.avals[t].pattern_count())});
  }

  constexpr void write(block const& b) {
    writer& w = w_;
    arena<int>& refs = w.refs;
    int* const map = map_;
    int const* const uses = u_;
    eqn const* const eqns = w.p.eqns;
    int const end = b.eqn + b.n_eqn;
    for (int i = b.eqn; i < end; ++i) {
      eqn const e = eqns[i];
      if (e.n_out == 1 && e.n_blk == 0 ? uses[e.out] == 0 : !uses_.is_live(e)) continue;
      int const* const in = w.p.refs + e.in;
      if (e.n_blk != 0 || e.n_out != 1) write_control(e);
      else if (e.n_in > w.few) write_wide(e);
      else if (Options::fuses && sums.has[static_cast<int>(e.op)] &&
               (e.op == prim::mul ? uses[e.out] == 1 && waits(i)
                                  : (waits_in_map(map[in[0]]) || waits_in_map(map[in[1]])) && fuse_multiply_add(e)))
        continue;
      else {
        if (w.left <= w.few) w.refill(1 + w.few), w.left += 1 + w.few;
        int const at = refs.n;
        refs.n += e.n_in;  // late operands append theirs after these
        for (int k = 0; k < e.n_in; ++k) {
          int const m = map[in[k]];
          refs.at[at + k] = m >= 0 ? m : late(in[k]);
        }
        if (--w.left < 0) w.refill(1);  // late operands take room
        if (e.n_par > w.few) w.params.make_room(e.n_par), w.left = 0;
        map[e.out] = w.append(e.op, at, e.n_in, w.p.params + e.par, e.n_par, w.types[w.p.values[e.out].type]);
      }
    }
  }
  constexpr void write_wide(eqn const& e) {
    arena<int> in;
    for (int v : w_.p.ins(e)) in.push(operand(v));
    map_[e.out] = w_.emit_one(e.op, in, w_.p.params_of(e), type_in(e.out));
  }
  // An elementwise equation on values of the new program.
  constexpr int emit(prim op, int type, span<int> in) { return w_.emit_one(op, in, {}, type); }

  // A float product that is used once and has no parameters waits for its sum; its own operands are written now.
  constexpr bool waits(int i) {
    eqn const& e = w_.p.eqns[i];
    if (e.n_par != 0 || !simd::fuses_dtype(w_.p.avals[w_.p.values[e.out].type].type)) return false;
    operand(w_.p.refs[e.in]);
    operand(w_.p.refs[e.in + 1]);
    map_[e.out] = waiting(i);
    return true;
  }
  // A sum with a waiting product is a * b + c. In differences the negation is exact: a - b * c is fma(-b, c, a),
  // a * b - c is fma(a, b, -c).
  constexpr bool fuse_multiply_add(eqn const& e) {
    int const left = w_.p.refs[e.in], right = w_.p.refs[e.in + 1];
    bool const by_left = waits_in_map(map_[left]);
    eqn const& product = w_.p.eqns[waited_for(map_[by_left ? left : right])];
    int a = map_[w_.p.refs[product.in]], b = map_[w_.p.refs[product.in + 1]], c = operand(by_left ? right : left);
    if (e.op == prim::sub) {
      if (by_left) c = negated(c);
      else if (w_.avals[w_.values.at[b].type].rank == 0) b = negated(b);
      else a = negated(a);
    }
    map_[e.out] = emit(prim::fma, type_in(e.out), {a, b, c});
    return true;
  }
  constexpr int negated(int v) {
    value const x = w_.values.at[v];
    aval const& t = w_.avals[x.type];
    if (x.constant < 0 || t.rank != 0) return emit(prim::neg, x.type, {v});
    std::uint64_t const bits = w_.constants.at[x.constant] ^ sign_bit(t.type);
    return w_.add_constant(x.type, {&bits, 1});
  }

  // The last pass: nothing joins equations any more.
  constexpr void write_in_place(eqn const& e) {
    block const& b = w_.p.sub(e, 0);
    for (int k = 0; k < b.n_in; ++k)
      if (u_[w_.p.refs[b.in + k]] != 0) map_[w_.p.refs[b.in + k]] = operand(w_.p.in(e, k));
    write(b);
    for (int k = 0; k < b.n_out; ++k)
      if (u_[e.out + k] != 0) map_[e.out + k] = operand(w_.p.refs[b.out + k]);
  }
  // An equation with blocks, without unused results and what only these need; or one with effects.
  constexpr void write_control(eqn const& e) {
    if constexpr (Options::fuses)
      if (e.op == prim::checkpoint) return write_in_place(e);
    bool const whole = uses_.stays_whole(e);
    control_signature const s = e.n_blk > 0 ? signature_of(w_.p, e) : control_signature{};
    arena<char> results = all(e.n_out), operands = all(e.n_in);
    if (!whole) {  // g++ 12 destroys the result of a conditional expression too early
      results = uses_.live_results(e);
      operands = uses_.live_operands(e);
    }
    arena<int> in, blocks;
    for (int k = 0; k < e.n_in; ++k)
      if (operands[k]) in.push(operand(w_.p.in(e, k)));
    for (int j = 0; j < e.n_blk; ++j) {
      block const& b = w_.p.sub(e, j);
      arena<int> inner, out;
      w_.open();
      for (int k = 0; k < b.n_in; ++k)
        if (whole || operands[s.operand_of(j, k)]) inner.push(bind(w_.p.refs[b.in + k]));
      write(b);
      for (int k = 0; k < b.n_out; ++k)
        if ((s.has_condition && j == 0) || results[k]) out.push(operand(w_.p.refs[b.out + k]));
      blocks.push(w_.close(inner, out));
    }
    arena<int> par;
    if (whole) par = parameters_of({w_.p, e});
    else par = parameters_for({w_.p, e}, operands, results);
    int const first = w_.values.n;
    int n_out = 0;
    for (int k = 0; k < e.n_out; ++k)
      if (results[k]) bind(e.out + k), ++n_out;
    w_.add_equation(e.op, in, par, first, n_out, blocks);
  }
  static constexpr arena<char> all(int n) {
    arena<char> a;
    a.resize(n, 1);
    return a;
  }

  static constexpr prim_set sums = {prim::mul, prim::add, prim::sub};
  writer w_;
  int* map_;
  use_counter uses_;
  int* u_;
};

}  // namespace exprax::detail
