// SPDX-License-Identifier: BSL-1.0
// Kernels of sort_rows and order_rows. A row is mapped to integers in the same order (primitives/sorting/sort_key.hpp), which a network
// sorts: for sort_rows the elements themselves, for order_rows 64-bit integers of key and index, the key in the upper bits, which is
// stable. 64-bit keys are sorted by their lower half first, then by the upper one. The first few of many are found by insertion of elements
// that precede the last one kept.
#pragma once

#include <exprax/emit/kernels/first_of_rows.hpp>
#include <exprax/emit/kernels/select_few.hpp>

namespace exprax::detail {

template <class Plan, int K>
struct ordering_code : ordering_keys<Plan, K> {
  using keys = ordering_keys<Plan, K>;
  using keys::k, keys::of_floats, keys::in_packs, keys::largest, keys::key_of;
  using typename keys::T, typename keys::key;
  using scratch = std::conditional_t<k.op == prim::sort_rows, key, std::int64_t>;
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

  // The element of a key, if it is neither a zero nor a NaN.
  EXPRAX_INLINE static constexpr T element_of(key x) {
    if constexpr (of_floats) return std::bit_cast<T>(x < 0 ? static_cast<key>(x ^ largest) : x);
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
      using network = sort_network<key, L>;
      if constexpr (in_packs && in_registers) {
        sort_in_registers<L, k.registers>(x, out);
      } else {
        bool special = false;
        if constexpr (in_packs) {
          special = make_keys<L>(x, room);
        } else {
          for (int i = 0; i < n; ++i) {
            room[i] = sort_key(x[i], false);
            special = special || is_special(x[i]);
          }
          for (int i = n; i < padded; ++i) room[i] = largest;
        }
        if constexpr (in_registers)
          network::template in_registers<k.registers>(
              room, [](auto* r) EXPRAX_LAMBDA_INLINE { network::template sort_registers<k.registers>(r); });
        else network::template sort<k.registers>(room, padded);
        if constexpr (in_packs) {
          for (int i = 0; i + L <= n; i += L) simd::store(elements_of<L>(simd::load<key, L>(room + i)), out + i);
          for (int i = n / L * L; i < n; ++i) out[i] = element_of(room[i]);
        } else {
          for (int i = 0; i < n; ++i) out[i] = element_of(room[i]);
        }
        if (special) restore(x, out);
      }
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
  template <int L>
  EXPRAX_INLINE static simd::pack<T, L> elements_of(simd::pack<key, L> x) {
    using V = simd::pack<key, L>;
    if constexpr (of_floats) x = x ^ ((x >> (8 * int(sizeof(key)) - 1)) & V(largest));
    else if constexpr (std::is_unsigned_v<T>) x = x ^ V(static_cast<key>(~largest));
    return bitcast<T>(x);
  }
  template <int L>
  EXPRAX_INLINE static auto specials(simd::pack<T, L> x) {
    if constexpr (of_floats) return isnan(x) | (bitcast<key>(x) == simd::pack<key, L>(static_cast<key>(~largest)));
    else return x != x;
  }
  // Computes up to `padded` keys; returns whether the row has a -0 or a NaN.
  template <int L>
  EXPRAX_INLINE static bool make_keys(T const* x, key* room) {
    auto special = specials<L>(simd::pack<T, L>(T(0)));
    for (int i = 0; i + L <= n; i += L) {
      auto const v = simd::load<T, L>(x + i);
      special = special | specials<L>(v);
      simd::store(keys::template keys_of<false, L>(v), room + i);
    }
    bool more = false;
    for (int i = n / L * L; i < n; ++i) {
      room[i] = of_floats && x[i] == T(0) ? static_cast<key>(is_special(x[i]) ? -1 : 0) : sort_key(x[i], false);
      more = more || is_special(x[i]);
    }
    for (int i = n; i < padded; ++i) room[i] = largest;
    return more || any(special);
  }
  template <int L, int Count>
  EXPRAX_INLINE static simd::pack<T, L> load_count(T const* p) {
    if constexpr (Count == L) return simd::load<T, L>(p);
    else return simd::load_partial<T, L>(p, Count, T(0));
  }
  template <int L, int R>
  EXPRAX_INLINE static void sort_in_registers(T const* x, T* out) {
    using V = simd::pack<key, L>;
    V r[R];
    auto special = specials<L>(simd::pack<T, L>(T(0)));
    unrolled<R>([&](auto i) EXPRAX_LAMBDA_INLINE {
      constexpr int at = i.value * L, count = n - at < L ? n - at : L;
      if constexpr (count <= 0) {
        r[i.value] = V(keys::largest);
      } else {
        auto const v = load_count<L, count>(x + at);
        special = special | specials<L>(v);
        r[i.value] = keys::template keys_of<false, L>(v);
        if constexpr (count < L) r[i.value] = select(simd::first_lanes<key, L>(count), r[i.value], V(keys::largest));
      }
    });
    bool const found = any(special);
    sort_network<key, L>::template sort_registers<R>(r);
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

  static constexpr std::int64_t with_index(std::int64_t high, int index) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(high) << 32) | index;
  }
  static constexpr std::int64_t last = static_cast<std::int64_t>(~std::uint64_t{0} >> 1);

  template <bool Vector>
  static constexpr void sort_all(std::int64_t* room) {
#if EXPRAX_SIMD
    if constexpr (Vector && k.lanes > 1) {
      using network = sort_network<std::int64_t, k.lanes>;
      for (int i = n; i < padded; ++i) room[i] = last;
      if constexpr (in_registers)
        network::template in_registers<k.registers>(room,
                                                    [](auto* r) EXPRAX_LAMBDA_INLINE { network::template sort_registers<k.registers>(r); });
      else network::template sort<k.registers>(room, padded);
      return;
    }
#endif
    sort_by_merging(room, room + padded, n);
  }
  template <bool Vector>
  EXPRAX_INLINE static constexpr void order_row(T const* x, std::int32_t* out, std::int64_t* room) {
    if constexpr (has_halves) {
      std::int64_t* const first = room + 2 * padded;  // the order by the lower halves
      for (int i = 0; i < n; ++i)
        room[i] = with_index(static_cast<std::int32_t>(static_cast<std::uint32_t>(key_of(x[i])) ^ 0x80000000u), i);
      sort_all<Vector>(room);
      for (int i = 0; i < n; ++i) {
        first[i] = static_cast<std::int32_t>(room[i]);
        room[i] = with_index(key_of(x[first[i]]) >> 32, i);
      }
      sort_all<Vector>(room);
      for (int i = 0; i < k.count; ++i) out[i] = static_cast<std::int32_t>(first[static_cast<std::int32_t>(room[i])]);
    } else {
      int i = 0;
#if EXPRAX_SIMD
      constexpr int L = k.key_lanes;
      if constexpr (Vector && in_packs && L > 1)
        for (; i + L <= n; i += L) {
          auto const high = convert<std::int64_t>(keys::template keys_of<true, L>(simd::load<T, L>(x + i)));
          simd::store((high << 32) | (simd::iota<std::int64_t, L>() + simd::pack<std::int64_t, L>(i)), room + i);
        }
#endif
      for (; i < n; ++i) room[i] = with_index(key_of(x[i]), i);
      sort_all<Vector>(room);
      for (i = 0; i < k.count; ++i) out[i] = static_cast<std::int32_t>(room[i]);
    }
  }
};

template <class Plan, int K, bool Vector, class Env>
EXPRAX_INLINE constexpr void run_ordering(Env const& env) {
  ordering_code<Plan, K>::template go<Vector>(env);
}

}  // namespace exprax::detail
