// SPDX-License-Identifier: BSL-1.0
// Family of argmax and argmin (jax.lax.argmax, argmin): the index of the first NaN along an axis, else of the first largest or smallest
// element. Expands to the extremum, a comparison, and the smallest index where that holds.
// Parameters: the axis, the dtype of the indices.
#pragma once

#include <limits>

#include <exprax/primitives/primitive.hpp>
#include <exprax/primitives/walk.hpp>
#include <exprax/types/element.hpp>

namespace exprax::detail {

template <prim P, prim Extremum>
struct argument_extremum {
  static constexpr prim_traits traits{.kind = op_class::composite};
  static constexpr bool largest = Extremum == prim::reduce_max;

  static constexpr int axis(equation_ref const& e) { return e.param(0); }
  static constexpr dtype index_type(equation_ref const& e) { return static_cast<dtype>(e.param(1)); }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1 || e.n_out() != 1 || e.n_par() != 2 || is_complex(e.type(0).type)) return false;
    aval const& in = e.type(0);
    if (axis(e) < 0 || axis(e) >= in.rank || in.dims[axis(e)] < 1) return false;
    if (!is_signed_integer(index_type(e)) && !is_unsigned_integer(index_type(e))) return false;
    *out = aval(in.without_axis(axis(e)).with_type(index_type(e)));
    return true;
  }
  template <class Context>
  static constexpr void expand(Context& c, equation_ref const& e) {
    int const axes[] = {axis(e)}, n = e.type(0).dims[axis(e)];
    int x = c.in(e, 0);
    if (is_bool(e.type(0).type)) x = c.convert(x, dtype::u8);
    aval const t = c.type(x);
    int_list kept;
    for (int i = 0; i < t.rank; ++i)
      if (i != axis(e)) kept.push(i);
    int const best = c.broadcast(c.reduce(Extremum, x, axes), t, {kept.of, kept.n});
    int found = c.elementwise(prim::eq, x, best);
    if (is_floating(t.type)) found = c.elementwise(prim::or_, found, c.elementwise(prim::ne, x, x));
    dtype const counter = index_type(e) == dtype::i64 || index_type(e) == dtype::u64 ? dtype::i64 : dtype::i32;
    int const index = c.select(found, c.full(t.with_type(counter), c.number(counter, n)), c.iota(t.with_type(counter), axis(e)));
    c.set(e, 0, c.convert(c.reduce(prim::reduce_min, index, axes), index_type(e)));
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const d = c.dim(e, 0).position(), v = c.value(e, 0), par[] = {axis(e) + (d <= axis(e)), e.param(1)};
    c.replace(e, {&v, 1}, par, d - (d > axis(e)));
  }
  // jax.lax's _compute_argminmax: a reduction of pairs of a value and an index.
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    dtype const t = e.type(0).type, index = index_type(e);
    int const identity = l.scalar(t, bits_in(t, [](auto tag) { return extremum_identity<typename decltype(tag)::type>(); }));
    int const in[] = {l.in(e, 0), l.iota(axis(e), e.type(0).with_type(index)), identity, l.number(index, 0)}, axes[] = {axis(e)};
    aval const pair[] = {aval(t), aval(index), aval(t), aval(index)};
    aval const out[] = {e.out_type(0).with_type(t), e.out_type(0)};
    int const a = l.open(pair), i = a + 1, b = a + 2, j = a + 3;
    int const better = l.like("or", l.compare(largest ? "GT" : "LT", a, b), l.compare("NE", a, a));
    int const first = l.like("and", l.compare("EQ", a, b), l.compare("LT", i, j));
    int const results[] = {l.select(better, a, b), l.select(l.like("or", better, first), i, j)};
    l.set(e, 0, l.reduce_by(in, axes, out, l.close(results)) + 1);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    int const axes[] = {axis(e)};
    o.key("axes");
    o.tuple(axes);
    o.key("index_dtype");
    o.dtype(index_type(e));
  }

 private:
  template <class T>
  static constexpr T extremum_identity() {
    using limits = std::numeric_limits<T>;
    if constexpr (limits::has_infinity) return largest ? static_cast<T>(-limits::infinity()) : limits::infinity();
    else return largest ? limits::lowest() : limits::max();
  }
};

}  // namespace exprax::detail
