// SPDX-License-Identifier: BSL-1.0
// A scan in registers: a value of n elements is a run of packs; slices, pads and the like are permutations of lanes.
#pragma once

#include <exprax/emit/steps.hpp>

namespace exprax::detail {

template <class V, int N, int Packs>
struct wide_file {
  V of[N][Packs];
};
template <class V, int Packs>
struct wide_file<V, 0, Packs> {};

template <class Plan, int K, int L, class Types = std::make_integer_sequence<int, dtype_count>>
struct wide_registers;
template <class Plan, int K, int L, int... D>
struct wide_registers<Plan, K, L, std::integer_sequence<int, D...>>
    : wide_file<simd::pack<element_t<static_cast<dtype>(D)>, L>, Plan::storage.register_scans[K].slots[D], (Plan::storage.register_scans[K].widest + L - 1) / L>... {
  static constexpr int packs = (Plan::storage.register_scans[K].widest + L - 1) / L;
  template <class T>
  EXPRAX_INLINE constexpr auto& file() {
    return static_cast<wide_file<simd::pack<T, L>, Plan::storage.register_scans[K].slots[static_cast<int>(dtype_of<T>)], packs>&>(*this).of;
  }
};

template <int N, class F>
EXPRAX_INLINE constexpr void for_packs(F const& f) {
  [&]<int... P>(std::integer_sequence<int, P...>) EXPRAX_LAMBDA_INLINE { (f(std::integral_constant<int, P>{}), ...); }(std::make_integer_sequence<int, N>{});
}

// The lanes of a permutation: first the source's packs, then the fill's.
template <class Plan, int Table, int N, int L, int NIn, bool WideFill>
struct lane_table {
  static constexpr int out_packs = (N + L - 1) / L, in_packs = (NIn + L - 1) / L;
  static constexpr int size = out_packs * L;
  struct lanes {
    int of[out_packs * L];
    constexpr int operator[](int i) const { return of[i]; }
  };
  static constexpr lanes at = [] {
    lanes r{};
    for (int i = 0; i < out_packs * L; ++i) {
      int const from = i < N ? Plan::storage.tables[Table + i] : -2;
      r.of[i] = from >= 0 ? from : from == -2 ? -1 : in_packs * L + (WideFill ? i : i % L);
    }
    return r;
  }();
};

// Step S of scan K.
template <class Plan, int K, int L, int S, class R, class Env>
EXPRAX_INLINE constexpr void run_register_step(R& r, Env const& env, [[maybe_unused]] std::ptrdiff_t t) {
  constexpr register_step s = Plan::storage.register_steps[S];
  using T = element_t<s.type>;
  using V = simd::pack<T, L>;
  constexpr int packs = (s.n + L - 1) / L;
  auto& file = r.template file<T>();
  if constexpr (s.kind == register_step_kind::load) {
    T const* const p = env.template buffer<s.buffer>() + (s.element ? t * s.n : 0);
    for_packs<packs>([&](auto k) EXPRAX_LAMBDA_INLINE {
      constexpr int first = decltype(k)::value * L;
      if constexpr (s.n == 1) file[s.d][0] = V(*p);
      else if constexpr (first + L <= s.n) file[s.d][decltype(k)::value] = load_lanes<T, L, 1, L>(p + first);
      else file[s.d][decltype(k)::value] = simd::load_partial<T, L>(p + first, s.n - first, T{});
    });
  } else if constexpr (s.kind == register_step_kind::store) {
    T* const p = env.template buffer<s.buffer>() + (s.element ? t * s.n : 0);
    for_packs<packs>([&](auto k) EXPRAX_LAMBDA_INLINE {
      constexpr int first = decltype(k)::value * L;
      V const& v = file[s.a][s.wide_a ? decltype(k)::value : 0];
      if constexpr (first + L <= s.n) store_lanes<T, L, 1>(v, p + first);
      else simd::store_partial(v, p + first, s.n - first);
    });
  } else if constexpr (s.kind == register_step_kind::literal) {
    file[s.d][0] = V(from_bits<T>(s.bits));
  } else if constexpr (s.kind == register_step_kind::numbers) {
    for_packs<packs>([&](auto k) EXPRAX_LAMBDA_INLINE {
      T lanes[L];
      for (int i = 0; i < L; ++i) lanes[i] = decltype(k)::value * L + i < s.n ? static_cast<T>(Plan::storage.tables[s.table + decltype(k)::value * L + i]) : T{};
      file[s.d][decltype(k)::value] = load_lanes<T, L, 1, L>(lanes);
    });
  } else if constexpr (s.kind == register_step_kind::convert) {
    using F = element_t<s.from>;
    for_packs<packs>([&](auto k) EXPRAX_LAMBDA_INLINE {
      file[s.d][decltype(k)::value] = convert<T>(r.template file<F>()[s.a][s.wide_a ? decltype(k)::value : 0]);
    });
  } else if constexpr (s.kind == register_step_kind::compute) {
    using F = element_t<s.from>;
    using P = primitive<s.op>;
    for_packs<packs>([&](auto k) EXPRAX_LAMBDA_INLINE {
      constexpr int i = decltype(k)::value, a = s.wide_a ? i : 0, b = s.wide_b ? i : 0, c = s.wide_c ? i : 0;
      V& out = file[s.d][i];
      if constexpr (s.op == prim::select_n) out = P::kernel(r.template file<bool>()[s.a][a], file[s.b][b], file[s.c][c]);
      else if constexpr (arity(s.op) == 1) out = P::kernel(r.template file<F>()[s.a][a]);
      else if constexpr (arity(s.op) == 2) out = P::kernel(r.template file<F>()[s.a][a], r.template file<F>()[s.b][b]);
      else out = P::kernel(r.template file<F>()[s.a][a], r.template file<F>()[s.b][b], r.template file<F>()[s.c][c]);
    });
  } else {
    using table [[maybe_unused]] = lane_table<Plan, s.table, s.n, L, s.n_in, s.wide_b>;
    [[maybe_unused]] constexpr int from = s.wide_a ? table::in_packs : 1;
    if constexpr (L == 1) {
      for (int i = 0; i < s.n; ++i) {
        int const at = Plan::storage.tables[s.table + i];
        file[s.d][i] = at >= 0 ? file[s.a][s.wide_a ? at : 0] : file[s.b][s.wide_b ? i : 0];
      }
    } else {
#if EXPRAX_SIMD
      V in[table::in_packs + (s.wide_b ? packs : 1)], out[packs];
      for_packs<table::in_packs>([&](auto k) EXPRAX_LAMBDA_INLINE { in[decltype(k)::value] = file[s.a][decltype(k)::value < from ? decltype(k)::value : 0]; });
      for_packs<(s.wide_b ? packs : 1)>([&](auto k) EXPRAX_LAMBDA_INLINE { in[table::in_packs + decltype(k)::value] = file[s.b][s.wide_b ? decltype(k)::value : 0]; });
      simd::permute_wide<table>(in, out, V(T{}));
      for_packs<packs>([&](auto k) EXPRAX_LAMBDA_INLINE { file[s.d][decltype(k)::value] = out[decltype(k)::value]; });
#endif
    }
  }
}

template <class Plan, int K, int L, int First, int N, class R, class Env>
EXPRAX_INLINE constexpr void run_register_steps(R& r, Env const& env, std::ptrdiff_t t) {
  constexpr int n = N < chunk_size ? N : chunk_size;
  [&]<int... S>(std::integer_sequence<int, S...>) EXPRAX_LAMBDA_INLINE { (run_register_step<Plan, K, L, First + S>(r, env, t), ...); }(std::make_integer_sequence<int, n>{});
  if constexpr (N > n) run_register_steps<Plan, K, L, First + n, N - n>(r, env, t);
}

template <class Plan, int C, int L, class R, class Env>
EXPRAX_INLINE constexpr void load_carry(R& r, Env const& env) {
  constexpr register_carry c = Plan::storage.register_carries[C];
  using T = element_t<c.type>;
  T const* const p = env.template buffer<c.init>();
  auto& file = r.template file<T>();
  for_packs<(c.n + L - 1) / L>([&](auto k) EXPRAX_LAMBDA_INLINE {
    constexpr int first = decltype(k)::value * L;
    if constexpr (c.n == 1) file[c.in][0] = simd::pack<T, L>(*p);
    else if constexpr (first + L <= c.n) file[c.in][decltype(k)::value] = load_lanes<T, L, 1, L>(p + first);
    else file[c.in][decltype(k)::value] = simd::load_partial<T, L>(p + first, c.n - first, T{});
  });
}
template <class Plan, int C, int L, class R, class Env>
EXPRAX_INLINE constexpr void store_carry(R& r, Env const& env) {
  constexpr register_carry c = Plan::storage.register_carries[C];
  using T = element_t<c.type>;
  T* const p = env.template buffer<c.result>();
  auto& file = r.template file<T>();
  for_packs<(c.n + L - 1) / L>([&](auto k) EXPRAX_LAMBDA_INLINE {
    constexpr int first = decltype(k)::value * L;
    if constexpr (first + L <= c.n) store_lanes<T, L, 1>(file[c.in][decltype(k)::value], p + first);
    else simd::store_partial(file[c.in][decltype(k)::value], p + first, c.n - first);
  });
}
// All carries at once: one may be the other's next value.
template <class Plan, int First, int N, int L, class R>
EXPRAX_INLINE constexpr void move_carries(R& r) {
  if constexpr (N > 0) {
    constexpr register_carry c = Plan::storage.register_carries[First];
    using V = simd::pack<element_t<c.type>, L>;
    constexpr int packs = (c.n + L - 1) / L;
    auto& file = r.template file<element_t<c.type>>();
    V next[packs];
    for_packs<packs>([&](auto k) EXPRAX_LAMBDA_INLINE { next[decltype(k)::value] = file[c.out][c.wide_out ? decltype(k)::value : 0]; });
    move_carries<Plan, First + 1, N - 1, L>(r);
    for_packs<packs>([&](auto k) EXPRAX_LAMBDA_INLINE { file[c.in][decltype(k)::value] = next[decltype(k)::value]; });
  }
}

template <class Plan, int K>
constexpr int lanes_of_scan() {
  register_scan_kernel const& s = Plan::storage.register_scans[K];
  int widest = 1;
  for (int d = 0; d < dtype_count; ++d)
    if (s.slots[d] > 0 && size_of(static_cast<dtype>(d)) > widest) widest = size_of(static_cast<dtype>(d));
  int lanes = simd::register_bytes > widest ? simd::register_bytes / widest : 1;
  while (lanes > 1 && lanes / 2 >= s.widest) lanes /= 2;
  return s.widest < 4 ? 1 : lanes;
}

template <class Plan, int K, bool Vector, class Env>
EXPRAX_INLINE constexpr void run_register_scan(Env& env) {
  constexpr register_scan_kernel s = Plan::storage.register_scans[K];
  constexpr int L = Vector ? lanes_of_scan<Plan, K>() : 1;
  wide_registers<Plan, K, L> r;
  [&]<int... C>(std::integer_sequence<int, C...>) EXPRAX_LAMBDA_INLINE {
    run_register_steps<Plan, K, L, s.step, s.n_before>(r, env, 0);
    (load_carry<Plan, s.carry + C, L>(r, env), ...);
    for (std::ptrdiff_t i = 0; i < s.length; ++i) {
      run_register_steps<Plan, K, L, s.step + s.n_before, s.n_step - s.n_before>(r, env, s.reverse ? s.length - 1 - i : i);
      move_carries<Plan, s.carry, s.n_carry, L>(r);
    }
    (store_carry<Plan, s.carry + C, L>(r, env), ...);
  }(std::make_integer_sequence<int, s.n_carry>{});
}

}  // namespace exprax::detail
