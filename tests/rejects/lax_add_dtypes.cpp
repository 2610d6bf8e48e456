// SPDX-License-Identifier: BSL-1.0
// rejects: require arguments to have the same dtypes
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto sum = [](auto a, auto b) { return ex::lax::add(a, b); };

int main() { (void)ex::jit(sum)(ex::array<float, 3>(), ex::array<int, 3>()); }
