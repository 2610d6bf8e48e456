// SPDX-License-Identifier: BSL-1.0
// Products (jax.numpy): dot, vdot, inner, outer, tensordot; matmul is in matmul.hpp. Operands of two dtypes go in
// as they are; the result has the dtype that they promote to.
#pragma once

#include <exprax/numpy/elementwise/arithmetic.hpp>
#include <exprax/numpy/elementwise/complex.hpp>
#include <exprax/numpy/shape/shaping.hpp>

namespace exprax {

namespace detail {

// Which axes are summed, and which are paired.
struct dot_axes {
  int n = 0, lhs[max_rank] = {}, rhs[max_rank] = {};
  int n_batch = 0, lhs_batch[max_rank] = {}, rhs_batch[max_rank] = {};

  constexpr void contract(int a, int b) {
    lhs[n] = a;
    rhs[n++] = b;
  }
  constexpr void batch(int a, int b) {
    lhs_batch[n_batch] = a;
    rhs_batch[n_batch++] = b;
  }
  constexpr bool lhs_free(int axis) const { return is_free(lhs, lhs_batch, axis); }
  constexpr bool rhs_free(int axis) const { return is_free(rhs, rhs_batch, axis); }

 private:
  constexpr bool is_free(int const* summed, int const* paired, int axis) const {
    for (int i = 0; i < n; ++i)
      if (summed[i] == axis) return false;
    for (int i = 0; i < n_batch; ++i)
      if (paired[i] == axis) return false;
    return true;
  }
};

// Axes::value says how A and B are multiplied; T is the dtype of the result.
template <class A, class B, class Axes, class T>
struct dot_shape {
  static constexpr dot_axes const& axes = Axes::value;
  static constexpr bool fits = [] {
    for (int i = 0; i < axes.n; ++i)
      if (aval_in<A>.dims[axes.lhs[i]] != aval_in<B>.dims[axes.rhs[i]]) return false;
    for (int i = 0; i < axes.n_batch; ++i)
      if (aval_in<A>.dims[axes.lhs_batch[i]] != aval_in<B>.dims[axes.rhs_batch[i]]) return false;
    return true;
  }();
  static constexpr product_form form = [] {
    product_form f;
    for (int i = 0; i < axes.n; ++i) f.terms *= aval_in<A>.dims[axes.lhs[i]];
    for (int i = 0; i < rank_in<A>; ++i)
      if (axes.lhs_free(i)) f.rows *= aval_in<A>.dims[i];
    for (int i = 0; i < rank_in<B>; ++i)
      if (axes.rhs_free(i)) f.columns *= aval_in<B>.dims[i];
    if constexpr (axes.n > 0) f.rhs_is_along_sum = axes.rhs[axes.n - 1] == rank_in<B> - 1;
    return f;
  }();
  static constexpr aval value = [] {
    aval a(dtype_of<T>);
    for (int i = 0; i < axes.n_batch; ++i) a.dims[a.rank++] = aval_in<A>.dims[axes.lhs_batch[i]];
    for (int i = 0; i < rank_in<A>; ++i)
      if (axes.lhs_free(i)) a.dims[a.rank++] = aval_in<A>.dims[i];
    for (int i = 0; i < rank_in<B>; ++i)
      if (axes.rhs_free(i)) a.dims[a.rank++] = aval_in<B>.dims[i];
    return a;
  }();
  // The order of the sum: primitives/contractions/contraction.hpp.
  static constexpr param_list params = [] {
    param_list l;
    l.push(axes.n);
    for (int i = 0; i < axes.n; ++i) l.push(axes.lhs[i]);
    for (int i = 0; i < axes.n; ++i) l.push(axes.rhs[i]);
    l.push(axes.n_batch);
    for (int i = 0; i < axes.n_batch; ++i) l.push(axes.lhs_batch[i]);
    for (int i = 0; i < axes.n_batch; ++i) l.push(axes.rhs_batch[i]);
    l.push(static_cast<int>(dtype_of<T>));
    l.push(form.order());
    return l;
  }();
};

template <class T>
struct strong_type {
  using type = strong_t<T>;
};

// Whether an axis of x is the last one in memory, because x is written as a transpose.
constexpr bool is_last_before_transpose(handle const& x, int axis) {
  handle const r = resolve(x);
  for (int i = r.on->pending.n; i-- > 0;)
    if (eqn const& e = r.on->pending.at[i]; e.out == r.id)
      return e.op == prim::transpose && r.on->params.at[e.par + axis] == r.type().rank - 1;
  return false;
}
// The parameters of a product with b. Of few rows, dot(x, W.T()) sums as inner(x, W) does.
template <class Shape, tracer B>
constexpr decltype(auto) params_beside([[maybe_unused]] B const& b) {
  if constexpr (Shape::form.has_few_rows() && !Shape::form.rhs_is_along_sum && is_expr<B>) {
    product_form f = Shape::form;
    f.rhs_is_along_sum = is_last_before_transpose(expr_access::get(b), Shape::axes.rhs[Shape::axes.n - 1]);
    param_list l = Shape::params;
    l.at[l.n - 1] = f.order();
    return l;
  } else {
    return (Shape::params);
  }
}
template <class Axes, tracer A, tracer B>
constexpr auto record_dot(A const& a, B const& b) {
  using type = promote_t<type_in<A>, type_in<B>>;
  using shape = dot_shape<A, B, Axes, type>;
  auto const product = detail::bind<expr_from<shape>>(prim::dot_general, params_beside<shape>(b), a, b);
  return expr_like<decltype(product), type>(as_expr<type>(product));
}

// The last axis of a with the last but one of b, or its only one.
template <int RankA, int RankB>
struct matrix_axes {
  static constexpr dot_axes value = [] {
    dot_axes d;
    if (RankA > 0 && RankB > 0) d.contract(RankA - 1, RankB > 1 ? RankB - 2 : 0);
    return d;
  }();
};
struct dot_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    return record_dot<matrix_axes<rank_in<A>, rank_in<B>>>(as_traced(a), as_traced(b));
  }
};
struct vdot_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    auto const x = reshaped<-1>(as_traced(a));
    auto const y = reshaped<-1>(as_traced(b));
    return dot_op{}(conj_op{}(x), y);
  }
};
struct outer_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = promote_t<type_in<A>, type_in<B>>;
    expr_like<A, type> const x = as_expr<type>(a);
    expr_like<B, type> const y = as_expr<type>(b);
    auto const column = expanded<1>(reshaped<-1>(x));
    auto const row = expanded<0>(reshaped<-1>(y));
    return multiply(column, row);
  }
};

