// SPDX-License-Identifier: BSL-1.0
// Arrays from nothing (jax.numpy): zeros, ones, full, their _like forms, arange, eye, linspace. The dtype is the first
// template argument, float if it is left out, and sizes follow: zeros<float, 64, 32>(), zeros<64, 32>(), arange<5>().
// Longer than 300 lines: many small functions.
#pragma once

#include <exprax/numpy/core/named_call.hpp>
#include <exprax/numpy/elementwise/arithmetic.hpp>
#include <exprax/numpy/shape/joining.hpp>
#include <exprax/numpy/shape/shaping.hpp>

namespace exprax {

namespace detail {

template <class T, int... Dims, class V>
constexpr expr<T, Dims...> filled(V const& value) {
  if constexpr (tracer<V>) {
    static_assert(rank_in<V> == 0, "exprax: full: the fill value must be a scalar: use broadcast_to for an array");
    return broadcast_shape<shape_value<Dims...>>(cast<T>(value));
  } else if constexpr (sizeof...(Dims) == 0) {
    return as_expr<T>(value);
  } else {
    return broadcast_shape<shape_value<Dims...>>(cast<T>(value));
  }
}

// A constant of the shape of x, recorded where x is.
template <class Out, class X>
constexpr Out constant_like(X const& x, typename Out::value_type value) {
  return broadcast_shape<shape_in<Out>>(constant<expr<typename Out::dtype_type>>(expr_access::get(x), element_patterns(value).of));
}
template <int Value, class T>
struct constant_like_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    using type = std::conditional_t<std::is_void_v<T>, type_in<X>, T>;
    return constant_like<expr_like<X, type>>(as_traced(x), static_cast<strong_t<type>>(Value));
  }
};
template <class T>
struct full_like_op {
  template <operand X, operand V>
  constexpr auto operator()(X const&, V const& value) const {
    using type = std::conditional_t<std::is_void_v<T>, type_in<X>, T>;
    static_assert(rank_in<V> == 0, "exprax: full_like: the fill value must be a scalar");
    return broadcast_shape<shape_in<X>>(as_expr<type>(value));
  }
};

// 0, 1, 2, ... along an axis (jax.lax.broadcasted_iota).
template <class T, int Axis, int... Dims>
inline constexpr int iota_params[] = {static_cast<int>(dtype_of<T>), Axis, Dims...};
template <class T, int Axis, int... Dims>
constexpr expr<T, Dims...> broadcasted_iota() {
  return detail::bind<expr<T, Dims...>>(prim::iota, iota_params<T, Axis, Dims...>);
}

// The same, recorded where x is.
template <class T, int Axis, int... Dims, tracer X>
constexpr expr<T, Dims...> broadcasted_iota_near(X const& x) {
  handle const h = resolve(expr_access::get(x));
  int const type = h.on->find_static_type(expr<T, Dims...>::type);
  return expr_access::make<expr<T, Dims...>>(h.on, h.on->record(prim::iota, {}, iota_params<T, Axis, Dims...>, {&type, 1}));
}

// The number of steps of size `step` from start up to, and without, stop.
template <class N>
constexpr int steps(N start, N stop, N step) {
  auto const exact = (static_cast<double>(stop) - static_cast<double>(start)) / static_cast<double>(step);
  if (exact <= 0) return 0;
  int const n = static_cast<int>(exact);
  return n < exact ? n + 1 : n;
}
template <class T, auto Start, auto Stop>
constexpr auto arange_from() {
  constexpr int n = steps<double>(Start, Stop, 1);
  if constexpr (Start == 0)
    return broadcasted_iota<T, 0, n>();
  else
    return detail::bind<expr<T, n>>(prim::add, {}, lit<T>{static_cast<T>(Start)}, broadcasted_iota<T, 0, n>());
}
template <class T, auto Start, auto Stop, auto Step>
constexpr auto arange_by() {
  static_assert(Step != 0, "exprax: arange: the step must not be 0");
  constexpr int n = steps<double>(Start, Stop, Step);
  auto const scaled = detail::bind<expr<T, n>>(prim::mul, {}, lit<T>{static_cast<T>(Step)}, broadcasted_iota<T, 0, n>());
  return detail::bind<expr<T, n>>(prim::add, {}, lit<T>{static_cast<T>(Start)}, scaled);
}
template <class T, auto... Range>
constexpr auto arange() {
  static_assert(sizeof...(Range) >= 1 && sizeof...(Range) <= 3, "exprax: arange<stop>, arange<start, stop> or arange<start, stop, step>");
  if constexpr (sizeof...(Range) == 1)
    return arange_from<T, 0, Range...>();
  else if constexpr (sizeof...(Range) == 2)
    return arange_from<T, Range...>();
  else
    return arange_by<T, Range...>();
}

