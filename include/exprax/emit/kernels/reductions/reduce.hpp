// SPDX-License-Identifier: BSL-1.0
// Reductions, in the order that reduce_order.hpp says: of rows here, of columns in reduce_columns.hpp, of short rows in
// reduce_short_rows.hpp.
// Longer than 300 lines: one kernel, which shares the values of a row.
#pragma once

#include <exprax/emit/kernels/reductions/argument_of_row.hpp>
#include <exprax/emit/kernels/reductions/arguments_of_rows.hpp>
#include <exprax/emit/kernels/reductions/block_sums.hpp>
#include <exprax/emit/kernels/reductions/reduce_columns.hpp>
#include <exprax/emit/kernels/reductions/reduce_short_rows.hpp>
#include <exprax/emit/kernels/reductions/row_values.hpp>
#include <exprax/emit/kernels/reductions/sum_of_shorts.hpp>

namespace exprax::detail {

// A row that half of the lanes hold takes narrower packs, four at least.
constexpr int lanes_of_row(std::ptrdiff_t n, int lanes) {
  while (lanes > 4 && 2 * n <= lanes) lanes /= 2;
  return lanes;
}

// The only reduced axis is the last axis of the box: packs run along it. Shared: by several threads. take_sums gets the accumulators.
template <class Plan, int K, int L, bool Shared, class Env, class F>
EXPRAX_INLINE constexpr void reduce_row(Env const& env, std::ptrdiff_t const* index, F const& take_sums) {
  constexpr reduce_kernel k = Plan::storage.reduces[K];
  constexpr std::ptrdiff_t n = k.dims[k.rank - 1], rest = n % 64, start = n - rest;
  using values = row_values<Plan, K, L, Env>;
  using sums_of_rows = row_sums<Plan, L, reductions_of<Plan, K>>;
  using block = typename sums_of_rows::block;
  sums_of_rows sums;
  sums.begin();
  auto const blocks = [&](values& row, std::ptrdiff_t first, std::ptrdiff_t end, auto const& take) EXPRAX_LAMBDA_INLINE {
    for (std::ptrdiff_t x = first; x < end; x += 64) {
      block b;
      for_packs_of_block<Plan, k.box, 64 / L>([&](int p) EXPRAX_LAMBDA_INLINE { b.set(p, row.read(x + p * L)); });
      take(b);
    }
  };
  if constexpr (Shared)
    add_shared_blocks<n / 64>(sums, [&](std::ptrdiff_t first, std::ptrdiff_t end, auto const& take) EXPRAX_LAMBDA_INLINE {
      values row(env, index);
      blocks(row, 64 * first, 64 * end, take);
    });
  if constexpr (!Shared || rest > 0) {
    values row(env, index);
    if constexpr (!Shared && sums_of_rows::is_of_integers && start > 64) {
      constexpr int together = start / 64 < sums_of_rows::blocks_at_once ? static_cast<int>(start / 64) : sums_of_rows::blocks_at_once;
      typename sums_of_rows::few_packs packs[together];
      std::ptrdiff_t x = 0;
      [&]<int... B>(std::integer_sequence<int, B...>) EXPRAX_LAMBDA_INLINE {
        auto const add_to = [&](auto& to, std::ptrdiff_t first, std::ptrdiff_t end) EXPRAX_LAMBDA_INLINE {
          for (; first < end; first += sums_of_rows::few * L)
            for_packs_of_block<Plan, k.box, sums_of_rows::few>([&](int p) EXPRAX_LAMBDA_INLINE { to.add(p, row.read(first + p * L)); });
        };
        (packs[B].set_identities(), ...);
        for (; x + together * 64 <= start; x += together * 64) (add_to(packs[B], x + B * 64, x + B * 64 + 64), ...);
        if constexpr (start % (together * 64) > 0) add_to(packs[0], x, start);
        (sums.add_few(packs[B]), ...);
      }(std::make_integer_sequence<int, together>{});
    } else if constexpr (!Shared) {
      blocks(row, 0, start, [&](block& b) EXPRAX_LAMBDA_INLINE { sums.add(b); });
    }
    if constexpr (rest > 0) {
      block b;
      for_packs_of_block<Plan, k.box, rest / L>([&](int p) EXPRAX_LAMBDA_INLINE { b.set(p, row.read(start + p * L)); });
      if constexpr (rest % L > 0) b.set(rest / L, row.template read<rest % L>(start + rest / L * L));
      sums.template add_first<rest>(b);
    }
  }
  take_sums(sums);
}

// Rows in which packs run along the only reduced axis, and which are so short that to join the lanes of their accumulators takes as long as
// the rest: those of `at_once` rows are joined together.
template <class Plan, int K, int L>
struct rows_at_once {
  static constexpr reduce_kernel k = Plan::storage.reduces[K];
  using reductions = reductions_of<Plan, K>;
  using sums_of_rows = row_sums<Plan, L, reductions>;
  static constexpr int at_once = sums_of_rows::width, axis = k.kept > 0 ? k.kept - 1 : 0;
  // Whether that is faster than to finish rows one by one. clang has shuffles of its own for 16-bit integers, sums of bytes, and rows of
  // four bytes.
  static constexpr bool is_joined(dtype t) {
#if defined(__clang__)
    if (is_floating(t)) return true;
    if (size_of(t) == 2 || (size_of(t) == 1 && k.dims[k.kept] == 4)) return false;
    box const& b = Plan::storage.boxes[k.box];
    for (int s = b.step; s < b.step + b.n_step; ++s)
      if (step const& load = Plan::storage.steps[s]; load.kind == step_kind::load && size_of(load.type) < size_of(t)) return false;
#endif
    return !is_bool(t);
  }
  static constexpr bool fits = [] {
    constexpr std::ptrdiff_t most = 64;
    if (k.columns || k.kept == 0 || k.rank != k.kept + 1) return false;
    bool fit = at_once >= 4 && k.dims[k.kept] <= most && k.dims[axis] >= at_once;
    for (int r = k.reduction; r < k.reduction + k.n_reduction; ++r) {
      single_reduction const& of = Plan::storage.reductions[r];
      fit = fit && is_joined(of.type) && Plan::storage.accesses[of.out].stride[axis] == 1;
    }
    return fit;
  }();

