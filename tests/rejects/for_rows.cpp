// SPDX-License-Identifier: BSL-1.0
// rejects: `for` on a traced value that is no vector: loop over an index, x\(i\), for rows; over ex::ravel\(x\) for elements
// within: 14 3
// lines: 40
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto f = [](auto x) {
  auto s = ex::float32(0);
  for (auto row : x) s = s + row;
  return s;
};

int main() { (void)ex::jit(f)(ex::array<float, 3, 2>()); }
