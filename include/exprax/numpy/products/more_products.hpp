// SPDX-License-Identifier: BSL-1.0
// More products (jax.numpy): cross, kron, vecdot, matvec, vecmat, correlate; and array_equiv.
#pragma once

#include <exprax/numpy/core/dynamic_shapes.hpp>
#include <exprax/numpy/elementwise/closeness.hpp>
#include <exprax/numpy/products/convolve.hpp>
#include <exprax/numpy/products/matmul.hpp>
#include <exprax/numpy/shape/joining.hpp>

namespace exprax {

namespace detail {

// Vectors of 3, or of 2, whose third number is 0; they stand in one axis, which becomes the first here.
template <int Axis>
struct cross_body {
  template <tracer A, tracer B>
  constexpr auto operator()(A const& a, B const& b) const {
    constexpr int axis_a = normal_axis(Axis, A::rank), axis_b = normal_axis(Axis, B::rank);
    auto const x = moveaxis_op<axis_a, 0>{}(a);
    auto const y = moveaxis_op<axis_b, 0>{}(b);
    auto const part = [](auto const& v, int i) { return index_read(v, i, ellipsis); };
    // x_i y_j - x_j y_i, without what a missing third number makes 0.
    constexpr bool a3 = A::extent(axis_a) == 3, b3 = B::extent(axis_b) == 3;
    auto const first = subtract(multiply(part(x, 0), part(y, 1)), multiply(part(x, 1), part(y, 0)));
    if constexpr (!a3 && !b3) {
      return first;
    } else {
      using out = std::remove_const_t<decltype(first)>;
      constexpr int rank = out::rank, to = normal_axis(Axis, rank + 1);
      out c[2];
      if constexpr (a3 && b3) {
        c[0] = subtract(multiply(part(x, 1), part(y, 2)), multiply(part(x, 2), part(y, 1)));
        c[1] = subtract(multiply(part(x, 2), part(y, 0)), multiply(part(x, 0), part(y, 2)));
      } else if constexpr (b3) {
        c[0] = multiply(part(x, 1), part(y, 2));
        c[1] = negative(multiply(part(x, 0), part(y, 2)));
      } else {
        c[0] = negative(multiply(part(x, 2), part(y, 1)));
        c[1] = multiply(part(x, 2), part(y, 0));
      }
      return stack_op<to>{}(c[0], c[1], first);
    }
  }
};
template <int Axis>
struct cross_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    return named_call<cross_body<Axis>>("cross", a, b);
  }
};

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

template <convolve_mode Mode>
struct correlate_body {
  template <tracer X, tracer K>
  constexpr auto operator()(X const& x, K const& kernel) const {
    using type = strong_t<inexact_t<promote_t<type_in<X>, type_in<K>>>>;
    expr_like<X, type> const a = cast<type>(x);
    expr_like<K, type> const b = conj_op{}(expr_like<K, type>(cast<type>(kernel)));
    if constexpr (X::extent(0) < K::extent(0)) return index_read(slide<type>(b, a), 0, 0, exprax::slice<none, none, -1>);
    else return index_read(slide<type>(a, b), 0, 0, all);
  }

 private:
  template <class T, class X, class K>
  static constexpr auto slide(X const& x, K const& kernel) {
    using conv = convolution<T, X::extent(0), K::extent(0), Mode>;
    auto const lhs = expanded<0, 1>(x);
    auto const rhs = expanded<0, 1>(kernel);
    return bind<expr<T, 1, 1, conv::size>>(prim::conv_general_dilated, conv::params, lhs, rhs);
  }
};
template <convolve_mode Mode>
struct correlate_op {
  template <operand X, operand K>
  constexpr auto operator()(X const& x, K const& kernel) const {
    return named_call<correlate_body<Mode>>("correlate", x, kernel);
  }
};

// Of complex vectors the first one is conjugated.
template <int Axis = -1>
struct vecdot_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    auto const row = expanded<rank_in<A> - 1>(conj_op{}(moveaxis_op<Axis, -1>{}(as_traced(a))));
    auto const column = expanded<rank_in<B>>(moveaxis_op<Axis, -1>{}(as_traced(b)));
    auto const product = matmul_op{}(row, column);
    return squeeze_op<-2, -1>{}(product);
  }
};
struct matvec_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    auto const column = expanded<rank_in<B>>(as_traced(b));
    auto const product = matmul_op{}(as_traced(a), column);
    return squeeze_op<-1>{}(product);
  }
};
struct vecmat_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    auto const row = expanded<rank_in<A> - 1>(conj_op{}(as_traced(a)));
    auto const product = matmul_op{}(row, as_traced(b));
    return squeeze_op<-2>{}(product);
  }
};
struct array_equiv_op {
  template <operand A, operand B>
  constexpr expr<bool> operator()(A const& a, B const& b) const {
    if constexpr (!broadcasts<A, B>) {
      return literal<bool>(false);
    } else {
      auto const same = equal(a, b);
      return all(same);
    }
  }
};

