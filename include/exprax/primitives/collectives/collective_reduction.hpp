// SPDX-License-Identifier: BSL-1.0
// Family of psum, pmax and pmin: a reduction over named and positional axes. Parameters: the list of axes. Batching over a named axis makes
// it positional, which JAX prints: psum[axes=(0,) axis_index_groups=None]. Without names left it means what Reduce does
// (legalize/lower_collectives.hpp).
#pragma once

#include <exprax/primitives/collectives/collective.hpp>
#include <exprax/primitives/reductions/reduction.hpp>

namespace exprax::detail {

template <prim P, prim Reduce>
struct collective_reduction : collective {
  static constexpr prim_traits traits{.kind = op_class::collective, .arity = 1, .is_linear = primitive<Reduce>::traits.is_linear,
                                      .linear_in = primitive<Reduce>::traits.linear_in};
  static constexpr prim reduce = Reduce;
  static constexpr bool spreads(bool over, bool in) { return in && !over; }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1 || is_bool(e.type(0).type)) return false;
    aval const& in = e.type(0);
    int_list axes;
    for_each_axis_entry(e.params(), [&](span<int> entry) {
      if (!is_axis_name(entry)) axes.push(entry[0]);
    });
    if (!are_axes(axes.of, axes.n, in.rank)) return false;
    *out = aval(in.type, in.weak);
    for (int i = 0; i < in.rank; ++i)
      if (!contains(axes.of, axes.n, i)) out->dims[out->rank++] = in.dims[i];
    return true;
  }
  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    primitive<Reduce>::evaluate(m, e);
  }

  // Of a sum; jax.lax's rule: over names the cotangents of all rows are summed, along positional axes they are repeated.
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    arena<int> names;
    int_list summed, kept;
    for_each_axis_entry(e.params(), [&](span<int> entry) {
      if (!is_axis_name(entry)) return summed.push(entry[0]);
      for (int x : entry) names.push(x);
    });
    for (int i = 0; i < e.type(0).rank; ++i)
      if (!contains(summed.of, summed.n, i)) kept.push(i);
    int ct = c.cotangent(e);
    if (!names.empty()) ct = c.emit(P, {&ct, 1}, names);
    c.add_cotangent(e, 0, summed.n == 0 ? ct : c.broadcast(ct, e.type(0), {kept.of, kept.n}));
  }
  // The batch axis goes first, as in JAX. For a sum, a value that does not depend on the axis is multiplied by its size.
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    bool const over = names_axis(e.params(), c.axis());
    batch_axis const d = c.dim(e, 0);
    arena<int> axes;
    bool positional = false;
    for_each_axis_entry(e.params(), [&](span<int> entry) { positional = positional || !is_axis_name(entry); });
    bool const moves = d.is_mapped() && (over || positional);
    for_each_axis_entry(e.params(), [&](span<int> entry) {
      if (is_same_axis(entry, c.axis())) {
        if (d.is_mapped()) axes.push(0);
      } else if (is_axis_name(entry)) {
        for (int x : entry) axes.push(x);
      } else {
        axes.push(entry[0] + moves);
      }
    });
    int v = c.value(e, 0);
    if (!d.is_mapped()) return c.set(e, 0, unmapped(c, e, v, axes), not_mapped);
    if (moves) v = c.move(v, d.position(), 0);
    if (over) return c.set(e, 0, c.emit(P, {&v, 1}, axes, e.out_type(0)), not_mapped);
    c.replace(e, {&v, 1}, axes, moves ? 0 : d.position());
  }

  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    primitive<Reduce>::lower(l, e);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("axes");
    o.text("(");
    int n = 0;
    for_each_axis_entry(e.params(), [&](span<int> entry) {
      if (n++ > 0) o.text(", ");
      if (!is_axis_name(entry)) return o.integer(entry[0]);
      o.text("'");
      print_axis_name(o, entry);
      o.text("'");
    });
    o.text(n == 1 ? ",)" : ")");
    o.key("axis_index_groups");
    o.text("None");
  }

 private:
  // For a literal the result is a literal, times the size of the axis: psum(1, name) gives the size.
  template <class Context>
  static constexpr int unmapped(Context& c, equation_ref const& e, int v, arena<int> const& axes) {
    aval const out = e.out_type(0);
    if (P == prim::psum && c.is_literal(v) && !is_half(out.type) && !is_complex(out.type)) {
      std::uint64_t const bits = with_element(out.type, [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_same_v<T, bool>) return std::uint64_t{0};
        else return to_bits((lane<T>(static_cast<T>(c.size())) * lane<T>(from_bits<T>(c.literal_bits(v)))).value);
      });
      v = c.literal(out.type, bits, out.weak);
      return axes.empty() ? v : c.emit(P, {&v, 1}, axes, out);
    }
    if (!axes.empty()) v = c.emit(P, {&v, 1}, axes, out);
    if (P != prim::psum) return v;
    int const factors[] = {c.literal(out.type, bits_of_int(out.type, c.size())), v};
    return c.emit(prim::mul, factors, {}, out);
  }
};

}  // namespace exprax::detail
