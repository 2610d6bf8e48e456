// SPDX-License-Identifier: BSL-1.0
// Threads that share a kernel: oneTBB's with EXPRAX_ONETBB=1, else OpenMP's where a program is compiled with -fopenmp (EXPRAX_THREADS). The
// plan says which kernels are worth it (plan/analysis/threads.hpp). Each element is computed as by one thread, so results depend neither on
// the number of threads nor on the library.
#pragma once

#include <cstddef>

#include <exprax/base/config.hpp>
#include <exprax/emit/kernels/environment.hpp>
#include <exprax/emit/kernels/scratch.hpp>

#if EXPRAX_THREADS && EXPRAX_ONETBB
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#elif EXPRAX_THREADS && defined(_OPENMP)
#include <omp.h>
#endif

namespace exprax {

namespace detail {

// The threads of a library. available(): how many may share a kernel of a call that this thread makes. run(n, f): calls f(part, parts) for
// each part; there are at most n parts.
#if EXPRAX_THREADS && EXPRAX_ONETBB
struct shared_threads {
  static int available() { return oneapi::tbb::this_task_arena::max_concurrency(); }
  // Isolated: a thread that waits for the others does not begin another task of the user, who may hold a lock.
  template <class F>
  static void run(int n, F const& f) {
    oneapi::tbb::this_task_arena::isolate([&] {
      oneapi::tbb::parallel_for(0, n, [&](int part) { f(part, n); }, oneapi::tbb::simple_partitioner());
    });
  }
};
#elif EXPRAX_THREADS && defined(_OPENMP)
struct shared_threads {
  static int available() { return omp_in_parallel() ? 1 : omp_get_max_threads(); }
  template <class F>
  static void run(int n, F const& f) {
#pragma omp parallel num_threads(n)
    f(omp_get_thread_num(), omp_get_num_threads());
  }
};
#else
struct shared_threads {
  static int available() { return 1; }
  template <class F>
  static void run(int, F const& f) {
    f(0, 1);
  }
};
#endif

// 0: as many as the library says.
inline int& most_threads() {
#if EXPRAX_THREADS && (EXPRAX_ONETBB || defined(_OPENMP))
  thread_local int n = 0;
#else
  static int n = 0;
#endif
  return n;
}

// Calls f(first, end) for the parts of [0, n), one for each thread, of which there are fewer if a part would be empty.
template <class F>
[[gnu::noinline]] EXPRAX_OPTIMIZED EXPRAX_FLATTEN void run_part(F const& f, std::ptrdiff_t first, std::ptrdiff_t end) {
  f(first, end);
}
template <class F>
void run_parts(std::ptrdiff_t n, F const& f) {
  int const available = shared_threads::available();
  std::ptrdiff_t const most = available > 1 && most_threads() > 0 ? most_threads() : available;
  if (most <= 1 || n <= 1) return run_part(f, 0, n);
  shared_threads::run(static_cast<int>(most < n ? most : n),
                      [&](std::ptrdiff_t part, std::ptrdiff_t parts) { run_part(f, n * part / parts, n * (part + 1) / parts); });
}
// Parts that are shared evenly enough by the threads of most machines.
inline constexpr std::ptrdiff_t many_parts = 64;

template <bool Parallel, class F>
EXPRAX_INLINE constexpr void for_parts(std::ptrdiff_t n, F const& f) {
  if constexpr (Parallel) {
    if (!__builtin_is_constant_evaluated()) return run_parts(n, f);
  }
  f(0, n);
}

// Calls f(index) for the elements from `first` to `end`, in row-major order, of N axes with these extents.
template <int N, class F>
EXPRAX_INLINE constexpr void for_indices(int const* extent, std::ptrdiff_t first, std::ptrdiff_t end, F const& f) {
  std::ptrdiff_t index[max_rank] = {};
  for (std::ptrdiff_t axis = N - 1, at = first; axis >= 0; --axis) {
    index[axis] = at % extent[axis];
    at /= extent[axis];
  }
  for (std::ptrdiff_t i = first; i < end; ++i) {
    f(index);
    for (int axis = N - 1; axis >= 0; --axis) {
      if (++index[axis] < extent[axis]) break;
      index[axis] = 0;
    }
  }
}
constexpr std::ptrdiff_t count_of(int const* extent, int axes) {
  std::ptrdiff_t n = 1;
  for (int i = 0; i < axes; ++i) n *= extent[i];
  return n;
}

// The buffers of kernel I that each thread has its own of, in memory of the thread.
template <class Plan, int I>
struct own_buffers {
  static constexpr int table = Plan::storage.kernels[I].own_buffers(), count = Plan::storage.tables[table];
  static constexpr int buffer(int k) { return Plan::storage.tables[table + 1 + k]; }
  static constexpr std::ptrdiff_t offset(int k) {
    std::ptrdiff_t at = 0;
    for (int i = 0; i < k; ++i)
      at += (Plan::storage.buffers[buffer(i)].size * size_of(Plan::storage.buffers[buffer(i)].type) + 63) / 64 * 64;
    return at;
  }
  static constexpr std::ptrdiff_t bytes = offset(count);

  template <class Env>
  EXPRAX_INLINE static void bind(Env& env, std::byte* memory) {
    [&]<int... K>(std::integer_sequence<int, K...>) EXPRAX_LAMBDA_INLINE {
      (env.template bind<buffer(K)>(reinterpret_cast<element_t<Plan::storage.buffers[buffer(K)].type>*>(memory + offset(K))), ...);
    }(std::make_integer_sequence<int, count>{});
  }
};
// for_parts with an environment: f(env, first, end).
template <class Plan, int I, class Env, class F>
EXPRAX_INLINE constexpr void for_parts_of(Env& env, std::ptrdiff_t n, F const& f) {
  if constexpr (Plan::storage.kernels[I].is_parallel()) {
    if (!__builtin_is_constant_evaluated())
      return run_parts(n, [&](std::ptrdiff_t first, std::ptrdiff_t end) EXPRAX_LAMBDA_INLINE {
        Env own = env;
        scratch_memory<own_buffers<Plan, I>::bytes> memory;
        own_buffers<Plan, I>::bind(own, memory.data());
        f(own, first, end);
      });
  }
  f(env, 0, n);
}

}  // namespace detail

// The most threads that share the kernels of calls that this thread makes: by default, and for 0, as many as OpenMP says
// (omp_get_max_threads) or oneTBB (max_concurrency of the arena). Without -fopenmp and EXPRAX_ONETBB there is one. A call in a parallel
// region of OpenMP runs by the thread that makes it.
inline void num_threads(int most) { detail::most_threads() = most > 0 ? most : 0; }

}  // namespace exprax
