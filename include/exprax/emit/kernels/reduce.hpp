// SPDX-License-Identifier: BSL-1.0
// Reductions, in the order that reduce_order.hpp says: of rows here, of columns in reduce_columns.hpp, of short rows in
// reduce_short_rows.hpp.
#pragma once

#include <exprax/emit/kernels/reduce_columns.hpp>
#include <exprax/emit/kernels/reduce_short_rows.hpp>

namespace exprax::detail {

// A block held in 64 / L packs, reduced to eight partial results in max(8 / L, 1) packs of min(L, 8) elements.
template <prim Op, class T, int L>
struct block_sums {
  static constexpr int width = L < 8 ? L : 8, count = 8 / width, packs = 64 / L;
  using V = simd::pack<T, L>;
  using A = simd::pack<T, width>;

  EXPRAX_INLINE static constexpr A narrow(V v) {
    if constexpr (L <= 8) return v;
    else {
      T lanes[L];
      simd::store(v, lanes);
      return block_sums<Op, T, L / 2>::narrow(combine<Op>(simd::load<T, L / 2>(lanes), simd::load<T, L / 2>(lanes + L / 2)));
    }
  }
  EXPRAX_INLINE static constexpr void add(A* sums, V const* block) {
    if constexpr (L <= 8) {
      for (int g = 0; g < count; ++g) sums[g] = combine<Op>(sums[g], join_eight<Op>(block + g, count));
    } else {
      sums[0] = combine<Op>(sums[0], narrow(join_packs(block)));
    }
  }
  // The same of a block whose packs from N on are identities.
  template <int N>
  EXPRAX_INLINE static constexpr void add_first(A* sums, V const* block) {
    if constexpr (N == packs) {
      add(sums, block);
    } else if constexpr (L <= 8) {
      [&]<int... G>(std::integer_sequence<int, G...>) EXPRAX_LAMBDA_INLINE { (add_to<G, (N - G + count - 1) / count>(sums, block), ...); }
      (std::make_integer_sequence<int, (N < count ? N : count)>{});
    } else if constexpr (N == 1) {
      sums[0] = combine<Op>(sums[0], narrow(block[0]));
    } else if constexpr (N == 2) {
      sums[0] = combine<Op>(sums[0], narrow(combine<Op>(block[0], block[1])));
    } else {
      sums[0] = combine<Op>(sums[0], narrow(combine<Op>(combine<Op>(block[0], block[1]), block[2])));
    }
  }
  EXPRAX_INLINE static constexpr V join_packs(V const* block) {
    if constexpr (packs == 4) return combine<Op>(combine<Op>(block[0], block[1]), combine<Op>(block[2], block[3]));
    else if constexpr (packs == 2) return combine<Op>(block[0], block[1]);
    else return block[0];
  }
  // ((0 4)(2 6))((1 5)(3 7))
  EXPRAX_INLINE static constexpr T finish(A const* sums) {
    constexpr prim combiner = primitive<Op>::traits.combiner;
    if constexpr (width >= 4 && std::is_floating_point_v<T> && (combiner == prim::max || combiner == prim::min))
      return finish_in_packs(sums);
    T lanes[8];
    for (int g = 0; g < count; ++g) {
      if constexpr (width == 1) lanes[g] = sums[g].value;
      else simd::store(sums[g], lanes + g * width);
    }
    auto at = [&](int i) { return simd::lane<T>(lanes[i]); };
    auto const even = combine<Op>(combine<Op>(at(0), at(4)), combine<Op>(at(2), at(6)));
    auto const odd = combine<Op>(combine<Op>(at(1), at(5)), combine<Op>(at(3), at(7)));
    return combine<Op>(even, odd).value;
  }

