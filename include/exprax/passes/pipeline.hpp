// SPDX-License-Identifier: BSL-1.0
// optimize: the passes before planning. Types, composites, collectives, vmaps and batched conditions are lowered or expanded first. Then
// two walks follow: the first does inlining, simplification, folding and value numbering, the second removes dead equations and fuses
// products with sums. Convolutions and others are expanded last (passes/expand.hpp).
#pragma once

#include <exprax/legalize/known_scatters.hpp>
#include <exprax/legalize/lower_collectives.hpp>
#include <exprax/legalize/lower_types.hpp>
#include <exprax/legalize/lower_while.hpp>
#include <exprax/passes/batched_vectors.hpp>
#include <exprax/passes/dce.hpp>
#include <exprax/passes/expand.hpp>
#include <exprax/passes/fuse_multiply_add.hpp>
#include <exprax/passes/independent_rows.hpp>
#include <exprax/passes/place_vmaps.hpp>
#include <exprax/passes/rewrite/simplify.hpp>
#include <exprax/passes/rows_in_scans.hpp>
#include <exprax/passes/scanned_products.hpp>
#include <exprax/passes/strided_updates.hpp>

namespace exprax {

namespace detail {

enum class lanes { none, of_vmaps, of_loops };

template <class Options, lanes Lanes, class Program>
struct pipeline {
  static constexpr program run(Program p) {
    if (has_known_scatters(p)) return again(known_scatters(p));
    if (needs_lowering(p)) return again(lower_types(p));
    if (has_collectives(p)) return again(lower_collectives(p));
    if (!has_vmap(p)) return simplified(p);
    if (has_long_stacks(p)) return placed(simplify<Options>(p).ref());
    return placed(p);
  }
  // Where each vmap equation is one that stays. Batching rules may have written composites.
  static constexpr program run_placed(Program p) {
    if (!has_composites(p)) return simplified(p);
    program const expanded = expand_composites(p);
    return simplified(expanded.ref());
  }

 private:
  // How a vmap is carried out depends on what its body is after long stacks have become arrays (passes/rewrite/rolled_stacks.hpp).
  static constexpr bool has_long_stacks(program_ref p) {
    for (int i = 0; i < p.n.eqns; ++i)
      if (is_long_stack(p, p.eqns[i])) return true;
    return false;
  }
  static constexpr program placed(program_ref p) {
    program const q = place(p);
    return run_placed(q.ref());
  }
  static constexpr program again(program const& p) { return run(p.ref()); }
  static constexpr program place(Program p) {
    if constexpr (Lanes != lanes::none) return place_vmaps(p);
    else return expand_vmap(p, true);
  }
  static constexpr program simplified(Program p) {
    if (while_lowerer::is_needed(p)) {
      program const lowered = lower_while(p);
      return simplified(lowered.ref());
    }
    program const simple = simplify<Options>(p);
    if (!scanned_products::is_needed(simple.ref())) return by_rows(simple);
    program const hoisted = scanned_products(simple.ref()).run();
    return by_rows(simplify<Options>(hoisted.ref()));
  }
  static constexpr program by_rows(program const& simple) {
    if constexpr (Lanes == lanes::of_loops) {
      independent_rows<Program> rows(simple.ref());
      program const mapped = rows.run();
      if (rows.found) return contracted(simplify<Options>(mapped.ref()));
    }
    return contracted(simple);
  }
  static constexpr program contracted(program const& p) {
    program fused = fuse_multiply_add(p.ref());
    if constexpr (Lanes != lanes::none) {
      rows_in_scans const rows(fused.ref());
      if (rows.is_needed()) fused = in_lanes(rows.run());
      if (batched_vectors::is_needed(fused.ref())) fused = with_batched_vectors(fused.ref());
    }
    if (strided_updates::is_needed(fused.ref())) fused = written_by_rows(fused.ref());
    if (expander::is_needed(fused.ref())) return expand(fused.ref());
    return fused;
  }
  static constexpr program in_lanes(program const& p) {
    program const simple = simplify<Options>(p.ref());
    return dce(simple.ref());
  }
};

}  // namespace detail

template <class Options = detail::simplify_options, class Program = program_ref>
constexpr program optimize(Program p) {
  return detail::pipeline<Options, detail::lanes::none, Program>::run(p);
}
// vmap equations may stay, and the planner runs them in lanes. Loops: those whose rows are independent become such equations.
template <bool Loops = true, class Options = detail::simplify_options, class Program = program_ref>
constexpr program optimize_in_lanes(Program p) {
  return detail::pipeline<Options, Loops ? detail::lanes::of_loops : detail::lanes::of_vmaps, Program>::run(p);
}

// The same, where every vmap equation stays.
template <class Options = detail::simplify_options, class Program = program_ref>
constexpr program optimize_placed(Program p) {
  return detail::pipeline<Options, detail::lanes::of_loops, Program>::run_placed(p);
}

}  // namespace exprax