// The last N axes of a with the first N of b.
template <int N, int RankA>
struct tensor_axes {
  static constexpr dot_axes value = [] {
    dot_axes d;
    for (int i = 0; i < N; ++i) d.contract(RankA - N + i, i);
    return d;
  }();
};
// Axes of a with axes of b, in pairs.
template <int RankA, int RankB, class L, class R>
struct paired_axes;
template <int RankA, int RankB, int... L, int... R>
struct paired_axes<RankA, RankB, axis_t<L...>, axis_t<R...>> {
  static constexpr bool valid = sizeof...(L) == sizeof...(R) && normal_axes<L...>(RankA).valid && normal_axes<R...>(RankB).valid;
  static constexpr dot_axes value = [] {
    dot_axes d;
    axis_set const l = normal_axes<L...>(RankA), r = normal_axes<R...>(RankB);
    for (int i = 0; i < l.n && i < r.n; ++i) d.contract(l.of[i], r.of[i]);
    return d;
  }();
};
template <class Axes>
struct tensordot_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    return record_dot<Axes>(as_traced(a), as_traced(b));
  }
};
template <int RankA, int RankB>
struct inner_axes {
  static constexpr dot_axes value = [] {
    dot_axes d;
    d.contract(RankA - 1, RankB - 1);
    return d;
  }();
};
struct inner_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    if constexpr (rank_in<A> == 0 || rank_in<B> == 0)
      return multiply(a, b);
    else
      return record_dot<inner_axes<rank_in<A>, rank_in<B>>>(as_traced(a), as_traced(b));
  }
};

