// SPDX-License-Identifier: BSL-1.0
// walk: two affine offsets advanced together over the indices of a box, in row-major order. For evaluation rules that move elements.
#pragma once

#include <cstdint>

#include <exprax/types/aval.hpp>

namespace exprax::detail {

// base + the sum of index[k] * step[k]
struct place {
  std::ptrdiff_t base = 0;
  std::ptrdiff_t step[max_rank] = {};
  constexpr place() = default;
  constexpr explicit place(aval const& dense) {
    strides const of(dense);
    for (int i = 0; i < dense.rank; ++i) step[i] = of[i];
  }
  // Whether the elements of the box lie side by side, in row-major order.
  constexpr bool is_dense(aval const& box) const {
    strides const of(box);
    for (int i = 0; i < box.rank; ++i)
      if (box.dims[i] != 1 && step[i] != of[i]) return false;
    return true;
  }
};

// f(place a, place b) for each index of the box `shape`.
template <class F>
constexpr void walk(aval const& shape, place const& a, place const& b, F&& f) {
  if (shape.size() == 0) return;
  int index[max_rank] = {};
  std::ptrdiff_t at_a = a.base, at_b = b.base;
  while (true) {
    f(at_a, at_b);
    int k = shape.rank - 1;
    for (; k >= 0; --k) {
      at_a += a.step[k];
      at_b += b.step[k];
      if (++index[k] < shape.dims[k]) break;
      at_a -= a.step[k] * shape.dims[k];
      at_b -= b.step[k] * shape.dims[k];
      index[k] = 0;
    }
    if (k < 0) return;
  }
}

constexpr void copy_box(aval const& shape, std::uint64_t* to, place const& to_place, std::uint64_t const* from, place const& from_place) {
  walk(shape, to_place, from_place, [&](std::ptrdiff_t a, std::ptrdiff_t b) { to[a] = from[b]; });
}

// Whether `axes` are distinct axes of an array of this rank.
constexpr bool are_axes(int const* axes, int n, int rank) {
  for (int i = 0; i < n; ++i) {
    if (axes[i] < 0 || axes[i] >= rank) return false;
    for (int j = 0; j < i; ++j)
      if (axes[i] == axes[j]) return false;
  }
  return true;
}
constexpr bool contains(int const* axes, int n, int axis) {
  for (int i = 0; i < n; ++i)
    if (axes[i] == axis) return true;
  return false;
}

// A list of ints for building parameters.
struct int_list {
  int of[4 * max_rank + 8] = {};
  int n = 0;
  constexpr void push(int x) { of[n++] = x; }
};

}  // namespace exprax::detail
