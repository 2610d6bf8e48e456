// SPDX-License-Identifier: BSL-1.0
// name (jax.ad_checkpoint.checkpoint_name): its operand, under a name that the policy of a checkpoint can refer to. Parameter: the name.
#pragma once

#include <exprax/primitives/movement/identity.hpp>

namespace exprax {

template <>
struct primitive<prim::name> : detail::identity_family<prim::name> {
  static constexpr std::string_view name = "name";

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1 || e.n_out() != 1 || e.n_par() != 1) return false;
    *out = e.type(0);
    return true;
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const x = c.value(e, 0), label = c.copy_name(e.param(0));
    c.set(e, 0, c.emit(prim::name, {&x, 1}, {&label, 1}, c.type(x)), c.dim(e, 0));
  }
  template <class Context>
  static constexpr void jvp(Context& c, equation_ref const& e) {
    c.set_tangent(e, 0, c.tangent(e, 0));
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("name");
    o.name(e.param(0));
  }
};

}  // namespace exprax
