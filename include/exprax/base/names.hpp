// SPDX-License-Identifier: BSL-1.0
// The name of a callable in jaxprs (name=...): the variable's for jit<f>, the type's for a function object, <lambda> for a lambda. It is
// taken from __PRETTY_FUNCTION__, so the text has static storage. The type of a function of this library, such as ex::sin, is
// exprax::sin_function: its name is sin.
#pragma once

#include <cstddef>
#include <string_view>

namespace exprax::detail {

template <auto const& Object>
constexpr std::string_view signature_of_object() {
  return __PRETTY_FUNCTION__;
}
template <class T>
constexpr std::string_view signature_of_type() {
  return __PRETTY_FUNCTION__;
}

// The text after "= " in the list of template arguments, without scopes and its own template arguments.
constexpr std::string_view last_name(std::string_view signature) {
  std::size_t const from = signature.find(" = ") + 3;
  std::string_view s = signature.substr(from);
  std::size_t end = 0;
  std::size_t begin = 0;
  int depth = 0;
  for (; end < s.size(); ++end) {
    char const c = s[end];
    if (depth == 0 && (c == ']' || c == ';')) break;
    if (c == '<' || c == '(' || c == '{' || c == '[') ++depth;
    if (c == '>' || c == ')' || c == '}' || c == ']') --depth;
    if (depth == 0 && c == ':' && end + 1 < s.size() && s[end + 1] == ':') begin = end + 2;
  }
  std::string_view const scope = s.substr(0, begin);
  s = s.substr(begin, end - begin);
  if (s.find("lambda") != std::string_view::npos && (s[0] == '<' || s[0] == '(')) return "<lambda>";
  if (std::size_t const arguments = s.find('<'); arguments != std::string_view::npos && arguments != 0) s = s.substr(0, arguments);
  constexpr std::string_view ending = "_function";
  return scope.starts_with("exprax::") && s.ends_with(ending) ? s.substr(0, s.size() - ending.size()) : s;
}

// Specialised for callables that wrap another one.
template <class F>
inline constexpr std::string_view function_name = last_name(signature_of_type<F>());

// A static constexpr object as a stateless callable.
template <auto const& Object>
struct object_ref {
  template <class... Args>
  constexpr auto operator()(Args const&... args) const {
    return Object(args...);
  }
};
template <auto const& Object>
inline constexpr std::string_view function_name<object_ref<Object>> = last_name(signature_of_object<Object>());

}  // namespace exprax::detail
