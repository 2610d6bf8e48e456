// SPDX-License-Identifier: BSL-1.0
// concatenate (jax.lax.concatenate): concatenates arrays along an axis. Parameter: the axis.
#pragma once

#include <exprax/primitives/primitive.hpp>
#include <exprax/primitives/walk.hpp>

namespace exprax {

template <>
struct primitive<prim::concatenate> {
  static constexpr std::string_view name = "concatenate";
  static constexpr prim_traits traits{.kind = op_class::movement, .cost = 0, .moves_bits = true, .linear_in = all_operands};

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() < 1 || e.n_par() != 1) return false;
    *out = e.type(0);
    int const axis = e.param(0);
    if (axis < 0 || axis >= out->rank) return false;
    for (int k = 1; k < e.n_in(); ++k) {
      aval other = e.type(k);
      if (other.rank != out->rank) return false;
      int const n = other.dims[axis];
      other.dims[axis] = out->dims[axis];
      if (!other.matches(*out)) return false;
      out->dims[axis] += n;
      out->weak = out->weak && other.weak;
    }
    return true;
  }
  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    detail::place to(e.out_type(0));
    for (int k = 0; k < e.n_in(); ++k) {
      detail::copy_box(e.type(k), m.out(e, 0), to, m.in(e, k), detail::place(e.type(k)));
      to.base += to.step[e.param(0)] * e.type(k).dims[e.param(0)];
    }
  }
  static constexpr bool unbatch(equation_ref const& e, detail::span<batch_axis> in, int, batch_axis& out, detail::arena<int>& par) {
    out = in[0];
    for (batch_axis const& a : in)
      if (!(a == out) || a.position() == e.param(0)) return false;
    par.push(e.param(0) - (e.param(0) > out.position()));
    return true;
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    detail::arena<int> v;
    for (int k = 0; k < e.n_in(); ++k) v.push(c.at_front(c.value(e, k), c.dim(e, k), c.size()));
    int const axis = e.param(0) + 1;
    c.replace(e, v, {&axis, 1}, 0);
  }
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    int const ct = c.cotangent(e), axis = e.param(0);
    for (int k = 0, at = 0; k < e.n_in(); ++k) {
      int const n = e.type(k).dims[axis];
      if (c.is_linear(e, k)) c.add_cotangent(e, k, c.slice_axis(ct, axis, at, at + n));
      at += n;
    }
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    detail::arena<int> in;
    for (int k = 0; k < e.n_in(); ++k) in.push(l.in(e, k));
    l.set(e, 0, l.concatenate(in, e.param(0), e.out_type(0)));
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("dimension");
    o.integer(e.param(0));
  }
};

}  // namespace exprax
