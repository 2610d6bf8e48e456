// SPDX-License-Identifier: BSL-1.0
// Blocks of a row that is reduced (reduce_order.hpp), in packs, by one thread or by several.
#pragma once

#include <exprax/emit/kernels/reduce_order.hpp>
#include <exprax/emit/kernels/threads.hpp>

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
  // Pack g of the eight partial results.
  EXPRAX_INLINE static constexpr A reduced(V const* block, int g) {
    if constexpr (L <= 8) return join_eight<Op>(block + g, count);
    else return narrow(join_packs(block));
  }
  EXPRAX_INLINE static constexpr void add(A* sums, V const* block) {
    for (int g = 0; g < count; ++g) sums[g] = combine<Op>(sums[g], reduced(block, g));
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

// Threads reduce blocks: the first one adds its own to the accumulators; those of the others leave eight partial results each, which are
// added afterwards, in order, so that the bits are those of one thread. blocks(first, end, take) calls take(packs) for each block.
template <prim Op, class T, int L, std::ptrdiff_t Blocks, class F>
void add_shared_blocks(typename block_sums<Op, T, L>::A* sums, F const& blocks) {
  using S = block_sums<Op, T, L>;
  constexpr std::ptrdiff_t most = 1 << 20, size = 8 * sizeof(T), at_once = Blocks < most / size ? Blocks : most / size;
  scratch_memory<at_once * size> memory;
  T* const partial = reinterpret_cast<T*>(memory.data());
  for (std::ptrdiff_t done = 0; done < Blocks; done += at_once) {
    std::ptrdiff_t const n = done + at_once <= Blocks ? at_once : Blocks - done;
    std::ptrdiff_t added = 0;
    run_parts(n, [&](std::ptrdiff_t first, std::ptrdiff_t end) EXPRAX_LAMBDA_INLINE {
      if (first == 0) {
        typename S::A own[S::count];  // in registers
        for (int g = 0; g < S::count; ++g) own[g] = sums[g];
        blocks(done, done + end, [&](typename S::V const* block) EXPRAX_LAMBDA_INLINE { S::add(own, block); });
        for (int g = 0; g < S::count; ++g) sums[g] = own[g];
        added = end;
      } else {
        T* to = partial + 8 * first;
        blocks(done + first, done + end, [&](typename S::V const* block) EXPRAX_LAMBDA_INLINE {
          for (int g = 0; g < S::count; ++g, to += S::width) store_lanes<T, S::width, 1>(S::reduced(block, g), to);
        });
      }
    });
    for (int g = 0; g < S::count; ++g) {
      auto sum = sums[g];
      for (std::ptrdiff_t b = added; b < n; ++b)
        sum = combine<Op>(sum, load_lanes<T, S::width, 1, S::width>(partial + 8 * b + g * S::width));
      sums[g] = sum;
    }
  }
}

}  // namespace exprax::detail
