// SPDX-License-Identifier: BSL-1.0
// Family of the running reductions (jax.lax.cumsum, ...): out[i] = x[0] op ... op x[i] along one axis, from its first element, or from its
// last one if reversed. Parameters: the axis, 1 if reversed, and 1 if in blocks, which may be left out if not.
//
// The order is part of the definition. In turn: out[i] = out[i - 1] op x[i]. In blocks: of eight elements, the last one of those that are
// left. Within a block, steps of distance d = 1, 2 and 4 make prefixes (a tree of Sklansky): each element of the upper half of a group of
// 2 d takes what the last element of the lower half has, in front. Then out[i] = carry op prefix[i], and the carry of the next block is
// carry op the last prefix. So a block waits for one operation of the block before, and its eight elements are one pack.
//
// ex::cumsum and its kin run in blocks along a last axis of `shortest_in_blocks` elements or more, along other axes in turn, because there
// packs run across; cumlogsumexp does in turn, because a block waits for too long for one of its operations. The shape decides alone, and
// batching keeps what the equation has, wherever the batch axis stands: bits are the same on every target, in constant evaluation, and
// under vmap. JAX, too, adds in a tree. The order says nothing for integers and extrema.
//
// The first element, or block, is combined with the identity of op (cumulative_identity).
#pragma once

#include <exprax/math/lane.hpp>
#include <exprax/primitives/elementwise/families.hpp>
#include <exprax/primitives/reductions/reduction.hpp>
#include <exprax/primitives/walk.hpp>
#include <exprax/types/element.hpp>

namespace exprax::detail {

// The shortest last axis along which functions of users run in blocks. Shorter rows are fast in turn: as lanes, several rows at once.
inline constexpr int shortest_in_blocks = 512;
inline constexpr int running_block = 8;
// Of a cumulative equation.
constexpr bool runs_in_blocks(eqn const& e) { return e.n_par > 2; }

// What the first element, or block, is combined with. -0 + x keeps a -0.
constexpr std::uint64_t cumulative_identity_bits(prim op, dtype t) {
  switch (op) {
    case prim::cumsum: return is_inexact(t) ? bits_of_real(t, -0.0) : 0;
    case prim::cumprod: return reduction_identity_bits(prim::mul, t);
    case prim::cummin: return reduction_identity_bits(prim::min, t);
    default: return reduction_identity_bits(prim::max, t);  // cummax, cumlogsumexp
  }
}
template <class T>
constexpr T cumulative_identity(prim op) {
  return from_bits<T>(cumulative_identity_bits(op, dtype_of<T>));
}

// The prefixes of the n elements of a block, or of the first ones. P: a cumulative primitive.
template <prim P, class V>
constexpr void make_prefixes(V* v, int n) {
  for (int d = 1; d < running_block; d *= 2)
    for (int i = d; i < n; ++i)
      if (i & d) v[i] = primitive<P>::join(v[i / d * d - 1], v[i]);
}

// P has accepts(dtype) and join(V, V), over the lane concept.
template <prim P>
struct cumulative {
  static constexpr prim_traits traits{.kind = op_class::cumulative, .arity = 1};

