// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: custom_jvp: the rule must return a tuple of the function's result and its tangent
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto f = ex::custom_jvp([](auto x) { return ex::sin(x); }, [](auto primals, auto) { return ex::sin(ex::get<0>(primals)); });

int main() { ex::jit(f)(ex::array<float, 3>()); }
