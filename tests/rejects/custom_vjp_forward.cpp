// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: custom_vjp: fwd must return a tuple of the function's result and the residuals for bwd
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto f = ex::custom_vjp([](auto x) { return x * x; }).defvjp([](auto x) { return x * x; }, [](auto x, auto ct) { return ex::tuple(ct * x); });

int main() { ex::jit(f)(1.0f); }
