// SPDX-License-Identifier: BSL-1.0
// expand_vmap: replaces each vmap equation by its batched block, innermost first, as JAX does. Some may be kept; a kept one inside an
// expanded one also gets the outer axis. Equations that are shown by their blocks are replaced by these blocks.
#pragma once

#include <exprax/transforms/batch.hpp>

namespace exprax {

constexpr bool has_vmap(program_ref p) {
  for (int i = 0; i < p.n.eqns && p.n.blocks > 1; ++i)
    if (p.eqns[i].op == prim::vmap) return true;
  return false;
}

// Whether a trace recorded vmaps or equations that are shown by their blocks; texts show neither.
constexpr bool has_deferred(program_ref p) {
  for (int i = 0; i < p.n.eqns && p.n.blocks > 1; ++i)
    if (p.eqns[i].op == prim::vmap || is_shown_by_its_block(p.eqns[i])) return true;
  return false;
}

namespace detail {

// Keep: (the block as a program, the equation) -> whether the equation stays.
template <class Keep, class Program>
class vmap_expander {
 public:
  constexpr vmap_expander(Keep keep, bool only_runs) : keep_(keep), only_runs_(only_runs) {}

  constexpr program run(Program p, int block_id) const {
    program_builder q;
    block_copier c(q, p);
    c.copy_block(block_id, step{*this, c});
    return q.finish();
  }

 private:
  // Writes one equation of a block.
  struct step {
    vmap_expander const& expander;
    block_copier& c;
    constexpr void operator()(eqn const& e) const {
      if (e.op == prim::vmap) expander.map(c, e);
      else if (is_shown_by_its_block(e)) bind(c.splice(c.from().sub(e, 0), c[c.from().ins(e)], *this), c, e);
      else if (e.n_blk > 0) c.copy(e, *this);
      else c.copy(e);
    }
  };
  static constexpr void bind(span<int> results, block_copier& c, eqn const& e) {
    for (int k = 0; k < e.n_out; ++k) c.set(e.out + k, results[k]);
  }
  constexpr void map(block_copier& c, eqn const& e) const {
    program const inner = run(c.from(), c.from().block_id(e, 0));
    program_ref const body = inner.ref();
    equation_ref const whole{c.from(), e};
    if (keep_(body, whole)) {
      int const id = block_copier(c.to(), body).copy_block(body.main_id());
      return c.copy(e, {&id, 1});
    }
    program const batched = with_axes(whole, body, 0);
    bind(splice(c.to(), batched.ref(), c[c.from().ins(e)]), c, e);
  }

  // The block with axes a, a + 1, ... of the equation, the last of which is added first; and with axis a alone.
  constexpr program with_axes(equation_ref const& e, Program body, int a) const {
    if (a < primitive<prim::vmap>::axes(e) - 1) {
      program const inner = with_axes(e, body, a + 1);
      return with_axis(e, inner.ref(), a);
    }
    return with_axis(e, body, a);
  }
  constexpr program with_axis(equation_ref const& e, Program body, int a) const {
    arena<batch_axis> in;
    arena<wanted_axis> out;
    for (int k = 0; k < e.n_in(); ++k) in.push(place(e, k, a));
    for (int k = 0; k < e.n_out(); ++k) out.push(place(e, e.n_in() + k, a));
    return batch(body, in, primitive<prim::vmap>::size(e, a), out, nullptr, {}, only_runs_);
  }
  // The position of axis a in operand k, or result k - n_in, before axes 0 to a - 1 are added.
  static constexpr batch_axis place(equation_ref const& e, int k, int a) {
    using rules = primitive<prim::vmap>;
    batch_axis const d = rules::in_dim(e, k, a);
    if (!d.is_mapped()) return d;
    int at = d.position();
    for (int b = 0; b < a; ++b) {
      batch_axis const other = rules::in_dim(e, k, b);
      at -= other.is_mapped() && other.position() < d.position();
    }
    return at;
  }

  Keep keep_;
  bool only_runs_;
};

}  // namespace detail

// Templates, so that programs without vmap do not instantiate the batching rules. only_runs: the result is not shown (batch_context).
template <class Program, class Keep>
constexpr program expand_vmap(Program p, Keep keep, bool only_runs) {
  return detail::vmap_expander<Keep, Program>(keep, only_runs).run(p, p.main_id());
}
template <class Program>
constexpr program expand_vmap(Program p, bool only_runs = false) {
  return expand_vmap(p, [](program_ref, equation_ref const&) { return false; }, only_runs);
}

}  // namespace exprax
