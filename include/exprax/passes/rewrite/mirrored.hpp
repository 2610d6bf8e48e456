// SPDX-License-Identifier: BSL-1.0
// mirror_finder: whether a value equals itself, or minus itself, with two axes exchanged, as the differences of all pairs of points do and
// what is computed from them. reduce_mirrored: then the reductions along both axes are one.
#pragma once

#include <exprax/passes/rewrite/request.hpp>
#include <exprax/primitives/contractions/dot_general.hpp>

namespace exprax::detail {

// u is v, or minus v, with axes exchanged. Not exact: but for the signs of zeros.
struct mirror {
  int sign = 0;  // 1, -1, or 0: neither is known
  bool exact = false;

  constexpr bool is_equal() const { return sign == 1 && exact; }
};

template <class W>
class mirror_finder {
 public:
  constexpr explicit mirror_finder(W const& w) : w_(w) {}

  // Of v with axes a and b exchanged, a < b.
  constexpr mirror of(int v, int a, int b) { return of(v, v, a, b); }

 private:
  static constexpr int most_steps = 128;
  struct seen {
    int v, a, b;
    mirror is;
  };
  static constexpr mirror same{1, true};
  // Functions of which 0 and -0 have one value; predicates are others.
  static constexpr prim_set same_for_zeros = {prim::exp, prim::exp2, prim::cos, prim::cosh, prim::logistic};

  static constexpr int exchanged(int axis, int a, int b) { return axis == a ? b : axis == b ? a : axis; }
  constexpr bool has_mirrored_shape(int u, int v, int a, int b) const {
    aval const &x = w_.aval_of(u), &y = w_.aval_of(v);
    bool ok = x.rank == y.rank && x.type == y.type && b < x.rank;
    for (int i = 0; ok && i < x.rank; ++i) ok = x.dims[i] == y.dims[exchanged(i, a, b)];
    return ok;
  }

  constexpr mirror of(int u, int v, int a, int b) {
    if (w_.aval_of(v).rank == 0) return u == v ? same : mirror();
    if (!has_mirrored_shape(u, v, a, b)) return {};
    if (u == v && w_.aval_of(v).dims[a] == 1) return same;
    if (u != v) return made(u, v, a, b);
    for (seen const& s : seen_)
      if (s.v == v && s.a == a && s.b == b) return s.is;
    mirror const is = made(v, v, a, b);
    seen_.push({v, a, b, is});
    return is;
  }
  constexpr mirror made(int u, int v, int a, int b) {
    if (++steps_ > most_steps) return {};
    if (w_.uniform(v) >= 0) return w_.uniform(u) == w_.uniform(v) ? same : mirror();
    eqn const *const e = w_.maker(u), *const f = w_.maker(v);
    if (is_transposed(e, v, a, b) || is_transposed(f, u, a, b)) return same;
    if (!e || !f || e->op != f->op || e->n_in != f->n_in || e->n_par != f->n_par) return {};
    if (kind_of(e->op) == op_class::elementwise) return elementwise(*e, *f, u, v, a, b);
    switch (e->op) {
      case prim::broadcast_in_dim: return broadcast(*e, *f, w_.aval_of(v).rank, a, b);
      case prim::reshape: return reshaped(*e, *f, w_.aval_of(u), a, b);
      case prim::transpose: return transposed(*e, *f, a, b);
      case prim::iota: return w_.param(e, 1) == exchanged(w_.param(f, 1), a, b) ? same : mirror();
      case prim::dot_general: return u == v ? product(*e, a, b) : mirror();
      default: return is_reduction(e->op) ? reduced(*e, *f, w_.aval_of(w_.in(e, 0)).rank, a, b) : mirror();
    }
  }

  // Whether e transposes v by exchanging the axes.
  constexpr bool is_transposed(eqn const* e, int v, int a, int b) const {
    if (!e || e->op != prim::transpose || w_.in(e, 0) != v) return false;
    bool ok = true;
    for (int i = 0; i < e->n_par; ++i) ok = ok && w_.param(e, i) == exchanged(i, a, b);
    return ok;
  }
  constexpr bool has_same_parameters(eqn const& e, eqn const& f) const {
    bool ok = true;
    for (int i = 0; i < e.n_par; ++i) ok = ok && w_.param(&e, i) == w_.param(&f, i);
    return ok;
  }
  constexpr mirror in_order(eqn const& e, eqn const& f, int k, int a, int b) { return of(w_.in(&e, k), w_.in(&f, k), a, b); }
  // A product may be fused with the sum that uses it, and then it is not rounded: sums of it change if their operands change places.
  constexpr bool uses_products(eqn const& e) const {
    bool any = false;
    for (int k = 0; k < e.n_in; ++k) any = any || w_.made_by(prim::mul, w_.in(&e, k));
    return any;
  }

