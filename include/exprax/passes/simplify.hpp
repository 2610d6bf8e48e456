// SPDX-License-Identifier: BSL-1.0
// simplify: constant folding, algebra that is exact, and common subexpressions, in one forward walk. inline_calls: the walk
// alone, which puts the block of every jit equation in its place. simplify inlines as well.
#pragma once

#include <exprax/passes/simplify_elementwise.hpp>
#include <exprax/passes/simplify_movement.hpp>
#include <exprax/primitives/all.hpp>

namespace exprax {
namespace detail {

// primitive<P>::kind of each primitive.
struct kind_table {
  op_class of[prim_count];
};
template <int... I>
constexpr kind_table make_kinds(std::integer_sequence<int, I...>) {
  return {{primitive<static_cast<prim>(I)>::kind...}};
}
inline constexpr kind_table kinds = make_kinds(std::make_integer_sequence<int, prim_count>{});

template <class W>
constexpr int simplify_equation(W& w, request const& r) {
  if (kinds.of[static_cast<int>(r.op)] == op_class::elementwise) return simplify_elementwise(w, r);
  if (w.type(r.type).size() == 0) return w.filled_with(r.type, 0);
  return simplify_movement(w, r);
}

struct simplify_options {
  static constexpr bool inline_calls = true, simplify = true;
};
struct inline_options {
  static constexpr bool inline_calls = true, simplify = false;
};

}  // namespace detail

template <class Options = detail::simplify_options>
constexpr program simplify(program_ref p) {
  return detail::rewriter<Options>(p).run();
}

template <class Options = detail::inline_options>
constexpr program inline_calls(program_ref p) {
  return detail::rewriter<Options>(p).run();
}

}  // namespace exprax
