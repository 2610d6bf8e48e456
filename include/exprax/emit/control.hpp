// SPDX-License-Identifier: BSL-1.0
// Runs kernels in order, and kernels that run others: loops and branches. Elements of xs are read and ys written in place. A carry is
// updated in place if possible, copied if it is small, and otherwise its buffers change places.
#pragma once

#include <exprax/emit/kernels/indexed.hpp>
#include <exprax/emit/kernels/nonzero.hpp>
#include <exprax/emit/kernels/print_values.hpp>
#include <exprax/emit/kernels/products/dot.hpp>
#include <exprax/emit/kernels/reductions/cumulative.hpp>
#include <exprax/emit/kernels/reductions/reduce.hpp>
#include <exprax/emit/kernels/sort.hpp>
#include <exprax/emit/regions/region.hpp>

namespace exprax::detail {

template <class Plan, int I, int K, bool Vector, class Env>
EXPRAX_INLINE constexpr void run_scan(Env& env);
template <class Plan, int K, bool Vector, class Env>
EXPRAX_INLINE constexpr void run_while(Env& env);
template <class Plan, int K, bool Vector, class Env>
EXPRAX_INLINE constexpr void run_branch(Env& env);

template <int B, class Env>
auto print_operand(Env const& env, aval const& type) {
  auto const* const data = env.template buffer<B>();
  return printed<std::remove_cvref_t<decltype(*data)>>{data, type};
}
// Prints the operands of an equation; does nothing in constant evaluation.
template <class Plan, int K, class Env>
EXPRAX_INLINE constexpr void run_print(Env const& env) {
  if (__builtin_is_constant_evaluated()) return;
  [&]<int... I>(std::integer_sequence<int, I...>) {
    equation_ref const e{Plan::program::ref, Plan::program::ref.eqns[Plan::storage.prints[K].equation]};
    print_formatted(primitive<prim::debug_print>::text(e),
                    print_operand<Plan::storage.tables[Plan::storage.prints[K].operand + I]>(env, e.type(I))...);
  }(std::make_integer_sequence<int, Plan::storage.prints[K].n_operand>{});
}

template <class Plan, int I, bool Vector, class Env>
EXPRAX_INLINE constexpr void run_kernel(Env& env) {
  constexpr kernel k = Plan::storage.kernels[I];
  if constexpr (k.kind == kernel_kind::loop) run_loop<Plan, k.index, Vector, k.is_parallel()>(env);
  else if constexpr (k.kind == kernel_kind::reduce) run_reduce<Plan, k.index, Vector, k.is_parallel()>(env);
  else if constexpr (k.kind == kernel_kind::cumulative) run_cumulative<Plan, k.index, Vector, k.is_parallel()>(env);
  else if constexpr (k.kind == kernel_kind::contract) run_contract<Plan, k.index, Vector, k.is_parallel()>(env);
  else if constexpr (k.kind == kernel_kind::gather || k.kind == kernel_kind::scatter) run_indexed<Plan, k.index>(env);
  else if constexpr (k.kind == kernel_kind::ordering) run_ordering<Plan, k.index, Vector>(env);
  else if constexpr (k.kind == kernel_kind::nonzero) run_nonzero<Plan, k.index, Vector>(env);
  else if constexpr (k.kind == kernel_kind::region) {
    if constexpr (Plan::storage.regions[k.index].row_axes > 0) run_lanes<Plan, I, k.index, Vector>(env);
    else run_region<Plan, k.index, Vector>(env);
  } else if constexpr (k.kind == kernel_kind::print) run_print<Plan, k.index>(env);
  else if constexpr (k.kind == kernel_kind::scan) run_scan<Plan, I, k.index, Vector>(env);
  else if constexpr (k.kind == kernel_kind::while_loop) run_while<Plan, k.index, Vector>(env);
  else run_branch<Plan, k.index, Vector>(env);
}
template <class Plan, int I, bool Vector, class Env>
[[gnu::noinline]] EXPRAX_OPTIMIZED EXPRAX_FLATTEN constexpr void run_kernel_apart(Env& env) {
  run_kernel<Plan, I, Vector>(env);
}

// A few kernels are inlined into one function; many get a function each.
template <class Plan, int First, int N, bool Vector, class Env>
EXPRAX_INLINE constexpr void run_kernels(Env& env) {
  if constexpr (N <= 4) {
    [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE { (run_kernel<Plan, First + I, Vector>(env), ...); }
    (std::make_integer_sequence<int, N>{});
  } else {
    constexpr int n = N < 128 ? N : 128;
    [&]<int... I>(std::integer_sequence<int, I...>) { (run_kernel_apart<Plan, First + I, Vector>(env), ...); }
    (std::make_integer_sequence<int, n>{});
    if constexpr (N > n) run_kernels<Plan, First + n, N - n, Vector>(env);
  }
}

// ---- Carries

template <class Plan, int B>
inline constexpr std::ptrdiff_t size_of_buffer = Plan::storage.buffers[B].size;

template <class T>
EXPRAX_INLINE constexpr void copy_elements(T* to, T const* from, std::ptrdiff_t n) {
  if (to == from) return;
  for (std::ptrdiff_t i = 0; i < n; ++i) to[i] = from[i];
}
template <class T>
EXPRAX_INLINE constexpr void swap_elements(T* a, T* b, std::ptrdiff_t n) {
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    T const t = a[i];
    a[i] = b[i];
    b[i] = t;
  }
}

// What happens to carry C before the first iteration, after each, and, from the last carry in the table to the first, after the loop.
template <class Plan, int C>
struct carry_of {
  static constexpr carry_slot c = Plan::storage.carries[C];
  static constexpr std::ptrdiff_t size = size_of_buffer<Plan, c.result>;

