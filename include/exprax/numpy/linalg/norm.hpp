// SPDX-License-Identifier: BSL-1.0
// Norms (jax.numpy.linalg): norm, vector_norm, matrix_norm, cond. The order is ord<p> (any number), fro, nuc, inf or minus_inf; axes and
// keepdims as in reductions: norm(x), norm(x, ord<1>, axis<0>), norm(a, nuc).
#pragma once

#include <exprax/base/options.hpp>
#include <exprax/numpy/elementwise/complex.hpp>
#include <exprax/numpy/linalg/solve.hpp>
#include <exprax/numpy/linalg/svd.hpp>

namespace exprax {

namespace linalg {

template <auto P>
struct ord_t {};
// The sum of |x|^P, to the power 1/P; of matrices 1, -1: columns; 2, -2: singular values.
template <auto P>
inline constexpr ord_t<P> ord{};
struct fro_t {};
struct nuc_t {};
struct inf_t {};
struct minus_inf_t {};
inline constexpr fro_t fro{};
inline constexpr nuc_t nuc{};
inline constexpr inf_t inf{};
inline constexpr minus_inf_t minus_inf{};

}  // namespace linalg

namespace detail {

template <auto P>
inline constexpr option_word word_of<linalg::ord_t<P>>{"ord<p>", "ord"};
template <>
inline constexpr option_word word_of<linalg::fro_t>{"fro", "ord"};
template <>
inline constexpr option_word word_of<linalg::nuc_t>{"nuc", "ord"};
template <>
inline constexpr option_word word_of<linalg::inf_t>{"inf", "ord"};
template <>
inline constexpr option_word word_of<linalg::minus_inf_t>{"minus_inf", "ord"};

struct no_order {};
template <class Tag>
inline constexpr bool is_order = false;
template <auto P>
inline constexpr bool is_order<linalg::ord_t<P>> = true;
template <>
inline constexpr bool is_order<linalg::fro_t> = true;
template <>
inline constexpr bool is_order<linalg::nuc_t> = true;
template <>
inline constexpr bool is_order<linalg::inf_t> = true;
template <>
inline constexpr bool is_order<linalg::minus_inf_t> = true;

// The tags of a norm: its order, its axes, whether they stay.
template <class Order, class Axes, bool Keep, class... Tags>
struct norm_tags {
  using order = Order;
  using axes = Axes;
  static constexpr bool keep = Keep;
};
template <class O, class A, bool K, int... Axes, class... Rest>
struct norm_tags<O, A, K, axis_t<Axes...>, Rest...> : norm_tags<O, axis_t<Axes...>, K, Rest...> {};
template <class O, class A, bool K, class... Rest>
struct norm_tags<O, A, K, keepdims_t, Rest...> : norm_tags<O, A, true, Rest...> {};
template <class O, class A, bool K, class Order, class... Rest>
  requires is_order<Order>
struct norm_tags<O, A, K, Order, Rest...> : norm_tags<Order, A, K, Rest...> {};

template <bool Keep, int... Axes, class X>
constexpr auto summed_over(X const& x, axis_t<Axes...>) {
  if constexpr (Keep) return sum(x, axis<Axes...>, keepdims);
  else return sum(x, axis<Axes...>);
}
template <prim P, bool Keep, int... Axes, class X>
constexpr auto extremum_over(X const& x, axis_t<Axes...>) {
  using tags = std::conditional_t<Keep, reduction_tags<axis_t<Axes...>, keepdims_t>, reduction_tags<axis_t<Axes...>>>;
  return reduced<P, tags>(x);
}
template <class Order, bool Keep, class X, class Axes>
constexpr auto vector_norm_of(X const& x, Axes axes) {
  if constexpr (std::is_same_v<Order, no_order> || std::is_same_v<Order, linalg::ord_t<2>> || std::is_same_v<Order, linalg::fro_t>) {
    return sqrt(summed_over<Keep>(squared_magnitude(x), axes));
  } else if constexpr (std::is_same_v<Order, linalg::inf_t>) {
    // Of no elements it is 0.
    if constexpr (X::size() == 0) return summed_over<Keep>(abs(x), axes);
    else return extremum_over<prim::reduce_max, Keep>(abs(x), axes);
  } else if constexpr (std::is_same_v<Order, linalg::minus_inf_t>) {
    return extremum_over<prim::reduce_min, Keep>(abs(x), axes);
  } else if constexpr (std::is_same_v<Order, linalg::ord_t<0>>) {
    return summed_over<Keep>(astype<strong_t<real_part_t<typename X::dtype_type>>>(not_equal(x, 0)), axes);
  } else if constexpr (std::is_same_v<Order, linalg::ord_t<1>>) {
    return summed_over<Keep>(abs(x), axes);
  } else {
    return general_norm<Keep>(x, axes, Order{});
  }
}
template <bool Keep, class X, class Axes, auto P>
constexpr auto general_norm(X const& x, Axes axes, linalg::ord_t<P>) {
  using type = strong_t<real_part_t<typename X::dtype_type>>;
  auto const powers = power(abs(x), static_cast<type>(P));
  return power(summed_over<Keep>(powers, axes), static_cast<type>(1.0 / static_cast<double>(P)));
}
template <class Order, bool Keep, int Row, int Column, class X>
constexpr auto matrix_norm_of(X const& x, axis_t<Row, Column> axes) {
  constexpr int row = normal_axis(Row, X::rank), column = normal_axis(Column, X::rank);
  constexpr bool max_of = std::is_same_v<Order, linalg::ord_t<1>> || std::is_same_v<Order, linalg::inf_t>;
  constexpr bool min_of = std::is_same_v<Order, linalg::ord_t<-1>> || std::is_same_v<Order, linalg::minus_inf_t>;
  if constexpr (std::is_same_v<Order, no_order> || std::is_same_v<Order, linalg::fro_t>) {
    return sqrt(summed_over<Keep>(squared_magnitude(x), axes));
  } else if constexpr (max_of || min_of) {
    constexpr bool columns = std::is_same_v<Order, linalg::ord_t<1>> || std::is_same_v<Order, linalg::ord_t<-1>>;
    auto const sums = sum(abs(x), axis<(columns ? row : column)>, keepdims);
    auto const both = extremum_over<(max_of ? prim::reduce_max : prim::reduce_min), true>(sums, axis<(columns ? column : row)>);
    if constexpr (Keep) return both;
    else return squeeze(both, axis<row, column>);
  } else {
    auto const matrices =
        moveaxis_op<normal_axis((column > row ? column - 1 : column), X::rank), X::rank - 1>{}(moveaxis_op<row, X::rank - 1>{}(x));
    auto const s = linalg::svdvals(matrices);
    auto const value = [&] {
      if constexpr (std::is_same_v<Order, linalg::ord_t<2>>) return extremum_over<prim::reduce_max, false>(s, axis<-1>);
      else if constexpr (std::is_same_v<Order, linalg::ord_t<-2>>) return extremum_over<prim::reduce_min, false>(s, axis<-1>);
      else return sum(s, axis<-1>);
    }();
    if constexpr (Keep) return expand_dims(value, axis<row, column>);
    else return value;
  }
}

template <class Indices>
struct every_axis;
template <int... I>
struct every_axis<std::integer_sequence<int, I...>> {
  using type = axis_t<I...>;
};
template <int Rank>
using all_axes = typename every_axis<std::make_integer_sequence<int, Rank>>::type;
template <class Axes>
inline constexpr int axis_count = 0;
template <int... Axes>
inline constexpr int axis_count<axis_t<Axes...>> = static_cast<int>(sizeof...(Axes));

template <class Order>
inline constexpr bool is_a_matrix_norm = true;
template <auto P>
inline constexpr bool is_a_matrix_norm<linalg::ord_t<P>> = P == 1 || P == -1 || P == 2 || P == -2;
template <class Order>
inline constexpr bool is_a_vector_norm = !std::is_same_v<Order, linalg::fro_t> && !std::is_same_v<Order, linalg::nuc_t>;

// Kind 0: by the number of axes; 1: vectors; 2: matrices.
template <int Kind, class X, class... Tags>
struct norm_form {
  using tags = norm_tags<no_order, void, false, Tags...>;
  static constexpr bool whole = std::is_void_v<typename tags::axes>;
  using axes = std::conditional_t<whole, std::conditional_t<Kind == 2, axis_t<-2, -1>, all_axes<rank_in<X>>>, typename tags::axes>;
  static constexpr bool of_vectors =
      Kind == 1 || (Kind == 0 && (axis_count<axes> == 1 || (whole && std::is_same_v<typename tags::order, no_order>)));
  static constexpr bool has_axes = of_vectors || axis_count<axes> == 2;
  static constexpr bool has_order = of_vectors ? is_a_vector_norm<typename tags::order> : is_a_matrix_norm<typename tags::order>;
};
template <int Kind, class X, class... Tags>
inline constexpr bool has_axes_of_a_norm = norm_form<Kind, X, Tags...>::has_axes;
template <int Kind, class X, class... Tags>
inline constexpr bool has_order_of_a_norm = norm_form<Kind, X, Tags...>::has_order;

template <int Kind, class... Tags>
struct norm_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return named_call<body>("norm", x);
  }

