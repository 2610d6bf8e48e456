// SPDX-License-Identifier: BSL-1.0
// iota (jax.lax.broadcasted_iota): the index along one axis. No operands. Parameters: dtype, dimension, the shape.
#pragma once

#include <exprax/primitives/primitive.hpp>
#include <exprax/types/element.hpp>

namespace exprax {

template <>
struct primitive<prim::iota> {
  static constexpr std::string_view name = "iota";
  static constexpr prim_traits traits{.kind = op_class::generator};

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 0 || e.n_par() < 3 || e.n_par() > 2 + max_rank || e.param(0) <= 0 || e.param(0) >= dtype_count) return false;
    if (is_key(static_cast<dtype>(e.param(0)))) return false;
    *out = aval(static_cast<dtype>(e.param(0)));
    for (int i = 2; i < e.n_par(); ++i) {
      if (e.param(i) < 0) return false;
      out->dims[out->rank++] = e.param(i);
    }
    return e.param(1) >= 0 && e.param(1) < out->rank;
  }
  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    aval const& out = e.out_type(0);
    int const axis = e.param(1);
    std::ptrdiff_t const n = out.size(), inner = strides(out)[axis];
    std::uint64_t* const to = m.out(e, 0);
    for (std::ptrdiff_t i = 0; i < n; ++i) to[i] = detail::bits_of_int(out.type, static_cast<int>(i / inner % out.dims[axis]));
  }
  // Never called: an equation without operands is not batched.
  template <class Context>
  static constexpr void batch(Context&, equation_ref const&) {}
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    l.set(e, 0, l.iota(e.param(1), e.out_type(0)));
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("dimension");
    o.integer(e.param(1));
    o.key("dtype");
    o.dtype(static_cast<dtype>(e.param(0)));
    o.key("shape");
    o.tuple(e.params().part(2, e.n_par() - 2));
    o.key("sharding");
    o.text("None");
  }
};

}  // namespace exprax
