// SPDX-License-Identifier: BSL-1.0
// fixed_string: a text as a template argument, such as the "i" of axis_name<"i">.
#pragma once

#include <cstddef>
#include <string_view>

namespace exprax::detail {

// N counts the zero at the end.
template <std::size_t N>
struct fixed_string {
  char text[N] = {};

  constexpr fixed_string(char const (&s)[N]) {
    for (std::size_t i = 0; i < N; ++i) text[i] = s[i];
  }
  constexpr std::string_view view() const { return {text, N - 1}; }
};

}  // namespace exprax::detail
