// SPDX-License-Identifier: BSL-1.0
// What becomes of a random program before it is planned, chosen by a seed: constexpr, so that emitted programs are made in the same way.
#pragma once

#include <exprax/primitives/copy.hpp>
#include <random/mixture.hpp>

namespace random_programs {

using namespace exprax;
using detail::arena;
using detail::span;

// Powers have to become products before a program is planned.
constexpr bool has_to_be_simplified(program_ref p) {
  for (int i = 0; i < p.n.eqns; ++i)
    if (p.eqns[i].op == prim::integer_pow) return true;
  return false;
}

// Axes and rows for a vmap of p.
struct batching {
  arena<batch_axis> dims;
  arena<wanted_axis> out_dims;
  int rows = 0;
};
constexpr batching random_batching(program_ref p, std::uint32_t seed) {
  rng r(seed);
  batching b;
  for (int v : p.ins(p.main())) b.dims.push(r.chance(50) ? not_mapped : batch_axis(r.below(p.type(v).rank + 1)));
  b.dims[static_cast<int>(seed) % b.dims.size()] = 0;
  b.out_dims.resize(p.main().n_out);
  b.rows = 1 + r.below(19);
  return b;
}

// What is planned: a program after all passes; one of which only calls are inlined and products fused, so that the planner meets what
// passes would have removed: loops of no iteration, constant carries, equal branches; and a vmap of it: after batching, and in lanes,
// whether or not that is better.
enum class variant : std::uint8_t { optimized, inlined, batched, in_lanes };

// p for each row of a vmap equation, of up to 70 rows.
constexpr program mapped(program_ref p, std::uint32_t seed) {
  struct block const& b = p.main();
  rng r(seed);
  int const rows = r.chance(25) ? 1 + r.below(5) : 6 + r.below(65);
  arena<int> in, params, outs;
  arena<aval> types;
  program_builder q;
  params.push(1);
  params.push(rows);
  for (int k = 0; k < b.n_in; ++k) {
    aval const& t = p.type(p.ins(b)[k]);
    int const dim = k != static_cast<int>(seed) % b.n_in && r.chance(50) ? -1 : r.below(t.rank + 1);
    params.push(dim);
    in.push(q.add_value(dim < 0 ? t : t.with_axis(dim, rows)));
  }
  for (int v : p.outs(b)) {
    int const dim = r.below(p.type(v).rank + 1);
    params.push(dim);
    types.push(p.type(v).with_axis(dim, rows));
  }
  q.open();
  int const body = block_copier(q, p).copy_block(p.main_id());
  int const first = q.emit(prim::vmap, in, params, types, {&body, 1});
  for (int k = 0; k < types.size(); ++k) outs.push(first + k);
  q.close(in, outs);
  return q.finish();
}

// Passes: has the passes as static functions.
template <class Passes>
constexpr program prepared(program_ref p, variant v, std::uint32_t seed) {
  if (v == variant::inlined && !has_to_be_simplified(p)) {
    program const q = Passes::inline_calls(p);
    return Passes::fuse_multiply_add(q.ref());
  }
  if (v == variant::batched) {
    batching const b = random_batching(p, seed);
    program const q = Passes::batch(p, b.dims, b.rows, b.out_dims);
    return Passes::optimize(q.ref(), true);
  }
  if (v == variant::in_lanes) {
    program const q = mapped(p, seed);
    return Passes::optimize_placed(q.ref());
  }
  return Passes::optimize(p, true);
}

}  // namespace random_programs
