// SPDX-License-Identifier: BSL-1.0
// rewriter: one forward walk that does inlining, simplification, constant folding and value numbering together. Each
// equation is made anew by make(), on operands that are already simplified: a rule sees the whole past of its operands,
// and what a rule makes is simplified and numbered in turn.
#pragma once

#include <exprax/passes/element_tracker.hpp>
#include <exprax/passes/fold.hpp>
#include <exprax/passes/literals.hpp>
#include <exprax/passes/value_table.hpp>
#include <exprax/passes/writer.hpp>

namespace exprax::detail {

// An equation with one result that is wanted: types and operands are numbers in the program that is written.
struct request {
  prim op{};
  int type = 0;
  int const* in = nullptr;
  int n_in = 0;
  int const* par = nullptr;
  int n_par = 0;
};

template <class W>
constexpr int simplify_equation(W& w, request const& r);

// What value numbering and rules ask of a primitive, for each of them.
struct prim_facts {
  // x op y is y op x, bit for bit.
  prim_set commutes = {prim::add, prim::mul, prim::max, prim::min, prim::and_, prim::or_, prim::xor_, prim::eq, prim::ne};
  // Rules look at how operands are made: at these.
  prim_set seen = {prim::neg, prim::sign, prim::floor, prim::ceil, prim::abs, prim::not_, prim::convert_element_type, prim::broadcast_in_dim};
  // Elementwise, and no rule knows more unless an operand is a constant, seen, or the same as another.
  prim_set plain = {prim::neg, prim::sign, prim::floor, prim::ceil, prim::abs, prim::exp, prim::expm1, prim::log, prim::log1p, prim::sqrt,
                    prim::rsqrt, prim::sin, prim::cos, prim::tanh, prim::logistic, prim::not_, prim::is_finite, prim::add, prim::sub, prim::mul,
                    prim::div, prim::rem, prim::pow, prim::max, prim::min, prim::and_, prim::or_, prim::xor_, prim::eq, prim::ne, prim::lt,
                    prim::le, prim::gt, prim::ge};
};
inline constexpr prim_facts facts;

// Options: static constexpr bools inline_calls, simplify.
template <class Options>
class rewriter {
 public:
  constexpr explicit rewriter(program_ref p) : w_(p), slots_(p.n.eqns), map_(w_.map) { def_.reserve(p.n.values + 16); }

  constexpr program run() {
    block const& b = w_.p.main();
    arena<int> in, out;
    enter();
    for (int k = 0; k < b.n_in; ++k) {
      int const v = w_.p.refs[b.in + k];
      map_[v] = input(type_in(v));
      in.push(map_[v]);
    }
    walk(b);
    for (int k = 0; k < b.n_out; ++k) out.push(operand(w_.p.refs[b.out + k]));
    leave(in, out);
    return w_.finish();
  }

  // --- What rules see of the program that is written ---

  constexpr aval const& aval_of(int v) const { return w_.avals.data()[w_.values.at[v].type]; }
  constexpr aval const& type(int t) const { return w_.avals.data()[t]; }
  constexpr int type_of(int v) const { return w_.values.at[v].type; }
  constexpr int intern(aval const& a) { return w_.intern(a); }
  constexpr bool is_constant(int v) const { return w_.values.at[v].constant >= 0; }
  constexpr bool is_literal(int v) const { return w_.values.at[v].constant >= 0 && w_.avals.data()[w_.values.at[v].type].rank == 0; }
  constexpr std::uint64_t bits(int v, std::ptrdiff_t i = 0) const { return w_.constants.at[w_.values.at[v].constant + i]; }
  // The equation of this block that makes v, if its primitive is op.
  constexpr eqn const* made_by(prim op, int v) const {
    int const d = def_.at[v];
    return d >= 0 && w_.pending.at[d >> 1].op == op ? w_.pending.at + (d >> 1) : nullptr;
  }
  constexpr int in(eqn const* e, int k) const { return w_.refs.at[e->in + k]; }
  constexpr int param(eqn const* e, int k) const { return w_.params.at[e->par + k]; }

  // The scalar that v is everywhere, or -1.
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
    std::uint32_t const tag = (static_cast<std::uint32_t>(bits ^ bits >> 32) * first_prime + static_cast<std::uint32_t>(type)) * second_prime;
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
    if (t < 0) t = intern(aval(d));
    return t;
  }
  constexpr int literal(dtype d, std::uint64_t bits) { return literal(scalar_type(d), bits); }