  template <class Env>
  EXPRAX_INLINE static constexpr void start(Env& env) {
    if constexpr (c.in != c.out) {
      if constexpr (c.mode == carry_mode::swapped || c.mode == carry_mode::shifted) {
        // The first read is of the initial value.
        env.template bind<c.in>(env.template buffer<c.init>());
        if constexpr (c.mode == carry_mode::swapped) env.template bind<c.out>(env.template buffer<Plan::storage.tables[c.ring]>());
      } else {
        auto* const result = env.template buffer<c.result>();
        copy_elements(result, env.template buffer<c.init>(), size);
        env.template bind<c.in>(result);
        if constexpr (c.mode == carry_mode::copied) env.template bind<c.out>(env.template buffer<c.spare>());
        else env.template bind<c.out>(result);
      }
    }
  }
  template <class Env>
  EXPRAX_INLINE static constexpr void next(Env& env) {
    if constexpr (c.in != c.out && c.mode == carry_mode::copied) {
      copy_elements(env.template buffer<c.result>(), env.template buffer<c.spare>(), size);
    } else if constexpr (c.in != c.out && c.mode == carry_mode::swapped) {
      auto* const written = env.template buffer<c.out>();
      env.template bind<c.in>(written);
      env.template bind<c.out>(after<0>(env, written));
    } else if constexpr (c.mode == carry_mode::shifted) {
      env.template bind<c.in>(env.template buffer<c.out>());
    }
  }
  template <class Env>
  EXPRAX_INLINE static constexpr void finish(Env& env) {
    if constexpr (c.in != c.out && (c.mode == carry_mode::swapped || c.mode == carry_mode::shifted)) {
      if constexpr (c.older > 0) make_room(env, std::make_integer_sequence<int, c.older>{});
      copy_elements(env.template buffer<c.result>(), env.template buffer<c.in>(), size);
    }
  }

