// SPDX-License-Identifier: BSL-1.0
// rejects: vectorize: input does not have enough dimensions for all core dimensions
// rejects: argument<0>, exprax::expr<float, 3>, (exprax::detail::)?core_dimensions<2>
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto product = [](auto matrix, auto vector) { return ex::matmul(matrix, vector); };

int main() { (void)ex::vectorize<"(n,m),(m)->(n)">(product)(ex::array<float, 3>(), ex::array<float, 3>()); }
