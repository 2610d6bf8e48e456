// SPDX-License-Identifier: BSL-1.0
// partial_eval: splits a program in two (jax.interpreters.partial_eval). The known one computes everything that depends on known inputs
// alone; the rest computes the other results from the other inputs and from residuals, results of the known one. Of a program with
// tangents (transforms/jvp.hpp), whose tangents are unknown, the rest is linear.
#pragma once

#include <exprax/primitives/all.hpp>
#include <exprax/primitives/control/dataflow.hpp>
#include <exprax/primitives/control/signature.hpp>
#include <exprax/primitives/rule_context.hpp>

namespace exprax {

namespace detail {

struct depends_on_unknown {
  template <class Dataflow>
  constexpr char operator()(Dataflow const& marks, eqn const& e) const {
    return marks.any_operand(e);
  }
};

}  // namespace detail

// The two programs. Inputs of `rest`: the unknown ones, then the residuals. Outputs of `known`: the known ones, then the residuals.
struct partial_evaluation {
  program known, rest;
};
template <class Program>
constexpr partial_evaluation partial_eval_program(Program p, detail::span<char> in, detail::span<char> out);

// The interface of the rules `partial_eval`. A template, so that programs without derivatives do not instantiate them.
template <class Program = program_ref>
class partial_eval_context {
 public:
  constexpr partial_eval_context(program_builder& known, program_builder& rest, Program from)
      : known_(known, from), rest_(rest, from), marks_(from) {
    unknown_.resize(from.n.values, 0);
  }

  constexpr program_builder& known() const { return known_.to(); }
  constexpr program_builder& rest() const { return rest_.to(); }

  // --- Operands and results of an equation with blocks ---

