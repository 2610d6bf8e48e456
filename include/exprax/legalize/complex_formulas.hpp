// SPDX-License-Identifier: BSL-1.0
// Functions of complex numbers as equations on their real and imaginary parts. No intermediate overflow or underflow spoils a finite
// result: quotients by Smith's method (1962) with the special values of C99's Annex G, magnitudes scaled by the larger part, log near
// |z| = 1 by log1p. Real functions are called only where they are accurate.
#pragma once

#include <exprax/legalize/expand_composites.hpp>
#include <exprax/math/fused.hpp>

namespace exprax::detail {

// The values of the real and imaginary parts, of the same type.
struct complex_parts {
  int re, im;
};

class complex_formulas {
 public:
  constexpr explicit complex_formulas(expand_context& c) : c_(c) {}

  constexpr complex_parts neg(complex_parts x) { return {un(prim::neg, x.re), un(prim::neg, x.im)}; }
  constexpr complex_parts add(complex_parts x, complex_parts y) { return {add(x.re, y.re), add(x.im, y.im)}; }
  constexpr complex_parts sub(complex_parts x, complex_parts y) { return {sub(x.re, y.re), sub(x.im, y.im)}; }
  constexpr complex_parts mul(complex_parts x, complex_parts y) {
    return {sub(mul(x.re, y.re), mul(x.im, y.im)), add(mul(x.re, y.im), mul(x.im, y.re))};
  }
  constexpr complex_parts div(complex_parts x, complex_parts y) {
    int const first = bin(prim::ge, abs(y.re), abs(y.im));
    int const large = select(first, y.re, y.im), small = select(first, y.im, y.re);
    int const p = select(first, x.re, x.im), q = select(first, x.im, x.re);
    int const r = div(small, large), scale = add(large, mul(small, r));
    int const im = div(sub(q, mul(p, r)), scale);
    complex_parts z = {div(add(p, mul(q, r)), scale), select(first, im, un(prim::neg, im))};
    // Annex G: both parts are NaN, although one operand is infinite or the divisor is 0.
    int const zero = number(y.re, 0), one = number(y.re, 1), infinity = inf(y.re);
    int const lost = both(is_nan(z.re), is_nan(z.im)), by_zero = both(bin(prim::eq, y.re, zero), bin(prim::eq, y.im, zero));
    auto const box = [&](int v) { return copy_sign(select(is_inf(v), one, zero), v); };
    int const x_infinite = either(is_inf(x.re), is_inf(x.im)), y_infinite = either(is_inf(y.re), is_inf(y.im));
    int const from_x = both(x_infinite, both(finite(y.re), finite(y.im))), from_y = both(y_infinite, both(finite(x.re), finite(x.im)));
    complex_parts const a = {select(from_x, box(x.re), x.re), select(from_x, box(x.im), x.im)};
    complex_parts const b = {select(from_y, box(y.re), y.re), select(from_y, box(y.im), y.im)};
    int const factor = select(from_x, infinity, zero), special = both(lost, either(from_x, from_y));
    int const sum = mul(factor, add(mul(a.re, b.re), mul(a.im, b.im))), difference = mul(factor, sub(mul(a.im, b.re), mul(a.re, b.im)));
    int const huge = copy_sign(infinity, y.re), over_zero = both(lost, by_zero);
    z = choose(special, {sum, difference}, z);
    return choose(over_zero, {mul(huge, x.re), mul(huge, x.im)}, z);
  }

