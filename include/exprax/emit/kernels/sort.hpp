// SPDX-License-Identifier: BSL-1.0
// Kernels of sort_rows and order_rows. A row is mapped to integers in the same order (primitives/sorting/sort_key.hpp), which a network
// sorts: for sort_rows the elements themselves, for order_rows 64-bit integers of key and index, the key in the upper bits, which is
// stable. 64-bit keys are sorted by their lower half first, then by the upper one. The first few of many are found by insertion of elements
// that precede the last one kept.
//
// Short rows, and rows on targets that have the maxima of floats, but not those of integers, are sorted as floats, with infinity for NaN.
// Such targets also have key and index as an integer in a double.
#pragma once

#include <exprax/emit/kernels/first_of_rows.hpp>
#include <exprax/emit/kernels/select_few.hpp>

namespace exprax::detail {

template <class Plan, int K>
struct ordering_code : ordering_keys<Plan, K> {
  using keys = ordering_keys<Plan, K>;
  using keys::k, keys::of_floats, keys::in_packs, keys::key_of;
  using typename keys::T, typename keys::key;
  using scratch = std::conditional_t<k.op == prim::sort_rows, key, std::int64_t>;
  static constexpr key sign = static_cast<key>(~keys::largest);
  static constexpr bool has_halves = sizeof(key) == 8;
  static constexpr int n = k.n, padded = k.padded;
  static constexpr bool in_registers = k.lanes * k.registers == padded;  // a whole row

  template <bool Vector, class Env>
  static constexpr void go(Env const& env) {
    T const* x = env.template buffer<k.in>();
    auto* out = env.template buffer<k.out>();
    scratch* const room = env.template buffer<k.scratch>();
#if EXPRAX_SIMD
    if constexpr (Vector && k.row_lanes > 0) return first_of_rows<Plan, K>::run(x, out);
#endif
    for (int row = 0; row < k.rows; ++row, x += n, out += k.count) {
      if constexpr (k.op == prim::sort_rows) sort_row<Vector>(x, out, room);
      else if constexpr (k.selects) few_of_row<Plan, K>::template select_row<Vector>(x, out);
      else order_row<Vector>(x, out, room);
    }
  }

 private:
  // ---- sort_rows

  template <class S>
  static constexpr S last = std::is_floating_point_v<S> ? std::numeric_limits<S>::infinity() : std::numeric_limits<S>::max();
  // The element of a key, if it is neither a zero nor a NaN.
  EXPRAX_INLINE static constexpr T element_of(key x) {
    if constexpr (of_floats) return std::bit_cast<T>(x < 0 ? static_cast<key>(x ^ keys::largest) : x);
    else if constexpr (std::is_unsigned_v<T> && in_packs) return static_cast<T>(static_cast<T>(x) ^ (T(1) << (8 * sizeof(T) - 1)));
    else return static_cast<T>(x);
  }
  // Restores floats that are equal but have different bits, in their original order.
  static constexpr void restore(T const* x, T* out) {
    if constexpr (of_floats) {
      int below = 0, without_nan = 0;
      for (int i = 0; i < n; ++i) {
        below += x[i] < T(0);
        without_nan += x[i] == x[i];
      }
      for (int i = 0; i < n; ++i) {
        if (x[i] == T(0)) out[below++] = x[i];
        else if (x[i] != x[i]) out[without_nan++] = x[i];
      }
    }
  }
  static constexpr bool is_special(T x) {
    if constexpr (of_floats) return x != x || (x == T(0) && std::bit_cast<key>(x) != 0);
    else return false;
  }