  constexpr bool is_unknown(equation_ref const& e, int k) const { return unknown_[e.in(k)] != 0; }
  constexpr int known_in(equation_ref const& e, int k) { return known_[e.in(k)]; }
  constexpr int rest_in(equation_ref const& e, int k) { return rest_value(e.in(k)); }
  constexpr control_marks unknown_marks(equation_ref const& e) {
    detail::arena<char> operands;
    for (int k = 0; k < e.n_in(); ++k) operands.push(is_unknown(e, k));
    return marks_.through(e.e, operands);
  }
  constexpr void set_known(equation_ref const& e, int k, int v) {
    known_.set(e.e.out + k, v);
    unknown_[e.e.out + k] = 0;
  }
  constexpr void set_rest(equation_ref const& e, int k, int v) {
    rest_.set(e.e.out + k, v);
    unknown_[e.e.out + k] = 1;
  }
  // A known value, as a value of the rest.
  constexpr int residual(int known_value) {
    if (known().is_constant(known_value)) return constant(known_value);
    frame& f = *frame_;
    for (int k = 0; k < f.residuals.size(); ++k)
      if (f.residuals[k] == known_value) return f.inputs[k];
    f.residuals.push(known_value);
    f.inputs.push(rest().add_value(known().type(known_value)));
    return f.inputs.back();
  }
  // in, out: which inputs and outputs of the block are unknown. passes: for each input, whether a residual may be that input itself.
  constexpr detail::split_block split(int id, detail::span<char> in, detail::span<char> out, detail::span<char> passes) {
    program_ref const& p = known_.from();
    struct block const& b = p.blocks[id];
    detail::split_block r;
    detail::arena<int> known_inputs, from_input, known_outputs, rest_outputs;
    frame inner{{}, {}, frame_};
    frame_ = &inner;
    for (int k = 0; k < b.n_in; ++k) {
      int const v = p.ins(b)[k];
      unknown_[v] = in[k];
      block_copier& c = in[k] ? rest_ : known_;
      detail::arena<int>& list = in[k] ? r.unknown_inputs : known_inputs;
      list.push(c.to().add_value(p.type(v)));
      c.set(v, list.back());
      if (!in[k]) from_input.push(k);
    }
    known().open(), rest().open();
    for (eqn const& e : p.body(b)) step(e);
    for (int k = 0; k < b.n_out; ++k) {
      int const v = p.outs(b)[k];
      if (out[k]) rest_outputs.push(rest_value(v));
      else known_outputs.push(known_[v]);
    }
    for (int v : inner.residuals) {
      int k = 0;
      while (k < known_inputs.size() && known_inputs[k] != v) ++k;
      if (k < known_inputs.size() && passes[from_input[k]]) {
        r.source.push(from_input[k]);
      } else {
        r.source.push(-1 - r.stored.size());
        r.stored.push(known().type(v));
        known_outputs.push(v);
      }
    }
    r.residual_inputs = inner.inputs;
    detail::arena<int> rest_inputs = r.unknown_inputs;
    rest_inputs.append(inner.inputs);
    r.known = known().close(known_inputs, known_outputs);
    r.rest = rest().close(rest_inputs, rest_outputs);
    frame_ = inner.around;
    return r;
  }
  // Residual i of a split block, as an operand of the rest. first_stored: the value of `known` that is the first stored one.
  constexpr int residual_operand(equation_ref const& e, control_signature const& of, int branch, detail::split_block const& s, int i,
                                 int first_stored) {
    int const from = s.source[i];
    return residual(from >= 0 ? known_in(e, of.operand_of(branch, from)) : first_stored - 1 - from);
  }
  // The known block gets one more input for each slot, zeros, and as outputs after its n known ones the slots: slot[i] is its stored
  // value i, others the zeros.
  constexpr void widen_known(detail::split_block const& s, int n, detail::span<aval> slots, detail::span<int> slot) {
    struct block const b = known().blocks[s.known];
    detail::arena<int> in, out;
    for (int k = 0; k < b.n_in; ++k) in.push(known().refs[b.in + k]);
    for (int k = 0; k < n; ++k) out.push(known().refs[b.out + k]);
    for (aval const& t : slots) {
      in.push(known().add_value(t));
      out.push(in.back());
    }
    for (int i = 0; i < slot.size(); ++i) out[n + slot[i]] = known().refs[b.out + n + i];
    known().set_inputs(s.known, in);
    known().set_outputs(s.known, out);
  }
  // A call whose equations the rest computes again. What is known is computed in place. The rest is the call of a block, on the unknown
  // operands, on those known ones that it reads, and on the results of equations that `saves` names.
  template <class Saves>
  constexpr void recompute(equation_ref const& e, detail::span<int> par, Saves const& saves) {
    control_marks const m = unknown_marks(e);
    program const body = block_alone(e.p, e.p.block_id(e.e, 0));
    partial_evaluation const parts = partial_eval_program<Program>(body.ref(), m.operands, m.results);
    known().blame(parts.known.wrong);
    program_ref const first = parts.known.ref(), linear = parts.rest.ref();
    struct block const& b = first.main();
    detail::span<int> const made = first.outs(b);
    int n_known = 0;
    for (char unknown : m.results) n_known += !unknown;

    // What is computed again, and what that reads.
    detail::arena<char> marked;
    detail::arena<int> again, read;
    marked.resize(first.n.values, 0);
    for (int v : made.part(n_known, made.size() - n_known)) marked[v] = 1;
    auto const saved = [&](eqn const& inner) { return saves(equation_ref{first, inner}); };
    again = makers(first, marked, saved, [](eqn const&) { return false; });
    for (int v : first.ins(b))
      if (marked[v]) read.push(v);
    for (eqn const& inner : first.body(b))
      for (int k = 0; k < inner.n_out && saved(inner); ++k)
        if (marked[inner.out + k]) read.push(inner.out + k);

    block_copier now(known(), first);
    int next = 0;
    for (int k = 0; k < e.n_in(); ++k)
      if (!m.operands[k]) now.set(first.ins(b)[next++], known_in(e, k));
    marked = {};
    marked.resize(first.n.values, 0);
    for (int v : made.part(0, n_known)) marked[v] = 1;
    for (int v : read) marked[v] = 1;
    auto const has_blocks_or_effects = [](eqn const& inner) { return inner.n_out == 0 || inner.n_blk > 0; };
    for (int i : makers(first, marked, [](eqn const&) { return false; }, has_blocks_or_effects)) now.copy(first.eqns[i]);
    next = 0;
    for (int k = 0; k < e.n_out(); ++k)
      if (!m.results[k]) set_known(e, k, now[made[next++]]);
    if (n_known == e.n_out()) return;

    block_copier later(rest(), first);
    detail::arena<int> in, inputs, given;
    detail::arena<aval> out;
    for (int k = 0; k < e.n_in(); ++k) {
      if (!m.operands[k]) continue;
      in.push(rest_in(e, k));
      inputs.push(rest().add_value(e.type(k)));
    }
    given = inputs;
    for (int v : read) {
      in.push(residual(now[v]));
      inputs.push(rest().add_value(first.type(v)));
      later.set(v, inputs.back());
    }
    rest().open();
    for (int i : again) later.copy(first.eqns[i]);
    given.append(later[made.part(n_known, made.size() - n_known)]);
    int const id = rest().close(inputs, exprax::splice(rest(), linear, given));
    for (int k = 0; k < e.n_out(); ++k)
      if (m.results[k]) out.push(e.out_type(k));
    next = write(rest(), e, in, par, out, {&id, 1});
    for (int k = 0; k < e.n_out(); ++k)
      if (m.results[k]) set_rest(e, k, next++);
  }
  // The rest needs what only the known part could store, but not how often.
  constexpr void fail(mistake what, equation_ref const& e) {
    known().blame({what, 0, 0});
    control_marks const m = unknown_marks(e);
    for (int k = 0; k < e.n_out(); ++k) {
      set_known(e, k, add_zeros(known(), e.out_type(k)));
      if (m.results[k]) set_rest(e, k, residual(known_[e.e.out + k]));
    }
  }
  // One of the two equations that e becomes, if it has results; returns the first of them.
  constexpr int write(program_builder& to, equation_ref const& e, detail::span<int> in, detail::span<int> par, detail::span<aval> out,
                      detail::span<int> blocks) const {
    if (out.size() == 0) return 0;
    int const first = to.emit(e.e.op, in, par, out, blocks);
    if (has_name(e.e.op)) to.rename_last(e.p.names[e.param(0)].view());
    return first;
  }
  // Results of these equations: unknown ones of the rest.
  constexpr void set_results(equation_ref const& e, detail::span<char> unknown, int known, int rest) {
    for (int k = 0; k < e.n_out(); ++k) {
      if (unknown[k]) set_rest(e, k, rest++);
      else set_known(e, k, known++);
    }
  }

