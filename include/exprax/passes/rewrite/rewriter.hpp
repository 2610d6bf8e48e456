// SPDX-License-Identifier: BSL-1.0
// rewriter: one forward walk that does inlining, simplification, constant folding and value numbering together. make() rebuilds each
// equation on operands that are already simplified: a rule sees how its operands were made, and the equations that it makes are simplified
// and numbered too. Loops and branches: passes/loops.hpp, passes/branches.hpp.
// Longer than 300 lines: one class, whose methods call each other for each equation.
#pragma once

#include <exprax/passes/rewrite/effects.hpp>
#include <exprax/passes/rewrite/element_tracker.hpp>
#include <exprax/passes/rewrite/literals.hpp>
#include <exprax/passes/rewrite/request.hpp>
#include <exprax/passes/rewrite/scopes.hpp>
#include <exprax/passes/rewrite/value_table.hpp>
#include <exprax/passes/rewrite/writer.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax::detail {

template <class W>
constexpr int simplify_equation(W& w, request const& r);
template <class W>
constexpr void rewrite_control(W& w, eqn const& e);

// Options: static constexpr bool simplify; if false, calls are only inlined.
template <class Options>
class rewriter {
 public:
  using options = Options;

  constexpr explicit rewriter(program_ref p) : w_(p), slots_(p.n.eqns), map_(w_.map), scopes_(w_, def_), effects_(p) {
    def_.reserve(w_.left + 8);
  }

  constexpr program run() {
    block const& b = w_.p.main();
    arena<int> in;
    w_.open();
    for (int v : w_.p.ins(b)) {
      map_[v] = input(type_in(v));
      in.push(map_[v]);
    }
    walk(b);
    w_.close(in, operands(w_.p.outs(b)));
    return w_.finish();
  }
  // Whether another walk would simplify more: a carry has become loop-invariant, or branches have become equal.
  bool finds_more = false;
  arena<stacked_scan> stacked;

  // --- What rules see of the new program ---

  constexpr aval const& aval_of(int v) const { return w_.avals.data()[w_.values.at[v].type]; }
  constexpr aval const& type(int t) const { return w_.avals.data()[t]; }
  constexpr int type_of(int v) const { return w_.values.at[v].type; }
  constexpr int intern(aval const& a) { return w_.intern(a.with_type(a.type)); }  // not weak
  constexpr bool is_constant(int v) const { return w_.values.at[v].constant >= 0; }
  constexpr bool is_literal(int v) const { return w_.values.at[v].constant >= 0 && w_.avals.data()[w_.values.at[v].type].rank == 0; }
  constexpr std::uint64_t bits(int v, std::ptrdiff_t i = 0) const { return w_.constants.at[w_.values.at[v].constant + i]; }
  // The equation that makes v, if it is in an open block; and if its primitive is op.
  constexpr eqn const* maker(int v) const {
    int const d = def_.at[v];
    return d >= 0 ? w_.pending.at + (d >> 1) : nullptr;
  }
  constexpr eqn const* made_by(prim op, int v) const {
    int const d = def_.at[v];
    return d >= 0 && w_.pending.at[d >> 1].op == op ? w_.pending.at + (d >> 1) : nullptr;
  }
  constexpr int in(eqn const* e, int k) const { return w_.refs.at[e->in + k]; }
  constexpr int param(eqn const* e, int k) const { return w_.params.at[e->par + k]; }
  constexpr int const* params_of(eqn const* e) const { return w_.params.at + e->par; }

  // The scalar that fills v, or -1.
  constexpr int uniform(int v) const {
    if (aval_of(v).rank == 0) return v;
    eqn const* const e = made_by(prim::broadcast_in_dim, v);
    if (e && aval_of(in(e, 0)).rank == 0) return in(e, 0);
    return -1;
  }

  element_tracker elements;

  // --- What rules make ---

  constexpr int make(request const& r) {
    if (r.op == prim::convert_element_type && r.par[1] != 0) return make(r.op, r.type, {r.in, 1}, {r.par[0], 0});  // not weak
    if constexpr (Options::simplify) {
      int const v = simplify_equation(*this, r);
      if (v >= 0) return v;
    }
    return number(r);
  }
  constexpr int make(prim op, int type, span<int> in, span<int> par = {}) {
    return make({op, type, in.data(), in.size(), par.data(), par.size()});
  }

