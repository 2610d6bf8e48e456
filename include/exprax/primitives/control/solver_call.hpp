// SPDX-License-Identifier: BSL-1.0
// Base of the primitives whose derivative follows from the equation that they solve: custom_root.hpp, custom_linear_solve.hpp. Operands:
// the consts of each block, in the order of the blocks, then the arguments. Parameters: how many consts each block has.
#pragma once

#include <exprax/primitives/control/signature.hpp>

namespace exprax::detail {

template <prim P>
struct solver_call {
  static constexpr prim_traits traits{.kind = op_class::composite};

  static constexpr int first_const(equation_ref const& e, int block) {
    int at = 0;
    for (int i = 0; i < block; ++i) at += e.param(i);
    return at;
  }
  static constexpr int first_argument(equation_ref const& e) { return first_const(e, e.e.n_blk); }
  // The consts of a block, of values for all operands; more may follow.
  static constexpr arena<int> consts(equation_ref const& e, int block, span<int> operands) {
    arena<int> r;
    for (int k = 0; k < e.param(block); ++k) r.push(operands[first_const(e, block) + k]);
    return r;
  }
  // Those, and the arguments.
  static constexpr arena<int> operands(equation_ref const& e, int block, span<int> all) {
    arena<int> r = consts(e, block, all);
    for (int k = first_argument(e); k < e.n_in(); ++k) r.push(all[k]);
    return r;
  }
  template <class Context>
  static constexpr arena<int> values(Context& c, equation_ref const& e) {
    arena<int> r;
    for (int k = 0; k < e.n_in(); ++k) r.push(c.in(e, k));
    return r;
  }
  template <class Context>
  static constexpr arena<int> copied_blocks(Context& c, equation_ref const& e) {
    arena<int> r;
    for (int id : e.p.subs(e.e)) r.push(c.copy_block(id));
    return r;
  }

  // The results are those of a block on the arguments.
  static constexpr bool infer_solution(equation_ref const& e, int block, aval* out) {
    struct block const& b = e.sub(block);
    if (e.n_par() != e.e.n_blk || first_argument(e) > e.n_in()) return false;
    if (b.n_in != e.param(block) + e.n_in() - first_argument(e)) return false;
    for (int k = 0; k < b.n_in; ++k) {
      int const operand = k < e.param(block) ? first_const(e, block) + k : first_argument(e) + k - e.param(block);
      if (!e.p.type(e.p.ins(b)[k]).matches(e.type(operand))) return false;
    }
    for (int k = 0; k < b.n_out; ++k) out[k] = e.p.type(e.p.outs(b)[k]);
    return true;
  }
  template <class Context>
  static constexpr void expand_solution(Context& c, equation_ref const& e, int block) {
    arena<int> results;
    results.resize(e.n_out());
    c.splice(e, block, operands(e, block, c.ins(e)), results.data());
    for (int k = 0; k < e.n_out(); ++k) c.set(e, k, results[k]);
  }
  // Arguments, and what else the blocks take, get the batch axis in front; consts without one have none. Results have it in front.
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const n_consts = first_argument(e);
    arena<int> in, blocks;
    arena<aval> out;
    for (int k = 0; k < e.n_in(); ++k)
      in.push(k < n_consts && !c.dim(e, k).is_mapped() ? c.value(e, k) : c.at_front(c.value(e, k), c.dim(e, k), c.size()));
    for (int k = 0; k < e.n_out(); ++k) out.push(e.out_type(k).with_axis(0, c.size()));
    for (int i = 0; i < e.e.n_blk; ++i) {
      int const id = e.p.block_id(e.e, i);
      arena<batch_axis> dims;
      arena<wanted_axis> want;
      dims.resize(e.p.blocks[id].n_in, batch_axis(0));
      want.resize(e.p.blocks[id].n_out, batch_axis(0));
      for (int k = 0; k < e.param(i); ++k)
        if (!c.dim(e, first_const(e, i) + k).is_mapped()) dims[k] = not_mapped;
      blocks.push(c.batch_block(id, dims, want));
    }
    int const first = c.emit(P, in, e.params(), out, blocks);
    for (int k = 0; k < e.n_out(); ++k) c.set(e, k, first + k, batch_axis(0));
  }
  template <class Lowering>
  static constexpr void lower_solution(Lowering& l, equation_ref const& e, int block) {
    arena<int> in;
    for (int k = 0; k < e.n_in(); ++k) in.push(l.in(e, k));
    arena<int> const made = l.apply(e.sub(block), operands(e, block, in));
    for (int k = 0; k < e.n_out(); ++k) l.set(e, k, made[k]);
  }
};

}  // namespace exprax::detail
