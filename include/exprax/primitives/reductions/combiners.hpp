// SPDX-License-Identifier: BSL-1.0
// Shared by reductions with a user function: operands x0, x1, ..., then as many initial values, and a block that combines a scalar of each
// operand with one more of each. The function is associative, and the initial values are its identity.
#pragma once

#include <exprax/primitives/primitive.hpp>
#include <exprax/primitives/walk.hpp>

namespace exprax::detail {

// Whether the operands have one shape, the initial values rank 0, and the block fits them.
constexpr bool is_combination(equation_ref const& e) {
  int const n = e.n_out();
  if (n < 1 || e.n_in() != 2 * n || e.e.n_blk != 1) return false;
  block const& b = e.sub(0);
  if (b.n_in != 2 * n || b.n_out != n) return false;
  for (int k = 0; k < n; ++k) {
    aval const scalar(e.type(k).type);
    if (!e.type(k).same_shape(e.type(0)) || !e.type(n + k).matches(scalar)) return false;
    if (!e.p.type(e.p.ins(b)[k]).matches(scalar) || !e.p.type(e.p.ins(b)[n + k]).matches(scalar) ||
        !e.p.type(e.p.outs(b)[k]).matches(scalar))
      return false;
  }
  return true;
}

constexpr bool is_combiner(prim p) {
  switch (p) {
    case prim::add: case prim::mul: case prim::max: case prim::min: case prim::and_: case prim::or_: case prim::xor_: return true;
    default: return false;
  }
}
// The elementwise primitive that the block applies to its two inputs, in any order; fma, which no block can be, if there is none.
constexpr prim known_combiner(equation_ref const& e) {
  block const& b = e.sub(0);
  if (b.n_in != 2 || b.n_eqn != 1) return prim::fma;
  eqn const& q = e.p.eqns[b.eqn];
  if (!is_combiner(q.op) || e.p.outs(b)[0] != q.out) return prim::fma;
  int const x = e.p.ins(b)[0], y = e.p.ins(b)[1], i = e.p.in(q, 0), j = e.p.in(q, 1);
  return (i == x && j == y) || (i == y && j == x) ? q.op : prim::fma;
}

// Combines the first values with the second ones, all of one shape.
template <class Context>
constexpr arena<int> combine(Context& c, equation_ref const& e, arena<int> const& first, arena<int> const& second) {
  arena<int> both, results;
  for (int v : first) both.push(v);
  for (int v : second) both.push(v);
  results.resize(first.size(), 0);
  if (prim const op = known_combiner(e); op != prim::fma) results[0] = c.elementwise(op, first[0], second[0]);
  else c.splice_shaped(e, 0, both, c.type(first[0]), results.data());
  return results;
}

template <class Context>
constexpr arena<int> starts(Context& c, equation_ref const& e) {
  arena<int> r;
  for (int k = 0; k < e.n_out(); ++k) r.push(c.in(e, e.n_out() + k));
  return r;
}

// The equation with another shape of operands, all with the batch axis in front, and other parameters. Initial values per row are not
// supported by the equation: the rows run one by one.
template <class Context>
constexpr void batch_combination(Context& c, equation_ref const& e, span<int> par) {
  int const n = e.n_out();
  arena<int> in;
  arena<batch_axis> dims;
  arena<aval> out;
  for (int k = n; k < 2 * n; ++k)
    if (c.dim(e, k).is_mapped()) return c.map(e);
  for (int k = 0; k < n; ++k) {
    in.push(c.at_front(c.value(e, k), c.dim(e, k), c.size()));
    out.push(e.out_type(k).with_axis(0, c.size()));
  }
  for (int k = n; k < 2 * n; ++k) in.push(c.value(e, k));
  dims.resize(2 * n);
  int const block = c.batch_block(e.p.block_id(e.e, 0), dims, {});
  int const first = c.emit(e.e.op, in, par, out, {&block, 1});
  for (int k = 0; k < n; ++k) c.set(e, k, first + k, 0);
}

}  // namespace exprax::detail
