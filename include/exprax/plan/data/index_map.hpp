// SPDX-License-Identifier: BSL-1.0
// index_map: where the element of a value comes from, as an affine function of the index of the loop that needs it. The
// movement primitives pull a map on their result down to a map on their operand.
#pragma once

#include <exprax/primitives/traits.hpp>
#include <exprax/program/program.hpp>

namespace exprax::detail {

// index = offset + scale * i[axis]; axis -1: the constant offset.
struct axis_map {
  int axis = -1;
  int offset = 0;
  int scale = 0;
  constexpr bool operator==(axis_map const&) const = default;
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

constexpr index_map pull_unit_axes(aval const& from, aval const& to, index_map const& m) {
  index_map r;
  r.rank = to.rank;
  int i = 0;
  for (int j = 0; j < to.rank; ++j) {
    if (to.dims[j] == 1) continue;
    while (from.dims[i] == 1) ++i;
    r.of[j] = m.of[i++];
  }
  return r;
}

// An operand of an elementwise equation: rank 0, or axes of 1 where the result has more.
constexpr index_map pull_broadcast(aval const& operand, aval const& result, index_map const& m) {
  index_map r;
  r.rank = operand.rank;
  for (int i = 0; i < operand.rank; ++i)
    if (operand.dims[i] != 1 || result.dims[i] == 1) r.of[i] = m.of[i];
  return r;
}

// True for movements that are one affine map, without borders, from their first operand.
constexpr bool is_affine_movement(equation_ref const& e) {
  return traits_of(e.e.op).is_affine && (e.e.op != prim::reshape || only_unit_axes_differ(e.type(0), e.out_type(0)));
}

constexpr index_map pull(equation_ref const& e, index_map const& m) {
  aval const& operand = e.type(0);
  aval const& result = e.out_type(0);
  index_map r;
  r.rank = operand.rank;
  switch (e.e.op) {
    case prim::broadcast_in_dim:
      for (int i = 0; i < operand.rank; ++i) {
        int const to = e.param(result.rank + i);
        if (operand.dims[i] == result.dims[to]) r.of[i] = m.of[to];
      }
      return r;
    case prim::transpose:
      for (int i = 0; i < operand.rank; ++i) r.of[e.param(i)] = m.of[i];
      return r;
    case prim::slice:
      for (int i = 0; i < operand.rank; ++i) {
        int const step = e.n_par() > 2 * operand.rank ? e.param(2 * operand.rank + i) : 1;
        r.of[i] = {m.of[i].axis, e.param(i) + step * m.of[i].offset, step * m.of[i].scale};
      }
      return r;
    case prim::rev:
      for (int i = 0; i < operand.rank; ++i) r.of[i] = m.of[i];
      for (int d : e.params()) r.of[d] = {m.of[d].axis, operand.dims[d] - 1 - m.of[d].offset, -m.of[d].scale};
      return r;
    default: return pull_unit_axes(result, operand, m);  // squeeze, reshape
  }
}

}  // namespace exprax::detail
