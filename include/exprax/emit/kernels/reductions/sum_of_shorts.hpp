// SPDX-License-Identifier: BSL-1.0
// The sum of a row of bytes, conditions or 16-bit integers as longer integers, which the steps of a kernel only load and convert: by the
// instructions that add neighbours (simd/pack_neighbours.hpp), in place of one conversion and one addition for each longer register.
#pragma once

#include <exprax/emit/kernels/reductions/block_sums.hpp>
#include <exprax/emit/simd/pack_neighbours.hpp>

namespace exprax::detail {

template <class Plan, int K>
struct sum_of_shorts {
  static constexpr reduce_kernel k = Plan::storage.reduces[K];
  static constexpr std::ptrdiff_t n = k.dims[k.rank - 1];
  static constexpr step const* steps = Plan::storage.steps + Plan::storage.boxes[k.box].step;
  static constexpr bool fits = [] {
    if (this_target.short_products == 0 || k.columns || k.rank != k.kept + 1 || k.n_reduction != 1) return false;
    single_reduction const& sum = Plan::storage.reductions[k.reduction];
    if (sum.op != prim::reduce_sum || Plan::storage.boxes[k.box].n_step != 3) return false;  // the third one is the store of the sum
    step const &load = steps[0], &convert = steps[1];
    if (load.kind != step_kind::load || convert.kind != step_kind::convert || sum.result != convert.d) return false;
    access const& a = Plan::storage.accesses[load.access];
    int const bytes = size_of(load.type);
    bool const are_added = bytes == 1 || (bytes == 2 && size_of(sum.type) == 4);
    return !is_floating(load.type) && !is_floating(sum.type) && are_added && size_of(sum.type) >= 4 &&
           a.stride[k.rank - 1] == 1 && a.n_term == 0 && n * bytes >= this_target.register_bytes;
  }();

#if EXPRAX_SIMD && defined(__SSE2__)
  template <class Env>
  EXPRAX_INLINE static auto of(Env const& env, std::ptrdiff_t const* index) {
    using T = element_t<steps[0].type>;
    using bits = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;
    constexpr access const& a = Plan::storage.accesses[steps[0].access];
    auto const* const row = env.template buffer<a.buffer>() + row_offset<Plan, steps[0].access, k.rank>(env, index);
    using U = typename reduction_traits<Plan, k.reduction>::T;
    using sums = simd::sum_of_neighbours<bits, n>;
    auto const all = join_lanes<prim::reduce_sum, typename sums::S, sums::partial::size>(sums::of(reinterpret_cast<bits const*>(row)));
    return static_cast<U>(sums::correction + all);
  }
#endif
};

}  // namespace exprax::detail
