// SPDX-License-Identifier: BSL-1.0
// Reductions of columns: packs run along a kept axis, in which memory is contiguous.
#pragma once

#include <exprax/emit/kernels/column_strips.hpp>
#include <exprax/emit/kernels/reductions/accumulator.hpp>

namespace exprax::detail {

// One of the elements that are reduced, in packs along the last axis.
template <class Plan, int K>
struct row_of_columns {
  static constexpr reduce_kernel k = Plan::storage.reduces[K];
  static constexpr int step = Plan::storage.boxes[k.box].step, n_step = Plan::storage.boxes[k.box].n_step;
  std::ptrdiff_t index[max_rank];
  box_pointers<Plan, k.box, k.rank> at;

  // outer: the indices of the axes that are kept, but for the last.
  template <class Env>
  EXPRAX_INLINE constexpr void start(Env const& env, std::ptrdiff_t const* outer, std::ptrdiff_t element) {
    for (int axis = 0; axis < k.kept; ++axis) index[axis] = outer[axis];
    for (int axis = k.rank - 2; axis > k.kept; --axis) {
      index[axis] = element % k.dims[axis];
      element /= k.dims[axis];
    }
    index[k.kept] = element;
    at = box_pointers<Plan, k.box, k.rank>::template make<k.rank>(env, index);
  }
  // f(registers of the box)
  template <int L, class Env, class F>
  EXPRAX_INLINE constexpr void read(Env const& env, std::ptrdiff_t x, F const& f) const {
    registers<Plan, k.box, L> r;
    run_all_steps<Plan, step, n_step, L, k.rank, L, phase::compute>(r, env, at, index, x);
    f(r);
  }
};

// The elements of one result.
template <class Plan, int K>
constexpr std::ptrdiff_t column_length() {
  std::ptrdiff_t n = 1;
  for (int i = Plan::storage.reduces[K].kept; i + 1 < Plan::storage.reduces[K].rank; ++i) n *= Plan::storage.reduces[K].dims[i];
  return n;
}

// Of how many elements each column is reduced in registers: each of the eight sums has one, or, of all pairs, at most two. Those read the
// same memory for all rows, because every load runs along the columns or along the rows.
template <class Plan, int K>
constexpr int longest_in_registers() {
  constexpr reduce_kernel k = Plan::storage.reduces[K];
  box const& b = Plan::storage.boxes[k.box];
  for (int s = b.step; s < b.step + b.n_step; ++s) {
    if (!is_load(Plan::storage.steps[s].kind)) continue;
    access const& a = Plan::storage.accesses[Plan::storage.steps[s].access];
    bool along_rows = false;
    for (int axis = k.kept; axis + 1 < k.rank; ++axis) along_rows = along_rows || a.stride[axis] != 0;
    if (a.n_term > 0 || (along_rows && a.stride[k.rank - 1] != 0)) return 8;
  }
  return 16;
}

// At most longest_in_registers elements. row(j): number j; store(R, result) takes the result of reduction R.
template <class Plan, int K, int L, class Env, class Row, class F>
EXPRAX_INLINE constexpr void reduce_short_columns(Env const& env, Row const& row, std::ptrdiff_t x, F const& store) {
  constexpr int n = static_cast<int>(column_length<Plan, K>());
  reduction_packs<Plan, L, n, reductions_of<Plan, K>> sums;
  for_packs_of_block<Plan, Plan::storage.reduces[K].box, n>([&](int j) EXPRAX_LAMBDA_INLINE {
    row(j).template read<L>(env, x, [&](auto& registers) EXPRAX_LAMBDA_INLINE { sums.set(j, registers); });
  });
  for_each_reduction(reductions_of<Plan, K>(), [&](auto r) EXPRAX_LAMBDA_INLINE {
    store(r, result_of_few<Plan, r, L, n>(sums.template of<r>()));
  });
}

// The results of a strip of columns. Memory is read along rows, several at a time. In the fixed order the elements of a block that are
// joined first, j, j + 8, ..., are so many rows of the strip, and their sum is added to accumulator j of each pack of columns. In any other
// order one row follows the other, and each pack of columns has one accumulator.
template <class Plan, int K, int L>
struct strip_code {
  static constexpr reduce_kernel k = Plan::storage.reduces[K];
  static constexpr std::ptrdiff_t n = column_length<Plan, K>(), width = k.dims[k.rank - 1];
  using strips = column_strips<width, L, k.strip>;
  static constexpr int packs = strips::packs;  // at most
  using reductions = reductions_of<Plan, K>;
  static constexpr int at_once = 4, sums_of_pack = accumulators<Plan, L, 1, reductions>::in_any_order ? 1 : 8;
  accumulators<Plan, L, sums_of_pack * packs, reductions> sums;  // number j of pack p: j * packs + p

  // store(R, result, x) takes the result of reduction R of the pack at a column.
  template <class Env, class F>
  EXPRAX_INLINE constexpr void run(Env const& env, std::ptrdiff_t const* index, std::ptrdiff_t first, int count, F const& store) {
    if constexpr (sums_of_pack == 1) in_turn(env, index, first, count);
    else in_fixed_order(env, index, first, count);
    for_each_reduction(reductions(), [&](auto r) EXPRAX_LAMBDA_INLINE {
      using traits = reduction_traits<Plan, r>;
      for (int p = 0; p < count; ++p) {
        auto const* const of = sums.template of<r>() + p;
        if constexpr (sums_of_pack == 1) {
          store(r, of->result(), strips::column(first, p));
        } else {
          simd::pack<typename traits::T, L> each[8];
          for (int j = 0; j < 8; ++j) each[j] = of[j * packs].value;
          store(r, join_first<traits::op, 8>(each), strips::column(first, p));
        }
      }
    });
  }

