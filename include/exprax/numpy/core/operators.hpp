// SPDX-License-Identifier: BSL-1.0
// The operators + - * / % & | ^ ~ and == != < <= > >= of traced values and arrays. C++ has no // and **: floor_divide and
// power. && || ! stay undefined: a traced value has no truth while tracing.
#pragma once

#include <concepts>
#include <type_traits>

#include <exprax/numpy/elementwise/division.hpp>

namespace exprax {

namespace detail {

// At least one operand is ours.
template <class A, class B>
concept operator_pair = array_like<A> && array_like<B> && (!number<A> || !number<B>);

}  // namespace detail

// -x: the negative (jax.numpy.negative). Shape and dtype of x; bool is refused.
template <array_like X>
  requires(!detail::number<X>)
constexpr auto operator-(X const& x) {
  static_assert(detail::is_a_number<X>, "exprax: negative: does not accept bool: use logical_not, or convert with astype<int>");
  return detail::apply<detail::negative_op>(x);
}
// +x: x itself (jax.numpy.positive).
template <array_like X>
  requires(!detail::number<X>)
constexpr auto operator+(X const& x) {
  return x;
}
// ~x: all bits inverted; of bool, not x (jax.numpy.bitwise_not). Shape and dtype of x; floats are refused.
template <array_like X>
  requires(!detail::number<X>)
constexpr auto operator~(X const& x) {
  static_assert(!detail::has_no_bits<X>, "exprax: bitwise_not (~): does not accept floats: use logical_not, or convert with astype<int>");
  return detail::apply<detail::invert_op>(x);
}

// a + b, a - b, a * b, a / b, element by element (jax.numpy.add, subtract, multiply, divide). Shapes broadcast, dtypes are promoted; the
// quotient of integers is float32. Of two bools + is or, * is and. Refused: shapes that do not broadcast, a - b of two bools, keys of
// random numbers.
template <class A, class B>
  requires detail::operator_pair<A, B>
constexpr auto operator+(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("add"));
  static_assert(
      detail::are_numbers<A, B>,
      "exprax: keys of random numbers (key<fry>) do not compute: make numbers of them with ex::random, or take their words with key_data");
  if constexpr (detail::are_numbers<A, B>) return detail::apply<detail::add_op>(a, b);
  else return a;  // after the error: nothing that leads to others
}
template <class A, class B>
  requires detail::operator_pair<A, B>
constexpr auto operator-(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("subtract"));
  static_assert(detail::subtracts<A, B>, "exprax: subtract: does not accept two bools: use ^ or logical_xor, or convert with astype<int>");
  static_assert(
      detail::are_numbers<A, B>,
      "exprax: keys of random numbers (key<fry>) do not compute: make numbers of them with ex::random, or take their words with key_data");
  if constexpr (detail::are_numbers<A, B>) return detail::apply<detail::subtract_op>(a, b);
  else return a;  // after the error: nothing that leads to others
}
template <class A, class B>
  requires detail::operator_pair<A, B>
constexpr auto operator*(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("multiply"));
  static_assert(
      detail::are_numbers<A, B>,
      "exprax: keys of random numbers (key<fry>) do not compute: make numbers of them with ex::random, or take their words with key_data");
  if constexpr (detail::are_numbers<A, B>) return detail::apply<detail::multiply_op>(a, b);
  else return a;  // after the error: nothing that leads to others
}
template <class A, class B>
  requires detail::operator_pair<A, B>
constexpr auto operator/(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("divide"));
  static_assert(
      detail::are_numbers<A, B>,
      "exprax: keys of random numbers (key<fry>) do not compute: make numbers of them with ex::random, or take their words with key_data");
  if constexpr (detail::are_numbers<A, B>) return detail::apply<detail::divide_op>(a, b);
  else return a;  // after the error: nothing that leads to others
}
// a & b, a | b, a ^ b: and, or, exclusive or of the bits, or of bools (jax.numpy.bitwise_and, bitwise_or, bitwise_xor). Shapes broadcast,
// dtypes are promoted; floats are refused.
template <class A, class B>
  requires detail::operator_pair<A, B>