  constexpr int magnitude(complex_parts x) {
    ordered const o = order(x);
    return mul(o.large, un(prim::sqrt, add(mul(o.ratio, o.ratio), number(x.re, 1))));
  }
  constexpr complex_parts sign(complex_parts x) {
    int const r = magnitude(x), zero = number(x.re, 0), none = bin(prim::eq, r, zero);
    return {select(none, zero, div(x.re, r)), select(none, zero, div(x.im, r))};
  }
  constexpr complex_parts exp(complex_parts x) { return power_of(prim::exp, x, {un(prim::cos, x.im), un(prim::sin, x.im)}); }
  // The angle im * log(2) in two parts, because the result would inherit its whole rounding error.
  constexpr complex_parts exp2(complex_parts x) {
    bool const wide = c_.type(x.re).type == dtype::f64;
    int const ln_2 = real(x.re, wide ? 0x1.62e42fefa39efp-1 : 0x1.62e43p-1),
              ln_2_rest = real(x.re, wide ? 0x1.abc9e3b39803fp-56 : -0x1.05c61p-29);
    int const angle = mul(x.im, ln_2), rest = mul_add(x.im, ln_2_rest, product_error(x.im, ln_2, angle));
    int const cosine = un(prim::cos, angle), sine = un(prim::sin, angle);
    return power_of(prim::exp2, x, {sub(cosine, mul(rest, sine)), add(sine, mul(rest, cosine))});
  }
  constexpr complex_parts expm1(complex_parts x) {
    complex_parts z = exp(x);
    int const s = un(prim::sin, mul(x.im, real(x.re, 0.5))), zero = number(x.re, 0);
    int const re = sub(mul(un(prim::expm1, x.re), un(prim::cos, x.im)), mul(mul(s, s), number(x.re, 2)));
    int const near = bin(prim::lt, x.re, number(x.re, 30));
    z.re = select(both(near, finite(x.im)), re, sub(z.re, number(x.re, 1)));
    return {select(bin(prim::eq, x.im, zero), un(prim::expm1, x.re), z.re), z.im};
  }
  constexpr complex_parts log(complex_parts x) {
    ordered const o = order(x);
    return {log_of(o.large, o.small, o.ratio), bin(prim::atan2, x.im, x.re)};
  }
  constexpr complex_parts log1p(complex_parts x) {
    int const one = number(x.re, 1), shifted = add(x.re, one);
    // |1 + z|^2 - 1 = 2 x + x^2 + y^2, with the rounding errors added.
    int const twice = add(x.re, x.re), half = real(x.re, 0.5);
    in_two const p = square(x.re), q = square(x.im);
    in_two const part = sum(twice, p.whole), u = sum(part.whole, q.whole);
    int const near = both(bin(prim::gt, u.whole, real(x.re, -0.5)), bin(prim::lt, u.whole, number(x.re, 3)));
    int const direct = mul(half, un(prim::log1p, add(u.whole, add(add(part.rest, u.rest), add(p.rest, q.rest)))));
    ordered const o = order({shifted, x.im});
    return {select(near, direct, log_of(o.large, o.small, o.ratio)), bin(prim::atan2, x.im, shifted)};
  }
  constexpr complex_parts sqrt(complex_parts x) {
    int const one = number(x.re, 1), zero = number(x.re, 0), half = real(x.re, 0.5);
    ordered const o = order(x);
    int const size = abs(x.re), share = select(bin(prim::eq, size, o.large), one, o.ratio);
    int const root = un(prim::sqrt, add(mul(o.ratio, o.ratio), one));
    int const w = mul(un(prim::sqrt, o.large), un(prim::sqrt, mul(half, add(share, root))));
    int const other = select(bin(prim::eq, w, zero), zero, mul(half, div(abs(x.im), w)));
    int const positive = bin(prim::ge, x.re, zero);
    complex_parts z = {select(positive, w, other), copy_sign(select(positive, other, w), x.im)};
    // An infinite real part with a NaN; an infinite imaginary part gives infinity whatever the real part is.
    z = choose(both(is_inf(x.re), is_nan(x.im)), {select(positive, size, x.im), select(positive, x.im, size)}, z);
    return choose(is_inf(x.im), {abs(x.im), x.im}, z);
  }
  constexpr complex_parts reciprocal(complex_parts x) { return div(one_like(x), x); }
  // sin z = -i sinh(i z), cos z = cosh(i z)
  constexpr complex_parts sin(complex_parts x) {
    complex_parts const z = sinh({un(prim::neg, x.im), x.re});
    return {z.im, un(prim::neg, z.re)};
  }
  constexpr complex_parts cos(complex_parts x) { return cosh({un(prim::neg, x.im), x.re}); }
  constexpr complex_parts sinh(complex_parts x) {
    hyperbolic const h = hyper(x.re);
    int const zero = number(x.re, 0), sine = un(prim::sin, x.im);  // 0 times an infinite cosh is 0
    return {mul(mul(un(prim::cos, x.im), h.sinh), h.again), select(bin(prim::eq, sine, zero), sine, mul(mul(sine, h.cosh), h.again))};
  }
  constexpr complex_parts cosh(complex_parts x) {
    hyperbolic const h = hyper(x.re);
    int const zero = number(x.re, 0), sine = un(prim::sin, x.im);
    int const im = select(bin(prim::eq, sine, zero), mul(sine, un(prim::sign, h.sinh)), mul(mul(sine, h.sinh), h.again));
    return {mul(mul(un(prim::cos, x.im), h.cosh), h.again), im};
  }
  constexpr complex_parts tan(complex_parts x) {
    complex_parts const z = tanh({un(prim::neg, x.im), x.re});  // tan z = -i tanh(i z)
    return {z.im, un(prim::neg, z.re)};
  }
  // (sinh x cosh x + i sin y cos y) / (sinh^2 x + cos^2 y). For large |x| the real part is 1 or -1 and the imaginary part tends to 0.
  constexpr complex_parts tanh(complex_parts x) {
    hyperbolic const h = hyper(x.re);
    int const sine = un(prim::sin, x.im), cosine = un(prim::cos, x.im), around = mul(sine, cosine), size = abs(x.re);
    int const scale = add(mul(h.sinh, h.sinh), mul(cosine, cosine)), far = bin(prim::gt, size, number(x.re, 40));
    int const faint = mul(mul(number(x.re, 4), around), un(prim::exp, mul(size, number(x.re, -2))));
    complex_parts const z = {div(mul(h.sinh, h.cosh), scale), div(around, scale)};
    return choose(far, {copy_sign(number(x.re, 1), x.re), select(finite(x.im), faint, number(x.re, 0))}, z);
  }
  constexpr complex_parts logistic(complex_parts x) {
    complex_parts const e = exp(neg(x));
    return reciprocal({add(e.re, number(x.re, 1)), e.im});
  }
  constexpr complex_parts pow(complex_parts x, complex_parts y) {
    int const zero = number(x.re, 0), one = number(x.re, 1);
    complex_parts const z = exp(mul(y, log(x)));
    int const base = both(bin(prim::eq, x.re, zero), bin(prim::eq, x.im, zero)),
              none = both(bin(prim::eq, y.re, zero), bin(prim::eq, y.im, zero));
    complex_parts const of_zero = {select(none, one, zero), zero};
    return choose(either(base, none), of_zero, z);
  }
  // By repeated squaring, as jax.lax does it.
  constexpr complex_parts integer_pow(complex_parts x, int y) {
    if (y == 0) return one_like(x);
    unsigned rest = y < 0 ? 0u - static_cast<unsigned>(y) : static_cast<unsigned>(y);
    complex_parts power{};
    bool any = false;
    for (; rest != 0; rest >>= 1) {
      if (rest & 1u) power = any ? mul(power, x) : x;
      any = any || (rest & 1u);
      if (rest > 1) x = mul(x, x);
    }
    return y < 0 ? reciprocal(power) : power;
  }