  constexpr mirror elementwise(eqn const& e, eqn const& f, int u, int v, int a, int b) {
    if (!has_same_parameters(e, f)) return {};
    mirror m[3];
    bool equal = e.n_in > 0, has_sign = true;
    for (int k = 0; k < e.n_in; ++k) {
      mirror const is = in_order(e, f, k, a, b);
      equal = equal && is.is_equal();
      has_sign = has_sign && is.sign == 1;
      if (k < 3) m[k] = is;
    }
    equal = equal || (has_sign && (traits_of(e.op).is_predicate || same_for_zeros.has[static_cast<int>(e.op)]));
    bool const sums = e.op == prim::add || e.op == prim::sub || e.op == prim::fma;
    bool const may_fuse = sums && (uses_products(e) || uses_products(f));
    if (may_fuse && u != v) return {};
    if (equal) return same;
    mirror left, right;
    if (!may_fuse && e.n_in == 2 && (traits_of(e.op).commutes || e.op == prim::sub)) {
      left = of(w_.in(&e, 0), w_.in(&f, 1), a, b);
      right = of(w_.in(&e, 1), w_.in(&f, 0), a, b);
      if (traits_of(e.op).commutes && left.is_equal() && right.is_equal()) return same;
    }
    return is_floating(w_.aval_of(v).type) ? signs(e, f, m, left, right) : mirror();
  }

  // What the primitive does with the signs of its operands: m in order, left and right if they change places.
  static constexpr mirror added(mirror x, mirror y) { return {x.sign == y.sign ? x.sign : 0, x.is_equal() && y.is_equal()}; }
  static constexpr mirror multiplied(mirror x, mirror y) { return {x.sign * y.sign, x.is_equal() && y.is_equal()}; }
  constexpr mirror signs(eqn const& e, eqn const& f, mirror const* m, mirror left, mirror right) const {
    switch (e.op) {
      case prim::neg: return m[0];
      case prim::abs: return {m[0].sign != 0, true};
      case prim::sqrt: return {m[0].sign == 1, false};
      case prim::convert_element_type: return is_floating(w_.aval_of(w_.in(&e, 0)).type) ? m[0] : mirror();
      case prim::add: return added(m[0], m[1]).sign != 0 ? added(m[0], m[1]) : added(left, right);
      case prim::sub:
        if (added(m[0], m[1]).sign != 0) return added(m[0], m[1]);
        return {-added(left, right).sign, false};
      case prim::mul:
        if (w_.in(&e, 0) == w_.in(&e, 1) && w_.in(&f, 0) == w_.in(&f, 1)) return {m[0].sign != 0, true};
        return multiplied(m[0], m[1]).sign != 0 ? multiplied(m[0], m[1]) : multiplied(left, right);
      case prim::fma: return added(multiplied(m[0], m[1]), m[2]);
      case prim::div: return m[1].is_equal() ? m[0] : mirror();
      case prim::select_n: return e.n_in == 3 && m[0].is_equal() ? added(m[1], m[2]) : mirror();
      default: return {};
    }
  }

