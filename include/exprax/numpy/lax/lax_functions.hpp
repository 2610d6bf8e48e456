// SPDX-License-Identifier: BSL-1.0
// What jax.lax has besides operations: batch_matmul, ragged_dot, mulhi, scatter_sub, scatter_apply, approx_max_k, split by sizes; cumsum,
// cumprod, argmax and argmin as lax has them; and in ex::lax the names that mean the same in ex.
#pragma once

#include <exprax/api/control/cond.hpp>
#include <exprax/api/control/fori_loop.hpp>
#include <exprax/api/control/map.hpp>
#include <exprax/api/control/switch.hpp>
#include <exprax/api/control/while_loop.hpp>
#include <exprax/numpy/collectives/all_gather.hpp>
#include <exprax/numpy/collectives/ppermute.hpp>
#include <exprax/numpy/core/bind_several.hpp>
#include <exprax/numpy/functional/associative_scan.hpp>
#include <exprax/numpy/indexing/dynamic_in_dim.hpp>
#include <exprax/numpy/indexing/gather.hpp>
#include <exprax/numpy/indexing/take.hpp>
#include <exprax/numpy/lax/lax.hpp>
#include <exprax/numpy/products/matmul.hpp>
#include <exprax/numpy/reductions/argument_extrema.hpp>
#include <exprax/numpy/reductions/cumulative.hpp>
#include <exprax/numpy/shape/rolling.hpp>
#include <exprax/numpy/sorting/sorting.hpp>

namespace exprax {

namespace detail {

template <int Rank>
struct batch_axes {
  static constexpr dot_axes value = [] {
    dot_axes d;
    if (Rank >= 2) d.contract(Rank - 1, Rank - 2);
    for (int i = 0; i < Rank - 2; ++i) d.batch(i, i);
    return d;
  }();
};
struct batch_matmul_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    return record_dot<batch_axes<rank_in<A>>>(as_traced(a), as_traced(b));
  }
};
template <class A, class B>
inline constexpr bool are_batches_of_matrices = [] {
  if (rank_in<A> < 2 || rank_in<A> != rank_in<B>) return false;
  for (int i = 0; i < rank_in<A> - 2; ++i)
    if (aval_in<A>.dims[i] != aval_in<B>.dims[i]) return false;
  return aval_in<A>.dims[rank_in<A> - 1] == aval_in<B>.dims[rank_in<A> > 1 ? rank_in<A> - 2 : 0];
}();

// Rows of a times the matrix of the group that they are in. Row i is in the first group whose sizes, added up, are more than i.
struct ragged_axes {
  static constexpr dot_axes value = [] {
    dot_axes d;
    d.contract(0, 0);
    d.contract(2, 1);
    return d;
  }();
};
struct ragged_dot_op {
  template <operand A, operand B, operand S>
  constexpr auto operator()(A const& a, B const& b, S const& sizes) const {
    constexpr int groups = aval_in<B>.dims[0], rows = aval_in<A>.dims[0], inner = aval_in<A>.dims[1];
    auto const ends = cumsum(as_traced(sizes));
    auto const starts = ends - as_traced(sizes);
    auto const row = broadcasted_iota<strong_t<type_in<S>>, 1, groups, rows>();
    auto const first = expand_dims(starts, axis<1>), last = expand_dims(ends, axis<1>);
    auto const inside = (row >= first) & (row < last);
    using type = type_in<A>;
    auto const each = where(expand_dims(inside, axis<2>), broadcast_shape<shape_value<groups, rows, inner>>(as_traced(a)), literal<type>(strong_t<type>(0)));
    return record_dot<ragged_axes>(each, as_traced(b));
  }
};

