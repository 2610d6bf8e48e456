// SPDX-License-Identifier: BSL-1.0
// The steps of a region (plan/data/region.hpp) that are not control: loads and stores, permutations, arithmetic.
#pragma once

#include <exprax/emit/regions/lane_memory.hpp>

namespace exprax::detail {

// ---- Permutations

#if EXPRAX_SIMD
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
      int const from = i < N ? Plan::storage.tables[Table + i] : from_fill;
      r.of[i] = i >= N ? simd::fill_lane : from == from_fill ? InPacks * L + (WideFill ? i : i % L) : from % (InPacks * L);
    }
    return r;
  }();
};
#endif

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
    if constexpr (lane == from_fill) r.template scalar<T>(s.d) = s.wide_b ? lane_of<T, L>(r, s.b, 0) : r.template scalar<T>(s.b);
    else if constexpr (s.wide_a) r.template scalar<T>(s.d) = lane_of<T, L>(r, s.a, lane);
    else r.template scalar<T>(s.d) = r.template scalar<T>(s.a);
  } else if constexpr (L == 1) {
    for (int i = 0; i < s.n; ++i) {
      int const at = Plan::storage.tables[s.table + i];
      if constexpr (s.b < 0) r.template wide<T>(s.d, i) = r.template read<T, s.wide_a>(s.a, at);  // no fill value
      else r.template wide<T>(s.d, i) = at == from_fill ? r.template read<T, s.wide_b>(s.b, i) : r.template read<T, s.wide_a>(s.a, at);
    }
  } else {
#if EXPRAX_SIMD
    using V = simd::pack<T, L>;
    constexpr int packs = (s.n + L - 1) / L, in_packs = s.wide_a ? (s.n_in + L - 1) / L : 1,
                  fill_packs = s.b < 0    ? 0
                               : s.wide_b ? packs
                                          : 1;
    struct table : lane_table<Plan, s.table, s.n, L, in_packs, s.wide_b> {};
    V in[in_packs + fill_packs], out[packs];
    for_packs<in_packs>([&](auto k)
                            EXPRAX_LAMBDA_INLINE { in[decltype(k)::value] = r.template read<T, s.wide_a>(s.a, decltype(k)::value); });
    for_packs<fill_packs>(
        [&](auto k) EXPRAX_LAMBDA_INLINE { in[in_packs + decltype(k)::value] = r.template read<T, s.wide_b>(s.b, decltype(k)::value); });
    simd::permute_wide<table>(in, out, V(T{}));
    for_packs<packs>([&](auto k) EXPRAX_LAMBDA_INLINE { r.template wide<T>(s.d, decltype(k)::value) = out[decltype(k)::value]; });
#endif
  }
}

// ---- Arithmetic

template <prim Op, class F, class T, bool WideA, bool WideB, bool WideC, class R>
EXPRAX_INLINE constexpr auto region_kernel_of(R& r, int a, int b, int c, int pack) {
  using P = primitive<Op>;
  if constexpr (Op == prim::select_n)
    return P::kernel(r.template read<bool, WideA>(a, pack), r.template read<T, WideB>(b, pack), r.template read<T, WideC>(c, pack));
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

// A step without blocks.
template <class Plan, int L, int S, class R, class Env>
EXPRAX_INLINE constexpr void run_straight_step(R& r, Env const& env) {
  constexpr region_step s = Plan::storage.region_steps[S];
  using T = element_t<s.type>;
  using F = element_t<s.from>;
  constexpr int packs = R::packs_of(s.n);
  if constexpr (R::lanes && s.kind == region_step_kind::load) {
    run_lane_load<Plan, L, S>(r, env);
  } else if constexpr (R::lanes && s.kind == region_step_kind::store) {
    run_lane_store<Plan, L, S>(r, env);
  } else if constexpr (s.kind == region_step_kind::load && s.forwards) {
    load_forwarded<Plan, S>(r, env);
  } else if constexpr (s.kind == region_step_kind::store && s.forwards) {
    store_forwarded<Plan, S>(r, env);
  } else if constexpr (s.kind == region_step_kind::load) {
    auto const* const p = region_pointer<Plan, s.address>(r, env);
    if constexpr (s.n == 1) r.template scalar<T>(s.d) = simd::pack<T, 1>(*p);
    else load_wide<T, s.n, L>(r, s.d, p);
  } else if constexpr (s.kind == region_step_kind::store) {
    std::ptrdiff_t at = 0;
    if (!region_store_place<Plan, s.address>(r, at)) [[unlikely]]
      return;
    auto* const p = env.template buffer<Plan::storage.region_addresses[s.address].buffer>() + at;
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
      else if constexpr (s.kind == region_step_kind::convert)
        r.template wide<T>(s.d, pack) = convert<T>(r.template read<F, s.wide_a>(s.a, pack));
      else r.template wide<T>(s.d, pack) = region_kernel_of<s.op, F, T, s.wide_a, s.wide_b, s.wide_c>(r, s.a, s.b, s.c, pack);
    });
  }
}

}  // namespace exprax::detail
