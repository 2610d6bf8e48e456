// SPDX-License-Identifier: BSL-1.0
// Samples between two bounds (jax.numpy): logspace and geomspace of scalars; linspace and logspace of arrays, linspace<n>(start, stop,
// axis<k>), whose shapes broadcast; the samples go along a new axis, 0 if none is given.
#pragma once

#include <exprax/numpy/core/creation.hpp>
#include <exprax/numpy/core/named_call.hpp>
#include <exprax/numpy/core/operators.hpp>
#include <exprax/numpy/elementwise/division.hpp>
#include <exprax/numpy/elementwise/rounding.hpp>
#include <exprax/numpy/elementwise/transcendental.hpp>

namespace exprax {

namespace detail {

template <class T, int N, bool Endpoint, int Axis>
struct linspace_of_arrays_body {
  template <tracer A, tracer B>
  constexpr auto operator()(A const& start, B const& stop) const {
    using type = strong_t<inexact_t<T>>;
    using bounds = typename binary_result<type, A, B>::type;
    constexpr int rank = bounds::rank + 1, axis = normal_axis(Axis, rank);
    auto const first = expanded<axis>(bounds(broadcast_shape<shape_in<bounds>>(as_expr<type>(start))));
    auto const last = expanded<axis>(bounds(broadcast_shape<shape_in<bounds>>(as_expr<type>(stop))));
    if constexpr (N == 1) return result(first);
    else if constexpr (Endpoint) return result(joined<axis>(inner<N - 1, axis>(first, last), last));
    else return result(inner<N, axis>(first, last));
  }

 private:
  template <int Div, int At, class E>
  static constexpr auto inner(E const& first, E const& last) {
    using type = typename E::dtype_type;
    using part = real_part_t<type>;
    auto const row = broadcasted_iota_near<part, 0, Div>(first) / part(Div);
    auto const step = [&]<int... I>(std::integer_sequence<int, I...>) { return as_expr<type>(reshaped<(I == At ? Div : 1)...>(row)); }
    (std::make_integer_sequence<int, E::rank>{});
    return first * (type(1) - step) + last * step;
  }
  template <class E>
  static constexpr auto result(E const& samples) {
    if constexpr (is_integer(dtype_of<T>)) return as_expr<T>(floor(samples));
    else return as_expr<T>(samples);
  }
};
template <class T, int N, bool Endpoint, int Axis>
struct linspace_of_arrays_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& start, B const& stop) const {
    using type = std::conditional_t<std::is_void_v<T>, strong_t<inexact_t<promote_t<type_in<A>, type_in<B>>>>, T>;
    return named_call<linspace_of_arrays_body<type, N, Endpoint, Axis>>("_linspace", start, stop);
  }
};
template <class T, int N, bool Endpoint, int Axis>
struct logspace_of_arrays_op {
  template <operand A, operand B, operand Base>
  constexpr auto operator()(A const& start, B const& stop, Base const& base) const {
    using type = std::conditional_t<std::is_void_v<T>, strong_t<inexact_t<promote_t<type_in<A>, type_in<B>>>>, T>;
    return as_expr<type>(power(as_expr<strong_t<inexact_t<type>>>(base),
                               linspace_of_arrays_op<strong_t<inexact_t<type>>, N, Endpoint, Axis>{}(start, stop)));
  }
};

template <class T, int N, bool Endpoint>
struct logspace_body {
  template <tracer A, tracer B, tracer Base>
  constexpr auto operator()(A const& start, B const& stop, Base const& base) const {
    using type = strong_t<inexact_t<T>>;
    expr<type> const a = cast<type>(start);
    expr<type> const b = cast<type>(stop);
    auto const exponents = linspace_op<type, N, Endpoint>{}(a, b);
    auto const powers = power(base, exponents);
    return expr<T, N>(cast<T>(powers));
  }
};
template <class T, int N, bool Endpoint>
struct logspace_op {
  template <operand A, operand B, operand Base>
  constexpr auto operator()(A const& start, B const& stop, Base const& base) const {
    using type = std::conditional_t<std::is_void_v<T>, strong_t<inexact_t<promote_t<type_in<A>, type_in<B>>>>, T>;
    return named_call<logspace_body<type, N, Endpoint>>("_logspace", start, stop, base);
  }
};
template <class T, int N, bool Endpoint>
struct geomspace_body {
  template <tracer A, tracer B>
  constexpr auto operator()(A const& start, B const& stop) const {
    using type = strong_t<inexact_t<T>>;
    expr<type> const a = cast<type>(start);
    expr<type> const b = cast<type>(stop);
    expr<type> const side = record_unary<prim::sign>(a);
    auto const from = divide(log(divide(a, side)), 2.302585092994045684);
    auto const to = divide(log(divide(b, side)), 2.302585092994045684);
    auto const points = logspace_op<type, N, Endpoint>{}(expr<type>(from), expr<type>(to), 10.0f);
    auto const result = multiply(side, points);
    return expr<T, N>(cast<T>(result));
  }
};
template <class T, int N, bool Endpoint>
struct geomspace_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& start, B const& stop) const {
    using type = std::conditional_t<std::is_void_v<T>, strong_t<inexact_t<promote_t<type_in<A>, type_in<B>>>>, T>;
    return named_call<geomspace_body<type, N, Endpoint>>("_geomspace", start, stop);
  }
};

