// SPDX-License-Identifier: BSL-1.0
// simplify: inlining, constant folding, exact algebra and common subexpression elimination in one forward walk. inline_calls: only the
// inlining, which replaces each jit equation by its block.
#pragma once

#include <exprax/passes/branches.hpp>
#include <exprax/passes/loops.hpp>
#include <exprax/passes/rewrite/simplify_contraction.hpp>
#include <exprax/passes/rewrite/simplify_elementwise.hpp>
#include <exprax/passes/rewrite/simplify_movement.hpp>
#include <exprax/passes/vmaps.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax {
namespace detail {

template <class W>
constexpr int simplify_equation(W& w, request const& r) {
  if (kind_of(r.op) == op_class::elementwise) return simplify_elementwise(w, r);
  if (w.type(r.type).size() == 0) return w.filled_with(r.type, 0);
  return r.op == prim::dot_general ? simplify_dot_general(w, r) : simplify_movement(w, r);
}

template <class W>
constexpr void rewrite_control(W& w, eqn const& e) {
  switch (e.op) {
    case prim::scan: return rewrite_scan(w, e);
    case prim::while_: return rewrite_while(w, e);
    case prim::vmap: return rewrite_vmap(w, e);
    default: return rewrite_cond(w, e);
  }
}

inline constexpr int max_walks = 4;

struct simplify_options {
  static constexpr bool simplify = true;
};
struct inline_options {
  static constexpr bool simplify = false;
};

}  // namespace detail

template <class Options = detail::simplify_options>
constexpr program simplify(program_ref p) {
  program q;
  program_ref from = p;
  for (int walk = 0; walk < detail::max_walks; ++walk) {
    detail::rewriter<Options> r(from);
    program next = r.run();
    q = static_cast<program&&>(next);
    if (!r.finds_more) break;
    from = q.ref();
  }
  return q;
}

template <class Options = detail::inline_options>
constexpr program inline_calls(program_ref p) {
  return detail::rewriter<Options>(p).run();
}

}  // namespace exprax
