// SPDX-License-Identifier: BSL-1.0
// Cumulative reductions in blocks of eight, in the order that primitives/reductions/cumulative.hpp defines. A pack has one block or several.
#pragma once

#include <exprax/emit/kernels/loop.hpp>

namespace exprax::detail {

#if EXPRAX_SIMD
// The place of a lane in the order of a pack, and the lane at a place.
template <bool Reverse, int Lanes>
constexpr int nth_lane(int i) {
  return Reverse ? Lanes - 1 - i : i;
}
template <bool Reverse, int Lanes, int Distance>
constexpr bool is_in_upper_half(int lane) {
  return (nth_lane<Reverse, Lanes>(lane) & Distance) != 0;
}
// The lane of the last element of the lower half, seen from the upper half.
template <bool Reverse, int Lanes, int Distance>
constexpr int lane_before(int lane) {
  if (!is_in_upper_half<Reverse, Lanes, Distance>(lane)) return lane;
  return nth_lane<Reverse, Lanes>(nth_lane<Reverse, Lanes>(lane) / Distance * Distance - 1);
}
// The prefixes of each group of `Group` lanes, from the first lane on, or from the last one.
template <prim Op, bool Reverse, int Group, int Distance = 1, class V, int... I>
EXPRAX_INLINE V prefixes(V v, std::integer_sequence<int, I...> all) {
  constexpr int lanes = V::size;
  if constexpr (Distance == Group) {
    return v;
  } else {
    V const joined = primitive<Op>::join(permute<lane_before<Reverse, lanes, Distance>(I)...>(v), v);
    return prefixes<Op, Reverse, Group, 2 * Distance>(permute<(is_in_upper_half<Reverse, lanes, Distance>(I) ? I : lanes + I)...>(joined, v),
                                                      all);
  }
}
// Lane I everywhere.
template <int I, class V, int... Lanes>
EXPRAX_INLINE V everywhere(V v, std::integer_sequence<int, Lanes...>) {
  return permute<(I + 0 * Lanes)...>(v);
}
// Whether every order gives the same bits: then a pack is one block.
template <class T>
inline constexpr bool is_exact = std::is_integral_v<T>;
// The results of a block. carry: in all lanes, the result before it; then the last one.
template <prim Op, bool Reverse, class V>
EXPRAX_INLINE V running_block_of(V v, V& carry) {
  constexpr auto all = std::make_integer_sequence<int, V::size>{};
  V const prefix = prefixes<Op, Reverse, V::size>(v, all), before = carry;
  carry = primitive<Op>::join(carry, everywhere<nth_lane<Reverse, V::size>(V::size - 1)>(prefix, all));
  return primitive<Op>::join(before, prefix);
}
// Calls f(block, its place) for the blocks of a pack, in order.
template <bool Reverse, int Block, int At = 0, class V, class F>
EXPRAX_INLINE void for_blocks(V v, F const& f) {
  if constexpr (V::size == Block) {
    f(v, std::integral_constant<int, At>{});
  } else {
    constexpr int half = V::size / 2;
    for_blocks<Reverse, Block, At + (Reverse ? half : 0)>(half_of<(Reverse ? 1 : 0)>(v), f);
    for_blocks<Reverse, Block, At + (Reverse ? 0 : half)>(half_of<(Reverse ? 0 : 1)>(v), f);
  }
}
// The first Count lanes come last, or the last ones first.
template <int Count, bool Last, class V, int... I>
EXPRAX_INLINE V moved_lanes(V v, std::integer_sequence<int, I...>) {
  constexpr int lanes = V::size, by = lanes - Count;
  return permute<((Last ? I - by : I + by) + lanes) % lanes...>(v);
}
#endif

template <class Plan, int K>
struct running_rows {
  static constexpr cumulative_kernel k = Plan::storage.cumulatives[K];
  static constexpr box b = Plan::storage.boxes[k.box];
  static constexpr std::ptrdiff_t n = k.dims[k.rank - 1], stride = Plan::storage.accesses[k.out].stride[k.rank - 1];
  using T = element_t<k.type>;
  using pointers = box_pointers<Plan, k.box, k.rank>;