 private:
  // Residuals of an open block: values of the known one, and the inputs of the rest for them.
  struct frame {
    detail::arena<int> residuals, inputs;
    frame* around = nullptr;
  };
  // The equations of a program that make the marked values, in their order, and those that `stays` names; the operands of all are marked
  // too. What `given` makes is there already.
  template <class Given, class Stays>
  static constexpr detail::arena<int> makers(program_ref p, detail::arena<char>& marked, Given const& given, Stays const& stays) {
    struct block const& b = p.main();
    detail::arena<char> makes;
    detail::arena<int> made;
    makes.resize(b.n_eqn, 0);
    for (int i = b.n_eqn - 1; i >= 0; --i) {
      eqn const& e = p.eqns[b.eqn + i];
      bool any = stays(e);
      for (int k = 0; k < e.n_out; ++k) any = any || marked[e.out + k];
      if (!any || given(e)) continue;
      makes[i] = 1;
      for (int v : p.ins(e)) marked[v] = 1;
    }
    for (int i = 0; i < b.n_eqn; ++i)
      if (makes[i]) made.push(b.eqn + i);
    return made;
  }
  template <prim P>
  struct rule {
    static constexpr void call(partial_eval_context& c, equation_ref const& e) {
      if constexpr (requires { primitive<P>::partial_eval(c, e); }) primitive<P>::partial_eval(c, e);
    }
  };
  constexpr int constant(int v) {
    program_builder const& k = known();
    aval const type = k.type(v);
    return rest().add_constant(type, {k.constants.at + k.values.at[v].constant, static_cast<int>(type.pattern_count())});
  }
  constexpr int rest_value(int v) { return unknown_[v] ? rest_[v] : residual(known_[v]); }
  constexpr void step(eqn const& e) {
    program_ref const& p = known_.from();
    bool any = false;
    for (int v : p.ins(e)) any = any || unknown_[v];
    for (int k = 0; k < e.n_out; ++k) unknown_[e.out + k] = any;
    if (!any) return known_.copy(e);
    if (is_control(e.op)) return dispatch<rule, void(partial_eval_context&, equation_ref const&)>(e.op, *this, equation_ref{p, e});
    for (int v : p.ins(e))
      if (!unknown_[v]) rest_.set(v, residual(known_[v]));
    rest_.copy(e);
  }

  block_copier known_, rest_;
  detail::arena<char> unknown_;  // for each value of the old program
  forward_dataflow<detail::depends_on_unknown, Program> marks_;
  frame* frame_ = nullptr;
};

// in, out: which inputs and outputs are unknown.
template <class Program>
constexpr partial_evaluation partial_eval_program(Program p, detail::span<char> in, detail::span<char> out) {
  program_builder known, rest;
  partial_eval_context<Program> c(known, rest, p);
  detail::arena<char> passes;
  passes.resize(p.main().n_in, 0);
  c.split(p.main_id(), in, out, passes);
  return {known.finish(), rest.finish()};
}

}  // namespace exprax