template <class T, int N, int M, int K>
constexpr auto eye() {
  auto const row = broadcasted_iota<std::int32_t, 0, N, M>();
  auto const column = broadcasted_iota<std::int32_t, 1, N, M>();
  return cast<T>(expr<bool, N, M>(equal(add(row, K), column)));
}

// Inside of jit[name=_linspace]; both ends come out exactly.
template <class T, int N, bool Endpoint>
struct linspace_body {
  template <tracer A, tracer B>
  constexpr auto operator()(A const& start, B const& stop) const {
    static_assert(rank_in<A> == 0 && rank_in<B> == 0, "exprax: linspace: start and stop must be scalars");
    using type = inexact_t<T>;
    expr<type> const a = cast<type>(start);
    expr<type> const b = cast<type>(stop);
    if constexpr (is_integer(dtype_of<T>)) return cast<T>(floor(samples<type>(a, b)));  // down, also below 0
    else return cast<T>(samples<type>(a, b));
  }

 private:
  template <class F>
  static constexpr expr<F, N> samples(expr<F> const& a, expr<F> const& b) {
    if constexpr (N == 0) {
      return filled<F, 0>(0);
    } else if constexpr (N == 1) {
      return reshaped<1>(a);
    } else {
      constexpr int div = Endpoint ? N - 1 : N;
      auto const difference = subtract(b, a);
      divide(difference, F(div));  // JAX computes the step, and drops it
      auto const count = broadcasted_iota_near<F, 0, div>(a);
      auto const step = divide(count, F(div));
      auto const first = reshaped<1>(a);
      auto const rest = subtract(1, step);
      auto const from_first = multiply(first, rest);
      auto const last = reshaped<1>(b);
      auto const from_last = multiply(last, step);
      auto const inner = add(from_first, from_last);
      if constexpr (Endpoint)
        return joined<0>(inner, expanded<0>(b));
      else
        return inner;
    }
  }
};
template <class T, int N, bool Endpoint>
struct linspace_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& start, B const& stop) const {
    using type = std::conditional_t<std::is_void_v<T>, strong_t<inexact_t<promote_t<type_in<A>, type_in<B>>>>, T>;
    return named_call<linspace_body<type, N, Endpoint>>("_linspace", start, stop);
  }
};

}  // namespace detail

// zeros<T, 2, 3>(), ones<T, 2, 3>(): zeros or ones in the shape [2, 3] (jax.numpy.zeros, jax.numpy.ones). zeros<2, 3>() and ones<2, 3>()
// are float32. Also zeros<2, 3>(int32), and with a shape as a value: zeros(x.shape), zeros(x.shape, int32).
template <class T, int... Dims>
constexpr auto zeros() {
  return detail::created([] { return detail::filled<canonical_t<T>, Dims...>(0); });
}
template <int... Dims>
constexpr auto zeros() {
  return zeros<float, Dims...>();
}
template <int... Dims, class T>
constexpr auto zeros(dtype_t<T>) {
  return zeros<T, Dims...>();
}
template <int... Dims, class T = float>
constexpr auto zeros(shape_t<Dims...>, dtype_t<T> = {}) {
  return zeros<T, Dims...>();
}
template <class T, int... Dims>
constexpr auto ones() {
  return detail::created([] { return detail::filled<canonical_t<T>, Dims...>(1); });
}
template <int... Dims>
constexpr auto ones() {
  return ones<float, Dims...>();
}
template <int... Dims, class T>
constexpr auto ones(dtype_t<T>) {
  return ones<T, Dims...>();
}
template <int... Dims, class T = float>
constexpr auto ones(shape_t<Dims...>, dtype_t<T> = {}) {
  return ones<T, Dims...>();
}
// full<T, 2, 3>(v): the number or traced scalar v everywhere in the shape [2, 3], with dtype T (jax.numpy.full). A v with axes is refused.
template <class T, int... Dims, detail::operand V>
constexpr auto full(V const& value) {
  return detail::created([](auto const& v) { return detail::filled<canonical_t<T>, Dims...>(v); }, value);
}
// full<2, 3>(v): with the dtype of v; a C++ integer gives weak int32, a C++ floating number weak float32. full(x.shape, v), full(x.shape,
// v, int32) likewise.
template <int... Dims, detail::operand V>
constexpr auto full(V const& value) {
  return detail::created([](auto const& v) { return detail::filled<detail::type_in<V>, Dims...>(v); }, value);
}
template <int... Dims, detail::operand V>
constexpr auto full(shape_t<Dims...>, V const& value) {
  return full<Dims...>(value);
}
template <int... Dims, detail::operand V, class T>
constexpr auto full(shape_t<Dims...>, V const& value, dtype_t<T>) {
  return full<T, Dims...>(value);
}

