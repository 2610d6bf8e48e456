// SPDX-License-Identifier: BSL-1.0
// The dimension numbers of gather and scatter (jax.lax.GatherDimensionNumbers, ScatterDimensionNumbers), as values for template
// arguments: gather_dimension_numbers{.offset_dims = {1}, .collapsed_slice_dims = {0}, .start_index_map = {0}}.
#pragma once

#include <concepts>

#include <exprax/types/aval.hpp>

namespace exprax {

// Axes, in a template argument: {0, 2}.
struct dimension_list {
  int of[max_rank] = {};
  int n = 0;

  constexpr dimension_list() = default;
  template <std::same_as<int>... I>
    requires(sizeof...(I) > 0 && sizeof...(I) <= max_rank)
  constexpr dimension_list(I... axes) : of{axes...}, n(static_cast<int>(sizeof...(I))) {}
  constexpr void push(int axis) { of[n++] = axis; }
  constexpr int operator[](int i) const { return of[i]; }
  constexpr bool operator==(dimension_list const&) const = default;
};

// An index vector stands along the last axis of the indices; its component k selects from axis start_index_map[k] of the operand.
// The result has the window's axes at offset_dims, without those collapsed (of slice size 1) and those that run together with an
// axis of the indices (the batching dims).
struct gather_dimension_numbers {
  dimension_list offset_dims = {}, collapsed_slice_dims = {}, start_index_map = {}, operand_batching_dims = {},
                 start_indices_batching_dims = {};
};
// The same for updates, which have the shape of a gather's result.
struct scatter_dimension_numbers {
  dimension_list update_window_dims = {}, inserted_window_dims = {}, scatter_dims_to_operand_dims = {}, operand_batching_dims = {},
                 scatter_indices_batching_dims = {};
};

}  // namespace exprax
