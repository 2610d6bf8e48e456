// SPDX-License-Identifier: BSL-1.0
// rejects: this function cannot run while compiling, as tracing does: if no error above says why, it prints(, captures a name of `auto \[a, b\]` \(write \[a = a\]\))?, or uses a variable or a function that is not constexpr
// lines: 60
#include <exprax/exprax.hpp>

namespace ex = exprax;

int calls = 0;
constexpr auto counted = [](auto x) {
  ++calls;
  return x * 2.0f;
};

int main() { (void)ex::jit(counted)(ex::array<float, 3>()); }
