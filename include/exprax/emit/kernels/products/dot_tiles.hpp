// SPDX-License-Identifier: BSL-1.0
// Tiles of contractions: rows and packs of columns of the result that stay in registers during the sum.
#pragma once

#include <exprax/emit/kernels/products/contraction.hpp>
#include <exprax/emit/kernels/products/epilogue.hpp>

namespace exprax::detail {

// Rows x Columns of the result in sequential order. v: the operand that packs are loaded from; s: the one that is broadcast. The last pack
// of a row has Last lanes, and may overlap columns of the one before it.
template <class C, int L, int Rows, int Columns, int Last, class Out>
EXPRAX_INLINE constexpr void contract_tile_in_sequence(typename C::type const* v, typename C::type const* s, Out out) {
  using T = typename C::type;
  using V = simd::pack<T, L>;
  using W = simd::pack<T, Last>;
  constexpr bool swapped = C::tiles.from_lhs;
  constexpr std::ptrdiff_t s_row = C::row_of_operand, out_row = C::row_of_out;
  constexpr int whole = (Columns - 1) / L, at_last = Columns - Last;
  constexpr auto for_rows = [](auto const& f) EXPRAX_LAMBDA_INLINE {
    [&]<int... R>(std::integer_sequence<int, R...>) EXPRAX_LAMBDA_INLINE { (f(R), ...); }(std::make_integer_sequence<int, Rows>{});
  };
  [&]<int... P>(std::integer_sequence<int, P...>) EXPRAX_LAMBDA_INLINE {
    V sums[Rows * whole + 1], column[whole + 1];
    W last[Rows], last_column;
    auto const load_columns = [&](T const* from) EXPRAX_LAMBDA_INLINE {
      ((column[P] = load_lanes<T, L, 1, L>(from + P * L)), ...);
      last_column = load_lanes<T, Last, 1, Last>(from + at_last);
    };
    load_columns(v);
    for_rows([&](int r) EXPRAX_LAMBDA_INLINE {
      V const by(s[r * s_row]);
      ((sums[r * whole + P] = product<T, L>(by, column[P])), ...);
      last[r] = product<T, Last>(W(s[r * s_row]), last_column);
    });
    for_contracting_but_first<C, 0>(0, 0, [&](std::ptrdiff_t l, std::ptrdiff_t q) EXPRAX_LAMBDA_INLINE {
      load_columns(v + (swapped ? l : q));
      T const* const from = s + (swapped ? q : l);
      for_rows([&](int r) EXPRAX_LAMBDA_INLINE {
        V const by(from[r * s_row]);
        ((sums[r * whole + P] = multiply_add<T, L>(by, column[P], sums[r * whole + P])), ...);
        last[r] = multiply_add<T, Last>(W(from[r * s_row]), last_column, last[r]);
      });
    });
    for_rows([&](int r) EXPRAX_LAMBDA_INLINE {
      (store_result<T, L>(sums[r * whole + P], out + (r * out_row + P * L)), ...);
      store_result<T, Last>(last[r], out + (r * out_row + at_last));
    });
  }(std::make_integer_sequence<int, whole>{});
}

// The same in blocked order: one pack, whose accumulators are in memory.
template <class C, int L, class Out>
EXPRAX_INLINE constexpr void contract_pack_of_blocks(typename C::type const* v, typename C::type const* s, Out out) {
  using T = typename C::type;
  using V = simd::pack<T, L>;
  constexpr bool swapped = C::tiles.from_lhs;
  V sums[dot_accumulators];
  for (int i = 0; i < dot_accumulators; ++i) sums[i] = V(T(0));
  int k = 0;
  for_contracting<C, 0>(0, 0, [&](std::ptrdiff_t l, std::ptrdiff_t q) EXPRAX_LAMBDA_INLINE {
    std::ptrdiff_t const dv = swapped ? l : q, ds = swapped ? q : l;
    sums[k] = multiply_add<T, L>(V(s[ds]), load_lanes<T, L, 1, L>(v + dv), sums[k]);
    k = (k + 1) % dot_accumulators;
  });
  fold_accumulators<V, dot_accumulators>(sums);
  store_result<T, L>(sums[0], out);
}

// The same for one contracting axis. The tree that folds the accumulators is walked in depth, and each accumulator is made where the tree
// needs it, so that few are alive. Of many terms the walk is a loop over the `groups` subtrees below its first levels: without it compilers
// would load all packs of v before the loop over rows.
template <class C, int L, int Rows, int Packs>
struct tile_of_blocks {
  using T = typename C::type;
  using V = simd::pack<T, L>;
  struct sums {
    V of[Rows * Packs];
  };
  static constexpr int axis = C::walks.out_rank;
  static constexpr std::ptrdiff_t n = C::walks.k_size, s_row = C::row_of_operand;
  // v_k: from an accumulator of v to the next; v_term: from a term of an accumulator to the next.
  static constexpr std::ptrdiff_t v_k = C::panel_width > 0 ? (n + dot_accumulators - 1) / dot_accumulators * C::panel_width
                                        : C::tiles.from_lhs ? C::walks.lhs[axis]
                                                            : C::walks.rhs[axis];
  static constexpr std::ptrdiff_t v_term = C::panel_width > 0 ? C::panel_width : dot_accumulators * v_k;
  static constexpr std::ptrdiff_t s_k = C::tiles.from_lhs ? C::walks.rhs[axis] : C::walks.lhs[axis];
  static constexpr int groups = n < dot_accumulators ? 1 : dot_accumulators / contract_tiles::leaves;

