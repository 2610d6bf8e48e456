// SPDX-License-Identifier: BSL-1.0
// jvp (jax.jvp): a program that also pushes tangents forward. Law: its tangent results are the directional derivatives of its other
// results. Values whose tangent is zero everywhere have none (symbolic zeros): nothing is computed or stored for them. Programs have no
// vmap equations (transforms/expand_vmap.hpp).
#pragma once

#include <exprax/primitives/all.hpp>
#include <exprax/primitives/control/dataflow.hpp>
#include <exprax/primitives/rule_context.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax {

namespace detail {

// Whether a result may have a tangent if an operand has one.
constexpr bool may_have_tangent(prim op, aval const& result) { return is_inexact(result.type) && !traits_of(op).is_locally_constant; }

struct carries_tangent {
  template <class Dataflow>
  constexpr char operator()(Dataflow const& marks, eqn const& e) const {
    if (!marks.any_operand(e)) return 0;
    for (int k = 0; k < e.n_out; ++k)
      if (may_have_tangent(e.op, marks.program().type(e.out + k))) return 1;
    return 0;
  }
};

}  // namespace detail

// The interface of the rules `tangent` and `jvp` (primitives/primitive.hpp). A template, so that programs without derivatives do not
// instantiate them.
template <class Program = program_ref>
class jvp_context : public rule_context {
 public:
  static constexpr int no_tangent = -1;

  constexpr jvp_context(program_builder& to, Program from) : rule_context(to, from, infer<equation_ref>), marks_(from) {
    tangents_.resize(from.n.values, no_tangent);
  }

  // --- Operands and results of the current equation ---

  constexpr int in(equation_ref const& e, int k) { return copy_[e.in(k)]; }
  constexpr int out(equation_ref const& e, int k = 0) { return copy_[e.e.out + k]; }
  constexpr bool has_tangent(equation_ref const& e, int k) const { return tangents_[e.in(k)] != no_tangent; }
  constexpr int tangent(equation_ref const& e, int k) const { return tangents_[e.in(k)]; }
  // Zeros where the operand has none.
  constexpr int tangent_or_zeros(equation_ref const& e, int k) { return has_tangent(e, k) ? tangent(e, k) : zeros(e.type(k)); }
  constexpr void set_tangent(equation_ref const& e, int k, int v) { tangents_[e.e.out + k] = v; }
  // What one operand adds to the tangent of a result.
  constexpr void add_tangent(equation_ref const& e, int v, int result = 0) {
    int& sum = tangents_[e.e.out + result];
    sum = sum == no_tangent ? v : elementwise(prim::add_any, sum, v);
  }
  constexpr void set(equation_ref const& e, int k, int v, int its_tangent = no_tangent) {
    copy_.set(e.e.out + k, v);
    tangents_[e.e.out + k] = its_tangent;
  }
  // Of an equation whose rule writes the results: they are those of the equation itself.
  constexpr void keep(equation_ref const& e) { copy_.copy(e.e); }
  // The tangents of a primitive that is linear in some operands (prim_traits::linear_in): itself, of their tangents.
  constexpr void apply(equation_ref const& e) {
    unsigned const linear = traits_of(e.e.op).linear_in;
    detail::arena<int> in;
    detail::arena<aval> out;
    bool any = false;
    for (int k = 0; k < e.n_in(); ++k) {
      bool const is_linear = linear >> (k < 31 ? k : 31) & 1u;
      any = any || (is_linear && has_tangent(e, k));
      in.push(is_linear ? no_tangent : this->in(e, k));
    }
    if (!any) return;
    for (int k = 0; k < e.n_in(); ++k)
      if (in[k] == no_tangent) in[k] = tangent_or_zeros(e, k);
    for (int k = 0; k < e.n_out(); ++k) out.push(e.out_type(k));
    int const first = emit(e.e.op, in, e.params(), out);
    for (int k = 0; k < e.n_out(); ++k) set_tangent(e, k, first + k);
  }
  // There is no rule for the primitive.
  constexpr void fail(equation_ref const& e, mistake what = mistake::not_differentiable) {
    to().blame({what, static_cast<int>(e.e.op), 0});
  }

