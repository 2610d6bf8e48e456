// SPDX-License-Identifier: BSL-1.0
// rejects: nor does a const variable change, nor a view of constants
// within: 8 4
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  float const memory[3] = {1, 2, 3};
  ex::view<float const, 3> x(memory);
  x += 1;
}