  constexpr int literal(int type, std::uint64_t bits) {
    std::uint32_t const tag =
        (static_cast<std::uint32_t>(bits ^ bits >> 32) * first_prime + static_cast<std::uint32_t>(type)) * second_prime;
    std::uint32_t s = tag >> slots_.shift;
    for (; slots_.value[s] != 0; s = slots_.next(s)) {
      if (slots_.tag[s] != tag) continue;
      value const& v = w_.values.at[slots_.value[s] - 1];
      if (v.constant >= 0 && v.type == type && w_.constants.at[v.constant] == bits) return slots_.value[s] - 1;
    }
    int const v = constant(type, &bits, 1);
    slots_.take(s, tag, v);
    return v;
  }
  constexpr int scalar_type(dtype d) {
    int& t = scalar_types_[static_cast<int>(d)];
    if (t == 0) t = intern(aval(d)) + 1;
    return t - 1;
  }
  constexpr int literal(dtype d, std::uint64_t bits) { return literal(scalar_type(d), bits); }

  // Scalar s, broadcast to a type.
  constexpr int filled(int t, int s) {
    aval const& a = type(t);
    if (a.rank == 0) return s;
    int dims[max_rank];
    for (int i = 0; i < a.rank; ++i) dims[i] = a.dims[i];
    return number({prim::broadcast_in_dim, t, &s, 1, dims, a.rank});
  }
  // The elements of v, in row-major order, in another shape.
  constexpr int reshape(int t, int v) {
    aval const to = type(t);
    return make({prim::reshape, t, &v, 1, to.dims, to.rank});
  }
  // The part of v from `start` to before `limit` along one axis.
  constexpr int slice_axis(int v, int axis, int start, int limit) {
    aval part = aval_of(v);
    int par[2 * max_rank] = {};
    for (int i = 0; i < part.rank; ++i) par[part.rank + i] = part.dims[i];
    par[axis] = start;
    par[part.rank + axis] = limit;
    part.dims[axis] = limit - start;
    return make({prim::slice, intern(part), &v, 1, par, 2 * part.rank});
  }
  constexpr int filled_with(int t, std::uint64_t bits) { return filled(t, literal(type(t).type, bits)); }

  // Value numbering: the result of an equal equation of an open block, or of a new one.
  constexpr int number(request const& r) {
    int const op = static_cast<int>(r.op), n = r.n_in;
    int const* const in = r.in;
    std::uint32_t h = static_cast<std::uint32_t>(op);
    if (n == 2) {
      bool const swap = all_traits.of[op].commutes && in[0] > in[1];
      h = ((static_cast<std::uint32_t>(in[swap]) * first_prime + static_cast<std::uint32_t>(in[!swap])) * second_prime + h) * first_prime;
    } else {
      for (int k = 0; k < n; ++k) h = (h * first_prime + static_cast<std::uint32_t>(in[k])) * second_prime;
    }
    for (int k = 0; k < r.n_par; ++k) h = (h * first_prime + static_cast<std::uint32_t>(r.par[k])) * second_prime;
    std::uint32_t s = h >> slots_.shift;
    for (; slots_.value[s] != 0; s = slots_.next(s))
      if (slots_.tag[s] == h && same(r, slots_.value[s] - 1)) return slots_.value[s] - 1;

    if (w_.left <= 0) {
      if (scopes_.depth > 0) return slots_.take(s, h, add_inside(r)), w_.values.n - 1;
      w_.refill(1), def_.make_room(++w_.left + 8);
    }
    int const at = w_.pending.n, v = w_.emit_one(r.op, {in, n}, {r.par, r.n_par}, r.type);
    def_.at[v] = at << 1 | static_cast<int>(facts.seen.has[op]), def_.n = v + 1;
    slots_.take(s, h, v);
    return v;
  }

  // --- For the rewriting of loops and branches ---

  constexpr program_ref const& source() const { return w_.p; }
  constexpr int type_in(int v) const { return w_.types[w_.p.values[v].type]; }
  constexpr void bind(int v, int to) { map_[v] = to; }
  constexpr bool has_effects(eqn const& e) const { return effects_.of(w_.p, e); }
  constexpr int depth() const { return scopes_.depth; }
  constexpr int level_of(int v) const { return scopes_.level_of(v); }
  constexpr program_ref written() const { return w_.ref(); }

