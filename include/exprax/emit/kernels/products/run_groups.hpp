// SPDX-License-Identifier: BSL-1.0
// Products of short integers, by the method of the plan.
#pragma once

#include <exprax/emit/kernels/products/dot_groups_of_rows.hpp>
#include <exprax/emit/kernels/products/dot_groups_strip.hpp>

namespace exprax::detail {

template <class Plan, int K, contract_method Method>
struct group_kernel {
  using type = dot_groups<Plan, K>;
};
template <class Plan, int K>
struct group_kernel<Plan, K, contract_method::group_dots> {
  using type = dot_groups_of_rows<Plan, K>;
};
template <class Plan, int K>
struct group_kernel<Plan, K, contract_method::group_strips> {
  using type = dot_groups_strip<Plan, K>;
};

// For each batch.
template <class Plan, int K, bool Vector, bool Parallel, class Env>
EXPRAX_INLINE constexpr void run_groups(Env const& env) {
  using C = contraction<Plan, K>;
  using code = dot_groups<Plan, K>;
  auto const* const lhs = env.template buffer<code::k.lhs_buffer>() + code::k.lhs_base;
  auto const* const rhs = env.template buffer<code::k.rhs_buffer>() + code::k.rhs_base;
  auto* const out = env.template buffer<code::k.out_buffer>();
  constexpr bool in_packs = Vector && C::tiles.method != contract_method::elements;
  for_tiles<C, 0>(
      0, 0, 0,
      [&](std::ptrdiff_t l, std::ptrdiff_t r, std::ptrdiff_t o) EXPRAX_LAMBDA_INLINE {
        if constexpr (!in_packs) {
          out[o] = code::element(lhs + l, rhs + r);
        } else {
          using kernel = typename group_kernel<Plan, K, C::tiles.method>::type;
          if constexpr (code::from_lhs) kernel::template run<Parallel>(lhs + l, rhs + r, out + o);
          else kernel::template run<Parallel>(rhs + r, lhs + l, out + o);
        }
      },
      in_packs);
}

}  // namespace exprax::detail
