// SPDX-License-Identifier: BSL-1.0
// The longer attributes of StableHLO operations: dimension numbers of dot_general and convolution, of gather and scatter, windows.
#pragma once

#include <exprax/base/text_buffer.hpp>
#include <exprax/text/jaxpr/axis_labels.hpp>
#include <exprax/text/stablehlo/stablehlo_module.hpp>

namespace exprax::detail {

template <class F>
constexpr void write_list(text_buffer& o, int n, F each) {
  for (int k = 0; k < n; ++k) {
    if (k > 0) o.write(", ");
    each(k);
  }
}
constexpr void write_integers(text_buffer& o, span<int> s) {
  o.put('[');
  write_list(o, s.size(), [&](int k) { o.integer(s[k]); });
  o.put(']');
}

// [low, high] of each axis.
constexpr void write_padding(text_buffer& o, span<int> low, span<int> high) {
  write_list(o, low.size(), [&](int i) {
    int const pair[] = {low[i], high[i]};
    write_integers(o, pair);
  });
}

constexpr void write_dot_numbers(text_buffer& o, span<int> a) {
  int const n = a[0], m = a[1 + 2 * n];
  if (m > 0) {
    o.write(", batching_dims = ");
    write_integers(o, a.part(2 + 2 * n, m));
    o.write(" x ");
    write_integers(o, a.part(2 + 2 * n + m, m));
  }
  o.write(", contracting_dims = ");
  write_integers(o, a.part(1, n));
  o.write(" x ");
  write_integers(o, a.part(1 + n, n));
  o.write(", precision = [DEFAULT, DEFAULT]");
}

constexpr void write_convolution_numbers(text_buffer& o, span<int> a) {
  int const s = a[0];
  auto const axes = [&](std::string_view before, int operand, std::string_view letters) {
    o.write(before);
    write_axis_labels(o, a.part(3 + 5 * s + operand * (s + 2), s + 2), letters, ", ");
    o.put(']');
  };
  axes(" dim_numbers = [", 0, "bf");
  axes("x[", 1, "oi");
  axes("->[", 2, "bf");
  o.write(", window = {stride = ");
  write_integers(o, a.part(1, s));
  o.write(", pad = [");
  write_padding(o, a.part(1 + s, s), a.part(1 + 2 * s, s));
  o.write("], lhs_dilate = ");
  write_integers(o, a.part(1 + 3 * s, s));
  o.write(", rhs_dilate = ");
  write_integers(o, a.part(1 + 4 * s, s));
  o.write(", reverse = [");
  write_list(o, s, [&](int) { o.write("false"); });
  o.write("]} {batch_group_count = ");
  o.integer(a[2 + 5 * s]);
  o.write(" : i64, feature_group_count = ");
  o.integer(a[1 + 5 * s]);
  o.write(" : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}");
}

constexpr void write_index_numbers(text_buffer& o, hlo_index_numbers const& s, std::string_view const* keys) {
  bool first = true;
  auto const key = [&](std::string_view word) {
    if (!first) o.write(", ");
    first = false;
    o.write(word);
    o.write(" = ");
  };
  for (int k = 0; k < 5; ++k) {
    if (s.list[k].empty()) continue;
    key(keys[k]);
    write_integers(o, s.list[k]);
  }
  if (s.index_vector_dim != 0) {
    key("index_vector_dim");
    o.integer(s.index_vector_dim);
  }
  o.put('>');
}
constexpr void write_gather_numbers(text_buffer& o, span<int> a) {
  constexpr std::string_view keys[] = {"offset_dims", "collapsed_slice_dims", "operand_batching_dims", "start_indices_batching_dims",
                                       "start_index_map"};
  hlo_index_numbers const s(a);
  o.write("dimension_numbers = #stablehlo.gather<");
  write_index_numbers(o, s, keys);
  o.write(s.sorted ? ", indices_are_sorted = true" : ", indices_are_sorted = false");
  o.write(", slice_sizes = array<i64");
  for (int k = 0; k < s.rest.size(); ++k) {
    o.write(k == 0 ? ": " : ", ");
    o.integer(s.rest[k]);
  }
  o.put('>');
}
constexpr void write_scatter_numbers(text_buffer& o, span<int> a) {
  constexpr std::string_view keys[] = {"update_window_dims", "inserted_window_dims", "input_batching_dims", "scatter_indices_batching_dims",
                                       "scatter_dims_to_operand_dims"};
  hlo_index_numbers const s(a);
  o.write(s.sorted ? "indices_are_sorted = true" : "indices_are_sorted = false");
  o.write(", scatter_dimension_numbers = #stablehlo.scatter<");
  write_index_numbers(o, s, keys);
  o.write(s.rest[0] ? ", unique_indices = true" : ", unique_indices = false");
}

constexpr void write_dimensions(text_buffer& o, span<int> axes) {
  o.write("dimensions = array<i64: ");
  write_list(o, axes.size(), [&](int i) { o.integer(axes[i]); });
  o.put('>');
}
constexpr void write_triangular_numbers(text_buffer& o, span<int> a) {
  auto const flag = [&](std::string_view key, int k) {
    o.write(key);
    o.write(a[k] ? " = true" : " = false");
  };
  flag("left_side", 0);
  flag(", lower", 1);
  o.write(", transpose_a = #stablehlo<transpose ");
  o.write(a[2] == 2 ? "ADJOINT>" : a[2] ? "TRANSPOSE>" : "NO_TRANSPOSE>");
  flag(", unit_diagonal", 3);
}
constexpr void write_sort_numbers(text_buffer& o, span<int> a) {
  o.write("dimension = ");
  o.integer(a[0]);
  o.write(a[1] ? " : i64, is_stable = true" : " : i64, is_stable = false");
}

// Sizes, strides, low and high padding, base and window dilations of each axis; dilations only if there are any.
constexpr void write_window(text_buffer& o, span<int> a) {
  int const rank = a.size() / 6;
  auto const array = [&](std::string_view key, int part) {
    o.write(key);
    o.write(" = array<i64");
    for (int i = 0; i < rank; ++i) {
      o.write(i == 0 ? ": " : ", ");
      o.integer(a[part * rank + i]);
    }
    o.put('>');
  };
  auto const dilates = [&](int part) {
    for (int i = 0; i < rank; ++i)
      if (a[part * rank + i] != 1) return true;
    return false;
  };
  if (dilates(4)) array("base_dilations", 4), o.write(", ");
  o.write("padding = dense<[");
  write_padding(o, a.part(2 * rank, rank), a.part(3 * rank, rank));
  o.write("]> : tensor<");
  o.integer(rank);
  o.write("x2xi64>, ");
  if (dilates(5)) array("window_dilations", 5), o.write(", ");
  array("window_dimensions", 0);
  array(", window_strides", 1);
}

}  // namespace exprax::detail
