// SPDX-License-Identifier: BSL-1.0
// print_formatted: writes a line of text to standard output, with values in place of {}: the implementation of debug_print at run time.
// Values are formatted as in NumPy. Not instantiated for programs that do not print.
#pragma once

#include <cstdio>
#include <string_view>

#include <exprax/types/print.hpp>

namespace exprax::detail {

// An array in memory, row-major.
template <class T>
struct printed {
  T const* data;
  aval type;
};

template <class T>
constexpr void write_printed(text_buffer& out, printed<T> const& value) {
  array_printer<T>(out, value.data, value.type).print();
}

// The text up to the next {}, with doubled braces as one; advances past it. Returns false at the end of the text.
constexpr bool write_until_placeholder(text_buffer& out, std::string_view& text) {
  while (!text.empty()) {
    char const c = text[0];
    bool const brace = (c == '{' || c == '}') && text.size() > 1;
    bool const place = brace && c == '{' && text[1] == '}';
    text.remove_prefix(brace ? 2 : 1);
    if (place) return true;
    out.put(c);
  }
  return false;
}

template <class... T>
constexpr void write_formatted(text_buffer& out, std::string_view text, printed<T> const&... values) {
  (
      [&] {
        if (write_until_placeholder(out, text)) write_printed(out, values);
      }(),
      ...);
  write_until_placeholder(out, text);
}

// One write for the whole line.
template <class... T>
[[gnu::noinline]] void print_formatted(std::string_view text, printed<T> const&... values) {
  text_buffer line;
  write_formatted(line, text, values...);
  line.put('\n');
  std::fwrite(line.data(), 1, static_cast<std::size_t>(line.size()), stdout);
}

}  // namespace exprax::detail