  template <bool Vector>
  EXPRAX_INLINE static constexpr void sort_row(T const* x, T* out, key* room) {
#if EXPRAX_SIMD
    if constexpr (Vector && k.lanes > 1) {
      constexpr int L = k.lanes;
      if constexpr (in_packs && in_registers) sort_in_registers<L, k.registers>(x, out);
      else if constexpr (in_packs) sort_in_memory<L>(x, out, reinterpret_cast<sorted*>(room));
      else sort_keys<L>(x, out, room);
      return;
    }
#endif
    bool special = false;
    for (int i = 0; i < n; ++i) {
      room[i] = sort_key(x[i], false);
      special = special || is_special(x[i]);
    }
    sort_by_merging(room, room + padded, n);
    for (int i = 0; i < n; ++i) out[i] = element_of(room[i]);
    if (special) restore(x, out);
  }

#if EXPRAX_SIMD
  // Elements that are shorter than their keys.
  template <int L>
  EXPRAX_INLINE static void sort_keys(T const* x, T* out, key* room) {
    for (int i = 0; i < n; ++i) room[i] = sort_key(x[i], false);
    sort_values<L>(room);
    for (int i = 0; i < n; ++i) out[i] = element_of(room[i]);
  }
  // What the network sorts: elements or keys. Maxima of floats have the longer latency, but of a short row the keys take longer.
  static constexpr int short_row = 8;
  static constexpr bool as_floats = of_floats && (simd::compares_for_extrema<key> || padded <= short_row);
  using sorted = std::conditional_t<as_floats, T, key>;
  template <int L>
  EXPRAX_INLINE static simd::pack<sorted, L> sorted_of(simd::pack<T, L> x) {
    if constexpr (as_floats) return select(isnan(x), simd::pack<T, L>(last<T>), x);
    else return keys::template keys_of<false, L>(x);
  }
  template <int L>
  EXPRAX_INLINE static simd::pack<T, L> elements_of(simd::pack<sorted, L> x) {
    if constexpr (!as_floats && of_floats) x = x ^ ((x >> (8 * int(sizeof(key)) - 1)) & simd::pack<key, L>(keys::largest));
    else if constexpr (std::is_unsigned_v<T>) x = x ^ simd::pack<key, L>(sign);
    return bitcast<T>(x);
  }
  template <int L>
  EXPRAX_INLINE static auto specials(simd::pack<T, L> x) {
    if constexpr (of_floats) return isnan(x) | (bitcast<key>(x) == simd::pack<key, L>(sign));
    else return x != x;
  }
  template <int L, class S>
  EXPRAX_INLINE static void sort_values(S* room) {
    using network = sort_network<S, L>;
    for (int i = n; i < padded; ++i) room[i] = last<S>;
    if constexpr (in_registers)
      network::template in_registers<k.registers>(room,
                                                  [](auto* r) EXPRAX_LAMBDA_INLINE { network::template sort_registers<k.registers>(r); });
    else network::template sort<k.registers>(room, padded);
  }
  template <int L>
  EXPRAX_INLINE static void sort_in_memory(T const* x, T* out, sorted* room) {
    constexpr int whole = n / L * L;
    auto special = specials<L>(simd::pack<T, L>(T(0)));
    auto const load = [&](simd::pack<T, L> v, int i) EXPRAX_LAMBDA_INLINE {
      special = special | specials<L>(v);
      simd::store(sorted_of<L>(v), room + i);
    };
    for (int i = 0; i < whole; i += L) load(simd::load<T, L>(x + i), i);
    if constexpr (whole < n) load(load_count<L, n - whole>(x + whole), whole);  // up to `padded`
    sort_values<L>(room);
    for (int i = 0; i < whole; i += L) simd::store(elements_of<L>(simd::load<sorted, L>(room + i)), out + i);
    if constexpr (whole < n) simd::store_partial(elements_of<L>(simd::load<sorted, L>(room + whole)), out + whole, n - whole);
    if (any(special)) restore(x, out);
  }
  template <int L, int Count>
  EXPRAX_INLINE static simd::pack<T, L> load_count(T const* p) {
    if constexpr (Count == L) return simd::load<T, L>(p);
    else return simd::load_partial<T, L>(p, Count, T(0));
  }
  template <int L, int R>
  EXPRAX_INLINE static void sort_in_registers(T const* x, T* out) {
    using V = simd::pack<sorted, L>;
    V r[R];
    auto special = specials<L>(simd::pack<T, L>(T(0)));
    unrolled<R>([&](auto i) EXPRAX_LAMBDA_INLINE {
      constexpr int at = i.value * L, count = n - at < L ? n - at : L;
      if constexpr (count <= 0) {
        r[i.value] = V(last<sorted>);
      } else {
        auto const v = load_count<L, count>(x + at);
        special = special | specials<L>(v);
        r[i.value] = sorted_of<L>(v);
        if constexpr (count < L) r[i.value] = select(simd::first_lanes<sorted, L>(count), r[i.value], V(last<sorted>));
      }
    });
    bool const found = any(special);
    sort_network<sorted, L>::template sort_registers<R>(r);
    T copy[of_floats ? n : 1];  // out may be x
    if constexpr (of_floats)
      if (found) for (int i = 0; i < n; ++i) copy[i] = x[i];
    unrolled<R>([&](auto i) EXPRAX_LAMBDA_INLINE {
      constexpr int at = i.value * L, count = n - at < L ? n - at : L;
      if constexpr (count == L) simd::store(elements_of<L>(r[i.value]), out + at);
      else if constexpr (count > 0) simd::store_partial(elements_of<L>(r[i.value]), out + at, count);
    });
    if constexpr (of_floats)
      if (found) restore(copy, out);
  }
#endif

