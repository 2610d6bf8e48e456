// SPDX-License-Identifier: BSL-1.0
// The Kronecker product (jax.numpy.kron).
#pragma once

#include <exprax/numpy/core/broadcasting.hpp>
#include <exprax/numpy/core/dynamic_shapes.hpp>
#include <exprax/numpy/core/named_call.hpp>
#include <exprax/numpy/shape/shaping.hpp>

namespace exprax {

namespace detail {

// Axis i of a and axis i of b as one axis.
template <class A, class B>
struct kron_shape {
  static constexpr int rank = rank_in<A> > rank_in<B> ? rank_in<A> : rank_in<B>;
  static constexpr aval a = at_rank<rank, A>::value, b = at_rank<rank, B>::value;
  static constexpr aval value = [] {
    using type = promote_t<type_in<A>, type_in<B>>;
    aval s(dtype_of<type>, is_weak<type>);
    for (int i = 0; i < rank; ++i) s.dims[s.rank++] = a.dims[i] * b.dims[i];
    return s;
  }();
};
struct kron_body {
  template <tracer A, tracer B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = promote_t<type_in<A>, type_in<B>>;
    using to = kron_shape<A, B>;
    static_assert(2 * to::rank <= max_rank, "exprax: kron: at most 4 axes");
    auto const x = expr_like<A, type>(as_expr<type>(a));
    auto const y = expr_like<B, type>(as_expr<type>(b));
    arena<int> left, right;
    for (int i = 0; i < to::rank; ++i) {
      left.push(to::a.dims[i]), left.push(1);
      right.push(1), right.push(to::b.dims[i]);
    }
    handle const u = untyped::reshape(untyped::from(x), left), v = untyped::reshape(untyped::from(y), right);
    handle const product = untyped::binary(is_bool(dtype_of<type>) ? prim::and_ : prim::mul, u, v);
    return untyped::typed<to>(untyped::reshape(product, {to::value.dims, to::value.rank}));
  }
};
struct kron_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    return named_call<kron_body>("kron", a, b);
  }
};

}  // namespace detail

// The Kronecker product: an array of the blocks a(i, j) * b. The shape is the product of the shapes, [n, m], [p, q] -> [n p, m q], lower
// ranks filled up by leading axes of 1. The promoted dtype. Refused: more than 4 axes (jax.numpy.kron).
inline constexpr struct kron_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    return detail::apply<detail::kron_op>(a, b);
  }
} kron{};

}  // namespace exprax