constexpr auto operator&(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("bitwise_and"));
  static_assert(detail::has_bits<A, B>, "exprax: bitwise_and (&): does not accept floats: use logical_and, or convert with astype<int>");
  return detail::apply<detail::bitwise_op<prim::and_>>(a, b);
}
template <class A, class B>
  requires detail::operator_pair<A, B>
constexpr auto operator|(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("bitwise_or"));
  static_assert(detail::has_bits<A, B>, "exprax: bitwise_or (|): does not accept floats: use logical_or, or convert with astype<int>");
  return detail::apply<detail::bitwise_op<prim::or_>>(a, b);
}
template <class A, class B>
  requires detail::operator_pair<A, B>
constexpr auto operator^(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("bitwise_xor"));
  static_assert(detail::has_bits<A, B>, "exprax: bitwise_xor (^): does not accept floats: use logical_xor, or convert with astype<int>");
  return detail::apply<detail::bitwise_op<prim::xor_>>(a, b);
}
// a % b: what floor_divide(a, b) leaves, with the sign of b (jax.numpy.remainder). Shapes broadcast, dtypes are promoted, bool becomes
// int32.
template <class A, class B>
  requires detail::operator_pair<A, B>
constexpr auto operator%(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("remainder"));
  return detail::apply<detail::remainder_op>(a, b);
}

// + - * / of equal types: the commonest case, in few constexpr steps.
template <class T, int... D>
  requires(!is_bool(dtype_of<T>))
constexpr expr<T, D...> operator+(expr<T, D...> const& a, expr<T, D...> const& b) {
  return detail::expr_access::bind<expr<T, D...>>(prim::add, {}, a, b);
}
template <class T, int... D>
  requires(!is_bool(dtype_of<T>))
constexpr expr<T, D...> operator-(expr<T, D...> const& a, expr<T, D...> const& b) {
  return detail::expr_access::bind<expr<T, D...>>(prim::sub, {}, a, b);
}
template <class T, int... D>
  requires(!is_bool(dtype_of<T>))
constexpr expr<T, D...> operator*(expr<T, D...> const& a, expr<T, D...> const& b) {
  return detail::expr_access::bind<expr<T, D...>>(prim::mul, {}, a, b);
}
template <class T, int... D>
  requires(is_floating(dtype_of<T>))
constexpr expr<T, D...> operator/(expr<T, D...> const& a, expr<T, D...> const& b) {
  return detail::expr_access::bind<expr<T, D...>>(prim::div, {}, a, b);
}

// The same + - * / where one of the operands came from no argument.
template <class S, class T, int... D>
  requires(!is_bool(dtype_of<T>))
constexpr expr<T, D...> operator+(deferred<S, T, D...> const& a, expr<T, D...> const& b) {
  return detail::expr_access::bind<expr<T, D...>>(prim::add, {}, detail::plain(a), detail::plain(b));
}
template <class S, class T, int... D>
  requires(!is_bool(dtype_of<T>))
constexpr expr<T, D...> operator+(expr<T, D...> const& a, deferred<S, T, D...> const& b) {
  return detail::expr_access::bind<expr<T, D...>>(prim::add, {}, detail::plain(a), detail::plain(b));
}
template <class S, class T, int... D>
  requires(!is_bool(dtype_of<T>))
constexpr expr<T, D...> operator-(deferred<S, T, D...> const& a, expr<T, D...> const& b) {
  return detail::expr_access::bind<expr<T, D...>>(prim::sub, {}, detail::plain(a), detail::plain(b));
}
template <class S, class T, int... D>
  requires(!is_bool(dtype_of<T>))
constexpr expr<T, D...> operator-(expr<T, D...> const& a, deferred<S, T, D...> const& b) {
  return detail::expr_access::bind<expr<T, D...>>(prim::sub, {}, detail::plain(a), detail::plain(b));
}
template <class S, class T, int... D>
  requires(!is_bool(dtype_of<T>))
