// SPDX-License-Identifier: BSL-1.0
// expand_composites: replaces composite primitives by the equations that their rule `expand` writes. It runs before passes, planning and
// interpretation; texts and batching see the primitive itself. A rule may write composites again. Blocks that are only for texts are
// dropped. Random keys have become uint64 by then.
#pragma once

#include <exprax/primitives/infer.hpp>
#include <exprax/primitives/traits.hpp>
#include <exprax/transforms/batch.hpp>
#include <exprax/transforms/jvp.hpp>

namespace exprax {

constexpr bool has_keys(program_ref p) {
  for (int i = 0; i < p.n.avals; ++i)
    if (is_key(p.avals[i].type)) return true;
  return false;
}
constexpr bool has_composites(program_ref p) {
  for (int i = 0; i < p.n.eqns; ++i)
    if (kind_of(p.eqns[i].op) == op_class::composite || is_shown_by_its_block(p.eqns[i])) return true;
  return has_keys(p);
}

namespace detail {

// The interface of expansion rules.
class expand_context : public rule_context {
 public:
  using rule_context::rule_context;

  // Whether the equation is in a block of a loop or a branch.
  constexpr bool in_control_flow() const { return in_control_flow_; }

  constexpr int in(equation_ref const& e, int k) { return copy_[e.in(k)]; }
  constexpr arena<int> ins(equation_ref const& e) { return copy_[e.p.ins(e.e)]; }
  constexpr void set(equation_ref const& e, int k, int v) { copy_.set(e.e.out + k, v); }

  // --- Blocks ---

  // A copy of block k of e, for an equation that replaces e.
  constexpr int copy_block(equation_ref const& e, int k) { return copy_.copy_block(e.p.block_id(e.e, k)); }
  // Inlines block k of e on these operands; results: the values of its outputs.
  constexpr void splice(equation_ref const& e, int k, span<int> operands, int* results) {
    hand_out(copy_.splice(e.sub(k), operands), results);
  }
  // The same for operands and results with a leading axis of n elements; shared: which operands do not have it.
  template <class Program = program_ref>
  constexpr void splice_batched(equation_ref const& e, int k, span<int> operands, int n, int* results, span<int> shared = {}) {
    block const& b = e.sub(k);
    arena<batch_axis> in_dims;
    arena<wanted_axis> out_dims;
    in_dims.resize(b.n_in, 0);
    out_dims.resize(b.n_out, 0);
    for (int i : shared) in_dims[i] = not_mapped;
    program const one = block_alone(e.p, e.p.block_id(e.e, k)), all = exprax::batch<Program>(one.ref(), in_dims, n, out_dims);
    hand_out(exprax::splice(to(), all.ref(), operands), results);
  }
  // The same on operands that all have the same shape.
  template <class Program = program_ref>
  constexpr void splice_shaped(equation_ref const& e, int k, span<int> operands, aval const& shape, int* results) {
    block const& b = e.sub(k);
    arena<batch_axis> in_dims;
    arena<wanted_axis> out_dims;
    in_dims.resize(b.n_in, 0);
    out_dims.resize(b.n_out, 0);
    program all = block_alone(e.p, e.p.block_id(e.e, k));
    for (int axis = shape.rank - 1; axis >= 0; --axis) all = exprax::batch<Program>(all.ref(), in_dims, shape.dims[axis], out_dims);
    hand_out(exprax::splice(to(), all.ref(), operands), results);
  }

 protected:
  static constexpr void hand_out(arena<int> const& values, int* results) { copy_run(results, values.data(), values.size()); }

  bool in_control_flow_ = false;
};

// A template, so that programs without composites do not instantiate their rules.
// Which: for an equation, whether it is expanded.
template <class Program, class Which>
class composite_expander : public expand_context {
 public:
  constexpr composite_expander(program_builder& to, Program from) : expand_context(to, from, infer<equation_ref>) {}
  constexpr void run(int block_id) { copy_.copy_block(block_id, step{*this}); }

 private:
  template <prim P>
  struct rule {
    static constexpr void call(expand_context& c, equation_ref const& e) {
      if constexpr (primitive<P>::traits.kind == op_class::composite) primitive<P>::expand(c, e);
    }
  };
  // Writes one equation of a block.
  struct step {
    composite_expander& x;
    constexpr void operator()(eqn const& e) const {
      block_copier& c = x.copy_;
      if (Which{}(c.from(), e))
        return dispatch<rule, void(expand_context&, equation_ref const&)>(e.op, x, equation_ref{c.from(), e});
      if (e.n_blk == 0) return void(c.copy(e));
      if (is_shown_by_its_block(e) && Which::drops_blocks) return void(c.copy(e, span<int>()));
      bool const around = x.in_control_flow_;
      x.in_control_flow_ = around || e.op == prim::scan || e.op == prim::while_ || e.op == prim::cond;
      c.copy(e, *this);
      x.in_control_flow_ = around;
    }
  };
};

struct any_composite {
  static constexpr bool drops_blocks = true;  // those that are only for texts
  constexpr bool operator()(program_ref const&, eqn const& e) const { return kind_of(e.op) == op_class::composite; }
};
struct random_composite {
  static constexpr bool drops_blocks = false;
  constexpr bool operator()(program_ref const&, eqn const& e) const { return traits_of(e.op).is_random; }
};
// Those through which tangents flow, and which have no rule for that.
struct underivable_composite {
  static constexpr bool drops_blocks = true;
  template <class Program>
  constexpr bool operator()(Program const& p, eqn const& e) const {
    if (kind_of(e.op) != op_class::composite || derivatives_of<Program>::exist(e.op)) return false;
    for (int k = 0; k < e.n_out; ++k)
      if (is_inexact(p.type(e.out + k).type)) return true;
    return false;
  }
};

// Only the dtypes of keys change.
constexpr program with_keys_as_words(program_ref p) {
  program q = copied(p);
  for (aval& a : q.avals)
    if (is_key(a.type)) a.type = dtype::u64;
  return q;
}

template <class Program>
constexpr program expand_random(Program p) {
  if (has_keys(p)) {
    program const words = with_keys_as_words(p);
    return expand_random<Program>(words.ref());
  }
  program_builder q;
  composite_expander<Program, random_composite>(q, p).run(p.main_id());
  return q.finish();
}

template <class Program>
constexpr bool has_underivable(Program p) {
  for (int i = 0; i < p.n.eqns; ++i)
    if (underivable_composite{}(p, p.eqns[i])) return true;
  return false;
}
template <class Program>
constexpr program expand_underivable(Program p) {
  program_builder q;
  composite_expander<Program, underivable_composite>(q, p).run(p.main_id());
  return q.finish();
}

}  // namespace detail

template <class Program>
constexpr program expand_composites(Program p) {
  if (has_keys(p)) {
    program const words = detail::with_keys_as_words(p);
    return expand_composites<Program>(words.ref());
  }
  program_builder q;
  detail::composite_expander<Program, detail::any_composite>(q, p).run(p.main_id());
  if (has_composites(q.ref())) return expand_composites<Program>(q.ref());
  return q.finish();
}

}  // namespace exprax