  // ---- order_rows

  // S: a 64-bit integer, or a double, which holds integers of 53 bits.
  template <class S>
  static constexpr std::int64_t indices = std::int64_t{1} << (std::is_same_v<S, double> ? 20 : 32);
  template <class S>
  EXPRAX_INLINE static constexpr S with_index(std::int32_t high, int index) {
    return static_cast<S>(high * indices<S> + index);
  }
  template <class S>
  EXPRAX_INLINE static constexpr int index_of(S x) {
    return static_cast<int>(static_cast<std::int64_t>(x) & (indices<S> - 1));
  }
  template <bool Vector>
  EXPRAX_INLINE static constexpr void order_row(T const* x, std::int32_t* out, std::int64_t* room) {
#if EXPRAX_SIMD
    using S = std::conditional_t<simd::selects_in_steps && padded <= indices<double>, double, std::int64_t>;
    if constexpr (Vector && k.lanes > 1)
      return order_values<true>(x, out, reinterpret_cast<S*>(room), [](S* a) EXPRAX_LAMBDA_INLINE { sort_values<k.lanes>(a); });
#endif
    order_values<false>(x, out, room, [](std::int64_t* a) { sort_by_merging(a, a + padded, n); });
  }
  template <bool Vector, class S, class F>
  EXPRAX_INLINE static constexpr void order_values(T const* x, std::int32_t* out, S* room, F const& sort) {
    if constexpr (has_halves) {
      S* const first = room + 2 * padded;  // the order by the lower halves
      for (int i = 0; i < n; ++i)
        room[i] = with_index<S>(static_cast<std::int32_t>(static_cast<std::uint32_t>(key_of(x[i])) ^ 0x80000000u), i);
      sort(room);
      for (int i = 0; i < n; ++i) {
        int const at = index_of(room[i]);
        first[i] = static_cast<S>(at);
        room[i] = with_index<S>(static_cast<std::int32_t>(key_of(x[at]) >> 32), i);
      }
      sort(room);
      for (int i = 0; i < k.count; ++i) out[i] = static_cast<std::int32_t>(first[index_of(room[i])]);
    } else {
      int i = 0;
#if EXPRAX_SIMD
      constexpr int L = k.key_lanes;
      if constexpr (Vector && in_packs && L > 1)
        for (; i + L <= n; i += L) simd::store(with_indices<S, L>(simd::load<T, L>(x + i), i), room + i);
#endif
      for (; i < n; ++i) room[i] = with_index<S>(key_of(x[i]), i);
      sort(room);
      for (i = 0; i < k.count; ++i) out[i] = index_of(room[i]);
    }
  }
#if EXPRAX_SIMD
  // Of elements from number `first` on.
  template <class S, int L>
  EXPRAX_INLINE static simd::pack<S, L> with_indices(simd::pack<T, L> x, int first) {
    auto const high = convert<S>(keys::template keys_of<true, L>(x));
    auto const index = convert<S>(simd::iota<std::int32_t, L>() + simd::pack<std::int32_t, L>(first));
    if constexpr (std::is_same_v<S, double>) return high * simd::pack<S, L>(indices<S>) + index;
    else return (high << 32) | index;
  }
#endif
};

template <class Plan, int K, bool Vector, class Env>
EXPRAX_INLINE constexpr void run_ordering(Env const& env) {
  ordering_code<Plan, K>::template go<Vector>(env);
}

}  // namespace exprax::detail
