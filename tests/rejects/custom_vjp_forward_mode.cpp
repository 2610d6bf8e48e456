// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: can't apply forward-mode differentiation \(jvp\) to a custom_vjp function
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto f = ex::custom_vjp([](auto x) { return x * x; }, [](auto x) { return ex::tuple(x * x, x); },
                                  [](auto r, auto ct) { return ex::tuple(2.0f * r * ct); });

int main() { ex::jvp(f, ex::tuple(ex::array<float>(1)), ex::tuple(ex::array<float>(1))); }
