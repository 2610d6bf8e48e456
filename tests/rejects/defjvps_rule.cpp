// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: custom_jvp: the rules of defjvps must return what they add to the tangent of the result
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto f = ex::custom_jvp([](auto x) { return ex::sin(x); }).defjvps([](auto t, auto, auto) { return ex::sum(t); });

int main() { ex::jit(f)(ex::array<float, 3>()); }
