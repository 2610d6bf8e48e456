// SPDX-License-Identifier: BSL-1.0
// Cumulative reductions in blocks of eight, in the order that primitives/reductions/cumulative.hpp defines: of rows, whose packs have one
// block or several, and of columns.
#pragma once

#include <array>

#include <exprax/emit/kernels/loop.hpp>
#include <exprax/emit/kernels/threads.hpp>

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
// Whether x op x is x.
template <prim Op>
inline constexpr bool is_idempotent = Op == prim::cummax || Op == prim::cummin;
// Whether every order gives the same bits: then a pack is one block. The largest of several elements is NaN, if one is.
template <prim Op, class T>
inline constexpr bool is_exact = std::is_integral_v<T> || is_idempotent<Op>;
// The prefixes of all lanes, from the first lane on, or from the last one. Idempotent: join(x, x) is x.
template <bool Reverse, bool Idempotent, int Distance = 1, class V, class Join, int... I>
EXPRAX_INLINE V prefixes(V v, Join const& join, std::integer_sequence<int, I...> all) {
  constexpr int lanes = V::size;
  if constexpr (Distance == lanes) {
    return v;
  } else {
    V const joined = join(permute<lane_before<Reverse, lanes, Distance>(I)...>(v), v);
    constexpr auto is_joined = [](int lane) { return is_in_upper_half<Reverse, V::size, Distance>(lane); };
    if constexpr (Idempotent) return prefixes<Reverse, Idempotent, 2 * Distance>(joined, join, all);
    else return prefixes<Reverse, Idempotent, 2 * Distance>(permute<(is_joined(I) ? I : lanes + I)...>(joined, v), join, all);
  }
}
// The last element of a pack everywhere.
template <bool Reverse, class V, int... I>
EXPRAX_INLINE V last_everywhere(V v, std::integer_sequence<int, I...>) {
  return permute<(nth_lane<Reverse, V::size>(V::size - 1) + 0 * I)...>(v);
}

// What one block after the other becomes.
template <prim Op, bool Reverse, class V, class = void>
struct running_blocks {
  static constexpr auto all = std::make_integer_sequence<int, V::size>{};
  static constexpr auto identity = cumulative_identity<typename V::value_type>(Op);
  V carry{identity};  // in all lanes

  EXPRAX_INLINE V next(V v) {
    auto const join = [](V a, V b) EXPRAX_LAMBDA_INLINE { return primitive<Op>::join(a, b); };
    V const prefix = prefixes<Reverse, is_idempotent<Op>>(v, join, all), before = carry;
    carry = join(carry, last_everywhere<Reverse>(prefix, all));
    return join(before, prefix);
  }
};
// The largest or smallest of floats: one instruction, where there are no NaN and no -0.
template <prim Op, bool Reverse, class V>
struct running_blocks<Op, Reverse, V, std::enable_if_t<is_idempotent<Op> && std::is_floating_point_v<typename V::value_type>>> {
  using T = typename V::value_type;
  running_blocks<Op, Reverse, V, int> any_floats;
  bool is_odd = false;  // the carry is NaN or -0

  EXPRAX_INLINE V next(V v) {
    if (is_odd || any(odd(v))) {
      V const r = any_floats.next(v);
      is_odd = any(odd(any_floats.carry));
      return r;
    }
    auto const join = [](V a, V b) EXPRAX_LAMBDA_INLINE { return Op == prim::cummax ? at_least(a, b) : at_most(a, b); };
    constexpr auto all = std::make_integer_sequence<int, V::size>{};
    V const prefix = prefixes<Reverse, true>(v, join, all), before = any_floats.carry;
    any_floats.carry = join(before, last_everywhere<Reverse>(prefix, all));
    return join(before, prefix);
  }

 private:
  EXPRAX_INLINE static auto odd(V v) {
    using bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    return isnan(v) | (bitcast<bits>(v) == simd::pack<bits, V::size>(bits(bits(1) << (8 * sizeof(T) - 1))));
  }
};
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

// The prefixes of the first N elements of a block, in registers: make_prefixes.
template <prim Op, int N, int Distance = 1, class V, int... I>
EXPRAX_INLINE constexpr void prefixes_of(V* v, std::integer_sequence<int, I...> all) {
  auto const one = [&](auto i) EXPRAX_LAMBDA_INLINE {
    if constexpr ((i & Distance) != 0) v[i] = primitive<Op>::join(v[i / Distance * Distance - 1], v[i]);
  };
  (one(std::integral_constant<int, I>{}), ...);
  if constexpr (2 * Distance < N) prefixes_of<Op, N, 2 * Distance>(v, all);
}

