// SPDX-License-Identifier: BSL-1.0
// A pass on a program written by hand: the jaxpr of what it makes.
#pragma once

#include "text/build.hpp"
#include <exprax/passes/check.hpp>

namespace build {

// What make writes, after the pass, prints as expected and is well formed.
template <class Pass, class Make>
constexpr bool becomes(Pass pass, Make make, std::string_view expected) {
  builder b;
  make(b);
  program const q = pass(b.p.ref());
  return check(q.ref()) && detail::jaxpr_equals(q.ref(), expected);
}

}  // namespace build

// Both at compile time and, in the same words, at run time.
#define EXPRAX_BECOMES(...)              \
  static_assert(becomes(__VA_ARGS__)); \
  CHECK(becomes(__VA_ARGS__))
