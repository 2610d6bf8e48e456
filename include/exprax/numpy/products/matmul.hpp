// SPDX-License-Identifier: BSL-1.0
// Products of matrices, and of stacks of them that broadcast (jax.numpy.matmul).
#pragma once

#include <exprax/numpy/products/dot.hpp>
#include <exprax/numpy/shape/transpose.hpp>

namespace exprax {

namespace detail {

// Matrices in the last two axes; the axes before them broadcast. Those that both have are batch axes of one dot_general.
template <class A, class B>
struct matmul_plan {
  static constexpr bool a_matrix = rank_in<A> > 1, b_matrix = rank_in<B> > 1;
  static constexpr int n_batch = (rank_in<A> > rank_in<B> ? rank_in<A> : rank_in<B>) > 2
                                     ? (rank_in<A> > rank_in<B> ? rank_in<A> : rank_in<B>)-2
                                     : 0;
  struct layout {
    axis_set squeeze_a, squeeze_b;
    dot_axes axes;
    axis_set order;  // the axes of the result, as dot_general gives them
    bool fits = true;
  };
  static constexpr layout of = [] {
    layout l;
    axis_set batch, a_other, b_other;
    int const lead_a = n_batch - (a_matrix ? rank_in<A> - 2 : 0), lead_b = n_batch - (b_matrix ? rank_in<B> - 2 : 0);
    auto const put = [](axis_set& s, int i) { s.of[s.n++] = i; };
    for (int i = 0; i < n_batch; ++i) {
      int const da = i < lead_a ? 0 : aval_in<A>.dims[i - lead_a], db = i < lead_b ? 0 : aval_in<B>.dims[i - lead_b];
      if (i < lead_a) {
        put(b_other, i);
      } else if (i < lead_b) {
        put(a_other, i);
      } else if (da == 1) {
        put(b_other, i);
        put(l.squeeze_a, batch.n + a_other.n + l.squeeze_a.n);
      } else if (db == 1) {
        put(a_other, i);
        put(l.squeeze_b, batch.n + b_other.n + l.squeeze_b.n);
      } else {
        if (da != db) l.fits = false;
        l.axes.batch(batch.n + a_other.n, batch.n + b_other.n);
        put(batch, i);
      }
    }
    if (a_matrix) put(a_other, n_batch);
    if (b_matrix) put(b_other, n_batch + a_matrix);
    l.axes.contract(rank_in<A> - l.squeeze_a.n - 1, rank_in<B> - l.squeeze_b.n - 1 - b_matrix);
    for (int i = 0; i < batch.n; ++i) put(l.order, batch.of[i]);
    for (int i = 0; i < a_other.n; ++i) put(l.order, a_other.of[i]);
    for (int i = 0; i < b_other.n; ++i) put(l.order, b_other.of[i]);
    return l;
  }();
  static constexpr bool in_order = [] {
    for (int i = 0; i < of.order.n; ++i)
      if (of.order.of[i] != i) return false;
    return true;
  }();
  static constexpr int place(int axis) {
    for (int i = 0; i < of.order.n; ++i)
      if (of.order.of[i] == axis) return i;
    return -1;
  }
  struct axes {
    static constexpr dot_axes value = of.axes;
  };
  struct squeeze_a {
    static constexpr axis_set value = of.squeeze_a;
  };
  struct squeeze_b {
    static constexpr axis_set value = of.squeeze_b;
  };
  template <int... I>
  static constexpr transpose_op<place(I)...> to_result(std::integer_sequence<int, I...>) {
    return {};
  }
};
struct matmul_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    using plan = matmul_plan<A, B>;
    auto const x = squeezed<typename plan::squeeze_a>(as_traced(a));
    auto const y = squeezed<typename plan::squeeze_b>(as_traced(b));
    auto const product = record_dot<typename plan::axes>(x, y);
    if constexpr (plan::in_order)
      return product;
    else
      return plan::to_result(std::make_integer_sequence<int, plan::of.order.n>{})(product);
  }
};

template <class A, class B>
inline constexpr bool multiplies = [] {
  if constexpr (rank_in<A> == 0 || rank_in<B> == 0)
    return false;
  else
    return matmul_plan<A, B>::of.fits && dots<A, B>;
}();

}  // namespace detail

// Products of matrices in the last two axes: [..., n, k], [..., k, m] -> [..., n, m]; the axes before them broadcast. A vector is one row
// (a) or one column (b), and its axis does not appear in the result. The promoted dtype. Refused: scalars, sizes k that differ, axes that
// do not broadcast (jax.numpy.matmul).
inline constexpr struct matmul_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::multiplies<A, B>,
                  "exprax: matmul: contracting dimensions differ, or axes before the last two do not broadcast, or an operand is a scalar "
                  "(use multiply)");
    return detail::apply<detail::matmul_op>(a, b);
  }
} matmul{};

}  // namespace exprax
