// SPDX-License-Identifier: BSL-1.0
// Algebra of integer quotients and remainders that are rounded down, as floor_divide and remainder make them of truncated ones: by a
// positive literal c they take one division, and by a power of two a shift or a mask.
#pragma once

#include <cstdint>

#include <exprax/passes/rewrite/literals.hpp>
#include <exprax/passes/rewrite/request.hpp>

namespace exprax::detail {

template <class W>
constexpr bool is_literal_of(W& w, int v, std::uint64_t bits) {
  return w.is_literal(v) && w.bits(v) == bits;
}
// The equation v = op(x, c), for a positive literal c and signed integers of the shape of the result r; or none.
template <class W>
constexpr eqn const* by_positive_literal(W& w, request const& r, prim op, int v) {
  eqn const* const e = w.made_by(op, v);
  if (!e || !w.is_literal(w.in(e, 1)) || w.type_of(w.in(e, 0)) != r.type || !is_signed_integer(w.type(r.type).type)) return nullptr;
  return static_cast<std::int64_t>(w.bits(w.in(e, 1))) > 0 ? e : nullptr;
}

// select_n(sign(x) != 1 and x rem c != 0, q, q - 1) with q = x div c.
template <class W>
constexpr int simplify_floor_quotient(W& w, request const& r, eqn const* both) {
  eqn const *const q = by_positive_literal(w, r, prim::div, r.in[1]), *const less = w.made_by(prim::sub, r.in[2]);
  if (!q || !less || w.in(less, 0) != r.in[1] || !is_literal_of(w, w.in(less, 1), 1)) return -1;
  int const x = w.in(q, 0), c = w.in(q, 1);
  // Whether v is op(x) != literal, or op(x, c) != literal.
  auto const is_other_than = [&](prim op, std::uint64_t literal, int v) {
    eqn const* const e = w.made_by(prim::ne, v);
    eqn const* const left = e && is_literal_of(w, w.in(e, 1), literal) ? w.made_by(op, w.in(e, 0)) : nullptr;
    return left && w.in(left, 0) == x && (left->n_in == 1 || w.in(left, 1) == c);
  };
  if (!is_other_than(prim::sign, 1, w.in(both, 0)) || !is_other_than(prim::rem, 0, w.in(both, 1))) return -1;
  dtype const d = w.type(r.type).type;
  auto const shifted = [&](int n) {
    return w.make(prim::shift_right_arithmetic, r.type, {x, w.literal(d, static_cast<std::uint64_t>(n))});
  };
  if (int const n = binary_logarithm(w.bits(c)); n >= 0) return shifted(n);
  // Where x is negative all bits are turned before and after: -x - 1 rounds as it should.
  int const turned = shifted(8 * size_of(d) - 1);
  return w.make(prim::xor_, r.type, {w.make(prim::div, r.type, {w.make(prim::xor_, r.type, {x, turned}), c}), turned});
}

// select_n(h < 0 and h != 0, h, h + c) with h = x rem c.
template <class W>
constexpr int simplify_floor_remainder(W& w, request const& r, eqn const* both) {
  eqn const *const h = by_positive_literal(w, r, prim::rem, r.in[1]), *const more = w.made_by(prim::add, r.in[2]);
  if (!h || !more || w.in(more, 0) != r.in[1] || w.in(more, 1) != w.in(h, 1)) return -1;
  auto const is_compared_with_zero = [&](prim op, int v) {
    eqn const* const e = w.made_by(op, v);
    return e && w.in(e, 0) == r.in[1] && is_literal_of(w, w.in(e, 1), 0);
  };
  if (!is_compared_with_zero(prim::lt, w.in(both, 0)) || !is_compared_with_zero(prim::ne, w.in(both, 1))) return -1;
  std::uint64_t const divisor = w.bits(w.in(h, 1));
  if (binary_logarithm(divisor) >= 0) return w.make(prim::and_, r.type, {w.in(h, 0), w.literal(w.type(r.type).type, divisor - 1)});
  return w.make(prim::select_n, r.type, {w.in(both, 0), r.in[1], r.in[2]});
}

// A select_n of two cases.
template <class W>
constexpr int simplify_rounded_down(W& w, request const& r) {
  eqn const* const both = w.made_by(prim::and_, r.in[0]);
  if (!both) return -1;
  int const v = simplify_floor_quotient(w, r, both);
  return v >= 0 ? v : simplify_floor_remainder(w, r, both);
}

}  // namespace exprax::detail
