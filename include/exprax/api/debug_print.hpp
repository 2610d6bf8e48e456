// SPDX-License-Identifier: BSL-1.0
// debug_print("x = {} of {}", x, n): writes a line when the program runs, also inside loops and branches (jax.debug.print). {} is replaced
// by the next value, formatted as in NumPy; {{ and }} are braces. Under vmap it prints once for each element.
#pragma once

#include <string_view>

#include <exprax/primitives/list.hpp>
#include <exprax/program/blocks.hpp>
#include <exprax/program/lift_tree.hpp>
#include <exprax/types/print.hpp>

namespace exprax {

namespace detail {

// Not constexpr, so that the errors show their names.
inline void debug_print_needs_one_placeholder_for_each_value() {}
inline void debug_print_knows_only_empty_placeholders_and_doubled_braces() {}

// The number of {} in a text, or -1 if a brace is used otherwise.
constexpr int count_placeholders(std::string_view text) {
  int n = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '{' && text[i] != '}') continue;
    char const next = i + 1 < text.size() ? text[i + 1] : ' ';
    if (next == text[i]) ++i;
    else if (text[i] == '{' && next == '}') ++i, ++n;
    else return -1;
  }
  return n;
}

// A string literal, checked where it is written.
template <int Values>
struct print_format {
  std::string_view text;

  template <int N>
  consteval print_format(char const (&literal)[N]) : text(literal, N - 1) {
    int const n = count_placeholders(text);
    if (n < 0) debug_print_knows_only_empty_placeholders_and_doubled_braces();
    else if (n != Values) debug_print_needs_one_placeholder_for_each_value();
  }
};

// Compilers print its arguments with the static_assert.
template <class... Values>
inline constexpr bool has_a_traced_value = (is_expr<Values> || ...);
template <class... Values>
inline constexpr bool has_no_complex_value = (!is_complex(lifted_t<Values>::type.type) && ...);

}  // namespace detail

// Printing while tracing: an error.
template <detail::stream Stream, class T, int... D>
constexpr auto& operator<<(Stream& out, expr<T, D...> const&) {
  static_assert(detail::has_a_value_while_tracing<expr<T, D...>>,
                "exprax: a traced value in a stream: it depends on an argument of the traced function and has no elements while tracing. "
                "ex::debug_print(\"x = {}\", x) prints them when the function runs. The result of a function with captures, "
                "called outside of ex::jit, has elements by ex::evaluate(x)");
  return out;
}

template <detail::liftable... X>
constexpr auto debug_print(detail::print_format<static_cast<int>(sizeof...(X))> format, X const&... values) {
  static_assert(detail::has_a_traced_value<X...>,
                "exprax: debug_print: none of the values is traced: it prints values of a traced function while that runs, so give it one "
                "that depends on an argument (outside of traced functions, print with the means of C++)");
  static_assert(detail::has_no_complex_value<X...>, "exprax: debug_print: of complex numbers, print ex::real and ex::imag");
  if constexpr (detail::has_a_traced_value<X...> && detail::has_no_complex_value<X...>) {
    detail::arena<detail::handle> operands;
    (operands.push(detail::expr_access::get(detail::lift(values))), ...);
    detail::tape* const t = detail::join_all(operands).on;
    detail::arena<int> in;
    for (detail::handle const& h : operands) in.push(h.id);
    t->record(prim::debug_print, in, {0}, {});
    t->rename_last(format.text);
  }
}

}  // namespace exprax
