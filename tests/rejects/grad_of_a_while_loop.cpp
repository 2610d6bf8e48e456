// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: Reverse-mode differentiation does not work for lax.while_loop
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto f = [](auto x) { return ex::while_loop([](auto c) { return c < 10.0f; }, [](auto c) { return c * 2.0f; }, x) * x; };

int main() { ex::jit(ex::grad(f))(ex::array<float>(1)); }
