// SPDX-License-Identifier: BSL-1.0
// rewriter: one forward walk that does inlining, simplification, constant folding and value numbering together. Each
// equation is made anew by make(), on operands that are already simplified: a rule sees the whole past of its operands,
// and what a rule makes is simplified and numbered in turn.
#pragma once

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

// Options: static constexpr bools inline_calls, simplify.
template <class Options>
class rewriter {
 public:
  constexpr explicit rewriter(program_ref p) : w_(p), table_(p.n.eqns), map_(w_.map.data()) {}

  constexpr program run() {
    block const& b = w_.p.main();
    arena<int> in, out;
    enter();
    for (int k = 0; k < b.n_in; ++k) in.push(map_[w_.p.refs[b.in + k]] = input(w_.type_of(w_.p.refs[b.in + k])));
    walk(b);
    for (int k = 0; k < b.n_out; ++k) out.push(operand(w_.p.refs[b.out + k]));
    leave(in, out);
    return static_cast<program&&>(w_.q);
  }

  // --- What rules see of the program that is written ---

  constexpr aval const& aval_of(int v) const { return w_.q.avals.data()[w_.q.values.data()[v].type]; }
  constexpr aval const& type(int t) const { return w_.q.avals.data()[t]; }
  constexpr int type_of(int v) const { return w_.q.values.data()[v].type; }
  constexpr int intern(aval const& a) { return w_.q.intern(a); }
  constexpr bool is_constant(int v) const { return w_.q.values.data()[v].constant >= 0; }
  constexpr bool is_literal(int v) const { return is_constant(v) && aval_of(v).rank == 0; }
  constexpr std::uint64_t bits(int v, std::ptrdiff_t i = 0) const { return w_.q.constants.data()[w_.q.values.data()[v].constant + i]; }
  // The equation of this block that makes v, if its primitive is op.
  constexpr eqn const* made_by(prim op, int v) const {
    int const at = def_.data()[v];
    if (at < 0) return nullptr;
    eqn const* const e = w_.pending.data() + at;
    return e->op == op ? e : nullptr;
  }
  constexpr int in(eqn const* e, int k) const { return w_.q.refs.data()[e->in + k]; }
  constexpr int param(eqn const* e, int k) const { return w_.q.params.data()[e->par + k]; }

