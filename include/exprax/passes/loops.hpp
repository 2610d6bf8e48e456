// SPDX-License-Identifier: BSL-1.0
// Loops: how the rewriter rewrites scan and while. A loop-invariant carry is replaced by its start; loop-invariant stacked results, and
// operands whose rows are all equal, by the repeated row. Operands that the body stacks unchanged are the results. A sum of outer products
// is one dot_general after the loop. A while whose condition is false at the start needs no loop, nor do the scans of unrolled_scans.hpp.
#pragma once

#include <exprax/passes/rewrite/repeated_rows.hpp>
#include <exprax/passes/stacked_results.hpp>
#include <exprax/passes/summed_products.hpp>
#include <exprax/passes/unrolled_scans.hpp>
#include <exprax/primitives/control/scan.hpp>
#include <exprax/primitives/control/while.hpp>

namespace exprax::detail {

struct carry_state {
  int start = 0;        // an outer value
  bool varies = false;  // else it is its start in every iteration
  int input = 0;        // if it varies: of the block that was bound last
};

// Whether a result of a block is the start of the carry: the carry's own input, a constant of the loop, or a literal.
template <class W>
constexpr bool keeps_carry(W& w, block const& b, span<int> consts, int at, int result, int start) {
  program_ref const& p = w.source();
  int const v = p.outs(b)[result];
  if (v == p.ins(b)[at]) return true;
  if (p.is_constant(v)) return w.operand(v) == start;
  for (int k = 0; k < consts.count; ++k)
    if (v == p.ins(b)[k]) return consts[k] == start;
  int const filled_by = w.uniform(start);
  if (filled_by < 0 || !w.is_literal(filled_by)) return false;
  for (eqn const& e : p.body(b))
    if (e.out == v && e.op == prim::broadcast_in_dim && p.is_literal(p.in(e, 0))) return w.operand(p.in(e, 0)) == filled_by;
  return false;
}

// Binds the inputs of block b after its constants: to new inputs, or to the starts of loop-invariant carries.
template <class W>
constexpr void bind_carries(W& w, span<int> inputs, arena<carry_state>& carries, arena<int>& added) {
  for (int k = 0; k < carries.size(); ++k) {
    carry_state& c = carries[k];
    if (c.varies) added.push(c.input = w.input(w.type_in(inputs[k])));
    w.bind(inputs[k], c.varies ? c.input : c.start);
  }
}

// Whether keeps_carry recognises v as a result. Of the values that are made again inside the loop, it recognises only literals.
template <class W>
constexpr bool is_found_again(W& w, int v) {
  if (eqn const* e = w.made_by(prim::broadcast_in_dim, v)) return w.is_literal(w.in(e, 0));
  return !w.made_by(prim::iota, v);
}

// The next values of the varying carries. If the walk finds that one is loop-invariant, another walk uses that.
template <class W>
constexpr arena<int> next_carries(W& w, span<int> results, arena<carry_state> const& carries) {
  arena<int> next;
  for (int k = 0; k < carries.size(); ++k) {
    if (!carries[k].varies) continue;
    next.push(w.operand(results[k]));
    if (next.back() == carries[k].input || (next.back() == carries[k].start && is_found_again(w, next.back()))) w.finds_more = true;
  }
  return next;
}

// A stacked result of a scan is a scanned operand, unchanged; a loop-invariant row, repeated; or a result of the new loop, by its index.
struct stacked_result {
  enum kind : std::uint8_t { operand, repeated, result } is;
  int of;
};

// Binds the inputs of a block for rows of arrays: to the row that an array repeats, to equations that compute a row again, or to new
// inputs. rows: the arrays that are still scanned over.
template <class W>
constexpr void bind_rows(W& w, span<int> inputs, span<int> arrays, int length, arena<int>& rows, arena<int>& added) {
  arena<int> known, row_inputs;
  for (int k = 0; k < inputs.size(); ++k) {
    known.push(repeated_row(w, w.type_in(inputs[k]), arrays[k], {0}));
    if (known[k] < 0 && position(rows, arrays[k]) < 0) rows.push(arrays[k]);
  }
  stacked_reader<W> reader(w, rows, length);
  for (int i = 0; i < rows.size() && !w.stacked.empty(); ++i) reader.consider(rows[i]);
  int n = 0;
  for (int array : rows)
    if (array != stacked_reader<W>::none && position({rows.data(), n}, array) < 0) rows[n++] = array;
  rows.resize(n);
  for (int array : rows) row_inputs.push(w.input(w.intern(w.aval_of(array).without_axis(0))));
  for (int k = 0; k < inputs.size(); ++k) {
    int row = known[k];
    if (int const i = position(rows, arrays[k]); row < 0 && i >= 0) row = row_inputs[i];
    if (row < 0) row = reader.row(arrays[k], row_inputs);
    w.bind(inputs[k], row);
  }
  added.append(row_inputs);
}

template <class W>
constexpr void rewrite_scan(W& w, eqn const& e) {
  program_ref const& p = w.source();
  block const& b = p.sub(e, 0);
  using rules = primitive<prim::scan>;
  equation_ref const loop{p, e};
  int const length = rules::length(loop), n_const = rules::num_consts(loop), n_carry = rules::num_carry(loop), first_x = n_const + n_carry;
  span<int> const inputs = p.ins(b);
  arena<int> in = w.operands(p.ins(e));
  if (length <= 1) return unroll_scan(w, e, length, n_carry, first_x, in);
  if (is_unrolled(loop, b, length)) return unroll_iterations(w, e, length, n_carry, first_x, rules::reverse(loop), in);

  span<int> const consts(in.data(), n_const);
  arena<carry_state> carries;
  for (int k = 0; k < n_carry; ++k) {
    int const start = in[n_const + k];
    carries.push({start, !keeps_carry(w, b, consts, n_const + k, k, start)});
  }
  for (int k = 0; k < n_const; ++k) w.bind(inputs[k], in[k]);
  int const barrier = w.open(false), inside = w.depth();
  arena<int> given, rows;  // inputs of the new block; the operands that are still scanned over
  bind_carries(w, inputs.part(n_const, n_carry), carries, given);
  int const first_row = given.size();
  bind_rows(w, inputs.part(first_x, e.n_in - first_x), {in.data() + first_x, e.n_in - first_x}, length, rows, given);
  w.walk(b);

  arena<int> out = next_carries(w, p.outs(b), carries), results;
  for (int k = 0; k < n_carry; ++k)
    if (carries[k].varies) results.push(e.out + k);
  int const varying = out.size();
  arena<int> const last = out;
  arena<stacked_result> stacked;
  for (int k = n_carry; k < e.n_out; ++k) {
    int const row = w.operand(p.outs(b)[k]);
    stacked_result r{stacked_result::result, -1};
    for (int i = 0; i < rows.size(); ++i)
      if (row == given[first_row + i]) r = {stacked_result::operand, rows[i]};
    if (r.is == stacked_result::result && w.level_of(row) < inside) r = {stacked_result::repeated, row};
    for (int i = varying; i < out.size() && r.is == stacked_result::result && r.of < 0; ++i)
      if (out[i] == row) r.of = i;
    if (r.is == stacked_result::result && r.of < 0) {
      r.of = out.size();
      out.push(row);
      results.push(e.out + k);
    }
    stacked.push(r);
  }

  product_sums<W> sums(w, rows, {given.data() + first_row, rows.size()}, out, varying, length);
  for (int k = 0, i = 0; k < n_carry; ++k)
    if (carries[k].varies) sums.consider(k, carries[k].start, carries[k].input, i++);
  closed_scope const c = w.close(out, barrier);
  arena<int> operands, its = c.inputs;
  for (int v : c.captured) operands.push(v);
  for (carry_state const& s : carries)
    if (s.varies) operands.push(s.start);
  for (int v : rows) operands.push(v);
  for (int v : given) its.push(v);
  w.set_inputs(c.id, its);
  w.set_outputs(c.id, out);
  bool const stacks = out.size() > varying;
  int first = 0;
  if (!results.empty() || w.has_effects(e))
    first = w.add_control(e, operands, {length, c.captured.size(), varying, rules::reverse(loop), rules::unroll(loop)}, {&c.id, 1}, results,
                          w.has_effects(e), sums.stacked_types());

  arena<int> made = w.operands(results);
  for (int k = made.size(); k < out.size(); ++k) made.push(first++);
  if (stacks) w.stacked.push({length, c.captured.size(), varying, c.id, operands, made});
  sums.bind(e.out, made, rules::reverse(loop));
  for (int k = 0, i = 0; k < n_carry; ++k) {
    if (!carries[k].varies) w.bind(e.out + k, carries[k].start);
    else if (int const v = last[i++]; w.level_of(v) < inside) w.bind(e.out + k, v);  // there is an iteration, and the last one returns this
  }
  for (int k = n_carry; k < e.n_out; ++k) {
    stacked_result const r = stacked[k - n_carry];
    switch (r.is) {
      case stacked_result::operand: w.bind(e.out + k, r.of); break;
      case stacked_result::repeated: w.bind(e.out + k, repeated(w, w.type_in(e.out + k), r.of, {0})); break;
      case stacked_result::result: w.bind(e.out + k, w.operand(results[r.of])); break;
    }
  }
}

inline constexpr int max_condition = 32;  // equations of a condition that is evaluated at the start

// Whether the condition of a while is false for the starts of the carries.
template <class W>
constexpr bool never_runs(W& w, eqn const& e, arena<int> const& in, int n_cond, int first) {
  program_ref const& p = w.source();
  block const& cond = p.sub(e, 0);
  bool known = false;
  for (int k = first; k < in.size(); ++k) known = known || w.is_literal(in[k]);
  if (cond.n_eqn > max_condition || !known) return false;
  for (eqn const& x : p.body(cond))
    if (x.n_blk != 0 || x.n_out == 0) return false;
  for (int k = 0; k < cond.n_in; ++k) w.bind(p.ins(cond)[k], in[k < n_cond ? k : first + k - n_cond]);
  w.walk(cond);
  int const holds = w.uniform(w.operand(p.outs(cond)[0]));
  return holds >= 0 && w.is_literal(holds) && w.bits(holds) == 0;
}

template <class W>
constexpr void rewrite_while(W& w, eqn const& e) {
  program_ref const& p = w.source();
  using rules = primitive<prim::while_>;
  equation_ref const loop{p, e};
  int const n_cond = rules::cond_nconsts(loop), n_body = rules::body_nconsts(loop), first = rules::first_carry(loop), n_carry = e.n_out;
  block const &cond = p.sub(e, 0), &body = p.sub(e, 1);
  arena<int> const in = w.operands(p.ins(e));
  if (never_runs(w, e, in, n_cond, first)) {
    for (int k = 0; k < n_carry; ++k) w.bind(e.out + k, in[first + k]);
    return;
  }
  span<int> const consts(in.data() + n_cond, n_body);
  arena<carry_state> carries;
  arena<int> results, operands, starts, sizes, blocks;
  for (int k = 0; k < n_carry; ++k) {
    int const start = in[first + k];
    bool const stays = keeps_carry(w, body, consts, n_body + k, k, start);
    carries.push({start, !stays});
    if (stays) w.bind(e.out + k, start);
    else {
      results.push(e.out + k);
      starts.push(start);
    }
  }
  for (int i = 0; i < 2; ++i) {
    block const& b = i == 0 ? cond : body;
    int const n_const = i == 0 ? n_cond : n_body;
    for (int k = 0; k < n_const; ++k) w.bind(p.ins(b)[k], in[i == 0 ? k : n_cond + k]);
    int const barrier = w.open(false);
    arena<int> given, out;
    bind_carries(w, p.ins(b).part(n_const, n_carry), carries, given);
    w.walk(b);
    if (i == 0) out.push(w.operand(p.outs(b)[0]));
    else out = next_carries(w, p.outs(b), carries);
    closed_scope const c = w.close(out, barrier);
    arena<int> its = c.inputs;
    for (int v : given) its.push(v);
    w.set_inputs(c.id, its);
    w.set_outputs(c.id, out);
    for (int v : c.captured) operands.push(v);
    sizes.push(c.captured.size());
    blocks.push(c.id);
  }
  for (int v : starts) operands.push(v);
  if (!results.empty() || w.has_effects(e)) w.add_control(e, operands, sizes, blocks, results, w.has_effects(e));
}

}  // namespace exprax::detail