 private:
  struct body {
    template <tracer X>
    constexpr auto operator()(X const& given) const {
      using type = inexact_t<type_in<X>>;
      using tags = norm_tags<no_order, void, false, Tags...>;
      using axes = typename norm_form<Kind, X, Tags...>::axes;
      auto const x = expr_like<X, type>(as_expr<type>(given));
      if constexpr (norm_form<Kind, X, Tags...>::of_vectors) {
        return vector_norm_of<typename tags::order, tags::keep>(x, axes{});
      } else {
        return matrix_norm_of<typename tags::order, tags::keep>(x, axes{});
      }
    }
  };
};
template <class Order>
struct cond_of_matrix {
  template <class T, int M, int N>
  constexpr expr<real_part_t<T>> operator()(expr<T, M, N> const& a) const {
    if constexpr (std::is_same_v<Order, linalg::ord_t<2>> || std::is_same_v<Order, linalg::ord_t<-2>>) {
      auto const s = svd_of<svd_form::values>{}(a);
      constexpr int last = (M < N ? M : N) - 1;
      if constexpr (std::is_same_v<Order, linalg::ord_t<2>>) return divide(s(0), s(last));
      else return divide(s(last), s(0));
    } else {
      static_assert(M == N, "exprax: linalg.cond: for this order the array must be square");
      auto const inverse = solve_body{}(a, expr<T, N, N>(exprax::eye<T, N>()));
      auto const both = multiply(matrix_norm_of<Order, false>(a, axis<0, 1>), matrix_norm_of<Order, false>(inverse, axis<0, 1>));
      auto const only_here = logical_and(isnan(both), logical_not(any(isnan(a))));
      return where(only_here, std::numeric_limits<strong_t<real_part_t<T>>>::infinity(), both);
    }
  }
};

}  // namespace detail

