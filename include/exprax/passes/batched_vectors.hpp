// SPDX-License-Identifier: BSL-1.0
// batched_vectors: products of a small matrix and a vector for each index of a batch axis, as einsum<"bij,bj->bi"> has, become a vmap of
// one product, as if they had been written so: in lanes, each of which has a matrix of its own.
#pragma once

#include <exprax/base/target.hpp>
#include <exprax/primitives/contractions/dot_general.hpp>
#include <exprax/primitives/control/vmap.hpp>
#include <exprax/primitives/rule_context.hpp>

namespace exprax::detail {

class batched_vectors {
 public:
  constexpr batched_vectors(program_builder& to, program_ref p) : p_(p), copy_(to, p) {}

  // Targets without packs gain nothing.
  static constexpr bool is_needed(program_ref p, target const& machine = this_target) {
    for (int i = 0; i < p.n.eqns && machine.register_bytes > 0; ++i)
      if (p.eqns[i].op == prim::dot_general && is_found(p, p.eqns[i])) return true;
    return false;
  }
  constexpr void run() { copy_.copy_block(p_.main_id(), step{*this}); }

 private:
  // Larger matrices fill packs, and would not stay in registers.
  static constexpr int fewest_rows = 16, largest_matrix = 36, fewest_bytes = 4;

  static constexpr bool is_found(program_ref p, eqn const& e) {
    dot_numbers const d(p.params_of(e));
    aval const &lhs = p.type(p.in(e, 0)), &rhs = p.type(p.in(e, 1)), &out = p.type(e.out);
    if (d.lhs_batch.size() != 1 || lhs.dims[d.lhs_batch[0]] < fewest_rows || d.lhs_contract.size() != 1) return false;
    if (lhs.type != out.type || rhs.type != out.type || size_of(out.type) < fewest_bytes || is_complex(out.type)) return false;
    std::ptrdiff_t const rows = out.dims[0], of_lhs = lhs.size() / rows, of_rhs = rhs.size() / rows, terms = lhs.dims[d.lhs_contract[0]];
    bool const has_vector = of_lhs == terms || of_rhs == terms;
    return has_vector && terms > 1 && of_lhs != of_rhs && of_lhs <= largest_matrix && of_rhs <= largest_matrix;
  }

  struct step {
    batched_vectors& x;
    constexpr void operator()(eqn const& e) const {
      if (e.op == prim::dot_general && is_found(x.p_, e)) x.map(e);
      else if (e.n_blk > 0 && e.op != prim::vmap) x.copy_.copy(e, *this);
      else x.copy_.copy(e);
    }
  };
  constexpr void map(eqn const& e) {
    dot_numbers const d(p_.params_of(e));
    program_builder& to = copy_.to();
    int const rows = p_.type(e.out).dims[0];
    batch_axis const in[] = {d.lhs_batch[0], d.rhs_batch[0]};
    int operands[2], block_in[2];
    arena<int> par;
    batch_axis out;
    primitive<prim::dot_general>::unbatch({p_, e}, in, rows, out, par);
    for (int k = 0; k < 2; ++k) {
      operands[k] = copy_[p_.in(e, k)];
      block_in[k] = to.add_value(p_.type(p_.in(e, k)).without_axis(in[k].position()));
    }
    to.open();
    int const product = to.emit_one(prim::dot_general, block_in, par, p_.type(e.out).without_axis(out.position()));
    int const id = to.close(block_in, {&product, 1});
    int const axes[] = {1, rows, in[0].parameter(), in[1].parameter(), out.parameter()};
    copy_.set(e.out, to.emit(prim::vmap, operands, axes, {&p_.type(e.out), 1}, {&id, 1}));
  }

  program_ref p_;
  block_copier copy_;
};

constexpr program with_batched_vectors(program_ref p) {
  program_builder to;
  batched_vectors(to, p).run();
  return to.finish();
}

}  // namespace exprax::detail
