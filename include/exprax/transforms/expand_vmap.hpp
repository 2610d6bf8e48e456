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

// Keep: (the block as a program, the number of rows) -> whether the equation stays.
template <class Keep>
class vmap_expander {
 public:
  constexpr explicit vmap_expander(Keep keep) : keep_(keep) {}

  constexpr program run(program_ref p, int block_id) const {
    program q;
    block_copier c(q, p);
    copy_block(c, block_id);
    return q;
  }

 private:
  constexpr int copy_block(block_copier& c, int id) const {
    block const& b = c.from().blocks[id];
    arena<int> in, out;
    for (int v : c.from().ins(b)) {
      in.push(c.to().add_value(c.from().type(v)));
      c.set(v, in.back());
    }
    c.to().open();
    copy_body(c, b);
    for (int v : c.from().outs(b)) out.push(c[v]);
    return c.to().close(in, out);
  }
  constexpr void copy_body(block_copier& c, block const& b) const {
    for (eqn const& e : c.from().body(b)) {
      if (e.op == prim::vmap) map(c, e);
      else if (is_shown_by_its_block(e)) show(c, e);
      else if (e.n_blk > 0) control(c, e);
      else c.copy(e);
    }
  }
  // Only this equation names the block, so its values are mapped once.
  constexpr void show(block_copier& c, eqn const& e) const {
    block const& b = c.from().sub(e, 0);
    for (int k = 0; k < b.n_in; ++k) c.set(c.from().ins(b)[k], c[c.from().in(e, k)]);
    copy_body(c, b);
    for (int k = 0; k < e.n_out; ++k) c.set(e.out + k, c[c.from().outs(b)[k]]);
  }
  constexpr void control(block_copier& c, eqn const& e) const {
    arena<int> blocks;
    for (int id : c.from().subs(e)) blocks.push(copy_block(c, id));
    c.copy(e, blocks);
  }
  constexpr void map(block_copier& c, eqn const& e) const {
    program const inner = run(c.from(), c.from().block_id(e, 0));
    program_ref const body = inner.ref();
    equation_ref const whole{c.from(), e};
    if (keep_(body, static_cast<int>(primitive<prim::vmap>::rows(whole)))) {
      int const id = copy_nested(c.to(), body, body.main_id());
      return c.copy(e, {&id, 1});
    }
    arena<int> in, results;
    for (int v : c.from().ins(e)) in.push(c[v]);
    results.resize(e.n_out);
    program const batched = with_axes(whole, body, 0);
    splice(c.to(), batched.ref(), batched.ref().main(), in, results.data());
    for (int k = 0; k < e.n_out; ++k) c.set(e.out + k, results[k]);
  }

  // The block with axes a, a + 1, ... of the equation, the last of which is added first; and with axis a alone.
  static constexpr program with_axes(equation_ref const& e, program_ref body, int a) {
    if (a < primitive<prim::vmap>::axes(e) - 1) {
      program const inner = with_axes(e, body, a + 1);
      return with_axis(e, inner.ref(), a);
    }
    return with_axis(e, body, a);
  }
  static constexpr program with_axis(equation_ref const& e, program_ref body, int a) {
    arena<batch_axis> in;
    arena<wanted_axis> out;
    for (int k = 0; k < e.n_in(); ++k) in.push(place(e, k, a));
    for (int k = 0; k < e.n_out(); ++k) out.push(place(e, e.n_in() + k, a));
    return batch(body, in, primitive<prim::vmap>::size(e, a), out);
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
};

}  // namespace detail

template <class Keep>
constexpr program expand_vmap(program_ref p, Keep keep) {
  return detail::vmap_expander<Keep>(keep).run(p, p.main_id());
}
constexpr program expand_vmap(program_ref p) {
  return expand_vmap(p, [](program_ref, int) { return false; });
}

}  // namespace exprax
