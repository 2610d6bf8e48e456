// SPDX-License-Identifier: BSL-1.0
// cond (jax.lax.cond and switch): one of several blocks, chosen by an index. Operands: the index (an i32 scalar, clamped to the number of
// blocks), then the operands of every block; results: those of the chosen block. For cond the blocks are (false, true).
#pragma once

#include <exprax/primitives/control/signature.hpp>

namespace exprax {

template <>
struct primitive<prim::cond> {
  static constexpr std::string_view name = "cond";
  static constexpr prim_traits traits{.kind = op_class::control};

  static constexpr control_signature signature(equation_ref const& e) {
    control_signature s;
    s.chooses = true;
    s.first_const[0] = s.first_const[1] = 1;
    s.n_const[0] = s.n_const[1] = e.n_in() - 1;
    s.first_carry = e.n_in();
    return s;
  }
  static constexpr detail::arena<int> parameters_for(equation_ref const& e, detail::span<char>, detail::span<char>) {
    return detail::parameters_of(e);
  }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.e.n_blk < 1 || e.n_par() != 0 || e.n_in() < 1 || !e.type(0).matches(aval(dtype::i32))) return false;
    block const& first = e.sub(0);
    for (int i = 0; i < e.e.n_blk; ++i) {
      block const& b = e.sub(i);
      if (b.n_in != e.n_in() - 1 || b.n_out != first.n_out) return false;
      for (int k = 0; k < b.n_in; ++k)
        if (!e.p.type(e.p.ins(b)[k]).matches(e.type(k + 1))) return false;
      for (int k = 0; k < b.n_out; ++k)
        if (!e.p.type(e.p.outs(b)[k]).matches(e.p.type(e.p.outs(first)[k]))) return false;
    }
    for (int k = 0; k < first.n_out; ++k) out[k] = e.p.type(e.p.outs(first)[k]);
    return true;
  }

  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    std::int64_t const index = static_cast<std::int64_t>(m.in(e, 0)[0]);
    block const& b = e.sub(index < 0 ? 0 : index >= e.e.n_blk ? e.e.n_blk - 1 : static_cast<int>(index));
    detail::evaluate_call(m, e, b, 1);
  }

  // Same index for the whole batch: still a single branch. An index for each row: all branches run, and the results are selected.
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    if (c.dim(e, 0).is_mapped()) return batch_by_selection(c, e);
    detail::arena<char> const marks = c.dependence(e).results;
    detail::arena<int> in, branches;
    detail::arena<batch_axis> dims;
    detail::arena<wanted_axis> want;
    detail::arena<aval> out;
    for (int k = 0; k < e.n_in(); ++k) {
      bool const batched = c.dim(e, k).is_mapped();
      in.push(batched ? c.placed(c.value(e, k), c.dim(e, k), 0) : c.value(e, k));
      if (k > 0) dims.push(batched ? batch_axis(0) : not_mapped);
    }
    for (int k = 0; k < e.n_out(); ++k) {
      want.push(marks[k] ? batch_axis(0) : not_mapped);
      out.push(marks[k] ? e.out_type(k).with_axis(0, c.size()) : e.out_type(k));
    }
    for (int id : e.p.subs(e.e)) branches.push(c.batch_block(id, dims, want));
    int const first = c.emit(prim::cond, in, {}, out, branches);
    for (int k = 0; k < e.n_out(); ++k) c.set(e, k, first + k, want[k].axis());
  }

  template <class Context>
  static constexpr void jvp(Context& c, equation_ref const& e) {
    auto const m = c.tangent_marks(e);
    int const in_groups[] = {e.n_in() - 1}, out_groups[] = {e.n_out()};
    detail::arena<char> inputs;
    for (int k = 1; k < e.n_in(); ++k) inputs.push(m.operands[k]);
    detail::arena<int> in, branches;
    for (int id : e.p.subs(e.e)) branches.push(c.block_with_tangents(id, inputs, m.results, in_groups, out_groups));
    in.push(c.in(e, 0));
    c.push_operands(e, 1, e.n_in() - 1, m.operands, in);
    int const first = c.emit(prim::cond, in, {}, c.result_types(e, m.results, out_groups), branches);
    c.set_results(e, first, m.results, out_groups);
  }
  // A result of the known branches holds a residual of each branch that has one of its type, and zeros in the others.
  template <class Context>
  static constexpr void partial_eval(Context& c, equation_ref const& e) {
    auto const m = c.unknown_marks(e);
    control_signature const of = signature(e);
    int const n_branches = e.e.n_blk;
    detail::arena<char> unknown, passes;
    detail::arena<int> in, rest_in;
    detail::arena<aval> out, rest_out, slots;
    for (int k = 1; k < e.n_in(); ++k) unknown.push(m.operands[k]), passes.push(1);
    for (int k = 0; k < e.n_out(); ++k) (m.results[k] ? rest_out : out).push(e.out_type(k));
    int const n_known = out.size();
    detail::arena<detail::split_block> parts;
    detail::arena<int> slot_of;  // of stored value i of branch j: after those of the branches before
    for (int id : e.p.subs(e.e)) {
      parts.push(c.split(id, unknown, m.results, passes));
      detail::arena<char> taken;
      for (aval const& t : parts.back().stored) {
        taken.resize(slots.size(), 0);
        int slot = 0;
        while (slot < slots.size() && (taken[slot] || !(slots[slot] == t))) ++slot;
        if (slot == slots.size()) slots.push(t), taken.push(0);
        taken[slot] = 1;
        slot_of.push(slot);
      }
    }
    // The zeros are operands of the known branches.
    detail::arena<int> known_blocks, rest_blocks;
    for (int k = 0; k < e.n_in(); ++k)
      if (!m.operands[k]) in.push(c.known_in(e, k));
    for (aval const& t : slots) {
      in.push(add_zeros(c.known(), t));
      out.push(t);
    }
    for (int j = 0, at = 0; j < n_branches; ++j) {
      detail::split_block const& s = parts[j];
      c.widen_known(s, n_known, slots, {slot_of.data() + at, s.stored.size()});
      at += s.stored.size();
      known_blocks.push(s.known);
    }
    int const first = c.write(c.known(), e, in, {}, out, known_blocks);

    rest_in.push(c.residual(c.known_in(e, 0)));
    for (int k = 1; k < e.n_in(); ++k)
      if (m.operands[k]) rest_in.push(c.rest_in(e, k));
    int const n_unknown = rest_in.size();
    detail::arena<int> operand_of;  // of residual i of branch j: its place in rest_in
    for (int j = 0, at = 0; j < n_branches; ++j) {
      detail::split_block const& s = parts[j];
      for (int i = 0; i < s.source.size(); ++i) {
        int const from = s.source[i];
        int const v = c.residual(from >= 0 ? c.known_in(e, of.operand_of(j, from)) : first + n_known + slot_of[at - 1 - from]);
        int k = n_unknown;
        while (k < rest_in.size() && rest_in[k] != v) ++k;
        if (k == rest_in.size()) rest_in.push(v);
        operand_of.push(k);
      }
      at += s.stored.size();
    }
    for (int j = 0, at = 0; j < n_branches; ++j) {
      detail::split_block const& s = parts[j];
      detail::arena<int> inputs = s.unknown_inputs;
      for (int k = n_unknown; k < rest_in.size(); ++k) {
        int i = 0;
        while (i < s.source.size() && operand_of[at + i] != k) ++i;
        inputs.push(i < s.source.size() ? s.residual_inputs[i] : c.rest().add_value(c.rest().type(rest_in[k])));
      }
      at += s.source.size();
      c.rest().set_inputs(s.rest, inputs);
      rest_blocks.push(s.rest);
    }
    c.set_results(e, m.results, first, c.write(c.rest(), e, rest_in, {}, rest_out, rest_blocks));
  }
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    c.transpose_call(e, 1);
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    detail::arena<int> in;
    for (int k = 1; k < e.n_in(); ++k) in.push(l.in(e, k));
    detail::arena<aval> out;
    for (int k = 0; k < e.n_out(); ++k) out.push(e.out_type(k));
    // For an index out of range stablehlo.case takes the last branch; here it is clamped.
    int index = l.in(e, 0);
    if (!l.is_clamped(index)) {
      int const low = l.number(dtype::i32, 0), clamped[] = {low, index, l.number(dtype::i32, e.e.n_blk - 1)};
      index = l.plain("clamp", clamped, e.type(0));
    }
    int const first = l.case_of(index, e.e.n_blk, out, [&](int branch) { return l.apply(e.sub(branch), in); });
    for (int k = 0; k < e.n_out(); ++k) l.set(e, k, first + k);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const&) {
    o.key("branches");
    o.blocks();
  }

 private:
  // In branch k a select, in which both cases are the operand, wraps the operands of other rows. JAX writes it for the sake of derivatives;
  // passes remove it.
  template <class Context>
  static constexpr void batch_by_selection(Context& c, equation_ref const& e) {
    detail::arena<int> in;
    for (int k = 0; k < e.n_in(); ++k) in.push(c.placed(c.value(e, k), c.dim(e, k), 0));
    int const index = in[0], n_out = e.n_out(), n_branches = e.e.n_blk;
    detail::arena<int> made;  // result k of branch i at i * n_out + k
    for (int i = 0; i < n_branches; ++i) {
      block const& b = e.sub(i);
      int const number[] = {index, c.literal(dtype::i32, static_cast<std::uint64_t>(i))};
      int const chosen = c.emit(prim::eq, number, {}, c.type(index).with_type(dtype::b1, false));
      for (int k = 0; k < b.n_in; ++k) {
        int const x = in[k + 1], held = is_key(c.type(x).type) ? x : c.emit(prim::stop_gradient, {&x, 1}, {}, c.type(x));
        int const guard[] = {shaped(c, chosen, c.type(x)), held, x};
        c.bind(e.p.ins(b)[k], c.emit(prim::select_n, guard, {}, c.type(x)), 0);
      }
      c.run(b);
      for (int k = 0; k < n_out; ++k) made.push(c.output(b, k, 0, nullptr));
    }
    for (int k = 0; k < n_out; ++k) {
      aval const out = e.out_type(k).with_axis(0, c.size());
      detail::arena<int> cases;
      cases.push(shaped(c, index, out));
      for (int i = 0; i < n_branches; ++i) cases.push(made[i * n_out + k]);
      c.set(e, k, n_branches == 1 ? made[k] : c.emit(prim::select_n, cases, {}, out), 0);
    }
  }
  // The index of the row, broadcast over each row.
  template <class Context>
  static constexpr int shaped(Context& c, int v, aval const& shape) {
    int const dims[] = {0};
    return shape.rank == 1 ? v : c.broadcast(v, shape, dims);
  }
};

}  // namespace exprax
