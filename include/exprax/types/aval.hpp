// SPDX-License-Identifier: BSL-1.0
// aval: what is known about a value without its elements (jax.core.ShapedArray): dtype, weakness, shape.
#pragma once

#include <cstddef>
#include <initializer_list>

#include <exprax/types/dtype.hpp>

namespace exprax {

inline constexpr int max_rank = 8;

struct aval {
  dtype type = dtype::f32;
  bool weak = false;
  int rank = 0;
  int dims[max_rank] = {};

  constexpr aval() = default;
  constexpr explicit aval(dtype t, bool w = false) : type(t), weak(w) {}
  constexpr aval(dtype t, std::initializer_list<int> shape, bool w = false) : type(t), weak(w) {
    for (int d : shape) dims[rank++] = d;
  }

  constexpr std::ptrdiff_t size() const {
    std::ptrdiff_t n = 1;
    for (int i = 0; i < rank; ++i) n *= dims[i];
    return n;
  }
  // The number of 64-bit patterns that hold the elements (types/bits.hpp).
  constexpr std::ptrdiff_t pattern_count() const { return is_complex(type) ? 2 * size() : size(); }
  constexpr bool same_shape(aval const& o) const {
    if (rank != o.rank) return false;
    for (int i = 0; i < rank; ++i)
      if (dims[i] != o.dims[i]) return false;
    return true;
  }
  // Equal except for weakness.
  constexpr bool matches(aval const& o) const { return type == o.type && same_shape(o); }
  constexpr bool operator==(aval const& o) const { return weak == o.weak && matches(o); }

  constexpr aval with_type(dtype t, bool w = false) const {
    aval a = *this;
    a.type = t;
    a.weak = w;
    return a;
  }
  // The shape without axis k, and with a new axis of size n before axis k.
  constexpr aval without_axis(int k) const {
    aval a(type, weak);
    for (int i = 0; i < rank; ++i)
      if (i != k) a.dims[a.rank++] = dims[i];
    return a;
  }
  constexpr aval with_axis(int k, int n) const {
    aval a(type, weak);
    for (int i = 0; i <= rank; ++i) {
      if (i == k) a.dims[a.rank++] = n;
      if (i < rank) a.dims[a.rank++] = dims[i];
    }
    return a;
  }
};

// The row-major strides of the axes, in elements.
struct strides {
  std::ptrdiff_t of[max_rank] = {};
  constexpr strides() = default;
  constexpr explicit strides(aval const& a) {
    std::ptrdiff_t n = 1;
    for (int i = a.rank - 1; i >= 0; --i) {
      of[i] = n;
      n *= a.dims[i];
    }
  }
  constexpr std::ptrdiff_t operator[](int i) const { return of[i]; }
};

}  // namespace exprax
