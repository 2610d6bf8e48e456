// SPDX-License-Identifier: BSL-1.0
// program -> plan: which equations share a kernel, in which order kernels run, and which buffer holds each value.
#pragma once

#include <exprax/plan/analysis/memory.hpp>
#include <exprax/plan/analysis/threads.hpp>
#include <exprax/plan/kernels/block.hpp>
#include <exprax/plan/kernels/pack_lengths.hpp>
#include <exprax/plan/kernels/region_lanes.hpp>
#include <exprax/plan/kernels/tiles.hpp>
#include <exprax/plan/rows/epilogues.hpp>
#include <exprax/plan/rows/row_planner.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax::detail::planning {

// ---- nodes -> kernels

// The whole program: inputs and outputs are the caller's memory.
constexpr plan make(program_ref p, target const& machine) {
  context c(p, machine);
  block const& b = p.main();
  arena<int> outs;
  for (int k = 0; k < b.n_in; ++k) {
    int const v = p.refs[b.in + k];
    c.at[v].buffer = c.out.add_buffer(p.type(v).type, storage_class::input, k, p.type(v).size());
  }
  for (int k = 0; k < b.n_out; ++k) {
    aval const& t = p.type(p.refs[b.out + k]);
    outs.push(c.out.add_buffer(t.type, storage_class::output, k, t.size()));
  }
  c.out.main = plan_block(c, b, outs);
  if (c.out.is_possible) {
    row_planner(c.out, machine).run();
    tile_sizes(c.out, machine).choose_products();
    epilogues(c.out).run();
    memory_planner(c.out).run();
  }
  pack_lengths(c.out, machine).choose();
  region_lanes(c.out, machine).choose();
  tile_sizes(c.out, machine).choose();
#if EXPRAX_THREADS  // else it would not be instantiated
  if (machine.threads && c.out.is_possible) shared_kernels<plan>(c.out).choose();
#endif
  return std::move(c.out);
}

}  // namespace exprax::detail::planning

namespace exprax {

// The plan of an optimized program (no jit equations; see passes/).
constexpr plan make_plan(program_ref p, target const& machine = this_target) {
  return detail::planning::make(p, machine);
}

namespace detail {

template <plan_sizes N>
constexpr void fill_storage(plan_storage<N>& s, plan const& p) {
  fill(s.buffers, p.buffers);
  fill(s.terms, p.terms);
  fill(s.accesses, p.accesses);
  fill(s.steps, p.steps);
  fill(s.boxes, p.boxes);
  fill(s.loops, p.loops);
  fill(s.reduces, p.reduces);
  fill(s.reductions, p.reductions);
  fill(s.cumulatives, p.cumulatives);
  fill(s.contracts, p.contracts);
  fill(s.indexed, p.indexed);
  fill(s.orderings, p.orderings);
  fill(s.nonzeros, p.nonzeros);
  fill(s.scans, p.scans);
  fill(s.whiles, p.whiles);
  fill(s.branches, p.branches);
  fill(s.cases, p.cases);
  fill(s.carries, p.carries);
  fill(s.streams, p.streams);
  fill(s.regions, p.regions);
  fill(s.region_blocks, p.region_blocks);
  fill(s.region_steps, p.region_steps);
  fill(s.region_moves, p.region_moves);
  fill(s.region_terms, p.region_terms);
  fill(s.region_addresses, p.region_addresses);
  fill(s.tables, p.tables);
  fill(s.prints, p.prints);
  fill(s.kernels, p.kernels);
}

// Tables that are large enough for the plans of nearly all programs; unused room costs nothing.
constexpr plan_sizes roomy_sizes(program_ref p) {
  int const n = p.n.eqns, room = 64;
  plan_sizes s;
  s.buffers = p.n.values + room;
  s.terms = s.accesses = 2 * p.n.refs + room;
  s.steps = 4 * (p.n.refs + n + room);
  s.boxes = s.loops = s.kernels = 2 * n + room;
  int carries = 0, outs = 0;
  bool in_lanes = false;
  for (int i = 0; i < n; ++i) {
    eqn const& e = p.eqns[i];
    s.indexed += traits_of(e.op).takes_index_vectors;
    switch (kind_of(e.op)) {
      case op_class::reduction: case op_class::argument_reduction: ++s.reduces; break;
      case op_class::cumulative: ++s.cumulatives; break;
      case op_class::contraction: ++s.contracts; break;
      case op_class::ordering: ++s.orderings; break;
      case op_class::compression: ++s.nonzeros, outs += e.n_in + e.n_out; break;
      case op_class::effect: ++s.prints; break;
      default: break;
    }
    if (!is_control(e.op)) continue;
    switch (e.op) {
      case prim::scan: ++s.scans; break;
      case prim::while_: ++s.whiles; break;
      case prim::cond: ++s.branches; break;
      case prim::vmap: in_lanes = true; break;
      default: break;
    }
    s.cases += e.n_blk;
    carries += e.n_out;
    s.streams += e.n_in + e.n_out;
    ++s.regions;
  }
  s.carries = s.region_moves = carries;
  if (s.regions > 0) {
    s.region_steps = 4 * (n + room);
    s.region_blocks = p.n.blocks + s.regions + 2 * s.whiles;
    s.region_terms = s.region_addresses = 4 * (p.n.refs + room);
  }
  if (in_lanes) s.region_steps *= 4, s.region_moves = 8 * carries + room;
  s.region_moves *= 4;
  s.reductions = 4 * s.reduces;
  s.scans += s.reduces;
  s.streams += 4 * s.reduces;
  s.tables = n + outs + 1024 * (s.regions > 0) * (1 + in_lanes);
  return s;
}

template <plan_sizes Room>
struct plan_attempt {
  plan_sizes sizes;
  bool fits = false;
  plan_storage<Room> storage;
};
// The program is an argument: g++ evaluates calls with constant arguments in a function body twice.
template <plan_sizes Room>
constexpr plan_attempt<Room> attempt_plan(program_ref p) {
  plan const made = make_plan(p);
  plan_attempt<Room> a;
  a.sizes = made.sizes();
  a.fits = Room.hold(a.sizes);
  if (a.fits) fill_storage(a.storage, made);
  return a;
}

template <class P, plan_sizes Room>
struct roomy_plan {
  static constexpr plan_attempt<Room> attempt = attempt_plan<Room>(P::ref);  // "step limit" below: compile with -fconstexpr-steps=<n>
};
template <class Roomy, bool Fits>
struct plan_tables {
  static constexpr auto const& storage = Roomy::attempt.storage;
};
template <class P, plan_sizes Room>
struct plan_tables<roomy_plan<P, Room>, false> {
  static constexpr plan_sizes sizes = roomy_plan<P, Room>::attempt.sizes;
  static constexpr plan_attempt<sizes> attempt = attempt_plan<sizes>(P::ref);
  static constexpr auto const& storage = attempt.storage;
};

}  // namespace detail

// P has `static constexpr program_ref ref`. The plan is made once, and a second time if the tables were too small.
template <class P>
struct planned {
  using program = P;
  using roomy = detail::roomy_plan<P, detail::roomy_sizes(P::ref)>;
  static constexpr plan_sizes sizes = roomy::attempt.sizes;
  static constexpr auto const& storage = detail::plan_tables<roomy, roomy::attempt.fits>::storage;
};

}  // namespace exprax
