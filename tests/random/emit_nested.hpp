// SPDX-License-Identifier: BSL-1.0
// Emitted code of loops in branches in loops against the interpreter, bit for bit. Odd seeds go through all passes; even ones only
// have their calls inlined, so that the planner meets what passes would have removed: loops of no turn, constant carries, equal
// branches.
#pragma once

#include <exprax/transforms/batch.hpp>

#include <random/emit_random.hpp>
#include <random/nested_program.hpp>

namespace random_programs {

template <std::uint32_t Seed>
struct prepared_nested {
  static constexpr program make() {
    using source = frozen<nested_source<Seed>>;
    if constexpr (Seed % 2 == 1) {
      return optimize(source::ref);
    } else {
      program const inlined = inline_calls(source::ref);
      return fuse_multiply_add(inlined.ref());
    }
  }
};

// vmap of one, for random axes and up to 19 rows.
template <std::uint32_t Seed>
struct batched_nested {
  static constexpr program make() {
    using source = frozen<nested_source<Seed>>;
    program_ref const p = source::ref;
    rng r(Seed);
    arena<batch_axis> dims;
    arena<wanted_axis> want;
    for (int v : p.ins(p.main())) dims.push(r.chance(50) ? not_mapped : r.below(p.type(v).rank + 1));
    dims[static_cast<int>(Seed) % dims.size()] = 0;
    for (int k = 0; k < p.main().n_out; ++k) want.push({});
    int const rows = 1 + r.below(19);
    program const q = batch(p, dims, rows, want);
    return optimize(q.ref());
  }
};

// The same as a vmap equation that stays, for the planner to run in lanes: up to 70 rows.
template <std::uint32_t Seed>
struct mapped_nested {
  static constexpr program make() {
    using source = frozen<nested_source<Seed>>;
    program_ref const p = source::ref;
    struct block const& b = p.main();
    rng r(Seed);
    int const rows = r.chance(25) ? 1 + r.below(5) : 6 + r.below(65);
    arena<int> in, params, out_dims, outs;
    arena<aval> types;
    program_builder q;
    params.push(1);
    params.push(rows);
    for (int k = 0; k < b.n_in; ++k) {
      aval const& t = p.type(p.ins(b)[k]);
      int const dim = k != static_cast<int>(Seed) % b.n_in && r.chance(50) ? -1 : r.below(t.rank + 1);
      params.push(dim);
      in.push(q.add_value(dim < 0 ? t : t.with_axis(dim, rows)));
    }
    for (int v : p.outs(b)) {
      int const dim = r.below(p.type(v).rank + 1);
      params.push(dim);
      types.push(p.type(v).with_axis(dim, rows));
    }
    q.open();
    int const body = exprax::block_copier(q, p).copy_block(p.main_id());
    int const first = q.emit(prim::vmap, in, params, types, {&body, 1});
    for (int k = 0; k < types.size(); ++k) outs.push(first + k);
    q.close(in, outs);
    return exprax::detail::optimize_placed<exprax::detail::simplify_options>(q.ref());
  }
};

inline int not_in_lanes = 0;
template <std::uint32_t Seed, template <std::uint32_t> class Source>
void check_nested() {
  using P = frozen<Source<Seed>>;
  CAPTURE(Seed);
  if constexpr (!planned<P>::sizes.is_possible) {
    ++not_in_lanes;
    return;
  } else {
  using run = random_run<P, std::make_integer_sequence<int, P::ref.main().n_in>, std::make_integer_sequence<int, P::ref.main().n_out>>;
  for (std::uint32_t inputs = 1; inputs <= 3; ++inputs) CHECK(run::count(inputs) == 0);
  }
}
template <template <std::uint32_t> class Source, std::uint32_t First, std::uint32_t... I>
void check_nested_seeds(std::integer_sequence<std::uint32_t, I...>) {
  (check_nested<First + I, Source>(), ...);
}

}  // namespace random_programs
