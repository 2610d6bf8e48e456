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

#include <exprax/emit/pack.hpp>
#include <exprax/primitives/all.hpp>

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

// The distance of got from the exact value in units of the last place of the exact value, or of `scale` where that is larger; very large where one of them alone is NaN, or the sign of a zero is wrong.
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
  if constexpr (primitive<P>::arity == 1) return primitive<P>::kernel(x);
  else return primitive<P>::kernel(x, y);
}
template <prim P, class T>
std::vector<T> results(std::vector<T> const& x, std::vector<T> const& y) {
  std::vector<T> out(x.size());
  int different = 0;
#if EXPRAX_SIMD
  constexpr int lanes = simd::native_lanes<T>;
  using V = simd::pack<T, lanes>;
  for (std::size_t i = 0; i < x.size(); i += lanes) simd::store(kernel<P, V>(simd::load<T, lanes>(&x[i]), simd::load<T, lanes>(&y[i])), &out[i]);
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
  auto const x = sample<T>(1, ranges, n), y = primitive<P>::arity == 1 ? x : sample<T>(2, ranges, n);
  // Special values against all special values.
  auto xs = x, ys = y;
  if constexpr (primitive<P>::arity == 2)
    for (int i = 0; i < 22 * 22; ++i) xs[static_cast<std::size_t>(i) + 64] = x[static_cast<std::size_t>(i % 22)], ys[static_cast<std::size_t>(i) + 64] = y[static_cast<std::size_t>(i / 22)];
  auto const got = results<P, T>(xs, ys);
  using X = exact_t<T>;
  double worst = 0;
  T at = 0, with = 0;
  std::uint64_t hash = 14695981039346656037u;
  for (std::size_t i = 0; i < got.size(); ++i) {
    X value;
    if constexpr (primitive<P>::arity == 1) value = exact(static_cast<X>(xs[i]));
    else value = exact(static_cast<X>(xs[i]), static_cast<X>(ys[i]));
    X scale = 0;
    if constexpr (primitive<P>::arity == 1)
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

// --- References for what the C library lacks ---

inline long double digamma(long double x) {
  constexpr long double pi = 3.14159265358979323846264338327950288L;
  if (std::isnan(x) || x == -std::numeric_limits<long double>::infinity() || (x <= 0 && std::floor(x) == x)) return std::numeric_limits<long double>::quiet_NaN();
  if (x < 0) {
    long double const f = x - std::nearbyint(x), angle = pi * f;
    return digamma(1 - x) - pi * std::cos(angle) / std::sin(angle);
  }
  // Near its zero, by the derivatives there.
  long double const u = (x - 0x1.762d86356be3fp+0L) - 9.549995429965697715184199e-17L;
  if (std::fabs(u) < 0.25L) {
    static constexpr long double c[] = {1.287404015320637745087e-10L, -1.881711092354019782235e-10L, 2.750369420128248862852e-10L, -4.020028354997647042355e-10L,
        5.875802667349349541954e-10L, -8.588262056089889130614e-10L, 1.25528798905961014294e-9L, -1.834769276002968215871e-9L,
        2.681757752408109160189e-9L, -3.919743335942332077769e-9L, 5.729222859849993771601e-9L, -8.374016297671790542904e-9L,
        1.223973140323366193908e-8L, -1.788998486491149265145e-8L, 2.614857695196186627953e-8L, -3.821960061917494212428e-8L,
        5.58629968353217144428e-8L, -8.165115189488408840841e-8L, 1.193439482983024277898e-7L, -1.744369511772774521813e-7L,
        2.549626552021554256662e-7L, -3.726616128343822958897e-7L, 5.446941930669445278501e-7L, -7.961425431241970400352e-7L,
        0.000001163667536354884270291L, -0.000001700853885433260658246L, 0.000002486022733129537948898L,
        -0.000003633650789801045668371L, 0.000005311060920889863387322L, -0.000007762817668462094425268L,
        0.0000113463845846638498067L, -0.00001658424227185413337524L, 0.00002424006611860131765268L,
        -0.0000354300709476596063157L, 0.00005178575795222080868993L, -0.00007569179582195065919238L,
        0.0001106337276874741090409L, -0.0001617062209197480344936L, 0.0002363560156402705279237L, -0.0003454680251063076995556L,
        0.0005049532658346020351774L, -0.000738070938996005129566L, 0.001078825201916296580692L, -0.001576936771430197259271L,
        0.002305126326734927836938L, -0.003369801655439328082793L, 0.004926781395729853446354L, -0.00720453438635686824097L,
        0.01053879161661217538812L, -0.0154247659049489591388L, 0.02259764823221810465962L, -0.03316112647484735929226L,
        0.04880428816414310722509L, -0.07219956125645471092612L, 0.1078240506912623657572L, -0.1639427054424065275043L,
        0.2584997609556510106244L, -0.4427631689835921060929L, 0.9676722454476211704274L};
    long double r = 0;
    for (long double k : c) r = r * u + k;
    return r * u;
  }
  long double shift = 0;
  while (x < 40) shift += 1 / x, x += 1;
  long double const w = 1 / (x * x);
  long double const series = w * (1 / 12.0L - w * (1 / 120.0L - w * (1 / 252.0L - w * (1 / 240.0L - w * (5 / 660.0L - w * (691 / 32760.0L - w / 12))))));
  return std::log(x) - 0.5L / x - series - shift;
}
inline long double erf_inv(long double x) {
  using limits = std::numeric_limits<long double>;
  long double const size = std::fabs(x);
  if (!(size <= 1)) return limits::quiet_NaN();
  if (size == 1) return std::copysign(limits::infinity(), x);
  constexpr long double half_root_pi = 0.886226925452758013649083741670572591398774728L;
  if (size < 1e-5L) return half_root_pi * x * (1 + size * size * (0.261799387799149436538553615273291907L));
  long double const tail = 1 - size;
  long double t = size < 0.7L ? half_root_pi * size : std::sqrt(-std::log(tail));
  for (int i = 0; i < 60; ++i) {
    long double const error = size < 0.5L ? size - std::erf(t) : std::erfc(t) - tail;
    long double const newton = error * half_root_pi * std::exp(t * t), step = newton / (1 - t * newton);
    t += step;
    if (std::fabs(step) <= limits::epsilon() * t) break;
  }
  return std::copysign(t, x);
}

}  // namespace accuracy
