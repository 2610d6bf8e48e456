// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: Reverse-mode differentiation does not work for lax.while_loop
#include <exprax/exprax.hpp>

namespace ex = exprax;

// The counter is known in reverse mode, the carry beside it is not.
constexpr auto f = ex::checkpoint([](auto x) {
  auto const end = ex::while_loop([](auto c) { return ex::get<0>(c) < 10; },
                                  [](auto c) { return ex::tuple(ex::get<0>(c) + 1, ex::get<1>(c) * 2.0f); }, ex::tuple(0, x));
  return ex::get<1>(end) * (ex::get<0>(end) + 1);
});

int main() { ex::jit(ex::grad(f))(ex::array<float>(1)); }
