// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: jvp: the function cannot be called with the primals
// lines: 15
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  (void)ex::jvp([](auto x, auto y) { return x * y; }, ex::tuple(ex::array<float, 3>()), ex::tuple(ex::array<float, 3>()));
}