  template <class Out>
  EXPRAX_INLINE static constexpr void run(T const* v, T const* s, Out out) {
    sums const made = all(v, s);
    [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      (store_result<T, L>(with_missing(made.of[I]), out + ((I / Packs) * C::row_of_out + (I % Packs) * L)), ...);
    }(std::make_integer_sequence<int, Rows * Packs>{});
  }
  // Of one row and one pack.
  EXPRAX_INLINE static constexpr V element(T const* v, T const* s) { return with_missing(all(v, s).of[0]); }

 private:
  EXPRAX_INLINE static constexpr sums all(T const* v, T const* s) {
    sums of_group[groups];
    for (int g = 0; g < groups; ++g) of_group[g] = node<0, groups>(v + g * v_k, s + g * s_k, n - g);
    return fold<0, 1>(of_group);
  }
  // Accumulators that no product reaches are +0. They change nothing but a sum of -0.
  EXPRAX_INLINE static constexpr V with_missing(V sum) {
    if constexpr (n < dot_accumulators && std::is_floating_point_v<T>) return plus<T, L>(sum, V(T(0)));
    else return sum;
  }
  EXPRAX_INLINE static constexpr sums add(sums const& a, sums const& b) {
    return [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      return sums{{simd::held(plus<T, L>(a.of[I], b.of[I]))...}};
    }(std::make_integer_sequence<int, Rows * Packs>{});
  }
  template <int First, int Step>
  EXPRAX_INLINE static constexpr sums fold(sums const* of_group) {
    if constexpr (Step == groups) return of_group[First];
    else return add(fold<First, 2 * Step>(of_group), fold<First + Step, 2 * Step>(of_group));
  }
  // The sum of the accumulators First, First + Step, ... left: the terms from v and s on.
  template <int First, int Step>
  EXPRAX_INLINE static constexpr sums node(T const* v, T const* s, std::ptrdiff_t left) {
    if constexpr (Step == dot_accumulators) return accumulator(v + First * v_k, s + First * s_k, left - First);
    else if constexpr (First + Step >= n) return node<First, 2 * Step>(v, s, left);
    else {
      sums const a = node<First, 2 * Step>(v, s, left);
      return add(a, node<First + Step, 2 * Step>(v, s, left));
    }
  }
  // Of few terms each is an accumulator.
  EXPRAX_INLINE static constexpr sums accumulator(T const* v, T const* s, std::ptrdiff_t left) {
    return [&]<int... I, int... P>(std::integer_sequence<int, I...>, std::integer_sequence<int, P...>) EXPRAX_LAMBDA_INLINE {
      if constexpr (n < dot_accumulators) {
        V const column[] = {load_lanes<T, L, 1, L>(v + P * L)...};
        return sums{{product<T, L>(V(s[I / Packs * s_row]), column[I % Packs])...}};
      } else {
        V of[] = {(static_cast<void>(I), V(T(0)))...};
        auto const add_products = [&](std::ptrdiff_t term) EXPRAX_LAMBDA_INLINE {
          V const column[] = {simd::held(load_lanes<T, L, 1, L>(v + term * v_term + P * L))...};
          ((of[I] = multiply_add<T, L>(V(s[term * (dot_accumulators * s_k) + I / Packs * s_row]), column[I % Packs], of[I])), ...);
        };
        constexpr std::ptrdiff_t whole = n / dot_accumulators;
        for (std::ptrdiff_t term = 0; term < whole; ++term) add_products(term);
        if constexpr (n > whole * dot_accumulators)
          if (left > whole * dot_accumulators) add_products(whole);
        return sums{{of[I]...}};
      }
    }(std::make_integer_sequence<int, Rows * Packs>{}, std::make_integer_sequence<int, Packs>{});
  }
};

template <class C, int L, int Rows, int Columns, int Last, class Out>
EXPRAX_INLINE constexpr void contract_tile(typename C::type const* v, typename C::type const* s, Out out) {
  if constexpr (!C::blocked) contract_tile_in_sequence<C, L, Rows, Columns, Last>(v, s, out);
  else if constexpr (C::walks.k_rank == 1) tile_of_blocks<C, L, Rows, Columns / L>::run(v, s, out);
  else {
    static_assert(Rows == 1 && Columns == L);
    contract_pack_of_blocks<C, L>(v, s, out);
  }
}

// Threads share so many parts of the rows.
template <class C>
inline constexpr std::ptrdiff_t parts_of_tiles = (C::rows + C::tiles.rows[0] - 1) / C::tiles.rows[0];
// The rows in tiles of about the same height, of which there are so many.
template <class C, int Packs>
inline constexpr std::ptrdiff_t tiles_of_rows = (C::rows + C::tiles.rows[Packs - 1] - 1) / C::tiles.rows[Packs - 1];

// From `first` to `end` of the parts. Columns of packs of L lanes, the last one of Last.
template <class C, int L, int Columns, int Last = L, class Out>
EXPRAX_INLINE constexpr void contract_column_block(typename C::type const* v, typename C::type const* s, Out out,
                                                   std::ptrdiff_t first, std::ptrdiff_t end) {
  constexpr int packs = (Columns + L - 1) / L;
  constexpr std::ptrdiff_t tiles = tiles_of_rows<C, packs>, higher = C::rows % tiles;
  constexpr int rows = static_cast<int>(C::rows / tiles);
  auto const row = [](std::ptrdiff_t i) EXPRAX_LAMBDA_INLINE { return i * rows + (i < higher ? i : higher); };
  constexpr std::ptrdiff_t parts = parts_of_tiles<C>;
  std::ptrdiff_t i = first * tiles / parts;
  std::ptrdiff_t const stop = end * tiles / parts;
  if constexpr (higher > 0)
    for (; i < stop && i < higher; ++i)
      contract_tile<C, L, rows + 1, Columns, Last>(v, s + row(i) * C::row_of_operand, begin_tile(out + row(i) * C::row_of_out));
  for (; i < stop; ++i)
    contract_tile<C, L, rows, Columns, Last>(v, s + row(i) * C::row_of_operand, begin_tile(out + row(i) * C::row_of_out));
}

}  // namespace exprax::detail
