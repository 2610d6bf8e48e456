// SPDX-License-Identifier: BSL-1.0
// More ways to join arrays (jax.numpy): atleast_1d/2d/3d, broadcast_arrays, column_stack, dstack, block.
#pragma once

#include <exprax/numpy/shape/joining.hpp>
#include <exprax/numpy/shape/rolling.hpp>

namespace exprax {

namespace detail {

template <operand X>
constexpr auto at_least_3d(X const& x) {
  if constexpr (rank_in<X> == 0) return expanded<0, 1, 2>(as_traced(x));
  else if constexpr (rank_in<X> == 1) return expanded<0, 2>(as_traced(x));
  else if constexpr (rank_in<X> == 2) return expanded<2>(as_traced(x));
  else return expr_type<X>(as_traced(x));
}
template <int Rank>
struct atleast_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    if constexpr (Rank == 1) return at_least_1d(x);
    else if constexpr (Rank == 2) return at_least_2d(x);
    else return at_least_3d(x);
  }
};
struct broadcast_arrays_op {
  template <operand... X>
  constexpr auto operator()(X const&... x) const {
    using shape = common_shape<X...>;
    return std::tuple{expr_from<shaped_as<shape, X>>(broadcast_shape<shape>(as_traced(x)))...};
  }
};
// Vectors become columns.
template <operand X>
constexpr auto as_columns(X const& x) {
  if constexpr (rank_in<X> < 2) return expanded<1>(at_least_1d(x));
  else return expr_type<X>(as_traced(x));
}
template <class... X>
inline constexpr bool stacks_as_columns = joins<1, decltype(as_columns(std::declval<to_expr_t<X>>()))...>;
template <class... X>
inline constexpr bool stacks_in_depth = joins<2, decltype(at_least_3d(std::declval<to_expr_t<X>>()))...>;

struct column_stack_op {
  template <operand... X>
  constexpr auto operator()(X const&... x) const {
    auto const parts = std::tuple{as_columns(x)...};
    return std::apply([](auto const&... p) { return joined<1>(p...); }, parts);
  }
};
struct dstack_op {
  template <operand... X>
  constexpr auto operator()(X const&... x) const {
    auto const parts = std::tuple{at_least_3d(x)...};
    return std::apply([](auto const&... p) { return joined<2>(p...); }, parts);
  }
};

// A nest of tuples: the innermost ones are joined along the last axis, those around them along the one before, ...
template <class B>
inline constexpr int block_depth = 0;
template <class First, class... Rest>
inline constexpr int block_depth<std::tuple<First, Rest...>> = 1 + block_depth<std::remove_cvref_t<First>>;
template <class B>
inline constexpr int block_rank = rank_in<B>;
template <class... X>
inline constexpr int block_rank<std::tuple<X...>> = [] {
  int most = 0;
  ((most = block_rank<std::remove_cvref_t<X>> > most ? block_rank<std::remove_cvref_t<X>> : most), ...);
  return most;
}();
template <int Rank, operand X>
constexpr auto block_of(X const& x) {
  return expr_from<at_rank<Rank, expr_type<X>>>(to_rank<Rank>(as_traced(x)));
}
template <int Rank, class... X>
constexpr auto block_of(std::tuple<X...> const& nest) {
  return std::apply(
      [](auto const&... part) {
        auto const parts = std::tuple{block_of<Rank>(part)...};
        return std::apply([](auto const&... p) { return joined<Rank - block_depth<std::tuple<X...>>>(p...); }, parts);
      },
      nest);
}
struct block_op {
  template <class Nest>
  constexpr auto operator()(Nest const& nest) const {
    constexpr int depth = block_depth<Nest>, rank = block_rank<Nest>;
    return block_of<(depth > rank ? depth : rank)>(nest);
  }
};
template <class X>
inline constexpr bool holds_arrays = stored<X>;
template <class... X>
inline constexpr bool holds_arrays<std::tuple<X...>> = (holds_arrays<std::remove_cvref_t<X>> || ...);

// Conditions of static_asserts: compilers print the types.
template <class... X>
inline constexpr bool are_columns = ((rank_in<X> <= 2) && ...);

}  // namespace detail

// atleast_1d(x), atleast_2d(x), atleast_3d(x): with at least that many axes (jax.numpy). New axes of 1 go before the others; those of
// atleast_3d on both sides of a vector's, behind a matrix's: [n] -> [1, n, 1], [n, m] -> [n, m, 1].
inline constexpr struct atleast_1d_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::atleast_op<1>>(x);
  }
} atleast_1d{};
inline constexpr struct atleast_2d_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::atleast_op<2>>(x);
  }
} atleast_2d{};
inline constexpr struct atleast_3d_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::atleast_op<3>>(x);
  }
} atleast_3d{};
// A tuple of the arrays in the shape in which they meet, each in its dtype (jax.numpy.broadcast_arrays). Shapes that do not broadcast are
// refused.
inline constexpr struct broadcast_arrays_function {
  template <array_like... X>
  constexpr auto operator()(X const&... x) const {
    static_assert(detail::broadcasts<X...>, EXPRAX_SHAPES("broadcast_arrays"));
    return detail::apply<detail::broadcast_arrays_op>(x...);
  }
} broadcast_arrays{};
// column_stack(x, y, ...), column_stack(tuple(x, y)): joined along axis 1, vectors as columns (jax.numpy.column_stack). Dtypes are
// promoted; arrays of more than two axes are refused.
inline constexpr struct column_stack_function {
  template <array_like... X>
  constexpr auto operator()(X const&... x) const {
    static_assert(detail::are_columns<X...>, "exprax: column_stack: only vectors and matrices are columns");
    if constexpr (detail::are_columns<X...>) {
      static_assert(detail::stacks_as_columns<X...>, "exprax: column_stack: the columns must have one length");
      if constexpr (detail::stacks_as_columns<X...>) return detail::apply<detail::column_stack_op>(x...);
      else return 0;  // after the error: nothing that leads to others
    } else {
      return 0;
    }
  }
  template <array_like... X>
  constexpr auto operator()(std::tuple<X...> const& x) const {
    return std::apply(*this, x);
  }
} column_stack{};
// dstack(x, y, ...), dstack(tuple(x, y)): joined along the third axis, after atleast_3d (jax.numpy.dstack). Dtypes are promoted. Refused:
// shapes that differ along another axis.
inline constexpr struct dstack_function {
  template <array_like... X>
  constexpr auto operator()(X const&... x) const {
    static_assert(detail::stacks_in_depth<X...>, "exprax: dstack: the shapes must be equal but for the third axis");
    if constexpr (detail::stacks_in_depth<X...>) return detail::apply<detail::dstack_op>(x...);
    else return 0;  // after the error: nothing that leads to others
  }
  template <array_like... X>
  constexpr auto operator()(std::tuple<X...> const& x) const {
    return std::apply(*this, x);
  }
} dstack{};
// block(tuple(tuple(a, b), tuple(c, d))): a matrix of matrices (jax.numpy.block). The innermost tuples are joined along the last axis,
// those around them along the one before. Dtypes are promoted.
inline constexpr struct block_function {
  template <class... X>
  constexpr auto operator()(std::tuple<X...> const& nest) const {
    if constexpr (detail::holds_arrays<std::tuple<X...>>) return jit(detail::block_op{})(nest);
    else return detail::block_op{}(nest);
  }
} block{};

}  // namespace exprax