// Conditions of static_asserts: compilers print the types.
template <class A, class B>
concept has_bounds_of_arrays = stored<A> || stored<B> || rank_in<A> != 0 || rank_in<B> != 0;

}  // namespace detail

// linspace<N>(start, stop, axis<k>): equally spaced samples, element by element (jax.numpy.linspace). The shapes broadcast, and the N
// samples go along a new axis k, 0 if none is given. stop is the last sample, or with linspace<N, false> is left out. Dtype: the promoted
// one, integers become float32; or T, of which integers are rounded down. Refused: N < 1, shapes that do not broadcast.
template <int N, bool Endpoint = true, array_like A, array_like B, int Axis = 0>
  requires detail::has_bounds_of_arrays<A, B>
constexpr auto linspace(A const& start, B const& stop, axis_t<Axis> = {}) {
  static_assert(N > 0, "exprax: linspace: between arrays there must be one sample or more");
  static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("linspace"));
  return detail::apply<detail::linspace_of_arrays_op<void, N, Endpoint, Axis>>(start, stop);
}
template <class T, int N, bool Endpoint = true, array_like A, array_like B, int Axis = 0>
  requires detail::has_bounds_of_arrays<A, B>
constexpr auto linspace(A const& start, B const& stop, axis_t<Axis> = {}) {
  static_assert(N > 0, "exprax: linspace: between arrays there must be one sample or more");
  static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("linspace"));
  return detail::apply<detail::linspace_of_arrays_op<canonical_t<T>, N, Endpoint, Axis>>(start, stop);
}
// logspace<N>(start, stop, base, axis<k>): base to the power of such samples (jax.numpy.logspace); base is 10 if it is not given.
template <int N, bool Endpoint = true, array_like A, array_like B, array_like Base = float, int Axis = 0>
  requires detail::has_bounds_of_arrays<A, B>
constexpr auto logspace(A const& start, B const& stop, Base const& base = 10, axis_t<Axis> = {}) {
  static_assert(N > 0, "exprax: logspace: between arrays there must be one sample or more");
  static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("logspace"));
  return detail::apply<detail::logspace_of_arrays_op<void, N, Endpoint, Axis>>(start, stop, base);
}

// logspace<N>(a, b, base): base^a to base^b with equally spaced exponents, of scalars, [N] (jax.numpy.logspace); base is 10 if it is not
// given. Dtypes and the last sample as in linspace.
template <int N, bool Endpoint = true, detail::operand A, detail::operand B, detail::operand Base = float>
  requires(detail::rank_in<A> == 0 && detail::rank_in<B> == 0)  // between arrays: above
constexpr auto logspace(A const& start, B const& stop, Base const& base = 10) {
  return detail::created(detail::logspace_op<void, N, Endpoint>{}, start, stop, base);
}
template <class T, int N, bool Endpoint = true, detail::operand A, detail::operand B, detail::operand Base = float>
  requires(detail::rank_in<A> == 0 && detail::rank_in<B> == 0)  // between arrays: above
constexpr auto logspace(A const& start, B const& stop, Base const& base = 10) {
  return detail::created(detail::logspace_op<canonical_t<T>, N, Endpoint>{}, start, stop, base);
}
// geomspace<N>(a, b): numbers from a to b, both scalars, with equally spaced logarithms, [N] (jax.numpy.geomspace). Dtypes and the last
// sample as in linspace.
template <int N, bool Endpoint = true, detail::operand A, detail::operand B>
constexpr auto geomspace(A const& start, B const& stop) {
  return detail::created(detail::geomspace_op<void, N, Endpoint>{}, start, stop);
}
template <class T, int N, bool Endpoint = true, detail::operand A, detail::operand B>
constexpr auto geomspace(A const& start, B const& stop) {
  return detail::created(detail::geomspace_op<canonical_t<T>, N, Endpoint>{}, start, stop);
}

}  // namespace exprax