  // From row `first` on along the last kept axis.
  template <class Env>
  EXPRAX_INLINE static void run(Env const& env, std::ptrdiff_t* index, std::ptrdiff_t first) {
    sums_of_rows rows[at_once];
    for (int i = 0; i < at_once; ++i) {
      index[axis] = first + i;
      reduce_row<Plan, K, L, false>(env, index, [&](auto const& sums) EXPRAX_LAMBDA_INLINE { rows[i] = sums; });
    }
    index[axis] = first;
    for_each_reduction(reductions(), [&](auto r) EXPRAX_LAMBDA_INLINE {
      auto const of_row = [&](auto row) EXPRAX_LAMBDA_INLINE { return rows[decltype(row)::value].sums.template of<decltype(r)::value>(); };
      simd::store(sums_of_rows::template sums_of<r>::finish_rows(of_row), result_of_row<Plan, K, r>(env, index));
    });
  }
};

// Several reduced axes, of reduction R: the rows are one sequence, in which blocks begin anywhere. A block within a row is read in
// registers, the packs of others are laid in memory. A pack that begins in one row and ends in the next is the last pack of the one beside
// the first pack of the other, read from between. Rows shorter than a block are laid one after the other, their last packs over those
// before, and blocks are taken when there are several: what is left is then moved, and every load of it waits for two stores.
template <class Plan, int K, int R, int L>
struct rows_code {
  static constexpr reduce_kernel k = Plan::storage.reduces[K];
  static constexpr std::ptrdiff_t extent = k.dims[k.rank - 1], elements = count_of(k.dims + k.kept, k.rank - k.kept);
  using T = typename reduction_traits<Plan, R>::T;
  using sums_of_rows = row_sums<Plan, L, std::integer_sequence<int, R>>;
  using block = typename sums_of_rows::block;
  static constexpr bool is_long = extent >= 64;
  static constexpr int narrow = [] {
    int n = L;
    while (n > 1 && (extent < n || extent < 4)) n = extent < 4 ? 1 : n / 2;
    return n;
  }();
  static constexpr int full = is_long || narrow == 1 || elements < 256 ? 64 : 256;
  alignas(simd::pack<T, L>) T room[full + 2 * L], edge[2 * L];
  // Elements that are laid, and the last ones of a long row, which are at the end of the first half of `edge`.
  int held = 0, left = 0;
  T* const laid = room + L;