// Conditions of static_asserts: compilers print the types.
template <class A, class B, class Axes>
inline constexpr bool contracts = dot_shape<A, B, Axes, float>::fits;
template <class A, class B>
inline constexpr bool dots = contracts<A, B, matrix_axes<rank_in<A>, rank_in<B>>>;
template <class A, class B>
inline constexpr bool same_size = aval_in<A>.size() == aval_in<B>.size();
template <int N, class A, class B>
inline constexpr bool tensor_contracts = [] {
  if constexpr (N < 0 || N > rank_in<A> || N > rank_in<B>)
    return false;
  else
    return contracts<A, B, tensor_axes<N, rank_in<A>>>;
}();
template <class A, class B, class Axes>
inline constexpr bool pairs_contract = [] {
  if constexpr (!Axes::valid) return false;
  else return contracts<A, B, Axes>;
}();
template <class A, class B>
inline constexpr bool inner_contracts =
    rank_in<A> == 0 || rank_in<B> == 0 ||
    aval_in<A>.dims[rank_in<A> ? rank_in<A> - 1 : 0] == aval_in<B>.dims[rank_in<B> ? rank_in<B> - 1 : 0];

}  // namespace detail

// The sum of products over the last axis of a and the last but one of b (its only one): [..., k], [..., k, m] -> [..., ..., m]; with a
// scalar the product. The promoted dtype. Refused: different sizes of these axes (jax.numpy.dot, StableHLO dot_general).
inline constexpr struct dot_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(
        detail::dots<A, B>,
        "exprax: dot: contracting dimensions differ: the last axis of a and the last but one of b (its only one) must have one size");
    return detail::apply<detail::dot_op>(a, b);
  }
} dot{};
// The sum of the products of all elements of both flattened arrays, those of a conjugated: a scalar of the promoted dtype. Refused:
// different numbers of elements (jax.numpy.vdot).
inline constexpr struct vdot_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::same_size<A, B>, "exprax: vdot: the arrays must have the same number of elements");
    return detail::apply<detail::vdot_op>(a, b);
  }
} vdot{};
// The sum of products over the last axes: [..., k], [..., k] -> [..., ...]; with a scalar the product. The promoted dtype. Refused:
// different sizes of the last axes (jax.numpy.inner).
inline constexpr struct inner_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::inner_contracts<A, B>, "exprax: inner: contracting dimensions differ: the last axes must have one size");
    return detail::apply<detail::inner_op>(a, b);
  }
} inner{};
// The products of each element of a with each of b, both flattened: [size of a, size of b], the promoted dtype (jax.numpy.outer).
inline constexpr struct outer_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    return detail::apply<detail::outer_op>(a, b);
  }
} outer{};
// The sum of products over the last N axes of a and the first N of b, 2 if none is given: the result has the other axes of a, then those
// of b; N = 0 gives all products. The promoted dtype. Refused: different sizes of these axes, fewer axes than N (jax.numpy.tensordot).
template <int N = 2, array_like A, array_like B>
constexpr auto tensordot(A const& a, B const& b) {
  static_assert(detail::tensor_contracts<N, A, B>,
                "exprax: tensordot: contracting dimensions differ: the last N axes of a and the first N of b must have the same sizes");
  return detail::apply<detail::tensordot_op<detail::tensor_axes<N, detail::rank_in<A>>>>(a, b);
}
// The same over named axes in pairs: tensordot(a, b, axis<1, 2>, axis<2, 1>) is jax.numpy.tensordot(a, b, [[1, 2], [2, 1]]). Refused:
// lists of different lengths, axes out of range or named twice.
template <array_like A, array_like B, int... L, int... R>
constexpr auto tensordot(A const& a, B const& b, axis_t<L...>, axis_t<R...>) {
  using axes = detail::paired_axes<detail::rank_in<A>, detail::rank_in<B>, axis_t<L...>, axis_t<R...>>;
  static_assert(axes::valid, "exprax: tensordot: requires axes lists to have equal length, with axes in range, none of them twice");
  static_assert(!axes::valid || detail::pairs_contract<A, B, axes>,
                "exprax: tensordot: contracting dimensions differ: the axes of a pair must have one size");
  if constexpr (detail::pairs_contract<A, B, axes>) return detail::apply<detail::tensordot_op<axes>>(a, b);
  else return a;  // after the error: nothing that leads to others
}

}  // namespace exprax