// The upper half of a product with twice the bits.
struct mulhi_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = strong_t<promote_t<type_in<A>, type_in<B>>>;
    constexpr bool is_signed = is_signed_integer(dtype_of<type>);
    constexpr int bits = 8 * size_of(dtype_of<type>);
    auto const x = as_expr<type>(a);
    auto const y = as_expr<type>(b);
    if constexpr (bits < 64) {
      using wide = std::conditional_t<is_signed, std::int64_t, std::uint64_t>;
      return as_expr<type>(shifted<wide, bits>(multiply(as_expr<wide>(x), as_expr<wide>(y))));
    } else {
      using word = std::uint64_t;
      auto const u = as_expr<word>(x);
      auto const v = as_expr<word>(y);
      auto const low = [](auto const& t) { return bitwise_and(t, word(0xffffffff)); };
      auto const high = [](auto const& t) { return shifted<word, 32>(t); };
      auto const middle = add(multiply(high(u), low(v)), high(multiply(low(u), low(v))));
      auto const other = add(multiply(low(u), high(v)), low(middle));
      auto const product = add(add(multiply(high(u), high(v)), high(middle)), high(other));
      if constexpr (is_signed) {
        // A negative factor is 2^64 too much: that much of the other one comes off the upper half.
        auto const sign_mask = [](auto const& t) { return shifted<type, 63>(t); };
        return subtract(subtract(as_expr<type>(product), bitwise_and(sign_mask(x), y)), bitwise_and(sign_mask(y), x));
      } else {
        return product;
      }
    }
  }

 private:
  template <class T, int Bits, class X>
  static constexpr auto shifted(X const& x) {
    return right_shift(x, T(Bits));
  }
};

// How often each element is named; f goes over all elements as often as the one that is named most, and only those named count.
template <auto N, class Options, int... Update, operand X, operand I, class F>
constexpr auto scatter_applied(X const& given, I const& indices, F const& f) {
  auto const x = as_traced(given);
  using out = std::remove_const_t<decltype(x)>;
  using counts = with_dtype_t<out, std::int32_t>;
  counts const none = broadcast_shape<shape_in<out>>(literal<std::int32_t>(0));
  auto const named = scatter_op<prim::scatter_add, N, Options>{}(none, indices, broadcast_shape<shape_value<Update...>>(literal<std::int32_t>(1)));
  auto const goes_on = [](auto const& state) { return any(greater(std::get<1>(state), 0)); };
  auto const step = [f](auto const& state) {
    auto const& old = std::get<0>(state);
    auto const& left = std::get<1>(state);
    return std::tuple(out(where(greater(left, 0), cast<typename out::dtype_type>(f(old)), old)), counts(subtract(left, 1)));
  };
  return std::get<0>(while_loop(goes_on, step, std::tuple(x, counts(named))));
}
template <auto N, class F, class Options, int... Update>
struct scatter_apply_op {
  template <operand X, operand I>
  constexpr auto operator()(X const& x, I const& indices) const {
    return scatter_applied<N, Options, Update...>(x, indices, F{});
  }
};

template <int Axis, int K, bool Least>
struct approximate_top_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    if constexpr (Least) {
      auto const found = top_k<K>(negative(x), axis<Axis>);
      return std::tuple(negative(std::get<0>(found)), std::get<1>(found));
    } else {
      return top_k<K>(as_traced(x), axis<Axis>);
    }
  }
};

template <class X, int Axis, int... Sizes>
struct parts_of_sizes {
  static constexpr int axis = normal_axis(Axis, rank_in<X>);
  static constexpr bool fits = axis >= 0 && axis < rank_in<X> && ((Sizes >= 0) && ...) && (0 + ... + Sizes) == aval_in<X>.dims[axis >= 0 && axis < rank_in<X> ? axis : 0];
  template <int Size>
  struct part {
    static constexpr aval value = [] {
      aval a = aval_in<X>;
      if (fits) a.dims[axis] = Size;
      return a;
    }();
  };
};
template <int Axis, int... Sizes>
struct split_sizes_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    using to = parts_of_sizes<X, Axis, Sizes...>;
    int const params[] = {to::axis, Sizes...};
    return bind_several<expr_from<typename to::template part<Sizes>>...>(prim::split, params, {}, as_traced(x));
  }
};

// Running sums and products in the operand's own dtype.
template <prim P, class Tags>
struct own_cumulative_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return running<P, Tags>(as_traced(x));
  }
};
template <prim P, class T, int Axis>
struct typed_argument_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return as_expr<T>(argument_of<P, one_axis_tags<axis_t<Axis>>>(as_traced(x)));
  }
};

}  // namespace detail