  // --- Equations with blocks ---

  // Which operands (the carry at its fixed point) and results have tangents, if they are inexact.
  constexpr control_marks tangent_marks(equation_ref const& e) {
    detail::arena<char> operands;
    for (int k = 0; k < e.n_in(); ++k) operands.push(has_tangent(e, k));
    control_marks m = marks_.through(e.e, operands);
    for (int k = 0; k < e.n_in(); ++k) m.operands[k] = m.operands[k] && is_inexact(e.type(k).type);
    for (int k = 0; k < e.n_out(); ++k) m.results[k] = m.results[k] && is_inexact(e.out_type(k).type);
    return m;
  }
  // Values from `first` on, and then their tangents where marks says so; appended to a list.
  constexpr void push_operands(equation_ref const& e, int first, int n, detail::span<char> marks, detail::arena<int>& list) {
    for (int k = first; k < first + n; ++k) list.push(in(e, k));
    for (int k = first; k < first + n; ++k)
      if (marks[k]) list.push(tangent_or_zeros(e, k));
  }
  // The block with tangents; closed. Inputs and outputs come in groups, of these sizes: each group's values, then their tangents.
  // in, out: which have tangents, for each input and output.
  constexpr int block_with_tangents(int id, detail::span<char> in, detail::span<char> out, detail::span<int> in_groups,
                                    detail::span<int> out_groups) {
    struct block const& b = from().blocks[id];
    detail::arena<int> ins, outs;
    for (int g = 0, k = 0; g < in_groups.size(); ++g) {
      int const first = k;
      for (; k < first + in_groups[g]; ++k) {
        int const v = from().ins(b)[k];
        ins.push(to().add_value(from().type(v)));
        bind(v, ins.back());
      }
      for (int j = first; j < k; ++j) {
        int const v = from().ins(b)[j];
        if (!in[j]) continue;
        ins.push(to().add_value(from().type(v)));
        tangents_[v] = ins.back();
      }
    }
    to().open();
    run(b);
    for (int g = 0, k = 0; g < out_groups.size(); ++g) {
      int const first = k;
      for (; k < first + out_groups[g]; ++k) outs.push(copy_[from().outs(b)[k]]);
      for (int j = first; j < k; ++j)
        if (out[j]) outs.push(output_tangent(from().outs(b)[j]));
    }
    return to().close(ins, outs);
  }
  // The block whose outputs are the tangents of those of block id, where input k has the tangent 1 and the others none; closed.
  constexpr int block_of_slopes(int id, int k) {
    struct block const& b = from().blocks[id];
    detail::arena<int> ins, outs;
    for (int v : from().ins(b)) {
      ins.push(to().add_value(from().type(v)));
      bind(v, ins.back());
    }
    to().open();
    aval const moved = from().type(from().ins(b)[k]);
    tangents_[from().ins(b)[k]] = full(moved, number(moved.type, 1));
    run(b);
    for (int v : from().outs(b)) outs.push(output_tangent(v));
    return to().close(ins, outs);
  }
  // Results of an equation with blocks, in the order of block_with_tangents.
  constexpr void set_results(equation_ref const& e, int first, detail::span<char> marks, detail::span<int> groups) {
    for (int g = 0, k = 0; g < groups.size(); ++g) {
      int const begin = k;
      for (; k < begin + groups[g]; ++k) set(e, k, first++);
      for (int j = begin; j < k; ++j)
        if (marks[j]) set_tangent(e, j, first++);
    }
  }
  constexpr detail::arena<aval> result_types(equation_ref const& e, detail::span<char> marks, detail::span<int> groups) {
    detail::arena<aval> types;
    for (int g = 0, k = 0; g < groups.size(); ++g) {
      int const begin = k;
      for (; k < begin + groups[g]; ++k) types.push(e.out_type(k));
      for (int j = begin; j < k; ++j)
        if (marks[j]) types.push(e.out_type(j));
    }
    return types;
  }
  // Inlines a block with tangents, or no_tangent, of its inputs; returns those of its outputs.
  constexpr detail::arena<int> splice_tangents(struct block const& b, detail::span<int> values, detail::span<int> tangents) {
    for (int k = 0; k < b.n_in; ++k) {
      bind(from().ins(b)[k], values[k]);
      tangents_[from().ins(b)[k]] = tangents[k];
    }
    run(b);
    detail::arena<int> made;
    for (int v : from().outs(b)) made.push(tangents_[v]);
    return made;
  }

