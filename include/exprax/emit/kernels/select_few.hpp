// SPDX-License-Identifier: BSL-1.0
// The first few of the many elements of a row, for order_rows. The least keys of the lanes of packs, sorted, give a bound that only a few
// elements of the beginning of the row keep. These are inserted into a pack of the first ones, all lanes of which move at once. The rest
// of the row is compared with the last one of them, 64 elements at a time.
#pragma once

#include <bit>

#include <exprax/emit/kernels/sort_keys.hpp>
#include <exprax/emit/kernels/sort_network.hpp>

namespace exprax::detail {

template <class Plan, int K>
struct few_of_row : ordering_keys<Plan, K> {
  using keys = ordering_keys<Plan, K>;
  using keys::k, keys::largest, keys::key_of;
  using typename keys::T, typename keys::key;
  static constexpr int n = k.n, count = k.count;

  template <bool Vector>
  static constexpr void select_row(T const* x, std::int32_t* out) {
#if EXPRAX_SIMD
    if constexpr (Vector && L > 1)
      if (select_in_packs(x, out)) return;
#endif
    key best[count] = {};
    int index[count] = {};
    for (int i = 0; i < count; ++i) insert(best, index, key_of(x[i]), i, i);
    for (int i = count; i < n; ++i)
      if (key const candidate = key_of(x[i]); candidate < best[count - 1]) insert(best, index, candidate, i, count - 1);
    for (int j = 0; j < count; ++j) out[j] = index[j];
  }

 private:
  static constexpr int L = k.key_lanes;

  // Inserts after the keys that are not greater; there are `end` keys.
  EXPRAX_INLINE static constexpr void insert(key* best, int* index, key x, int i, int end) {
    int at = end;
    for (; at > 0 && x < best[at - 1]; --at) {
      best[at] = best[at - 1];
      index[at] = index[at - 1];
    }
    best[at] = x;
    index[at] = i;
  }

#if EXPRAX_SIMD
  using V = simd::pack<key, L>;
  // The elements that have a bit in a word; the beginning of the row; and packs of least keys, with more than `count` lanes.
  static constexpr int word = 64, start = n < 32 * word ? n : 32 * word;
  static constexpr int registers = [] {
    int r = 1;
    while (r < 8 && r * L < 2 * count && 2 * r * L <= n) r *= 2;
    return r;
  }();

  struct first_ones {
    static constexpr int lanes = static_cast<int>(std::bit_ceil(static_cast<unsigned>(count < 4 ? 4 : count)));
    using W = simd::pack<key, lanes>;
    W keys = W(largest), at = W(key(0));

    // The lanes one further up, `first` in lane 0.
    EXPRAX_INLINE static W moved(W v, W first) {
      return [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
        return simd::permute<(I == 0 ? lanes : I - 1)...>(v, first);
      }(std::make_integer_sequence<int, lanes>{});
    }
    // After the keys that are not greater.
    EXPRAX_INLINE void insert(key x, int i) {
      W const added(x), before = moved(keys, W(static_cast<key>(~largest))), before_at = moved(at, at);
      auto const later = added < keys;
      at = select(later, select(added < before, before_at, W(static_cast<key>(i))), at);
      if constexpr (sort_network<key, L>::by_comparison) keys = select(later, select(added < before, before, added), keys);
      else keys = minimum(keys, maximum(before, added));
    }
    EXPRAX_INLINE key last() const {
      key all[lanes];
      simd::store(keys, all);
      return all[count - 1];
    }
  };

