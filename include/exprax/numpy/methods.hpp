// SPDX-License-Identifier: BSL-1.0
// The functions behind the methods of arrays and traced values (types/methods.hpp). Numbers that are static in JAX are static_<n> here:
// x.round(static_<2>), x.trace(static_<1>).
#pragma once

#include <exprax/numpy/core/asarray.hpp>
#include <exprax/numpy/elementwise/complex.hpp>
#include <exprax/numpy/elementwise/rounding.hpp>
#include <exprax/numpy/elementwise/select.hpp>
#include <exprax/numpy/indexing/take.hpp>
#include <exprax/numpy/products/dot.hpp>
#include <exprax/numpy/reductions/argument_extrema.hpp>
#include <exprax/numpy/reductions/cumulative.hpp>
#include <exprax/numpy/reductions/reductions.hpp>
#include <exprax/numpy/shape/shaping.hpp>
#include <exprax/numpy/shape/transpose.hpp>
#include <exprax/numpy/shape/triangles.hpp>
#include <exprax/numpy/sorting/sorting.hpp>
#include <exprax/numpy/statistics/statistics.hpp>

namespace exprax::detail {

template <class Self>
inline constexpr auto const& method<"sum", Self> = exprax::sum;
template <class Self>
inline constexpr auto const& method<"prod", Self> = exprax::prod;
template <class Self>
inline constexpr auto const& method<"mean", Self> = exprax::mean;
template <class Self>
inline constexpr auto const& method<"var", Self> = exprax::var;
template <class Self>
inline constexpr auto const& method<"max", Self> = exprax::max;
template <class Self>
inline constexpr auto const& method<"min", Self> = exprax::min;
template <class Self>
inline constexpr auto const& method<"ptp", Self> = exprax::ptp;
template <class Self>
inline constexpr auto const& method<"any", Self> = exprax::any;
template <class Self>
inline constexpr auto const& method<"all", Self> = exprax::all;
template <class Self>
inline constexpr auto const& method<"argmax", Self> = exprax::argmax;
template <class Self>
inline constexpr auto const& method<"argmin", Self> = exprax::argmin;
template <class Self>
inline constexpr auto const& method<"cumsum", Self> = exprax::cumsum;
template <class Self>
inline constexpr auto const& method<"cumprod", Self> = exprax::cumprod;
template <class Self>
inline constexpr auto const& method<"sort", Self> = exprax::sort;
template <class Self>
inline constexpr auto const& method<"argsort", Self> = exprax::argsort;
template <class Self>
inline constexpr auto const& method<"ravel", Self> = exprax::ravel;
template <class Self>
inline constexpr auto const& method<"squeeze", Self> = exprax::squeeze;
template <class Self>
inline constexpr auto const& method<"transpose", Self> = exprax::transpose;
template <class Self>
inline constexpr auto const& method<"clip", Self> = exprax::clip;
template <class Self>
inline constexpr auto const& method<"conj", Self> = exprax::conj;
template <class Self>
inline constexpr auto const& method<"conjugate", Self> = exprax::conjugate;
template <class Self>
inline constexpr auto const& method<"real", Self> = exprax::real;
template <class Self>
inline constexpr auto const& method<"imag", Self> = exprax::imag;
template <class Self>
inline constexpr auto const& method<"dot", Self> = exprax::dot;
template <class Self>
inline constexpr auto const& method<"take", Self> = exprax::take;
template <class Self>
inline constexpr auto const& method<"std", Self> = exprax::std;
template <class Self>
inline constexpr auto const& method<"flatten", Self> = exprax::ravel;
template <class Self>
inline constexpr auto const& method<"T", Self> = exprax::transpose;
template <class Self>
inline constexpr auto method<"mT", Self> = [](auto const& x) { return swapaxes<-1, -2>(x); };

struct round_method {
  template <class X, int N = 0>
  constexpr auto operator()(X const& x, decimals_t<N> n = {}) const {
    return exprax::round(x, n);
  }
  template <class X, int N>
  constexpr auto operator()(X const& x, static_t<N>) const {
    return exprax::round(x, decimals<N>);
  }
};
template <class Self>
inline constexpr round_method method<"round", Self>{};

struct astype_method {
  template <class X, class T>
  constexpr auto operator()(X const& x, dtype_t<T>) const {
    return exprax::astype<T>(x);
  }
};
template <class Self>
inline constexpr astype_method method<"astype", Self>{};

template <class... Size>
inline constexpr bool is_one_shape = false;
struct reshape_method {
  template <class X, int... Sizes>
  constexpr auto operator()(X const& x, shape_t<Sizes...>) const {
    return exprax::reshape<Sizes...>(x);
  }
  template <class X, int... Sizes>
  constexpr auto operator()(X const& x, shape_t<>, shape_t<Sizes...>) const {
    return exprax::reshape<Sizes...>(x);
  }
  template <class X, class... Size>
  constexpr auto operator()(X const& x, shape_t<>, Size const&...) const {
    static_assert(is_one_shape<Size...>, "exprax: reshape: sizes are part of types: write x.reshape(ex::shape<2, 3>)");
    return x;
  }
};
template <class Self>
inline constexpr reshape_method method<"reshape", Self>{};

struct swapaxes_method {
  template <class X, int A, int B>
  constexpr auto operator()(X const& x, axis_t<A, B>) const {
    return exprax::swapaxes<A, B>(x);
  }
  template <class X, int A, int B>
  constexpr auto operator()(X const& x, static_t<A>, static_t<B>) const {
    return exprax::swapaxes<A, B>(x);
  }
};
template <class Self>
inline constexpr swapaxes_method method<"swapaxes", Self>{};

// Of the diagonal with that offset, and of axes.
struct diagonal_method {
  template <class X, int K = 0, class Axes = axis_t<0, 1>>
  constexpr auto operator()(X const& x, static_t<K> = {}, Axes axes = {}) const {
    return exprax::diagonal<K>(x, axes);
  }
  template <class X, int A, int B>
  constexpr auto operator()(X const& x, axis_t<A, B> axes) const {
    return exprax::diagonal(x, axes);
  }
};
template <class Self>
inline constexpr diagonal_method method<"diagonal", Self>{};
struct trace_method {
  template <class X, int K = 0, class Axes = axis_t<0, 1>>
  constexpr auto operator()(X const& x, static_t<K> = {}, Axes axes = {}) const {
    return exprax::trace<K>(x, axes);
  }
  template <class X, int A, int B>
  constexpr auto operator()(X const& x, axis_t<A, B> axes) const {
    return exprax::trace(x, axes);
  }
};
template <class Self>
inline constexpr trace_method method<"trace", Self>{};

struct item_method {
  template <class X>
  constexpr auto operator()(X const& x) const {
    static_assert(X::size() == 1, "exprax: item: can only convert an array of size 1 to a scalar: index it first");
    static_assert(!is_plain_expr<X>,
                  "exprax: item: a traced value depends on an argument of the traced function and has no value while tracing. A value with "
                  "one element is a scalar in exprax as well: use x(0), or ex::reshape<>(x)");
    if constexpr (is_plain_expr<X>) return typename X::value_type{};
    else return typename X::value_type(*x.data());
  }
};
template <class Self>
inline constexpr item_method method<"item", Self>{};

}  // namespace exprax::detail