 private:
  // The buffer of the ring that is written after this one.
  template <int I, class Env, class T>
  EXPRAX_INLINE static constexpr T* after(Env const& env, T* written) {
    T* const next = env.template buffer<Plan::storage.tables[c.ring + (I + 1) % c.n_ring]>();
    if constexpr (I + 1 == c.n_ring) return next;
    else return written == env.template buffer<Plan::storage.tables[c.ring + I]>() ? next : after<I + 1>(env, written);
  }
  // If an older value stands in this one's result, the two change places.
  template <int... I, class Env>
  EXPRAX_INLINE static constexpr void make_room(Env& env, std::integer_sequence<int, I...>) {
    auto const change = [&]<class Other>(Other) EXPRAX_LAMBDA_INLINE {
      auto* const here = env.template buffer<c.in>();
      auto* const result = env.template buffer<c.result>();
      if (here == result || env.template buffer<Other::c.in>() != result) return;
      swap_elements(result, here, size);
      env.template bind<c.in>(result);
      env.template bind<Other::c.in>(here);
    };
    (change(carry_of<Plan, C - 1 - I>{}), ...);
  }
};

// ---- Loops

template <class Plan, int S, int I>
inline constexpr stream_slot stream_of = Plan::storage.streams[Plan::storage.scans[S].stream + I];

// Element t of each xs and ys.
template <class Plan, int S, int... I, class Env>
EXPRAX_INLINE constexpr void bind_streams(Env& env, [[maybe_unused]] std::ptrdiff_t t, std::integer_sequence<int, I...>) {
  (env.template bind<stream_of<Plan, S, I>.part>(env.template buffer<stream_of<Plan, S, I>.whole>() +
                                                 t * size_of_buffer<Plan, stream_of<Plan, S, I>.part>),
   ...);
}

// g++ 12 does not accept a local constant as a template argument inside a lambda.
template <class Plan, int K>
struct scan_of_kernel {
  static constexpr scan_kernel s = Plan::storage.scans[K];
};
template <class Plan, int K>
struct while_of_kernel {
  static constexpr while_kernel w = Plan::storage.whiles[K];
};

// Kernel I. Threads share the turns of a loop without carries.
template <class Plan, int I, int K, bool Vector, class Env>
EXPRAX_INLINE constexpr void run_scan(Env& env) {
  using of = scan_of_kernel<Plan, K>;
  [&]<int... C>(std::integer_sequence<int, C...>) EXPRAX_LAMBDA_INLINE {
    (carry_of<Plan, of::s.carry + C>::start(env), ...);
    for_parts_of<Plan, I>(env, of::s.length, [](Env& env, std::ptrdiff_t first, std::ptrdiff_t end) EXPRAX_LAMBDA_INLINE {
      for (std::ptrdiff_t i = first; i < end; ++i) {
        bind_streams<Plan, K>(env, of::s.reverse ? of::s.length - 1 - i : i, std::make_integer_sequence<int, of::s.n_stream>{});
        run_kernels<Plan, of::s.body.first, of::s.body.count, Vector>(env);
        (carry_of<Plan, of::s.carry + C>::next(env), ...);
      }
    });
    (carry_of<Plan, of::s.carry + of::s.n_carry - 1 - C>::finish(env), ...);
  }(std::make_integer_sequence<int, of::s.n_carry>{});
}

template <class Plan, int K, bool Vector, class Env>
EXPRAX_INLINE constexpr void run_while(Env& env) {
  using of = while_of_kernel<Plan, K>;
  [&]<int... C>(std::integer_sequence<int, C...>) EXPRAX_LAMBDA_INLINE {
    (carry_of<Plan, of::w.carry + C>::start(env), ...);
    while (true) {
      run_kernels<Plan, of::w.condition.first, of::w.condition.count, Vector>(env);
      if (!*env.template buffer<of::w.predicate>()) break;
      run_kernels<Plan, of::w.body.first, of::w.body.count, Vector>(env);
      (carry_of<Plan, of::w.carry + C>::next(env), ...);
    }
    (carry_of<Plan, of::w.carry + of::w.n_carry - 1 - C>::finish(env), ...);
  }(std::make_integer_sequence<int, of::w.n_carry>{});
}

// ---- Branches

template <class Plan, int First, int N, bool Vector, int I, class Env>
EXPRAX_INLINE constexpr void run_case(Env& env, std::int64_t index) {
  constexpr kernel_range r = Plan::storage.cases[First + I];
  if constexpr (I + 1 >= N) {
    run_kernels<Plan, r.first, r.count, Vector>(env);
  } else {
    if (index <= I) run_kernels<Plan, r.first, r.count, Vector>(env);
    else run_case<Plan, First, N, Vector, I + 1>(env, index);
  }
}
template <class Plan, int K, bool Vector, class Env>
EXPRAX_INLINE constexpr void run_branch(Env& env) {
  constexpr branch_kernel b = Plan::storage.branches[K];
  run_case<Plan, b.first, b.count, Vector, 0>(env, *env.template buffer<b.index>());
}

}  // namespace exprax::detail
