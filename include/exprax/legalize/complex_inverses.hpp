// SPDX-License-Identifier: BSL-1.0
// The inverse trigonometric and hyperbolic functions of complex numbers as equations on their real and imaginary parts. Branch cuts,
// signed zeros and special values are those of C99's Annex G; asin and acos after Hull, Fairgrieve and Tang (1997), atanh after Kahan
// (1987), so that both parts of a result are accurate for all arguments.
#pragma once

#include <exprax/legalize/complex_formulas.hpp>

namespace exprax::detail {

class complex_inverses : public complex_formulas {
 public:
  using complex_formulas::complex_formulas;

  constexpr complex_parts asin(complex_parts x) {
    arc const a = arc_of(x);
    return {bin(prim::atan2, x.re, a.across), copy_sign(a.along, x.im)};
  }
  constexpr complex_parts acos(complex_parts x) {
    arc const a = arc_of(x);
    return {bin(prim::atan2, a.across, x.re), copy_sign(a.along, un(prim::neg, x.im))};
  }
  constexpr complex_parts acosh(complex_parts x) {
    arc const a = arc_of(x);
    return {a.along, copy_sign(bin(prim::atan2, a.across, x.re), x.im)};
  }
  // asinh z = -i asin(i z), atan z = -i atanh(i z)
  constexpr complex_parts asinh(complex_parts x) {
    complex_parts const z = asin({un(prim::neg, x.im), x.re});
    return {z.im, un(prim::neg, z.re)};
  }
  constexpr complex_parts atan(complex_parts x) {
    complex_parts const z = atanh({un(prim::neg, x.im), x.re});
    return {z.im, un(prim::neg, z.re)};
  }
  // log1p(4 x / ((1 - x)^2 + y^2)) / 4 and atan2(2 y, (1 - x)(1 + x) - y^2) / 2. For large |z|: x / |z|^2 and a right angle.
  constexpr complex_parts atanh(complex_parts z) {
    int const x = abs(z.re), y = abs(z.im), zero = number(x, 0), one = number(x, 1), half = real(x, 0.5), quarter = real(x, 0.25);
    ordered const o = order(z);
    int const far = bin(prim::gt, o.large, power(x, digits(x) + 2)), gap = sub(one, x), yy = mul(y, y);
    int const ratio = div(mul(number(x, 4), x), add(mul(gap, gap), yy)), plain = mul(quarter, un(prim::log1p, ratio));
    // At x = 1 the square of y may underflow: log(2/y) / 2.
    int const tiny = both(bin(prim::eq, x, one), bin(prim::lt, y, power(x, -digits(x))));
    int const pole = mul(half, sub(real(x, 0x1.62e42fefa39efp-1), un(prim::log, y)));
    int const share = select(bin(prim::ge, x, y), one, o.ratio);
    int const outside = div(div(share, o.large), add(mul(o.ratio, o.ratio), one));
    int const size = select(bin(prim::eq, x, zero), zero, select(far, outside, select(tiny, pole, plain)));
    int const angle = mul(half, bin(prim::atan2, add(z.im, z.im), sub(mul(gap, add(one, x)), yy)));
    int const right = select(is_nan(y), y, copy_sign(real(x, 0x1.921fb54442d18p+0), z.im));
    return {copy_sign(size, z.re), select(far, right, angle)};
  }
  // The angle of the complex y and x: -i log((x + i y) / sqrt(x^2 + y^2)), as StableHLO has it.
  constexpr complex_parts atan2(complex_parts y, complex_parts x) {
    complex_parts const z = log(div({sub(x.re, y.im), add(x.im, y.re)}, sqrt(add_squares(x, y))));
    return {z.im, un(prim::neg, z.re)};
  }

 private:
  // For x = |Re z| and y = |Im z|: across = Re(sqrt(1 - z) sqrt(1 + z)), and along = acosh a, where a is half the sum of the
  // distances r and s of z from -1 and 1. a - 1 = (y^2 / (r + 1 + x) + y^2 / (s + 1 - x)) / 2 is y^2 q for x below 1.
  struct arc {
    int across, along;
  };
  constexpr arc arc_of(complex_parts z) {
    int const x = abs(z.re), y = abs(z.im), one = number(x, 1), half = real(x, 0.5);
    ordered const o = order(z);
    int const right = add(x, one), left = sub(x, one), r = magnitude({right, y}), s = magnitude({left, y});
    int const a = mul(half, add(r, s)), yy = mul(y, y), beyond = bin(prim::gt, x, one), within = bin(prim::lt, x, one);
    int const r_sum = add(r, right), s_gap = sub(s, left), s_sum = add(s, left), half_sum = mul(half, add(a, x));
    int const inner = un(prim::sqrt, mul(half_sum, add(div(yy, r_sum), s_gap)));
    int const outer = mul(y, un(prim::sqrt, add(div(half_sum, r_sum), div(half_sum, s_sum))));
    int const q = mul(half, add(div(one, r_sum), div(one, s_gap))), more = add(a, one);
    int const excess = select(within, mul(yy, q), mul(half, add(div(yy, r_sum), s_sum)));
    int const root = select(within, mul(y, un(prim::sqrt, mul(q, more))), un(prim::sqrt, mul(excess, more)));
    int const far = bin(prim::gt, o.large, power(x, digits(x) / 2 + 4));
    int const distant = add(log_of(o.large, o.small, o.ratio), real(x, 0x1.62e42fefa39efp-1));
    int const across = select(far, y, select(beyond, outer, inner));
    // On the imaginary axis the angle does not depend on y, not even if it is NaN.
    return {select(bin(prim::eq, x, number(x, 0)), one, across), select(far, distant, un(prim::log1p, add(excess, root)))};
  }
  constexpr complex_parts add_squares(complex_parts x, complex_parts y) { return add(mul(x, x), mul(y, y)); }

  constexpr int digits(int like) { return c_.type(like).type == dtype::f64 ? 53 : 24; }
  constexpr int power(int like, int exponent) {
    double x = 1;
    for (int k = exponent < 0 ? -exponent : exponent; k > 0; --k) x *= exponent < 0 ? 0.5 : 2;
    return real(like, x);
  }
};

}  // namespace exprax::detail
