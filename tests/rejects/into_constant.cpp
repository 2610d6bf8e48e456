// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: into: an output is constant
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto increment = [](auto x) { return x + 1.0f; };
constexpr ex::array<float, 3> table{1, 2, 3};

int main() { ex::jit(increment).into(table, ex::array<float, 3>()); }
