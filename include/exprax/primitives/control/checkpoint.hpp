// SPDX-License-Identifier: BSL-1.0
// checkpoint (jax.checkpoint, jax.remat): a call of a block whose intermediate values are computed again where the derivative reads them,
// instead of being stored. Parameters: whether it is that second computation; the policy, which says what is stored nevertheless; whether
// the second computation is kept apart from the first (prevent_cse). One block.
#pragma once

#include <exprax/primitives/contractions/dot_general.hpp>
#include <exprax/primitives/control/call.hpp>

namespace exprax {

enum class checkpoint_policy : std::uint8_t {
  none,
  nothing_saveable,
  everything_saveable,
  dots_saveable,
  dots_with_no_batch_dims_saveable,
};

template <>
struct primitive<prim::checkpoint> : detail::call_family<prim::checkpoint> {
  static constexpr std::string_view name = "checkpoint";

  static constexpr bool differentiated(equation_ref const& e) { return e.param(0) != 0; }
  static constexpr checkpoint_policy policy(equation_ref const& e) { return static_cast<checkpoint_policy>(e.param(1)); }
  static constexpr bool prevents_cse(equation_ref const& e) { return e.param(2) != 0; }
  // Whether passes must not join its equations with those around it.
  static constexpr bool stays_apart(equation_ref const& e) { return differentiated(e) && prevents_cse(e); }
  // Whether the results of an equation in the block are stored.
  static constexpr bool saves(checkpoint_policy policy, equation_ref const& e) {
    switch (policy) {
      case checkpoint_policy::none:
      case checkpoint_policy::nothing_saveable: return false;
      case checkpoint_policy::everything_saveable: return true;
      case checkpoint_policy::dots_saveable: return e.e.op == prim::dot_general || e.e.op == prim::conv_general_dilated;
      case checkpoint_policy::dots_with_no_batch_dims_saveable:
        return e.e.op == prim::dot_general && dot_numbers(e.params()).lhs_batch.size() == 0;
    }
    return false;
  }

  static constexpr bool infer(equation_ref const& e, aval* out) { return e.n_par() == 3 && e.e.n_blk == 1 && detail::infer_call(e, out); }
  template <class Context>
  static constexpr void partial_eval(Context& c, equation_ref const& e) {
    detail::arena<int> par = detail::parameters_of(e);
    par[0] = 1;
    c.recompute(e, par, [&](equation_ref const& inner) { return saves(policy(e), inner); });
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    l.inlined(e);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    constexpr std::string_view names[] = {"None", "nothing_saveable", "everything_saveable", "dots_saveable",
                                          "dots_with_no_batch_dims_saveable"};
    o.key("differentiated");
    o.boolean(differentiated(e));
    o.key("jaxpr");
    o.block(0);
    o.key("policy");
    o.text(names[e.param(1)]);
    o.key("prevent_cse");
    o.boolean(prevents_cse(e));
  }
};

}  // namespace exprax
