// SPDX-License-Identifier: BSL-1.0
// repeat (jax.numpy.repeat): repeat<n>(x, axis<k>) repeats each element n times, repeat<total>(x, counts, axis<k>) element i of the axis
// counts[i] times, until there are `total`: the last one is repeated where the counts give fewer. Without an axis of the flattened array.
#pragma once

#include <exprax/numpy/indexing/take.hpp>
#include <exprax/numpy/reductions/cumulative.hpp>

namespace exprax {

namespace detail {

// The shape of X with a new axis of N behind Axis, and with Axis N times as large.
template <class X, int Axis, int N>
struct repeated_shape {
  static constexpr aval value = aval(aval_in<X>).with_axis(Axis + 1, N);
  static constexpr param_list params = [] {
    param_list l;
    for (int i = 0; i < value.rank; ++i) l.push(value.dims[i]);
    for (int i = 0; i < value.rank; ++i)
      if (i != Axis + 1) l.push(i);
    return l;
  }();
};
template <int N, class Options>
struct repeat_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    auto const array = as_traced(x);
    if constexpr (Options::has_axis) return along<normal_axis(Options::axis, rank_in<X>)>(array);
    else return along<0>(reshaped<-1>(array));
  }

 private:
  template <int Axis, class X>
  static constexpr auto along(X const& x) {
    using between = repeated_shape<X, Axis, N>;
    handle const wide = expr_access::get(detail::bind<expr_from<between>>(prim::broadcast_in_dim, between::params, x));
    using out = expr_from<resized_shape<X, Axis, X::type.dims[Axis] * N>>;
    return expr_access::make<out>(untyped::reshape(wide, {out::type.dims, out::rank}));
  }
};
// The counts say where each element begins; the running sum of the beginnings is the element of each place.
template <int Total, class Options>
struct repeat_counts_op {
  template <operand X, operand C>
  constexpr auto operator()(X const& x, C const& counts) const {
    auto const array = as_traced(x);
    if constexpr (Options::has_axis) return along<normal_axis(Options::axis, rank_in<X>)>(array, as_traced(counts));
    else return along<0>(reshaped<-1>(array), as_traced(counts));
  }

 private:
  template <int Axis, class X, class C>
  static constexpr auto along(X const& x, C const& given) {
    constexpr int n = X::type.dims[Axis];
    if constexpr (Total == 0 || n == 0) {
      using out = expr_from<resized_shape<X, Axis, n == 0 ? 0 : Total>>;
      return constant_like<out>(x, typename X::value_type{});
    } else {
      auto const counts =
          expr<strong_t<type_in<C>>, n>(convert_to<strong_t<type_in<C>>>(broadcast_shape<shape_value<n>>(reshaped<-1>(given))));
      auto const before = pad_front(counts);
      auto const begin = cumsum(before);
      auto const none = constant_like<expr<std::int32_t, Total>>(x, 0);
      auto const marks = none.at(begin).add(1);
      auto const element = subtract(cumsum(marks), 1);
      return take(x, element, axis<Axis>);
    }
  }
  // 0, and all counts but the last.
  template <class C>
  static constexpr C pad_front(C const& counts) {
    handle const all = expr_access::get(counts);
    constexpr int n = C::extent(0), zero = 0;
    aval one = C::type;
    one.dims[0] = 1;
    handle const first = untyped::broadcast_in_dim(untyped::scalar(all, typename C::value_type{}), one, {});
    if constexpr (n == 1) return expr_access::make<C>(first);
    else {
      handle const parts[] = {first, untyped::slice(all, 0, 0, n - 1)};
      return expr_access::make<C>(equation(prim::concatenate, parts, {&zero, 1}, C::type));
    }
  }
};

// Conditions of static_asserts: compilers print the types.
template <class X, class C, class Options>
inline constexpr bool has_a_count_for_each = [] {
  if constexpr (!has_taken_axis<X, Options> || !is_integer(aval_in<C>.type)) return false;
  else {
    std::ptrdiff_t const n = Options::has_axis ? aval_in<X>.dims[normal_axis(Options::axis, rank_in<X>)] : aval_in<X>.size();
    return aval_in<C>.size() == n || aval_in<C>.size() == 1;
  }
}();

}  // namespace detail

// repeat<n>(x, axis<k>): each element n times, next to each other (jax.numpy.repeat). Axis k becomes n times as large; without an axis x is
// flattened. Refused: no n, an axis out of range.
template <int N = -1, array_like X, class... Options>
constexpr auto repeat(X const& x, Options const&...) {
  EXPRAX_TAKES("repeat", "axis<k>", Options...) {
    using o = detail::index_options<Options...>;
    static_assert(N >= 0, "exprax: repeat: the number of repeats must be static: ex::repeat<n>(x), or ex::repeat<total>(x, counts)");
    static_assert(detail::has_taken_axis<X, o>, "exprax: repeat: the axis is out of range for the array");
    if constexpr (N >= 0 && detail::has_taken_axis<X, o>) return detail::apply<detail::repeat_op<N, o>>(x);
    else return x;  // after the error: nothing that leads to others
  } else {
    return x;
  }
}
// repeat<total>(x, counts, axis<k>): element i counts[i] times, cut off at total, or filled up with the last one (jax.numpy.repeat). Axis k
// gets the size total; without an axis x is flattened. Refused: no total, counts that are no integers, or neither one for each element nor
// one for all.
template <int Total = -1, array_like X, array_like C, class... Options>
constexpr auto repeat(X const& x, C const& counts, Options const&...) {
  EXPRAX_TAKES("repeat", "axis<k>", Options...) {
    using o = detail::index_options<Options...>;
    static_assert(Total >= 0,
                  "exprax: repeat: When jit-compiling jnp.repeat, the total number of repeats must be static: ex::repeat<total>(x, "
                  "counts), or ex::repeat<n>(x)");
    static_assert(detail::has_a_count_for_each<X, C, o>,
                  "exprax: repeat: the counts must be one integer for each element of the axis, or one for all");
    if constexpr (Total >= 0 && detail::has_a_count_for_each<X, C, o>) return detail::apply<detail::repeat_counts_op<Total, o>>(x, counts);
    else return x;  // after the error: nothing that leads to others
  } else {
    return x;
  }
}

}  // namespace exprax