 private:
  template <class Env>
  EXPRAX_INLINE constexpr void in_turn(Env const& env, std::ptrdiff_t const* index, std::ptrdiff_t first, int count) {
    constexpr std::ptrdiff_t whole = n / at_once * at_once;
    constexpr int rest = static_cast<int>(n - whole);
    if constexpr (whole > 0) add<at_once, true>(env, index, 0, 1, 0, first, count);
    for (std::ptrdiff_t row = at_once; row < whole; row += at_once) add<at_once, false>(env, index, row, 1, 0, first, count);
    if constexpr (rest > 0) add<rest, whole == 0>(env, index, whole, 1, 0, first, count);
  }
  template <class Env>
  EXPRAX_INLINE constexpr void in_fixed_order(Env const& env, std::ptrdiff_t const* index, std::ptrdiff_t first, int count) {
    constexpr std::ptrdiff_t whole = n / 64 * 64;
    constexpr int rest = static_cast<int>(n - whole), full = rest / 8, longer = rest % 8;
    if constexpr (whole > 0)
      for (int j = 0; j < 8; ++j) add<8, true>(env, index, j, 8, j, first, count);
    for (std::ptrdiff_t block = 64; block < whole; block += 64)
      for (int j = 0; j < 8; ++j) add<8, false>(env, index, block + j, 8, j, first, count);
    if constexpr (longer > 0)
      for (int j = 0; j < longer; ++j) add<full + 1, whole == 0>(env, index, whole + j, 8, j, first, count);
    if constexpr (full > 0)
      for (int j = longer; j < 8; ++j) add<full, whole == 0>(env, index, whole + j, 8, j, first, count);
  }
  // N rows, row, row + distance, ..., go to accumulators j. First: they are the first ones.
  template <int N, bool First, class Env>
  EXPRAX_INLINE constexpr void add(Env const& env, std::ptrdiff_t const* index, std::ptrdiff_t row, int distance, int j,
                                   std::ptrdiff_t first, int count) {
    row_of_columns<Plan, K> rows[N];
    [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      (rows[I].start(env, index, row + distance * I), ...);
      for (int p = 0; p < count; ++p) {
        std::ptrdiff_t const x = strips::column(first, p);
        reduction_packs<Plan, L, N, reductions> values;
        for_packs_of_block<Plan, k.box, N>([&](int i) EXPRAX_LAMBDA_INLINE {
          rows[i].template read<L>(env, x, [&](auto& registers) EXPRAX_LAMBDA_INLINE { values.set(i, registers); });
        });
        for_each_reduction(reductions(), [&](auto r) EXPRAX_LAMBDA_INLINE {
          auto& sum = sums.template of<r>()[j * packs + p];
          if constexpr (First) sum.template begin<N>(values.template of<r>(), row);
          else sum.template add<N>(values.template of<r>(), row);
        });
      }
    }(std::make_integer_sequence<int, N>{});
  }
};

// Parallel: threads share the columns.
template <class Plan, int K, int L, bool Parallel, class Env>
EXPRAX_INLINE constexpr void run_columns(Env const& env, std::ptrdiff_t* index) {
  constexpr int rank = Plan::storage.reduces[K].rank;
  constexpr std::ptrdiff_t n = Plan::storage.reduces[K].dims[rank - 1];
  if constexpr (L > 1 && n < L) {
    run_columns<Plan, K, (n < 4 ? 1 : L / 2), false>(env, index);
  } else {
    auto const store = [&](auto r, auto v, std::ptrdiff_t x) EXPRAX_LAMBDA_INLINE {
      constexpr int out = Plan::storage.reductions[r].out;
      constexpr std::ptrdiff_t stride = Plan::storage.accesses[out].stride[rank - 1];
      auto* const to = env.template buffer<Plan::storage.accesses[out].buffer>() + row_offset<Plan, out, rank>(env, index);
      store_lanes<typename reduction_traits<Plan, r>::result, L, stride>(v, to + x * stride);
    };
    if constexpr (column_length<Plan, K>() <= longest_in_registers<Plan, K>()) {
      for_parts<Parallel>(n / L, [&](std::ptrdiff_t first, std::ptrdiff_t end) EXPRAX_LAMBDA_INLINE {
        std::ptrdiff_t const stop = end == n / L ? n : end * L;
        auto const reduce = [&](auto const& row) EXPRAX_LAMBDA_INLINE {
          for (std::ptrdiff_t x = first * L; x < stop; x += L) {
            std::ptrdiff_t const at = x + L <= n ? x : n - L;
            reduce_short_columns<Plan, K, L>(env, row, at, [&](auto r, auto v) EXPRAX_LAMBDA_INLINE { store(r, v, at); });
          }
        };
        if constexpr (gathers_rows<Plan, Plan::storage.reduces[K].box>) {
          row_of_columns<Plan, K> rows[column_length<Plan, K>()];
          for (int j = 0; j < column_length<Plan, K>(); ++j) rows[j].start(env, index, j);
          reduce([&](int j) EXPRAX_LAMBDA_INLINE -> auto const& { return rows[j]; });
        } else {
          reduce([&](int j) EXPRAX_LAMBDA_INLINE {
            row_of_columns<Plan, K> row{};
            row.start(env, index, j);
            return row;
          });
        }
      });
    } else {
      using code = strip_code<Plan, K, L>;
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
