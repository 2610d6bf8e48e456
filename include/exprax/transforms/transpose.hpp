// SPDX-License-Identifier: BSL-1.0
// transpose (jax.linear_transpose): for a program that is linear in some inputs, the program of the transposed map: from the cotangents of
// its results to those of these inputs. Equations are visited from the last to the first; the cotangents of a value that is read several
// times are added (add_any). A value without a cotangent is zero everywhere: nothing is computed for it.
#pragma once

#include <exprax/primitives/all.hpp>
#include <exprax/primitives/control/dataflow.hpp>
#include <exprax/primitives/rule_context.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax {

// The interface of the rules `transpose`. A template, so that programs without derivatives do not instantiate them.
template <class Program = program_ref>
class transpose_context : public rule_context {
 public:
  static constexpr int no_cotangent = -1;

  constexpr transpose_context(program_builder& to, Program from) : rule_context(to, from, infer<equation_ref>) {
    cotangents_.resize(from.n.values, no_cotangent);
    linear_.resize(from.n.values, 0);
  }

  // --- Operands and results of the current equation ---

  constexpr bool is_linear(equation_ref const& e, int k) const { return linear_[e.in(k)] != 0; }
  // An operand that is not linear.
  constexpr int in(equation_ref const& e, int k) { return copy_[e.in(k)]; }
  constexpr bool has_cotangent(equation_ref const& e, int k = 0) const { return cotangents_[e.e.out + k] != no_cotangent; }
  constexpr int cotangent(equation_ref const& e, int k = 0) {
    return has_cotangent(e, k) ? cotangents_[e.e.out + k] : zeros(e.out_type(k));
  }
  constexpr void add_cotangent(equation_ref const& e, int k, int v) { add_cotangent(e.in(k), v); }
  // The same for an operand that an elementwise equation broadcasts.
  constexpr void add_summed(equation_ref const& e, int k, int v) { add_cotangent(e.in(k), sum_to(v, e.type(k))); }

  // The sum of v along the axes that `shape` does not have, or has as 1.
  constexpr int sum_to(int v, aval const& shape) {
    aval const t = type(v);
    if (t.same_shape(shape)) return v;
    detail::int_list axes;
    for (int i = 0; i < t.rank; ++i)
      if (shape.rank == 0 || shape.dims[i] != t.dims[i]) axes.push(i);
    int const sum = reduce(prim::reduce_sum, v, {axes.of, axes.n});
    return shape.rank == 0 ? sum : reshape(sum, shape);
  }

  // There is no rule for the primitive.
  constexpr void fail(equation_ref const& e, mistake what = mistake::not_transposable) {
    to().blame({what, static_cast<int>(e.e.op), 0});
  }

  // --- Blocks ---

  // The transposed block; closed. Inputs: those of the old one that are not linear, then the cotangents of the outputs that have one.
  // Outputs: the cotangents of the linear inputs. summed: linear inputs whose cotangent so far is one more input, and is added.
  constexpr int transposed_block(int id, detail::span<char> linear, detail::span<char> has_cotangent, detail::arena<int>& inputs,
                                 detail::span<char> summed = {}) {
    struct block const& b = from().blocks[id];
    detail::arena<int> outputs, cotangents;
    for (int k = 0; k < b.n_in; ++k) {
      if (linear[k]) continue;
      inputs.push(to().add_value(from().type(from().ins(b)[k])));
      copy_.set(from().ins(b)[k], inputs.back());
    }
    for (int k = 0; k < b.n_out; ++k) {
      cotangents.push(no_cotangent);
      if (!has_cotangent[k]) continue;
      inputs.push(to().add_value(from().type(from().outs(b)[k])));
      cotangents[k] = inputs.back();
    }
    int const first_sum = inputs.size();
    for (int k = 0; k < summed.size(); ++k)
      if (summed[k]) inputs.push(to().add_value(from().type(from().ins(b)[k])));
    int next_sum = first_sum;
    to().open();
    run(b, linear, cotangents);
    for (int k = 0; k < b.n_in; ++k) {
      if (!linear[k]) continue;
      int const v = from().ins(b)[k];
      if (k < summed.size() && summed[k]) {
        int const so_far = inputs[next_sum++], more = cotangents_[v];
        outputs.push(more == no_cotangent ? so_far : elementwise(prim::add_any, so_far, more));
      } else {
        outputs.push(cotangent_or_zeros(v));
      }
    }
    return to().close(inputs, outputs);
  }
  // An equation whose blocks take its operands from number n_own on, once: with transposed blocks.
  constexpr void transpose_call(equation_ref const& e, int n_own) {
    detail::arena<char> linear, marks;
    detail::arena<int> in, blocks;
    detail::arena<aval> out;
    for (int k = 0; k < e.n_in(); ++k) {
      bool const is_block_input = k >= n_own, counts = is_block_input && is_linear(e, k);
      if (is_block_input) linear.push(counts);
      if (counts) out.push(e.type(k));
      else in.push(this->in(e, k));
    }
    for (int k = 0; k < e.n_out(); ++k) {
      marks.push(has_cotangent(e, k));
      if (marks[k]) in.push(cotangent(e, k));
    }
    for (int id : e.p.subs(e.e)) {
      detail::arena<int> inputs;
      blocks.push(transposed_block(id, linear, marks, inputs));
    }
    int made = emit(e.e.op, in, e.params(), out, blocks);
    if (has_name(e.e.op)) keep_name(e);
    for (int k = n_own; k < e.n_in(); ++k)
      if (linear[k - n_own]) add_cotangent(e, k, made++);
  }

