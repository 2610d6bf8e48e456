// SPDX-License-Identifier: BSL-1.0
// The first elements of many short rows, for order_rows: rows are transposed, so that each lane of a pack walks its own row, and an element
// is inserted into the sorted elements of all lanes at once.
#pragma once

#include <exprax/emit/kernels/sort_keys.hpp>
#include <exprax/emit/kernels/sort_network.hpp>
#include <exprax/emit/kernels/tile.hpp>

namespace exprax::detail {

#if EXPRAX_SIMD
template <class Plan, int K>
struct first_of_rows : ordering_keys<Plan, K> {
  using keys = ordering_keys<Plan, K>;
  using keys::k;
  using typename keys::T, typename keys::key;
  static constexpr int n = k.n, count = k.count, L = k.row_lanes;
  using V = simd::pack<key, L>;

  // The last rows are read again where they do not fill a pack.
  static void run(T const* x, std::int32_t* out) {
    for (int row = 0; row < k.rows; row += L) {
      int const first = row + L <= k.rows ? row : k.rows - L;
      run_rows(x + static_cast<std::ptrdiff_t>(first) * n, out + static_cast<std::ptrdiff_t>(first) * count);
    }
  }

 private:
  // Rows and columns that are transposed together; without, columns are loaded with a stride.
  static constexpr int block = [] {
    if (!keys::in_packs) return 0;
    if (sizeof(key) == 4 && L >= 8 && n >= 8) return 8;
    return n >= 4 && (L == 4 || (L == 8 && sizeof(key) == 8)) ? 4 : 0;
  }();
  static constexpr int blocks = block > 0 ? L / block : 0;

  // Sorted in each lane, with their columns.
  struct sorted_lanes {
    V keys[count], at[count];

    // After the keys that are not greater; Held: how many there are.
    template <int Held>
    EXPRAX_INLINE void insert(V added, int column) {
      decltype(added < added) later[Held + 1];
      unrolled<Held>([&](auto j) EXPRAX_LAMBDA_INLINE { later[j.value] = added < keys[j.value]; });
      V const index(static_cast<key>(column));
      constexpr int last = Held < count ? Held : count - 1;
      unrolled<last + 1>([&](auto i) EXPRAX_LAMBDA_INLINE {
        constexpr int j = last - i.value;
        V next = index, next_key = added;
        if constexpr (j > 0) {
          next = select(later[j - 1], at[j - 1], index);
          next_key = greater(keys[j - 1], added, later[j - 1]);
        }
        at[j] = j < Held ? select(later[j], next, at[j]) : next;
        if constexpr (j == Held) keys[j] = next_key;
        else if constexpr (by_comparison) keys[j] = select(later[j], next_key, keys[j]);
        else keys[j] = minimum(keys[j], next_key);
      });
    }

   private:
    static constexpr bool by_comparison = sort_network<key, L>::by_comparison;
    EXPRAX_INLINE static V greater(V held, V added, decltype(added < added) later) {
      if constexpr (by_comparison) return select(later, held, added);
      else return maximum(held, added);
    }
  };

  // The columns of a block from column x on, but for the first ones.
  template <int First, int Held>
  EXPRAX_INLINE static void insert_block(sorted_lanes& lanes, T const* p, int x) {
    block_rows<T, block> parts[blocks];
    for (int i = 0; i < blocks; ++i) parts[i] = transposed_block<T, block>(p + x + i * block * n, n);
    unrolled<block - First>([&](auto i) EXPRAX_LAMBDA_INLINE {
      constexpr int y = First + i.value, held = Held + i.value < count ? Held + i.value : count;
      auto const insert = [&](auto const& lane) EXPRAX_LAMBDA_INLINE {
        lanes.template insert<held>(keys::template keys_of<true, L>(to_pack<T, L>(lane)), x + y);
      };
      if constexpr (blocks == 1) insert(parts[0].of[y]);
      else insert(beside<T, block>(parts[0].of[y], parts[1].of[y]));
    });
  }
  // Column x of all rows, as keys.
  EXPRAX_INLINE static V column(T const* p, int x) {
    if constexpr (keys::in_packs) {
      return keys::template keys_of<true, L>(load_lanes<T, L, n, L>(p + x));
    } else {
      return [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
        return to_pack<key, L>(raw<key, L>{keys::key_of(p[x + I * n])...});
      }(std::make_integer_sequence<int, L>{});
    }
  }
  EXPRAX_INLINE static void run_rows(T const* p, std::int32_t* out) {
    sorted_lanes lanes;
    if constexpr (block == 0) {
      unrolled<count>([&](auto j) EXPRAX_LAMBDA_INLINE { lanes.template insert<j.value>(column(p, j.value), j.value); });
      for (int x = count; x < n; ++x) lanes.template insert<count>(column(p, x), x);
    } else {
      constexpr int whole = n / block, filling = (count + block - 1) / block < whole ? (count + block - 1) / block : whole;
      unrolled<filling>([&](auto j) EXPRAX_LAMBDA_INLINE { insert_block<0, j.value * block>(lanes, p, j.value * block); });
      for (int x = filling * block; x + block <= n; x += block) insert_block<0, count>(lanes, p, x);
      if constexpr (n % block > 0) insert_block<block - n % block, whole * block>(lanes, p, n - block);
    }
    alignas(64) key all[count][L];
    for (int j = 0; j < count; ++j) simd::store(lanes.at[j], all[j]);
    for (int i = 0; i < L; ++i)
      for (int j = 0; j < count; ++j) out[i * count + j] = static_cast<std::int32_t>(all[j][i]);
  }
};
#endif

}  // namespace exprax::detail
