// SPDX-License-Identifier: BSL-1.0
// The index of the first extremum of a row (primitives/reductions/argument_reduction.hpp), in packs along it: each lane has the best of the
// elements that it has seen, and the index of that. Then the smallest index of those lanes that have the best of all.
#pragma once

#include <limits>

#include <exprax/emit/kernels/reductions/accumulator.hpp>
#include <exprax/emit/kernels/reductions/block_sums.hpp>
#include <exprax/emit/kernels/reductions/row_values.hpp>
#include <exprax/emit/kernels/threads.hpp>

namespace exprax::detail {

template <class Plan, int K, int L>
struct argument_of_row {
  static constexpr reduce_kernel k = Plan::storage.reduces[K];
  static constexpr int R = k.reduction;
  static constexpr prim op = reduction_traits<Plan, R>::op;
  using T = typename reduction_traits<Plan, R>::T;
  using index_type = typename reduction_traits<Plan, R>::result;
  using lanes = accumulator<Plan, R, L>;
  using V = typename lanes::V;
  using I = typename lanes::I;
  static constexpr std::ptrdiff_t n = k.dims[k.rank - 1];
  // Several, because each comparison waits for the one before.
  static constexpr int count = n >= 8 * L ? 4 : n >= 2 * L ? 2 : 1;

  struct found {
    T best;
    index_type index;
  };
  // Shared: by several threads.
  template <bool Shared, class Env>
  EXPRAX_INLINE static constexpr index_type find(Env const& env, std::ptrdiff_t const* index) {
    if constexpr (Shared) {
      constexpr std::ptrdiff_t packs = n / L, parts = packs < 64 ? packs : 64, size = packs / parts * L;
      found of[parts];
      run_parts(parts, [&](std::ptrdiff_t first, std::ptrdiff_t end) EXPRAX_LAMBDA_INLINE {
        for (std::ptrdiff_t i = first; i < end; ++i) of[i] = in_range(env, index, i * size, i + 1 == parts ? n : (i + 1) * size);
      });
      found best = of[0];
      for (std::ptrdiff_t i = 1; i < parts; ++i)
        if (primitive<op>::is_better(simd::lane<T>(of[i].best), simd::lane<T>(best.best)).value) best = of[i];
      return best.index;
    } else {
      return in_range(env, index, 0, n).index;
    }
  }

 private:
  // Of the elements from `first`, the first one of a pack, to `end`, in packs that begin there.
  template <class Env>
  EXPRAX_INLINE static constexpr found in_range(Env const& env, std::ptrdiff_t const* index, std::ptrdiff_t first, std::ptrdiff_t end) {
    row_values<Plan, K, L, Env> row(env, index);
    lanes of[count];
    I at = simd::iota<index_type, L>() + I(static_cast<index_type>(first));
    for (lanes& a : of) a.begin(at);
    auto const next = [&](lanes& a, V x) EXPRAX_LAMBDA_INLINE {
      a.add(x, at);
      at = at + I(static_cast<index_type>(L));
    };
    auto const value = [](auto& registers) EXPRAX_LAMBDA_INLINE {
      return registers.template file<T>()[Plan::storage.reductions[R].result];
    };
    std::ptrdiff_t x = first;
    for (; x + count * L <= end; x += count * L)
      for (int i = 0; i < count; ++i) next(of[i], value(row.read(x + i * L)));
    if constexpr (count > 1)
      for (; x + L <= end; x += L) next(of[0], value(row.read(x)));
    if constexpr (n % L > 0)
      if (x < end) {
        constexpr int rest = static_cast<int>(n % L);
        V const worst(reduction_traits<Plan, R>::identity), last = value(row.template read<rest>(x));
        next(of[0], select(simd::first_lanes<T, L>(rest), last, worst));
      }
    return joined(of);
  }
  EXPRAX_INLINE static constexpr found joined(lanes const* of) {
    V best[count];
    for (int i = 0; i < count; ++i) best[i] = of[i].best;
    T const of_all = join_lanes<op, T, L>(join_some<op, count>(best));
    I const none(std::numeric_limits<index_type>::max());
    I first = none;
    for (int i = 0; i < count; ++i) {
      auto is_best = best[i] == V(of_all);
      if constexpr (std::is_floating_point_v<T>) is_best = is_best | (best[i] != best[i]);
      first = minimum(first, select(is_best, of[i].index, none));
    }
    return {of_all, join_lanes<prim::reduce_min, index_type, L>(first)};
  }
};

}  // namespace exprax::detail