  // The larger (gt) or smaller (lt) by real part, then by imaginary part; y where NaN is compared.
  constexpr complex_parts extremum(prim comparison, complex_parts x, complex_parts y) {
    int const which = select(bin(prim::eq, x.re, y.re), bin(comparison, x.im, y.im), bin(comparison, x.re, y.re));
    return choose(which, x, y);
  }
  constexpr complex_parts max(complex_parts x, complex_parts y) { return extremum(prim::gt, x, y); }
  constexpr complex_parts min(complex_parts x, complex_parts y) { return extremum(prim::lt, x, y); }

  constexpr int both(int a, int b) { return bin(prim::and_, a, b); }
  constexpr int either(int a, int b) { return bin(prim::or_, a, b); }
  constexpr complex_parts one_like(complex_parts x) {
    aval const t = c_.type(x.re);
    return {c_.full(t, c_.number(t.type, 1)), c_.full(t, c_.number(t.type, 0))};
  }

 protected:
  // The magnitudes of the parts in order, and ratio = small/large: 0 if both are 0 or only large is infinite, 1 if both are infinite.
  struct ordered {
    int large, small, ratio;
  };
  constexpr ordered order(complex_parts x) {
    int const a = abs(x.re), b = abs(x.im), zero = number(x.re, 0);
    int const some = either(is_inf(a), is_inf(b));
    int const large = select(some, inf(x.re), bin(prim::max, a, b)), small = bin(prim::min, a, b);
    int const plain = either(bin(prim::eq, large, zero), some);
    return {large, small, select(plain, zero, div(small, large))};
  }
  // A rounded value and its rounding error.
  struct in_two {
    int whole, rest;
  };
  constexpr in_two square(int x) {
    int const p = mul(x, x);
    return {p, product_error(x, x, p)};
  }
  // x * y - p for p = x * y rounded, as simd::product_error.
  constexpr int product_error(int x, int y, int p) {
    if (simd::fuses_dtype(c_.type(x).type)) return mul_add(x, y, un(prim::neg, p));
    in_two const a = split_digits(x), b = split_digits(y);
    int const first = add(sub(mul(a.whole, b.whole), p), mul(a.whole, b.rest));
    return add(add(first, mul(a.rest, b.whole)), mul(a.rest, b.rest));
  }
  // The upper half of the digits, and the rest.
  constexpr in_two split_digits(int x) {
    dtype const type = c_.type(x).type;
    bool const wide = type == dtype::f64;
    dtype const word = wide ? dtype::i64 : dtype::i32;
    int const cut = bin(prim::and_, bitcast(x, word), c_.number(word, wide ? -(1 << 27) : -(1 << 12)));
    int const whole = bitcast(cut, type);
    return {whole, sub(x, whole)};
  }
  constexpr in_two sum(int x, int y) {
    int const s = add(x, y), v = sub(s, x);
    return {s, add(sub(x, sub(s, v)), sub(y, v))};
  }
  // exp or exp2: a real power times a direction, the cosine and sine of the angle.
  constexpr complex_parts power_of(prim power, complex_parts x, complex_parts direction) {
    int const e = un(power, x.re), zero = number(x.re, 0), half = un(power, mul(x.re, real(x.re, 0.5)));
    // The power of re may overflow where its product with a small sine does not.
    int const over = both(is_inf(e), finite(x.re)), factor = select(over, half, e), again = select(over, half, number(x.re, 1));
    complex_parts z = {mul(mul(factor, direction.re), again), mul(mul(factor, direction.im), again)};
    int const wild = un(prim::not_, finite(x.im)), none = bin(prim::eq, x.im, zero);
    z = choose(both(wild, bin(prim::eq, e, zero)), {zero, zero}, z);
    z.re = select(both(wild, bin(prim::eq, x.re, inf(x.re))), x.re, z.re);
    return choose(none, {e, x.im}, z);
  }
  // log of the magnitude. Near 1 the rounding errors of the squares count, because subtracting 1 cancels.
  constexpr int log_of(int large, int small, int ratio) {
    int const one = number(large, 1), half = real(large, 0.5);
    int const near = both(bin(prim::gt, large, half), bin(prim::lt, large, number(large, 2)));
    in_two const p = square(large), q = square(small), u = sum(sub(p.whole, one), q.whole);
    int const by_one = mul(half, un(prim::log1p, add(u.whole, add(u.rest, add(p.rest, q.rest)))));
    return select(near, by_one, add(un(prim::log, large), mul(half, un(prim::log1p, mul(ratio, ratio)))));
  }
  // The real functions. Where they overflow: half the square root of e^|x|, to be multiplied by that root (`again`).
  struct hyperbolic {
    int sinh, cosh, again;
  };
  constexpr hyperbolic hyper(int x) {
    int const sinh = un(prim::sinh, x), cosh = un(prim::cosh, x), half = real(x, 0.5), over = both(is_inf(cosh), finite(x));
    int const root = un(prim::exp, mul(half, abs(x))), first = mul(half, root);
    return {select(over, copy_sign(first, x), sinh), select(over, first, cosh), select(over, root, number(x, 1))};
  }