 private:
  // The first N packs of accumulator pack G.
  template <int G, int N>
  EXPRAX_INLINE static constexpr void add_to(A* sums, V const* block) {
    V of[N];
    for (int i = 0; i < N; ++i) of[i] = block[i * count + G];
    sums[G] = combine<Op>(sums[G], join_some<Op, N>(of));
  }
  // The same by halves: single elements would be compared by branches.
  EXPRAX_INLINE static T finish_in_packs(A const* sums) {
    using H = simd::pack<T, 4>;
    T lanes[8];
    for (int g = 0; g < count; ++g) simd::store(sums[g], lanes + g * width);
    H const four = combine<Op>(simd::load<T, 4>(lanes), simd::load<T, 4>(lanes + 4));
    H const two = combine<Op>(four, permute<2, 3, 0, 1>(four));
    simd::store(combine<Op>(two, permute<1, 0, 3, 2>(two)), lanes);
    return lanes[0];
  }
};

// Whether a reduction stores more than its result, which is the last store of its box.
template <class Plan, int K>
constexpr bool stores_operand() {
  box const& b = Plan::storage.boxes[Plan::storage.reduces[K].box];
  int stores = 0;
  for (int s = b.step; s < b.step + b.n_step; ++s) stores += Plan::storage.steps[s].kind == step_kind::store;
  return stores > 1;
}

// A row that half of the lanes hold takes narrower packs, four at least.
constexpr int lanes_of_row(std::ptrdiff_t n, int lanes) {
  while (lanes > 4 && 2 * n <= lanes) lanes /= 2;
  return lanes;
}

// The packs of a block, value(p), of a box whose steps are written once for each pack, or in a loop.
template <class Plan, int Box, class V, int N, class F>
EXPRAX_INLINE constexpr void fill_block(V (&block)[N], F const& value) {
  if constexpr (is_repeated<Plan, Box>(N)) {
    [&]<int... P>(std::integer_sequence<int, P...>) EXPRAX_LAMBDA_INLINE { ((block[P] = value(P)), ...); }
    (std::make_integer_sequence<int, N>{});
  } else {
    for (int p = 0; p < N; ++p) block[p] = value(p);
  }
}

// The only reduced axis is the last axis of the box: packs run along it.
template <class Plan, int K, int L, class Env>
EXPRAX_INLINE constexpr auto reduce_row(Env const& env, std::ptrdiff_t const* index) {
  constexpr int b = Plan::storage.reduces[K].box, rank = Plan::storage.reduces[K].rank;
  constexpr prim op = Plan::storage.reduces[K].op;
  constexpr int first = Plan::storage.boxes[b].step, n_row = Plan::storage.boxes[b].n_row;
  constexpr bool stores = stores_operand<Plan, K>();
  constexpr int n_steps = Plan::storage.boxes[b].n_step - stores;
  constexpr phase how = stores ? phase::all : phase::compute;
  constexpr int result = Plan::storage.reduces[K].result;
  constexpr std::ptrdiff_t n = Plan::storage.reduces[K].dims[rank - 1];
  using T = element_t<Plan::storage.reduces[K].type>;
  using S = block_sums<op, T, L>;
  auto const at = box_pointers<Plan, b, rank>::template make<rank>(env, index);
  registers<Plan, b, L> r;
  run_all_steps<Plan, first, n_row, L, rank, L, phase::compute>(r, env, at, index, 0);
  typename S::A sums[S::count];
  for (int g = 0; g < S::count; ++g) sums[g] = typename S::A(identity_of<op, T>());
  auto value = [&](std::ptrdiff_t x) EXPRAX_LAMBDA_INLINE {
    run_all_steps<Plan, first + n_row, n_steps - n_row, L, rank, L, how>(r, env, at, index, x);
    return r.template file<T>()[result];
  };
  typename S::V block[S::packs];
  for (std::ptrdiff_t x = 0; x + 64 <= n; x += 64) {
    fill_block<Plan, b>(block, [&](int p) EXPRAX_LAMBDA_INLINE { return value(x + p * L); });
    S::add(sums, block);
  }
  constexpr std::ptrdiff_t rest = n % 64, start = n - rest;
  if constexpr (rest > 0) {
    for (int p = 0; p < rest / L; ++p) block[p] = value(start + p * L);
    if constexpr (rest % L > 0) {
      constexpr int count = rest % L;
      run_all_steps<Plan, first + n_row, n_steps - n_row, L, rank, count, how>(r, env, at, index, start + rest / L * L);
      block[rest / L] = select(simd::first_lanes<T, L>(count), r.template file<T>()[result], typename S::V(identity_of<op, T>()));
    }
    S::template add_first<static_cast<int>((rest + L - 1) / L)>(sums, block);
  }
  return S::finish(sums);
}

// Several reduced axes: the results of the packs of each row are concatenated, and a block is summed when it is full. The last pack of a
// row overlaps the one before.
template <class Plan, int K, int L>
struct rows_code {
  static constexpr reduce_kernel k = Plan::storage.reduces[K];
  using T = element_t<k.type>;
  using S = block_sums<k.op, T, L>;
  typename S::A sums[S::count];
  T room[64 + 2 * L];
  int held = 0;
  T* const laid = room + L;

  template <class Env>
  EXPRAX_INLINE constexpr T run(Env const& env, std::ptrdiff_t* index) {
    for (auto& s : sums) s = typename S::A(identity_of<k.op, T>());
    axes<k.kept>(env, index);
    if (held > 0) {
      for (; held < 64; ++held) laid[held] = identity_of<k.op, T>();
      add();
    }
    return S::finish(sums);
  }

