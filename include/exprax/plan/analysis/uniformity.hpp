// SPDX-License-Identifier: BSL-1.0
// uniformity: which values of a vmapped block are the same in all lanes. A carry of a loop differs from lane to lane where its
// start or its update does. If the condition of a while differs, lanes leave at different turns: inside of the loop a uniform
// carry stays uniform, for all lanes that are left have made the same number of turns; what each took away with it differs.
#pragma once

#include <exprax/primitives/control/while.hpp>

namespace exprax::detail::planning {

class uniformity {
 public:
  constexpr explicit uniformity(program_ref p) : p_(p) { differs_.resize(p.n.values, 0); }

  // differs: for each input of the block.
  constexpr void run(block const& b, span<char> differs) {
    for (int k = 0; k < b.n_in; ++k) differs_[p_.ins(b)[k]] = differs[k];
    for (eqn const& e : p_.body(b)) equation(e);
  }
  constexpr bool differs(int v) const { return differs_[v] != 0; }

 private:
  constexpr arena<char> through(block const& b, span<char> in) {
    run(b, in);
    arena<char> out;
    for (int v : p_.outs(b)) out.push(differs_[v]);
    return out;
  }
  constexpr void equation(eqn const& e) {
    if (e.op == prim::scan) return scan(e);
    if (e.op == prim::while_) return while_loop(e);
    if (e.op == prim::cond) return branch(e);
    char any = 0;
    for (int v : p_.ins(e)) any = any || differs_[v];
    for (int k = 0; k < e.n_out; ++k) differs_[e.out + k] = any;
  }
  constexpr void scan(eqn const& e) {
    int const first = p_.param(e, 1), n = p_.param(e, 2);
    arena<char> in;
    for (int v : p_.ins(e)) in.push(differs_[v]);
    arena<char> out = through(p_.sub(e, 0), in);
    while (spread(in, out, first, n)) out = through(p_.sub(e, 0), in);
    for (int k = 0; k < e.n_out; ++k) differs_[e.out + k] = k < n ? in[first + k] : out[k];
  }
  constexpr void while_loop(eqn const& e) {
    int const n_cond = p_.param(e, 0), n_body = p_.param(e, 1), n = e.n_out;
    arena<char> body, cond;
    for (int k = n_cond; k < e.n_in; ++k) body.push(differs_[p_.in(e, k)]);
    arena<char> out = through(p_.sub(e, 1), body);
    while (spread(body, out, n_body, n)) out = through(p_.sub(e, 1), body);
    for (int k = 0; k < n_cond; ++k) cond.push(differs_[p_.in(e, k)]);
    for (int k = 0; k < n; ++k) cond.push(body[n_body + k]);
    bool const parts = through(p_.sub(e, 0), cond)[0] != 0;
    for (int k = 0; k < n; ++k) differs_[e.out + k] = parts || body[n_body + k];
  }
  constexpr void branch(eqn const& e) {
    arena<char> in, any;
    for (int k = 1; k < e.n_in; ++k) in.push(differs_[p_.in(e, k)]);
    any.resize(e.n_out, differs_[p_.in(e, 0)]);
    for (int id : p_.subs(e)) {
      arena<char> const out = through(p_.blocks[id], in);
      for (int k = 0; k < e.n_out; ++k) any[k] = any[k] || out[k];
    }
    for (int k = 0; k < e.n_out; ++k) differs_[e.out + k] = any[k];
  }
  // What a turn made differs, and the carry did not: true if there was one.
  static constexpr bool spread(arena<char>& in, arena<char> const& out, int first, int n) {
    bool found = false;
    for (int k = 0; k < n; ++k)
      if (out[k] && !in[first + k]) in[first + k] = 1, found = true;
    return found;
  }

  program_ref p_;
  arena<char> differs_;
};

}  // namespace exprax::detail::planning
