// SPDX-License-Identifier: BSL-1.0
// The errors of elementwise kernels in units of the last place, on a dense sample: bit patterns of all kinds, numbers where a function
// bends, ends of ranges, subnormals and special values. Packs must give the bits of single lanes.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <exprax/emit/simd/pack.hpp>
#include <exprax/primitives/all.hpp>

#include <accuracy/references.hpp>

namespace accuracy {

using exprax::lane;
using exprax::prim;
using exprax::primitive;
namespace simd = exprax::simd;

template <class T>
using bits_of = simd::detail::bits_of<T>;

// What is exact enough: twice the digits of T, or as many as there are.
template <class T>
using exact_t = std::conditional_t<sizeof(T) == 4, double, long double>;

template <class T>
bool same(T a, T b) {
  return (a != a && b != b) || std::bit_cast<bits_of<T>>(a) == std::bit_cast<bits_of<T>>(b);
}

// The distance of got from the exact value in units of the last place of the exact value, or of `scale` where that is larger; very large
// where one of them alone is NaN, or the sign of a zero is wrong.
template <class T>
double ulps(T got, exact_t<T> exact, exact_t<T> scale = 0) {
  using limits = std::numeric_limits<T>;
  using X = exact_t<T>;
  constexpr double wrong = 1e9;
  if (std::isnan(exact) || std::isnan(got)) return std::isnan(exact) && std::isnan(got) ? 0 : wrong;
  T const rounded = static_cast<T>(exact);
  if (std::isinf(rounded) && rounded == got) return 0;
  X const above = std::ldexp(X(1), limits::max_exponent);
  if (std::isinf(exact)) return wrong;
  if (exact == 0) return got == 0 && std::signbit(got) == std::signbit(exact) ? 0 : wrong;
  X const value = std::isinf(got) ? std::copysign(above, static_cast<X>(got)) : static_cast<X>(got);
  int const exponent = std::max(std::ilogb(std::max(std::fabs(exact), std::fabs(scale))), limits::min_exponent - 1) - (limits::digits - 1);
  return static_cast<double>(std::ldexp(std::fabs(value - exact), -exponent));
}

// Where a function is looked at most.
struct range {
  double low, high;
};

template <class T>
std::vector<T> sample(std::uint64_t seed, std::vector<range> const& ranges, int n) {
  using limits = std::numeric_limits<T>;
  std::mt19937_64 engine(seed);
  std::vector<T> x = {T(0), -T(0), T(1), T(-1), T(0.5), T(-0.5), T(2), T(-2), T(3), limits::infinity(), -limits::infinity(), limits::quiet_NaN(),
                      limits::min(), -limits::min(), limits::denorm_min(), -limits::denorm_min(), limits::max(), limits::lowest(), limits::min() / 2,
                      1 - limits::epsilon() / 2, 1 + limits::epsilon(), -1 - limits::epsilon()};
  for (range const& r : ranges)
    for (double end : {r.low, r.high}) {
      T at = static_cast<T>(end);
      for (int k = 0; k < 8; ++k) at = std::nextafter(at, -limits::infinity());
      for (int k = 0; k < 16; ++k) x.push_back(at = std::nextafter(at, limits::infinity()));
    }
  auto const uniform = [&] { return static_cast<double>(engine() >> 11) * 0x1p-53; };
  while (static_cast<int>(x.size()) < n) {
    x.push_back(std::bit_cast<T>(static_cast<bits_of<T>>(engine())));
    for (range const& r : ranges) x.push_back(static_cast<T>(std::fma(r.high - r.low, uniform(), r.low)));
  }
  x.resize((x.size() / 64 + 1) * 64, T(0.75));
  return x;
}

template <prim P, class V>
V kernel(V x, [[maybe_unused]] V y) {
  if constexpr (primitive<P>::traits.arity == 1) return primitive<P>::kernel(x);
  else return primitive<P>::kernel(x, y);
}
template <prim P, class T>
std::vector<T> results(std::vector<T> const& x, std::vector<T> const& y) {
  std::vector<T> out(x.size());
  int different = 0;
#if EXPRAX_SIMD
  constexpr int lanes = simd::native_lanes<T>;
  using V = simd::pack<T, lanes>;
  for (std::size_t i = 0; i < x.size(); i += lanes) {
    V const r = kernel<P, V>(simd::load<T, lanes>(&x[i]), simd::load<T, lanes>(&y[i]));
    simd::store(r, &out[i]);
  }
#endif
  for (std::size_t i = 0; i < x.size(); ++i) {
    T const one = kernel<P>(lane<T>(x[i]), lane<T>(y[i])).value;
    if (EXPRAX_SIMD) different += !same(one, out[i]);
    out[i] = one;
  }
  INFO(std::string(primitive<P>::name), " in packs");
  CHECK(different == 0);
  return out;
}

struct row {
  std::string name;
  double worst = 0;
  std::uint64_t hash = 0;
};
inline std::vector<row>& rows() {
  static std::vector<row> all;
  return all;
}

// reflected: what is computed from the result at -x below 0 has zeros between its poles; there the error is told in units of the last
// place of the larger one of 1 and the sizes of both results together.
template <prim P, class T, class F>
void check(double bound, std::vector<range> const& ranges, F exact, bool reflected = false, int n = 40000) {
  auto const x = sample<T>(1, ranges, n), y = primitive<P>::traits.arity == 1 ? x : sample<T>(2, ranges, n);
  // Special values against all special values.
  auto xs = x, ys = y;
  if constexpr (primitive<P>::traits.arity == 2)
    for (int i = 0; i < 22 * 22; ++i) {
      auto const at = static_cast<std::size_t>(i) + 64;
      xs[at] = x[static_cast<std::size_t>(i % 22)];
      ys[at] = y[static_cast<std::size_t>(i / 22)];
    }
  auto const got = results<P, T>(xs, ys);
  using X = exact_t<T>;
  double worst = 0;
  T at = 0, with = 0;
  std::uint64_t hash = 14695981039346656037u;
  for (std::size_t i = 0; i < got.size(); ++i) {
    X value;
    if constexpr (primitive<P>::traits.arity == 1) value = exact(static_cast<X>(xs[i]));
    else value = exact(static_cast<X>(xs[i]), static_cast<X>(ys[i]));
    X scale = 0;
    if constexpr (primitive<P>::traits.arity == 1)
      if (reflected && xs[i] < 0) scale = std::max(X(1), std::fabs(exact(-static_cast<X>(xs[i]))) + std::fabs(value));
    double const error = ulps<T>(got[i], value, scale);
    if (!(error <= worst)) worst = error, at = xs[i], with = ys[i];
    hash = (hash ^ (got[i] != got[i] ? 0 : std::bit_cast<bits_of<T>>(got[i]))) * 1099511628211u;
  }
  std::string const name(primitive<P>::name);
  INFO(name, " at ", doctest::toString(static_cast<double>(at)), " ", static_cast<double>(with), ": ", worst);
  CHECK(worst <= bound);
  if (worst > bound) std::printf("%s: %.3f at %a, %a\n", name.c_str(), worst, static_cast<double>(at), static_cast<double>(with));
  rows().push_back({name, worst, hash});
}

}  // namespace accuracy
