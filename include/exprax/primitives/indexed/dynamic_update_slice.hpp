// SPDX-License-Identifier: BSL-1.0
// dynamic_update_slice (jax.lax.dynamic_update_slice): the array with a box replaced; the start is known at run time and clamped so that
// the box fits. Operands: the array, the update, one i32 scalar for each axis.
#pragma once

#include <exprax/primitives/indexed/dynamic_slice.hpp>
#include <exprax/primitives/indexed/scatter_family.hpp>

namespace exprax {

template <>
struct primitive<prim::dynamic_update_slice> {
  static constexpr std::string_view name = "dynamic_update_slice";
  static constexpr prim_traits traits{.kind = op_class::update, .moves_bits = true, .linear_in = 3};

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
  // jax.lax's rule: a scatter, whose batching rule covers every case.
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const rank = e.type(0).rank;
    if (rank == 0) return c.set(e, 0, c.value(e, 1), c.dim(e, 1));
    detail::scatter_form n;
    n.window = n.to = detail::axes_below(rank);
    n.mode = index_mode::clip;
    n.sorted = n.unique = true;
    bool const starts = detail::is_batched_from(c, e, 2);
    int const indices = detail::index_vectors(c, e, 2, starts);
    int const in[] = {c.value(e, 0), indices, c.value(e, 1)};
    batch_axis const axes[] = {c.dim(e, 0), starts ? batch_axis(0) : not_mapped, c.dim(e, 1)};
    detail::batch_scatter(c, prim::scatter, e, n, in, axes);
  }
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    aval const& update = e.type(1);
    detail::arena<int> in, from;
    in.push(c.cotangent(e));
    in.push(c.zeros(update));
    from.push(in[0]);
    for (int k = 2; k < e.n_in(); ++k) in.push(c.in(e, k)), from.push(c.in(e, k));
    if (c.is_linear(e, 0)) c.add_cotangent(e, 0, c.emit(prim::dynamic_update_slice, in));
    if (c.is_linear(e, 1)) c.add_cotangent(e, 1, c.emit(prim::dynamic_slice, from, {update.dims, update.rank}));
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
