// SPDX-License-Identifier: BSL-1.0
// reduce_window (jax.lax.reduce_window): windows of several arrays (primitives/reductions/windows.hpp), reduced by a function that combines
// a scalar of each with one more of each (primitives/reductions/combiners.hpp). Padding has the initial values.
#pragma once

#include <exprax/primitives/reductions/combiners.hpp>
#include <exprax/primitives/reductions/windows.hpp>

namespace exprax {

template <>
struct primitive<prim::reduce_window> {
  static constexpr std::string_view name = "reduce_window";
  static constexpr prim_traits traits{.kind = op_class::composite};

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (!detail::is_combination(e)) return false;
    for (int k = 0; k < e.n_out(); ++k)
      if (!detail::window_numbers{e.params()}.infer(e.type(k), out + k)) return false;
    return true;
  }
  template <class Context>
  static constexpr void expand(Context& c, equation_ref const& e) {
    detail::arena<int> v, first, scalars = detail::starts(c, e);
    for (int k = 0; k < e.n_out(); ++k) {
      v.push(c.in(e, k));
      first.push(c.full(e.out_type(k), scalars[k]));
    }
    v = detail::join_windows(c, {e.params()}, v, scalars, [&](auto const& a, auto const& b) { return detail::combine(c, e, a, b); });
    if (e.out_type(0).size() > 0) v = detail::combine(c, e, first, v);
    for (int k = 0; k < e.n_out(); ++k) c.set(e, k, v[k]);
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    detail::int_list const par = detail::with_batch_axis(e.params(), 0);
    detail::batch_combination(c, e, {par.of, par.n});
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    detail::arena<int> in;
    detail::arena<aval> out;
    for (int k = 0; k < e.n_in(); ++k) in.push(l.in(e, k));
    for (int k = 0; k < e.n_out(); ++k) out.push(e.out_type(k));
    int const first = l.reduce_windows(in, e.params(), out, l.block_of(e.sub(0)));
    for (int k = 0; k < e.n_out(); ++k) l.set(e, k, first + k);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("base_dilation");
    int const rank = e.type(0).rank;
    detail::span<int> const p = e.params();
    o.tuple(p.part(4 * rank, rank));
    o.key("jaxpr");
    o.block(0);
    detail::print_window_rest(o, {p});
  }
};

}  // namespace exprax
