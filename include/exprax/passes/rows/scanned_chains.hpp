// SPDX-License-Identifier: BSL-1.0
// scanned_chains: what a scan in the lanes of a vmap reads row by row, and follows elementwise from other rows, from iotas and from what is
// the same in all iterations, such as the keys of jax.random.split: its rows can be computed in the body of the scan. Only what nothing
// else reads, so that nothing is computed twice.
#pragma once

#include <exprax/passes/rows/elementwise_rows.hpp>
#include <exprax/primitives/all.hpp>
#include <exprax/primitives/control/signatures.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax::detail {

class scanned_chains {
 public:
  static constexpr int none = -1;
  // Rows of the vmap: fewer do not fill a pack, and an array of all iterations does.
  static constexpr int fewest_rows = 16;

  // Of the main block; or of the vmaps of the program.
  constexpr explicit scanned_chains(program_ref p) : p_(p) {}
  constexpr void find_in_main() { visit(p_.main()); }
  constexpr void find_in_vmaps() {
    for (int i = 0; i < p_.n.eqns; ++i)
      if (p_.eqns[i].op == prim::vmap && primitive<prim::vmap>::rows({p_, p_.eqns[i]}) >= fewest_rows) visit(p_.sub(p_.eqns[i], 0));
  }

  constexpr bool found() const { return found_; }
  // The scan in whose body the equation that makes v is computed: its index; or none.
  constexpr int reader_of(int v) const { return found_ ? reader_[v] : none; }
  constexpr int length_of(int scan) const { return primitive<prim::scan>::length({p_, p_.eqns[scan]}); }
  // The equation on one row. Operands that have rows are mapped along axis 0. Returns false if it has no such form.
  static constexpr bool row_rule(equation_ref const& e, span<batch_axis> in, int length, arena<int>& par) {
    if (e.e.op == prim::iota) {
      for (int i = 0; i < e.n_par(); ++i)
        if (i != 2) par.push(i == 1 ? e.param(1) - 1 : e.param(i));
      return true;
    }
    batch_axis out;
    if (is_elementwise(e.e.op)) return elementwise_row_rule(e, in, out, par) && out == batch_axis(0);
    if (e.e.op != prim::broadcast_in_dim && (e.n_in() == 0 || !in[0].is_mapped())) return false;
    bool has = false;
    switch (e.e.op) {  // not dispatch, which every program would instantiate for every primitive
      case prim::broadcast_in_dim: has = primitive<prim::broadcast_in_dim>::unbatch(e, in, length, out, par); break;
      case prim::reshape: has = primitive<prim::reshape>::unbatch(e, in, length, out, par); break;
      case prim::squeeze: has = primitive<prim::squeeze>::unbatch(e, in, length, out, par); break;
      case prim::transpose: has = primitive<prim::transpose>::unbatch(e, in, length, out, par); break;
      case prim::slice: has = primitive<prim::slice>::unbatch(e, in, length, out, par); break;
      case prim::concatenate: has = primitive<prim::concatenate>::unbatch(e, in, length, out, par); break;
      default: break;
    }
    return has && out == batch_axis(0);
  }
  // Whether its row is the index of the iteration.
  static constexpr bool is_index(equation_ref const& e) { return e.e.op == prim::iota && e.param(1) == 0; }
  // Which operands have rows.
  static constexpr arena<batch_axis> mapped_operands(equation_ref const& e, int length) {
    arena<batch_axis> in;
    for (int k = 0; k < e.n_in(); ++k) {
      bool rows = e.type(k).rank > 0 && e.type(k).dims[0] == length;
      if (e.e.op == prim::broadcast_in_dim) rows = rows && primitive<prim::broadcast_in_dim>::dimension(e, 0) == 0;
      in.push(rows ? batch_axis(0) : not_mapped);
    }
    return in;
  }

 private:
  constexpr void visit(block const& b) {
    for (int i = b.eqn; i < b.eqn + b.n_eqn; ++i) {
      eqn const& e = p_.eqns[i];
      for (int id : p_.subs(e)) visit(p_.blocks[id]);
      if (e.op == prim::scan) visit_scan(b, i);
    }
  }
  constexpr void visit_scan(block const& b, int scan) {
    eqn const& e = p_.eqns[scan];
    int const first_x = primitive<prim::scan>::signature({p_, e}).first_element(), length = length_of(scan);
    bool any = false;
    for (int k = first_x; k < e.n_in; ++k) any = any || (!p_.is_constant(p_.in(e, k)) && position(p_.ins(b), p_.in(e, k)) < 0);
    if (!any || length < 2) return;
    count_reads();
    arena<int> reads_of_rows;  // by this scan and its chain
    reads_of_rows.resize(p_.n.values, 0);
    for (int k = first_x; k < e.n_in; ++k) ++reads_of_rows[p_.in(e, k)];
    for (int i = scan - 1; i >= b.eqn; --i) {
      eqn const& x = p_.eqns[i];
      if (x.n_out != 1 || x.n_blk > 0 || reads_of_rows[x.out] == 0 || reads_of_rows[x.out] != reads_[x.out]) continue;
      equation_ref const r{p_, x};
      arena<batch_axis> const in = mapped_operands(r, length);
      arena<int> par;
      if (!makes_each_element(x.op) || !row_rule(r, in, length, par)) continue;
      reader_[x.out] = scan;
      for (int k = 0; k < x.n_in; ++k)
        if (in[k].is_mapped()) ++reads_of_rows[p_.in(x, k)];
    }
    // Movements of what is in memory stay: lanes read it with any strides.
    for (int i = b.eqn; i < scan; ++i) {
      eqn const& x = p_.eqns[i];
      if (x.n_out != 1 || reader_[x.out] != scan) continue;
      bool computes = is_elementwise(x.op) || x.op == prim::iota;
      for (int v : p_.ins(x)) computes = computes || reader_[v] == scan;
      if (computes) found_ = true;
      else reader_[x.out] = none;
    }
  }
  constexpr void count_reads() {
    if (!reads_.empty()) return;
    reads_.resize(p_.n.values, 0);
    reader_.resize(p_.n.values, none);
    for (int i = 0; i < p_.n.eqns; ++i)
      for (int v : p_.ins(p_.eqns[i])) ++reads_[v];
    for (int i = 0; i < p_.n.blocks; ++i)
      for (int v : p_.outs(p_.blocks[i])) ++reads_[v];
  }

  program_ref p_;
  bool found_ = false;
  arena<int> reads_, reader_;
};

}  // namespace exprax::detail
