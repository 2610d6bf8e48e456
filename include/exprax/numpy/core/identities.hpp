// SPDX-License-Identifier: BSL-1.0
// What gives its operand back: copy (jax.numpy) and stop_gradient (jax.lax). Jaxprs show them.
#pragma once

#include <exprax/numpy/core/operand.hpp>

namespace exprax {

namespace detail {

template <prim P>
struct identity_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return detail::bind<expr_type<X>>(P, {}, as_traced(x));
  }
};

}  // namespace detail

// The elements of x (jax.numpy.copy).
inline constexpr struct copy_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::identity_op<prim::copy>>(x);
  }
} copy{};
// x, of which no derivative is taken (jax.lax.stop_gradient). Keys are x itself.
inline constexpr struct stop_gradient_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    if constexpr (is_key(detail::aval_in<X>.type)) return x;
    else return detail::apply<detail::identity_op<prim::stop_gradient>>(x);
  }
} stop_gradient{};

namespace lax {
using exprax::stop_gradient;
}

}  // namespace exprax
