// SPDX-License-Identifier: BSL-1.0
// Conversion between the tape and programs: a closed block of the tape as a program, and a program's equations recorded on the tape.
#pragma once

#include <exprax/primitives/list.hpp>
#include <exprax/program/blocks.hpp>

namespace exprax::detail {

// The program whose main block is the last block of the tape. It refers to the tape's tables: nothing may be recorded while it is in use.
constexpr program_ref last_block(tape const* t) {
  return {t->values.at,    t->closed.at,       t->blocks.at,    t->links.at,
          t->params.at,    t->avals.data(),    t->constants.at, t->names.data(),
          {t->values.n, t->closed.n, t->blocks.n, t->links.n, t->params.n, t->avals.size(), t->constants.n, t->names.size()}};
}

class splicer {
 public:
  constexpr splicer(tape* t, program_ref from) : t_(t), from_(from) { map_.resize(from.n.values, -1); }

  // Records the equations of the main block, its inputs being args. Returns the values of its outputs.
  constexpr arena<int> splice(span<int> args) {
    block const& b = from_.main();
    for (int k = 0; k < b.n_in; ++k) map_[from_.ins(b)[k]] = args[k];
    for (eqn const& e : from_.body(b)) t_->eqns.push(copy(e));
    arena<int> out;
    for (int v : from_.outs(b)) out.push((*this)[v]);
    return out;
  }

 private:
  constexpr int operator[](int v) {
    if (map_[v] < 0 && from_.is_constant(v)) {
      aval const& type = from_.type(v);
      map_[v] = t_->add_constant(t_->find_type(type), {from_.constants + from_.values[v].constant, static_cast<int>(type.pattern_count())});
    }
    return map_[v];
  }
  constexpr int new_value(int v) { return map_[v] = t_->add_value(t_->find_type(from_.type(v))); }

  constexpr int copy_block(int id) {
    block const& b = from_.blocks[id];
    for (int v : from_.ins(b)) new_value(v);
    arena<eqn> body;
    for (eqn const& e : from_.body(b)) body.push(copy(e));
    block const copied{t_->links.n, b.n_in, t_->links.n + b.n_in, b.n_out, t_->closed.n, b.n_eqn};
    for (int v : from_.ins(b)) t_->links.push(map_[v]);
    for (int v : from_.outs(b)) t_->links.push((*this)[v]);
    for (eqn const& e : body) t_->closed.push(e);
    return t_->blocks.push(copied);
  }
  constexpr eqn copy(eqn const& e) {
    arena<int> in, sub;
    for (int v : from_.ins(e)) in.push((*this)[v]);
    for (int b : from_.subs(e)) sub.push(copy_block(b));
    t_->left = 0;
    eqn const copied{e.op, t_->links.n, e.n_in, t_->values.n, e.n_out, t_->params.n, e.n_par, t_->links.n + e.n_in, e.n_blk};
    for (int k = 0; k < e.n_out; ++k) new_value(e.out + k);
    for (int v : in) t_->links.push(v);
    for (int b : sub) t_->links.push(b);
    for (int x : from_.params_of(e)) t_->params.push(x);
    if (e.op == prim::jit || e.op == prim::debug_print) {
      t_->name_params.push(copied.par);
      t_->params.at[copied.par] = t_->names.push(from_.names[from_.param(e, 0)]);
    }
    return copied;
  }

  tape* t_;
  program_ref from_;
  arena<int> map_;
};

}  // namespace exprax::detail
