// SPDX-License-Identifier: BSL-1.0
// rejects: changes nothing, for what a\(i\) selects here is a copy: write a = a.at\(i\).set\(v\)
// within: 8 6
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  ex::array<float, 3, 2> a;
  a(0) = 3.0f;
}
