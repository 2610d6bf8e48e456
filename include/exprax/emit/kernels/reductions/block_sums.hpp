// SPDX-License-Identifier: BSL-1.0
// Blocks of a row that is reduced (reduce_order.hpp), in packs, by one thread or by several.
#pragma once

#include <exprax/emit/kernels/joined_lanes.hpp>
#include <exprax/emit/kernels/reductions/reduction_packs.hpp>
#include <exprax/emit/kernels/threads.hpp>

namespace exprax::detail {

// A block held in 64 / L packs, reduced to eight partial results in max(8 / L, 1) packs of min(L, 8) elements.
template <prim Op, class T, int L>
struct block_sums {
  static constexpr int width = L < 8 ? L : 8, count = 8 / width, packs = 64 / L;
  using V = simd::pack<T, L>;
  using A = simd::pack<T, width>;

  EXPRAX_INLINE static constexpr A narrow(V v) {
    if constexpr (L <= 8) {
      return v;
    } else if constexpr (std::is_same_v<T, bool>) {
      T lanes[L];
      simd::store(v, lanes);
      return block_sums<Op, T, L / 2>::narrow(combine<Op>(simd::load<T, L / 2>(lanes), simd::load<T, L / 2>(lanes + L / 2)));
    } else {
      return block_sums<Op, T, L / 2>::narrow(combine<Op>(half_of<0>(v), half_of<1>(v)));
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
    if constexpr (width >= 4 && finishes_in_packs) return finish_in_packs(sums);
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
  // The same of `width` rows at once, one in each lane: row i has sums(i). Packs of 4 are joined first.
  template <class F>
  EXPRAX_INLINE static A finish_rows(F const& sums) {
    auto const join = [](A a, A b) EXPRAX_LAMBDA_INLINE { return combine<Op>(a, b); };
    return joined_lanes<T, width, width>(
        [&](auto row) EXPRAX_LAMBDA_INLINE {
          A const* of = sums(row);
          if constexpr (count == 1) return of[0];
          else return combine<Op>(of[0], of[1]);
        },
        join);
  }

 private:
  // clang finds these shuffles for integers.
#if defined(__clang__)
  static constexpr bool finishes_in_packs = std::is_floating_point_v<T>;
#else
  static constexpr bool finishes_in_packs = !std::is_same_v<T, bool>;
#endif
  // The first N packs of accumulator pack G.
  template <int G, int N>
  EXPRAX_INLINE static constexpr void add_to(A* sums, V const* block) {
    V of[N];
    for (int i = 0; i < N; ++i) of[i] = block[i * count + G];
    sums[G] = combine<Op>(sums[G], join_some<Op, N>(of));
  }
  // The same by halves: maxima of single elements would be found by branches.
  EXPRAX_INLINE static T finish_in_packs(A const* sums) {
    using H = simd::pack<T, 4>;
    H low, high;
    if constexpr (width == 8) low = half_of<0>(sums[0]), high = half_of<1>(sums[0]);
    else low = sums[0], high = sums[1];
    H const four = combine<Op>(low, high);
    H const two = combine<Op>(four, permute<2, 3, 0, 1>(four));
    T lanes[4];
    simd::store(combine<Op>(two, permute<1, 0, 3, 2>(two)), lanes);
    return lanes[0];
  }
};

// All lanes reduced to one element.
template <prim Op, class T, int L>
EXPRAX_INLINE constexpr T join_lanes(simd::pack<T, L> v) {
  if constexpr (L == 1) {
    return v.value;
  } else {
    using block = block_sums<Op, T, L>;
    typename block::A sums[block::count];
    for (int g = 1; g < block::count; ++g) sums[g] = typename block::A(identity_of<Op, T>());
    sums[0] = block::narrow(v);
    return block::finish(sums);
  }
}

// The accumulators of the reductions of a kernel that walks rows.
template <class Plan, int L, class Reductions>
struct row_sums {
  template <int R>
  using sums_of = block_sums<reduction_traits<Plan, R>::op, typename reduction_traits<Plan, R>::T, L>;
  static constexpr int width = L < 8 ? L : 8, count = 8 / width, packs_of_block = 64 / L;
  using block = reduction_packs<Plan, L, packs_of_block, Reductions>;
  reduction_packs<Plan, width, count, Reductions> sums;

  EXPRAX_INLINE constexpr void begin() { sums.set_identities(); }
  EXPRAX_INLINE constexpr void add(block& b) {
    for_each_reduction(Reductions(), [&](auto r) EXPRAX_LAMBDA_INLINE { sums_of<r>::add(sums.template of<r>(), b.template of<r>()); });
  }

  // Of whole numbers the order does not matter: a few packs take all blocks, and are joined afterwards.
  static constexpr bool is_of_integers = L > 1 && []<int... R>(std::integer_sequence<int, R...>) {
    return (!is_floating(dtype_of<typename reduction_traits<Plan, R>::T>) && ...);
  }(Reductions());
  static constexpr int few = packs_of_block < 4 ? packs_of_block : 4, blocks_at_once = 4 / few;
  using few_packs = reduction_packs<Plan, L, few, Reductions>;
  EXPRAX_INLINE constexpr void add_few(few_packs& of) {
    for_each_reduction(Reductions(), [&](auto r) EXPRAX_LAMBDA_INLINE {
      constexpr prim op = reduction_traits<Plan, r>::op;
      auto* const packs = of.template of<r>();
      for (int p = 1; p < few; ++p) packs[0] = combine<op>(packs[0], packs[p]);
      auto& sum = sums.template of<r>()[0];
      sum = combine<op>(sum, sums_of<r>::narrow(packs[0]));
    });
  }

  // The first elements of a block.
  template <int Elements>
  EXPRAX_INLINE constexpr void add_first(block& b) {
    for_each_reduction(Reductions(), [&](auto r) EXPRAX_LAMBDA_INLINE {
      if constexpr (Elements % L > 0) {
        auto& last = b.template of<r>()[Elements / L];
        last = select(simd::first_lanes<typename reduction_traits<Plan, r>::T, L>(Elements % L), last,
                      typename sums_of<r>::V(reduction_traits<Plan, r>::identity));
      }
      sums_of<r>::template add_first<(Elements + L - 1) / L>(sums.template of<r>(), b.template of<r>());
    });
  }
  // Stores the result of reduction R at to(R).
  template <class F>
  EXPRAX_INLINE constexpr void finish(F const& to) {
    for_each_reduction(Reductions(), [&](auto r) EXPRAX_LAMBDA_INLINE { *to(r) = sums_of<r>::finish(sums.template of<r>()); });
  }
};

// The partial results of at most N blocks in memory: eight of each block, one reduction after the other.
template <class Plan, int L, std::ptrdiff_t N, class Reductions>
struct partial_results;
template <class Plan, int L, std::ptrdiff_t N, int... R>
struct partial_results<Plan, L, N, std::integer_sequence<int, R...>> {
  using sums = row_sums<Plan, L, std::integer_sequence<int, R...>>;
  template <int I>
  static constexpr std::ptrdiff_t bytes_of = 8 * N * static_cast<std::ptrdiff_t>(sizeof(typename reduction_traits<Plan, I>::T));
  static constexpr std::ptrdiff_t bytes = (0 + ... + bytes_of<R>);
  std::byte* memory;

  template <int I>
  EXPRAX_INLINE auto* of(std::ptrdiff_t block) const {
    using T = typename reduction_traits<Plan, I>::T;
    constexpr std::ptrdiff_t before = (0 + ... + (R < I ? bytes_of<R> : 0));
    return reinterpret_cast<T*>(memory + before) + 8 * block;
  }
  EXPRAX_INLINE void store(typename sums::block& b, std::ptrdiff_t block) const {
    for_each_reduction(std::integer_sequence<int, R...>(), [&](auto r) EXPRAX_LAMBDA_INLINE {
      for (int g = 0; g < sums::count; ++g)
        store_lanes<typename reduction_traits<Plan, r>::T, sums::width, 1>(sums::template sums_of<r>::reduced(b.template of<r>(), g),
                                                                           of<r>(block) + g * sums::width);
    });
  }
  void add_to(sums& to, std::ptrdiff_t first, std::ptrdiff_t end) const {
    for_each_reduction(std::integer_sequence<int, R...>(), [&](auto r) EXPRAX_LAMBDA_INLINE {
      using traits = reduction_traits<Plan, r>;
      for (int g = 0; g < sums::count; ++g) {
        auto sum = to.sums.template of<r>()[g];
        for (std::ptrdiff_t b = first; b < end; ++b)
          sum = combine<traits::op>(sum, load_lanes<typename traits::T, sums::width, 1, sums::width>(of<r>(b) + g * sums::width));
        to.sums.template of<r>()[g] = sum;
      }
    });
  }
};

// Threads reduce blocks: the first one adds its own to the accumulators; those of the others leave eight partial results each, which are
// added afterwards, in order, so that the bits are those of one thread. blocks(first, end, take) calls take(block) for each block.
template <std::ptrdiff_t Blocks, class Plan, int L, class Reductions, class F>
void add_shared_blocks(row_sums<Plan, L, Reductions>& sums, F const& blocks) {
  constexpr std::ptrdiff_t most = 1 << 20, size = partial_results<Plan, L, 1, Reductions>::bytes;
  constexpr std::ptrdiff_t at_once = Blocks < most / size ? Blocks : most / size;
  using all = row_sums<Plan, L, Reductions>;
  using partial = partial_results<Plan, L, at_once, Reductions>;
  scratch_memory<partial::bytes> memory;
  partial const others{memory.data()};
  for (std::ptrdiff_t done = 0; done < Blocks; done += at_once) {
    std::ptrdiff_t const n = done + at_once <= Blocks ? at_once : Blocks - done;
    std::ptrdiff_t added = 0;
    run_parts(n, [&](std::ptrdiff_t first, std::ptrdiff_t end) EXPRAX_LAMBDA_INLINE {
      if (first == 0) {
        all own = sums;  // in registers
        blocks(done, done + end, [&](typename all::block& b) EXPRAX_LAMBDA_INLINE { own.add(b); });
        sums = own;
        added = end;
      } else {
        std::ptrdiff_t to = first;
        blocks(done + first, done + end, [&](typename all::block& b) EXPRAX_LAMBDA_INLINE { others.store(b, to++); });
      }
    });
    others.add_to(sums, added, n);
  }
}

}  // namespace exprax::detail