  // The scalar that v is everywhere, or -1.
  constexpr int uniform(int v) const {
    if (aval_of(v).rank == 0) return v;
    eqn const* const e = made_by(prim::broadcast_in_dim, v);
    if (e && aval_of(in(e, 0)).rank == 0) return in(e, 0);
    return -1;
  }

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
    std::uint64_t const h = ((bits ^ static_cast<unsigned>(type)) * value_table::prime ^ bits >> 32) * value_table::prime;
    std::uint32_t const tag = static_cast<std::uint32_t>(h >> 32);
    std::uint32_t s = table_.first(tag);
    for (; table_.slots()[s] != 0; s = table_.next(s)) {
      if (table_.slots()[s] >> 32 != tag) continue;
      value const& v = w_.q.values.data()[value_table::value(table_.slots()[s])];
      if (v.constant >= 0 && v.type == type && w_.q.constants.data()[v.constant] == bits) return value_table::value(table_.slots()[s]);
    }
    int const v = w_.constant(type, &bits, 1);
    def_.push(-1);
    table_.take(s, tag, v);
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
    def_.push(-1);
    return w_.q.values.push({t, w_.q.values[v].constant});
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
    def_.push(-1);
    return w_.constant(t, part, n);
  }

  // Scalar s, broadcast to a type.
  constexpr int filled(int t, int s) {
    aval const& a = type(t);
    if (a.rank == 0) return s;
    int dims[max_rank];
    for (int i = 0; i < a.rank; ++i) dims[i] = a.dims[i];
    return number({prim::broadcast_in_dim, t, &s, 1, dims, a.rank});
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
    std::uint64_t out = 0;
    if (!fold_elementwise<Options>(r.op, d, x, r.n_in, r.par, r.n_par, type(r.type).type, &out)) return -1;
    return literal(r.type, out);
  }

  // The value that an equal equation of this block has made, or a new equation.
  constexpr int number(request const& r) {
    bool const swap = r.n_in == 2 && is_commutative(r.op) && r.in[0] > r.in[1];
    std::uint64_t h = (static_cast<unsigned>(r.op) + 1) * value_table::prime;
    if (swap) h = ((h ^ static_cast<unsigned>(r.in[1])) * value_table::prime ^ static_cast<unsigned>(r.in[0])) * value_table::prime;
    else
      for (int k = 0; k < r.n_in; ++k) h = (h ^ static_cast<unsigned>(r.in[k])) * value_table::prime;
    for (int k = 0; k < r.n_par; ++k) h = (h ^ static_cast<unsigned>(r.par[k])) * value_table::prime;
    std::uint32_t const tag = static_cast<std::uint32_t>(h >> 32);
    std::uint32_t s = table_.first(tag);
    std::uint64_t const* const slots = table_.slots();
    for (; slots[s] != 0; s = table_.next(s))
      if (slots[s] >> 32 == tag && same(r, value_table::value(slots[s]), swap)) return value_table::value(slots[s]);
    int const at = w_.pending.push({r.op, w_.refs({r.in, r.n_in}), r.n_in, w_.q.values.size(), 1, 0, r.n_par, 0, 0});
    if (r.n_par) w_.pending.data()[at].par = w_.params({r.par, r.n_par});
    int const v = w_.q.values.push({r.type, -1});
    def_.push(at);
    table_.take(s, tag, v);
    return v;
  }

 private:
  static constexpr bool is_commutative(prim op) {
    return op == prim::add || op == prim::mul || op == prim::max || op == prim::min || op == prim::and_ || op == prim::or_ ||
           op == prim::xor_ || op == prim::eq || op == prim::ne;
  }

  constexpr bool same(request const& r, int v, bool swap) const {
    int const at = def_[v];
    if (at < w_.first()) return false;
    eqn const& e = w_.pending[at];
    if (e.op != r.op || e.n_in != r.n_in || e.n_par != r.n_par || type_of(v) != r.type) return false;
    bool const swapped = r.n_in == 2 && is_commutative(r.op) && in(&e, 0) > in(&e, 1);
    for (int k = 0; k < r.n_in; ++k)
      if (in(&e, swapped ? 1 - k : k) != r.in[swap ? 1 - k : k]) return false;
    for (int k = 0; k < r.n_par; ++k)
      if (param(&e, k) != r.par[k]) return false;
    return true;
  }

  constexpr int input(int type) {
    def_.push(-1);
    return w_.q.values.push({type, -1});
  }

  // Opens a block. Values of outer blocks are out of reach until leave(): a block is closed.
  constexpr void enter() {
    w_.open();
    born_.push(w_.q.values.size());
  }
  constexpr int leave(span<int> in, span<int> out) {
    for (int v = born_.back(); v < def_.size(); ++v) def_.data()[v] = -1;
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
    int const t = w_.type_of(v);
    if (map_[v] < -1) return filled(t, -2 - map_[v]);
    std::uint64_t const* const from = w_.p.constants + w_.p.values[v].constant;
    aval const a = type(t);
    if (a.rank == 0) return map_[v] = literal(t, from[0]);
    std::ptrdiff_t const n = a.size();
    std::ptrdiff_t same = 1;
    while (same < n && from[same] == from[0]) ++same;
    if (!Options::simplify || same < n) {
      def_.push(-1);
      return map_[v] = w_.constant(t, from, n);
    }
    map_[v] = -2 - literal(a.type, n > 0 ? from[0] : 0);
    return filled(t, -2 - map_[v]);
  }

  constexpr void walk(block const& b) {
    eqn const* const end = w_.p.eqns + b.eqn + b.n_eqn;
    for (eqn const* e = w_.p.eqns + b.eqn; e != end; ++e) {
      if (e->n_blk != 0) control(*e);
      else if (e->n_in > few) many(*e);
      else {
        int in[few];
        int const* const refs = w_.p.refs + e->in;
        for (int k = 0; k < e->n_in; ++k) in[k] = map_[refs[k]] >= 0 ? map_[refs[k]] : first_use(refs[k]);
        map_[e->out] = make({e->op, w_.type_of(e->out), in, e->n_in, w_.p.params + e->par, e->n_par});
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
    map_[e.out] = make({e.op, w_.type_of(e.out), in.data(), e.n_in, w_.p.params + e.par, e.n_par});
  }

  constexpr void control(eqn const& e) {
    if (e.op == prim::jit && Options::inline_calls) splice(e);
    else if (e.op == prim::scan && Options::simplify) loop(e);
    else {
      arena<int> const in = operands(w_.p.ins(e));
      arena<int> inner;
      for (int x : w_.p.ins(w_.p.sub(e, 0))) inner.push(w_.type_of(x));
      enter();
      for (int& x : inner) x = input(x);
      int const blk = body(w_.p.sub(e, 0), inner, inner);
      emit(e, in, w_.p.params_of(e), blk, e.n_out);
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
  constexpr int emit(eqn const& e, span<int> in, span<int> par, int blk, int n_out) {
    int const first = w_.q.values.size();
    for (int k = 0; k < n_out; ++k) map_[e.out + k] = input(w_.type_of(e.out + k));
    w_.pending.push({e.op, w_.refs(in), in.size(), first, n_out, w_.params(par), par.size(), w_.refs({&blk, 1}), 1});
    return first;
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
      types.push(w_.type_of(w_.p.refs[b.in + k]));
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

    int next = w_.q.values.size();
    for (int k = 0; k < e.n_out; ++k) {
      bool const kept = k >= n_carry || !fixed[k];
      map_[e.out + k] = kept ? next++ : in[n_const + k];
      if (kept) input(w_.type_of(e.out + k));
    }
    w_.pending.push({prim::scan, w_.refs(outer), outer.size(), next - out.size(), out.size(), w_.params(par), 5, w_.refs({&blk, 1}), 1});
  }

  // The block's result k is its input `at`, or the literal that this input is from the start.
  constexpr bool keeps(block const& b, int at, int k, int start) const {
    int const result = w_.p.refs[b.out + k];
    if (result == w_.p.refs[b.in + at]) return true;
    return w_.p.is_literal(result) && is_literal(start) && type_of(start) == w_.type_of(result) && bits(start) == w_.p.bits(result);
  }

  static constexpr int few = 8;
  static constexpr int max_picked = 16;
  writer w_;
  value_table table_;
  int* map_;
  arena<int> def_;   // for each value of q the equation of the innermost open block that makes it, or -1
  arena<int> born_;  // for each open block its first value
  int scalar_types_[dtype_count] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
};

}  // namespace exprax::detail
