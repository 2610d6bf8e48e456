// SPDX-License-Identifier: BSL-1.0
// scan (jax.lax.scan): a loop with a static number of iterations. Operands: consts, the carry, xs; results: the last carry, ys. Iteration i
// calls the block on the consts, the carry and row i of each of xs; it returns the next carry and row i of each of ys.
// Parameters: length, num_consts, num_carry, reverse (iterates from the last row to the first), unroll. One block.
#pragma once

#include <exprax/primitives/control/signature.hpp>

namespace exprax {

template <>
struct primitive<prim::scan> {
  static constexpr std::string_view name = "scan";
  static constexpr prim_traits traits{.kind = op_class::control};

  static constexpr int length(equation_ref const& e) { return e.param(0); }
  static constexpr int num_consts(equation_ref const& e) { return e.param(1); }
  static constexpr int num_carry(equation_ref const& e) { return e.param(2); }
  static constexpr bool reverse(equation_ref const& e) { return e.param(3) != 0; }
  static constexpr int unroll(equation_ref const& e) { return e.param(4); }

  static constexpr control_signature signature(equation_ref const& e) {
    control_signature s;
    s.n_const[0] = s.first_carry = num_consts(e);
    s.n_carry = num_carry(e);
    return s;
  }
  static constexpr detail::arena<int> parameters_for(equation_ref const& e, detail::span<char> operands, detail::span<char>) {
    detail::arena<int> par = detail::parameters_of(e);
    par[1] = par[2] = 0;
    for (int k = 0; k < num_consts(e); ++k) par[1] += operands[k];
    for (int k = 0; k < num_carry(e); ++k) par[2] += operands[num_consts(e) + k];
    return par;
  }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.e.n_blk != 1 || e.n_par() != 5 || length(e) < 0) return false;
    block const& b = e.sub(0);
    int const first_carry = num_consts(e), first_x = first_carry + num_carry(e);
    if (first_carry < 0 || num_carry(e) < 0 || b.n_in != e.n_in() || b.n_in < first_x || b.n_out < num_carry(e)) return false;
    for (int k = 0; k < b.n_in; ++k) {
      aval const& given = e.type(k);
      aval const& taken = e.p.type(e.p.ins(b)[k]);
      if (k < first_x ? !taken.matches(given) : given.rank == 0 || given.dims[0] != length(e) || !taken.matches(given.without_axis(0)))
        return false;
    }
    for (int k = 0; k < b.n_out; ++k) {
      aval const& made = e.p.type(e.p.outs(b)[k]);
      if (k < num_carry(e) && !made.matches(e.type(first_carry + k))) return false;
      out[k] = k < num_carry(e) ? e.type(first_carry + k) : made.with_axis(0, length(e));
    }
    return true;
  }

  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    block const& b = e.sub(0);
    int const first_carry = num_consts(e), n_carry = num_carry(e), first_x = first_carry + n_carry;
    // The carry is stored in the results; the next one is computed in separate memory, because a block may return its inputs.
    detail::arena<std::uint64_t> next;
    std::ptrdiff_t carry_size = 0;
    for (int k = 0; k < n_carry; ++k) carry_size += e.out_type(k).size();
    next.resize(static_cast<int>(carry_size));
    for (int k = 0; k < n_carry; ++k) copy(m.out(e, k), m.in(e, first_carry + k), e.out_type(k).size());
    for (int k = 0; k < first_carry; ++k) m.bind(b, k, m.in(e, k));
    for (int iteration = 0; iteration < length(e); ++iteration) {
      int const row = reverse(e) ? length(e) - 1 - iteration : iteration;
      for (int k = 0; k < n_carry; ++k) m.bind(b, first_carry + k, m.out(e, k));
      for (int k = first_x; k < e.n_in(); ++k) m.bind(b, k, m.in(e, k) + row * (e.type(k).size() / length(e)));
      m.run(b);
      for (int k = n_carry; k < e.n_out(); ++k) {
        std::ptrdiff_t const n = e.out_type(k).size() / length(e);
        copy(m.out(e, k) + row * n, m.result(b, k), n);
      }
      std::uint64_t* at = next.data();
      for (int k = 0; k < n_carry; ++k) at = copy(at, m.result(b, k), e.out_type(k).size());
      at = next.data();
      for (int k = 0; k < n_carry; ++k) {
        copy(m.out(e, k), at, e.out_type(k).size());
        at += e.out_type(k).size();
      }
    }
  }

  // The carry is batched if its initial value or its update is: the batch axis is first in consts and carry, second in xs and ys.
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const id = e.p.block_id(e.e, 0), n_carry = num_carry(e), first_x = num_consts(e) + n_carry;
    auto const [marks, out_marks, by_condition] = c.dependence(e);
    detail::arena<int> in;
    detail::arena<batch_axis> dims;
    detail::arena<wanted_axis> want;
    detail::arena<aval> out;
    for (int k = 0; k < e.n_in(); ++k) {
      in.push(marks[k] ? c.placed(c.value(e, k), c.dim(e, k), k < first_x ? 0 : 1) : c.value(e, k));
      dims.push(marks[k] ? batch_axis(0) : not_mapped);
    }
    for (int k = 0; k < e.n_out(); ++k) {
      want.push(out_marks[k] ? batch_axis(0) : not_mapped);
      out.push(out_marks[k] ? e.out_type(k).with_axis(k < n_carry ? 0 : 1, c.size()) : e.out_type(k));
    }
    int const body = c.batch_block(id, dims, want);
    int const first = c.emit(prim::scan, in, e.params(), out, {&body, 1});
    for (int k = 0; k < e.n_out(); ++k) c.set(e, k, first + k, out_marks[k] ? batch_axis(k < n_carry ? 0 : 1) : not_mapped);
  }

  // A carry has a tangent if its initial value or its update has one.
  template <class Context>
  static constexpr void jvp(Context& c, equation_ref const& e) {
    auto const m = c.tangent_marks(e);
    int const consts = num_consts(e), carry = num_carry(e), xs = e.n_in() - consts - carry;
    int const in_groups[] = {consts, carry, xs}, out_groups[] = {carry, e.n_out() - carry};
    int const block = c.block_with_tangents(e.p.block_id(e.e, 0), m.operands, m.results, in_groups, out_groups);
    detail::arena<int> in, par = detail::parameters_of(e);
    c.push_operands(e, 0, consts, m.operands, in);
    par[1] = in.size();
    c.push_operands(e, consts, carry, m.operands, in);
    par[2] = in.size() - par[1];
    c.push_operands(e, consts + carry, xs, m.operands, in);
    int const first = c.emit(prim::scan, in, par, c.result_types(e, m.results, out_groups), {&block, 1});
    c.set_results(e, first, m.results, out_groups);
  }
  // The known loop stores the residuals of each iteration as ys; those that are consts or rows of xs are read where they are.
  template <class Context>
  static constexpr void partial_eval(Context& c, equation_ref const& e) {
    auto const m = c.unknown_marks(e);
    control_signature const of = signature(e);
    detail::arena<char> passes;
    for (int k = 0; k < e.n_in(); ++k) passes.push(of.role_of(k) != operand_role::carry);
    auto const s = c.split(e.p.block_id(e.e, 0), m.operands, m.results, passes);
    detail::arena<int> in, par = detail::parameters_of(e), rest_par = par;
    detail::arena<aval> out, rest_out;
    par[1] = par[2] = rest_par[1] = rest_par[2] = 0;
    for (int k = 0; k < e.n_in(); ++k) {
      operand_role const role = of.role_of(k);
      detail::arena<int>& p = m.operands[k] ? rest_par : par;
      if (role != operand_role::element) ++p[role == operand_role::carry ? 2 : 1];
      if (!m.operands[k]) in.push(c.known_in(e, k));
    }
    for (int k = 0; k < e.n_out(); ++k) (m.results[k] ? rest_out : out).push(e.out_type(k));
    int const n_known = out.size();
    for (aval const& t : s.stored) out.push(t.with_axis(0, length(e)));
    int const first = c.write(c.known(), e, in, par, out, {&s.known, 1});

    // Consts and xs of the rest, then their residuals; its block has the inputs in the same order.
    detail::arena<int> rest_in, inputs;
    auto const push = [&](operand_role role) {
      int at = 0;
      for (int k = 0; k < e.n_in(); ++k) {
        if (!m.operands[k]) continue;
        if (of.role_of(k) == role) rest_in.push(c.rest_in(e, k)), inputs.push(s.unknown_inputs[at]);
        ++at;
      }
      for (int i = 0; i < s.source.size() && role != operand_role::carry; ++i) {
        int const from = s.source[i];
        if ((from >= 0 ? of.role_of(from) : operand_role::element) != role) continue;
        rest_in.push(c.residual_operand(e, of, 0, s, i, first + n_known));
        inputs.push(s.residual_inputs[i]);
        if (role == operand_role::constant) ++rest_par[1];
      }
    };
    push(operand_role::constant);
    push(operand_role::carry);
    push(operand_role::element);
    c.rest().set_inputs(s.rest, inputs);
    c.set_results(e, m.results, first, c.write(c.rest(), e, rest_in, rest_par, rest_out, {&s.rest, 1}));
  }
  // The loop runs backwards. It carries the cotangents of the consts, to which each iteration adds, and those of the carry.
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    control_signature const of = signature(e);
    int const n_carry = num_carry(e);
    detail::arena<char> linear, has_cotangent, summed;
    for (int k = 0; k < e.n_in(); ++k) {
      linear.push(c.is_linear(e, k) || of.role_of(k) == operand_role::carry);  // its first value may be zeros
      summed.push(linear[k] && of.role_of(k) == operand_role::constant);
    }
    for (int k = 0; k < e.n_out(); ++k) has_cotangent.push(k < n_carry || c.has_cotangent(e, k));
    detail::arena<int> made, inputs, in, par = detail::parameters_of(e);
    int const block = c.transposed_block(e.p.block_id(e.e, 0), linear, has_cotangent, made, summed);
    // `made`: the inputs that are not linear, the cotangents of the outputs, the sums.
    int n_fixed = 0, n_cotangents = 0;
    for (int k = 0; k < e.n_in(); ++k) n_fixed += !linear[k];
    for (int k = 0; k < e.n_out(); ++k) n_cotangents += has_cotangent[k];
    auto const push_fixed = [&](operand_role role) {
      for (int k = 0, at = 0; k < e.n_in(); ++k) {
        if (linear[k]) continue;
        if (of.role_of(k) == role) in.push(c.in(e, k)), inputs.push(made[at]);
        ++at;
      }
    };
    push_fixed(operand_role::constant);
    par[1] = in.size();
    detail::arena<aval> out;
    for (int k = 0, at = n_fixed + n_cotangents; k < e.n_in(); ++k) {
      if (!summed[k]) continue;
      in.push(c.zeros(e.type(k))), inputs.push(made[at++]), out.push(e.type(k));
    }
    for (int k = 0; k < n_carry; ++k) in.push(c.cotangent(e, k)), inputs.push(made[n_fixed + k]), out.push(e.out_type(k));
    par[2] = in.size() - par[1];
    for (int k = n_carry, at = n_fixed + n_carry; k < e.n_out(); ++k)
      if (has_cotangent[k]) in.push(c.cotangent(e, k)), inputs.push(made[at++]);
    push_fixed(operand_role::element);
    for (int k = of.first_element(); k < e.n_in(); ++k)
      if (linear[k]) out.push(e.type(k));
    c.set_block_inputs(block, inputs);
    par[3] = !par[3];
    int first = c.emit(prim::scan, in, par, out, {&block, 1});
    for (int k = 0; k < e.n_in(); ++k)
      if (linear[k]) c.add_cotangent(e, k, first++);
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    int const n_consts = num_consts(e), n_carry = num_carry(e), first_x = n_consts + n_carry, n_x = e.n_in() - first_x;
    int const n = length(e), at_i = n_consts + n_x, at_y = at_i + 1 + n_carry;
    // The while loop carries the consts and xs, which do not change, the iteration count, the carry, and ys.
    detail::arena<int> start;
    for (int k = 0; k < n_consts; ++k) start.push(l.in(e, k));
    for (int k = 0; k < n_x; ++k) start.push(l.in(e, first_x + k));
    detail::arena<int> ys;
    for (int k = n_carry; k < e.n_out(); ++k) ys.push(l.full(e.out_type(k), 0));
    if (n == 0) {
      for (int k = 0; k < e.n_out(); ++k) l.set(e, k, k < n_carry ? l.in(e, n_consts + k) : ys[k - n_carry]);
      return;
    }
    start.push(l.number(dtype::i32, 0));
    for (int k = 0; k < n_carry; ++k) start.push(l.in(e, n_consts + k));
    for (int y : ys) start.push(y);
    auto const condition = [&](int first) { return l.compare("LT", first + at_i, l.number(dtype::i32, n)); };
    auto const iteration = [&](int first) {
      int row = first + at_i;
      if (reverse(e)) {
        row = l.like("subtract", l.number(dtype::i32, n), row);
        row = l.like("subtract", row, l.number(dtype::i32, 1));
      }
      detail::arena<int> in, next;
      for (int k = 0; k < n_consts; ++k) in.push(first + k);
      for (int k = 0; k < n_carry; ++k) in.push(first + at_i + 1 + k);
      for (int k = 0; k < n_x; ++k) in.push(l.row(first + n_consts + k, row));
      detail::arena<int> const made = l.apply(e.sub(0), in);
      for (int k = 0; k < at_i; ++k) next.push(first + k);
      next.push(-1);
      for (int k = 0; k < n_carry; ++k) next.push(made[k]);
      for (int k = n_carry; k < e.n_out(); ++k) next.push(l.set_row(first + at_y + k - n_carry, made[k], row));
      next[at_i] = l.like("add", first + at_i, l.number(dtype::i32, 1));
      return next;
    };
    int const first = l.loop(start, condition, iteration);
    for (int k = 0; k < e.n_out(); ++k) l.set(e, k, first + at_i + 1 + k);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("jaxpr");
    o.block(0);
    o.key("length");
    o.integer(length(e));
    o.key("num_carry");
    o.integer(num_carry(e));
    o.key("num_consts");
    o.integer(num_consts(e));
    o.key("reverse");
    o.boolean(reverse(e));
    o.key("unroll");
    o.integer(unroll(e));
  }

 private:
  static constexpr std::uint64_t* copy(std::uint64_t* to, std::uint64_t const* from, std::ptrdiff_t n) {
    for (std::ptrdiff_t i = 0; i < n; ++i) to[i] = from[i];
    return to + n;
  }
};

}  // namespace exprax
