// SPDX-License-Identifier: BSL-1.0
// Family of argmax and argmin (jax.lax.argmax, argmin): the index of the first NaN along an axis, else of the first largest or smallest
// element. Expands to one reduction (argument_reduction.hpp), or in loops and branches, and for short elements, to the extremum, a
// comparison, and the smallest index where that holds. Parameters: the axis, the dtype of the indices.
#pragma once

#include <exprax/primitives/primitive.hpp>
#include <exprax/primitives/reductions/reduction.hpp>
#include <exprax/primitives/walk.hpp>
#include <exprax/types/element.hpp>

namespace exprax::detail {

// Whether there is a reduction to the index, and its dtype.
constexpr bool has_argument_reduction(dtype t) { return !is_complex(t) && !is_key(t) && (size_of(t) == 4 || size_of(t) == 8); }
constexpr dtype index_of_argument(dtype t) { return size_of(t) == 8 ? dtype::i64 : dtype::i32; }

// The index of the first extremum of x along an axis, where `extremum` reduces x to it. counter: the dtype of the result.
template <class Context>
constexpr int first_extremum(Context& c, int x, int axis, prim extremum, dtype counter) {
  aval const t = c.type(x).with_type(c.type(x).type), found_type = t.with_type(dtype::b1), index_type = t.with_type(counter);
  int const axes[] = {axis};
  int_list kept, of_iota;
  of_iota.push(static_cast<int>(counter));
  of_iota.push(axis);
  for (int i = 0; i < t.rank; ++i) {
    of_iota.push(t.dims[i]);
    if (i != axis) kept.push(i);
  }
  int const best = c.broadcast(c.emit(extremum, {&x, 1}, axes, t.without_axis(axis)), t, {kept.of, kept.n});
  int const equal[] = {x, best}, same[] = {x, x};
  int found = c.emit(prim::eq, equal, {}, found_type);
  if (is_floating(t.type)) {
    int const either[] = {found, c.emit(prim::ne, same, {}, found_type)};
    found = c.emit(prim::or_, either, {}, found_type);
  }
  int const none = c.literal(counter, bits_of_int(counter, t.dims[axis]));
  int const index = c.emit(prim::iota, {}, {of_iota.of, of_iota.n}, index_type);
  int const cases[] = {found, c.broadcast(none, index_type, {}), index};
  int const first = c.emit(prim::select_n, cases, {}, index_type);
  return c.emit(prim::reduce_min, {&first, 1}, axes, index_type.without_axis(axis));
}

// jax.lax's _compute_argminmax: a reduction of pairs of a value and an index.
template <bool Largest, class Lowering>
constexpr void lower_argument_extremum(Lowering& l, equation_ref const& e, int axis, dtype index) {
  dtype const t = e.type(0).type;
  int const identity = l.scalar(t, reduction_identity_bits(Largest ? prim::max : prim::min, t));
  int const in[] = {l.in(e, 0), l.iota(axis, e.type(0).with_type(index)), identity, l.number(index, 0)}, axes[] = {axis};
  aval const pair[] = {aval(t), aval(index), aval(t), aval(index)};
  aval const out[] = {e.out_type(0).with_type(t), e.out_type(0)};
  int const a = l.open(pair), i = a + 1, b = a + 2, j = a + 3;
  int const better = l.like("or", l.compare(Largest ? "GT" : "LT", a, b), l.compare("NE", a, a));
  int const first = l.like("and", l.compare("EQ", a, b), l.compare("LT", i, j));
  int const results[] = {l.select(better, a, b), l.select(l.like("or", better, first), i, j)};
  l.set(e, 0, l.reduce_by(in, axes, out, l.close(results)) + 1);
}

template <prim P, prim Extremum, prim Reduction>
struct argument_extremum {
  static constexpr prim_traits traits{.kind = op_class::composite};

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
    int x = c.in(e, 0);
    if (is_bool(e.type(0).type)) x = c.convert(x, dtype::u8);
    if (has_argument_reduction(c.type(x).type) && !c.in_control_flow()) {
      int const axes[] = {axis(e)};
      return c.set(e, 0, c.convert(c.emit(Reduction, {&x, 1}, axes), index_type(e)));
    }
    dtype const counter = index_type(e) == dtype::i64 || index_type(e) == dtype::u64 ? dtype::i64 : dtype::i32;
    c.set(e, 0, c.convert(first_extremum(c, x, axis(e), Extremum, counter), index_type(e)));
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const d = c.dim(e, 0).position(), v = c.value(e, 0), par[] = {axis(e) + (d <= axis(e)), e.param(1)};
    c.replace(e, {&v, 1}, par, d - (d > axis(e)));
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    lower_argument_extremum<Extremum == prim::reduce_max>(l, e, axis(e), index_type(e));
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    int const axes[] = {axis(e)};
    o.key("axes");
    o.tuple(axes);
    o.key("index_dtype");
    o.dtype(index_type(e));
  }
};

}  // namespace exprax::detail