  // A constant in another shape.
  constexpr int recast(int t, int v) {
    if (type(t).rank == 0) return literal(t, bits(v));
    int const c = w_.add_value(t);
    w_.values.at[c].constant = w_.values.at[v].constant;
    def_.push(constant_def);
    return c;
  }
  // A part of a constant, element i from start[i], step[i]; -1 if the part is large.
  template <class Axis>
  constexpr int pick(int t, int v, Axis const* axes) {
    aval const to = type(t);
    std::ptrdiff_t const n = to.size();
    if (n > max_picked) return -1;
    strides const from(aval_of(v));
    std::uint64_t part[max_picked];
    bool all_same = true;
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      std::ptrdiff_t at = 0, rest = i;
      for (int k = to.rank - 1; k >= 0; --k) {
        at += (axes[k].start + rest % to.dims[k] * axes[k].step) * from[k];
        rest /= to.dims[k];
      }
      part[i] = bits(v, at);
      all_same = all_same && part[i] == part[0];
    }
    if (all_same) return filled(t, literal(to.type, part[0]));
    return constant(t, part, n);
  }

  // Scalar s, broadcast to a type.
  constexpr int filled(int t, int s) {
    aval const& a = type(t);
    if (a.rank == 0) return s;
    int dims[max_rank];
    for (int i = 0; i < a.rank; ++i) dims[i] = a.dims[i];
    return number({prim::broadcast_in_dim, t, &s, 1, dims, a.rank});
  }
  // v, which has one element, in another shape.
  constexpr int single(int t, int v) {
    if (aval_of(v).rank == 0) return filled(t, v);
    aval const to = type(t);
    return make({prim::reshape, t, &v, 1, to.dims, to.rank});
  }
  constexpr int filled_with(int t, std::uint64_t bits) { return filled(t, literal(type(t).type, bits)); }
  // v, whose axes may be 1 or which may be a scalar, broadcast to a type.
  constexpr int shaped(int t, int v) {
    if (type_of(v) == t) return v;
    aval const a = type(t);
    if (aval_of(v).rank == 0) return filled(t, v);
    int par[2 * max_rank];
    for (int i = 0; i < a.rank; ++i) {
      par[i] = a.dims[i];
      par[a.rank + i] = i;
    }
    return make({prim::broadcast_in_dim, t, &v, 1, par, 2 * a.rank});
  }

  // The result of an elementwise equation on literals.
  constexpr int fold(request const& r) {
    std::uint64_t x[max_fold];
    dtype d[max_fold];
    for (int k = 0; k < r.n_in; ++k) {
      x[k] = bits(r.in[k]);
      d[k] = aval_of(r.in[k]).type;
    }
    fold_request f{d, x, r.n_in, type(r.type).type};
    return fold_elementwise<Options>(r.op, f) ? literal(r.type, f.out) : -1;
  }

  // The value that an equal equation of this block has made, or a new equation.
  constexpr int number(request const& r) {
    int const op = static_cast<int>(r.op), n = r.n_in;
    int const* const in = r.in;
    std::uint32_t h = static_cast<std::uint32_t>(op);
    if (n == 2) {
      bool const swap = facts.commutes.has[op] && in[0] > in[1];
      h = ((static_cast<std::uint32_t>(in[swap]) * first_prime + static_cast<std::uint32_t>(in[!swap])) * second_prime + h) * first_prime;
    } else {
      for (int k = 0; k < n; ++k) h = (h * first_prime + static_cast<std::uint32_t>(in[k])) * second_prime;
    }
    for (int k = 0; k < r.n_par; ++k) h = (h * first_prime + static_cast<std::uint32_t>(r.par[k])) * second_prime;
    std::uint32_t s = h >> slots_.shift;
    for (; slots_.value[s] != 0; s = slots_.next(s))
      if (slots_.tag[s] == h && same(r, slots_.value[s] - 1)) return slots_.value[s] - 1;

    writer& w = w_;
    if (w.left-- <= 0) w.refill(), def_.make_room(w.left + 8);
    int const v = w.values.n++, at = w.pending.n++, first = w.refs.n;
    if (n > w.few) w.add_refs({in, n});
    else {
      int* const refs = w.refs.at + first;
      for (int k = 0; k < n; ++k) refs[k] = in[k];
      w.refs.n = first + n;
    }
    w.values.at[v] = {r.type, -1}, w.pending.at[at] = {r.op, first, n, v, 1, r.n_par == 0 ? 0 : w.add_params(r.par, r.n_par), r.n_par, 0, 0};
    def_.at[v] = at << 1 | static_cast<int>(facts.seen.has[op]), def_.n = v + 1;
    slots_.take(s, h, v);
    return v;
  }

 private:
  static constexpr std::uint32_t first_prime = 0x9e3779b1u, second_prime = 0x85ebca77u;

  constexpr bool same(request const& r, int v) const {
    int const at = def_.at[v] >> 1;
    if (at < w_.first()) return false;
    eqn const& e = w_.pending.at[at];
    if (e.op != r.op || e.n_in != r.n_in || e.n_par != r.n_par || type_of(v) != r.type) return false;
    for (int k = 0; k < r.n_par; ++k)
      if (param(&e, k) != r.par[k]) return false;
    bool equal = true;
    for (int k = 0; k < r.n_in; ++k) equal = equal && in(&e, k) == r.in[k];
    if (equal || r.n_in != 2 || !facts.commutes.has[static_cast<int>(r.op)]) return equal;
    return in(&e, 0) == r.in[1] && in(&e, 1) == r.in[0];
  }

  constexpr int type_in(int v) const { return w_.type[w_.p.values[v].type]; }
  constexpr int input(int type) {
    def_.push(input_def);
    return w_.add_value(type);
  }
  constexpr int constant(int type, std::uint64_t const* bits, std::ptrdiff_t n) {
    def_.push(constant_def);
    return w_.add_constant(type, bits, n);
  }

  // Opens a block. Values of outer blocks are out of reach until leave(): a block is closed.
  constexpr void enter() {
    w_.open();
    born_.push(w_.values.n);
  }
  constexpr int leave(span<int> in, span<int> out) {
    for (int v = born_.back(); v < def_.n; ++v)
      if (def_.at[v] >= 0) def_.at[v] = constant_def;
    born_.pop();
    return w_.close(in, out);
  }

  // The value in q of a value of p.
  constexpr int operand(int v) {
    int const m = map_[v];
    return m >= 0 ? m : first_use(v);
  }
  // A constant of p. One whose elements are all the same is a broadcast literal, made where it is used; -2 - literal
  // remembers it.
  constexpr int first_use(int v) {
    int const t = type_in(v);
    if (map_[v] < -1) return filled(t, -2 - map_[v]);
    std::uint64_t const* const from = w_.p.constants + w_.p.values[v].constant;
    aval const a = type(t);
    if (a.rank == 0) return map_[v] = literal(t, from[0]);
    std::ptrdiff_t const n = a.size();
    std::ptrdiff_t same = 1;
    while (same < n && from[same] == from[0]) ++same;
    if (!Options::simplify || same < n) {
      return map_[v] = constant(t, from, n);
    }
    map_[v] = -2 - literal(a.type, n > 0 ? from[0] : 0);
    return filled(t, -2 - map_[v]);
  }

  constexpr void walk(block const& b) {
    eqn const* const eqns = w_.p.eqns;
    int* const map = map_;
    int const end = b.eqn + b.n_eqn;
    for (int i = b.eqn; i < end; ++i) {
      eqn const e = eqns[i];
      if (e.n_blk != 0) control(e);
      else if (e.n_in > w_.few) many(e);
      else {
        int in[writer::few], special = 0;
        int const* const refs = w_.p.refs + e.in;
        for (int k = 0; k < e.n_in; ++k) {
          int const m = map[refs[k]];
          in[k] = m >= 0 ? m : first_use(refs[k]), special |= def_.at[in[k]];
        }
        request const r{e.op, w_.type[w_.p.values[e.out].type], in, e.n_in, w_.p.params + e.par, e.n_par};
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
  constexpr void many(eqn const& e) {
    arena<int> const in = operands(w_.p.ins(e));
    map_[e.out] = make({e.op, type_in(e.out), in.data(), e.n_in, w_.p.params + e.par, e.n_par});
  }

  constexpr void control(eqn const& e) {
    if (e.op == prim::jit && Options::inline_calls) splice(e);
    else if (e.op == prim::scan && Options::simplify) loop(e);
    else {
      arena<int> const in = operands(w_.p.ins(e));
      arena<int> blocks;
      for (int id : w_.p.subs(e)) {
        arena<int> inner;
        for (int x : w_.p.ins(w_.p.blocks[id])) inner.push(type_in(x));
        enter();
        for (int& x : inner) x = input(x);
        blocks.push(body(w_.p.blocks[id], inner, inner));
      }
      emit(e, in, w_.p.params_of(e), blocks, e.n_out);
    }
  }

  // Walks the block of an equation where it stands: the block is closed, so its values need nothing but their operands.
  constexpr void splice(eqn const& e) {
    block const& b = w_.p.sub(e, 0);
    arena<int> const in = operands(w_.p.ins(e));
    for (int k = 0; k < b.n_in; ++k) map_[w_.p.refs[b.in + k]] = in[k];
    walk(b);
    for (int k = 0; k < b.n_out; ++k) map_[e.out + k] = operand(w_.p.refs[b.out + k]);
  }

  // Walks the block that is open: its inputs are bound to `bound`, `in` are the inputs that it has in q.
  constexpr int body(block const& b, span<int> bound, span<int> in) {
    for (int k = 0; k < b.n_in; ++k) map_[w_.p.refs[b.in + k]] = bound[k];
    walk(b);
    arena<int> const out = operands(w_.p.outs(b));
    return leave(in, out);
  }
  constexpr void emit(eqn const& e, span<int> in, span<int> par, span<int> blocks, int n_out) {
    int const first = w_.values.n;
    for (int k = 0; k < n_out; ++k) map_[e.out + k] = input(type_in(e.out + k));
    add(e.op, in, first, n_out, par, blocks);
  }

  // A scan. A carry that its body never changes becomes a constant of the loop; operands that are the same everywhere are
  // known inside the body.
  constexpr void loop(eqn const& e) {
    block const& b = w_.p.sub(e, 0);
    int const n_const = w_.p.param(e, 1), n_carry = w_.p.param(e, 2);
    arena<int> const in = operands(w_.p.ins(e));
    arena<int> fixed;  // for each carry: 1 if the body hands it on as it is
    for (int k = 0; k < n_carry; ++k) fixed.push(keeps(b, n_const + k, k, in[n_const + k]) ? 1 : 0);

    arena<int> types, scalar;  // of the block's inputs; their literal, where they are one everywhere
    for (int k = 0; k < b.n_in; ++k) {
      types.push(type_in(w_.p.refs[b.in + k]));
      bool const varies = k >= n_const && k < n_const + n_carry && !fixed[k - n_const];
      int const u = varies ? -1 : uniform(in[k]);
      scalar.push(u >= 0 && is_literal(u) ? u : -1);
    }
    enter();
    arena<int> bound, inputs, outer;
    bound.resize(b.n_in, -1);
    // Constants first, then fixed carries, carries, and what is scanned over.
    int par[5] = {w_.p.param(e, 0), 0, 0, w_.p.param(e, 3), w_.p.param(e, 4)};
    for (int part = 0; part < 3; ++part)
      for (int k = 0; k < b.n_in; ++k) {
        bool const is_carry = k >= n_const && k < n_const + n_carry;
        int const its = k < n_const || (is_carry && fixed[k - n_const]) ? 0 : is_carry ? 1 : 2;
        if (its != part) continue;
        if (scalar[k] >= 0) bound[k] = filled(types[k], scalar[k]);
        else {
          for (int i = 0; i < outer.size() && part == 0; ++i)
            if (outer[i] == in[k]) bound[k] = inputs[i];
          if (bound[k] >= 0) continue;
          outer.push(in[k]);
          inputs.push(bound[k] = input(types[k]));
          if (part < 2) ++par[1 + part];
        }
      }
    for (int k = 0; k < b.n_in; ++k) map_[w_.p.refs[b.in + k]] = bound[k];
    walk(b);
    arena<int> out;
    for (int k = 0; k < b.n_out; ++k)
      if (k >= n_carry || !fixed[k]) out.push(operand(w_.p.refs[b.out + k]));
    int const blk = leave(inputs, out);

    int next = w_.values.n;
    for (int k = 0; k < e.n_out; ++k) {
      bool const kept = k >= n_carry || !fixed[k];
      map_[e.out + k] = kept ? next++ : in[n_const + k];
      if (kept) input(type_in(e.out + k));
    }
    add(prim::scan, outer, next - out.size(), out.size(), {par, 5}, {&blk, 1});
  }
  constexpr void add(prim op, span<int> in, int out, int n_out, span<int> par, span<int> blocks) {
    int const first = w_.add_refs(in), first_block = w_.add_refs(blocks);
    w_.add_equation({op, first, in.count, out, n_out, w_.add_params(par.first, par.count), par.count, first_block, blocks.count});
  }

  // The block's result k is its input `at`, or the literal that this input is from the start.
  constexpr bool keeps(block const& b, int at, int k, int start) const {
    int const result = w_.p.refs[b.out + k];
    if (result == w_.p.refs[b.in + at]) return true;
    return w_.p.is_literal(result) && is_literal(start) && type_of(start) == type_in(result) && bits(start) == w_.p.bits(result);
  }

  static constexpr int input_def = -2, constant_def = -1;
  static constexpr int max_picked = 16;
  writer w_;
  value_table slots_;
  int* map_;
  // For each value that is written, twice the number of the pending equation that makes it, plus 1 if its primitive is seen;
  // input_def or constant_def. The lowest bit says whether rules look at it. What a closed block has made is out of reach.
  table<int> def_;
  arena<int> born_;  // for each open block its first value
  int scalar_types_[dtype_count] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
};

}  // namespace exprax::detail
