// SPDX-License-Identifier: BSL-1.0
// What kind each primitive is of, known as a value.
#pragma once

#include <exprax/primitives/all.hpp>

namespace exprax {

namespace detail {

struct kind_table {
  op_class of[prim_count];
};
template <int... I>
constexpr kind_table make_kind_table(std::integer_sequence<int, I...>) {
  return {{primitive<static_cast<prim>(I)>::kind...}};
}
inline constexpr kind_table kinds = make_kind_table(std::make_integer_sequence<int, prim_count>{});

}  // namespace detail

constexpr op_class kind_of(prim p) { return detail::kinds.of[static_cast<int>(p)]; }

}  // namespace exprax
