// SPDX-License-Identifier: BSL-1.0
// Shapes in compile errors: a static_assert can print only literal text, so its condition names a tag that carries the
// shapes, as in allows<shapes<"(3,)", "(4,)">>. Compilers print both.
#pragma once

#include <exprax/types/aval.hpp>

namespace exprax::detail {

template <int N>
struct label {
  char text[N] = {};
  constexpr label() = default;
  constexpr label(char const (&s)[N]) {
    for (int i = 0; i < N; ++i) text[i] = s[i];
  }
};

// "(3, 4)" with its length.
struct shape_text {
  char text[112] = {};
  int size = 0;
  constexpr void put(char c) { text[size++] = c; }
  constexpr void put(int n) {
    if (n < 0) put('-');
    unsigned const m = n < 0 ? 0u - static_cast<unsigned>(n) : static_cast<unsigned>(n);
    if (m >= 10) put(static_cast<int>(m / 10));
    put(static_cast<char>('0' + m % 10));
  }
  constexpr explicit shape_text(aval const& a) {
    put('(');
    for (int i = 0; i < a.rank; ++i) {
      if (i) put(',');
      if (i) put(' ');
      put(a.dims[i]);
    }
    if (a.rank == 1) put(',');
    put(')');
  }
};

// Shape::value as text that can be a template argument.
template <class Shape>
constexpr auto shape_label() {
  constexpr shape_text t(Shape::value);
  label<t.size + 1> out;
  for (int i = 0; i < t.size; ++i) out.text[i] = t.text[i];
  return out;
}

template <label... Shape>
struct shapes {};
template <label Operation, label... Shape>
struct incompatible {};

// True unless Bad, so that the condition of a static_assert shows what it is about.
template <bool Good, class What>
inline constexpr bool allows = Good;

}  // namespace exprax::detail