namespace lax {

// Products of matrices, one for each index of the axes before the last two, which are the same in both: [..., n, k], [..., k, m] -> [...,
// n, m]. One dtype, which is the result's. Refused: different dtypes, leading axes or sizes k (jax.lax.batch_matmul).
template <array_like A, array_like B>
constexpr auto batch_matmul(A const& a, B const& b) {
  static_assert(detail::have_one_dtype<A, B>, "exprax: lax.batch_matmul requires arguments to have the same dtypes");
  static_assert(detail::are_batches_of_matrices<A, B>,
                "exprax: lax.batch_matmul: both arguments need the same batch dimensions, two axes or more, and contracting dimensions that are equal");
  if constexpr (detail::are_batches_of_matrices<A, B>) return detail::apply<detail::batch_matmul_op>(a, b);
  else return a;  // after the error: nothing that leads to others
}
// Row i of a [m, k] times b[g] of b [groups, k, n]: [m, n]; the first sizes[0] rows are of group 0, the next sizes[1] of group 1, ...,
// rows of no group are 0. The promoted dtype. Refused: other shapes, sizes that are not one integer for each group (jax.lax.ragged_dot).
template <array_like A, array_like B, array_like S>
constexpr auto ragged_dot(A const& a, B const& b, S const& group_sizes) {
  constexpr bool fits = detail::rank_in<A> == 2 && detail::rank_in<B> == 3 && detail::rank_in<S> == 1 && detail::aval_in<A>.dims[1] == detail::aval_in<B>.dims[1] &&
                        detail::aval_in<S>.dims[0] == detail::aval_in<B>.dims[0] && is_integer(detail::aval_in<S>.type);
  static_assert(fits, "exprax: lax.ragged_dot: takes a [m, k], b [groups, k, n] and as many integer group sizes as there are groups");
  if constexpr (fits) return detail::apply<detail::ragged_dot_op>(a, b, group_sizes);
  else return a;
}
// The upper half of the bits of a product of integers. Shapes broadcast; both have one dtype, which is the result's. Refused: other dtypes
// (jax.lax.mulhi).
template <array_like A, array_like B>
constexpr auto mulhi(A const& a, B const& b) {
  static_assert(detail::have_one_dtype<A, B> && is_integer(detail::aval_in<A>.type), "exprax: lax.mulhi requires integers of the same dtype");
  return detail::apply<detail::mulhi_op>(a, b);
}
// x less the updates at the windows that they name; shape, dtype, options and errors as of scatter_add (jax.lax.scatter_sub).
template <scatter_dimension_numbers N, array_like X, array_like I, array_like U, class... Options>
constexpr auto scatter_sub(X const& x, I const& indices, U const& update, Options const&... options) {
  EXPRAX_TAKES("lax::scatter_sub", "mode_..., indices_are_sorted, unique_indices", Options...) return exprax::scatter_add<N>(x, indices, negative(update), options...);
  else return x;
}
// x with f, a function of a scalar, of each element that an update of shape Update... would reach, once for each time it does:
// scatter_apply<numbers, 3>(x, indices, f). Shape and dtype of x. On arrays f has no captures. Refused: indices that are not integers,
// numbers that do not fit (jax.lax.scatter_apply).
template <scatter_dimension_numbers N, int... Update, array_like X, array_like I, class F, class... Options>
constexpr auto scatter_apply(X const& x, I const& indices, F const& f, Options const&...) {
  EXPRAX_TAKES("lax::scatter_apply", "mode_..., indices_are_sorted, unique_indices", Options...) {
    using update = array<std::int32_t, Update...>;
    constexpr bool fits = detail::scatters<N, prim::scatter_add, X, I, update>;
    static_assert(detail::are_of_integers<I>, "exprax: scatter_apply: the indices must be integers, an index vector along the last axis");
    static_assert(fits, "exprax: scatter_apply: the dimension numbers do not fit the shapes of operand, indices and update");
    using options = detail::index_options<Options...>;
    if constexpr (!fits) return x;
    else if constexpr (detail::is_stateless<F>) return detail::apply<detail::scatter_apply_op<N, F, options, Update...>>(x, indices);
    else return detail::scatter_applied<N, options, Update...>(detail::as_operand(x), detail::as_operand(indices), f);
  } else {
    return x;
  }
}
// (values, indices) of the K largest (approx_max_k) or least (approx_min_k) along axis<k> (the last one), found exactly: [..., n] -> [...,
// K], dtype of x and int32. Refused as in top_k (jax.lax.approx_max_k, approx_min_k).
template <int K, array_like X, int Axis = -1>
constexpr auto approx_max_k(X const& x, axis_t<Axis> = {}) {
  return detail::apply<detail::approximate_top_op<Axis, K, false>>(x);
}
template <int K, array_like X, int Axis = -1>
constexpr auto approx_min_k(X const& x, axis_t<Axis> = {}) {
  return detail::apply<detail::approximate_top_op<Axis, K, true>>(x);
}
// split<2, 3>(x, axis<0>): consecutive parts of these sizes, a tuple; dtype of x. Refused: sizes that do not add up to that of the axis
// (jax.lax.split).
template <int... Sizes, array_like X, int Axis = 0>
constexpr auto split(X const& x, axis_t<Axis> = {}) {
  static_assert(detail::parts_of_sizes<X, Axis, Sizes...>::fits, "exprax: lax.split: the sizes must not be negative and add up to the size of the axis");
  if constexpr (detail::parts_of_sizes<X, Axis, Sizes...>::fits) return detail::apply<detail::split_sizes_op<Axis, Sizes...>>(x);
  else return std::tuple(x);
}
// Running sums (cumsum) and products (cumprod) along axis<k> (0); reverse: from the end. Shape and dtype of x. Refused: an axis out of
// range (jax.lax.cumsum, cumprod).
template <array_like X, class... Tags>
constexpr auto cumsum(X const& x, Tags...) {
  EXPRAX_TAKES("lax::cumsum", "axis<k>, reverse", Tags...) {
    static_assert(detail::goes_along_an_axis<X, Tags...>, "exprax: lax.cumsum: the axis is out of range for the array");
    return detail::apply<detail::own_cumulative_op<prim::cumsum, detail::running_tags<Tags...>>>(x);
  } else {
    return x;
  }
}
template <array_like X, class... Tags>
constexpr auto cumprod(X const& x, Tags...) {
  EXPRAX_TAKES("lax::cumprod", "axis<k>, reverse", Tags...) {
    static_assert(detail::goes_along_an_axis<X, Tags...>, "exprax: lax.cumprod: the axis is out of range for the array");
    return detail::apply<detail::own_cumulative_op<prim::cumprod, detail::running_tags<Tags...>>>(x);
  } else {
    return x;
  }
}
// The index of the first largest (argmax) or smallest (argmin) element, or of the first NaN: argmax<std::int64_t>(x, axis<0>): [..., n,
// ...] -> [...] of this dtype. Refused: an index dtype that is not an integer (jax.lax.argmax, argmin).
template <class Index, array_like X, int Axis>
constexpr auto argmax(X const& x, axis_t<Axis>) {
  static_assert(is_integer(dtype_of<Index>), "exprax: lax.argmax: index_dtype must be an integer dtype");
  return detail::apply<detail::typed_argument_op<prim::argmax, canonical_t<Index>, Axis>>(x);
}
template <class Index, array_like X, int Axis>
constexpr auto argmin(X const& x, axis_t<Axis>) {
  static_assert(is_integer(dtype_of<Index>), "exprax: lax.argmin: index_dtype must be an integer dtype");
  return detail::apply<detail::typed_argument_op<prim::argmin, canonical_t<Index>, Axis>>(x);
}
// Its operand, or tree of operands: nothing here moves across (jax.lax.optimization_barrier).
template <class X>
constexpr X optimization_barrier(X const& x) {
  return x;
}
// New leading axes of size 1, up to R in all; dtype of x. Refused: R below the rank (jax.lax.broadcast_to_rank).
template <int R, array_like X>
constexpr auto broadcast_to_rank(X const& x) {
  static_assert(R >= detail::rank_in<X>, "exprax: lax.broadcast_to_rank: the rank must not be less than that of the array");
  return [&]<int... I>(std::integer_sequence<int, I...>) { return exprax::expand_dims(x, axis<I...>); }(std::make_integer_sequence<int, R - detail::rank_in<X>>{});
}

using exprax::all_gather;
using exprax::all_to_all;
using exprax::associative_scan;
using exprax::axis_index;
using exprax::cond;
using exprax::conj;
using exprax::cumlogsumexp;
using exprax::cummax;
using exprax::cummin;
using exprax::dynamic_index_in_dim;
using exprax::dynamic_slice_in_dim;
using exprax::dynamic_update_index_in_dim;
using exprax::dynamic_update_slice_in_dim;
using exprax::fori_loop;
using exprax::gather;
using exprax::imag;
using exprax::index_in_dim;
using exprax::index_take;
using exprax::map;
using exprax::pmax;
using exprax::pmean;
using exprax::pmin;
using exprax::ppermute;
using exprax::pshuffle;
using exprax::psum;
using exprax::pswapaxes;
using exprax::real;
using exprax::scan;
using exprax::scatter;
using exprax::scatter_add;
using exprax::scatter_max;
using exprax::scatter_min;
using exprax::scatter_mul;
using exprax::slice_in_dim;
using exprax::switch_;
using exprax::tile;
using exprax::while_loop;

}  // namespace lax

}  // namespace exprax
