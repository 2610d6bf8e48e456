// SPDX-License-Identifier: BSL-1.0
// ppermute (jax.lax.ppermute): permutes the values along the mapped axis: index i gets the value of index source[i].
// Parameters: the number of sources, the sources, the name. Batching writes slices and a concatenation, one slice for each contiguous run,
// where JAX writes a gather: the permutation is static, so no indices are looked up at run time.
#pragma once

#include <exprax/primitives/collectives/collective.hpp>
#include <exprax/primitives/walk.hpp>

namespace exprax {

template <>
struct primitive<prim::ppermute> : detail::collective {
  static constexpr prim_traits traits = moving;
  static constexpr std::string_view name = "ppermute";
  static constexpr bool spreads(bool, bool in) { return in; }
  static constexpr int length(equation_ref const& e) { return e.param(0); }
  static constexpr int source(equation_ref const& e, int i) { return e.param(1 + i); }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1 || e.n_par() < 1 || length(e) < 0 || e.n_par() < 2 + length(e)) return false;
    *out = e.type(0);
    return true;
  }
  // By the inverse permutation.
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    detail::arena<int> par;
    for (int x : e.params()) par.push(x);
    for (int i = 0; i < length(e); ++i) par[1 + source(e, i)] = i;
    int const ct = c.cotangent(e);
    c.add_cotangent(e, 0, c.emit(prim::ppermute, {&ct, 1}, par));
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    batch_axis const along = c.dim(e, 0);
    int const v = c.value(e, 0), n = c.size();
    bool const over = detail::names_axis(detail::axes_of(e.p, e.e), c.axis());
    if (over && length(e) != n) return c.fail(e, mistake::permutation_has_another_size, n, length(e));
    if (!along.is_mapped()) return c.set(e, 0, v, along);
    int const d = along.position();
    if (!over) return c.replace(e, {&v, 1}, e.params(), d);
    aval const whole = c.type(v);
    detail::arena<int> pieces;
    for (int i = 0; i < n;) {
      int const first = source(e, i);
      int last = first + 1;
      for (++i; i < n && source(e, i) == last; ++i) ++last;
      if (last - first == n) return c.set(e, 0, v, d);
      detail::int_list box;
      for (int k = 0; k < whole.rank; ++k) box.push(k == d ? first : 0);
      for (int k = 0; k < whole.rank; ++k) box.push(k == d ? last : whole.dims[k]);
      aval piece = whole;
      piece.dims[d] = last - first;
      pieces.push(c.emit(prim::slice, {&v, 1}, {box.of, box.n}, piece));
    }
    c.set(e, 0, c.emit(prim::concatenate, pieces, {&d, 1}, whole), d);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    print_axis(o, e, true);
    o.key("perm");
    o.text("(");
    for (int i = 0; i < length(e); ++i) {
      int const pair[] = {source(e, i), i};
      if (i > 0) o.text(", ");
      o.tuple(pair);
    }
    o.text(length(e) == 1 ? ",)" : ")");
  }
};

}  // namespace exprax
