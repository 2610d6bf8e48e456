// SPDX-License-Identifier: BSL-1.0
// Elementwise functions on 1,024 numbers in L1, beside xsimd's function, the C library's vector functions (libmvec) and SLEEF's, in
// one run: nanoseconds for an element, and for each peer its time divided by ours (above 1: ours is faster).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wignored-attributes"  // registers as template arguments
#endif

#include <cstdint>
#include <random>

#include <exprax/emit/simd/pack.hpp>
#include <exprax/primitives/all.hpp>
#include <xsimd/xsimd.hpp>

#include "compare.hpp"

#if defined(EXPRAX_BENCH_SLEEF)
#include <sleef.h>
#endif

// The C library's names of its vector functions, and SLEEF's, for whole registers.
#if defined(__AVX512F__)
using floats = __m512;
using doubles = __m512d;
#define MVEC_F(name) _ZGVeN16v_##name##f
#define MVEC_D(f) _ZGVeN8v_##f
#define MVEC_FF(name) _ZGVeN16vv_##name##f
#define MVEC_DD(f) _ZGVeN8vv_##f
#define SLEEF_F(name, u) Sleef_##name##f16_##u
#define SLEEF_D(f, u) Sleef_##f##d8_##u
#elif defined(__AVX2__)
using floats = __m256;
using doubles = __m256d;
#define MVEC_F(name) _ZGVdN8v_##name##f
#define MVEC_D(f) _ZGVdN4v_##f
#define MVEC_FF(name) _ZGVdN8vv_##name##f
#define MVEC_DD(f) _ZGVdN4vv_##f
#define SLEEF_F(name, u) Sleef_##name##f8_##u
#define SLEEF_D(f, u) Sleef_##f##d4_##u
#else
using floats = __m128;
using doubles = __m128d;
#define MVEC_F(name) _ZGVbN4v_##name##f
#define MVEC_D(f) _ZGVbN2v_##f
#define MVEC_FF(name) _ZGVbN4vv_##name##f
#define MVEC_DD(f) _ZGVbN2vv_##f
#define SLEEF_F(name, u) Sleef_##name##f4_##u
#define SLEEF_D(f, u) Sleef_##f##d2_##u
#endif

#if defined(EXPRAX_BENCH_MVEC)
extern "C" {
#define DECLARE(f) floats MVEC_F(f)(floats); doubles MVEC_D(f)(doubles);
#define DECLARE2(f) floats MVEC_FF(f)(floats, floats); doubles MVEC_DD(f)(doubles, doubles);
DECLARE(exp) DECLARE(exp2) DECLARE(expm1) DECLARE(log) DECLARE(log1p) DECLARE(cbrt) DECLARE(sin) DECLARE(cos) DECLARE(tan) DECLARE(asin) DECLARE(acos)
DECLARE(atan) DECLARE(sinh) DECLARE(cosh) DECLARE(tanh) DECLARE(asinh) DECLARE(acosh) DECLARE(atanh) DECLARE(erf) DECLARE(erfc) DECLARE2(pow)
DECLARE2(atan2)
}
#endif