 private:
  template <int Axis, class Env>
  EXPRAX_INLINE constexpr void axes(Env const& env, std::ptrdiff_t* index) {
    if constexpr (Axis == k.rank - 1) row<L>(env, index);
    else
      for (index[Axis] = 0; index[Axis] < k.dims[Axis]; ++index[Axis]) axes<Axis + 1>(env, index);
  }
  template <int N, class Env>
  EXPRAX_INLINE constexpr void row(Env const& env, std::ptrdiff_t const* index) {
    constexpr std::ptrdiff_t extent = k.dims[k.rank - 1], rest = extent % N;
    if constexpr (N > 1 && (extent < N || extent < 4)) {
      row<(extent < 4 ? 1 : N / 2)>(env, index);
    } else {
      constexpr int first = Plan::storage.boxes[k.box].step, n_row = Plan::storage.boxes[k.box].n_row,
                    n_step = Plan::storage.boxes[k.box].n_step;
      auto const at = box_pointers<Plan, k.box, k.rank>::template make<k.rank>(env, index);
      registers<Plan, k.box, N> r;
      run_all_steps<Plan, first, n_row, N, k.rank, N, phase::compute>(r, env, at, index, 0);
      auto const value = [&](std::ptrdiff_t x) EXPRAX_LAMBDA_INLINE {
        run_all_steps<Plan, first + n_row, n_step - n_row, N, k.rank, N, phase::compute>(r, env, at, index, x);
        return r.template file<T>()[k.result];
      };
      if constexpr (extent % 64 == 0) {
        // Blocks end with the rows: nothing is laid.
        typename S::V block[S::packs];
        for (std::ptrdiff_t x = 0; x < extent; x += 64) {
          fill_block<Plan, k.box>(block, [&](int p) EXPRAX_LAMBDA_INLINE { return value(x + p * N); });
          S::add(sums, block);
        }
      } else {
        auto const lay = [&](std::ptrdiff_t x, int seen) EXPRAX_LAMBDA_INLINE {
          simd::store(value(x), laid + held - seen);
          held += N - seen;
          if (held < 64) return;
          add();
          held -= 64;
          if (held > 0) simd::store(simd::load<T, N>(laid + 64), laid);
        };
        for (std::ptrdiff_t x = 0; x + N <= extent; x += N) lay(x, 0);
        if constexpr (rest > 0) lay(extent - N, N - rest);
      }
    }
  }
  EXPRAX_INLINE constexpr void add() {
    typename S::V block[S::packs];
    for (int p = 0; p < S::packs; ++p) block[p] = simd::load<T, L>(laid + p * L);
    S::add(sums, block);
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
  constexpr int widest = Vector ? Plan::storage.boxes[Plan::storage.reduces[K].box].lanes : 1;
  if constexpr (widest > 1 && Plan::storage.boxes[Plan::storage.reduces[K].box].strip > 0)
    return reduce_short_rows<Plan, K, widest, Parallel>(env);
  constexpr std::ptrdiff_t results = count_of(Plan::storage.reduces[K].dims, kept);
  constexpr bool shares_columns = Parallel && Plan::storage.reduces[K].columns && results < many_parts;
  auto const one = [&](std::ptrdiff_t* index) EXPRAX_LAMBDA_INLINE {
    if constexpr (Plan::storage.reduces[K].columns) {
      std::ptrdiff_t of_row[max_rank] = {};
      for (int i = 0; i < kept; ++i) of_row[i] = index[i];
      run_columns<Plan, K, widest, shares_columns>(env, of_row);
    } else {
      constexpr int rank = Plan::storage.reduces[K].rank, out = Plan::storage.reduces[K].out;
      auto* to = env.template buffer<Plan::storage.accesses[out].buffer>() + row_offset<Plan, out, rank>(env, index);
      if constexpr (rank - kept > 1) {
        rows_code<Plan, K, widest> code;
        *to = code.run(env, index);
      } else {
        *to = reduce_row<Plan, K, lanes_of_row(Plan::storage.reduces[K].dims[rank - 1], widest)>(env, index);
      }
    }
  };
  if constexpr (Parallel && !shares_columns) {
    if (!__builtin_is_constant_evaluated())
      return run_parts(results, [&](std::ptrdiff_t first, std::ptrdiff_t end) EXPRAX_LAMBDA_INLINE {
        for_indices<kept>(Plan::storage.reduces[K].dims, first, end, one);
      });
  }
  std::ptrdiff_t index[max_rank] = {};
  for_kept<Plan, K, 0, kept>(index, [&]() EXPRAX_LAMBDA_INLINE { one(index); });
}

}  // namespace exprax::detail