namespace linalg {

// Without an order and axes the square root of the sum of all squares; along one axis the norm of vectors, along two of matrices. The
// named axes vanish, or stay as 1 with keepdims. Real; integers become float32 (x64: float64). Refused: an order with neither one nor two
// axes (jax.numpy.linalg.norm).
inline constexpr struct norm_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("linalg::norm", "axis<...>, keepdims, ord<p>, inf, minus_inf, fro, nuc", Tags...) {
      constexpr bool has_axes = detail::has_axes_of_a_norm<0, X, Tags...>;
      static_assert(has_axes, "exprax: linalg.norm: improper number of axes: one axis for a vector norm, or two axes for a matrix norm");
      static_assert(!has_axes || detail::has_order_of_a_norm<0, X, Tags...>,
                    "exprax: linalg.norm: invalid order: of vectors it is a number, inf or minus_inf; of matrices 1, -1, 2, -2, inf, "
                    "minus_inf, fro or nuc");
      if constexpr (has_axes && detail::has_order_of_a_norm<0, X, Tags...>) return detail::apply<detail::norm_op<0, Tags...>>(x);
      else return x;  // after the error: nothing that leads to others
    } else {
      return x;
    }
  }
} norm{};
// The norm of all elements as one vector, or along axis<...>. Shape and dtype as of norm; ord<2> if no order is given
// (jax.numpy.linalg.vector_norm).
inline constexpr struct vector_norm_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("linalg::vector_norm", "axis<...>, keepdims, ord<p>, inf, minus_inf", Tags...)
    return detail::apply<detail::norm_op<1, Tags...>>(x);
    else return x;
  }
} vector_norm{};
// The norm of the matrices in the last two axes: [..., m, n] -> [...]; fro if no order is given. Real; integers become float32 (x64:
// float64). Refused: fewer than two axes (jax.numpy.linalg.matrix_norm).
inline constexpr struct matrix_norm_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("linalg::matrix_norm", "keepdims, ord<p>, inf, minus_inf, fro, nuc", Tags...) {
      static_assert(detail::is_a_matrix<X>, "exprax: linalg.matrix_norm: the argument must be at least 2D");
      static_assert(detail::has_order_of_a_norm<2, X, Tags...>,
                    "exprax: linalg.matrix_norm: invalid order: it is 1, -1, 2, -2, inf, minus_inf, fro or nuc");
      if constexpr (detail::is_a_matrix<X> && detail::has_order_of_a_norm<2, X, Tags...>)
        return detail::apply<detail::norm_op<2, Tags...>>(x);
      else return x;  // after the error: nothing that leads to others
    } else {
      return x;
    }
  }
} matrix_norm{};
// The condition number of matrices: the largest singular value by the smallest; or |a| |a^-1| in the norm of another order. [..., m, n] ->
// [...], real. Refused: fewer than two axes, no elements, for another order than 2 and -2 matrices that are not square
// (jax.numpy.linalg.cond).
inline constexpr struct cond_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& a, Tags...) const {
    EXPRAX_TAKES("linalg::cond", "ord<p>, inf, minus_inf, fro, nuc", Tags...) {
      using order = typename detail::norm_tags<ord_t<2>, void, false, Tags...>::order;
      static_assert(detail::is_a_matrix<X> && detail::aval_in<X>.size() > 0,
                    "exprax: linalg.cond: input array must be at least 2D, and not empty");
      static_assert(detail::is_a_matrix_norm<order>, "exprax: linalg.cond: invalid order: it is 1, -1, 2, -2, inf, minus_inf, fro or nuc");
      if constexpr (detail::is_a_matrix_norm<order>) return detail::apply<detail::each_matrix_op<detail::cond_of_matrix<order>>>(a);
      else return a;
    } else {
      return a;
    }
  }
} cond{};

}  // namespace linalg

}  // namespace exprax