// Conditions of static_asserts: compilers print the types.
template <int Axis, class X>
inline constexpr bool holds_vectors_of_2_or_3 = [] {
  if constexpr (!normal_axes<Axis>(rank_in<X>).valid) {
    return false;
  } else {
    constexpr int n = aval_in<X>.dims[normal_axis(Axis, rank_in<X>)];
    return n == 2 || n == 3;
  }
}();
template <class A, class B, int Axis = -1>
inline constexpr bool have_one_size_along = [] {
  if constexpr (!normal_axes<Axis>(rank_in<A>).valid || !normal_axes<Axis>(rank_in<B>).valid) return false;
  else return aval_in<A>.dims[normal_axis(Axis, rank_in<A>)] == aval_in<B>.dims[normal_axis(Axis, rank_in<B>)];
}();
template <class A, class B>
inline constexpr bool have_one_last_size = have_one_size_along<A, B>;

}  // namespace detail

// The vector product of the vectors of 2 or 3 in axis<k> (the last one); the other axes broadcast. [..., 3], [..., 3] -> [..., 3]; of two
// vectors of 2 the one number that is left: [...]. The promoted dtype. Refused: other sizes of the axis (jax.numpy.cross).
template <array_like A, array_like B, int Axis = -1>
constexpr auto cross(A const& a, B const& b, axis_t<Axis> = {}) {
  static_assert(detail::holds_vectors_of_2_or_3<Axis, A> && detail::holds_vectors_of_2_or_3<Axis, B>,
                "exprax: cross: dimension must be either 2 or 3 for cross product");
  return detail::apply<detail::cross_op<Axis>>(a, b);
}
// The Kronecker product: an array of the blocks a(i, j) * b. The shape is the product of the shapes, [n, m], [p, q] -> [n p, m q], lower
// ranks filled up by leading axes of 1. The promoted dtype. Refused: more than 4 axes (jax.numpy.kron).
template <array_like A, array_like B>
constexpr auto kron(A const& a, B const& b) {
  return detail::apply<detail::kron_op>(a, b);
}
// The second vector, conjugated if it is complex, slides over the first one: element k is the sum of a[n + k] v[n]. Shapes as of convolve,
// mode_valid if none is given. The promoted dtype; integers become float32 (x64: float64). Refused: other ranks than 1, no elements
// (jax.numpy.correlate).
template <array_like X, array_like K, detail::convolve_mode Mode = detail::convolve_mode::valid>
constexpr auto correlate(X const& x, K const& kernel, detail::mode_t<Mode> = {}) {
  static_assert(detail::are_vectors<X, K>, "exprax: correlate: only supports 1-dimensional inputs");
  static_assert(detail::are_not_empty<X, K>, "exprax: correlate: inputs cannot be empty");
  return detail::apply<detail::correlate_op<Mode>>(x, kernel);
}
// The products of vectors in axis<k> (the last one) of a and b, those of a conjugated: [..., n], [..., n] -> [...]. The other axes
// broadcast; the promoted dtype. Refused: different sizes of the axis (jax.numpy.vecdot).
template <array_like A, array_like B, int Axis = -1>
constexpr auto vecdot(A const& a, B const& b, axis_t<Axis> = {}) {
  static_assert(detail::have_one_size_along<A, B, Axis>, "exprax: vecdot: the last axes, or those that axis<k> names, must have the same size");
  if constexpr (detail::have_one_size_along<A, B, Axis>) return detail::apply<detail::vecdot_op<Axis>>(a, b);
  else return a;  // after the error: nothing that leads to others
}
// Matrices times vectors: [..., m, n], [..., n] -> [..., m]. The axes before broadcast; the promoted dtype. Refused: a without two axes,
// different n (jax.numpy.matvec).
template <array_like A, array_like B>
constexpr auto matvec(A const& a, B const& b) {
  static_assert(detail::rank_in<A> >= 2 && detail::have_one_last_size<A, B>, "exprax: matvec: takes matrices and vectors of the size of their rows");
  if constexpr (detail::rank_in<A> >= 2 && detail::have_one_last_size<A, B>) return detail::apply<detail::matvec_op>(a, b);
  else return a;  // after the error: nothing that leads to others
}
// Vectors, which are conjugated, times matrices: [..., n], [..., n, m] -> [..., m]. The axes before broadcast; the promoted dtype.
// Refused: scalars, b without two axes (jax.numpy.vecmat).
template <array_like A, array_like B>
constexpr auto vecmat(A const& a, B const& b) {
  static_assert(detail::rank_in<A> >= 1 && detail::rank_in<B> >= 2, "exprax: vecmat: takes vectors and matrices");
  if constexpr (detail::rank_in<A> >= 1 && detail::rank_in<B> >= 2) return detail::apply<detail::vecmat_op>(a, b);
  else return a;  // after the error: nothing that leads to others
}
// Whether the shapes broadcast and all elements are equal then: a scalar of dtype bool (jax.numpy.array_equiv).
template <array_like A, array_like B>
constexpr auto array_equiv(A const& a, B const& b) {
  return detail::apply<detail::array_equiv_op>(a, b);
}

}  // namespace exprax
