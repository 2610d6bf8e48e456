// SPDX-License-Identifier: BSL-1.0
// all_to_all (jax.lax.all_to_all): exchanges the mapped axis with another one. The operand's axis split_axis is cut into as many pieces as
// the mapped axis is long; each index along that axis gets its piece of every value, concatenated along concat_axis.
// Parameters: split_axis, concat_axis, the size of the mapped axis, tiled (only printed), the name.
#pragma once

#include <exprax/primitives/collectives/collective.hpp>

namespace exprax {

template <>
struct primitive<prim::all_to_all> : detail::collective {
  static constexpr prim_traits traits = moving;
  static constexpr std::string_view name = "all_to_all";
  static constexpr bool spreads(bool over, bool in) { return in || over; }
  static constexpr int split_axis(equation_ref const& e) { return e.param(0); }
  static constexpr int concat_axis(equation_ref const& e) { return e.param(1); }
  static constexpr int axis_size(equation_ref const& e) { return e.param(2); }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1 || e.n_par() < 5 || axis_size(e) < 1) return false;
    *out = e.type(0);
    int const axes[] = {split_axis(e), concat_axis(e)};
    for (int a : axes)
      if (a < 0 || a >= out->rank) return false;
    if (out->dims[axes[0]] % axis_size(e) != 0) return false;
    out->dims[axes[0]] /= axis_size(e);
    out->dims[axes[1]] *= axis_size(e);
    return true;
  }
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    int const ct = c.cotangent(e);
    c.add_cotangent(e, 0, c.emit(prim::all_to_all, {&ct, 1}, with_params(e, concat_axis(e), split_axis(e), 2)));
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    batch_axis const along = c.dim(e, 0);
    int d = along.position(), v = c.value(e, 0), n = c.size(), split_at = split_axis(e);
    if (!detail::names_axis(detail::axes_of(e.p, e.e), c.axis()))
      return c.replace(e, {&v, 1}, with_params(e, split_at + (d <= split_at), concat_axis(e) + (d <= concat_axis(e)), 2), d);
    if (n != axis_size(e)) return c.fail(e, mistake::axis_size_differs, n, axis_size(e));
    if (!along.is_mapped()) {
      v = c.insert(v, 0, n);
      d = 0;
    }
    if (split_at != concat_axis(e)) {
      v = fold(c, c.move(v, d, concat_axis(e)), concat_axis(e));
      return c.set(e, 0, split(c, v, split_at, n), split_at);
    }
    // The axis of pieces and the mapped axis are exchanged.
    int const axis = split_at + (d <= split_at), now = d + (axis <= d);
    v = split(c, v, axis, n);
    int swapped[max_rank];
    int const rank = c.type(v).rank;
    for (int i = 0; i < rank; ++i) swapped[i] = i == now ? axis : i == axis ? now : i;
    c.set(e, 0, fold(c, c.transpose(v, {swapped, rank}), axis), d);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("axis_index_groups");
    o.text("None");
    print_axis(o, e, false);
    o.key("concat_axis");
    o.integer(concat_axis(e));
    o.key("split_axis");
    o.integer(split_axis(e));
    o.key("tiled");
    o.boolean(e.param(3) != 0);
  }
};

}  // namespace exprax