  constexpr int un(prim op, int x) { return c_.elementwise(op, x); }
  constexpr int bin(prim op, int x, int y) { return c_.elementwise(op, x, y); }
  constexpr int add(int x, int y) { return bin(prim::add, x, y); }
  constexpr int sub(int x, int y) { return bin(prim::sub, x, y); }
  constexpr int mul(int x, int y) { return bin(prim::mul, x, y); }
  constexpr int div(int x, int y) { return bin(prim::div, x, y); }
  constexpr int mul_add(int x, int y, int z) { return c_.elementwise(prim::fma, x, y, z); }
  constexpr int abs(int x) { return un(prim::abs, x); }
  constexpr int finite(int x) { return un(prim::is_finite, x); }
  constexpr int is_nan(int x) { return bin(prim::ne, x, x); }
  constexpr int is_inf(int x) { return bin(prim::eq, abs(x), inf(x)); }
  constexpr int number(int like, int n) { return c_.number(c_.type(like).type, n); }
  constexpr int real(int like, double x) { return c_.real(c_.type(like).type, x); }
  constexpr int inf(int like) { return c_.real(c_.type(like).type, __builtin_inf()); }
  constexpr int select(int which, int if_true, int if_false) { return c_.select(which, shaped(if_false, which), shaped(if_true, which)); }
  // Both cases of a select have the shape of the predicate.
  constexpr int shaped(int v, int like) {
    aval const t = c_.type(like);
    return c_.type(v).rank == t.rank ? v : c_.full(t, v);
  }
  constexpr complex_parts choose(int which, complex_parts if_true, complex_parts if_false) {
    return {select(which, if_true.re, if_false.re), select(which, if_true.im, if_false.im)};
  }
  constexpr int copy_sign(int size, int sign) {
    dtype const word = c_.type(sign).type == dtype::f64 ? dtype::i64 : dtype::i32;
    int const magnitude = abs(size), negative = bin(prim::lt, bitcast(sign, word), c_.number(word, 0));
    return select(negative, un(prim::neg, magnitude), magnitude);
  }
  constexpr int bitcast(int x, dtype to) {
    int const par[] = {static_cast<int>(to)};
    return c_.emit(prim::bitcast, {&x, 1}, par);
  }

  expand_context& c_;
};

}  // namespace exprax::detail
