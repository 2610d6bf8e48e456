// SPDX-License-Identifier: BSL-1.0
// order_rows: the order of the elements along the last axis: i32 indices, the lowest first among equal elements.
// Parameters: the number of indices, 1 for the largest first, 1 for the total order of floats (primitives/sorting/sort_key.hpp).
#pragma once

#include <exprax/primitives/sorting/sort_rows.hpp>
#include <exprax/primitives/walk.hpp>

namespace exprax {

template <>
struct primitive<prim::order_rows> : detail::of_rows {
  static constexpr std::string_view name = "order_rows";

  static constexpr int count(equation_ref const& e) { return e.param(0); }
  static constexpr bool descending(equation_ref const& e) { return e.param(1) != 0; }
  static constexpr bool total(equation_ref const& e) { return e.param(2) != 0; }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1 || e.n_par() != 3 || e.type(0).rank == 0) return false;
    *out = aval(e.type(0).with_type(dtype::i32));
    int& n = out->dims[out->rank - 1];
    if (count(e) < 0 || count(e) > n) return false;
    n = count(e);
    return true;
  }
  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    std::uint64_t* to = m.out(e, 0);
    detail::for_ordered_rows(e.type(0), m.in(e, 0), descending(e), total(e), [&](std::ptrdiff_t, detail::arena<int> const& order) {
      for (int i = 0; i < count(e); ++i) *to++ = detail::to_bits(order[i]);
    });
  }
  // Smallest first: a sort of keys and indices. Largest first: the same on the reversed row, read from its end.
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    aval const& t = e.type(0);
    int const axis[] = {t.rank - 1};
    int in[] = {l.in(e, 0), l.iota(axis[0], t.with_type(dtype::i32))};
    if (descending(e))
      for (int& v : in) v = l.reverse(v, axis);
    int order = l.sort(in, axis[0], true, 1) + 1;
    if (descending(e)) order = l.reverse(order, axis);
    detail::int_list start, step;
    for (int i = 0; i < t.rank; ++i) start.push(0), step.push(1);
    aval const& out = e.out_type(0);
    l.set(e, 0, l.slice(order, {start.of, start.n}, {out.dims, out.rank}, {step.of, step.n}, out));
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("count");
    o.integer(count(e));
    o.key("descending");
    o.boolean(descending(e));
    o.key("total");
    o.boolean(total(e));
  }
};

}  // namespace exprax
