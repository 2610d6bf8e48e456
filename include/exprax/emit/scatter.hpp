// SPDX-License-Identifier: BSL-1.0
// Scatters with one index vector for each element of a batch: a loop over the vectors, each of which is checked, and in it a
// loop over the elements of its window.
#pragma once

#include <exprax/emit/environment.hpp>
#include <exprax/emit/lanes.hpp>
#include <exprax/plan/context.hpp>
#include <exprax/primitives/all.hpp>

namespace exprax::detail {

// f(offset in out, offset in update) for each index of the axes [Axis, End).
template <class Plan, int K, int Axis, int End, class F>
EXPRAX_INLINE constexpr void walk_scatter(std::ptrdiff_t to, std::ptrdiff_t from, F const& f) {
  if constexpr (Axis == End) {
    f(to, from);
  } else {
    constexpr std::ptrdiff_t out = Plan::storage.scatters[K].out[Axis], update = Plan::storage.scatters[K].update[Axis];
    for (std::ptrdiff_t i = 0; i < Plan::storage.scatters[K].dims[Axis]; ++i) walk_scatter<Plan, K, Axis + 1, End>(to + i * out, from + i * update, f);
  }
}

template <class Plan, int K, class Env>
EXPRAX_INLINE constexpr void run_scatter(Env const& env) {
  constexpr scatter_kernel s = Plan::storage.scatters[K];
  using T = element_t<s.type>;
  T* const out = env.template buffer<s.out_buffer>();
  T const* const update = env.template buffer<s.update_buffer>();
  auto const* indices = env.template buffer<s.indices_buffer>();
  walk_scatter<Plan, K, 0, s.batch>(0, 0, [&](std::ptrdiff_t start, std::ptrdiff_t source) EXPRAX_LAMBDA_INLINE {
    bool inside = true;
    for (int q = 0; q < Plan::storage.scatters[K].n_index; ++q) {
      std::ptrdiff_t const at = indices[q];
      inside = inside && at >= 0 && at <= Plan::storage.scatters[K].limit[q];
      start += Plan::storage.scatters[K].index_stride[q] * at;
    }
    indices += Plan::storage.scatters[K].n_index;
    if (!inside) return;
    walk_scatter<Plan, K, Plan::storage.scatters[K].batch, Plan::storage.scatters[K].rank>(start, source, [&](std::ptrdiff_t to, std::ptrdiff_t from) EXPRAX_LAMBDA_INLINE {
      constexpr prim op = Plan::storage.scatters[K].op;
      if constexpr (op == prim::scatter) out[to] = update[from];
      else out[to] = primitive<planning::combiner(op)>::kernel(simd::lane<T>(out[to]), simd::lane<T>(update[from])).value;
    });
  });
}

}  // namespace exprax::detail
