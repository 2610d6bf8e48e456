// SPDX-License-Identifier: BSL-1.0
// rejects: on a traced value: it depends on an argument of the traced function and has no value while
// rejects: Use ex::cond, ex::where, or a static argument
// rejects: in place of `&&`, `\|\|`, `!`: `&`, `\|`, `~`
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto square_or_cube = [](auto x) {
  if (x > 0) return x * x;
  return x * x * x;
};

int main() { (void)ex::jit(square_or_cube)(2.0f); }
