// SPDX-License-Identifier: BSL-1.0
// Small products in sequential order: the whole result stays in registers. A pack has one row or several, and what lies behind them in
// memory, which is written again by the row that stands there.
#pragma once

#include <exprax/emit/kernels/products/contraction.hpp>

namespace exprax::detail {

template <class C, int L>
struct dot_matrix {
  using T = typename C::type;
  using V = simd::pack<T, L>;
  static constexpr contract_walks const& w = C::walks;
  static constexpr int n = static_cast<int>(w.dims[C::tiles.column]), rows = static_cast<int>(C::rows), sum = static_cast<int>(w.k_size);
  static constexpr int rows_in_pack = C::tiles.rows[0], packs = (rows + rows_in_pack - 1) / rows_in_pack;
  static constexpr bool fills_packs = rows_in_pack * n == L;  // no lane is left over
  static constexpr std::ptrdiff_t s_row = C::row_of_operand, s_k = (C::tiles.from_lhs ? w.rhs : w.lhs)[w.out_rank];

  // Element k of each row of s, in the lanes of that row in each pack.
  struct factors {
    V of[sum][packs];
  };
  // Whether all products of a batch have the same rows, which are few enough to stay in registers.
  static constexpr bool keeps_factors = [] {
    for (int axis = 0; axis < w.out_rank; ++axis)
      if (axis != C::tiles.column && axis != C::tiles.row && (C::tiles.from_lhs ? w.rhs : w.lhs)[axis] != 0) return false;
    return w.out_rank > 2 && rows_in_pack > 1 && sum * packs <= this_target.registers / 2;
  }();

  // v: the operand with the columns; s: the one with the rows, or its factors.
  template <class Rows>
  EXPRAX_INLINE static void run(T const* v, Rows const& s, T* out) {
    V sums[packs];
    if constexpr (rows_in_pack == 1) sum_rows(v, s, sums, std::make_integer_sequence<int, rows>{});
    else if constexpr (std::is_same_v<Rows, factors>) sum_packs(v, s, sums, std::make_integer_sequence<int, packs>{});
    else sum_packs(v, factors_of(s), sums, std::make_integer_sequence<int, packs>{});
    [&]<int... P>(std::integer_sequence<int, P...>) EXPRAX_LAMBDA_INLINE {
      (store<P>(sums[P], out), ...);
    }(std::make_integer_sequence<int, packs>{});
  }
  EXPRAX_INLINE static factors factors_of(T const* s) {
    factors made;
    if constexpr (fills_packs) {
      constexpr int of_s = rows * sum / L;
      V in[of_s];
      [&]<int... Q>(std::integer_sequence<int, Q...>) EXPRAX_LAMBDA_INLINE {
        ((in[Q] = simd::load<T, L>(s + Q * L)), ...);
      }(std::make_integer_sequence<int, of_s>{});
      [&]<int... K>(std::integer_sequence<int, K...>) EXPRAX_LAMBDA_INLINE {
        (permute_wide<places<K>>(in, made.of[K], V(T(0))), ...);
      }(std::make_integer_sequence<int, sum>{});
    } else {
      [&]<int... P>(std::integer_sequence<int, P...>) EXPRAX_LAMBDA_INLINE {
        (factors_of_pack<P>(s, made, std::make_integer_sequence<int, sum>{}), ...);
      }(std::make_integer_sequence<int, packs>{});
    }
    return made;
  }

