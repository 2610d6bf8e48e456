// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: scan body function must return a pair
// lines: 15
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  (void)ex::scan([](auto c, auto x) { (void)(c + x); }, 0.0f, ex::array<float, 3>());
}