 private:
  template <prim P>
  struct rule {
    static constexpr void call(jvp_context& c, equation_ref const& e) {
      using rules = primitive<P>;
      if constexpr (requires { rules::jvp(c, e); }) rules::jvp(c, e);
      else if constexpr (rules::traits.linear_in != 0) c.apply(e);
      else c.fail(e);
    }
  };
  constexpr void bind(int old, int v) {
    copy_.set(old, v);
    tangents_[old] = no_tangent;
  }
  constexpr int output_tangent(int v) {
    if (tangents_[v] == no_tangent) tangents_[v] = zeros(from().type(v));
    return tangents_[v];
  }
  constexpr void run(struct block const& b) {
    for (eqn const& e : from().body(b)) step(e);
  }
  constexpr void step(eqn const& e) {
    bool any = false;
    for (int v : from().ins(e)) any = any || tangents_[v] != no_tangent;
    bool differentiable = e.n_blk > 0;
    for (int k = 0; k < e.n_out; ++k) {
      tangents_[e.out + k] = no_tangent;
      differentiable = differentiable || detail::may_have_tangent(e.op, from().type(e.out + k));
    }
    if (!any || !(is_control(e.op) || traits_of(e.op).jvp_makes_results)) copy_.copy(e);
    if (any && differentiable) dispatch<rule, void(jvp_context&, equation_ref const&)>(e.op, *this, equation_ref{from(), e});
  }

  detail::arena<int> tangents_;  // for each value of the old program its tangent in the new one
  forward_dataflow<detail::carries_tangent, Program> marks_;
};

namespace detail {

// Whether a primitive has a derivative. A template, so that programs without derivatives do not instantiate the rules.
template <class Program>
struct derivatives_of {
  template <prim P>
  struct rule {
    static constexpr bool call() {
      using rules = primitive<P>;
      return rules::traits.linear_in != 0 || rules::traits.is_locally_constant ||
             requires(jvp_context<Program>& c, equation_ref const& e) { rules::jvp(c, e); };
    }
  };
  static constexpr bool exist(prim op) { return dispatch<rule, bool()>(op); }
};

}  // namespace detail

// in: for each input of the main block, whether it has a tangent. The inputs of the new program are those of the old one, and then the
// tangents; results likewise. out receives which results have a tangent; with all_tangents each inexact one has, perhaps zeros.
template <class Program>
constexpr program jvp_program(Program p, detail::span<char> in, detail::arena<char>& out, bool all_tangents = false) {
  struct block const& b = p.main();
  out = forward_dataflow<detail::carries_tangent, Program>(p).through(b, in);
  for (int k = 0; k < b.n_out; ++k) out[k] = (out[k] || all_tangents) && is_inexact(p.type(p.outs(b)[k]).type);
  program_builder to;
  jvp_context<Program> c(to, p);
  int const in_groups[] = {b.n_in}, out_groups[] = {b.n_out};
  c.block_with_tangents(p.main_id(), in, out, in_groups, out_groups);
  return to.finish();
}

}  // namespace exprax