 private:
  template <int P>
  EXPRAX_INLINE static void store(V x, T* out) {
    constexpr int first = P * rows_in_pack * n, rest = rows * n - first;
    if constexpr (rest >= L) simd::store(x, out + first);
    else store_first<(rest < rows_in_pack * n ? rest : rows_in_pack * n)>(x, out + first);
  }
  // Where a pack with the element at place At of `size` is loaded: nothing behind them is read.
  template <int At, int Size>
  static constexpr int start = At + L <= Size ? At : Size - L;
  // Row K of v, at place 0 of the pack.
  template <int K, int... I>
  EXPRAX_INLINE static V row(T const* v, std::integer_sequence<int, I...>) {
    constexpr int first = start<K * n, sum * n>, before = K * n - first;
    V const in = simd::load<T, L>(v + first);
    if constexpr (before == 0) return in;
    else return permute<(I + before < L ? I + before : -1)...>(in);
  }
  template <int... I>
  EXPRAX_INLINE static void sum_rows(T const* v, T const* s, V* sums, std::integer_sequence<int, I...>) {
    [&]<int... K>(std::integer_sequence<int, K...>) EXPRAX_LAMBDA_INLINE {
      (add<K, I...>(simd::held(row<K>(v, std::make_integer_sequence<int, L>{})), s + K * s_k, sums), ...);
    }(std::make_integer_sequence<int, sum>{});
  }
  template <int K, int... I>
  EXPRAX_INLINE static void add(V row, T const* s, V* sums) {
    if constexpr (K == 0) ((sums[I] = product<T, L>(V(s[I * s_row]), row)), ...);
    else ((sums[I] = multiply_add<T, L>(V(s[I * s_row]), row, sums[I])), ...);
  }

  template <int K>
  struct places {
    struct table {
      int of[rows * n];
      constexpr int operator[](int i) const { return of[i]; }
    };
    static constexpr table at = [] {
      table t{};
      for (int i = 0; i < rows * n; ++i) t.of[i] = static_cast<int>(i / n * s_row + K * s_k);
      return t;
    }();
  };
  // Lane i of a pack that is not filled has place i % n of its row i / n, or any.
  template <int P, int... K>
  EXPRAX_INLINE static void factors_of_pack(T const* s, factors& made, std::integer_sequence<int, K...>) {
    constexpr int wanted = P * rows_in_pack * sum, first = start<wanted, rows * sum>;
    V const in = simd::load<T, L>(s + first);
    ((made.of[K][P] = factor<wanted - first + K>(in, std::make_integer_sequence<int, L>{})), ...);
  }
  template <int At, int... I>
  EXPRAX_INLINE static V factor(V in, std::integer_sequence<int, I...>) {
    return permute<(At + I / n * sum < L ? At + I / n * sum : -1)...>(in);
  }
  // Row K of v in all rows of a pack.
  template <int K, int... I>
  EXPRAX_INLINE static V repeated_row(T const* v, std::integer_sequence<int, I...>) {
    if constexpr (fills_packs) {
      return simd::load_repeated<T, L, n>(v + K * n);
    } else {
      constexpr int first = start<K * n, sum * n>;
      return permute<(K * n - first + I % n)...>(simd::load<T, L>(v + first));
    }
  }
  template <int... P>
  EXPRAX_INLINE static void sum_packs(T const* v, factors const& by, V* sums, std::integer_sequence<int, P...>) {
    [&]<int... K>(std::integer_sequence<int, K...>) EXPRAX_LAMBDA_INLINE {
      (add_packs<K, P...>(repeated_row<K>(v, std::make_integer_sequence<int, L>{}), by.of[K], sums), ...);
    }(std::make_integer_sequence<int, sum>{});
  }
  template <int K, int... P>
  EXPRAX_INLINE static void add_packs(V row, V const* by, V* sums) {
    if constexpr (K == 0) ((sums[P] = product<T, L>(by[P], row)), ...);
    else ((sums[P] = multiply_add<T, L>(by[P], row, sums[P])), ...);
  }
};

// In constant evaluation, element by element.
template <class C, class F>
EXPRAX_INLINE constexpr void store_after_all_reads(typename C::type* out, F const& element) {
  typename C::type made[C::walks.out_size] = {};
  std::ptrdiff_t i = 0;
  for_tiles<C, 0>(
      0, 0, 0, [&](std::ptrdiff_t l, std::ptrdiff_t r, std::ptrdiff_t) EXPRAX_LAMBDA_INLINE { made[i++] = element(l, r); }, false);
  i = 0;
  for_tiles<C, 0>(
      0, 0, 0, [&](std::ptrdiff_t, std::ptrdiff_t, std::ptrdiff_t o) EXPRAX_LAMBDA_INLINE { out[o] = made[i++]; }, false);
}

}  // namespace exprax::detail