  EXPRAX_INLINE static V load_keys(T const* x) { return keys::template keys_of<true, L>(simd::load<T, L>(x)); }
  // The keys of the end of a row: of its last L elements, the first ones, which are in other packs, as the largest key.
  EXPRAX_INLINE static V last_keys(T const* x) {
    return select(simd::first_lanes<key, L>(L - n % L), V(largest), load_keys(x + n - L));
  }
  static constexpr int packs = word / L;
  // Of the first `start` elements; and the least keys of each whole word of these.
  EXPRAX_INLINE static key bound(T const* x, V* of_words) {
    V least[registers];
    for (V& v : least) v = V(largest);
    int i = 0;
    for (; i + word <= start; i += word) {
      V of_word[registers];
      unrolled<packs>([&](auto j) EXPRAX_LAMBDA_INLINE {
        constexpr int r = j.value % registers;
        V const v = load_keys(x + i + j.value * L);
        if constexpr (j.value < registers) of_word[r] = v;
        else of_word[r] = lesser(of_word[r], v);
      });
      unrolled<registers>([&](auto r) EXPRAX_LAMBDA_INLINE { least[r.value] = lesser(least[r.value], of_word[r.value]); });
      of_words[i / word] = least_of(of_word);
    }
    constexpr int left = start % word / L;
    unrolled<left>([&](auto j) EXPRAX_LAMBDA_INLINE {
      V& v = least[j.value % registers];
      v = lesser(v, load_keys(x + i + j.value * L));
    });
    if constexpr (start == n && n % L > 0) least[left % registers] = lesser(least[left % registers], last_keys(x));
    if constexpr (count == 1) return least_lane<L>(least_of(least));
    sort_network<key, L>::template sort_registers<registers>(least);
    key all[L];
    simd::store(least[(count - 1) / L], all);
    return all[(count - 1) % L];
  }
  template <int N>
  EXPRAX_INLINE static V least_of(V const (&v)[N]) {
    V r = v[0];
    unrolled<N - 1>([&](auto i) EXPRAX_LAMBDA_INLINE { r = lesser(r, v[i.value + 1]); });
    return r;
  }
  template <int N>
  EXPRAX_INLINE static key least_lane(simd::pack<key, N> v) {
    if constexpr (N <= 4) {
      key all[N];
      simd::store(v, all);
      key r = all[0];
      for (key x : all) r = x < r ? x : r;
      return r;
    } else {
      return least_lane<N / 2>(lesser(half_of<0>(v), half_of<1>(v)));
    }
  }
  template <class P>
  EXPRAX_INLINE static P lesser(P a, P b) {
    if constexpr (sort_network<key, L>::by_comparison) return select(b < a, b, a);
    else return minimum(a, b);
  }
  // A bit for each of the elements from i on, `many` of them, that may be first.
  template <int Many, bool Equal>
  EXPRAX_INLINE static std::uint64_t bits(T const* x, int i, V most) {
    std::uint64_t r = 0;
    auto const add = [&](V v, int at) EXPRAX_LAMBDA_INLINE {
      if constexpr (Equal) r |= bits_of(v <= most) << at;
      else r |= bits_of(v < most) << at;
    };
    unrolled<Many / L>([&](auto j) EXPRAX_LAMBDA_INLINE { add(load_keys(x + i + j.value * L), j.value * L); });
    if constexpr (Many % L > 0) {
      std::uint64_t const before = r;
      r = 0;
      add(load_keys(x + n - L), 0);
      r = (r >> (L - Many % L) << (Many - Many % L)) | before;
    }
    return r;
  }
  EXPRAX_INLINE static void add(first_ones& first, T const* x, int i, std::uint64_t found) {
    for (; found != 0; found &= found - 1) {
      int const at = i + std::countr_zero(found);
      first.insert(key_of(x[at]), at);
    }
  }
  // False if fewer than `count` keys are less than the largest one: equal ones of these are not told from none.
  static bool select_in_packs(T const* x, std::int32_t* out) {
    first_ones first;
    V of_words[start / word + 1];
    V most(bound(x, of_words));
    int i = 0;
    for (; i + word <= start; i += word)
      if (start < 2 * word || any(of_words[i / word] <= most)) add(first, x, i, bits<word, true>(x, i, most));
    if constexpr (start == n && n % word > 0) {
      add(first, x, i, bits<n % word, true>(x, i, most));
    } else if constexpr (start < n) {
      most = V(first.last());
      auto const more = [&](std::uint64_t found) EXPRAX_LAMBDA_INLINE {
        add(first, x, i, found);
        most = V(first.last());
      };
      for (; i + word <= n; i += word) {
        V least = load_keys(x + i);
        unrolled<packs - 1>([&](auto j) EXPRAX_LAMBDA_INLINE { least = lesser(least, load_keys(x + i + (j.value + 1) * L)); });
        if (any(least < most)) more(bits<word, false>(x, i, most));
      }
      if constexpr (n % word > 0) more(bits<n % word, false>(x, i, most));
    }
    if (first.last() == largest) return false;
    if constexpr (sizeof(key) == 4) {
      simd::store_partial(first.at, out, count);
    } else {
      key all[first_ones::lanes];
      simd::store(first.at, all);
      for (int j = 0; j < count; ++j) out[j] = static_cast<std::int32_t>(all[j]);
    }
    return true;
  }
#endif
};

}  // namespace exprax::detail
