// SPDX-License-Identifier: BSL-1.0
// Each elementwise function with the bound of its error and the ranges in which it is measured.
#pragma once

#include <accuracy/measure.hpp>

namespace accuracy {

#define EXPRAX_REFERENCE(f) [](auto... x) { return std::f(x...); }

template <class T>
void check_exponentials() {
  constexpr bool wide = sizeof(T) == 8;
  double const top = wide ? 710 : 89, bottom = wide ? -746 : -104;
  check<prim::exp, T>(2, {{bottom, top}, {-1, 1}}, EXPRAX_REFERENCE(exp));
  check<prim::exp2, T>(2, {{wide ? -1076.0 : -151.0, wide ? 1025.0 : 129.0}, {-1, 1}}, EXPRAX_REFERENCE(exp2));
  check<prim::expm1, T>(2, {{-50, top}, {-1, 1}}, EXPRAX_REFERENCE(expm1));
  check<prim::log, T>(2, {{0, 4}, {0.9, 1.1}}, EXPRAX_REFERENCE(log));
  check<prim::log1p, T>(2, {{-1, 4}, {-0.1, 0.1}}, EXPRAX_REFERENCE(log1p));
  check<prim::logistic, T>(2, {{bottom, 50}, {-2, 2}}, [](auto x) { return 1 / (1 + std::exp(-x)); });
  check<prim::pow, T>(2, {{0, 4}, {0.9, 1.1}, {-300, 300}}, EXPRAX_REFERENCE(pow));
  check<prim::sqrt, T>(0.5, {{0, 4}}, EXPRAX_REFERENCE(sqrt));
  check<prim::rsqrt, T>(2, {{0, 4}}, [](auto x) { return 1 / std::sqrt(x); });
  check<prim::cbrt, T>(2, {{-8, 8}}, EXPRAX_REFERENCE(cbrt));
}
template <class T>
void check_trigonometric() {
  check<prim::sin, T>(2, {{-10, 10}, {-70000, 70000}, {-2e9, 2e9}}, EXPRAX_REFERENCE(sin));
  check<prim::cos, T>(2, {{-10, 10}, {-70000, 70000}, {-2e9, 2e9}}, EXPRAX_REFERENCE(cos));
  check<prim::tan, T>(2, {{-10, 10}, {-70000, 70000}, {-2e9, 2e9}}, EXPRAX_REFERENCE(tan));
  check<prim::asin, T>(2, {{-1, 1}, {-0.6, -0.4}}, EXPRAX_REFERENCE(asin));
  check<prim::acos, T>(2, {{-1, 1}, {0.4, 0.6}, {0.99, 1}}, EXPRAX_REFERENCE(acos));
  check<prim::atan, T>(2, {{-2, 2}, {0.4, 1.1}}, EXPRAX_REFERENCE(atan));
  check<prim::atan2, T>(2, {{-2, 2}, {0.4, 1.1}}, EXPRAX_REFERENCE(atan2));
}
template <class T>
void check_hyperbolic() {
  double const top = sizeof(T) == 8 ? 711 : 90;
  check<prim::sinh, T>(2, {{-top, top}, {-2, 2}, {20, 24}}, EXPRAX_REFERENCE(sinh));
  check<prim::cosh, T>(2, {{-top, top}, {-2, 2}}, EXPRAX_REFERENCE(cosh));
  check<prim::tanh, T>(2, {{-20, 20}, {-2, 2}, {0.5, 0.6}}, EXPRAX_REFERENCE(tanh));
  check<prim::asinh, T>(2, {{-20, 20}, {-2, 2}, {0.9, 1.5}}, EXPRAX_REFERENCE(asinh));
  check<prim::acosh, T>(2, {{0.9, 20}, {1, 2.5}, {1, 1.01}}, EXPRAX_REFERENCE(acosh));
  check<prim::atanh, T>(2, {{-1, 1}, {0.4, 0.6}}, EXPRAX_REFERENCE(atanh));
}
template <class T>
void check_special() {
  check<prim::erf, T>(4, {{-7, 7}, {-1.5, 1.5}}, EXPRAX_REFERENCE(erf));
  check<prim::erfc, T>(4, {{-7, sizeof(T) == 8 ? 27.3 : 10.1}, {-1.5, 1.5}}, EXPRAX_REFERENCE(erfc));
  check<prim::erf_inv, T>(4, {{-1, 1}, {0.99, 1}, {1 - 1e-6, 1}}, [](auto x) { return static_cast<decltype(x)>(erf_inv(x)); });
  // Below 0 these two have zeros between their poles, near which the distance counts, not the ratio.
  check<prim::lgamma, T>(4, {{0, 10}, {0.9, 2.1}, {0, 200}, {-10, 0}}, EXPRAX_REFERENCE(lgamma), true);
  check<prim::digamma, T>(4, {{0, 10}, {1.4, 1.5}, {0, 200}, {-10, 0}}, [](auto x) { return static_cast<decltype(x)>(digamma(x)); }, true);
  bool const wide = sizeof(T) == 8;
  check<prim::tgamma, T>(4, {{0, 10}, {0, wide ? 172 : 36}, {-10, 0}, {wide ? -184 : -44, 0}}, EXPRAX_REFERENCE(tgamma));
}

template <class T>
void check_all() {
  check_exponentials<T>();
  check_trigonometric<T>();
  check_hyperbolic<T>();
  check_special<T>();
}

// The table of math/README.md; where: what the program was compiled for.
inline void print_table(char const* type) {
#if !EXPRAX_SIMD
  char const* where = "width 1";
#elif defined(__AVX512F__)
  char const* where = "AVX-512";
#elif defined(__AVX2__)
  char const* where = "AVX2";
#else
  char const* where = "SSE2";
#endif
  std::printf("| function (%s, %s) | error in ULP | bits |\n|---|---|---|\n", type, where);
  for (row const& r : rows()) std::printf("| %s | %.2f | %016llx |\n", r.name.c_str(), r.worst, static_cast<unsigned long long>(r.hash));
  rows().clear();
}

}  // namespace accuracy
