// SPDX-License-Identifier: BSL-1.0
// Products of vectors, and of matrices with vectors, in stacks that broadcast (jax.numpy): vecdot, matvec, vecmat.
#pragma once

#include <exprax/numpy/elementwise/complex.hpp>
#include <exprax/numpy/products/matmul.hpp>

namespace exprax {

namespace detail {

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

// Conditions of static_asserts: compilers print the types.
template <class A, class B, int Axis = -1>
inline constexpr bool have_one_size_along = [] {
  if constexpr (!normal_axes<Axis>(rank_in<A>).valid || !normal_axes<Axis>(rank_in<B>).valid) return false;
  else return aval_in<A>.dims[normal_axis(Axis, rank_in<A>)] == aval_in<B>.dims[normal_axis(Axis, rank_in<B>)];
}();
template <class A, class B>
inline constexpr bool have_one_last_size = have_one_size_along<A, B>;

}  // namespace detail

// The products of vectors in axis<k> (the last one) of a and b, those of a conjugated: [..., n], [..., n] -> [...]. The other axes
// broadcast; the promoted dtype. Refused: different sizes of the axis (jax.numpy.vecdot).
inline constexpr struct vecdot_function {
  template <array_like A, array_like B, int Axis = -1>
  constexpr auto operator()(A const& a, B const& b, axis_t<Axis> = {}) const {
    static_assert(detail::have_one_size_along<A, B, Axis>,
                  "exprax: vecdot: the last axes, or those that axis<k> names, must have the same size");
    if constexpr (detail::have_one_size_along<A, B, Axis>) return detail::apply<detail::vecdot_op<Axis>>(a, b);
    else return a;  // after the error: nothing that leads to others
  }
} vecdot{};
// Matrices times vectors: [..., m, n], [..., n] -> [..., m]. The axes before broadcast; the promoted dtype. Refused: a without two axes,
// different n (jax.numpy.matvec).
inline constexpr struct matvec_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::rank_in<A> >= 2 && detail::have_one_last_size<A, B>,
                  "exprax: matvec: takes matrices and vectors of the size of their rows");
    if constexpr (detail::rank_in<A> >= 2 && detail::have_one_last_size<A, B>) return detail::apply<detail::matvec_op>(a, b);
    else return a;  // after the error: nothing that leads to others
  }
} matvec{};
// Vectors, which are conjugated, times matrices: [..., n], [..., n, m] -> [..., m]. The axes before broadcast; the promoted dtype.
// Refused: scalars, b without two axes (jax.numpy.vecmat).
inline constexpr struct vecmat_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::rank_in<A> >= 1 && detail::rank_in<B> >= 2, "exprax: vecmat: takes vectors and matrices");
    if constexpr (detail::rank_in<A> >= 1 && detail::rank_in<B> >= 2) return detail::apply<detail::vecmat_op>(a, b);
    else return a;  // after the error: nothing that leads to others
  }
} vecmat{};

}  // namespace exprax
