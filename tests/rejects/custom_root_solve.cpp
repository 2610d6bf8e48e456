// SPDX-License-Identifier: BSL-1.0
// lines: 21
// within: 9 3
// rejects: exprax: custom_root: solve\(\) output pytree, dtypes and shapes must match those of initial_guess
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  auto const f = [](auto a) {
    return ex::custom_root([=](auto x) { return x - a; }, a, [](auto g, auto x) { return ex::sum(x - g(x)); }, [](auto, auto y) { return y; });
  };
  ex::jit(f)(ex::array<float, 2>{1, 2});
}
