// SPDX-License-Identifier: BSL-1.0
// Cumulative reductions in blocks of eight, in the order that primitives/reductions/cumulative.hpp defines. A pack has one block or several.
#pragma once

#include <exprax/emit/kernels/loop.hpp>

namespace exprax::detail {

#if EXPRAX_SIMD
// The prefixes of each group of `Group` lanes, from the first lane on, or from the last one.
template <prim Op, bool Reverse, int Group, int Distance = 1, class V>
EXPRAX_INLINE V prefixes(V v) {
  if constexpr (Distance == Group) {
    return v;
  } else {
    constexpr int lanes = V::size;
    return [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      constexpr auto nth = [](int lane) { return Reverse ? lanes - 1 - lane : lane; };
      constexpr auto source = [=](int lane) { return nth(lane) & Distance ? nth(nth(lane) / Distance * Distance - 1) : lane; };
      V const joined = primitive<Op>::join(permute<source(I)...>(v), v);
      return prefixes<Op, Reverse, Group, 2 * Distance>(permute<((nth(I) & Distance) ? I : lanes + I)...>(joined, v));
    }(std::make_integer_sequence<int, lanes>{});
  }
}
// Lane I everywhere.
template <int I, class V, int... Lanes>
EXPRAX_INLINE V everywhere(V v, std::integer_sequence<int, Lanes...>) {
  return permute<(I + 0 * Lanes)...>(v);
}
// a in the blocks before block B, b in the others.
template <bool Reverse, int B, class V, int... I>
EXPRAX_INLINE V from_block(V a, V b, std::integer_sequence<int, I...>) {
  constexpr int lanes = V::size;
  return permute<((Reverse ? lanes - 1 - I : I) / running_block < B ? I : lanes + I)...>(a, b);
}
// The results of one pack. carry: in all lanes, the result before it; then the last one. In integers every order gives the same bits, so a
// pack is one block.
template <prim Op, bool Reverse, class V>
EXPRAX_INLINE V running_pack(V v, V& carry) {
  constexpr int lanes = V::size, block = std::is_integral_v<typename V::value_type> ? lanes : running_block;
  constexpr auto all = std::make_integer_sequence<int, lanes>{};
  V const prefix = prefixes<Op, Reverse, block>(v);
  V before = carry;
  [&]<int... B>(std::integer_sequence<int, B...>) EXPRAX_LAMBDA_INLINE {
    ((carry = primitive<Op>::join(carry, everywhere<(Reverse ? lanes - block * (B + 1) : block * (B + 1) - 1)>(prefix, all)),
      before = B + 1 < lanes / block ? from_block<Reverse, B + 1>(before, carry, all) : before),
     ...);
  }(std::make_integer_sequence<int, lanes / block>{});
  return primitive<Op>::join(before, prefix);
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
    simd::pack<T, L> carry(primitive<k.op>::template identity<T>());
    if constexpr (L == 1) {
      constexpr auto one = std::integral_constant<int, 1>{};
      for (std::ptrdiff_t i = 0; i < n; i += running_block) {
        int const count = static_cast<int>(n - i < running_block ? n - i : running_block);
        auto const column = [&](int j) { return k.reverse ? n - 1 - i - j : i + j; };
        simd::pack<T, 1> v[running_block];
        for (int j = 0; j < count; ++j) v[j] = read(one, column(j));
        make_prefixes<k.op>(v, count);
        for (int j = 0; j < count; ++j)
          store_lanes<T, 1, stride>(primitive<k.op>::join(carry, v[j]), at.template lane<k.out, k.rank>(column(j)));
        carry = primitive<k.op>::join(carry, v[count - 1]);
      }
    } else {
#if EXPRAX_SIMD
      constexpr std::ptrdiff_t packs = n / L;
      constexpr int rest = static_cast<int>(n % L);
      for (std::ptrdiff_t p = 0; p < packs; ++p) {
        std::ptrdiff_t const x = k.reverse ? n - (p + 1) * L : p * L;
        store_lanes<T, L, stride>(running_pack<k.op, k.reverse>(read(std::integral_constant<int, L>{}, x), carry),
                                  at.template lane<k.out, k.rank>(x));
      }
      if constexpr (rest > 0) {
        constexpr auto all = std::make_integer_sequence<int, L>{};
        constexpr std::ptrdiff_t x = k.reverse ? 0 : packs * L;
        simd::pack<T, L> v = read(std::integral_constant<int, rest>{}, x);
        if constexpr (k.reverse) v = moved_lanes<rest, true>(v, all);
        v = running_pack<k.op, k.reverse>(v, carry);
        if constexpr (k.reverse) v = moved_lanes<rest, false>(v, all);
        store_first(v, at.template lane<k.out, k.rank>(x));
      }
#endif
    }
  }

 private:
  template <class V, int L = V::size>
  EXPRAX_INLINE static constexpr void store_first(V v, T* to) {
    constexpr int rest = static_cast<int>(n % L);
    if constexpr (stride == 1) {
      store_lanes<T, L, stride, rest>(v, to);
    } else {
      T lanes[L];
      simd::store(v, lanes);
      for (int i = 0; i < rest; ++i) to[i * stride] = lanes[i];
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