namespace {

namespace simd = exprax::simd;
using exprax::prim;
using exprax::primitive;

constexpr int n = 1024;
template <class T>
struct data {
  alignas(64) T x[n], y[n], out[n];
};
struct none {};

// f on whole registers of Register, loaded and stored as T.
template <class Register, class T, class F>
void loop(data<T>& d, F f) {
  constexpr int lanes = static_cast<int>(sizeof(Register) / sizeof(T));
  for (int i = 0; i < n; i += lanes) {
    Register x, y;
    __builtin_memcpy(&x, d.x + i, sizeof x);
    __builtin_memcpy(&y, d.y + i, sizeof y);
    Register const r = f(x, y);
    __builtin_memcpy(d.out + i, &r, sizeof r);
  }
  bench::touch(d.out);
}
template <prim P, class T>
void ours(data<T>& d) {
  constexpr int lanes = simd::native_lanes<T>;
  for (int i = 0; i < n; i += lanes) {
    auto const x = simd::load<T, lanes>(d.x + i);
    if constexpr (primitive<P>::traits.arity == 1) simd::store(primitive<P>::kernel(x), d.out + i);
    else simd::store(primitive<P>::kernel(x, simd::load<T, lanes>(d.y + i)), d.out + i);
  }
  bench::touch(d.out);
}

template <prim P, class T, class Xsimd, class Mvec, class Sleef>
void function(benchmark::State& state, double low, double high, Xsimd xs, Mvec mvec, Sleef sleef) {
  static data<T> d;
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> any(low, high);
  for (T& x : d.x) x = static_cast<T>(any(engine));
  for (T& y : d.y) y = static_cast<T>(any(engine));
  using batch = xsimd::batch<T>;
  using vector = std::conditional_t<sizeof(T) == 4, floats, doubles>;
  auto const empty = [] {};
  auto const peer = [&]<class Register, class F>(Register*, F f) {
    if constexpr (std::is_same_v<F, none>) return empty;
    else return [f] { loop<Register>(d, f); };
  };
  auto const times = bench::medians<-1>(state, [] { ours<P>(d); }, peer(static_cast<batch*>(nullptr), xs), peer(static_cast<vector*>(nullptr), mvec),
                                        peer(static_cast<vector*>(nullptr), sleef));
  state.counters["ours_ns"] = times[0] * 1e9 / n;
  if constexpr (!std::is_same_v<Xsimd, none>) state.counters["xsimd/ours"] = times[1] / times[0];
  if constexpr (!std::is_same_v<Mvec, none>) state.counters["mvec/ours"] = times[2] / times[0];
  if constexpr (!std::is_same_v<Sleef, none>) state.counters["sleef/ours"] = times[3] / times[0];
}

#define XSIMD(f) [](auto x, auto) { return xsimd::f(x); }
#if defined(EXPRAX_BENCH_MVEC)
#define MVEC(f) [](auto x, auto) { if constexpr (std::is_same_v<decltype(x), floats>) return MVEC_F(f)(x); else return MVEC_D(f)(x); }
#define MVEC2(f) [](auto x, auto y) { if constexpr (std::is_same_v<decltype(x), floats>) return MVEC_FF(f)(x, y); else return MVEC_DD(f)(x, y); }
#else
#define MVEC(f) none()
#define MVEC2(f) none()
#endif
#if defined(EXPRAX_BENCH_SLEEF)
#define SLEEF(f, u) [](auto x, auto) { if constexpr (std::is_same_v<decltype(x), floats>) return SLEEF_F(f, u)(x); else return SLEEF_D(f, u)(x); }
#define SLEEF2(f, u) [](auto x, auto y) { if constexpr (std::is_same_v<decltype(x), floats>) return SLEEF_F(f, u)(x, y); else return SLEEF_D(f, u)(x, y); }
#else
#define SLEEF(f, u) none()
#define SLEEF2(f, u) none()
#endif

#define ROW(p, low, high, xs, mvec, sleef) \
  void p##_float(benchmark::State& s) { function<prim::p, float>(s, low, high, xs, mvec, sleef); } \
  void p##_double(benchmark::State& s) { function<prim::p, double>(s, low, high, xs, mvec, sleef); } \
  EXPRAX_COMPARE(p##_float); \
  EXPRAX_COMPARE(p##_double);

ROW(exp, -10, 10, XSIMD(exp), MVEC(exp), SLEEF(exp, u10))
ROW(exp2, -10, 10, XSIMD(exp2), MVEC(exp2), SLEEF(exp2, u10))
ROW(expm1, -3, 3, XSIMD(expm1), MVEC(expm1), SLEEF(expm1, u10))
ROW(log, 0, 10, XSIMD(log), MVEC(log), SLEEF(log, u10))
ROW(log1p, 0, 10, XSIMD(log1p), MVEC(log1p), SLEEF(log1p, u10))
ROW(logistic, -10, 10, [](auto x, auto) { return 1 / (1 + xsimd::exp(-x)); }, none(), none())
ROW(pow, 0, 10, [](auto x, auto y) { return xsimd::pow(x, y); }, MVEC2(pow), SLEEF2(pow, u10))
ROW(cbrt, -10, 10, XSIMD(cbrt), MVEC(cbrt), SLEEF(cbrt, u10))
ROW(sin, -10, 10, XSIMD(sin), MVEC(sin), SLEEF(sin, u10))
ROW(cos, -10, 10, XSIMD(cos), MVEC(cos), SLEEF(cos, u10))
ROW(tan, -10, 10, XSIMD(tan), MVEC(tan), SLEEF(tan, u10))
ROW(asin, -1, 1, XSIMD(asin), MVEC(asin), SLEEF(asin, u10))
ROW(acos, -1, 1, XSIMD(acos), MVEC(acos), SLEEF(acos, u10))
ROW(atan, -3, 3, XSIMD(atan), MVEC(atan), SLEEF(atan, u10))
ROW(atan2, -3, 3, [](auto x, auto y) { return xsimd::atan2(x, y); }, MVEC2(atan2), SLEEF2(atan2, u10))
ROW(sinh, -10, 10, XSIMD(sinh), MVEC(sinh), SLEEF(sinh, u10))
ROW(cosh, -10, 10, XSIMD(cosh), MVEC(cosh), SLEEF(cosh, u10))
ROW(tanh, -3, 3, XSIMD(tanh), MVEC(tanh), SLEEF(tanh, u10))
ROW(asinh, -5, 5, XSIMD(asinh), MVEC(asinh), SLEEF(asinh, u10))
ROW(acosh, 1, 10, XSIMD(acosh), MVEC(acosh), SLEEF(acosh, u10))
ROW(atanh, -1, 1, XSIMD(atanh), MVEC(atanh), SLEEF(atanh, u10))
ROW(erf, -3, 3, XSIMD(erf), MVEC(erf), SLEEF(erf, u10))
ROW(erfc, -3, 3, XSIMD(erfc), MVEC(erfc), SLEEF(erfc, u15))
ROW(erf_inv, -1, 1, none(), none(), none())
ROW(lgamma, 0, 20, XSIMD(lgamma), none(), SLEEF(lgamma, u10))
ROW(tgamma, 0, 20, none(), none(), SLEEF(tgamma, u10))
ROW(digamma, 0, 20, none(), none(), none())

}  // namespace
