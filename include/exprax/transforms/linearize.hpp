// SPDX-License-Identifier: BSL-1.0
// linearize (jax.linearize): a program as its value, with residuals, and the linear map that its tangents are; jvp, then partial
// evaluation. The linear map is transposed for reverse mode (transforms/transpose.hpp).
#pragma once

#include <exprax/transforms/jvp.hpp>
#include <exprax/transforms/partial_eval.hpp>
#include <exprax/transforms/transpose.hpp>

namespace exprax {

// primal: the inputs of the program → its outputs, then the residuals. linear: the tangents of the inputs that have one, then the residuals
// → the tangents of the outputs that have one.
struct linearized {
  program primal, linear;
  detail::arena<char> in, out;  // which inputs and outputs have tangents
  int n_outputs = 0;

  // Of the tangents, that of operand k.
  constexpr int tangent_of(int k) const {
    int at = 0;
    for (int i = 0; i < k; ++i) at += in[i];
    return at;
  }
  constexpr detail::span<int> residuals(detail::span<int> made) const { return made.part(n_outputs, made.size() - n_outputs); }

  // Emits the primal program into the open block of `to`; returns its outputs, then the residuals.
  constexpr detail::arena<int> write_primal(program_builder& to, detail::span<int> operands) const {
    return splice(to, primal.ref(), operands);
  }
  // Emits the linear program on tangents; returns the tangents of the outputs that have one. made: what write_primal returned.
  constexpr detail::arena<int> write_linear(program_builder& to, detail::span<int> tangents, detail::span<int> made) const {
    detail::arena<int> args;
    for (int v : tangents) args.push(v);
    for (int v : residuals(made)) args.push(v);
    return splice(to, linear.ref(), args);
  }
  // Emits the transposed linear program; returns the cotangents of the inputs that have tangents, or no_cotangent. cotangents: one for each
  // output that has a tangent.
  template <class Program = program_ref>
  constexpr detail::arena<int> write_transpose(program_builder& to, detail::span<int> cotangents, detail::span<int> made) const {
    return transpose_program<Program>(to, linear.ref(), residuals(made), cotangents);
  }
  // The transposed linear program by itself. Inputs: the cotangents of the tangents [first, first + n), the others being zero, then the
  // residuals; outputs: the cotangents of the inputs that have tangents.
  template <class Program = program_ref>
  constexpr program transposed(int first, int n) const {
    program_builder to;
    Program const p = linear.ref();
    detail::arena<int> inputs, held, cotangents, outputs;
    int const n_tangents = tangent_of(in.size());
    for (int k = 0; k < p.main().n_out; ++k) {
      bool const given = k >= first && k < first + n;
      if (given) inputs.push(to.add_value(p.type(p.outs(p.main())[k])));
      cotangents.push(given ? inputs.back() : transpose_context<Program>::no_cotangent);
    }
    for (int k = n_tangents; k < p.main().n_in; ++k) {
      held.push(to.add_value(p.type(p.ins(p.main())[k])));
      inputs.push(held.back());
    }
    to.open();
    detail::arena<int> const found = transpose_program<Program>(to, p, held, cotangents);
    for (int k = 0; k < n_tangents; ++k) {
      aval const& type = p.type(p.ins(p.main())[k]);
      outputs.push(found[k] != transpose_context<Program>::no_cotangent ? found[k] : add_zeros(to, type.with_type(type.type)));
    }
    to.close(inputs, outputs);
    return to.finish();
  }
};

// in: which inputs have tangents. all_outputs: outputs without a tangent get zeros, if they are inexact.
template <class Program>
constexpr linearized linearize_program(Program p, detail::span<char> in, bool all_outputs = false) {
  linearized r;
  struct block const& b = p.main();
  for (int k = 0; k < b.n_in; ++k) r.in.push(in[k] && is_inexact(p.type(p.ins(b)[k]).type));
  r.n_outputs = b.n_out;
  program const pushed = jvp_program(p, r.in, r.out, all_outputs);
  detail::arena<char> unknown_in, unknown_out;
  unknown_in.resize(b.n_in, 0);
  unknown_out.resize(b.n_out, 0);
  unknown_in.resize(pushed.ref().main().n_in, 1);
  unknown_out.resize(pushed.ref().main().n_out, 1);
  partial_evaluation split = partial_eval_program<Program>(pushed.ref(), unknown_in, unknown_out);
  if (pushed.wrong.what != mistake::none) split.known.wrong = pushed.wrong;
  r.primal = static_cast<program&&>(split.known);
  r.linear = static_cast<program&&>(split.rest);
  return r;
}

}  // namespace exprax