  template <bool Shared, class Env, class F>
  EXPRAX_INLINE static constexpr void reduce(Env const& env, std::ptrdiff_t* index, F const& to) {
    sums_of_rows sums;
    sums.begin();
    auto const add = [&](block& b) EXPRAX_LAMBDA_INLINE { sums.add(b); };
    rows_code code;
    if constexpr (Shared) {
      constexpr std::ptrdiff_t blocks = elements / 64;
      add_shared_blocks<blocks>(sums, [&](std::ptrdiff_t first, std::ptrdiff_t end, auto const& take) EXPRAX_LAMBDA_INLINE {
        rows_code part;
        part.walk(env, index, 64 * first, 64 * end, take);
        if (part.held > 0) part.take_laid(part.held, take);
      });
      code.walk(env, index, 64 * blocks, elements, add);
    } else {
      code.template axes<k.kept>(env, index, add);
    }
    for (; code.left > 0; --code.left) code.laid[code.held++] = code.edge[L - code.left];
    for (; code.held % 64 > 0; ++code.held) code.laid[code.held] = reduction_traits<Plan, R>::identity;
    if (code.held > 0) code.take_laid(code.held, add);
    sums.finish(to);
  }

 private:
  template <int Axis, class Env, class F>
  EXPRAX_INLINE constexpr void axes(Env const& env, std::ptrdiff_t* index, F const& take) {
    if constexpr (Axis == k.rank - 1) row(env, index, 0, extent, take);
    else
      for (index[Axis] = 0; index[Axis] < k.dims[Axis]; ++index[Axis]) axes<Axis + 1>(env, index, take);
  }
  // The elements from `first` to `end`, in row-major order.
  template <class Env, class F>
  EXPRAX_INLINE void walk(Env const& env, std::ptrdiff_t const* kept, std::ptrdiff_t first, std::ptrdiff_t end, F const& take) {
    std::ptrdiff_t index[max_rank] = {};
    for (int axis = 0; axis < k.kept; ++axis) index[axis] = kept[axis];
    for (std::ptrdiff_t r = first / extent; r * extent < end; ++r) {
      std::ptrdiff_t const x = first - r * extent, stop = end - r * extent;
      std::ptrdiff_t of = r;
      for (int axis = k.rank - 2; axis >= k.kept; --axis) {
        index[axis] = of % k.dims[axis];
        of /= k.dims[axis];
      }
      row(env, index, x > 0 ? x : 0, stop < extent ? stop : extent, take);
    }
  }
  // The elements of a row from `first` to `end`: that of a block, or of the row.
  template <class Env, class F>
  EXPRAX_INLINE constexpr void row(Env const& env, std::ptrdiff_t const* index, std::ptrdiff_t first, std::ptrdiff_t end, F const& take) {
    row_values<Plan, K, narrow, Env> values(env, index);
    auto const read = [&](std::ptrdiff_t x) EXPRAX_LAMBDA_INLINE {
      return values.read(x).template file<T>()[Plan::storage.reductions[R].result];
    };
    std::ptrdiff_t x = first;
    if constexpr (is_long) {
      auto const lay = [&](auto pack) EXPRAX_LAMBDA_INLINE {
        simd::store(pack, laid + held);
        held += L;
        if (held < 64) return;
        take_laid(64, take);
        held = 0;
      };
      if (left > 0) {
        simd::store(read(0), edge + L);
        lay(simd::load<T, L>(edge + L - left));
        x = L - left;
        left = 0;
      }
      while (x + L <= end) {
        if (held == 0 && x + 64 <= end) {
          block b;
          for_packs_of_block<Plan, k.box, 64 / L>([&](int p) EXPRAX_LAMBDA_INLINE { b.set(p, values.read(x + p * L)); });
          take(b);
          x += 64;
        } else if constexpr (extent % 64 != 0) {
          lay(read(x));
          x += L;
        }
      }
      if constexpr (extent % L != 0) {
        if (x == end) return;
        left = static_cast<int>(end - x);
        simd::store(read(extent - L), edge);
      }
    } else {
      auto const lay = [&](std::ptrdiff_t at, int seen, int unused) EXPRAX_LAMBDA_INLINE {
        simd::store(read(at), laid + held - seen);
        held += narrow - seen - unused;
        if (held < full) return;
        take_laid(full, take);
        held -= full;
        if (held > 0) simd::store(simd::load<T, narrow>(laid + full), laid);
      };
      for (; x + narrow <= end; x += narrow) lay(x, 0, 0);
      if (x == end) return;
      if (x + narrow <= extent) lay(x, 0, static_cast<int>(x + narrow - end));
      else lay(extent - narrow, static_cast<int>(x - (extent - narrow)), static_cast<int>(extent - end));
    }
  }
  // The first n elements that are laid, in blocks.
  template <class F>
  EXPRAX_INLINE constexpr void take_laid(int n, F const& take) {
    int first = 0;
    do {
      block b;
      for (int p = 0; p < 64 / L; ++p) b.template of<R>()[p] = simd::load<T, L>(laid + first + p * L);
      take(b);
      first += 64;
    } while (full > 64 && first < n);
  }
};

// The kept axes before the reduced ones.
template <class Plan, int K, int Axis, int End, class F>
EXPRAX_INLINE constexpr void for_kept(std::ptrdiff_t* index, F const& f) {
  if constexpr (Axis == End) {
    f();
  } else {
    for (index[Axis] = 0; index[Axis] < Plan::storage.reduces[K].dims[Axis]; ++index[Axis]) for_kept<Plan, K, Axis + 1, End>(index, f);
  }
}

template <class Plan, int K, bool Vector, bool Parallel, class Env>
EXPRAX_INLINE constexpr void run_reduce(Env const& env) {
  constexpr int kept = Plan::storage.reduces[K].kept;
  constexpr bool finds_index = is_argument_reduction(Plan::storage.reductions[Plan::storage.reduces[K].reduction].op);
  constexpr int widest = Vector ? Plan::storage.boxes[Plan::storage.reduces[K].box].lanes : 1;
  if constexpr (widest > 1 && Plan::storage.boxes[Plan::storage.reduces[K].box].strip > 0)
    return reduce_short_rows<Plan, K, widest, Parallel>(env);
  [[maybe_unused]] constexpr int lanes = lanes_of_row(Plan::storage.reduces[K].dims[Plan::storage.reduces[K].rank - 1], widest);
  constexpr std::ptrdiff_t results = count_of(Plan::storage.reduces[K].dims, kept);
  constexpr bool shares_columns = Parallel && Plan::storage.reduces[K].columns && results < many_parts;
  constexpr bool shares_blocks = Parallel && Plan::storage.reduces[K].has_many_blocks();
  constexpr bool sums_shorts = widest > 1 && !shares_blocks && sum_of_shorts<Plan, K>::fits;
  auto const one = [&](auto shared, std::ptrdiff_t* index) EXPRAX_LAMBDA_INLINE {
    if constexpr (Plan::storage.reduces[K].columns) {
      std::ptrdiff_t of_row[max_rank] = {};
      for (int i = 0; i < kept; ++i) of_row[i] = index[i];
      run_columns<Plan, K, widest, shares_columns>(env, of_row);
    } else {
      constexpr int rank = Plan::storage.reduces[K].rank;
      auto const to = [&](auto r) EXPRAX_LAMBDA_INLINE { return result_of_row<Plan, K, r>(env, index); };
      if constexpr (rank - kept > 1) {
        for_each_reduction(reductions_of<Plan, K>(), [&](auto r) EXPRAX_LAMBDA_INLINE {
          rows_code<Plan, K, r, widest>::template reduce<decltype(shared)::value>(env, index, to);
        });
      } else if constexpr (finds_index) {
        *to(std::integral_constant<int, Plan::storage.reduces[K].reduction>()) =
            argument_of_row<Plan, K, lanes>::template find<decltype(shared)::value>(env, index);
      } else if constexpr (sums_shorts) {
        *to(std::integral_constant<int, Plan::storage.reduces[K].reduction>()) = sum_of_shorts<Plan, K>::of(env, index);
      } else {
        reduce_row<Plan, K, lanes, decltype(shared)::value>(env, index, [&](auto& sums) EXPRAX_LAMBDA_INLINE { sums.finish(to); });
      }
    }
  };
  // From `first` to `end` along the last kept axis.
  [[maybe_unused]] auto const rows = [&](auto axis, std::ptrdiff_t* at, std::ptrdiff_t first, std::ptrdiff_t end) EXPRAX_LAMBDA_INLINE {
    using together = std::conditional_t<finds_index, arguments_of_rows<Plan, K, lanes>, rows_at_once<Plan, K, lanes>>;
    if constexpr (together::fits)
      for (; end - first >= together::at_once; first += together::at_once) together::run(env, at, first);
    std::ptrdiff_t left = end - first;
    if constexpr (together::fits) left %= together::at_once;  // what g++ would not see
    for (; left > 0; --left, ++first) {
      at[decltype(axis)::value] = first;
      one(std::false_type(), at);
    }
  };
  constexpr int outer = kept > 0 ? kept - 1 : 0;  // axes before the last kept one
  using last_kept = std::integral_constant<int, outer>;
  std::ptrdiff_t index[max_rank] = {};
  auto const all = [&](auto shared) EXPRAX_LAMBDA_INLINE {
    if constexpr (kept == 0 || decltype(shared)::value)
      for_kept<Plan, K, 0, kept>(index, [&]() EXPRAX_LAMBDA_INLINE { one(shared, index); });
    else
      for_kept<Plan, K, 0, outer>(index, [&]() EXPRAX_LAMBDA_INLINE { rows(last_kept(), index, 0, Plan::storage.reduces[K].dims[outer]); });
  };
  if constexpr (shares_blocks) {
    if (!__builtin_is_constant_evaluated()) return all(std::true_type());
  } else if constexpr (Parallel && !shares_columns) {
    if (!__builtin_is_constant_evaluated())
      return run_parts(results, [&](std::ptrdiff_t first, std::ptrdiff_t end) EXPRAX_LAMBDA_INLINE {
        if constexpr (kept == 1) {
          std::ptrdiff_t of_part[max_rank] = {};
          rows(last_kept(), of_part, first, end);
        } else {
          for_indices<kept>(Plan::storage.reduces[K].dims, first, end,
                            [&](std::ptrdiff_t* of_part) EXPRAX_LAMBDA_INLINE { one(std::false_type(), of_part); });
        }
      });
  }
  all(std::false_type());
}

}  // namespace exprax::detail
