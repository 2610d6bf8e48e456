// SPDX-License-Identifier: BSL-1.0
// reshape (jax.lax.reshape): the same elements in row-major order under another shape. Parameters: the new sizes.
#pragma once

#include <exprax/primitives/movement/affine_read.hpp>

namespace exprax {

template <>
struct primitive<prim::reshape> : detail::affine_read<prim::reshape> {
  static constexpr std::string_view name = "reshape";

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1 || e.n_par() > max_rank) return false;
    *out = aval(e.type(0).type, e.type(0).weak);
    for (int n : e.params()) {
      if (n < 0) return false;
      out->dims[out->rank++] = n;
    }
    return out->size() == e.type(0).size();
  }
  // Where only axes of 1 come or go.
  static constexpr detail::index_map operand_index(equation_ref const& e) { return detail::between_unit_axes(e.type(0), e.out_type(0)); }
  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    detail::place const dense(e.out_type(0));
    detail::copy_box(e.out_type(0), m.out(e, 0), dense, m.in(e, 0), dense);
  }
  // The axis must stay one: as many elements before it, and as many after it.
  static constexpr bool unbatch(equation_ref const& e, detail::span<batch_axis> in, int size, batch_axis& out, detail::arena<int>& par) {
    std::ptrdiff_t before = 1, n = 1;
    for (int i = 0; i < in[0].position(); ++i) before *= e.type(0).dims[i];
    for (int i = 0; i < e.n_par(); ++i) {
      if (n == before && e.param(i) == size && !out.is_mapped()) out = i;
      else par.push(e.param(i));
      n *= e.param(i);
    }
    return out.is_mapped();
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const v = c.move(c.value(e, 0), c.dim(e, 0).position(), 0);
    c.set(e, 0, c.reshape(v, e.out_type(0).with_axis(0, c.size())), 0);
  }
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    c.add_cotangent(e, 0, c.reshape(c.cotangent(e), e.type(0)));
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    l.set(e, 0, l.reshape(l.in(e, 0), e.out_type(0)));
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("dimensions");
    o.text("None");
    o.key("new_sizes");
    o.tuple(e.params());
    o.key("sharding");
    o.text("None");
  }
};

}  // namespace exprax
