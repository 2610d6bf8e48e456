// SPDX-License-Identifier: BSL-1.0
// dynamic_update_slice (jax.lax.dynamic_update_slice): the array with a box replaced, whose start is known at run time and
// clamped so that the box lies inside. Operands: the array, the update, one i32 scalar for each axis.
#pragma once

#include <exprax/primitives/dynamic_slice.hpp>

namespace exprax {

template <>
struct primitive<prim::dynamic_update_slice> {
  static constexpr std::string_view name = "dynamic_update_slice";
  static constexpr op_class kind = op_class::update;

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() < 2 || !detail::are_starts(e, 2) || e.n_par() != 0) return false;
    *out = e.type(0);
    aval const& update = e.type(1);
    if (update.rank != out->rank || update.type != out->type) return false;
    for (int i = 0; i < out->rank; ++i)
      if (update.dims[i] > out->dims[i]) return false;
    return true;
  }
  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    detail::place const dense(e.type(0));
    detail::copy_box(e.type(0), m.out(e, 0), dense, m.in(e, 0), dense);
    detail::place to(e.type(0));
    detail::move_to_start(m, e, 2, e.type(1).dims, to);
    detail::copy_box(e.type(1), m.out(e, 0), to, m.in(e, 1), detail::place(e.type(1)));
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    if (!detail::unbatched_from(c, e, 2)) return c.map(e);
    int const d = c.dim(e, 0) >= 0 ? c.dim(e, 0) : c.dim(e, 1);
    detail::int_list in;
    for (int k = 0; k < 2; ++k) in.push(c.placed(c.value(e, k), c.dim(e, k), d));
    for (int i = 0; i <= e.type(0).rank; ++i) {
      if (i == d) in.push(c.literal(dtype::i32, 0));
      if (i < e.type(0).rank) in.push(c.value(e, 2 + i));
    }
    c.replace(e, {in.of, in.n}, {}, d);
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    detail::arena<int> in;
    for (int k = 0; k < e.n_in(); ++k) in.push(l.in(e, k));
    l.set(e, 0, l.plain("dynamic_update_slice", in, e.out_type(0)));
  }
  template <class Printer>
  static constexpr void print(Printer&, equation_ref const&) {}
};

}  // namespace exprax