constexpr expr<T, D...> operator*(deferred<S, T, D...> const& a, expr<T, D...> const& b) {
  return detail::expr_access::bind<expr<T, D...>>(prim::mul, {}, detail::plain(a), detail::plain(b));
}
template <class S, class T, int... D>
  requires(!is_bool(dtype_of<T>))
constexpr expr<T, D...> operator*(expr<T, D...> const& a, deferred<S, T, D...> const& b) {
  return detail::expr_access::bind<expr<T, D...>>(prim::mul, {}, detail::plain(a), detail::plain(b));
}
template <class S, class T, int... D>
  requires(is_floating(dtype_of<T>))
constexpr expr<T, D...> operator/(deferred<S, T, D...> const& a, expr<T, D...> const& b) {
  return detail::expr_access::bind<expr<T, D...>>(prim::div, {}, detail::plain(a), detail::plain(b));
}
template <class S, class T, int... D>
  requires(is_floating(dtype_of<T>))
constexpr expr<T, D...> operator/(expr<T, D...> const& a, deferred<S, T, D...> const& b) {
  return detail::expr_access::bind<expr<T, D...>>(prim::div, {}, detail::plain(a), detail::plain(b));
}

namespace detail {

template <class Results, class A, class B>
  requires(aval_in<A>.matches(aval_in<B>))
inline constexpr int compares_all<result_of<deferred_call<comparison_op<prim::eq>, Results, A, B>>> = 1;
template <class Results, class A, class B>
  requires(aval_in<A>.matches(aval_in<B>))
inline constexpr int compares_all<result_of<deferred_call<comparison_op<prim::ne>, Results, A, B>>> = -1;

template <class F>
inline constexpr bool has_template_arguments = false;

}  // namespace detail

// a == b, a != b, element by element (jax.numpy.equal, jax.numpy.not_equal): bool; shapes broadcast, dtypes are promoted. The result for
// arrays with elements of one dtype and shape also has a truth value, see types/comparison.hpp; scalars are compared at once.
template <class A, class B>
  requires detail::operator_pair<A, B>
constexpr auto operator==(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("equal"));
  if constexpr (detail::compares_at_once<A, B>()) return detail::compared<true>(a, b);
  else return detail::apply<detail::comparison_op<prim::eq>>(a, b);
}
template <class A, class B>
  requires detail::operator_pair<A, B>
constexpr auto operator!=(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("not_equal"));
  if constexpr (detail::compares_at_once<A, B>()) return detail::compared<false>(a, b);
  else return detail::apply<detail::comparison_op<prim::ne>>(a, b);
}
// ex::sum<0>(x), where ex::sum is a function object and no template: the compiler reads ex::sum < 0.
template <class F, std::integral N>
  requires(std::is_empty_v<F> && !array_like<F> && !std::convertible_to<F, N>)
constexpr auto operator<(F const&, N number) {
  static_assert(detail::has_template_arguments<F>,
                "exprax: f<...>(x): this function takes no template arguments: axes and options stand behind the values, "
                "f(x, ex::axis<0>)");
  return number;
}
// a < b, a <= b, a > b, a >= b, element by element (jax.numpy.less, less_equal, greater, greater_equal): bool; shapes broadcast, dtypes are
// promoted. Complex numbers are compared by their real, then by their imaginary parts.
template <class A, class B>
  requires detail::operator_pair<A, B>
constexpr auto operator<(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("less"));
  return detail::apply<detail::comparison_op<prim::lt>>(a, b);
}
template <class A, class B>
  requires detail::operator_pair<A, B>
constexpr auto operator<=(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("less_equal"));
  return detail::apply<detail::comparison_op<prim::le>>(a, b);
}
template <class A, class B>
  requires detail::operator_pair<A, B>
constexpr auto operator>(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("greater"));
  return detail::apply<detail::comparison_op<prim::gt>>(a, b);
}
template <class A, class B>
  requires detail::operator_pair<A, B>
constexpr auto operator>=(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("greater_equal"));
  return detail::apply<detail::comparison_op<prim::ge>>(a, b);
}

}  // namespace exprax
