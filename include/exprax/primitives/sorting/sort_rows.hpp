// SPDX-License-Identifier: BSL-1.0
// sort_rows: the elements along the last axis in ascending order, as jax.lax.sort orders one operand: -0 and 0 are equal and keep their
// order, as do NaNs, which come last. No parameters. A sort is lowered to this (primitives/sorting/sort.hpp), or to order_rows.
#pragma once

#include <exprax/primitives/primitive.hpp>
#include <exprax/primitives/sorting/sort_key.hpp>

namespace exprax {

namespace detail {

// Shared by both: rows stay rows.
struct of_rows {
  static constexpr prim_traits traits{.kind = op_class::ordering, .arity = 1};
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const v = c.move(c.value(e, 0), c.dim(e, 0).position(), 0);
    c.replace(e, {&v, 1}, e.params(), 0);
  }
};

}  // namespace detail

template <>
struct primitive<prim::sort_rows> : detail::of_rows {
  static constexpr std::string_view name = "sort_rows";

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1 || e.n_par() != 0 || e.type(0).rank == 0) return false;
    *out = e.type(0);
    return true;
  }
  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    std::uint64_t const* const from = m.in(e, 0);
    std::uint64_t* const to = m.out(e, 0);
    detail::for_ordered_rows(e.type(0), from, false, false, [&](std::ptrdiff_t row, detail::arena<int> const& order) {
      for (int i = 0; i < order.size(); ++i) to[row + i] = from[row + order[i]];
    });
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    int const v = l.in(e, 0);
    l.set(e, 0, l.sort({&v, 1}, e.type(0).rank - 1, true, 1));
  }
  template <class Printer>
  static constexpr void print(Printer&, equation_ref const&) {}
};

}  // namespace exprax