// Packs run along the axis.
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
    if constexpr (L == 1) {
      constexpr T identity = cumulative_identity<T>(k.op);
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
      constexpr int block = is_exact<k.op, T> ? L : running_block, rest = static_cast<int>(n % L);
      constexpr std::ptrdiff_t packs = n / L;
      running_blocks<k.op, k.reverse, simd::pack<T, block>> blocks;
      for (std::ptrdiff_t p = 0; p < packs; ++p) {
        std::ptrdiff_t const x = k.reverse ? n - (p + 1) * L : p * L;
        for_blocks<k.reverse, block>(read(std::integral_constant<int, L>{}, x), [&](auto v, auto place) EXPRAX_LAMBDA_INLINE {
          store_lanes<T, block, stride>(blocks.next(v), at.template lane<k.out, k.rank>(x + place));
        });
      }
      if constexpr (rest > 0) {
        constexpr std::ptrdiff_t x = k.reverse ? 0 : packs * L;
        simd::pack<T, L> v = read(std::integral_constant<int, rest>{}, x);
        if constexpr (k.reverse) v = moved_lanes<rest, true>(v, std::make_integer_sequence<int, L>{});
        for_blocks<k.reverse, block>(v, [&](auto part, auto place) EXPRAX_LAMBDA_INLINE {
          constexpr int first = k.reverse ? L - block - place : place, count = rest - first < block ? rest - first : block;
          if constexpr (count > 0) {
            auto result = blocks.next(part);
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

// Packs run along the last axis, across the one that is reduced: row by row, eight at once. What was carried on is read from the row
// before.
template <class Plan, int K>
struct running_columns {
  static constexpr cumulative_kernel k = Plan::storage.cumulatives[K];
  static constexpr box b = Plan::storage.boxes[k.box];
  static constexpr std::ptrdiff_t n = k.dims[k.axis], width = k.dims[k.rank - 1];
  using T = element_t<k.type>;
  using pointers = box_pointers<Plan, k.box, k.rank>;

  template <int L, class Env>
  EXPRAX_INLINE static constexpr void run(Env const& env, std::ptrdiff_t const* index) {
    if constexpr (L > 1 && (width < L || width < 4)) {
      run<(width < 4 ? 1 : L / 2)>(env, index);
    } else {
      constexpr std::ptrdiff_t whole = n / running_block * running_block;
      constexpr int rest = static_cast<int>(n - whole);
      if constexpr (whole > 0) rows<L, running_block, true>(env, index, 0);
      for (std::ptrdiff_t i = running_block; i < whole; i += running_block) rows<L, running_block, false>(env, index, i);
      if constexpr (rest > 0) rows<L, rest, whole == 0>(env, index, whole);
    }
  }

 private:
  // N rows, of which the first is the one at place i. First: nothing is carried on.
  template <int L, int N, bool First, class Env>
  EXPRAX_INLINE static constexpr void rows(Env const& env, std::ptrdiff_t const* index, std::ptrdiff_t i) {
    std::ptrdiff_t of_row[N][max_rank];
    pointers at[N];
    auto const begin = [&](int j) EXPRAX_LAMBDA_INLINE {
      for (int axis = 0; axis < k.rank; ++axis) of_row[j][axis] = index[axis];
      of_row[j][k.axis] = k.reverse ? n - 1 - i - j : i + j;
      at[j] = pointers::template make<k.rank>(env, of_row[j]);
    };
    [&]<int... J>(std::integer_sequence<int, J...> all) EXPRAX_LAMBDA_INLINE {
      (begin(J), ...);
      struct results {
        simd::pack<T, L> of[N];
      };
      auto const compute = [&](std::ptrdiff_t x) EXPRAX_LAMBDA_INLINE {
        results v;
        auto const read = [&](int j) EXPRAX_LAMBDA_INLINE {
          registers<Plan, k.box, L> r;
          run_all_steps<Plan, b.step, b.n_step, L, k.rank, L, phase::compute>(r, env, at[j], of_row[j], x);
          v.of[j] = r.template file<T>()[k.result];
        };
        (read(J), ...);
        if constexpr (N > 1) prefixes_of<k.op, N>(v.of, all);
        constexpr T identity = cumulative_identity<T>(k.op);
        simd::pack<T, L> carry(identity);
        if constexpr (!First) carry = load_lanes<T, L, 1, L>(at[0].template lane<k.out, k.rank>(x) - to_next_row);
        ((v.of[J] = primitive<k.op>::join(carry, v.of[J])), ...);
        return v;
      };
      auto const store = [&](results const& v, std::ptrdiff_t x) EXPRAX_LAMBDA_INLINE {
        (store_lanes<T, L, 1>(v.of[J], at[J].template lane<k.out, k.rank>(x)), ...);
      };
      auto const packs = [&]() EXPRAX_LAMBDA_INLINE {
        for (std::ptrdiff_t x = 0; x + L <= width; x += L) store(compute(x), x);
      };
      if constexpr (width % L == 0) {
        packs();
      } else {
        // The last pack overlaps the one before: computed first, stored last.
        results const last = compute(width - L);
        packs();
        store(last, width - L);
      }
    }(std::make_integer_sequence<int, N>{});
  }
  static constexpr std::ptrdiff_t to_next_row = (k.reverse ? -1 : 1) * Plan::storage.accesses[k.out].stride[k.axis];
};

template <class Plan, int K, bool Vector, bool Parallel, class Env>
EXPRAX_INLINE constexpr void run_cumulative(Env const& env) {
  constexpr cumulative_kernel k = Plan::storage.cumulatives[K];
  using code = std::conditional_t<k.has_columns(), running_columns<Plan, K>, running_rows<Plan, K>>;
  // The axes that are walked element by element; 1: one that the code walks.
  constexpr auto walked = [](cumulative_kernel const& of) {
    std::array<int, max_rank> r = {};
    for (int i = 0; i < of.rank; ++i) r[i] = i == of.axis || i == of.rank - 1 ? 1 : of.dims[i];
    return r;
  }(k);
  constexpr std::ptrdiff_t count = count_of(walked.data(), k.rank);
  for_parts<Parallel && (count > 1)>(count, [&](std::ptrdiff_t first, std::ptrdiff_t end) EXPRAX_LAMBDA_INLINE {
    for_indices<k.rank>(walked.data(), first, end, [&](std::ptrdiff_t const* index) EXPRAX_LAMBDA_INLINE {
      code::template run<(Vector ? code::b.lanes : 1)>(env, index);
    });
  });
}

}  // namespace exprax::detail
