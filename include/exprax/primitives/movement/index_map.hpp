// SPDX-License-Identifier: BSL-1.0
// index_map: the index of an operand as an affine function of another index. A movement states its own, from the index of its result
// (primitive<P>::operand_index); strides, addresses and maps of whole chains of movements follow from it.
#pragma once

#include <exprax/primitives/primitive.hpp>
#include <exprax/primitives/walk.hpp>

namespace exprax::detail {

// index = offset + scale * i[axis], or the offset alone.
inline constexpr int no_axis = -1;
struct axis_map {
  int axis = -1;  // no_axis, which g++ 12 does not take here
  int offset = 0;
  int scale = 0;
  constexpr bool operator==(axis_map const&) const = default;
  constexpr bool is_fixed() const { return axis == no_axis; }
};

struct index_map {
  int rank = 0;
  axis_map of[max_rank] = {};

  static constexpr index_map identity(aval const& a) {
    index_map m;
    m.rank = a.rank;
    for (int i = 0; i < a.rank; ++i) m.of[i] = a.dims[i] == 1 ? axis_map{} : axis_map{i, 0, 1};
    return m;
  }
  constexpr bool operator==(index_map const& o) const {
    if (rank != o.rank) return false;
    for (int i = 0; i < rank; ++i)
      if (!(of[i] == o.of[i])) return false;
    return true;
  }
  // This map of an index that is itself mapped by m.
  constexpr index_map after(index_map const& m) const {
    index_map r;
    r.rank = rank;
    for (int i = 0; i < rank; ++i) {
      axis_map const& own = of[i];
      if (own.is_fixed()) r.of[i] = own;
      else r.of[i] = {m.of[own.axis].axis, own.offset + own.scale * m.of[own.axis].offset, own.scale * m.of[own.axis].scale};
    }
    return r;
  }
  // The element of an operand with these strides, from the index that is mapped.
  constexpr place element_of(strides const& operand) const {
    place p;
    for (int i = 0; i < rank; ++i) {
      p.base += operand[i] * of[i].offset;
      if (!of[i].is_fixed()) p.step[of[i].axis] += operand[i] * of[i].scale;
    }
    return p;
  }
};

// A reshape that only adds or drops axes of 1.
constexpr bool only_unit_axes_differ(aval const& a, aval const& b) {
  int i = 0, j = 0;
  while (true) {
    while (i < a.rank && a.dims[i] == 1) ++i;
    while (j < b.rank && b.dims[j] == 1) ++j;
    if (i == a.rank || j == b.rank) return i == a.rank && j == b.rank;
    if (a.dims[i++] != b.dims[j++]) return false;
  }
}
// Its index map.
constexpr index_map between_unit_axes(aval const& operand, aval const& result) {
  index_map m;
  m.rank = operand.rank;
  int i = 0;
  for (int j = 0; j < operand.rank; ++j) {
    if (operand.dims[j] == 1) continue;
    while (result.dims[i] == 1) ++i;
    m.of[j] = {i++, 0, 1};
  }
  return m;
}

}  // namespace exprax::detail
