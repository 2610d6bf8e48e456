// SPDX-License-Identifier: BSL-1.0
// Discrete Fourier transforms of rows. A power of two goes in halves (Stockham's order, which needs no permutation at the end), other
// sizes by the sums of the definition. The roots of unity are constants.
#pragma once

#include <exprax/numpy/core/dynamic_shapes.hpp>
#include <exprax/numpy/elementwise/complex.hpp>

namespace exprax {

namespace detail {

// The real and the imaginary part of an array [rows, n].
struct complex_rows {
  handle re, im;
};
// cos and sin of 2 pi k / n, from the angle in the first eighth, so that symmetric roots have the same digits.
constexpr double root_part(int k, int n, bool sine) {
  long long const remainder = (static_cast<long long>(k) % n + n) % n, eighth = 8 * remainder / n;
  // Angle t in [0, pi / 4] with cos(2 pi k / n) = +-cos t or +-sin t.
  long long const quarter = (eighth + 1) / 2;
  double const t = 2 * 3.141592653589793238 * static_cast<double>(4 * remainder - quarter * n) / static_cast<double>(4LL * n);
  lane<double> const x(t);
  double const c = primitive<prim::cos>::kernel(x).value, s = primitive<prim::sin>::kernel(x).value;
  double const cosine[] = {c, -s, -c, s, c}, sines[] = {s, c, -s, -c, s};
  return sine ? sines[quarter] : cosine[quarter];
}
// The roots e^(sign 2 pi i k / n) of index[k], as constants of shape [count...].
template <class T>
constexpr complex_rows roots_of_unity(handle const& near, arena<int> const& index, int n, int sign, aval const& shape) {
  arena<std::uint64_t> re, im;
  for (int k : index) {
    re.push(to_bits(static_cast<T>(root_part(k, n, false))));
    im.push(to_bits(static_cast<T>(sign * root_part(k, n, true))));
  }
  handle const r = resolve(near);
  int const type = r.on->intern(shape);
  return {handle(r.on, r.on->add_constant(type, re)), handle(r.on, r.on->add_constant(type, im))};
}
constexpr complex_rows times(complex_rows const& a, complex_rows const& b) {
  using untyped::binary;
  return {binary(prim::sub, binary(prim::mul, a.re, b.re), binary(prim::mul, a.im, b.im)),
          binary(prim::add, binary(prim::mul, a.re, b.im), binary(prim::mul, a.im, b.re))};
}
template <class T>
constexpr complex_rows transform_in_halves(complex_rows x, int rows, int n, int sign) {
  using untyped::binary;
  int stride = 1;
  for (int left = n; left > 1; left /= 2, stride *= 2) {
    int const half = left / 2, halves[] = {rows, 2, half, stride}, flat[] = {rows, half, 1, stride}, both[] = {rows, n};
    arena<int> index;
    for (int p = 0; p < half; ++p) index.push(p);
    complex_rows const w = roots_of_unity<T>(x.re, index, left, sign, aval(dtype_of<T>, {1, half, 1, 1}));
    auto const part = [&](handle const& v, int which) {
      return untyped::reshape(untyped::slice(untyped::reshape(v, halves), 1, which, which + 1), flat);
    };
    complex_rows const a{part(x.re, 0), part(x.im, 0)}, b{part(x.re, 1), part(x.im, 1)};
    complex_rows const sum{binary(prim::add, a.re, b.re), binary(prim::add, a.im, b.im)};
    complex_rows difference{binary(prim::sub, a.re, b.re), binary(prim::sub, a.im, b.im)};
    if (half > 1) difference = times(difference, w);
    auto const woven = [&](handle const& u, handle const& v) {
      arena<handle> parts;
      parts.push(u);
      parts.push(v);
      return untyped::reshape(untyped::concatenate(parts, 2), both);
    };
    x = {woven(sum.re, difference.re), woven(sum.im, difference.im)};
  }
  return x;
}
template <class T>
constexpr complex_rows transform_by_sums(complex_rows const& x, int rows, int n, int sign) {
  using untyped::binary;
  arena<int> index;
  for (int j = 0; j < n; ++j)
    for (int k = 0; k < n; ++k) index.push(static_cast<int>(static_cast<long long>(j) * k % n));
  complex_rows const w = roots_of_unity<T>(x.re, index, n, sign, aval(dtype_of<T>, {n, n}));
  int const params[] = {1, 1, 0, 0, static_cast<int>(dtype_of<T>), 0};
  aval const out(dtype_of<T>, {rows, n});
  auto const dot = [&](handle const& a, handle const& b) { return untyped::record(prim::dot_general, a, b, params, out); };
  return {binary(prim::sub, dot(x.re, w.re), dot(x.im, w.im)), binary(prim::add, dot(x.re, w.im), dot(x.im, w.re))};
}
template <class T>
constexpr complex_rows transformed(complex_rows const& x, int rows, int n, int sign) {
  if (n > 1 && (n & (n - 1)) == 0) return transform_in_halves<T>(x, rows, n, sign);
  return transform_by_sums<T>(x, rows, n, sign);
}
// The other half of n numbers whose transform is real: the conjugates, in reverse order. The imaginary parts of the first one, and of the
// middle one where there is one, do not count.
template <class T>
constexpr complex_rows completed(complex_rows const& v, int n) {
  int const m = n / 2 + 1, last = (n + 1) / 2;  // elements 1 to last - 1 have a conjugate
  arena<handle> re, im;
  handle const inner_re = untyped::slice(v.re, 1, 1, last), inner = untyped::slice(v.im, 1, 1, last);
  aval edge = untyped::type_of(v.im);
  edge.dims[1] = 1;
  handle const zero = untyped::broadcast_to(untyped::scalar<T>(v.im, T(0)), edge);
  re.push(v.re);
  re.push(untyped::rev(inner_re, 1));
  im.push(zero);
  im.push(inner);
  if (m > last) im.push(zero);
  im.push(untyped::unary(prim::neg, untyped::rev(inner, 1)));
  return {untyped::concatenate(re, 1), untyped::concatenate(im, 1)};
}

}  // namespace detail

}  // namespace exprax
