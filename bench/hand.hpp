// SPDX-License-Identifier: BSL-1.0
// What the loops by hand share: packs of xsimd, a product and sum rounded once (xsimd::fma of 8.1 is two operations on AVX-512), and
// a loop over an array in blocks of packs whose last block overlaps the one before.
#pragma once

#include <cmath>
#include <cstddef>

#include <xsimd/xsimd.hpp>

#include "compare.hpp"

namespace hand {

template <class T>
using pack = xsimd::batch<T>;
using floats = pack<float>;

#if defined(__AVX512F__)
inline floats fma(floats a, floats b, floats c) { return _mm512_fmadd_ps(a, b, c); }
inline floats fms(floats a, floats b, floats c) { return _mm512_fmsub_ps(a, b, c); }
#else
inline floats fma(floats a, floats b, floats c) { return xsimd::fma(a, b, c); }
inline floats fms(floats a, floats b, floats c) { return xsimd::fms(a, b, c); }
#endif

template <class T>
pack<T> load(T const* p) {
  return pack<T>::load_unaligned(p);
}

// f(i) for blocks of Block elements that cover n >= Block elements.
template <int Block, class F>
[[gnu::always_inline]] inline void blocks(int n, F f) {
  int i = 0;
  for (; i + Block <= n; i += Block) f(i);
  if (i < n) f(n - Block);
}

}  // namespace hand

namespace bench {

// How many elements differ by more than a part of their size; a tolerance of 0 wants equal values.
template <class T>
int differences(T const* a, T const* b, std::ptrdiff_t n, double tolerance) {
  int r = 0;
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    double const x = static_cast<double>(a[i]), y = static_cast<double>(b[i]);
    if (!(std::abs(x - y) <= tolerance * (1 + std::abs(y)))) ++r;
  }
  return r;
}

// Calls f out of line, with its inputs and results in memory.
template <class F>
[[gnu::noinline]] void call(F const& f) {
  asm volatile("" : : : "memory");
  f();
  asm volatile("" : : : "memory");
}

}  // namespace bench
