// SPDX-License-Identifier: BSL-1.0
// all_gather (jax.lax.all_gather): gathers the values along the mapped axis to each index: as a new axis, or concatenated along an existing
// one. Parameters: all_gather_dimension, the size of the mapped axis, tiled (0 or 1), the name.
#pragma once

#include <exprax/primitives/collectives/collective.hpp>

namespace exprax {

template <>
struct primitive<prim::all_gather> : detail::collective {
  static constexpr prim_traits traits = moving;
  static constexpr std::string_view name = "all_gather";
  static constexpr bool spreads(bool over, bool in) { return in && !over; }
  static constexpr int dimension(equation_ref const& e) { return e.param(0); }
  static constexpr int axis_size(equation_ref const& e) { return e.param(1); }
  static constexpr bool tiled(equation_ref const& e) { return e.param(2) != 0; }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1 || e.n_par() < 4 || axis_size(e) < 0 || dimension(e) < 0 || dimension(e) > e.type(0).rank - tiled(e)) return false;
    if (!tiled(e) && e.type(0).rank == max_rank) return false;
    *out = tiled(e) ? e.type(0) : e.type(0).with_axis(dimension(e), axis_size(e));
    if (tiled(e)) out->dims[dimension(e)] *= axis_size(e);
    return true;
  }
  // jax.lax's rule, psum_scatter: each index gets its part of all cotangents, and adds these parts.
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    int const at = dimension(e), n = axis_size(e), ct = c.cotangent(e);
    detail::arena<int> par;
    for (int x : {at, at, n, 0}) par.push(x);
    for (int x : detail::axes_of(e.p, e.e)) par.push(x);
    int const parts = c.emit(prim::all_to_all, {&ct, 1}, par);
    c.add_cotangent(e, 0, c.reduce(prim::reduce_sum, tiled(e) ? split(c, parts, at, n) : parts, {&at, 1}));
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    batch_axis const along = c.dim(e, 0);
    int const d = along.position(), at = dimension(e);
    int v = c.value(e, 0);
    if (!detail::names_axis(detail::axes_of(e.p, e.e), c.axis()))
      return c.replace(e, {&v, 1}, with_params(e, at + (d <= at), 0, 1), d > at && !tiled(e) ? d + 1 : d);
    if (c.size() != axis_size(e)) return c.fail(e, mistake::axis_size_differs, c.size(), axis_size(e));
    v = along.is_mapped() ? c.move(v, d, at) : c.insert(v, at, c.size());
    c.set(e, 0, tiled(e) ? fold(c, v, at) : v, not_mapped);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("all_gather_dimension");
    o.integer(dimension(e));
    o.key("axis_index_groups");
    o.text("None");
    print_axis(o, e, true);
    o.key("axis_size");
    o.integer(axis_size(e));
    o.key("tiled");
    o.boolean(tiled(e));
  }
};

}  // namespace exprax
