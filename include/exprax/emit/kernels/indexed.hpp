// SPDX-License-Identifier: BSL-1.0
// Gathers and scatters: a loop over index vectors, each of which is clamped or checked, and in it a copy of one window, or a loop over its
// elements. Runs of elements that are contiguous in both arrays are copied at once.
#pragma once

#include <cstring>

#include <exprax/emit/kernels/environment.hpp>
#include <exprax/emit/simd/pack.hpp>
#include <exprax/plan/data/plan.hpp>
#include <exprax/primitives/all.hpp>

namespace exprax::detail {

template <class Plan, int K>
struct indexed_code {
  static constexpr indexed_kernel k = Plan::storage.indexed[K];
  using T = element_t<k.type>;
  static constexpr int n_index = k.n_index;

  // The position of a window, and the components of its index vector.
  struct position {
    std::ptrdiff_t x = k.x_base, w = 0;
    std::ptrdiff_t index[n_index + 1] = {};
  };
  // f(position) for each index of the batch axes from Axis on.
  template <int Axis, class F>
  EXPRAX_INLINE static constexpr void for_each(position p, F const& f) {
    if constexpr (Axis == k.batch) {
      f(p);
    } else {
      for (std::ptrdiff_t i = 0; i < k.dims[Axis]; ++i) {
        for_each<Axis + 1>(p, f);
        p.x += k.x[Axis];
        p.w += k.w[Axis];
        for (int q = 0; q < n_index; ++q) p.index[q] += Plan::storage.accesses[k.index + q].stride[Axis];
      }
    }
  }
  // f(offset in x, offset in w) for the first element of each run of a window.
  static constexpr bool has_runs = k.rank > k.batch && k.x[k.rank > 0 ? k.rank - 1 : 0] == 1 && k.w[k.rank > 0 ? k.rank - 1 : 0] == 1;
  static constexpr std::ptrdiff_t run = has_runs ? k.dims[k.rank > 0 ? k.rank - 1 : 0] : 1;
  template <int Axis = k.batch, class F>
  EXPRAX_INLINE static constexpr void for_runs(std::ptrdiff_t x, std::ptrdiff_t w, F const& f) {
    if constexpr (Axis >= k.rank - has_runs) {
      f(x, w);
    } else {
      for (std::ptrdiff_t i = 0; i < k.dims[Axis]; ++i) for_runs<Axis + 1>(x + i * k.x[Axis], w + i * k.w[Axis], f);
    }
  }

  template <class Env>
  EXPRAX_INLINE static constexpr void go(Env const& env) {
    [&]<int... Q>(std::integer_sequence<int, Q...>) EXPRAX_LAMBDA_INLINE {
      std::int32_t const* const index[] = {component<k.index + Q>(env)..., nullptr};
      T* const x = env.template buffer<k.x_buffer>();
      T* const w = env.template buffer<k.w_buffer>();
      for_each<0>({}, [&](position const& p) EXPRAX_LAMBDA_INLINE {
        std::ptrdiff_t at = p.x;
        bool inside = true;
        for (int q = 0; q < n_index; ++q) {
          std::ptrdiff_t const i = index[q][p.index[q]], limit = k.limit[q];
          if constexpr (k.drops) {
            inside = inside && i >= 0 && i <= limit;
            at += i * k.index_stride[q];
          } else {
            at += (i < 0 ? 0 : i > limit ? limit : i) * k.index_stride[q];
          }
        }
        if constexpr (k.op == prim::gather) {
          if (inside) for_runs(at, p.w, [&](std::ptrdiff_t from, std::ptrdiff_t to) EXPRAX_LAMBDA_INLINE { copy(w + to, x + from); });
          else for_runs(at, p.w, [&](std::ptrdiff_t, std::ptrdiff_t to) EXPRAX_LAMBDA_INLINE { fill(w + to); });
        } else if (inside) {
          for_runs(at, p.w, [&](std::ptrdiff_t to, std::ptrdiff_t from) EXPRAX_LAMBDA_INLINE {
            if constexpr (k.op == prim::scatter) copy(x + to, w + from);
            else combine(x + to, w + from);
          });
        }
      });
    }(std::make_integer_sequence<int, n_index>{});
  }

 private:
  template <int A, class Env>
  EXPRAX_INLINE static constexpr std::int32_t const* component(Env const& env) {
    return env.template buffer<Plan::storage.accesses[A].buffer>() + Plan::storage.accesses[A].base;
  }
  EXPRAX_INLINE static constexpr void copy(T* to, T const* from) {
    if constexpr (run > 1) {
      if (!__builtin_is_constant_evaluated()) {
        std::memcpy(to, from, sizeof(T) * static_cast<std::size_t>(run));
        return;
      }
    }
    for (std::ptrdiff_t i = 0; i < run; ++i) to[i] = from[i];
  }
  EXPRAX_INLINE static constexpr void fill(T* to) {
    for (std::ptrdiff_t i = 0; i < run; ++i) to[i] = from_bits<T>(k.fill);
  }
  EXPRAX_INLINE static constexpr void combine(T* to, T const* from) {
    using rule = primitive<primitive<k.op>::traits.combiner>;
    constexpr int lanes = k.lanes;
    std::ptrdiff_t i = 0;
    if constexpr (run >= lanes && lanes > 1) {
      if (!__builtin_is_constant_evaluated()) {
        for (; i + lanes <= run; i += lanes)
          simd::store(rule::kernel(simd::load<T, lanes>(to + i), simd::load<T, lanes>(from + i)), to + i);
      }
    }
    for (; i < run; ++i) to[i] = rule::kernel(simd::lane<T>(to[i]), simd::lane<T>(from[i])).value;
  }
};

template <class Plan, int K, class Env>
EXPRAX_INLINE constexpr void run_indexed(Env const& env) {
  indexed_code<Plan, K>::go(env);
}

}  // namespace exprax::detail
