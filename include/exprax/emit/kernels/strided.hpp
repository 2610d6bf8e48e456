// SPDX-License-Identifier: BSL-1.0
// Packs whose lanes lie apart in memory: loads and stores with a stride, and the columns of rows that are stored together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <exprax/base/config.hpp>
#include <exprax/emit/simd/pack.hpp>

namespace exprax::detail {

#if EXPRAX_SIMD
// Vectors of the compiler, for __builtin_shufflevector.
template <class T, int N>
struct raw_vector {
  typedef T type __attribute__((vector_size(N * static_cast<int>(sizeof(T)))));
};
template <class T, int N>
using raw = typename raw_vector<T, N>::type;

template <class T, int N>
EXPRAX_INLINE raw<T, N> load_raw(T const* p) {
  raw<T, N> r;
  __builtin_memcpy(&r, p, sizeof r);
  return r;
}
template <class T, int N>
EXPRAX_INLINE void store_raw(raw<T, N> v, T* p) {
  __builtin_memcpy(p, &v, sizeof v);
}

// Both vectors as one.
template <class T, int N>
EXPRAX_INLINE raw<T, 2 * N> beside(raw<T, N> low, raw<T, N> high) {
  return [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE { return __builtin_shufflevector(low, high, I...); }
  (std::make_integer_sequence<int, 2 * N>{});
}

template <class T, int L>
EXPRAX_INLINE simd::pack<T, L> to_pack(raw<T, L> v) {
  T lanes[L];
  store_raw<T, L>(v, lanes);
  return simd::load<T, L>(lanes);
}
template <class T, int L>
EXPRAX_INLINE raw<T, L> to_raw(simd::pack<T, L> v) {
  T lanes[L];
  simd::store(v, lanes);
  return load_raw<T, L>(lanes);
}
// A pack of which f makes each register, from its number. Vectors of the compiler that are longer than registers g++ keeps in memory.
template <class T, int L>
inline constexpr int lanes_of_register = simd::detail::layout<T, L>::used;
template <class T, int L, class F>
EXPRAX_INLINE simd::pack<T, L> make_registers(F const& f) {
  if constexpr (lanes_of_register<T, L> < simd::detail::layout<T, L>::held) {
    return to_pack<T, L>(f(std::integral_constant<int, 0>{}));
  } else {
    simd::pack<T, L> r;
    [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      ((r.reg[I] = f(std::integral_constant<int, I>{})), ...);
    }(typename simd::detail::layout<T, L>::indices{});
    return r;
  }
}
// Every Stride-th element from First on, of as many vectors that lie one after the other; the last one begins at element Last.
template <int Stride, int L, int First, int Last, int From, class V, int... I>
EXPRAX_INLINE V pick_every(V const* vectors, V found, std::integer_sequence<int, I...> lanes) {
  if constexpr (From == Stride) {
    return found;
  } else {
    constexpr int at = From == Stride - 1 ? Last : From * L;
    V const more = __builtin_shufflevector(found, vectors[From], ((I * Stride + First) / L == From ? L + I * Stride + First - at : I)...);
    return pick_every<Stride, L, First, Last, From + 1>(vectors, more, lanes);
  }
}
// 8 elements of 4 bytes in a register whose halves most instructions take apart.
template <class V>
inline constexpr bool consists_of_halves =
#if defined(__AVX2__) && !defined(__AVX512VL__)
    sizeof(V) == 32 && sizeof(V{}[0]) == 4;
#else
    false;
#endif
// Of both halves of a, then of b, the elements First and First + 2.
template <int First, class V>
EXPRAX_INLINE V every_second_in_halves(V a, V b) {
  constexpr int f = First;
  return __builtin_shufflevector(a, b, f, f + 2, f + 8, f + 10, f + 4, f + 6, f + 12, f + 14);
}
// The same as pick_every in vectors with halves, by instructions that stay in them; one of another kind puts the elements in order.
template <int Stride, int First, class V>
EXPRAX_INLINE V pick_in_halves(V const* vectors) {
  using F = raw<float, 8>;
  F part[Stride / 2];
  for (int i = 0; i < Stride / 2; ++i) part[i] = every_second_in_halves<First % 2>((F)vectors[2 * i], (F)vectors[2 * i + 1]);
  if constexpr (Stride == 2) {
    return (V)__builtin_shufflevector(part[0], part[0], 0, 1, 4, 5, 2, 3, 6, 7);
  } else {
    for (int i = 0; i < Stride / 4; ++i) part[i] = every_second_in_halves<First / 2 % 2>(part[2 * i], part[2 * i + 1]);
    if constexpr (Stride == 4) return (V)__builtin_shufflevector(part[0], part[0], 0, 4, 1, 5, 2, 6, 3, 7);
    else if constexpr (First < 4) return (V)__builtin_shufflevector(part[0], part[1], 0, 1, 2, 3, 8, 9, 10, 11);
    else return (V)__builtin_shufflevector(part[0], part[1], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}
// The same where the last one follows the others. By halves: vectors of the even or of the odd elements serve every second First.
template <int Stride, int L, int First, class V, int... I>
EXPRAX_INLINE V pick_every(V const* vectors, std::integer_sequence<int, I...> lanes) {
  if constexpr (Stride == 1) {
    return vectors[0];
  } else if constexpr (consists_of_halves<V> && (Stride == 2 || Stride == 4 || Stride == 8)) {
    return pick_in_halves<Stride, First>(vectors);
  } else if constexpr (Stride % 2 == 0) {
    V half[Stride / 2];
    for (int i = 0; i < Stride / 2; ++i) half[i] = __builtin_shufflevector(vectors[2 * i], vectors[2 * i + 1], (2 * I + First % 2)...);
    return pick_every<Stride / 2, L, First / 2>(half, lanes);
  } else {
    return pick_every<Stride, L, First, (Stride - 1) * L, 0>(vectors, vectors[0], lanes);
  }
}
// Every Stride-th element in memory. Nothing is read behind the last one; or whole groups of Stride elements, of which *p is the one at
// Place: so elements at different places share their loads.
template <class T, int L, int Stride, int Place = -1>
EXPRAX_INLINE raw<T, L> load_every(T const* p) {
  constexpr int first = Place < 0 ? 0 : Place, last = Place < 0 ? (L - 1) * (Stride - 1) : L * (Stride - 1);
  raw<T, L> vectors[Stride];
  for (int i = 0; i < Stride - 1; ++i) vectors[i] = load_raw<T, L>(p - first + i * L);
  vectors[Stride - 1] = load_raw<T, L>(p - first + last);
  constexpr std::make_integer_sequence<int, L> lanes{};
  if constexpr (Place < 0) return pick_every<Stride, L, first, last, 0>(vectors, vectors[0], lanes);
  else return pick_every<Stride, L, first>(vectors, lanes);
}
// Count elements with a stride, and zeros. In registers: a pack that was stored element by element is not at once to be loaded. As floats,
// because g++ stores integers with a known stride one after the other.
template <class T, int Count, int... I>
EXPRAX_INLINE raw<T, sizeof...(I)> gather_raw(T const* p, std::ptrdiff_t stride, std::integer_sequence<int, I...>) {
#if defined(__clang__)
  using F = T;
#else
  using F = std::conditional_t<sizeof(T) == 8, double, float>;
#endif
  auto const at = [=](int i) EXPRAX_LAMBDA_INLINE {
    F x;
    __builtin_memcpy(&x, p + i * stride, sizeof x);
    return x;
  };
  return (raw<T, sizeof...(I)>)raw<F, sizeof...(I)>{(I < Count ? at(I) : F(0))...};
}
#endif

// Loads L elements with a stride, or Count and zeros.
template <class T, int L>
inline constexpr bool has_words = EXPRAX_SIMD && (sizeof(T) == 4 || sizeof(T) == 8) && L >= 4;
// Integers of 1 or 2 bytes, where the machine permutes bytes.
template <class T, int L>
inline constexpr bool has_short_words = EXPRAX_SIMD && std::is_integral_v<T> && !std::is_same_v<T, bool> && sizeof(T) < 4 && L >= 8 &&
                                        this_target.register_bytes >= 32;
template <class T, int L, std::ptrdiff_t Stride>
inline constexpr bool loads_every = (has_words<T, L> || has_short_words<T, L>) && Stride >= 2 && Stride <= L && Stride <= 8 &&
                                    Stride * static_cast<int>(sizeof(T)) <= this_target.register_bytes;
template <class T, int L, int Count = L>
EXPRAX_INLINE constexpr simd::pack<T, L> load_strided(T const* p, std::ptrdiff_t stride) {
  if constexpr (L == 1) return simd::pack<T, 1>(*p);
#if EXPRAX_SIMD
  if constexpr (has_words<T, L>) {
    constexpr int n = lanes_of_register<T, L>;
    return make_registers<T, L>([=](auto i) EXPRAX_LAMBDA_INLINE {
      return gather_raw<T, Count - i * n>(p + i * n * stride, stride, std::make_integer_sequence<int, n>{});
    });
  }
#endif
  T lanes[L] = {};
  for (int i = 0; i < Count; ++i) lanes[i] = p[i * stride];
  return simd::load<T, L>(lanes);
}
// Stores Count lanes with a stride.
template <class T, int L, int Count = L>
EXPRAX_INLINE constexpr void store_strided(simd::pack<T, L> v, T* p, std::ptrdiff_t stride) {
  if constexpr (L == 1) {
    *p = v.value;
  } else {
    T lanes[L];
    simd::store(v, lanes);
    for (int i = 0; i < Count; ++i) p[i * stride] = lanes[i];
  }
}

// Place: as in load_every.
template <class T, int L, std::ptrdiff_t Stride, int Count, int Place = -1>
EXPRAX_INLINE constexpr simd::pack<T, L> load_lanes(T const* p) {
  if constexpr (L == 1 || Stride == 0) {
    return simd::pack<T, L>(*p);
  } else if constexpr (Count < L) {
    if constexpr (Stride == 1) return simd::load_partial<T, L>(p, Count, T{});
    else return load_strided<T, L, Count>(p, Stride);
  } else if constexpr (Stride == 1) {
    return simd::load<T, L>(p);
  } else if constexpr (Stride == -1) {
    return reverse(simd::load<T, L>(p - (L - 1)));
  } else {
#if EXPRAX_SIMD
    if constexpr (loads_every<T, L, Stride>) {
      constexpr int n = lanes_of_register<T, L>;
      return make_registers<T, L>([=](auto i) EXPRAX_LAMBDA_INLINE { return load_every<T, n, Stride, Place>(p + i * n * Stride); });
    }
#endif
    return load_strided<T, L>(p, Stride);
  }
}
// Stores with a small stride as whole registers, of whose lanes masks choose: what lies between is not written.
#if EXPRAX_SIMD && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
template <class T, int L, std::ptrdiff_t Stride>
inline constexpr bool stores_every = has_words<T, L> && Stride >= 2 && Stride <= 4 && L * sizeof(T) >= 32;
template <class T, int L, int Stride, int First, int... I>
EXPRAX_INLINE void store_part(raw<T, L> v, T* p, std::integer_sequence<int, I...>) {
  constexpr auto is_chosen = [](int i) { return (First + i) % Stride == 0 && (First + i) / Stride < L; };
  constexpr int bytes = static_cast<int>(sizeof...(I) * sizeof(T));
  auto const part = __builtin_shufflevector(v, v, (is_chosen(I) ? (First + I) / Stride : 0)...);
  simd::detail::masked_store<T, bytes>(((std::uint64_t{is_chosen(I)} << I) | ...), (simd::detail::vec<T, bytes>)part, p + First);
}
template <int Stride, class T, int L>
EXPRAX_INLINE void store_every(simd::pack<T, L> v, T* p) {
  constexpr int lanes = L * sizeof(T) < 64 ? L : 64 / static_cast<int>(sizeof(T)), parts = ((L - 1) * Stride + lanes) / lanes;
  raw<T, L> const all = to_raw<T, L>(v);
  [&]<int... P>(std::integer_sequence<int, P...>) EXPRAX_LAMBDA_INLINE {
    (store_part<T, L, Stride, P * lanes>(all, p, std::make_integer_sequence<int, lanes>{}), ...);
  }(std::make_integer_sequence<int, parts>{});
}
#else
template <class T, int L, std::ptrdiff_t Stride>
inline constexpr bool stores_every = false;
template <int Stride, class T, int L>
void store_every(simd::pack<T, L> v, T* p);
#endif
// Count lanes, of which there are fewer than L only where the stride is 1.
template <class T, int L, std::ptrdiff_t Stride, int Count = L>
EXPRAX_INLINE constexpr void store_lanes(simd::pack<T, L> v, T* p) {
  if constexpr (L == 1) *p = v.value;
  else if constexpr (Count < L) simd::store_partial(v, p, Count);
  else if constexpr (Stride == 1) simd::store(v, p);
  else if constexpr (Stride == -1) simd::store(reverse(v), p - (L - 1));
  else if constexpr (stores_every<T, L, Stride>) store_every<static_cast<int>(Stride), T, L>(v, p);
  else store_strided<T, L>(v, p, Stride);
}

#if EXPRAX_SIMD
// Part P of vectors with one lane of each after the other.
template <int P, int L, class V, int... I>
EXPRAX_INLINE V interleaved(std::integer_sequence<int, I...>, V a, V b) {
  return __builtin_shufflevector(a, b, ((P * L + I) % 2 * L + (P * L + I) / 2)...);
}
template <int P, int L, class V, int... I>
EXPRAX_INLINE V interleaved(std::integer_sequence<int, I...>, V a, V b, V c) {
  V const two = __builtin_shufflevector(a, b, ((P * L + I) % 3 == 2 ? 0 : (P * L + I) % 3 * L + (P * L + I) / 3)...);
  return __builtin_shufflevector(two, c, ((P * L + I) % 3 == 2 ? L + (P * L + I) / 3 : I)...);
}
template <int P, int L, class V, int... I>
EXPRAX_INLINE V interleaved(std::integer_sequence<int, I...> lanes, V a, V b, V c, V d) {
  return interleaved<P % 2, L>(lanes, interleaved<P / 2, L>(lanes, a, c), interleaved<P / 2, L>(lanes, b, d));
}
// Register I of each column.
template <int I, class T, int L, class... Column>
EXPRAX_INLINE void store_interleaved(T* p, Column const&... columns) {
  constexpr int n = sizeof...(Column), lanes = lanes_of_register<T, L>;
  [&]<int... P>(std::integer_sequence<int, P...>) EXPRAX_LAMBDA_INLINE {
    (store_raw<T, lanes>(interleaved<P, lanes>(std::make_integer_sequence<int, lanes>{}, (raw<T, lanes>)columns.reg[I]...),
                         p + (I * n + P) * lanes),
     ...);
  }(std::make_integer_sequence<int, n>{});
}
#endif
// Stores the columns of rows that lie one after the other, of Count lanes: lane i of column k at p[i * columns + k].
template <class T, int L, int Count, class... Column>
EXPRAX_INLINE constexpr void store_columns(T* p, Column... columns) {
  constexpr int n = sizeof...(Column);
#if EXPRAX_SIMD
  if constexpr (has_words<T, L> && Count == L) {
    return [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      (store_interleaved<I, T, L>(p, columns...), ...);
    }(typename simd::detail::layout<T, L>::indices{});
  }
#endif
  int k = 0;
  (store_strided<T, L, Count>(columns, p + k++, n), ...);
}

}  // namespace exprax::detail
