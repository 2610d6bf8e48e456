// SPDX-License-Identifier: BSL-1.0
// A vector times a matrix of float16 or bfloat16, or the matrix times the vector, with the kernels and the orders of sums of floats.
#pragma once

#include <exprax/emit/kernels/products/dot_rows.hpp>
#include <exprax/emit/kernels/products/dot_strip.hpp>

namespace exprax::detail {

template <class C, bool Parallel, int L, class Matrix>
EXPRAX_INLINE void run_half_strips(Matrix matrix, float const* vector, float* out) {
  if constexpr (C::walks.dims[C::tiles.column] < L) run_half_strips<C, Parallel, L / 2>(matrix, vector, out);
  else dot_strip<C, L, Matrix>::template run_columns<Parallel>(matrix, vector, out);
}

// Element: makes one element of the result from the operands at its row or column.
template <class Plan, int K, bool Vector, bool Parallel, class Env, class Element>
EXPRAX_INLINE constexpr void run_half_matrix(Env const& env, Element const& element) {
  using C = contraction<Plan, K>;
  constexpr contract_kernel const& k = Plan::storage.contracts[K];
  auto const elements = [&](auto operand, auto* p) EXPRAX_LAMBDA_INLINE {
    if constexpr (decltype(operand)::value == k.halves) return half_elements<k.half>{p};
    else return static_cast<float const*>(p);
  };
  auto const lhs = elements(std::integral_constant<int, 0>(), env.template buffer<k.lhs_buffer>() + k.lhs_base);
  auto const rhs = elements(std::integral_constant<int, 1>(), env.template buffer<k.rhs_buffer>() + k.rhs_base);
  float* const out = env.template buffer<k.out_buffer>();
  constexpr contract_method method = Vector ? C::tiles.method : contract_method::elements;
  if constexpr (method == contract_method::dots) {
    dot_rows<C, C::tiles.lanes>::template run<Parallel>(lhs, rhs, out);
  } else if constexpr (method == contract_method::tiles) {
    static_assert(C::tiles.from_lhs == (k.halves == 0));
    if constexpr (k.halves == 0) run_half_strips<C, Parallel, C::tiles.lanes>(lhs, rhs, out);
    else run_half_strips<C, Parallel, C::tiles.lanes>(rhs, lhs, out);
  } else {
    for_tiles<C, 0>(
        0, 0, 0,
        [&](std::ptrdiff_t l, std::ptrdiff_t r, std::ptrdiff_t o) EXPRAX_LAMBDA_INLINE { out[o] = element(lhs + l, rhs + r); }, false);
  }
}

}  // namespace exprax::detail
