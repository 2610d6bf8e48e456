// SPDX-License-Identifier: BSL-1.0
// threefry2x32: blocks of two 32-bit words under a key of two words (jax.extend.random.threefry2x32_p), elementwise. Operands: the words of
// the key, the words of the counter; two results.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>
#include <exprax/primitives/random/threefry.hpp>

namespace exprax {

template <>
struct primitive<prim::threefry2x32> : detail::rules_of_keys {
  static constexpr std::string_view name = "threefry2x32";

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 4 || e.n_par() != 0) return false;
    for (int k = 0; k < 4; ++k)
      if (e.type(k).type != dtype::u32) return false;
    out[0] = aval(dtype::u32);
    if (!detail::join_shapes(e, out)) return false;
    out[1] = out[0];
    return true;
  }
  // As batch_elementwise, with two results.
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int v[4] = {}, dim = c.operands_agree() ? c.agreed() : 0;
    for (int k = 0; k < 4; ++k) v[k] = c.value(e, k);
    if (!c.operands_agree()) {
      for (int k = 0; k < 4; ++k)
        if (c.type(v[k]).rank > 0) v[k] = c.at_front(v[k], c.dim(e, k), 1);
      for (int k = 0; k < 4; ++k)
        if (c.dim(e, k).is_mapped()) v[k] = c.with_trailing_ones(v[k], e.out_type(0).rank + 1);
    }
    aval const shape = e.out_type(0).with_axis(dim, c.size()), both[] = {shape, shape};
    int const first = c.emit(prim::threefry2x32, v, {}, both, {});
    for (int k = 0; k < 2; ++k) c.set(e, k, first + k, dim);
  }
  template <class Context>
  static constexpr void expand(Context& c, equation_ref const& e) {
    detail::word_pair const w = detail::threefry(c, {c.in(e, 0), c.in(e, 1)}, {c.in(e, 2), c.in(e, 3)});
    c.set(e, 0, w.first);
    c.set(e, 1, w.second);
  }
  template <class Printer>
  static constexpr void print(Printer&, equation_ref const&) {}
};

}  // namespace exprax
