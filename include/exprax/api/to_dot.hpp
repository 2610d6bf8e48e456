// SPDX-License-Identifier: BSL-1.0
// to_dot(make_jaxpr(f)(args...)): a program as a graph, in the language of Graphviz (dot -Tsvg).
#pragma once

#include <exprax/api/make_jaxpr.hpp>
#include <exprax/text/dot.hpp>

namespace exprax {

// The text of a graph: a constant, which goes into streams.
template <class Program>
struct dot_text {
  static constexpr std::string_view str() { return detail::text_of<detail::dot_source<Program>>::view(); }
  constexpr operator std::string_view() const { return str(); }

  friend constexpr bool operator==(dot_text, std::string_view text) { return str() == text; }
  template <detail::stream Stream>
  friend Stream& operator<<(Stream& stream, dot_text) {
    detail::text_buffer made;
    detail::dot_source<Program>::print(made);
    stream.write(made.data(), made.size());
    return stream;
  }
};

template <class Program>
constexpr dot_text<Program> to_dot(jaxpr<Program>) {
  return {};
}

}  // namespace exprax
