// SPDX-License-Identifier: BSL-1.0
// Regions (plan/data/region.hpp): loops and branches whose values are in registers. A scalar is one element; a wide value of n elements
// is a run of packs, on which slices, pads and similar operations are permutations of lanes.
#pragma once

#include <exprax/emit/kernels/steps.hpp>

namespace exprax::detail {

template <class T, int Scalars, int Wide, int L, int Packs>
struct region_file {
  simd::pack<T, 1> scalars[Scalars > 0 ? Scalars : 1];
  simd::pack<T, L> wide[Wide > 0 ? Wide : 1][Packs];
};
template <class T, int L, int Packs>
struct region_file<T, 0, 0, L, Packs> {};

// The slots of region K, and the iteration counts of the enclosing loops.
template <class Plan, int K, int L, class Types = std::make_integer_sequence<int, dtype_count>>
struct region_registers;
template <class Plan, int K, int L, int... D>
struct region_registers<Plan, K, L, std::integer_sequence<int, D...>>
    : region_file<element_t<static_cast<dtype>(D)>, Plan::storage.regions[K].scalars[D], Plan::storage.regions[K].wide[D], L,
                  (Plan::storage.regions[K].widest + L - 1) / L>... {
  static constexpr bool lanes = false;
  static constexpr int files = 1;
  static constexpr int packs_of(int n) { return (n + L - 1) / L; }
  static constexpr int packs = packs_of(Plan::storage.regions[K].widest);
  template <class T>
  using file_of = region_file<T, Plan::storage.regions[K].scalars[static_cast<int>(dtype_of<T>)], Plan::storage.regions[K].wide[static_cast<int>(dtype_of<T>)], L, packs>;
  std::ptrdiff_t iteration[Plan::storage.regions[K].counters + 1];

  template <class T>
  EXPRAX_INLINE constexpr auto& scalar(int slot) {
    return static_cast<file_of<T>&>(*this).scalars[slot];
  }
  template <class T>
  EXPRAX_INLINE constexpr auto& wide(int slot, int pack) {
    return static_cast<file_of<T>&>(*this).wide[slot][pack];
  }
  // Pack `pack` of a value; a scalar is the same in all lanes.
  template <class T, bool Wide>
  EXPRAX_INLINE constexpr simd::pack<T, L> read(int slot, int pack) {
    if constexpr (Wide) return wide<T>(slot, pack);
    else return simd::pack<T, L>(scalar<T>(slot).value);
  }
};

template <int N, class F>
EXPRAX_INLINE constexpr void for_packs(F const& f) {
  [&]<int... P>(std::integer_sequence<int, P...>) EXPRAX_LAMBDA_INLINE { (f(std::integral_constant<int, P>{}), ...); }(std::make_integer_sequence<int, N>{});
}

// ---- Memory

template <class Plan, int Term, class R>
EXPRAX_INLINE constexpr std::int64_t region_scalar(R& r) {
  return static_cast<std::int64_t>(r.template scalar<element_t<Plan::storage.region_terms[Term].type>>(Plan::storage.region_terms[Term].slot).value);
}
template <class Plan, int Term, class R>
EXPRAX_INLINE constexpr std::ptrdiff_t region_offset(R& r) {
  constexpr std::ptrdiff_t stride = Plan::storage.region_terms[Term].stride;
  if constexpr (Plan::storage.region_terms[Term].counter >= 0) {
    return r.iteration[Plan::storage.region_terms[Term].counter] * stride;
  } else {
    std::int64_t const at = region_scalar<Plan, Term>(r);
    constexpr std::int64_t limit = Plan::storage.region_terms[Term].limit;
    return static_cast<std::ptrdiff_t>(at < 0 ? 0 : at > limit ? limit : at) * stride;
  }
}
template <class Plan, int A, class R, class Env>
EXPRAX_INLINE constexpr auto* region_pointer(R& r, Env const& env) {
  std::ptrdiff_t at = Plan::storage.region_addresses[A].base;
  [&]<int... T>(std::integer_sequence<int, T...>) EXPRAX_LAMBDA_INLINE {
    ((at += region_offset<Plan, Plan::storage.region_addresses[A].term + T>(r)), ...);
  }(std::make_integer_sequence<int, Plan::storage.region_addresses[A].n_term>{});
  return env.template buffer<Plan::storage.region_addresses[A].buffer>() + at;
}
// Whether all scalar indices of the address are in bounds.
template <class Plan, int A, class R>
EXPRAX_INLINE constexpr bool region_fits(R& r) {
  if constexpr (!Plan::storage.region_addresses[A].guarded) {
    return true;
  } else {
    return [&]<int... T>(std::integer_sequence<int, T...>) EXPRAX_LAMBDA_INLINE {
      return (true && ... && [&]() EXPRAX_LAMBDA_INLINE {
        constexpr int term = Plan::storage.region_addresses[A].term + T;
        if constexpr (Plan::storage.region_terms[term].counter >= 0) return true;
        else return region_scalar<Plan, term>(r) >= 0 && region_scalar<Plan, term>(r) <= Plan::storage.region_terms[term].limit;
      }());
    }(std::make_integer_sequence<int, Plan::storage.region_addresses[A].n_term>{});
  }
}

template <class T, int N, int L, class R>
EXPRAX_INLINE constexpr void load_wide(R& r, int slot, T const* p) {
  for_packs<(N + L - 1) / L>([&](auto k) EXPRAX_LAMBDA_INLINE {
    constexpr int pack = decltype(k)::value, first = pack * L;
    if constexpr (first + L <= N) r.template wide<T>(slot, pack) = load_lanes<T, L, 1, L>(p + first);
    else r.template wide<T>(slot, pack) = simd::load_partial<T, L>(p + first, N - first, T{});
  });
}
template <class T, int N, int L, bool Wide, class R>
EXPRAX_INLINE constexpr void store_wide(R& r, int slot, T* p) {
  for_packs<(N + L - 1) / L>([&](auto k) EXPRAX_LAMBDA_INLINE {
    constexpr int pack = decltype(k)::value, first = pack * L;
    simd::pack<T, L> const v = r.template read<T, Wide>(slot, pack);
    if constexpr (first + L <= N) store_lanes<T, L, 1>(v, p + first);
    else simd::store_partial(v, p + first, N - first);
  });
}

// ---- Permutations

// The lanes of a permutation: first the packs of the source (one if it is a scalar), then those of the fill value.
template <class Plan, int Table, int N, int L, int InPacks, bool WideFill>
struct lane_table {
  static constexpr int out_packs = (N + L - 1) / L;
  static constexpr int size = out_packs * L;
  struct lanes {
    int of[out_packs * L];
    constexpr int operator[](int i) const { return of[i]; }
  };
  static constexpr lanes at = [] {
    lanes r{};
    for (int i = 0; i < out_packs * L; ++i) {
      int const from = i < N ? Plan::storage.tables[Table + i] : -2;
      r.of[i] = from >= 0 ? from % (InPacks * L) : from == -2 ? -1 : InPacks * L + (WideFill ? i : i % L);
    }
    return r;
  }();
};

// One lane of a wide value, as a scalar.
template <class T, int L, class R>
EXPRAX_INLINE constexpr simd::pack<T, 1> lane_of(R& r, int slot, int lane) {
  if constexpr (L == 1) {
    return r.template wide<T>(slot, lane);
  } else {
    T lanes[L];
    simd::store(r.template wide<T>(slot, lane / L), lanes);
    return simd::pack<T, 1>(lanes[lane % L]);
  }
}

template <class Plan, int L, int S, class R>
EXPRAX_INLINE constexpr void run_permutation(R& r) {
  constexpr region_step s = Plan::storage.region_steps[S];
  using T = element_t<s.type>;
  if constexpr (s.n == 1) {
    constexpr int lane = Plan::storage.tables[s.table];
    if constexpr (lane < 0) r.template scalar<T>(s.d) = s.wide_b ? lane_of<T, L>(r, s.b, 0) : r.template scalar<T>(s.b);
    else if constexpr (s.wide_a) r.template scalar<T>(s.d) = lane_of<T, L>(r, s.a, lane);
    else r.template scalar<T>(s.d) = r.template scalar<T>(s.a);
  } else if constexpr (L == 1) {
    for (int i = 0; i < s.n; ++i) {
      int const at = Plan::storage.tables[s.table + i];
      if constexpr (s.b < 0) r.template wide<T>(s.d, i) = r.template read<T, s.wide_a>(s.a, at);  // no fill value
      else r.template wide<T>(s.d, i) = at >= 0 ? r.template read<T, s.wide_a>(s.a, at) : r.template read<T, s.wide_b>(s.b, i);
    }
  } else {
#if EXPRAX_SIMD
    using V = simd::pack<T, L>;
    constexpr int packs = (s.n + L - 1) / L, in_packs = s.wide_a ? (s.n_in + L - 1) / L : 1, fill_packs = s.b < 0 ? 0 : s.wide_b ? packs : 1;
    struct table : lane_table<Plan, s.table, s.n, L, in_packs, s.wide_b> {};
    V in[in_packs + fill_packs], out[packs];
    for_packs<in_packs>([&](auto k) EXPRAX_LAMBDA_INLINE { in[decltype(k)::value] = r.template read<T, s.wide_a>(s.a, decltype(k)::value); });
    for_packs<fill_packs>([&](auto k) EXPRAX_LAMBDA_INLINE { in[in_packs + decltype(k)::value] = r.template read<T, s.wide_b>(s.b, decltype(k)::value); });
    simd::permute_wide<table>(in, out, V(T{}));
    for_packs<packs>([&](auto k) EXPRAX_LAMBDA_INLINE { r.template wide<T>(s.d, decltype(k)::value) = out[decltype(k)::value]; });
#endif
  }
}

// ---- Arithmetic

template <prim Op, class F, class T, bool WideA, bool WideB, bool WideC, class R>
EXPRAX_INLINE constexpr auto region_kernel_of(R& r, int a, int b, int c, int pack) {
  using P = primitive<Op>;
  if constexpr (Op == prim::select_n) return P::kernel(r.template read<bool, WideA>(a, pack), r.template read<T, WideB>(b, pack), r.template read<T, WideC>(c, pack));
  else if constexpr (Op == prim::bitcast) return P::template kernel<T>(r.template read<F, WideA>(a, pack));
  else if constexpr (P::traits.arity == 1) return P::kernel(r.template read<F, WideA>(a, pack));
  else if constexpr (P::traits.arity == 2) return P::kernel(r.template read<F, WideA>(a, pack), r.template read<F, WideB>(b, pack));
  else return P::kernel(r.template read<F, WideA>(a, pack), r.template read<F, WideB>(b, pack), r.template read<F, WideC>(c, pack));
}
template <prim Op, class F, class T, class R>
EXPRAX_INLINE constexpr auto region_scalar_of(R& r, int a, int b, int c) {
  using P = primitive<Op>;
  if constexpr (Op == prim::select_n) return P::kernel(r.template scalar<bool>(a), r.template scalar<T>(b), r.template scalar<T>(c));
  else if constexpr (Op == prim::bitcast) return P::template kernel<T>(r.template scalar<F>(a));
  else if constexpr (P::traits.arity == 1) return P::kernel(r.template scalar<F>(a));
  else if constexpr (P::traits.arity == 2) return P::kernel(r.template scalar<F>(a), r.template scalar<F>(b));
  else return P::kernel(r.template scalar<F>(a), r.template scalar<F>(b), r.template scalar<F>(c));
}

// ---- Blocks

template <class Plan, int L, int B, class R, class Env>
EXPRAX_INLINE constexpr void run_region_block(R& r, Env const& env);

template <class Plan, int L, int First, int N, int I, class R, class Env>
EXPRAX_INLINE constexpr void run_region_case(R& r, Env const& env, std::int64_t index) {
  if constexpr (I + 1 >= N) {
    run_region_block<Plan, L, Plan::storage.tables[First + I]>(r, env);
  } else {
    if (index <= I) run_region_block<Plan, L, Plan::storage.tables[First + I]>(r, env);
    else run_region_case<Plan, L, First, N, I + 1>(r, env, index);
  }
}

template <class Plan, int L, int S, class R, class Env>
EXPRAX_INLINE constexpr void run_region_control(R& r, Env const& env) {
  constexpr region_step s = Plan::storage.region_steps[S];
  if constexpr (s.kind == region_step_kind::scan) {
    for (std::ptrdiff_t i = 0; i < s.length; ++i) {
      r.iteration[s.depth] = i;
      run_region_block<Plan, L, Plan::storage.tables[s.block]>(r, env);
    }
  } else if constexpr (s.kind == region_step_kind::while_loop) {
    while (true) {
      run_region_block<Plan, L, Plan::storage.tables[s.block]>(r, env);
      if (!r.template scalar<bool>(Plan::storage.region_blocks[Plan::storage.tables[s.block]].result).value) break;
      run_region_block<Plan, L, Plan::storage.tables[s.block + 1]>(r, env);
    }
  } else {
    run_region_case<Plan, L, s.block, s.n_block, 0>(r, env, r.template scalar<std::int32_t>(s.a).value);
  }
}

// Regions in lanes have their own versions of some steps: emit/regions/lane_region.hpp.
template <class Plan, int L, int S, class R, class Env>
EXPRAX_INLINE constexpr void run_lane_step(R& r, Env const& env);

template <class Plan, int L, int S, class R, class Env>
EXPRAX_INLINE constexpr void run_region_step(R& r, Env const& env) {
  constexpr region_step s = Plan::storage.region_steps[S];
  using T = element_t<s.type>;
  using F = element_t<s.from>;
  constexpr int packs = R::packs_of(s.n);
  if constexpr (R::lanes && (s.kind == region_step_kind::load || s.kind == region_step_kind::store || (s.kind >= region_step_kind::scan && s.divergent))) {
    run_lane_step<Plan, L, S>(r, env);
  } else if constexpr (s.kind >= region_step_kind::scan) {
    run_region_control<Plan, L, S>(r, env);
  } else if constexpr (s.kind == region_step_kind::load) {
    auto const* const p = region_pointer<Plan, s.address>(r, env);
    if constexpr (s.n == 1) r.template scalar<T>(s.d) = simd::pack<T, 1>(*p);
    else load_wide<T, s.n, L>(r, s.d, p);
  } else if constexpr (s.kind == region_step_kind::store) {
    if (!region_fits<Plan, s.address>(r)) return;
    auto* const p = region_pointer<Plan, s.address>(r, env);
    if constexpr (s.n == 1) *p = r.template scalar<T>(s.a).value;
    else store_wide<T, s.n, L, s.wide_a>(r, s.a, p);
  } else if constexpr (s.kind == region_step_kind::literal) {
    r.template scalar<T>(s.d) = simd::pack<T, 1>(from_bits<T>(s.bits));
  } else if constexpr (s.kind == region_step_kind::counter) {
    r.template scalar<T>(s.d) = index_pack<T, 1>(static_cast<std::int64_t>(s.bits), s.scale, r.iteration[s.depth], false);
  } else if constexpr (s.kind == region_step_kind::constants) {
    constexpr int n = s.n, table = s.table;  // g++ 12 does not see a struct's members in a lambda
    for_packs<packs>([&](auto k) EXPRAX_LAMBDA_INLINE {
      constexpr int pack = decltype(k)::value;
      T lanes[L];
      for (int i = 0; i < L; ++i) lanes[i] = pack * L + i < n ? static_cast<T>(Plan::storage.tables[table + pack * L + i]) : T{};
      if constexpr (n == 1) r.template scalar<T>(s.d) = simd::pack<T, 1>(lanes[0]);
      else r.template wide<T>(s.d, pack) = load_lanes<T, L, 1, L>(lanes);
    });
  } else if constexpr (s.kind == region_step_kind::permute) {
    run_permutation<Plan, L, S>(r);
  } else if constexpr (s.n == 1) {
    if constexpr (s.kind == region_step_kind::move) r.template scalar<T>(s.d) = r.template scalar<T>(s.a);
    else if constexpr (s.kind == region_step_kind::convert) r.template scalar<T>(s.d) = convert<T>(r.template scalar<F>(s.a));
    else r.template scalar<T>(s.d) = region_scalar_of<s.op, F, T>(r, s.a, s.b, s.c);
  } else {
    for_packs<packs>([&](auto k) EXPRAX_LAMBDA_INLINE {
      constexpr int pack = decltype(k)::value;
      if constexpr (s.kind == region_step_kind::move) r.template wide<T>(s.d, pack) = r.template read<T, s.wide_a>(s.a, pack);
      else if constexpr (s.kind == region_step_kind::convert) r.template wide<T>(s.d, pack) = convert<T>(r.template read<F, s.wide_a>(s.a, pack));
      else r.template wide<T>(s.d, pack) = region_kernel_of<s.op, F, T, s.wide_a, s.wide_b, s.wide_c>(r, s.a, s.b, s.c, pack);
    });
  }
}

template <class Plan, int L, int First, int N, class R, class Env>
EXPRAX_INLINE constexpr void run_region_steps(R& r, Env const& env) {
  constexpr int n = N < chunk_size ? N : chunk_size;
  [&]<int... S>(std::integer_sequence<int, S...>) EXPRAX_LAMBDA_INLINE { (run_region_step<Plan, L, First + S>(r, env), ...); }(std::make_integer_sequence<int, n>{});
  if constexpr (N > n) run_region_steps<Plan, L, First + n, N - n>(r, env);
}

// All moves happen at once: one may read what another writes.
template <class Plan, int L, int First, int N, class R>
EXPRAX_INLINE constexpr void run_region_moves(R& r) {
  if constexpr (N > 0) {
    constexpr region_move m = Plan::storage.region_moves[First];
    using T = element_t<m.type>;
    if constexpr (m.n == 1) {
      simd::pack<T, 1> const next = r.template scalar<T>(m.from);
      run_region_moves<Plan, L, First + 1, N - 1>(r);
      r.template scalar<T>(m.to) = next;
    } else {
      constexpr int packs = R::packs_of(m.n);
      simd::pack<T, L> next[packs];
      for_packs<packs>([&](auto k) EXPRAX_LAMBDA_INLINE { next[decltype(k)::value] = r.template read<T, m.wide_from>(m.from, decltype(k)::value); });
      if constexpr (m.divergent) next[0] = select(r.active, next[0], r.template wide<T>(m.to, 0));
      run_region_moves<Plan, L, First + 1, N - 1>(r);
      for_packs<packs>([&](auto k) EXPRAX_LAMBDA_INLINE { r.template wide<T>(m.to, decltype(k)::value) = next[decltype(k)::value]; });
    }
  }
}

template <class Plan, int L, int B, class R, class Env>
EXPRAX_INLINE constexpr void run_block_of_one_file(R& r, Env const& env);
// The same for several register files: emit/regions/lane_region.hpp.
template <class Plan, int L, int B, class R, class Env>
EXPRAX_INLINE constexpr void run_block_of_files(R& r, Env const& env);

template <class Plan, int L, int B, class R, class Env>
EXPRAX_INLINE constexpr void run_region_block(R& r, Env const& env) {
  if constexpr (R::files > 1) return run_block_of_files<Plan, L, B>(r, env);
  else run_block_of_one_file<Plan, L, B>(r, env);
}
template <class Plan, int L, int B, class R, class Env>
EXPRAX_INLINE constexpr void run_block_of_one_file(R& r, Env const& env) {
  constexpr region_block b = Plan::storage.region_blocks[B];
  run_region_steps<Plan, L, b.step, b.n_step>(r, env);
  run_region_moves<Plan, L, b.move, b.n_move>(r);
}

template <class Plan, int K, bool Vector, class Env>
EXPRAX_INLINE constexpr void run_region(Env const& env) {
  constexpr int L = Vector ? Plan::storage.regions[K].lanes : 1;
  region_registers<Plan, K, L> r;
  run_region_block<Plan, L, Plan::storage.regions[K].block>(r, env);
}

}  // namespace exprax::detail
