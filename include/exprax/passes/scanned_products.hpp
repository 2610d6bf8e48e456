// SPDX-License-Identifier: BSL-1.0
// scanned_products: products of the rows that a scan reads with a matrix that is the same in each iteration, as a recurrent network has of
// its inputs. They become one product before the loop, which reads the matrix from memory a few times and not once for each row; the loop
// reads rows of the result. Each sum keeps its order, and so its bits.
#pragma once

#include <exprax/base/target.hpp>
#include <exprax/primitives/contractions/dot_general.hpp>
#include <exprax/primitives/control/scan.hpp>
#include <exprax/primitives/copy.hpp>

namespace exprax::detail {

class scanned_products {
 public:
  constexpr explicit scanned_products(program_ref p) : p_(p) {}

  // The rows of the product take memory, which small machines do not have.
  static constexpr bool is_needed(program_ref p, target const& machine = this_target) {
    for (int i = 0; i < p.n.eqns && machine.register_bytes > 0; ++i) {
      if (p.eqns[i].op != prim::scan) continue;
      equation_ref const loop{p, p.eqns[i]};
      for (eqn const& x : p.body(loop.sub(0)))
        if (is_hoisted(loop, x)) return true;
    }
    return false;
  }
  constexpr program run() const {
    program_builder to;
    block_copier c(to, p_);
    c.copy_block(p_.main_id(), step{*this, c});
    return to.finish();
  }

 private:
  static constexpr std::ptrdiff_t smallest_matrix = 1 << 14, largest_result = 1 << 20;  // bytes: half of a cache, and all of the next one
  static constexpr int fewest_rows = 8;  // of a product whose time is that of its arithmetic

  // Writes one equation of a block.
  struct step {
    scanned_products const& pass;
    block_copier& c;
    constexpr void operator()(eqn const& e) const {
      if (e.op == prim::scan) pass.scan(c, e);
      else if (e.n_blk > 0) c.copy(e, *this);
      else c.copy(e);
    }
  };
  // Of a product in the body of a loop: which operand is a row; the loop's operands that have the rows, and that is the matrix.
  struct factors {
    int row = -1;
    int rows = -1, matrix = -1;
  };

  static constexpr std::ptrdiff_t bytes_of(aval const& a) { return a.size() * size_of(a.type); }
  static constexpr factors factors_of(equation_ref const& loop, eqn const& x) {
    control_signature const s = primitive<prim::scan>::signature(loop);
    span<int> const inputs = loop.p.ins(loop.sub(0));
    for (int k = 0; k < 2; ++k) {
      int const row = loop.p.in(x, k), matrix = loop.p.in(x, 1 - k), i = position(inputs, row), j = position(inputs, matrix);
      if (i < 0 || s.role_of(i) != operand_role::element) continue;
      if (loop.p.is_constant(matrix)) return {k, loop.in(i), matrix};
      if (j >= 0 && s.role_of(j) == operand_role::constant) return {k, loop.in(i), loop.in(j)};
    }
    return {};
  }
  static constexpr bool is_hoisted(equation_ref const& loop, eqn const& x) {
    int const length = primitive<prim::scan>::length(loop);
    if (x.op != prim::dot_general || length < fewest_rows) return false;
    int const k = factors_of(loop, x).row;
    if (k < 0) return false;
    dot_numbers const d(loop.p.params_of(x));
    aval const &row = loop.p.type(loop.p.in(x, k)), &matrix = loop.p.type(loop.p.in(x, 1 - k)), &out = loop.p.type(x.out);
    int const n = d.lhs_contract.size();
    // The row as right operand has no axes in the result that would come after those of the matrix.
    if (!d.lhs_batch.empty() || row.rank == max_rank || (k == 1 && row.rank > n)) return false;
    std::ptrdiff_t summed = 1;
    for (int axis : k == 0 ? d.lhs_contract : d.rhs_contract) summed *= row.dims[axis];
    return bytes_of(matrix) >= smallest_matrix && length * bytes_of(out) <= largest_result && row.size() < fewest_rows * summed;
  }

  constexpr void scan(block_copier& c, eqn const& e) const {
    equation_ref const loop{p_, e};
    block const& b = p_.sub(e, 0);
    arena<int> operands = c[p_.ins(e)], inputs, hoisted, types;
    for (int v : p_.ins(b)) inputs.push(c.to().add_value(c.type(v)));
    for (eqn const& x : p_.body(b)) {
      if (!is_hoisted(loop, x)) continue;
      hoisted.push(x.out);
      operands.push(product_of_rows(c, loop, x));
      inputs.push(c.to().add_value(c.type(x.out)));
    }
    c.to().open();
    for (int k = 0; k < b.n_in; ++k) c.set(p_.ins(b)[k], inputs[k]);
    for (int i = 0; i < hoisted.size(); ++i) c.set(hoisted[i], inputs[b.n_in + i]);
    for (eqn const& x : p_.body(b))
      if (x.n_out == 0 || position(hoisted, x.out) < 0) step{*this, c}(x);
    int const body = c.to().close(inputs, c[p_.outs(b)]);
    for (int k = 0; k < e.n_out; ++k) types.push(c.type(e.out + k));
    int const first = c.to().record(prim::scan, operands, p_.params_of(e), types, {&body, 1});
    for (int k = 0; k < e.n_out; ++k) c.set(e.out + k, first + k);
  }
  // The rows are the left operand, and their axis becomes the first of the result.
  constexpr int product_of_rows(block_copier& c, equation_ref const& loop, eqn const& x) const {
    factors const f = factors_of(loop, x);
    dot_numbers const d(p_.params_of(x));
    arena<int> par;
    par.push(d.lhs_contract.size());
    for (int axis : f.row == 0 ? d.lhs_contract : d.rhs_contract) par.push(axis + 1);
    for (int axis : f.row == 0 ? d.rhs_contract : d.lhs_contract) par.push(axis);
    par.push(0);
    par.push(static_cast<int>(d.preferred));
    par.push(d.order);
    int const in[] = {c[f.rows], c[f.matrix]};
    return c.to().emit_one(prim::dot_general, in, par, p_.type(x.out).with_axis(0, primitive<prim::scan>::length(loop)));
  }

  program_ref p_;
};

}  // namespace exprax::detail
