// SPDX-License-Identifier: BSL-1.0
// Loads and stores of packs, whole or in part. Arrays of bool are bytes of 0 and 1.
#pragma once

#include <exprax/emit/simd/pack_convert.hpp>
#include <exprax/emit/simd/pack_mask.hpp>
#include <exprax/emit/simd/pack_number.hpp>

namespace exprax::simd {

#if EXPRAX_SIMD
namespace detail {

template <class T, int L>
EXPRAX_INLINE basic_pack<T, L> load_all(T const* p) {
  using of = layout<T, L>;
  basic_pack<T, L> r;
  [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
    ((r.reg[I] = load_register<T, of::bytes, of::used>(p + I * of::used)), ...);
  }(typename of::indices{});
  return r;
}
template <class T, int L>
EXPRAX_INLINE void store_all(basic_pack<T, L> const& x, T* p) {
  using of = layout<T, L>;
  [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
    (store_register<T, of::bytes, of::used>(x.reg[I], p + I * of::used), ...);
  }(typename of::indices{});
}

// A bool as its byte in memory.
template <class T>
using stored = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;
EXPRAX_INLINE std::uint8_t const* bytes_of(bool const* p) { return reinterpret_cast<std::uint8_t const*>(p); }
EXPRAX_INLINE std::uint8_t* bytes_of(bool* p) { return reinterpret_cast<std::uint8_t*>(p); }

// For mask registers: one bit for each of the first n lanes.
template <int Lanes>
EXPRAX_INLINE std::uint64_t first_bits(int n) {
  int const count = n < 0 ? 0 : n > Lanes ? Lanes : n;
  if constexpr (Lanes == 64) return count == 0 ? 0 : ~std::uint64_t{0} >> (64 - count);
  else return (std::uint64_t{1} << count) - 1;
}

// AVX has masked access to elements of 4 and 8 bytes; the masks are those of the lanes below n.
#if defined(__AVX__)
template <class T, int L>
inline constexpr bool has_masked_access = !masks_are_bits && sizeof(T) >= 4 && (layout<T, L>::bytes == 16 || layout<T, L>::bytes == 32);

template <class I, int Bytes>
EXPRAX_INLINE vec<I, Bytes> lanes_below(int n) {
  return [&]<int... K>(std::integer_sequence<int, K...>) EXPRAX_LAMBDA_INLINE {
    return vec<I, Bytes>{I{K}...} < broadcast<I, Bytes>(static_cast<I>(n));
  }(std::make_integer_sequence<int, Bytes / static_cast<int>(sizeof(I))>{});
}
template <class T, int Bytes>
EXPRAX_INLINE vec<T, Bytes> load_below(T const* p, int n) {
  if constexpr (sizeof(T) == 4) {
    auto const mask = lanes_below<std::int32_t, Bytes>(n);
    if constexpr (Bytes == 32) return (vec<T, Bytes>)_mm256_maskload_ps(reinterpret_cast<float const*>(p), (__m256i)mask);
    else return (vec<T, Bytes>)_mm_maskload_ps(reinterpret_cast<float const*>(p), (__m128i)mask);
  } else {
    auto const mask = lanes_below<std::int64_t, Bytes>(n);
    if constexpr (Bytes == 32) return (vec<T, Bytes>)_mm256_maskload_pd(reinterpret_cast<double const*>(p), (__m256i)mask);
    else return (vec<T, Bytes>)_mm_maskload_pd(reinterpret_cast<double const*>(p), (__m128i)mask);
  }
}
template <class T, int Bytes>
EXPRAX_INLINE void store_below(vec<T, Bytes> x, T* p, int n) {
  if constexpr (sizeof(T) == 4) {
    auto const mask = lanes_below<std::int32_t, Bytes>(n);
    if constexpr (Bytes == 32) _mm256_maskstore_ps(reinterpret_cast<float*>(p), (__m256i)mask, (__m256)x);
    else _mm_maskstore_ps(reinterpret_cast<float*>(p), (__m128i)mask, (__m128)x);
  } else {
    auto const mask = lanes_below<std::int64_t, Bytes>(n);
    if constexpr (Bytes == 32) _mm256_maskstore_pd(reinterpret_cast<double*>(p), (__m256i)mask, (__m256d)x);
    else _mm_maskstore_pd(reinterpret_cast<double*>(p), (__m128i)mask, (__m128d)x);
  }
}
#else
template <class T, int L>
inline constexpr bool has_masked_access = false;
template <class T, int Bytes>
vec<T, Bytes> load_below(T const*, int) = delete;
template <class T, int Bytes>
void store_below(vec<T, Bytes>, T*, int) = delete;
#endif

// A register of the first n elements, at most Used of them. Through memory, the load would wait for the stores before it.
template <class T, int Bytes, int Used, int... I>
EXPRAX_INLINE vec<T, Bytes> first_elements(T const* p, int n, T fill, std::integer_sequence<int, I...>) {
  return vec<T, Bytes>{(I < Used && I < n ? p[I] : fill)...};
}

template <class T, int L>
EXPRAX_INLINE basic_pack<T, L> load_some(T const* p, int n, T fill) {
  if constexpr (masks_are_bits) {
    using of = layout<T, L>;
    basic_pack<T, L> r(fill);
    [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      ((r.reg[I] = masked_load<T, of::bytes>(first_bits<of::used>(n - I * of::used), p + I * of::used, r.reg[I])), ...);
    }(typename of::indices{});
    return r;
  } else if constexpr (has_masked_access<T, L>) {
    using of = layout<T, L>;
    using I = typename integer_of_size<static_cast<int>(sizeof(T)), true>::type;
    using bits = vec<I, of::bytes>;
    basic_pack<T, L> r(fill);
    [&]<int... K>(std::integer_sequence<int, K...>) EXPRAX_LAMBDA_INLINE {
      ((r.reg[K] = (vec<T, of::bytes>)((bits)load_below<T, of::bytes>(p + K * of::used, n - K * of::used) |
                                       (~lanes_below<I, of::bytes>(n - K * of::used) & (bits)r.reg[K]))),
       ...);
    }(typename of::indices{});
    return r;
  } else if constexpr (sizeof(T) >= 4) {
    using of = layout<T, L>;
    constexpr std::make_integer_sequence<int, of::held> lanes;
    basic_pack<T, L> r;
    [&]<int... K>(std::integer_sequence<int, K...>) EXPRAX_LAMBDA_INLINE {
      ((r.reg[K] = first_elements<T, of::bytes, of::used>(p + K * of::used, n - K * of::used, fill, lanes)), ...);
    }(typename of::indices{});
    return r;
  } else {
    T lanes[L];
    for (int i = 0; i < L; ++i) lanes[i] = i < n ? p[i] : fill;
    return load_all<T, L>(lanes);
  }
}
template <class T, int L>
EXPRAX_INLINE void store_some(basic_pack<T, L> const& x, T* p, int n) {
  if constexpr (masks_are_bits) {
    using of = layout<T, L>;
    [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      (masked_store<T, of::bytes>(first_bits<of::used>(n - I * of::used), x.reg[I], p + I * of::used), ...);
    }(typename of::indices{});
  } else if constexpr (has_masked_access<T, L>) {
    using of = layout<T, L>;
    [&]<int... K>(std::integer_sequence<int, K...>) EXPRAX_LAMBDA_INLINE {
      (store_below<T, of::bytes>(x.reg[K], p + K * of::used, n - K * of::used), ...);
    }(typename of::indices{});
  } else {
    T lanes[L];
    store_all<T, L>(x, lanes);
    for (int i = 0; i < L && i < n; ++i) p[i] = lanes[i];
  }
}

// The Count lanes of x, again and again.
template <int Count, class V, int... I>
EXPRAX_INLINE auto repeated(V x, std::integer_sequence<int, I...>) {
  return shuffle<(I % Count)...>(x, x);
}
// The first N elements of a vector of the compiler: whole halves first.
template <int N, class T, class V>
EXPRAX_INLINE void store_first(V x, T* p) {
  constexpr int held = static_cast<int>(sizeof(V) / sizeof(T)), h = held / 2;
  if constexpr (N == held) {
    __builtin_memcpy(p, &x, sizeof x);
  } else if constexpr (N == 1) {
    *p = x[0];
  } else {
    store_first<(N < h ? N : h), T>(part_of<0>(x, std::make_integer_sequence<int, h>{}), p);
    if constexpr (N > h) store_first<N - h, T>(part_of<h>(x, std::make_integer_sequence<int, h>{}), p + h);
  }
}

template <int L>
EXPRAX_INLINE basic_pack<bool, L> from_bytes(basic_pack<std::uint8_t, L> const& x) {
  if constexpr (masks_are_bits) return x != basic_pack<std::uint8_t, L>(std::uint8_t{0});
  else return basic_pack<bool, L>(mask_storage<L>::from_bytes(x));
}

}  // namespace detail
#endif

template <class T, int L>
EXPRAX_INLINE constexpr pack<T, L> load(T const* p) {
  if constexpr (L == 1) {
    return lane<T>(*p);
  } else {
#if EXPRAX_SIMD
    if constexpr (std::is_same_v<T, bool>) return detail::from_bytes<L>(detail::load_all<std::uint8_t, L>(detail::bytes_of(p)));
    else return detail::load_all<T, L>(p);
#endif
  }
}
// Loads the first n elements, n from 0 to L; the other lanes are `fill`, their memory is not read.
template <class T, int L>
EXPRAX_INLINE constexpr pack<T, L> load_partial(T const* p, int n, T fill = T{}) {
  if constexpr (L == 1) {
    return lane<T>(n > 0 ? *p : fill);
  } else {
#if EXPRAX_SIMD
    if constexpr (std::is_same_v<T, bool>)
      return detail::from_bytes<L>(detail::load_some<std::uint8_t, L>(detail::bytes_of(p), n, static_cast<std::uint8_t>(fill)));
    else return detail::load_some<T, L>(p, n, fill);
#endif
  }
}

// Loads N elements, again and again.
template <class T, int L, int N>
EXPRAX_INLINE constexpr pack<T, L> load_repeated(T const* p) {
  if constexpr (N == L) {
    return load<T, L>(p);
  } else {
#if EXPRAX_SIMD
    using of = detail::layout<T, L>;
    constexpr int bytes = N * static_cast<int>(sizeof(T));
    static_assert(of::registers == 1 && bytes >= 8);
    pack<T, L> r;
    if constexpr (bytes == 8) {
      double both;
      __builtin_memcpy(&both, p, sizeof both);
      r.reg[0] = (typename of::reg)detail::broadcast<double, of::bytes>(both);
    } else {
      r.reg[0] = detail::repeated<N>(detail::load_register<T, bytes, N>(p), std::make_integer_sequence<int, L>{});
    }
    return r;
#endif
  }
}

template <class T>
EXPRAX_INLINE constexpr void store(lane<T> x, T* p) {
  *p = x.value;
}
// Stores the first n elements.
template <class T>
EXPRAX_INLINE constexpr void store_partial(lane<T> x, T* p, int n) {
  if (n > 0) *p = x.value;
}

#if EXPRAX_SIMD
template <class T, int L>
EXPRAX_INLINE void store(basic_pack<T, L> x, T* p) {
  if constexpr (std::is_same_v<T, bool>) detail::store_all<std::uint8_t, L>(convert<std::uint8_t>(x), detail::bytes_of(p));
  else detail::store_all<T, L>(x, p);
}
template <class T, int L>
EXPRAX_INLINE void store_partial(basic_pack<T, L> x, T* p, int n) {
  if constexpr (std::is_same_v<T, bool>) detail::store_some<std::uint8_t, L>(convert<std::uint8_t>(x), detail::bytes_of(p), n);
  else detail::store_some<T, L>(x, p, n);
}

// Stores the first N elements, by a store for each power of two.
template <int N, class T, int L>
EXPRAX_INLINE void store_first(basic_pack<T, L> x, T* p) {
  static_assert(basic_pack<T, L>::layout::registers == 1);
  detail::store_first<N, T>(x.reg[0], p);
}

// f of each element, for functions without a form over whole packs.
template <class F, class T, int L, class... Others>
EXPRAX_INLINE basic_pack<T, L> each_lane(F f, basic_pack<T, L> const& a, Others const&... others) {
  auto const at = [](basic_pack<T, L> const& x, int i) EXPRAX_LAMBDA_INLINE {
    using of = typename basic_pack<T, L>::layout;
    return x.reg[i / of::used][i % of::used];
  };
  T lanes[L];
  for (int i = 0; i < L; ++i) lanes[i] = f(at(a, i), at(others, i)...);
  return detail::load_all<T, L>(lanes);
}
#endif

namespace detail {

template <class T, int L>
struct iota_values {
  T of[L] = {};
  constexpr iota_values() {
    for (int i = 0; i < L; ++i) of[i] = static_cast<T>(i);
  }
};
template <class T, int L>
inline constexpr iota_values<T, L> values_from_zero{};

}  // namespace detail

// 0, 1, 2, ...
template <class T, int L>
EXPRAX_INLINE constexpr pack<T, L> iota() {
  return load<T, L>(detail::values_from_zero<T, L>.of);
}

}  // namespace exprax::simd
