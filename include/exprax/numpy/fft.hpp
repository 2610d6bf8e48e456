// SPDX-License-Identifier: BSL-1.0
// ex::fft: discrete Fourier transforms along the last axis (jax.numpy.fft): fft, ifft, rfft, irfft. A power of two goes in halves
// (Stockham's order, which needs no permutation at the end), other sizes by the sums of the definition. The roots of unity are constants.
#pragma once

#include <exprax/numpy/complex.hpp>
#include <exprax/numpy/untyped.hpp>

namespace exprax {

namespace detail {

// The real and the imaginary part of an array [rows, n].
struct complex_rows {
  handle re, im;
};
// cos and sin of 2 pi k / n, from the angle in the first eighth, so that symmetric roots have the same digits.
constexpr double root_part(int k, int n, bool sine) {
  long long const turn = (static_cast<long long>(k) % n + n) % n, eighth = 8 * turn / n;
  // Angle t in [0, pi / 4] with cos(2 pi k / n) = +-cos t or +-sin t.
  long long const quarter = (eighth + 1) / 2;
  double const t = 2 * 3.141592653589793238 * static_cast<double>(4 * turn - quarter * n) / static_cast<double>(4LL * n);
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
  int const type = r.on->find_type(shape);
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
  int const numbers[] = {1, 1, 0, 0, static_cast<int>(dtype_of<T>), 0};
  aval const out(dtype_of<T>, {rows, n});
  auto const dot = [&](handle const& a, handle const& b) { return untyped::record(prim::dot_general, a, b, numbers, out); };
  return {binary(prim::sub, dot(x.re, w.re), dot(x.im, w.im)), binary(prim::add, dot(x.re, w.im), dot(x.im, w.re))};
}
template <class T>
constexpr complex_rows transformed(complex_rows const& x, int rows, int n, int sign) {
  if (n > 1 && (n & (n - 1)) == 0) return transform_in_halves<T>(x, rows, n, sign);
  return transform_by_sums<T>(x, rows, n, sign);
}

// The floating dtype of the parts of X.
template <class X, class S = strong_t<type_in<X>>>
struct part_type {
  using type = std::conditional_t<std::is_same_v<S, double>, double, float>;
};
template <class X, class F>
struct part_type<X, std::complex<F>> {
  using type = F;
};
template <class X, int Size, class T>
struct transform_shape {
  static constexpr aval value = [] {
    aval a = aval_in<X>.with_type(dtype_of<T>);
    a.dims[a.rank - 1] = Size;
    return a;
  }();
};
// Sign -1: forward; 1: back, divided by n. Real: only what is not the conjugate of another, or a result of real numbers.
template <int Sign, bool Real>
struct fft_op {
  template <operand X>
  constexpr auto operator()(X const& given) const {
    using part = typename part_type<X>::type;
    using whole = std::complex<part>;
    auto const x = as_expr<whole>(given);
    using E = std::remove_cvref_t<decltype(x)>;
    constexpr int taken = E::extent(-1), n = Real && Sign > 0 ? 2 * (taken - 1) : taken;
    constexpr int rows = taken == 0 ? 0 : static_cast<int>(E::size() / taken);
    using out_part = transform_shape<X, (Real && Sign < 0 ? n / 2 + 1 : n), part>;
    int const in_rows[] = {rows, taken};
    complex_rows v{untyped::reshape(untyped::from(exprax::real(x)), in_rows), untyped::reshape(untyped::from(exprax::imag(x)), in_rows)};
    if (Real && Sign > 0) v = completed<part>(v, taken);
    complex_rows y = transformed<part>(v, rows, n, Sign);
    if (Sign > 0) {
      handle const scale = untyped::number<part>(y.re, part(1) / part(n));
      y = {untyped::binary(prim::mul, y.re, scale), untyped::binary(prim::mul, y.im, scale)};
    }
    if (Real && Sign < 0) y = {untyped::slice(y.re, 1, 0, n / 2 + 1), untyped::slice(y.im, 1, 0, n / 2 + 1)};
    span<int> const shape(out_part::value.dims, out_part::value.rank);
    auto const re = untyped::typed<out_part>(untyped::reshape(y.re, shape));
    if constexpr (Real && Sign > 0) {
      return re;
    } else {
      auto const im = untyped::typed<out_part>(untyped::reshape(y.im, shape));
      return bind<with_dtype_t<std::remove_const_t<decltype(re)>, whole>>(prim::complex, {}, re, im);
    }
  }

 private:
  // The other half: the conjugates, in reverse order. The imaginary parts of the first and the middle one do not count.
  template <class T>
  static constexpr complex_rows completed(complex_rows const& v, int m) {
    arena<handle> re, im;
    handle const inner_re = untyped::rev(untyped::slice(v.re, 1, 1, m - 1), 1), inner = untyped::slice(v.im, 1, 1, m - 1);
    aval edge = untyped::type_of(v.im);
    edge.dims[1] = 1;
    handle const zero = untyped::broadcast_to(untyped::number<T>(v.im, T(0)), edge);
    re.push(v.re);
    re.push(inner_re);
    im.push(zero);
    im.push(inner);
    im.push(zero);
    im.push(untyped::unary(prim::neg, untyped::rev(inner, 1)));
    return {untyped::concatenate(re, 1), untyped::concatenate(im, 1)};
  }
};

// Conditions of static_asserts: compilers print the types.
template <class X>
inline constexpr bool has_points = rank_in<X> > 0 && aval_in<X>.size() > 0;
template <class X>
inline constexpr bool has_two_points = rank_in<X> > 0 && aval_in<X>.dims[rank_in<X> > 0 ? rank_in<X> - 1 : 0] > 1 && aval_in<X>.size() > 0;

}  // namespace detail

namespace fft {

// Sums of x[j] e^(-2 pi i j k / n) for k = 0 to n - 1; complex64 for float and integers, complex128 for double.
template <array_like X>
constexpr auto fft(X const& x) {
  static_assert(detail::has_points<X>, "exprax: fft: the array must have a last axis of one point or more");
  return detail::apply<detail::fft_op<-1, false>>(x);
}
// The inverse: with e^(+2 pi i j k / n), divided by n.
template <array_like X>
constexpr auto ifft(X const& x) {
  static_assert(detail::has_points<X>, "exprax: ifft: the array must have a last axis of one point or more");
  return detail::apply<detail::fft_op<1, false>>(x);
}
// The first n / 2 + 1 of fft of real numbers: the others are conjugates of these.
template <array_like X>
constexpr auto rfft(X const& x) {
  static_assert(detail::has_points<X> && !is_complex(detail::aval_in<X>.type), "exprax: rfft: takes real numbers, one or more in the last axis");
  return detail::apply<detail::fft_op<-1, true>>(x);
}
// The 2 (m - 1) real numbers of which rfft made m.
template <array_like X>
constexpr auto irfft(X const& x) {
  static_assert(detail::has_two_points<X>, "exprax: irfft: the array must have a last axis of two points or more");
  return detail::apply<detail::fft_op<1, true>>(x);
}

}  // namespace fft

}  // namespace exprax
