// SPDX-License-Identifier: BSL-1.0
// A mistake of C++ in the function is told once, and nothing follows from it, here or where the result is used.
// rejects: no matching function for call to .*resize
// without: cannot run while compiling
// without: exprax::detail::run
// without: after_a_mistake
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto twice = [](auto x) {
  auto const values = ex::resize(x, 2);
  return values;
};

int main() {
  auto const found = ex::jit(twice)(ex::array<float, 3>());
  ex::array<float, 2> const copy = found;
  float const first = found(0);
  return first < copy(1);
}
