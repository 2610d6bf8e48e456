// SPDX-License-Identifier: BSL-1.0
// Bitonic networks over packs: sort integers, or floats without NaN, in ascending order, a power of two of them. Registers are sorted
// first, then runs are merged: one run is reversed and exchanged with the other, so that the lower half of both comes first, and each half
// is cleaned by exchanges over half the distance, down to neighbours. Runs are processed depth first, so that they stay in the cache.
#pragma once

#include <exprax/emit/kernels/first_lanes.hpp>

namespace exprax::detail {

// f(integral_constant<int, I>) for I from 0 to N - 1, unrolled.
template <int N, class F>
EXPRAX_INLINE constexpr void unrolled(F const& f) {
  [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE { (f(std::integral_constant<int, I>{}), ...); }
  (std::make_integer_sequence<int, N>{});
}

#if EXPRAX_SIMD
template <class K, int L>
struct sort_network {
  using V = simd::pack<K, L>;
  static constexpr bool of_floats = std::is_floating_point_v<K>;
  // Without min and max instructions, one comparison serves both.
  static constexpr bool by_comparison = !of_floats && simd::compares_for_extrema<K>;

  EXPRAX_INLINE static V lesser_of(V a, V b) {
    if constexpr (of_floats) return at_most(a, b);
    else return minimum(a, b);
  }
  EXPRAX_INLINE static V greater_of(V a, V b) {
    if constexpr (of_floats) return at_least(a, b);
    else return maximum(a, b);
  }
  EXPRAX_INLINE static void exchange(V& low, V& high) {
    if constexpr (by_comparison && simd::selects_in_steps) {
      V const change = select(high < low, low ^ high, V(K(0)));
      low = low ^ change;
      high = high ^ change;
    } else if constexpr (by_comparison) {
      auto const swaps = high < low;
      V const lesser = select(swaps, high, low);
      high = select(swaps, low, high);
      low = lesser;
    } else {
      V const lesser = lesser_of(low, high);
      high = greater_of(low, high);
      low = lesser;
    }
  }
  // Compares lane i with lane i ^ Mask; the larger one goes where i has the bit Up.
  template <int Mask, int Up>
  EXPRAX_INLINE static V step(V v) {
    return [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      V const other = simd::permute<(I ^ Mask)...>(v);
      if constexpr (by_comparison) {
        auto const is_up = (simd::iota<K, L>() & V(K(Up))) != V(K(0));
        return select((other < v) ^ is_up, other, v);
      } else {
        return simd::permute<((I & Up) ? L + I : I)...>(lesser_of(v, other), greater_of(v, other));
      }
    }(std::make_integer_sequence<int, L>{});
  }
  // Exchanges over a distance of Distance lanes, then half of that, and so on.
  template <int Distance>
  EXPRAX_INLINE static V cleaned(V v) {
    if constexpr (Distance == 0) return v;
    else return cleaned<Distance / 2>(step<Distance, Distance>(v));
  }
  template <int Run = 2>
  EXPRAX_INLINE static V sorted(V v) {
    if constexpr (Run > L) return v;
    else return sorted<2 * Run>(cleaned<Run / 4>(step<Run - 1, Run / 2>(v)));
  }

  // R consecutive registers.
  template <int R, int Distance>
  EXPRAX_INLINE static void clean_registers(V* r) {
    if constexpr (Distance == 0) {
      unrolled<R>([&](auto i) EXPRAX_LAMBDA_INLINE { r[i.value] = cleaned<L / 2>(r[i.value]); });
    } else {
      unrolled<R>([&](auto i) EXPRAX_LAMBDA_INLINE {
        if constexpr ((i.value & Distance) == 0) exchange(r[i.value], r[i.value + Distance]);
      });
      clean_registers<R, Distance / 2>(r);
    }
  }
  template <int R, int Run = 2>
  EXPRAX_INLINE static void merge_registers(V* r) {
    if constexpr (Run <= R) {
      unrolled<R>([&](auto i) EXPRAX_LAMBDA_INLINE {
        constexpr int other = i.value ^ (Run - 1);
        if constexpr (i.value < other) {
          V reversed = reverse(r[other]);
          exchange(r[i.value], reversed);
          r[other] = reverse(reversed);
        }
      });
      clean_registers<R, Run / 4>(r);
      merge_registers<R, 2 * Run>(r);
    }
  }
  template <int R>
  EXPRAX_INLINE static void sort_registers(V* r) {
    unrolled<R>([&](auto i) EXPRAX_LAMBDA_INLINE { r[i.value] = sorted(r[i.value]); });
    merge_registers<R>(r);
  }

  // ---- In memory

  template <int R, class F>
  EXPRAX_INLINE static void in_registers(K* a, F const& f) {
    V r[R];
    unrolled<R>([&](auto i) EXPRAX_LAMBDA_INLINE { r[i.value] = simd::load<K, L>(a + i.value * L); });
    f(r);
    unrolled<R>([&](auto i) EXPRAX_LAMBDA_INLINE { simd::store(r[i.value], a + i.value * L); });
  }
  // Blocks of R registers.
  template <int R>
  [[gnu::noinline]] EXPRAX_OPTIMIZED EXPRAX_FLATTEN static void sort_block(K* a) {
    in_registers<R>(a, [](V* r) EXPRAX_LAMBDA_INLINE { sort_registers<R>(r); });
  }
  template <int R>
  [[gnu::noinline]] EXPRAX_OPTIMIZED EXPRAX_FLATTEN static void clean_block(K* a) {
    in_registers<R>(a, [](V* r) EXPRAX_LAMBDA_INLINE { clean_registers<R, R / 2>(r); });
  }
  // n: a power of two, here and below.
  template <int R>
  [[gnu::noinline]] EXPRAX_OPTIMIZED EXPRAX_FLATTEN static void clean(K* a, int n) {
    if (n == R * L) return clean_block<R>(a);
    if (n == 2 * R * L) {
      for (int i = 0; i < n / 2; i += L) exchange_at(a + i, a + i + n / 2);
      clean_block<R>(a);
      return clean_block<R>(a + n / 2);
    }
    // Two distances at once.
    int const quarter = n / 4;
    for (int i = 0; i < quarter; i += L) {
      V v[4];
      unrolled<4>([&](auto k) EXPRAX_LAMBDA_INLINE { v[k.value] = simd::load<K, L>(a + i + k.value * quarter); });
      exchange(v[0], v[2]);
      exchange(v[1], v[3]);
      exchange(v[0], v[1]);
      exchange(v[2], v[3]);
      unrolled<4>([&](auto k) EXPRAX_LAMBDA_INLINE { simd::store(v[k.value], a + i + k.value * quarter); });
    }
    for (int k = 0; k < 4; ++k) clean<R>(a + k * quarter, quarter);
  }
  EXPRAX_INLINE static void exchange_at(K* low, K* high) {
    V a = simd::load<K, L>(low), b = simd::load<K, L>(high);
    exchange(a, b);
    simd::store(a, low);
    simd::store(b, high);
  }
  template <int R>
  [[gnu::noinline]] EXPRAX_OPTIMIZED EXPRAX_FLATTEN static void merge(K* a, int n) {
    for (int i = 0; i < n / 2; i += L) {
      V low = simd::load<K, L>(a + i), high = reverse(simd::load<K, L>(a + n - L - i));
      exchange(low, high);
      simd::store(low, a + i);
      simd::store(reverse(high), a + n - L - i);
    }
    clean<R>(a, n / 2);
    clean<R>(a + n / 2, n / 2);
  }
  template <int R>
  [[gnu::noinline]] EXPRAX_OPTIMIZED EXPRAX_FLATTEN static void sort(K* a, int n) {
    if (n == R * L) return sort_block<R>(a);
    sort<R>(a, n / 2);
    sort<R>(a + n / 2, n / 2);
    merge<R>(a, n);
  }
};

#endif

// Without packs: merges runs of doubling length. spare: room for n more.
template <class K>
constexpr void sort_by_merging(K* a, K* spare, int n) {
  K *from = a, *to = spare;
  for (int run = 1; run < n; run *= 2) {
    for (int first = 0; first < n; first += 2 * run) {
      int const middle = first + run < n ? first + run : n, end = first + 2 * run < n ? first + 2 * run : n;
      for (int i = first, j = middle, k = first; k < end; ++k)
        to[k] = j < end && (i == middle || from[j] < from[i]) ? from[j++] : from[i++];
    }
    K* const written = to;
    to = from;
    from = written;
  }
  if (from != a)
    for (int i = 0; i < n; ++i) a[i] = from[i];
}

}  // namespace exprax::detail
