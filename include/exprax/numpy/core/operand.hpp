// SPDX-License-Identifier: BSL-1.0
// What the functions of this folder accept: traced values, C++ numbers, constants such as static_<5>, arrays and views.
// A number becomes a literal of the dtype that it meets, in place; a value of another dtype or weakness gets a
// convert_element_type equation (jax._src.numpy.util.promote_dtypes).
#pragma once

#include <exprax/api/jit.hpp>
#include <exprax/primitives/convert.hpp>
#include <exprax/program/lift.hpp>
#include <exprax/types/promote.hpp>
#include <exprax/types/static_int.hpp>
#include <exprax/types/view.hpp>

namespace exprax {

namespace detail {

template <class>
inline constexpr bool is_array = false;
template <class T, int... D>
inline constexpr bool is_array<array<T, D...>> = true;
template <class T, int... D>
inline constexpr bool is_array<view<T, D...>> = true;
template <>
inline constexpr bool is_array<prng_key> = true;  // an element of an array of keys
template <bool Equal, int... D>
inline constexpr bool is_array<compared_elements<Equal, D...>> = true;

template <class X>
concept tracer = is_expr<std::remove_cvref_t<X>>;
// One that depends on an argument of the traced function, for all that its type tells.
template <class X>
concept plain_tracer = is_plain_expr<std::remove_cvref_t<X>>;
template <class X>
concept number = scalar<std::remove_cvref_t<X>> || static_constant<std::remove_cvref_t<X>>;
template <class X>
concept stored = is_array<std::remove_cvref_t<X>>;
// What a rule sees: arrays have become traced values before.
template <class X>
concept operand = tracer<X> || number<X>;

template <class X>
struct number_type {
  using type = X;
};
template <static_constant X>
struct number_type<X> {
  using type = std::remove_cvref_t<decltype(X::value)>;
};

template <class X>
struct operand_traits;
template <tracer X>
struct operand_traits<X> {
  using dtype_type = typename X::dtype_type;
  static constexpr aval value = X::type;
};
template <number X>
struct operand_traits<X> {
  using dtype_type = literal_t<typename number_type<X>::type>;
  static constexpr aval value{dtype_of<dtype_type>, is_weak<dtype_type>};
};

template <stored X>
struct operand_traits<X> {
  using dtype_type = canonical_t<typename X::value_type>;
  static constexpr aval value = X::type;
};

template <>
struct operand_traits<prng_key> {
  using dtype_type = prng_key;
  static constexpr aval value{dtype::key};
};

// The dtype of an operand, weak<...> where it is, and its shape.
template <class X>
using type_in = typename operand_traits<std::remove_cvref_t<X>>::dtype_type;
template <class X>
inline constexpr aval aval_in = operand_traits<std::remove_cvref_t<X>>::value;
template <class X>
inline constexpr int rank_in = aval_in<X>.rank;

// x with dtype T, for an equation: itself, a conversion of it, or a literal.
template <class T, tracer X>
constexpr decltype(auto) cast(X const& x) {
  if constexpr (std::is_same_v<T, typename X::dtype_type>)
    return plain(x);
  else
    return convert_to<T>(plain(x));
}
template <class T, number X>
constexpr lit<T> cast(X const& x) {
  return lit<T>{convert_number<strong_t<T>>(static_cast<typename number_type<X>::type>(x))};
}

// x with dtype T as a traced value; a number becomes a literal on a private tape.
template <class T, tracer X>
constexpr decltype(auto) as_expr(X const& x) {
  return cast<T>(x);
}
template <class T, number X>
constexpr expr<T> as_expr(X const& x) {
  return literal<T>(cast<T>(x).value);
}
template <operand X>
constexpr decltype(auto) as_traced(X const& x) {
  return as_expr<type_in<X>>(x);
}
// The type of that, and the same shape with another dtype.
template <class X>
using expr_type = std::remove_cvref_t<decltype(as_traced(std::declval<X const&>()))>;
template <class X, class T>
using expr_like = with_dtype_t<expr_type<X>, T>;

// The floating (or complex) dtype of a computation on T, and a numeric one for bool.
template <class T, bool Wide = size_of(dtype_of<T>) == 8 || x64_enabled, class F = std::conditional_t<Wide, double, float>>
using inexact_t = std::conditional_t<is_inexact(dtype_of<T>), T, std::conditional_t<is_weak<T>, weak<F>, F>>;
template <class T>
using numeric_t = std::conditional_t<is_bool(dtype_of<T>), default_int, T>;

// An array among traced values is a constant.
template <stored X>
constexpr auto as_operand(X const& x) {
  return lift(x);
}
template <number X>
constexpr X const& as_operand(X const& x) {
  return x;
}
template <tracer X>
constexpr decltype(auto) as_operand(X const& x) {
  return plain(x);
}

// Whether == takes no kernel: elements of one dtype and shape; of a scalar and a number that takes its dtype.
template <class A, class B>
constexpr bool compares_at_once() {
  if constexpr (plain_tracer<A> || plain_tracer<B> || !(stored<A> || stored<B>)) return false;
  else if constexpr (!number<A> && !number<B>) return aval_in<A>.matches(aval_in<B>);
  else
    return rank_in<A> == 0 && rank_in<B> == 0 &&
           std::is_same_v<promote_t<type_in<A>, type_in<B>>, type_in<std::conditional_t<number<A>, B, A>>>;
}
template <class T, class X>
constexpr auto const* elements_as(X const& x, T& one) {
  if constexpr (std::is_same_v<X, prng_key>) return &x;
  else if constexpr (number<X>) return one = convert_number<T>(static_cast<typename number_type<X>::type>(x)), &one;
  else return x.data();
}
template <bool Equal, class T, int... D, class A, class B>
constexpr compared_elements<Equal, D...> compared(dims<D...>, A const& a, B const& b) {
  T first{}, second{};
  return {elements_as<T>(a, first), elements_as<T>(b, second)};
}
template <bool Equal, class A, class B>
constexpr auto compared(A const& a, B const& b) {
  using like = operand_traits<std::conditional_t<number<A>, B, A>>;
  return compared<Equal, strong_t<typename like::dtype_type>>(typename dims_of<like>::type{}, a, b);
}

template <class X>
inline constexpr bool is_wide = false;
template <stored X>
  requires requires { typename X::value_type; }
inline constexpr bool is_wide<X> = dtype_of<typename X::value_type> == dtype::f64 || dtype_of<typename X::value_type> == dtype::c128;
// An argument of a program of one operation. A number becomes a value at run time there; as a weak one it would be a float32. Beside wide
// arrays it keeps the digits that it has as a literal.
template <bool BesideWide, class X>
constexpr decltype(auto) as_argument(X const& x) {
  if constexpr (BesideWide && (std::is_same_v<X, double> || std::is_same_v<X, std::complex<double>>)) return array<X>(x);
  else return (x);
}

// Runs Op on traced values and numbers; on arrays as a program of one operation. Where there is neither, it is deferred.
template <class Op, class... X>
constexpr auto apply(X const&... x) {
  if constexpr ((plain_tracer<X> || ...)) return Op{}(as_operand(x)...);
  else if constexpr ((stored<X> || ...)) return exprax::jit(Op{})(as_argument<(is_wide<X> || ...)>(x)...);
  else return defer<Op>([&] { return Op{}(as_operand(x)...); }, x...);
}

}  // namespace detail

// Anything that stands for an array: a traced value, an array, a view, a number.
template <class X>
concept array_like = detail::operand<X> || detail::stored<X>;

}  // namespace exprax
