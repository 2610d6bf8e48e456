// SPDX-License-Identifier: BSL-1.0
// rejects: vectorize: not a valid gufunc signature
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto dot = [](auto x, auto y) { return ex::dot(x, y); };

int main() { (void)ex::vectorize<"(n),(n->()">(dot)(ex::array<float, 3>(), ex::array<float, 3>()); }
