// SPDX-License-Identifier: BSL-1.0
// Shapes as types: dims<2, 3>, and NumPy broadcasting of two or more.
#pragma once

#include <utility>

#include <exprax/types/aval.hpp>

namespace exprax::detail {

template <int... D>
struct dims {
  static constexpr int rank = static_cast<int>(sizeof...(D));
  static constexpr int of[sizeof...(D) + 1] = {D..., 0};
};

template <dtype T, bool Weak, int... D>
constexpr aval make_aval() {
  aval a(T, Weak);
  ((a.dims[a.rank++] = D), ...);
  return a;
}

// The broadcast shape of two shapes; fits is false where an axis differs in both and neither is 1.
struct broadcast_result {
  aval shape;
  bool fits = true;
};
constexpr broadcast_result broadcast(aval const& a, aval const& b) {
  broadcast_result r;
  r.shape.rank = a.rank < b.rank ? b.rank : a.rank;
  for (int i = 0; i < r.shape.rank; ++i) {
    int const ia = i - (r.shape.rank - a.rank), ib = i - (r.shape.rank - b.rank);
    int const x = ia < 0 ? 1 : a.dims[ia], y = ib < 0 ? 1 : b.dims[ib];
    if (x != y && x != 1 && y != 1) r.fits = false;
    r.shape.dims[i] = x == 1 ? y : x;
  }
  return r;
}

// Shape::value is an aval; its dims as a type.
template <class Shape, class = std::make_integer_sequence<int, Shape::value.rank>>
struct dims_of;
template <class Shape, int... K>
struct dims_of<Shape, std::integer_sequence<int, K...>> {
  using type = dims<Shape::value.dims[K]...>;
};

}  // namespace exprax::detail
