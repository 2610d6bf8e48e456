// SPDX-License-Identifier: BSL-1.0
// dot_general and convolutions: out[i] = sum over k of lhs(i, k) * rhs(i, k). Packs run along the last axis of the result; a tile of rows
// and packs of columns stays in registers during the loop over k.
#pragma once

#include <exprax/emit/kernels/dot_half_matrix.hpp>
#include <exprax/emit/kernels/dot_matrix.hpp>
#include <exprax/emit/kernels/dot_rows.hpp>
#include <exprax/emit/kernels/dot_strip.hpp>
#include <exprax/emit/kernels/run_groups.hpp>

namespace exprax::detail {

// The sum of the accumulators First, First + Step, ... of few terms, each of which is an accumulator; by scalar operations.
template <class C, int First, int Step, class Lhs, class Rhs>
EXPRAX_INLINE constexpr simd::lane<typename C::type> sum_of_few(Lhs l, Rhs r) {
  using T = typename C::type;
  constexpr int axis = C::walks.out_rank;
  if constexpr (Step == dot_accumulators)
    return product<T, 1>(simd::lane<T>(l[First * C::walks.lhs[axis]]), simd::lane<T>(r[First * C::walks.rhs[axis]]));
  else if constexpr (First + Step >= C::walks.k_size) return sum_of_few<C, First, 2 * Step>(l, r);
  else return plus<T, 1>(sum_of_few<C, First, 2 * Step>(l, r), sum_of_few<C, First + Step, 2 * Step>(l, r));
}
// One element of the result, by scalar operations.
template <class C, class Lhs, class Rhs>
EXPRAX_INLINE constexpr typename C::type contract_element(Lhs l, Rhs r) {
  using T = typename C::type;
  using V = simd::lane<T>;
  constexpr int few = 8;
  if constexpr (C::blocked && C::walks.k_rank == 1 && C::walks.k_size > 0 && C::walks.k_size <= few) {
    return plus<T, 1>(sum_of_few<C, 0, 1>(l, r), V(T(0))).value;  // accumulators that no product reaches are +0
  } else if constexpr (C::blocked) {
    V sums[dot_accumulators];
    for (V& s : sums) s = V(T(0));
    int k = 0;
    for_contracting<C, 0>(0, 0, [&](std::ptrdiff_t i, std::ptrdiff_t j) EXPRAX_LAMBDA_INLINE {
      sums[k] = multiply_add<T, 1>(V(l[i]), V(r[j]), sums[k]);
      k = (k + 1) % dot_accumulators;
    });
    fold_accumulators<V, dot_accumulators>(sums);
    return sums[0].value;
  } else {
    V sum = product<T, 1>(V(l[0]), V(r[0]));
    for_contracting_but_first<C, 0>(
        0, 0, [&](std::ptrdiff_t i, std::ptrdiff_t j) EXPRAX_LAMBDA_INLINE { sum = multiply_add<T, 1>(V(l[i]), V(r[j]), sum); });
    return sum.value;
  }
}

// Rows x Packs of the result in sequential order. v: the operand that packs are loaded from; s: the one that is broadcast. The last pack
// overlaps so many columns of the one before it.
template <class C, int L, int Rows, int Packs, int Overlap>
EXPRAX_INLINE constexpr void contract_tile_in_sequence(typename C::type const* v, typename C::type const* s, typename C::type* out) {
  using T = typename C::type;
  using V = simd::pack<T, L>;
  constexpr bool swapped = C::tiles.from_lhs;
  constexpr std::ptrdiff_t s_row = C::row_of_operand, out_row = C::row_of_out;
  [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
    V sums[Rows * Packs];
    V column[Packs];
    constexpr auto at = [](int pack) { return pack * L - (pack + 1 == Packs ? Overlap : 0); };
    auto load_columns = [&](T const* from) EXPRAX_LAMBDA_INLINE {
      [&]<int... P>(std::integer_sequence<int, P...>) EXPRAX_LAMBDA_INLINE {
        ((column[P] = load_lanes<T, L, 1, L>(from + at(P))), ...);
      }(std::make_integer_sequence<int, Packs>{});
    };
    load_columns(v);
    ((sums[I] = product<T, L>(V(s[(I / Packs) * s_row]), column[I % Packs])), ...);
    for_contracting_but_first<C, 0>(0, 0, [&](std::ptrdiff_t l, std::ptrdiff_t q) EXPRAX_LAMBDA_INLINE {
      load_columns(v + (swapped ? l : q));
      T const* const from = s + (swapped ? q : l);
      ((sums[I] = multiply_add<T, L>(V(from[(I / Packs) * s_row]), column[I % Packs], sums[I])), ...);
    });
    (store_lanes<T, L, 1>(sums[I], out + (I / Packs) * out_row + at(I % Packs)), ...);
  }(std::make_integer_sequence<int, Rows * Packs>{});
}

// The same in blocked order: one pack, whose accumulators are in memory.
template <class C, int L>
EXPRAX_INLINE constexpr void contract_pack_of_blocks(typename C::type const* v, typename C::type const* s, typename C::type* out) {
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
  store_lanes<T, L, 1>(sums[0], out);
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
  static constexpr std::ptrdiff_t v_k = C::tiles.from_lhs ? C::walks.lhs[axis] : C::walks.rhs[axis];
  static constexpr std::ptrdiff_t s_k = C::tiles.from_lhs ? C::walks.rhs[axis] : C::walks.lhs[axis];
  static constexpr int groups = n < dot_accumulators ? 1 : dot_accumulators / contract_tiles::leaves;

  EXPRAX_INLINE static constexpr void run(T const* v, T const* s, T* out) {
    sums of_group[groups];
    for (int g = 0; g < groups; ++g) of_group[g] = node<0, groups>(v + g * v_k, s + g * s_k, n - g);
    sums const made = fold<0, 1>(of_group);
    [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      (store_lanes<T, L, 1>(with_missing(made.of[I]), out + (I / Packs) * C::row_of_out + (I % Packs) * L), ...);
    }(std::make_integer_sequence<int, Rows * Packs>{});
  }

 private:
  // Accumulators that no product reaches are +0. They change nothing but a sum of -0.
  EXPRAX_INLINE static constexpr V with_missing(V sum) {
    if constexpr (n < dot_accumulators && std::is_floating_point_v<T>) return plus<T, L>(sum, V(T(0)));
    else return sum;
  }
  EXPRAX_INLINE static constexpr sums add(sums const& a, sums const& b) {
    return [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      return sums{{plus<T, L>(a.of[I], b.of[I])...}};
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
      sums r{};
      if constexpr (n < dot_accumulators) {
        V const column[] = {load_lanes<T, L, 1, L>(v + P * L)...};
        ((r.of[I] = simd::held(product<T, L>(V(s[I / Packs * s_row]), column[I % Packs]))), ...);
      } else {
        auto const add_products = [&](std::ptrdiff_t k) EXPRAX_LAMBDA_INLINE {
          V const column[] = {simd::held(load_lanes<T, L, 1, L>(v + k * v_k + P * L))...};
          ((r.of[I] = multiply_add<T, L>(V(s[k * s_k + I / Packs * s_row]), column[I % Packs], r.of[I])), ...);
        };
        constexpr std::ptrdiff_t whole = n / dot_accumulators * dot_accumulators;
        ((r.of[I] = V(T(0))), ...);
        for (std::ptrdiff_t k = 0; k < whole; k += dot_accumulators) add_products(k);
        if constexpr (n > whole)
          if (left > whole) add_products(whole);
      }
      return r;
    }(std::make_integer_sequence<int, Rows * Packs>{}, std::make_integer_sequence<int, Packs>{});
  }
};

template <class C, int L, int Rows, int Packs, int Overlap>
EXPRAX_INLINE constexpr void contract_tile(typename C::type const* v, typename C::type const* s, typename C::type* out) {
  if constexpr (!C::blocked) contract_tile_in_sequence<C, L, Rows, Packs, Overlap>(v, s, out);
  else if constexpr (C::walks.k_rank == 1) tile_of_blocks<C, L, Rows, Packs>::run(v, s, out);
  else {
    static_assert(Rows == 1 && Packs == 1);
    contract_pack_of_blocks<C, L>(v, s, out);
  }
}

// From `first` to about `end` of the rows: threads begin and end at tiles, the last one with the last row.
template <class C, int L, int Packs, int Overlap = 0>
EXPRAX_INLINE constexpr void contract_column_block(typename C::type const* v, typename C::type const* s, typename C::type* out,
                                                   std::ptrdiff_t first, std::ptrdiff_t end) {
  constexpr std::ptrdiff_t n = C::rows, s_row = C::row_of_operand, out_row = C::row_of_out;
  constexpr int most = C::tiles.rows[Packs - 1], rows = n < most ? static_cast<int>(n) : most;
  std::ptrdiff_t i = first / rows * rows;
  std::ptrdiff_t const stop = end / rows * rows;
  for (; i < stop; i += rows) contract_tile<C, L, rows, Packs, Overlap>(v, s + i * s_row, out + i * out_row);
  if constexpr (n % rows != 0)
    if (end == n) contract_tile<C, L, static_cast<int>(n % rows), Packs, Overlap>(v, s + i * s_row, out + i * out_row);
}

// All columns: tiles with the most packs, then the rest; the last pack may overlap the one before. Parallel: threads share rows, or, of a
// vector times a matrix, columns.
template <class C, int L, bool Parallel>
EXPRAX_INLINE constexpr void contract_columns(typename C::type const* v, typename C::type const* s, typename C::type* out) {
  constexpr std::ptrdiff_t n = C::walks.dims[C::tiles.column];
  if constexpr (n < L) {
    contract_columns<C, L / 2, Parallel>(v, s, out);
  } else if constexpr (C::tiles.strip > 0 && C::tiles.in_registers) {
    dot_strip<C, L>::run_in_registers(v, s, out);
  } else if constexpr (C::tiles.strip > 0) {
    dot_strip<C, L>::template run_strips<Parallel>(v, s, out);
  } else {
    for_parts<Parallel>(C::rows, [&](std::ptrdiff_t first, std::ptrdiff_t end) EXPRAX_LAMBDA_INLINE {
      constexpr int all = static_cast<int>(n / L);
      constexpr int packs = all < C::tiles.packs ? all : C::tiles.packs;
      if constexpr (!C::blocked && n % L != 0 && all < C::tiles.packs)
        return contract_column_block<C, L, all + 1, static_cast<int>(L - n % L)>(v, s, out, first, end);
      std::ptrdiff_t j = 0;
      for (; j + packs * L <= n; j += packs * L) contract_column_block<C, L, packs>(v + j, s, out + j, first, end);
      constexpr std::ptrdiff_t rest = n % (packs * L);
      if constexpr (rest > 0) {
        constexpr int last = static_cast<int>((rest + L - 1) / L);
        contract_column_block<C, L, last>(v + (n - last * L), s, out + (n - last * L), first, end);
      }
    });
  }
}

// Of one batch.
template <class C, bool Parallel>
EXPRAX_INLINE constexpr void contract_batch(typename C::type const* lhs, typename C::type const* rhs, typename C::type* out) {
  if constexpr (C::tiles.method == contract_method::dots) {
    constexpr std::ptrdiff_t at_once = C::tiles.rows[0], groups = C::rows < at_once ? 1 : C::rows / at_once;
    for_parts<Parallel>(groups, [&](std::ptrdiff_t first, std::ptrdiff_t end) EXPRAX_LAMBDA_INLINE {
      dot_rows<C, C::tiles.lanes>::template run<at_once>(lhs, rhs, out, first * at_once, end == groups ? C::rows : end * at_once);
    });
  } else if constexpr (C::tiles.method == contract_method::matrix) {
    dot_matrix<C, C::tiles.lanes>::run(C::tiles.from_lhs ? lhs : rhs, C::tiles.from_lhs ? rhs : lhs, out);
  } else if constexpr (C::tiles.from_lhs) {
    contract_columns<C, C::tiles.lanes, Parallel>(lhs, rhs, out);
  } else {
    contract_columns<C, C::tiles.lanes, Parallel>(rhs, lhs, out);
  }
}

template <class Plan, int K, bool Vector, bool Parallel, class Env>
EXPRAX_INLINE constexpr void run_equal_types(Env const& env) {
  using C = contraction<Plan, K>;
  using T = typename C::type;
  constexpr contract_walks const& s = C::walks;
  if constexpr (s.out_size == 0) return;
  T const* const lhs = env.template buffer<Plan::storage.contracts[K].lhs_buffer>() + Plan::storage.contracts[K].lhs_base;
  T const* const rhs = env.template buffer<Plan::storage.contracts[K].rhs_buffer>() + Plan::storage.contracts[K].rhs_base;
  T* const out = env.template buffer<Plan::storage.contracts[K].out_buffer>();
  constexpr contract_method method = Vector ? C::tiles.method : contract_method::elements;
  if constexpr (s.k_size == 0) {
    for_tiles<C, 0>(0, 0, 0, [&](std::ptrdiff_t, std::ptrdiff_t, std::ptrdiff_t o) EXPRAX_LAMBDA_INLINE { out[o] = T(0); }, false);
  } else if constexpr (method == contract_method::elements && reads_all_before_it_writes(Plan::storage.contracts[K])) {
    store_after_all_reads<C>(
        out, [&](std::ptrdiff_t l, std::ptrdiff_t r) EXPRAX_LAMBDA_INLINE { return contract_element<C>(lhs + l, rhs + r); });
  } else if constexpr (method == contract_method::elements) {
    for_tiles<C, 0>(
        0, 0, 0,
        [&](std::ptrdiff_t l, std::ptrdiff_t r, std::ptrdiff_t o) EXPRAX_LAMBDA_INLINE { out[o] = contract_element<C>(lhs + l, rhs + r); },
        false);
  } else {
    auto const batch = [&](auto parallel, std::ptrdiff_t l, std::ptrdiff_t r, std::ptrdiff_t o) EXPRAX_LAMBDA_INLINE {
      contract_batch<C, decltype(parallel)::value>(lhs + l, rhs + r, out + o);
    };
    constexpr bool first_is_batch = s.out_rank > 0 && C::tiles.column != 0 && !(C::tiles.has_rows && C::tiles.row == 0);
    if constexpr (Parallel && first_is_batch && s.dims[0] >= many_parts) {
      run_parts(s.dims[0], [&](std::ptrdiff_t first, std::ptrdiff_t end) EXPRAX_LAMBDA_INLINE {
        for (std::ptrdiff_t i = first; i < end; ++i)
          for_tiles<C, 1>(
              i * s.lhs[0], i * s.rhs[0], i * s.out[0],
              [&](std::ptrdiff_t l, std::ptrdiff_t r, std::ptrdiff_t o) EXPRAX_LAMBDA_INLINE { batch(std::false_type(), l, r, o); }, true);
      });
    } else {
      for_tiles<C, 0>(
          0, 0, 0,
          [&](std::ptrdiff_t l, std::ptrdiff_t r, std::ptrdiff_t o)
              EXPRAX_LAMBDA_INLINE { batch(std::bool_constant<Parallel>(), l, r, o); },
          true);
    }
  }
}

template <class Plan, int K, bool Vector, bool Parallel, class Env>
EXPRAX_INLINE constexpr void run_contract(Env const& env) {
  constexpr contract_kernel const& k = Plan::storage.contracts[K];
  if constexpr (k.group > 0) return run_groups<Plan, K, Vector, Parallel>(env);
  else if constexpr (k.halves >= 0)
    return run_half_matrix<Plan, K, Vector, Parallel>(
        env, [](auto l, auto r) EXPRAX_LAMBDA_INLINE { return contract_element<contraction<Plan, K>>(l, r); });
  else return run_equal_types<Plan, K, Vector, Parallel>(env);
}

}  // namespace exprax::detail