  // How often the equations of the innermost block read v.
  constexpr int uses_inside(int v) const {
    int n = 0;
    for (int i = w_.first(); i < w_.pending.n; ++i)
      for (int k = 0; k < w_.pending.at[i].n_in; ++k) n += w_.refs.at[w_.pending.at[i].in + k] == v;
    return n;
  }

  // A new input of the innermost block.
  constexpr int input(int type) {
    def_.push(input_def);
    int const v = w_.add_value(type);
    if (scopes_.depth > 0) scopes_.set_level(v, scopes_.depth);
    return v;
  }
  constexpr int constant(int type, std::uint64_t const* bits, std::ptrdiff_t n) {
    def_.push(constant_def);
    return w_.add_constant(type, {bits, static_cast<int>(n)});
  }
  // The elements of constant v with another type.
  constexpr int same_constant(int type, int v) {
    int const c = w_.add_value(type);
    w_.values.at[c].constant = w_.values.at[v].constant;
    def_.push(constant_def);
    return c;
  }

  // The value in q of a value of p.
  constexpr int operand(int v) {
    int const m = map_[v];
    return m >= 0 ? m : first_use(v);
  }
  // A constant of p. If its elements are all equal, it becomes a broadcast literal, which is made at each use: the literal waits in
  // the map.
  constexpr int first_use(int v) {
    int const t = type_in(v);
    if (waits_in_map(map_[v])) return filled(t, waited_for(map_[v]));
    std::uint64_t const* const from = w_.p.constants + w_.p.values[v].constant;
    aval const a = type(t);
    if (a.rank == 0) return map_[v] = literal(t, from[0]);
    std::ptrdiff_t const n = a.size();
    std::ptrdiff_t same = 1;
    while (same < n && from[same] == from[0]) ++same;
    if (!Options::simplify || same < n) {
      return map_[v] = constant(t, from, n);
    }
    map_[v] = waiting(literal(a.type, n > 0 ? from[0] : 0));
    return filled(t, waited_for(map_[v]));
  }

  constexpr void walk(block const& b) {
    eqn const* const eqns = w_.p.eqns;
    int* const map = map_;
    int const end = b.eqn + b.n_eqn;
    for (int i = b.eqn; i < end; ++i) {
      eqn const e = eqns[i];
      if (e.n_blk != 0 || e.n_out != 1) control(e);
      else if (e.n_in > w_.few) many(e);
      else {
        int in[writer::few], special = 0;
        int const* const refs = w_.p.refs + e.in;
        for (int k = 0; k < e.n_in; ++k) {
          int const m = map[refs[k]];
          in[k] = m >= 0 ? m : first_use(refs[k]), special |= def_.at[in[k]];
        }
        request const r{e.op, w_.types[w_.p.values[e.out].type], in, e.n_in, w_.p.params + e.par, e.n_par};
        bool const plain = (special & 1) == 0 && facts.plain.has[static_cast<int>(e.op)] && (e.n_in == 1 || in[0] != in[1]);
        map[e.out] = plain ? number(r) : make(r);
      }
    }
  }
  constexpr arena<int> operands(span<int> refs) {
    arena<int> to;
    for (int v : refs) to.push(operand(v));
    return to;
  }

  // Inlines block k of an equation: blocks are closed, so only their inputs need to be bound.
  constexpr void splice(eqn const& e, int k, span<int> in) {
    block const& b = w_.p.sub(e, k);
    for (int i = 0; i < b.n_in; ++i) map_[w_.p.refs[b.in + i]] = in.first[i];
    walk(b);
    for (int i = 0; i < b.n_out; ++i) map_[e.out + i] = operand(w_.p.refs[b.out + i]);
  }

  constexpr int open(bool keeps) { return scopes_.open(keeps); }
  constexpr closed_scope close(arena<int>& outs, int barrier) { return scopes_.close(outs, barrier); }
  constexpr void set_inputs(int block, span<int> in) { w_.set_inputs(block, in); }
  constexpr void set_outputs(int block, span<int> out) { w_.set_outputs(block, out); }

