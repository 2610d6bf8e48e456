// SPDX-License-Identifier: BSL-1.0
// Reductions of columns: packs run along a kept axis, in which memory is contiguous.
#pragma once

#include <exprax/emit/kernels/column_strips.hpp>
#include <exprax/emit/kernels/reduce_order.hpp>

namespace exprax::detail {

// The value at element r of the reduction, in packs along the last axis.
template <class Plan, int K, int L, class Env>
EXPRAX_INLINE constexpr auto column_value(Env const& env, std::ptrdiff_t* index, std::ptrdiff_t element, std::ptrdiff_t x) {
  constexpr int b = Plan::storage.reduces[K].box, rank = Plan::storage.reduces[K].rank, kept = Plan::storage.reduces[K].kept;
  for (int axis = rank - 2; axis > kept; --axis) {
    index[axis] = element % Plan::storage.reduces[K].dims[axis];
    element /= Plan::storage.reduces[K].dims[axis];
  }
  index[kept] = element;
  auto const at = box_pointers<Plan, b, rank>::template make<rank>(env, index);
  registers<Plan, b, L> r;
  run_all_steps<Plan, Plan::storage.boxes[b].step, Plan::storage.boxes[b].n_step, L, rank, L, phase::compute>(r, env, at, index, x);
  return r.template file<element_t<Plan::storage.reduces[K].type>>()[Plan::storage.reduces[K].result];
}

// The elements of one result.
template <class Plan, int K>
constexpr std::ptrdiff_t column_length() {
  std::ptrdiff_t n = 1;
  for (int i = Plan::storage.reduces[K].kept; i + 1 < Plan::storage.reduces[K].rank; ++i) n *= Plan::storage.reduces[K].dims[i];
  return n;
}

// At most eight elements: there is one of each of the eight sums.
template <class Plan, int K, int L, class Env>
EXPRAX_INLINE constexpr auto reduce_short_columns(Env const& env, std::ptrdiff_t* index, std::ptrdiff_t x) {
  constexpr prim op = Plan::storage.reduces[K].op;
  constexpr int n = static_cast<int>(column_length<Plan, K>());
  using T = element_t<Plan::storage.reduces[K].type>;
  using V = simd::pack<T, L>;
  V const identity(identity_of<op, T>());
  V sums[8];
  auto const value = [&](int j) EXPRAX_LAMBDA_INLINE { return combine<op>(identity, column_value<Plan, K, L>(env, index, j, x)); };
  if constexpr (is_repeated<Plan, Plan::storage.reduces[K].box>(n)) [&]<int... J>(std::integer_sequence<int, J...>) EXPRAX_LAMBDA_INLINE {
      ((sums[J] = value(J)), ...);
    }
  (std::make_integer_sequence<int, n>{});
  else
    for (int j = 0; j < n; ++j) sums[j] = value(j);
  return join_first<op, n>(sums);
}

// The sums of a strip of columns. Memory is read along rows: the elements of a block that are joined first, j, j + 8, ..., are so many rows
// of the strip, and their sum is added to accumulator j of each pack of columns.
template <class Plan, int K, int L>
struct strip_code {
  static constexpr reduce_kernel k = Plan::storage.reduces[K];
  static constexpr std::ptrdiff_t n = column_length<Plan, K>(), width = k.dims[k.rank - 1];
  using strips = column_strips<width, L, k.strip>;
  static constexpr int packs = strips::packs;  // at most
  using T = element_t<k.type>;
  using V = simd::pack<T, L>;
  using pointers = box_pointers<Plan, k.box, k.rank>;
  V sums[8 * packs];  // accumulator j of pack p: j * packs + p

  // F: stores the result of the pack at a column.
  template <class Env, class F>
  EXPRAX_INLINE constexpr void run(Env const& env, std::ptrdiff_t const* index, std::ptrdiff_t first, int count, F const& store) {
    constexpr std::ptrdiff_t whole = n / 64 * 64;
    constexpr int rest = static_cast<int>(n - whole), full = rest / 8, longer = rest % 8;
    if constexpr (whole > 0)
      for (int j = 0; j < 8; ++j) add<8, true>(env, index, 0, j, first, count);
    for (std::ptrdiff_t block = 64; block < whole; block += 64)
      for (int j = 0; j < 8; ++j) add<8, false>(env, index, block, j, first, count);
    if constexpr (longer > 0)
      for (int j = 0; j < longer; ++j) add<full + 1, whole == 0>(env, index, whole, j, first, count);
    if constexpr (full > 0)
      for (int j = longer; j < 8; ++j) add<full, whole == 0>(env, index, whole, j, first, count);
    for (int p = 0; p < count; ++p) {
      V each[8];
      for (int j = 0; j < 8; ++j) each[j] = sums[j * packs + p];
      store(join_first<k.op, 8>(each), strips::column(first, p));
    }
  }

