// SPDX-License-Identifier: BSL-1.0
// Algebra of the elementwise primitives. Only identities that hold bit for bit, also for NaN (except its sign), -0, infinities and
// wrapping integers: x + 0 is not x if x is -0, but x - 0 is. A rule returns the value that replaces an equation, or -1.
#pragma once

#include <exprax/passes/rewrite/fold.hpp>
#include <exprax/passes/rewrite/materialize.hpp>
#include <exprax/passes/rewrite/repeated_operands.hpp>
#include <exprax/passes/rewrite/simplify_conversions.hpp>
#include <exprax/passes/rewrite/simplify_division.hpp>

namespace exprax::detail {

// The result of an elementwise equation on literals, or -1.
template <class W>
constexpr int fold(W& w, request const& r) {
  std::uint64_t x[max_fold];
  dtype d[max_fold];
  for (int k = 0; k < r.n_in; ++k) {
    x[k] = w.bits(r.in[k]);
    d[k] = w.aval_of(r.in[k]).type;
  }
  fold_request f{d, x, r.n_in, w.type(r.type).type};
  return fold_elementwise<typename W::options>(r.op, f) ? w.literal(r.type, f.out) : -1;
}

// If every operand is filled with one scalar, computes one scalar. Otherwise scalars replace such operands in `in`, if the other
// operands alone have the shape of the result. Returns a value, or -1.
template <class W>
constexpr int simplify_uniform(W& w, request const& r, int* in) {
  aval const out = w.type(r.type);
  bool has[max_rank] = {};  // axes of the result that a varying operand spans
  bool varies = false, any = false;
  int scalar[max_fold];
  for (int k = 0; k < r.n_in; ++k) {
    scalar[k] = w.uniform(r.in[k]);
    if (scalar[k] >= 0) {
      any = any || scalar[k] != r.in[k];
      continue;
    }
    varies = true;
    aval const& a = w.aval_of(r.in[k]);
    for (int i = 0; i < out.rank; ++i) has[i] = has[i] || a.dims[i] == out.dims[i];
  }
  if (!varies) return w.filled(r.type, w.make({r.op, w.scalar_type(out.type), scalar, r.n_in, r.par, r.n_par}));
  for (int i = 0; i < out.rank; ++i) any = any && has[i];
  for (int k = 0; k < r.n_in; ++k) in[k] = any && scalar[k] >= 0 ? scalar[k] : r.in[k];
  return -1;
}

// x^y by repeated squaring, as jax.lax does it; every product is an equation, so that powers share their squares.
template <class W>
constexpr int expand_integer_pow(W& w, int type, int x, int y) {
  if (y == 0) return w.filled_with(type, one_bits(w.type(type).type));
  int power = -1;
  for (unsigned n = y < 0 ? 0u - static_cast<unsigned>(y) : static_cast<unsigned>(y); n != 0;) {
    if (n & 1u) power = power < 0 ? x : w.make(prim::mul, type, {power, x});
    n >>= 1;
    if (n != 0) x = w.make(prim::mul, type, {x, x});
  }
  if (y > 0) return power;
  return w.make(prim::div, type, {w.literal(w.type(type).type, one_bits(w.type(type).type)), power});
}

template <class W>
constexpr int simplify_sum(W& w, request const& r, int x, int y) {
  dtype const d = w.type(r.type).type;
  if (w.is_literal(y) && is_neutral_of_sum(d, w.bits(y))) return shaped(w, r.type, x);
  if (w.is_literal(x) && is_neutral_of_sum(d, w.bits(x))) return shaped(w, r.type, y);
  if (eqn const* n = w.made_by(prim::neg, y)) return w.make(prim::sub, r.type, {x, w.in(n, 0)});
  if (eqn const* n = w.made_by(prim::neg, x)) return w.make(prim::sub, r.type, {y, w.in(n, 0)});
  return -1;
}

template <class W>
constexpr int simplify_difference(W& w, request const& r, int x, int y) {
  dtype const d = w.type(r.type).type;
  if (w.is_literal(y) && w.bits(y) == 0) return shaped(w, r.type, x);
  if (x == y && !is_floating(d)) return w.filled_with(r.type, 0);
  if (eqn const* n = w.made_by(prim::neg, y)) return w.make(prim::add, r.type, {x, w.in(n, 0)});
  return -1;
}

// Of the operands of a commuting primitive.
template <class W>
constexpr void put_literal_last(W& w, int& x, int& y) {
  if (!w.is_literal(x)) return;
  int const t = x;
  x = y;
  y = t;
}

template <class W>
constexpr int simplify_product(W& w, request const& r, int x, int y) {
  put_literal_last(w, x, y);
  if (!w.is_literal(y)) return -1;
  dtype const d = w.type(r.type).type;
  std::uint64_t const c = w.bits(y);
  if (c == one_bits(d)) return shaped(w, r.type, x);
  if (c == 0 && !is_floating(d)) return w.filled_with(r.type, 0);
  if (is_minus_one(d, c)) return w.make(prim::neg, r.type, {shaped(w, r.type, x)});
  return -1;
}

template <class W>
constexpr int simplify_quotient(W& w, request const& r, int x, int y) {
  if (!w.is_literal(y)) return -1;
  dtype const d = w.type(r.type).type;
  std::uint64_t const c = w.bits(y);
  if (c == one_bits(d)) return shaped(w, r.type, x);
  if (!is_floating(d)) return -1;
  if (is_minus_one(d, c)) return w.make(prim::neg, r.type, {shaped(w, r.type, x)});
  if (std::uint64_t const inverse = exact_reciprocal(d, c)) return w.make(prim::mul, r.type, {x, w.literal(d, inverse)});
  return -1;
}

// max(x, c) and min(x, c) for a number c need not look for NaN in c. Of two zeros they return x, which is right for max(x, -0) and
// min(x, +0). max(x, +0) adds +0, which makes +0 of -0; min(x, -0) stays as it is.
template <class W>
constexpr int simplify_bound(W& w, request const& r, int x, int c) {
  dtype const d = w.type(r.type).type;
  std::uint64_t const bits = w.bits(c);
  bool const is_max = r.op == prim::max;
  if (!is_floating(d) || is_nan_bits(d, bits) || (!is_max && bits == sign_bit(d))) return -1;
  int const bound = w.make(is_max ? prim::at_least : prim::at_most, r.type, {x, c});
  return is_max && bits == 0 ? w.make(prim::add, r.type, {bound, c}) : bound;
}
template <class W>
constexpr int simplify_extremum(W& w, request const& r, int x, int y) {
  if (x == y) return shaped(w, r.type, x);
  put_literal_last(w, x, y);
  if (!w.is_literal(y)) return -1;
  if (is_neutral_of_extremum(w.type(r.type).type, w.bits(y), r.op == prim::max)) return shaped(w, r.type, x);
  return simplify_bound(w, r, x, y);
}
// min(max(x, low), high)
template <class W>
constexpr int simplify_clamp(W& w, request const& r, int low, int x, int high) {
  if (!w.is_literal(low) || !w.is_literal(high) || !is_floating(w.type(r.type).type)) return -1;
  return w.make(prim::min, r.type, {w.make(prim::max, r.type, {x, low}), high});
}

// and, or, xor: of bools and integers.
template <class W>
constexpr int simplify_logic(W& w, request const& r, int x, int y) {
  if (x == y) return r.op == prim::xor_ ? w.filled_with(r.type, 0) : shaped(w, r.type, x);
  put_literal_last(w, x, y);
  if (!w.is_literal(y)) return -1;
  std::uint64_t const c = w.bits(y);
  bool const ones = is_all_ones(w.type(r.type).type, c);
  if (c == 0) return r.op == prim::and_ ? w.filled_with(r.type, 0) : shaped(w, r.type, x);
  if (ones && r.op == prim::and_) return shaped(w, r.type, x);
  if (ones && r.op == prim::or_) return w.filled_with(r.type, c);
  if (ones) return w.make(prim::not_, r.type, {shaped(w, r.type, x)});
  return -1;
}

// Integers that are never negative: indices that need no check whether they count from the end.
template <class W>
constexpr bool is_never_negative(W& w, int v) {
  dtype const d = w.aval_of(v).type;
  if (d != dtype::i32 && d != dtype::i64) return false;  // iota wraps in narrower ones
  auto const is_literal_from_zero = [&](int x) { return w.is_literal(x) && w.bits(x) >> 63 == 0; };
  if (is_literal_from_zero(v) || w.made_by(prim::iota, v) || w.made_by(prim::order_rows, v)) return true;
  constexpr prim movements[] = {prim::broadcast_in_dim, prim::reshape, prim::squeeze, prim::transpose, prim::slice, prim::rev};
  for (prim op : movements)
    if (eqn const* const e = w.made_by(op, v)) return is_never_negative(w, w.in(e, 0));
  if (eqn const* const e = w.made_by(prim::max, v)) return is_literal_from_zero(w.in(e, 0)) || is_literal_from_zero(w.in(e, 1));
  eqn const* const e = w.made_by(prim::nonzero, v);
  return e && (e->n_in == 1 || (w.aval_of(w.in(e, 1)).type == d && is_literal_from_zero(w.in(e, 1))));
}

// A bool, or what it is as a number, compared with 0 or 1.
template <class W>
constexpr int simplify_comparison_of_bool(W& w, request const& r, int x, int y) {
  if (!w.is_literal(y)) return -1;
  eqn const* const number = w.made_by(prim::convert_element_type, x);
  int const b = number ? w.in(number, 0) : x;
  dtype const t[] = {w.aval_of(x).type, w.aval_of(y).type};
  std::uint64_t const one = one_bits(t[0]), literal = w.bits(y);
  if (w.aval_of(b).type != dtype::b1 || (literal != 0 && literal != one)) return -1;
  std::uint64_t const of_false[] = {0, literal}, of_true[] = {one, literal};
  fold_request low{t, of_false, 2, dtype::b1}, high{t, of_true, 2, dtype::b1};
  if (!fold_elementwise<typename W::options>(r.op, low) || !fold_elementwise<typename W::options>(r.op, high)) return -1;
  if (low.out == high.out) return w.filled_with(r.type, low.out);
  return high.out != 0 ? shaped(w, r.type, b) : w.make(prim::not_, r.type, {shaped(w, r.type, b)});
}
// x == x for bools and integers; floats may be NaN.
template <class W>
constexpr int simplify_comparison(W& w, request const& r, int x, int y) {
  if (int const v = simplify_comparison_of_bool(w, r, x, y); v >= 0) return v;
  if ((r.op == prim::lt || r.op == prim::ge) && w.is_literal(y) && w.bits(y) == 0 && is_never_negative(w, x))
    return w.filled_with(r.type, r.op == prim::ge);
  if (x != y || is_floating(w.aval_of(x).type)) return -1;
  return w.filled_with(r.type, r.op == prim::eq || r.op == prim::le || r.op == prim::ge ? 1 : 0);
}

// The index of a branch of cond is a bool, converted: with two cases it chooses as it is.
template <class W>
constexpr int simplify_select(W& w, request const& r) {
  int const cases = r.n_in - 1;
  bool all_same = true;
  for (int k = 2; k <= cases; ++k) all_same = all_same && r.in[k] == r.in[1];
  if (all_same) return shaped(w, r.type, r.in[1]);
  if (eqn const* const index = w.made_by(prim::convert_element_type, r.in[0]);
      index && cases == 2 && w.aval_of(w.in(index, 0)).type == dtype::b1)
    return w.make(prim::select_n, r.type, {w.in(index, 0), r.in[1], r.in[2]});
  if (!w.is_literal(r.in[0])) return cases == 2 ? simplify_rounded_down(w, r) : -1;
  int const which = static_cast<int>(w.bits(r.in[0]));
  return shaped(w, r.type, r.in[1 + (which < 0 ? 0 : which >= cases ? cases - 1 : which)]);
}

// f(f(x)) is f(x), f(-x) is f(x) for abs, f(f(x)) is x for neg and not.
template <class W>
constexpr int simplify_unary(W& w, request const& r, int x) {
  eqn const* const inner = w.made_by(r.op, x);
  switch (r.op) {
    case prim::neg:
    case prim::not_: return inner ? w.in(inner, 0) : -1;
    case prim::sign:
    case prim::floor:
    case prim::ceil: return inner ? x : -1;
    case prim::abs:
      if (inner) return x;
      if (eqn const* n = w.made_by(prim::neg, x); n && !is_unsigned_integer(w.type(r.type).type))
        return w.make(prim::abs, r.type, {w.in(n, 0)});
      return -1;
    default: return -1;
  }
}

// If no rule applies, makes the equation, with scalar operands where possible.
template <class W>
constexpr int simplify_elementwise(W& w, request r) {
  int in[max_fold], v = -1;
  if (r.n_in > max_fold) return -1;
  bool literals = true;
  for (int k = 0; k < r.n_in; ++k) literals = literals && w.is_literal(r.in[k]);
  if (literals && (v = fold(w, r)) >= 0) return v;
  if (w.type(r.type).rank > 0) {
    if (w.type(r.type).size() == 0) return w.filled_with(r.type, 0);
    v = simplify_uniform(w, r, in);
    if (v >= 0) return v;
    r.in = in;
  }
  switch (r.op) {
    case prim::add: v = simplify_sum(w, r, r.in[0], r.in[1]); break;
    case prim::sub: v = simplify_difference(w, r, r.in[0], r.in[1]); break;
    case prim::mul: v = simplify_product(w, r, r.in[0], r.in[1]); break;
    case prim::div: v = simplify_quotient(w, r, r.in[0], r.in[1]); break;
    case prim::max:
    case prim::min: v = simplify_extremum(w, r, r.in[0], r.in[1]); break;
    case prim::clamp: v = simplify_clamp(w, r, r.in[0], r.in[1], r.in[2]); break;
    case prim::and_:
    case prim::or_:
    case prim::xor_: v = simplify_logic(w, r, r.in[0], r.in[1]); break;
    case prim::eq:
    case prim::ne:
    case prim::lt:
    case prim::le:
    case prim::gt:
    case prim::ge: v = simplify_comparison(w, r, r.in[0], r.in[1]); break;
    case prim::select_n: v = simplify_select(w, r); break;
    case prim::integer_pow: v = expand_integer_pow(w, r.type, r.in[0], r.par[0]); break;
    case prim::convert_element_type: v = simplify_convert(w, r, r.in[0]); break;
    case prim::shift_right_logical: v = simplify_right_shift(w, r, r.in[0], r.in[1]); break;
    default: v = r.n_in == 1 ? simplify_unary(w, r, r.in[0]) : -1; break;
  }
  if (v < 0) v = compute_once(w, r);
  return v >= 0 ? v : w.number(r);
}

}  // namespace exprax::detail
