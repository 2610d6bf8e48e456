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

// The packs as rows of a square become its columns.
inline void transpose(floats* r) {
  constexpr int n = static_cast<int>(floats::size);
#if defined(__AVX512F__)
  // At each distance, elements change places between two rows.
#pragma GCC unroll 4
  for (int d = 1; d < n; d *= 2) {
    __m512i const lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), by = _mm512_set1_epi32(d);
    __mmask16 const odd = _mm512_test_epi32_mask(lane, by);
    __m512i const low = _mm512_mask_add_epi32(lane, odd, lane, _mm512_set1_epi32(n - d));
    __m512i const high = _mm512_mask_add_epi32(_mm512_add_epi32(lane, by), odd, lane, _mm512_set1_epi32(n));
#pragma GCC unroll 16
    for (int i = 0; i < n; ++i)
      if ((i & d) == 0) {
        __m512 const a = r[i], b = r[i + d];
        r[i] = _mm512_permutex2var_ps(a, low, b);
        r[i + d] = _mm512_permutex2var_ps(a, high, b);
      }
  }
#else
  float square[n][n], turned[n][n];
  for (int i = 0; i < n; ++i) r[i].store_unaligned(square[i]);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) turned[j][i] = square[i][j];
  for (int i = 0; i < n; ++i) r[i] = load(turned[i]);
#endif
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
