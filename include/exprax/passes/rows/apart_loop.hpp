// SPDX-License-Identifier: BSL-1.0
// apart_loop: the part of a loop that is made of rows that meet (row_axes.hpp), as a loop of its own on arrays. It runs after the vmap,
// over what the loop's other part stacks for it.
#pragma once

#include <exprax/passes/rows/row_axes.hpp>
#include <exprax/primitives/copy.hpp>

namespace exprax::detail {

struct apart_loop {
  program body;
  arena<int> operands;  // values of the program; a value of the loop's body stands for those of all iterations
  arena<int> results;
  arena<int> params;

  constexpr apart_loop() = default;

  template <class Program>
  constexpr apart_loop(Program p, row_axes<Program> const& axes, eqn const& loop) {
    block const& b = p.sub(loop, 0);
    control_signature const s = primitive<prim::scan>::signature({p, loop});
    arena<int> const stacked = axes.crossing(loop);
    arena<char> const has = axes.made_apart(loop), needed = what_it_reads(p, axes, has, loop, s);
    program_builder to;
    block_copier c(to, p);
    arena<int> inputs, outputs;
    int counts[2] = {};  // consts, carries
    auto const take = [&](int operand, int v) {
      operands.push(operand);
      inputs.push(to.add_value(p.type(v)));
      c.set(v, inputs.back());
    };
    for (int k = 0; k < b.n_in; ++k) {
      int const v = p.ins(b)[k];
      operand_role const role = s.role_of(k);
      if (!needed[v] || !has[v]) continue;
      take(p.in(loop, k), v);
      if (role != operand_role::element) ++counts[role == operand_role::carry];
    }
    for (int v : stacked) take(v, v);
    to.open();
    for (eqn const& e : p.body(b))
      if (any_of(needed, e) && has[e.out]) c.copy(e);
    for (int k = 0; k < b.n_out; ++k) {
      int const x = s.is_carry(k) ? p.ins(b)[s.first_carry + k] : 0;
      if (s.is_carry(k) ? !needed[x] || !has[x] : !axes.is_apart(loop.out + k)) continue;
      outputs.push(c[p.outs(b)[k]]);
      results.push(loop.out + k);
    }
    to.close(inputs, outputs);
    body = to.finish();
    for (int x : p.params_of(loop)) params.push(x);
    params[1] = counts[0];
    params[2] = counts[1];
  }

 private:
  static constexpr bool any_of(span<char> marks, eqn const& e) {
    for (int k = 0; k < e.n_out; ++k)
      if (marks[e.out + k]) return true;
    return false;
  }
  // Marks; a carry that is read is needed after each iteration.
  template <class Program>
  static constexpr arena<char> what_it_reads(Program p, row_axes<Program> const& axes, span<char> has, eqn const& loop,
                                             control_signature const& s) {
    block const& b = p.sub(loop, 0);
    arena<char> needed;
    needed.resize(p.n.values, 0);
    for (int k = 0; k < b.n_out; ++k) {
      if (!axes.is_apart(loop.out + k)) continue;
      needed[p.outs(b)[k]] = 1;
      if (s.is_carry(k)) needed[p.ins(b)[s.first_carry + k]] = 1;
    }
    for (bool stable = false; !stable;) {
      stable = true;
      span<eqn> const body = p.body(b);
      for (int i = body.size() - 1; i >= 0; --i) {
        if (!any_of(needed, body[i]) || !has[body[i].out]) continue;
        for (int v : p.ins(body[i])) needed[v] = 1;
      }
      for (int k = 0; k < s.n_carry; ++k) {
        int const x = p.ins(b)[s.first_carry + k], v = p.outs(b)[k];
        if (!needed[x] || needed[v] || !has[x]) continue;
        needed[v] = 1;
        stable = false;
      }
    }
    return needed;
  }
};

}  // namespace exprax::detail
