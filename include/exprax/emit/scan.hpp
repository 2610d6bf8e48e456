// SPDX-License-Identifier: BSL-1.0
// Kernels in their order, and scan: a loop over its body's kernels. Elements of xs are read and ys written in place. A carry
// alternates between two buffers so that the last step writes the result; carries of one element, in a body that is one
// straight line, stay in registers.
#pragma once

#include <exprax/emit/contract.hpp>
#include <exprax/emit/reduce.hpp>
#include <exprax/emit/register_scan.hpp>
#include <exprax/emit/scatter.hpp>

namespace exprax::detail {

template <class Plan, int K, bool Vector, class Env>
EXPRAX_INLINE constexpr void run_scan(Env& env);

template <class Plan, int I, bool Vector, class Env>
EXPRAX_INLINE constexpr void run_kernel(Env& env) {
  constexpr kernel k = Plan::storage.kernels[I];
  if constexpr (k.kind == kernel_kind::loop) run_loop<Plan, k.index, Vector>(env);
  else if constexpr (k.kind == kernel_kind::reduce) run_reduce<Plan, k.index, Vector>(env);
  else if constexpr (k.kind == kernel_kind::contract) run_contract<Plan, k.index, Vector>(env);
  else if constexpr (k.kind == kernel_kind::scatter) run_scatter<Plan, k.index>(env);
  else if constexpr (k.kind == kernel_kind::register_scan) run_register_scan<Plan, k.index, Vector>(env);
  else run_scan<Plan, k.index, Vector>(env);
}
template <class Plan, int I, bool Vector, class Env>
[[gnu::noinline]] constexpr void run_kernel_apart(Env& env) {
  run_kernel<Plan, I, Vector>(env);
}

// A few kernels are one function; many are one each.
template <class Plan, int First, int N, bool Vector, class Env>
EXPRAX_INLINE constexpr void run_kernels(Env& env) {
  if constexpr (N <= 4) {
    [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE { (run_kernel<Plan, First + I, Vector>(env), ...); }(std::make_integer_sequence<int, N>{});
  } else {
    constexpr int n = N < 128 ? N : 128;
    [&]<int... I>(std::integer_sequence<int, I...>) { (run_kernel_apart<Plan, First + I, Vector>(env), ...); }(std::make_integer_sequence<int, n>{});
    if constexpr (N > n) run_kernels<Plan, First + n, N - n, Vector>(env);
  }
}

template <class Plan, int S>
struct scan_parts {
  static constexpr scan_kernel const& scan = Plan::storage.scans[S];
  template <int I>
  static constexpr carry_slot carry = Plan::storage.carries[Plan::storage.scans[S].carry + I];
  template <int I>
  static constexpr stream_slot stream = Plan::storage.streams[Plan::storage.scans[S].stream + I];
};

// Element t of each xs and ys.
template <class Plan, int S, int... I, class Env>
EXPRAX_INLINE constexpr void bind_streams(Env& env, [[maybe_unused]] std::ptrdiff_t t, std::integer_sequence<int, I...>) {
  using P = scan_parts<Plan, S>;
  (env.template bind<P::template stream<I>.part>(env.template buffer<P::template stream<I>.whole>() + t * Plan::storage.buffers[P::template stream<I>.part].size), ...);
}

template <class T>
EXPRAX_INLINE constexpr void copy_elements(T* to, T const* from, std::ptrdiff_t n) {
  if (to == from) return;
  for (std::ptrdiff_t i = 0; i < n; ++i) to[i] = from[i];
}

template <class Plan, int S, bool Vector, class Env, int... I>
EXPRAX_INLINE constexpr void run_buffered_scan(Env& env, std::integer_sequence<int, I...>) {
  using P = scan_parts<Plan, S>;
  constexpr std::ptrdiff_t n = Plan::storage.scans[S].length;
  constexpr auto streams = std::make_integer_sequence<int, Plan::storage.scans[S].n_stream>{};
  if constexpr (n == 0) {
    (copy_elements(env.template buffer<P::template carry<I>.result>(), env.template buffer<P::template carry<I>.init>(),
                   Plan::storage.buffers[P::template carry<I>.result].size),
     ...);
  } else {
    // The writes go to spare, result, spare, ... so that the last one is to the result; the first read is of the start.
    (env.template bind<P::template carry<I>.in>(env.template buffer<P::template carry<I>.init>()), ...);
    (env.template bind<P::template carry<I>.out>(n % 2 ? env.template buffer<P::template carry<I>.result>() : env.template buffer<P::template carry<I>.spare>()), ...);
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      bind_streams<Plan, S>(env, Plan::storage.scans[S].reverse ? n - 1 - i : i, streams);
      run_kernels<Plan, Plan::storage.scans[S].kernel, Plan::storage.scans[S].n_kernel, Vector>(env);
      bool const to_spare = (n - 1 - i) % 2 == 1;  // what was just written
      (env.template bind<P::template carry<I>.in>(to_spare ? env.template buffer<P::template carry<I>.spare>() : env.template buffer<P::template carry<I>.result>()), ...);
      (env.template bind<P::template carry<I>.out>(to_spare ? env.template buffer<P::template carry<I>.result>() : env.template buffer<P::template carry<I>.spare>()), ...);
    }
  }
}

template <class Plan, int K, bool Vector, class Env>
EXPRAX_INLINE constexpr void run_scan(Env& env) {
  run_buffered_scan<Plan, K, Vector>(env, std::make_integer_sequence<int, Plan::storage.scans[K].n_carry>{});
}

}  // namespace exprax::detail
