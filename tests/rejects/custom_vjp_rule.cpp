// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: custom_vjp: Custom VJP bwd rule must produce an output with the same structure as the args tuple of the primal function
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto f = ex::custom_vjp([](auto x) { return x * x; }, [](auto x) { return ex::tuple(x * x, x); },
                                  [](auto r, auto ct) { return ex::tuple(r * ct, ct); });

int main() { (void)ex::jit(f)(ex::array<float>(1)); }
