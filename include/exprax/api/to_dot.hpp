// SPDX-License-Identifier: BSL-1.0
// to_dot(make_jaxpr(f)(args...)): a program as a graph, and to_dot(lower(f)(args...)): the kernels that jit(f) runs, with the memory that
// they read and write, in the language of Graphviz (dot -Tsvg). Both are constants, which static_assert can hold.
#pragma once

#include <exprax/api/lower.hpp>
#include <exprax/api/make_jaxpr.hpp>
#include <exprax/text/dot.hpp>
#include <exprax/text/plan_dot.hpp>

namespace exprax {

// The text of a graph: a constant, which goes into streams.
template <class Source>
struct dot_text {
  static constexpr std::string_view str() { return detail::text_of<Source>::view(); }
  constexpr operator std::string_view() const { return str(); }

  friend constexpr bool operator==(dot_text, std::string_view text) { return str() == text; }
  template <detail::stream Stream>
  friend Stream& operator<<(Stream& stream, dot_text) {
    detail::text_buffer made;
    Source::print(made);
    stream.write(made.data(), made.size());
    return stream;
  }
};

// A jaxpr: equations are nodes, and values are edges.
template <class Program>
constexpr dot_text<detail::dot_source<Program>> to_dot(jaxpr<Program>) {
  return {};
}
// The plan of a lowered function, as as_text("plan") tells it: kernels and buffers are nodes, and reads and writes are edges. Arguments and
// results have their shapes; the elements of other buffers are a row.
template <class F, class Program>
constexpr dot_text<detail::plan_dot_source<F, Program>> to_dot(lowered<F, Program>) {
  return {};
}

}  // namespace exprax