  template <int L, class Env>
  EXPRAX_INLINE static constexpr void run(Env const& env, std::ptrdiff_t const* index) {
    auto const at = pointers::template make<k.rank>(env, index);
    registers<Plan, k.box, L> r;
    run_all_steps<Plan, b.step, b.n_row, L, k.rank, L, phase::compute>(r, env, at, index, 0);
    auto const read = [&](auto count, std::ptrdiff_t x) EXPRAX_LAMBDA_INLINE -> auto& {
      run_all_steps<Plan, b.step + b.n_row, b.n_step - b.n_row, L, k.rank, count, phase::compute>(r, env, at, index, x);
      return r.template file<T>()[k.result];
    };
    constexpr T identity = primitive<k.op>::template identity<T>();
    if constexpr (L == 1) {
      simd::pack<T, 1> carry(identity);
      for (std::ptrdiff_t i = 0; i < n; i += running_block) {
        int const count = static_cast<int>(n - i < running_block ? n - i : running_block);
        auto const column = [&](int j) { return k.reverse ? n - 1 - i - j : i + j; };
        simd::pack<T, 1> v[running_block];
        for (int j = 0; j < count; ++j) v[j] = read(std::integral_constant<int, 1>{}, column(j));
        make_prefixes<k.op>(v, count);
        for (int j = 0; j < count; ++j)
          store_lanes<T, 1, stride>(primitive<k.op>::join(carry, v[j]), at.template lane<k.out, k.rank>(column(j)));
        carry = primitive<k.op>::join(carry, v[count - 1]);
      }
    } else {
#if EXPRAX_SIMD
      constexpr int block = is_exact<T> ? L : running_block, rest = static_cast<int>(n % L);
      constexpr std::ptrdiff_t packs = n / L;
      simd::pack<T, block> carry(identity);
      for (std::ptrdiff_t p = 0; p < packs; ++p) {
        std::ptrdiff_t const x = k.reverse ? n - (p + 1) * L : p * L;
        for_blocks<k.reverse, block>(read(std::integral_constant<int, L>{}, x), [&](auto v, auto place) EXPRAX_LAMBDA_INLINE {
          store_lanes<T, block, stride>(running_block_of<k.op, k.reverse>(v, carry), at.template lane<k.out, k.rank>(x + place));
        });
      }
      if constexpr (rest > 0) {
        constexpr std::ptrdiff_t x = k.reverse ? 0 : packs * L;
        simd::pack<T, L> v = read(std::integral_constant<int, rest>{}, x);
        if constexpr (k.reverse) v = moved_lanes<rest, true>(v, std::make_integer_sequence<int, L>{});
        for_blocks<k.reverse, block>(v, [&](auto part, auto place) EXPRAX_LAMBDA_INLINE {
          constexpr int first = k.reverse ? L - block - place : place, count = rest - first < block ? rest - first : block;
          if constexpr (count > 0) {
            auto result = running_block_of<k.op, k.reverse>(part, carry);
            if constexpr (k.reverse) result = moved_lanes<count, false>(result, std::make_integer_sequence<int, block>{});
            store_first<count>(result, at.template lane<k.out, k.rank>(k.reverse ? rest - first - count : x + first));
          }
        });
      }
#endif
    }
  }

 private:
  template <int Count, class V>
  EXPRAX_INLINE static constexpr void store_first(V v, T* to) {
    if constexpr (stride == 1 || Count == V::size) {
      store_lanes<T, V::size, stride, Count>(v, to);
    } else {
      T lanes[V::size];
      simd::store(v, lanes);
      for (int i = 0; i < Count; ++i) to[i * stride] = lanes[i];
    }
  }
};

template <class Plan, int K, bool Vector, bool Parallel, class Env>
EXPRAX_INLINE constexpr void run_cumulative(Env const& env) {
  using rows = running_rows<Plan, K>;
  constexpr int outer = rows::k.rank - 1, lanes = Vector ? rows::b.lanes : 1;
  constexpr std::ptrdiff_t count = count_of(rows::k.dims, outer);
  auto const some = [&](std::ptrdiff_t first, std::ptrdiff_t end) EXPRAX_LAMBDA_INLINE {
    for_indices<outer>(rows::k.dims, first, end,
                       [&](std::ptrdiff_t const* index) EXPRAX_LAMBDA_INLINE { rows::template run<lanes>(env, index); });
  };
  if constexpr (Parallel) {
    if (!__builtin_is_constant_evaluated()) return run_parts(count, some);
  }
  some(0, count);
}

}  // namespace exprax::detail