  // Transposes the equations of a block whose inputs that are not linear are set. cotangents: of the outputs, or no_cotangent.
  constexpr void run(struct block const& b, detail::span<char> linear, detail::span<int> cotangents) {
    for (int k = 0; k < b.n_in; ++k) reset(from().ins(b)[k], linear[k]);
    detail::span<eqn> const body = from().body(b);
    for (eqn const& e : body) {
      bool any = false;
      for (int v : from().ins(e)) any = any || linear_[v];
      for (int k = 0; k < e.n_out; ++k) reset(e.out + k, any);
      if (!any) copy_.copy(e);
    }
    for (int k = 0; k < b.n_out; ++k) {
      int const v = from().outs(b)[k];
      if (cotangents[k] != no_cotangent && linear_[v]) add_cotangent(v, cotangents[k]);
    }
    for (int i = body.size() - 1; i >= 0; --i) step(body[i]);
  }
  constexpr void set_block_inputs(int id, detail::span<int> inputs) { to().set_inputs(id, inputs); }
  constexpr void set_input(struct block const& b, int k, int v) { copy_.set(from().ins(b)[k], v); }
  // Of an input of a block that was run, or no_cotangent.
  constexpr int input_cotangent(struct block const& b, int k) const { return cotangents_[from().ins(b)[k]]; }

 private:
  template <prim P>
  struct rule {
    static constexpr void call(transpose_context& c, equation_ref const& e) {
      if constexpr (requires { primitive<P>::transpose(c, e); }) primitive<P>::transpose(c, e);
      else c.fail(e);
    }
  };
  constexpr void reset(int v, bool is_linear) {
    linear_[v] = is_linear;
    cotangents_[v] = no_cotangent;
  }
  constexpr void add_cotangent(int v, int more) {
    if (!linear_[v]) return;
    int& sum = cotangents_[v];
    sum = sum == no_cotangent ? more : elementwise(prim::add_any, sum, more);
  }
  constexpr int cotangent_or_zeros(int v) { return cotangents_[v] != no_cotangent ? cotangents_[v] : zeros(from().type(v)); }
  constexpr void step(eqn const& e) {
    bool any = false;
    for (int k = 0; k < e.n_out; ++k) any = any || cotangents_[e.out + k] != no_cotangent;
    if (any) dispatch<rule, void(transpose_context&, equation_ref const&)>(e.op, *this, equation_ref{from(), e});
  }
  detail::arena<int> cotangents_;  // for each value of the old program its cotangent in the new one
  detail::arena<char> linear_;
};

// Writes the transposed program into the open block of `to`. The first inputs of p are the linear ones; residuals: values of `to` for the
// others; cotangents: values of `to` for the outputs, or no_cotangent. Returns the cotangents of the linear inputs, or no_cotangent.
template <class Program>
constexpr detail::arena<int> transpose_program(program_builder& to, Program p, detail::span<int> residuals, detail::span<int> cotangents) {
  transpose_context<Program> c(to, p);
  struct block const& b = p.main();
  int const n = b.n_in - residuals.size();
  detail::arena<char> linear;
  for (int k = 0; k < b.n_in; ++k) {
    linear.push(k < n);
    if (k >= n) c.set_input(b, k, residuals[k - n]);
  }
  c.run(b, linear, cotangents);
  detail::arena<int> made;
  for (int k = 0; k < n; ++k) made.push(c.input_cotangent(b, k));
  return made;
}

}  // namespace exprax
