// SPDX-License-Identifier: BSL-1.0
// dot_general and convolutions: out[i] = sum over k of lhs(i, k) * rhs(i, k). Packs run along the last axis of the result; a tile of rows
// and packs of columns stays in registers during the loop over k.
#pragma once

#include <exprax/emit/kernels/products/dot_block_panels.hpp>
#include <exprax/emit/kernels/products/dot_half_matrix.hpp>
#include <exprax/emit/kernels/products/dot_matrix.hpp>
#include <exprax/emit/kernels/products/dot_panels.hpp>
#include <exprax/emit/kernels/products/dot_rows.hpp>
#include <exprax/emit/kernels/products/dot_strip.hpp>
#include <exprax/emit/kernels/products/dot_tiles.hpp>
#include <exprax/emit/kernels/products/run_groups.hpp>

namespace exprax::detail {

// One element of the result, by scalar operations.
template <class C, class Lhs, class Rhs>
EXPRAX_INLINE constexpr typename C::type contract_element(Lhs l, Rhs r) {
  using T = typename C::type;
  using V = simd::lane<T>;
  constexpr bool are_pointers = std::is_same_v<Lhs, T const*> && std::is_same_v<Rhs, T const*>;
  if constexpr (C::blocked && C::walks.k_rank == 1 && C::walks.k_size > 0 && are_pointers) {
    return tile_of_blocks<C, 1, 1, 1>::element(C::tiles.from_lhs ? l : r, C::tiles.from_lhs ? r : l).value;
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

// All columns: tiles with the most packs, then the rest; the last pack may be half of one, and overlap the one before. Parallel: threads
// share rows, or, of a vector times a matrix, columns.
template <class C, int L, bool Parallel, class Out>
EXPRAX_INLINE constexpr void contract_columns(typename C::type const* v, typename C::type const* s, Out out, typename C::type* panel) {
  constexpr std::ptrdiff_t n = C::walks.dims[C::tiles.column];
  if constexpr (n < L) {
    contract_columns<C, L / 2, Parallel>(v, s, out, panel);
  } else if constexpr (C::tiles.depth > 0 && C::blocked) {
    dot_block_panels<C, L>::template run<Parallel>(v, s, out, panel);
  } else if constexpr (C::tiles.depth > 0) {
    dot_panels<C, L>::template run<Parallel>(v, s, out, panel);
  } else if constexpr (C::tiles.strip > 0) {
    dot_strip<C, L>::template run_columns<Parallel>(v, s, out);
  } else {
    for_parts<Parallel>(parts_of_tiles<C>, [&](std::ptrdiff_t first, std::ptrdiff_t end) EXPRAX_LAMBDA_INLINE {
      constexpr int all = static_cast<int>(n / L), packs = all < C::tiles.packs ? all : C::tiles.packs;
      constexpr int in_last = static_cast<int>(n % L), last = C::tiles.halves && in_last > 0 && in_last <= L / 2 ? L / 2 : L;
      if constexpr (!C::blocked && in_last > 0 && all < C::tiles.packs)
        return contract_column_block<C, L, static_cast<int>(n), last>(v, s, out, first, end);
      std::ptrdiff_t j = 0;
      for (; j + packs * L <= n; j += packs * L) contract_column_block<C, L, packs * L>(v + j, s, out + j, first, end);
      constexpr int rest = static_cast<int>(n % (packs * L));
      constexpr int at_once = C::blocked || rest < last ? (rest + last - 1) / last * last : rest;
      if constexpr (rest > 0)
        contract_column_block<C, at_once < L ? at_once : L, at_once, last>(v + (n - at_once), s, out + (n - at_once), first, end);
    });
  }
}

// What all batches of small products read, in registers.
struct nothing_kept {};
template <class C>
EXPRAX_INLINE constexpr auto kept_for_batches([[maybe_unused]] typename C::type const* lhs, [[maybe_unused]] typename C::type const* rhs) {
  if constexpr (C::tiles.method == contract_method::matrix) {
    using code = dot_matrix<C, C::tiles.lanes>;
    if constexpr (code::keeps_factors) return code::factors_of(C::tiles.from_lhs ? rhs : lhs);
    else return nothing_kept();
  } else {
    return nothing_kept();
  }
}
// Of one batch.
template <class C, bool Parallel, class Out, class Kept>
EXPRAX_INLINE constexpr void contract_batch(typename C::type const* lhs, typename C::type const* rhs, Out out,
                                            typename C::type* panel, [[maybe_unused]] Kept const& kept) {
  if constexpr (C::tiles.method == contract_method::dots) {
    dot_rows<C, C::tiles.lanes>::template run<Parallel>(lhs, rhs, out);
  } else if constexpr (!std::is_same_v<Kept, nothing_kept>) {
    dot_matrix<C, C::tiles.lanes>::run(C::tiles.from_lhs ? lhs : rhs, kept, out);
  } else if constexpr (C::tiles.method == contract_method::matrix) {
    dot_matrix<C, C::tiles.lanes>::run(C::tiles.from_lhs ? lhs : rhs, C::tiles.from_lhs ? rhs : lhs, out);
  } else if constexpr (C::tiles.from_lhs) {
    contract_columns<C, C::tiles.lanes, Parallel>(lhs, rhs, out, panel);
  } else {
    contract_columns<C, C::tiles.lanes, Parallel>(rhs, lhs, out, panel);
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
  auto const out = place_of_results<Plan, K>(env);
  constexpr contract_method method = Vector ? C::tiles.method : contract_method::elements;
  if constexpr (s.k_size == 0) {
    for_tiles<C, 0>(0, 0, 0, [&](std::ptrdiff_t, std::ptrdiff_t, std::ptrdiff_t o) EXPRAX_LAMBDA_INLINE { out[o] = T(0); }, false);
  } else if constexpr (method == contract_method::elements && reads_all_before_it_writes(Plan::storage.contracts[K])) {
    store_after_all_reads<C>(
        out, [&](std::ptrdiff_t l, std::ptrdiff_t r) EXPRAX_LAMBDA_INLINE { return contract_element<C>(lhs + l, rhs + r); });
  } else if constexpr (method == contract_method::elements) {
    for_tiles<C, 0>(
        0, 0, 0,
        [&](std::ptrdiff_t l, std::ptrdiff_t r, std::ptrdiff_t o)
            EXPRAX_LAMBDA_INLINE { store_result<T, 1>(simd::pack<T, 1>(contract_element<C>(lhs + l, rhs + r)), out + o); },
        false);
  } else {
    T* panel = nullptr;
    if constexpr (C::tiles.depth > 0) panel = env.template buffer<Plan::storage.contracts[K].panel_buffer>();
    auto const kept = kept_for_batches<C>(lhs, rhs);
    auto const batch = [&](auto parallel, std::ptrdiff_t l, std::ptrdiff_t r, std::ptrdiff_t o) EXPRAX_LAMBDA_INLINE {
      contract_batch<C, decltype(parallel)::value>(lhs + l, rhs + r, out + o, panel, kept);
    };
    constexpr bool first_is_batch = s.out_rank > 0 && C::tiles.column != 0 && !(C::tiles.has_rows && C::tiles.row == 0);
    if constexpr (Parallel && first_is_batch && s.dims[0] >= many_parts && C::tiles.depth == 0) {
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