  // The position of an axis of the result among the axes of the operand, or -1.
  constexpr int operand_axis(eqn const& e, int rank, int axis) const {
    for (int i = rank; i < e.n_par; ++i)
      if (w_.param(&e, i) == axis) return i - rank;
    return -1;
  }
  constexpr mirror broadcast(eqn const& e, eqn const& f, int rank, int a, int b) {
    int const x = w_.in(&e, 0), y = w_.in(&f, 0);
    bool exchanges = x == y, same_axes = true;
    for (int i = rank; i < e.n_par; ++i) {
      exchanges = exchanges && w_.param(&e, i) == exchanged(w_.param(&f, i), a, b);
      same_axes = same_axes && w_.param(&e, i) == w_.param(&f, i);
    }
    if (exchanges) return same;
    int const of_a = operand_axis(e, rank, a), of_b = operand_axis(e, rank, b);
    return same_axes && of_a >= 0 && of_b >= 0 ? of(x, y, of_a, of_b) : mirror();
  }
  // Of one operand, if an axis of one element changes places with its neighbour; or axes of one element come or go.
  constexpr mirror reshaped(eqn const& e, eqn const& f, aval const& to, int a, int b) {
    int const x = w_.in(&e, 0), y = w_.in(&f, 0);
    if (x == y && b == a + 1 && (to.dims[a] == 1 || to.dims[b] == 1)) return same;
    if (to.dims[a] == 1 || to.dims[b] == 1) return {};
    aval const& from = w_.aval_of(x);
    int i = 0, of_a = -1, of_b = -1;
    for (int k = 0; k < to.rank; ++k) {
      if (to.dims[k] == 1) continue;
      while (i < from.rank && from.dims[i] == 1) ++i;
      if (i == from.rank || from.dims[i] != to.dims[k]) return {};
      if (k == a) of_a = i;
      if (k == b) of_b = i;
      ++i;
    }
    return of(x, y, of_a, of_b);
  }
  constexpr mirror transposed(eqn const& e, eqn const& f, int a, int b) {
    bool exchanges = w_.in(&e, 0) == w_.in(&f, 0);
    for (int i = 0; exchanges && i < e.n_par; ++i) exchanges = w_.param(&e, i) == w_.param(&f, exchanged(i, a, b));
    if (exchanges) return same;
    int const x = w_.param(&e, a), y = w_.param(&e, b);
    return has_same_parameters(e, f) ? of(w_.in(&e, 0), w_.in(&f, 0), x < y ? x : y, x < y ? y : x) : mirror();
  }
  // x times x transposed, with the same order of sums.
  constexpr mirror product(eqn const& e, int a, int b) const {
    dot_numbers const d({w_.params_of(&e), e.n_par});
    eqn const *const lhs = w_.made_by(prim::transpose, w_.in(&e, 0)), *const rhs = w_.made_by(prim::transpose, w_.in(&e, 1));
    int const x = w_.in(&e, 0), y = w_.in(&e, 1), batch = d.lhs_batch.size();
    if (a != batch || b != a + 1 || w_.aval_of(x).rank != batch + 1 + d.lhs_contract.size()) return {};
    bool const turns_left = lhs && w_.in(lhs, 0) == y, turns_right = rhs && w_.in(rhs, 0) == x;
    if (x != y && !turns_left && !turns_right) return {};
    auto const is_same_axis = [&](int left, int right) {
      if (x == y) return left == right;
      return turns_left ? w_.param(lhs, left) == right : left == w_.param(rhs, right);
    };
    bool alike = true;
    for (int i = 0; i < d.lhs_contract.size(); ++i) alike = alike && is_same_axis(d.lhs_contract[i], d.rhs_contract[i]);
    for (int i = 0; i < batch; ++i) alike = alike && is_same_axis(d.lhs_batch[i], d.rhs_batch[i]);
    return alike ? same : mirror();
  }
  // Sums are never -0.
  constexpr mirror reduced(eqn const& e, eqn const& f, int rank, int a, int b) {
    if (!has_same_parameters(e, f)) return {};
    int of_a = -1, of_b = -1;
    for (int i = 0, k = 0; i < rank; ++i) {
      bool gone = false;
      for (int p = 0; p < e.n_par; ++p) gone = gone || w_.param(&e, p) == i;
      if (gone) continue;
      if (k == a) of_a = i;
      if (k == b) of_b = i;
      ++k;
    }
    mirror const is = of(w_.in(&e, 0), w_.in(&f, 0), of_a, of_b);
    if (e.op == prim::reduce_sum) return {is.sign, is.sign == 1};
    return is.is_equal() ? same : mirror();
  }

  W const& w_;
  arena<seen> seen_;
  int steps_ = 0;
};

// Of a value that is, or is minus, itself with the axis and the next one exchanged: along the next one. So the reductions along both are
// one. A sum is not -0, so minus a sum is 0 minus it.
template <class W>
constexpr int reduce_mirrored(W& w, request const& r, int x) {
  aval const& from = w.aval_of(x);
  if (r.n_par != 1 || r.par[0] + 1 >= from.rank) return -1;
  int const axis = r.par[0], next = axis + 1;
  if (from.dims[axis] != from.dims[next] || from.dims[axis] < 2) return -1;
  mirror const is = mirror_finder<W>(w).of(x, axis, next);
  if (r.op == prim::reduce_sum ? is.sign == 0 : !is.is_equal()) return -1;
  int const v = w.make(r.op, r.type, {x}, {&next, 1});
  return is.sign > 0 ? v : w.make(prim::sub, r.type, {w.filled_with(r.type, 0), v});
}

}  // namespace exprax::detail