  // Rewrites e with other operands, parameters and blocks; `results` are the values of p that it makes. more: the types of results that
  // p does not have. Returns the first of these.
  constexpr int add_control(eqn const& e, span<int> in, span<int> par, span<int> blocks, span<int> results, bool stays,
                            span<int> more = {}) {
    int const first = w_.values.n;
    int const level = stays ? scopes_.depth : scopes_.level_of(in);
    auto const result = [&](int type) {
      int const v = input(type);
      if (scopes_.depth > 0) scopes_.set_level(v, level);
      return v;
    };
    for (int v : results) map_[v] = result(type_in(v));
    for (int type : more) result(type);
    w_.add_equation(e.op, in, par, first, results.count + more.count, blocks);
    return first + results.count;
  }

 private:
  static constexpr std::uint32_t first_prime = 0x9e3779b1u, second_prime = 0x85ebca77u;

  constexpr bool same(request const& r, int v) const {
    int const at = def_.at[v] >> 1;
    if (at < (Options::simplify ? 0 : w_.first())) return false;
    eqn const& e = w_.pending.at[at];
    if (e.op != r.op || e.n_in != r.n_in || e.n_par != r.n_par || type_of(v) != r.type) return false;
    for (int k = 0; k < r.n_par; ++k)
      if (param(&e, k) != r.par[k]) return false;
    bool equal = true;
    for (int k = 0; k < r.n_in; ++k) equal = equal && in(&e, k) == r.in[k];
    if (equal || r.n_in != 2 || !traits_of(r.op).commutes) return equal;
    return in(&e, 0) == r.in[1] && in(&e, 1) == r.in[0];
  }
  // A new equation while a nested block is open: it belongs to the innermost block of its operands.
  constexpr int add_inside(request const& r) {
    int const v = w_.add_value(r.type);
    def_.push(w_.pending.n << 1 | static_cast<int>(facts.seen.has[static_cast<int>(r.op)]));
    w_.add_equation(r.op, {r.in, r.n_in}, {r.par, r.n_par}, v, 1, {});
    scopes_.set_level(v, scopes_.level_of(span<int>(r.in, r.n_in)));
    return v;
  }

  constexpr void many(eqn const& e) {
    arena<int> const in = operands(w_.p.ins(e));
    map_[e.out] = make({e.op, type_in(e.out), in.data(), e.n_in, w_.p.params + e.par, e.n_par});
  }

  constexpr void control(eqn const& e) {
    if (e.n_blk == 0) several(e);
    else if (e.op == prim::jit) splice(e, 0, operands(w_.p.ins(e)));
    else if (e.op == prim::checkpoint) primitive<prim::checkpoint>::stays_apart({w_.p, e}) ? keep(e) : splice(e, 0, operands(w_.p.ins(e)));
    else if constexpr (Options::simplify) rewrite_control(*this, e);
    else keep(e);
  }
  // No result, or several.
  constexpr void several(eqn const& e) {
    arena<int> results;
    for (int k = 0; k < e.n_out; ++k) results.push(e.out + k);
    add_control(e, operands(w_.p.ins(e)), w_.p.params_of(e), {}, results, e.n_out == 0);
  }
  // Copies a loop or branch when nothing is simplified, or a checkpoint: what it reads of enclosing blocks becomes operands.
  constexpr void keep(eqn const& e) {
    arena<int> in = operands(w_.p.ins(e));
    arena<int> blocks, results;
    for (int id : w_.p.subs(e)) {
      block const& b = w_.p.blocks[id];
      arena<int> inner;
      int const barrier = scopes_.open(true);
      for (int v : w_.p.ins(b)) inner.push(map_[v] = input(type_in(v)));
      walk(b);
      arena<int> out = operands(w_.p.outs(b));
      closed_scope const closed = scopes_.close(out, barrier);
      blocks.push(closed.id);
      inner.append(closed.inputs);
      in.append(closed.captured);
      w_.set_inputs(closed.id, inner);
    }
    for (int k = 0; k < e.n_out; ++k) results.push(e.out + k);
    add_control(e, in, w_.p.params_of(e), blocks, results, true);
  }

  writer w_;
  value_table slots_;
  int* map_;
  // For each new value, twice the index of the pending equation that makes it, plus 1 if its primitive is in `seen`; else input_def or
  // constant_def. The lowest bit says whether rules inspect the value. Values of closed blocks have no entry.
  arena<int> def_;
  scopes scopes_;
  effect_table effects_;
  int scalar_types_[dtype_count] = {};  // indices plus 1
};

}  // namespace exprax::detail
