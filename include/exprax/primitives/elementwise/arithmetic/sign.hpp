// SPDX-License-Identifier: BSL-1.0
// sign (jax.lax.sign): -1, 0 or 1; floats keep NaN and the sign of zero.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

template <>
struct primitive<prim::sign> : detail::unary<prim::sign> {
  static constexpr prim_traits traits = unary::traits.locally_constant();
  static constexpr std::string_view name = "sign";
  static constexpr std::string_view stablehlo = "sign";
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    if (!is_unsigned_integer(e.type(0).type)) return l.elementwise(e, stablehlo);
    int const x = l.in(e, 0), is_zero = l.compare("EQ", x, l.full(e.type(0), 0));
    int const zero = l.full(e.type(0), 0);
    l.set(e, 0, l.select(is_zero, zero, l.full(e.type(0), 1)));
  }
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    if constexpr (std::is_floating_point_v<T>) return select(abs(x) > V(0), copysign(V(1), x), x);
    else if constexpr (std::is_signed_v<T> && (sizeof(T) == 2 || sizeof(T) == 4)) return sign_by_shifts(x);
    else if constexpr (std::is_signed_v<T>) return select(x > V(0), V(1), select(x < V(0), V(T(-1)), V(0)));
    else return select(x != V(0), V(1), V(0));
  }

 private:
  // The top bits of x, everywhere, and of -x.
  template <class V>
  EXPRAX_INLINE static constexpr V sign_by_shifts(V x) {
    using T = typename V::value_type;
    constexpr int top = static_cast<int>(8 * sizeof(T)) - 1;
    return (x >> top) | bitcast<T>(bitcast<std::make_unsigned_t<T>>(-x) >> top);
  }
};

}  // namespace exprax