 private:
  // The first N rows of those that accumulator j gets of a block. First: the block is the first one.
  template <int N, bool First, class Env>
  EXPRAX_INLINE constexpr void add(Env const& env, std::ptrdiff_t const* index, std::ptrdiff_t block, int j, std::ptrdiff_t first,
                                   int count) {
    constexpr int step = Plan::storage.boxes[k.box].step, steps = Plan::storage.boxes[k.box].n_step;
    std::ptrdiff_t of_row[N][max_rank];
    pointers at[N];
    auto const begin = [&](int i) EXPRAX_LAMBDA_INLINE {
      for (int axis = 0; axis < k.kept; ++axis) of_row[i][axis] = index[axis];
      std::ptrdiff_t element = block + 8 * i + j;
      for (int axis = k.rank - 2; axis > k.kept; --axis) {
        of_row[i][axis] = element % k.dims[axis];
        element /= k.dims[axis];
      }
      of_row[i][k.kept] = element;
      at[i] = pointers::template make<k.rank>(env, of_row[i]);
    };
    auto const value = [&](int i, std::ptrdiff_t x) EXPRAX_LAMBDA_INLINE {
      registers<Plan, k.box, L> r;
      run_all_steps<Plan, step, steps, L, k.rank, L, phase::compute>(r, env, at[i], of_row[i], x);
      return r.template file<T>()[k.result];
    };
    [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      (begin(I), ...);
      for (int p = 0; p < count; ++p) {
        std::ptrdiff_t const x = strips::column(first, p);
        V m[N];
        if constexpr (is_repeated<Plan, k.box>(N)) ((m[I] = value(I, x)), ...);
        else
          for (int i = 0; i < N; ++i) m[i] = value(i, x);
        V& sum = sums[j * packs + p];
        sum = combine<k.op>(First ? V(identity_of<k.op, T>()) : sum, join_some<k.op, N>(m));
      }
    }(std::make_integer_sequence<int, N>{});
  }
};

// Parallel: threads share the columns.
template <class Plan, int K, int L, bool Parallel, class Env>
EXPRAX_INLINE constexpr void run_columns(Env const& env, std::ptrdiff_t* index) {
  constexpr int rank = Plan::storage.reduces[K].rank, out = Plan::storage.reduces[K].out;
  constexpr std::ptrdiff_t n = Plan::storage.reduces[K].dims[rank - 1];
  if constexpr (L > 1 && n < L) {
    run_columns<Plan, K, (n < 4 ? 1 : L / 2), false>(env, index);
  } else {
    using T = element_t<Plan::storage.reduces[K].type>;
    constexpr std::ptrdiff_t stride = Plan::storage.accesses[out].stride[rank - 1];
    auto* to = env.template buffer<Plan::storage.accesses[out].buffer>() + row_offset<Plan, out, rank>(env, index);
    if constexpr (column_length<Plan, K>() <= 8) {
      for_parts<Parallel>(n / L, [&](std::ptrdiff_t first, std::ptrdiff_t end) EXPRAX_LAMBDA_INLINE {
        std::ptrdiff_t of_row[max_rank];
        for (int i = 0; i < rank; ++i) of_row[i] = index[i];
        std::ptrdiff_t const stop = end == n / L ? n : end * L;
        for (std::ptrdiff_t x = first * L; x < stop; x += L) {
          std::ptrdiff_t const at = x + L <= n ? x : n - L;
          store_lanes<T, L, stride>(reduce_short_columns<Plan, K, L>(env, of_row, at), to + at * stride);
        }
      });
    } else {
      using code = strip_code<Plan, K, L>;
      auto const store = [&](auto v, std::ptrdiff_t x) EXPRAX_LAMBDA_INLINE { store_lanes<T, L, stride>(v, to + x * stride); };
      if constexpr (Parallel) {
        for_parts<true>(code::strips::whole, [&](std::ptrdiff_t from, std::ptrdiff_t end) EXPRAX_LAMBDA_INLINE {
          code c;
          code::strips::for_each(
              from, end, [&](std::ptrdiff_t first, int count) EXPRAX_LAMBDA_INLINE { c.run(env, index, first, count, store); });
        });
      } else {
        code c;
        code::strips::for_each([&](std::ptrdiff_t first, int count) EXPRAX_LAMBDA_INLINE { c.run(env, index, first, count, store); });
      }
    }
  }
}

}  // namespace exprax::detail
