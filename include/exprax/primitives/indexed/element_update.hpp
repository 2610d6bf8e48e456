// SPDX-License-Identifier: BSL-1.0
// Base of the families that update some elements of an operand: scatter_family.hpp and update_slice_family.hpp.
#pragma once

#include <string_view>

#include <exprax/math/lane.hpp>
#include <exprax/primitives/primitive.hpp>
#include <exprax/primitives/walk.hpp>
#include <exprax/types/element.hpp>

namespace exprax::detail {

// Combine: the primitive that combines the old element with that of the update, or P itself where the new element replaces the old one.
template <prim P, prim Combine>
struct element_update {
  static constexpr bool replaces = Combine == P, adds = Combine == prim::add, multiplies = Combine == prim::mul;

  static constexpr bool accepts(dtype d) {
    if constexpr (replaces) return true;
    else return primitive<Combine>::accepts(d);
  }
  static constexpr bool takes(aval const& x, aval const& update) { return update.type == x.type && accepts(x.type); }

  // Its StableHLO name; empty: the new element replaces the old one.
  static constexpr std::string_view combining_operation() {
    if constexpr (replaces) return {};
    else return primitive<Combine>::stablehlo;
  }
  template <class Machine>
  static constexpr void copy_operand(Machine& m, equation_ref const& e) {
    place const dense(e.type(0));
    copy_box(e.type(0), m.out(e, 0), dense, m.in(e, 0), dense);
  }
  // Combines the box of `from` into its position in `to`.
  static constexpr void join_box(dtype t, aval const& box, std::uint64_t* to, place const& at, std::uint64_t const* from,
                                 place const& from_at) {
    if constexpr (replaces) {
      copy_box(box, to, at, from, from_at);
    } else {
      with_element(t, [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (accepts(dtype_of<T>))
          walk(box, at, from_at, [&](std::ptrdiff_t a, std::ptrdiff_t b) {
            to[a] = to_bits(primitive<Combine>::kernel(lane<T>(from_bits<T>(to[a])), lane<T>(from_bits<T>(from[b]))).value);
          });
      });
    }
  }
};

}  // namespace exprax::detail