  static constexpr int axis(equation_ref const& e) { return e.param(0); }
  static constexpr bool reverse(equation_ref const& e) { return e.param(1) != 0; }
  // The parameters with another axis and direction.
  static constexpr void push_params(arena<int>& par, equation_ref const& e, int axis, int reversed) {
    par.push(axis);
    par.push(reversed);
    if (runs_in_blocks(e.e)) par.push(1);
  }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1 || (e.n_par() != 2 && (e.n_par() != 3 || e.param(2) != 1)) || !primitive<P>::accepts(e.type(0).type)) return false;
    if (axis(e) < 0 || axis(e) >= e.type(0).rank) return false;
    *out = e.type(0);
    return true;
  }

  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    with_element(e.type(0).type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      if constexpr (primitive<P>::accepts(dtype_of<T>)) evaluate_as<T>(m, e);
    });
  }
  static constexpr bool unbatch(equation_ref const& e, span<batch_axis> in, int, batch_axis& out, arena<int>& par) {
    out = in[0];
    push_params(par, e, axis(e) - (axis(e) > out.position()), e.param(1));
    return axis(e) != out.position();
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const d = c.dim(e, 0).position(), v = c.value(e, 0);
    arena<int> par;
    push_params(par, e, axis(e) < d ? axis(e) : axis(e) + 1, e.param(1));
    c.replace(e, {&v, 1}, par, d);
  }
  // A loop along the axis, which carries the running result and its tangent: primitive<P>::running_tangent(c, x, its tangent, the result,
  // the result before, its tangent).
  template <class Context>
    requires requires(Context& c) { primitive<P>::running_tangent(c, 0, 0, 0, 0, 0); }
  static constexpr void jvp(Context& c, equation_ref const& e) {
    aval const& in = e.type(0);
    int_list to_front, back;
    to_front.push(axis(e));
    for (int i = 0; i < in.rank; ++i)
      if (i != axis(e)) to_front.push(i);
    for (int i = 0; i < in.rank; ++i) back.push(i == axis(e) ? 0 : i < axis(e) ? i + 1 : i);
    auto const rows = [&](int v) { return c.transpose(v, {to_front.of, in.rank}); };
    aval const row = c.type(rows(c.in(e, 0))).without_axis(0);
    int const first = c.literal(in.type, cumulative_identity_bits(P, in.type));
    int const operands[] = {c.full(row, first), c.zeros(row), rows(c.in(e, 0)), rows(c.tangent(e, 0)), rows(c.out(e))};
    int inputs[5] = {};
    for (int& v : inputs) v = c.input(row);
    c.open();
    int const t = primitive<P>::running_tangent(c, inputs[2], inputs[3], inputs[4], inputs[0], inputs[1]), outputs[] = {inputs[4], t, t};
    int const body = c.close(inputs, outputs), par[] = {in.dims[axis(e)], 0, 2, e.param(1), 1};
    aval const out[] = {row, row, row.with_axis(0, in.dims[axis(e)])};
    int const made = c.emit(prim::scan, operands, par, out, {&body, 1});
    c.set_tangent(e, 0, c.transpose(made + 2, {back.of, in.rank}));
  }
  // In the form that XLA rewrites: each element is a reduction of a window that ends there.
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    aval const& in = e.type(0);
    int const x = l.in(e, 0), n = in.dims[axis(e)];
    if (n == 0) return l.set(e, 0, x);
    int window[3 * max_rank] = {};
    for (int i = 0; i < in.rank; ++i) window[i] = 1;
    window[axis(e)] = n;
    window[(reverse(e) ? 2 : 1) * in.rank + axis(e)] = n - 1;
    int const start = l.scalar(in.type, cumulative_identity_bits(P, in.type));
    aval const scalars[] = {aval(in.type), aval(in.type)};
    int const a = l.open(scalars), joined = primitive<P>::lower_join(l, a, a + 1);
    l.set(e, 0, l.reduce_window(x, start, {window, 3 * in.rank}, l.close({&joined, 1})));
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("axis");
    o.integer(axis(e));
    o.key("reverse");
    o.boolean(reverse(e));
  }

 private:
  template <class T, class Machine>
  static constexpr void evaluate_as(Machine& m, equation_ref const& e) {
    aval const& in = e.type(0);
    std::ptrdiff_t const step = strides(in)[axis(e)];
    int const n = in.dims[axis(e)];
    aval rows = in;
    rows.dims[axis(e)] = n > 0 ? 1 : 0;
    std::uint64_t const* const from = m.in(e, 0);
    std::uint64_t* const to = m.out(e, 0);
    walk(rows, place(in), place(in), [&](std::ptrdiff_t first, std::ptrdiff_t) {
      lane<T> sum(cumulative_identity<T>(P));
      auto const at = [&](int i) { return first + step * (reverse(e) ? n - 1 - i : i); };
      int const block = runs_in_blocks(e.e) ? running_block : 1;
      for (int i = 0; i < n; i += block) {
        int const count = n - i < block ? n - i : block;
        lane<T> v[running_block];
        for (int k = 0; k < count; ++k) v[k] = lane<T>(from_bits<T>(from[at(i + k)]));
        make_prefixes<P>(v, count);
        for (int k = 0; k < count; ++k) to[at(i + k)] = to_bits(primitive<P>::join(sum, v[k]).value);
        sum = primitive<P>::join(sum, v[count - 1]);
      }
    });
  }
};

// Those whose op is another primitive.
template <prim P, prim Combine>
class cumulative_of : public cumulative<P> {
  static constexpr bool adds = Combine == prim::add;

 public:
  static constexpr prim_traits traits{.kind = op_class::cumulative, .arity = 1, .is_linear = adds, .linear_in = adds, .combiner = Combine};
  static constexpr bool accepts(dtype d) { return !is_bool(d); }
  // Of the largest or smallest element so far; cumprod has its own.
  template <class Context>
    requires(Combine == prim::max || Combine == prim::min)
  static constexpr int running_tangent(Context& c, int x, int t, int result, int before, int t_before) {
    return c.add(c.mul(t_before, share_of_extremum(c, before, result, x)), c.mul(t, share_of_extremum(c, x, result, before)));
  }
  // Of sums.
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    int const ct = c.cotangent(e);
    arena<int> par;
    cumulative<P>::push_params(par, e, e.param(0), !e.param(1));
    c.add_cotangent(e, 0, c.emit(P, {&ct, 1}, par));
  }
  template <class V>
  static constexpr V join(V a, V b) {
    return primitive<Combine>::kernel(a, b);
  }
  template <class Lowering>
  static constexpr int lower_join(Lowering& l, int a, int b) {
    return l.combined(primitive<Combine>::stablehlo, a, b);
  }
};

}  // namespace exprax::detail