// zeros_like(x), ones_like(x), full_like(x, v): zeros, ones or the scalar v in the shape of x (jax.numpy). The dtype is that of x, or one
// that is named: zeros_like(x, int32). A v with axes is refused.
inline constexpr struct zeros_like_function {
  template <array_like X, class T = void>
  constexpr auto operator()(X const& x, dtype_t<T> = {}) const {
    return detail::apply<detail::constant_like_op<0, canonical_t<T>>>(x);
  }
} zeros_like{};
inline constexpr struct ones_like_function {
  template <array_like X, class T = void>
  constexpr auto operator()(X const& x, dtype_t<T> = {}) const {
    return detail::apply<detail::constant_like_op<1, canonical_t<T>>>(x);
  }
} ones_like{};
inline constexpr struct full_like_function {
  template <array_like X, array_like V, class T = void>
  constexpr auto operator()(X const& x, V const& value, dtype_t<T> = {}) const {
    return detail::apply<detail::full_like_op<canonical_t<T>>>(x, value);
  }
} full_like{};

// arange<stop>(), arange<start, stop>(), arange<start, stop, step>(): start, start + step, ... before stop (jax.numpy.arange). Integers
// give int32, others float32; a dtype may stand first: arange<T, stop>(). A step of 0 is refused.
template <class T, auto... Range>
constexpr auto arange() {
  return detail::created([] { return detail::arange<canonical_t<T>, Range...>(); });
}
template <auto... Range>
  requires(sizeof...(Range) > 0)
constexpr auto arange() {
  return arange<std::conditional_t<(std::is_integral_v<decltype(Range)> && ...), default_int, default_float>, Range...>();
}
// broadcasted_iota<T, k, 2, 3>(): 0, 1, 2, ... along axis k of the shape [2, 3] (jax.lax.broadcasted_iota). iota<T, n>(): the vector [n]
// (jax.lax.iota).
template <class T, int Axis, int... Dims>
constexpr auto broadcasted_iota() {
  return detail::created([] { return detail::broadcasted_iota<canonical_t<T>, Axis, Dims...>(); });
}
template <class T, int N>
constexpr auto iota() {
  return detail::created([] { return detail::broadcasted_iota<canonical_t<T>, 0, N>(); });
}

// eye<T, N, M, K>(): ones on diagonal K of N rows and M columns of zeros (jax.numpy.eye); K > 0 is above the main diagonal.
// identity<T, N>(): the identity matrix [N, N] (jax.numpy.identity). Without T they are float32.
template <class T, int N, int M = N, int K = 0>
constexpr auto eye() {
  return detail::created([] { return detail::eye<canonical_t<T>, N, M, K>(); });
}
template <int N, int M = N, int K = 0>
constexpr auto eye() {
  return eye<float, N, M, K>();
}
template <int N, int M = N, int K = 0, class T>
constexpr auto eye(dtype_t<T>) {
  return eye<T, N, M, K>();
}
template <class T, int N>
constexpr auto identity() {
  return eye<T, N>();
}
template <int N>
constexpr auto identity() {
  return eye<N>();
}
template <int N, class T>
constexpr auto identity(dtype_t<T>) {
  return eye<T, N>();
}

// linspace<N>(start, stop): N equally spaced samples between two scalars, [N] (jax.numpy.linspace). stop is the last one, or with
// linspace<N, false> is left out. Dtype: the promoted one, integers become float32; or T, linspace<T, N>, of which integers are rounded
// down. A negative N is refused.
template <int N, bool Endpoint = true, detail::operand A, detail::operand B>
  requires(detail::rank_in<A> == 0 && detail::rank_in<B> == 0)  // between arrays: numpy/core/spaces.hpp
constexpr auto linspace(A const& start, B const& stop) {
  static_assert(N >= 0, "exprax: linspace: the number of samples must not be negative");
  return detail::created(detail::linspace_op<void, N, Endpoint>{}, start, stop);
}
template <class T, int N, bool Endpoint = true, detail::operand A, detail::operand B>
  requires(detail::rank_in<A> == 0 && detail::rank_in<B> == 0)  // between arrays: numpy/core/spaces.hpp
constexpr auto linspace(A const& start, B const& stop) {
  static_assert(N >= 0, "exprax: linspace: the number of samples must not be negative");
  return detail::created(detail::linspace_op<canonical_t<T>, N, Endpoint>{}, start, stop);
}

// Static arguments as sizes: zeros(n, ex::static_<3>) is zeros<n(), 3>().
template <detail::static_constant... Size>
  requires(sizeof...(Size) > 0)
constexpr auto zeros(Size...) {
  return zeros<Size::value...>();
}
template <detail::static_constant... Size>
  requires(sizeof...(Size) > 0)
constexpr auto ones(Size...) {
  return ones<Size::value...>();
}
template <detail::static_constant... Size>
  requires(sizeof...(Size) > 0)
constexpr auto eye(Size...) {
  return eye<Size::value...>();
}
template <detail::static_constant... Bound>
  requires(sizeof...(Bound) > 0)
constexpr auto arange(Bound...) {
  return arange<Bound::value...>();
}

}  // namespace exprax
