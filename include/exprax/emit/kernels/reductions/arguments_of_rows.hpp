// SPDX-License-Identifier: BSL-1.0
// The indices of the first extrema of several short rows: their values are transposed, so that each lane of a pack walks its own row.
#pragma once

#include <exprax/emit/kernels/reductions/accumulator.hpp>
#include <exprax/emit/kernels/reductions/reduce_short_rows.hpp>
#include <exprax/emit/kernels/reductions/row_values.hpp>
#include <exprax/emit/kernels/tile.hpp>

namespace exprax::detail {

template <class Plan, int K, int L>
struct arguments_of_rows {
  static constexpr reduce_kernel k = Plan::storage.reduces[K];
  static constexpr box b = Plan::storage.boxes[k.box];
  static constexpr int R = k.reduction, at_once = L, axis = k.kept > 0 ? k.kept - 1 : 0;
  static constexpr std::ptrdiff_t n = k.dims[k.rank - 1];
  using T = typename reduction_traits<Plan, R>::T;
  using index_type = typename reduction_traits<Plan, R>::result;
  // The rows and columns that are transposed together.
  static constexpr int block = sizeof(T) == 4 && L >= 8 ? 8 : 4, blocks = L / block;
  static constexpr bool fits = [] {
    constexpr std::ptrdiff_t most = 64;
    return EXPRAX_SIMD && !k.columns && k.kept > 0 && (blocks == 1 || blocks == 2) && n >= block && n <= most && k.dims[axis] >= at_once &&
           Plan::storage.accesses[Plan::storage.reductions[R].out].stride[axis] == 1;
  }();

#if EXPRAX_SIMD
  // From row `first` on along the last kept axis.
  template <class Env>
  EXPRAX_INLINE static void run(Env const& env, std::ptrdiff_t* index, std::ptrdiff_t first) {
    index[axis] = first;
    accumulator<Plan, R, L> lanes;
    lanes.begin(simd::pack<index_type, L>(index_type(0)));
    if constexpr (are_stored) {
      constexpr int access = Plan::storage.steps[b.step].access;
      auto const at = box_pointers<Plan, k.box, k.rank>::template make<k.rank>(env, index);
      walk(lanes, at.template lane<access, k.rank>(0), Plan::storage.accesses[access].stride[axis]);
    } else {
      constexpr std::ptrdiff_t pitch = (n + L - 1) / L * L;
      alignas(64) T values[at_once * pitch];
      for (int i = 0; i < at_once; ++i) {
        index[axis] = first + i;
        row_values<Plan, K, L, Env> row(env, index);
        auto const put = [&](std::ptrdiff_t x, auto& registers) EXPRAX_LAMBDA_INLINE {
          simd::store(registers.template file<T>()[Plan::storage.reductions[R].result], values + i * pitch + x);
        };
        std::ptrdiff_t x = 0;
        for (; x + L <= n; x += L) put(x, row.read(x));
        if constexpr (n % L > 0) put(x, row.template read<static_cast<int>(n % L)>(x));
      }
      walk(lanes, values, pitch);
      index[axis] = first;
    }
    simd::store(lanes.result(), result_of_row<Plan, K, R>(env, index));
  }

 private:
  // Whether they are the rows of an array.
  static constexpr bool are_stored = [] {
    if (!reduced_values<Plan, k.box, k.rank>::are_stored || stores_operand<Plan, K>()) return false;
    return Plan::storage.accesses[Plan::storage.steps[b.step].access].stride[k.rank - 1] == 1;
  }();
  EXPRAX_INLINE static void walk(accumulator<Plan, R, L>& lanes, T const* from, std::ptrdiff_t pitch) {
    for (std::ptrdiff_t x = 0; x + block <= n; x += block) add<0>(lanes, from, pitch, x);
    if constexpr (n % block > 0) add<block - static_cast<int>(n % block)>(lanes, from, pitch, n - block);
  }
  // The columns of the block at x, but for the first ones.
  template <int First>
  EXPRAX_INLINE static void add(accumulator<Plan, R, L>& lanes, T const* from, std::ptrdiff_t pitch, std::ptrdiff_t x) {
    auto const low = transposed_block<T, block>(from + x, pitch);
    auto const next = [&](int y, auto const& column) EXPRAX_LAMBDA_INLINE {
      lanes.add(to_pack<T, L>(column), simd::pack<index_type, L>(static_cast<index_type>(x + y)));
    };
    if constexpr (blocks == 1) {
      for (int y = First; y < block; ++y) next(y, low.of[y]);
    } else {
      auto const high = transposed_block<T, block>(from + x + block * pitch, pitch);
      for (int y = First; y < block; ++y) next(y, beside<T, block>(low.of[y], high.of[y]));
    }
  }
#endif
};

}  // namespace exprax::detail
