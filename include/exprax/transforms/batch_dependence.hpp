// SPDX-License-Identifier: BSL-1.0
// spread: which results of a block depend on marked inputs. A carry of a loop is marked when what it starts with or what
// it becomes is; the loop's own rule finds the fixed point. Batching asks it which values carry the batch axis; what is over that
// axis by its name starts or ends a mark.
#pragma once

#include <exprax/primitives/all.hpp>
#include <exprax/primitives/collectives/over_axis.hpp>

namespace exprax {

// A template, so that who does not batch does not pay for it.
template <class Program = program_ref>
class spread {
 public:
  constexpr explicit spread(Program p, detail::span<int> axis = {}) : p_(p), axis_(axis) { marked_.resize(p.n.values, 0); }

  // in: a mark for each input of the block; result: one for each output.
  constexpr detail::arena<char> through(int block_id, detail::span<char> in) {
    block const& b = p_.blocks[block_id];
    for (int k = 0; k < b.n_in; ++k) marked_[p_.ins(b)[k]] = in[k];
    for (eqn const& e : p_.body(b)) step(e);
    detail::arena<char> out;
    out.reserve(b.n_out);
    for (int v : p_.outs(b)) out.push(marked_[v]);
    return out;
  }
  constexpr char marked(equation_ref const& e, int k) const { return marked_[e.in(k)]; }
  constexpr void mark(equation_ref const& e, int k, char m) { marked_[e.e.out + k] = m; }

 private:
  template <prim P>
  struct rule {
    static constexpr void call(spread& s, equation_ref const& e) {
      if constexpr (primitive<P>::traits.kind == op_class::control) primitive<P>::spread(s, e);
      else if constexpr (may_have_several_results(primitive<P>::traits.kind)) s.mark_results(e.e);
      else if constexpr (primitive<P>::traits.kind == op_class::collective) s.mark(e, 0, primitive<P>::spreads(true, e.n_in() > 0 && s.marked(e, 0)));
    }
  };
  constexpr void step(eqn const& e) {
    if (e.n_blk > 0 || (!axis_.empty() && detail::is_over_axis(p_, e, axis_))) return dispatch<rule, void(spread&, equation_ref const&)>(e.op, *this, equation_ref{p_, e});
    mark_results(e);
  }
  constexpr void mark_results(eqn const& e) {
    char m = 0;
    for (int v : p_.ins(e)) m = m || marked_[v];
    for (int k = 0; k < e.n_out; ++k) marked_[e.out + k] = m;
  }

  Program p_;
  detail::span<int> axis_;
  detail::arena<char> marked_;
};

}  // namespace exprax
