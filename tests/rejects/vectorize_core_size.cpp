// SPDX-License-Identifier: BSL-1.0
// rejects: vectorize: inconsistent size for core dimension
// rejects: core_dimension<.*"n".*argument<1>, exprax::expr<float, 2, 4>, (exprax::detail::)?of_size<4>, (exprax::detail::)?of_size<3>
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto dot = [](auto x, auto y) { return ex::dot(x, y); };

int main() { (void)ex::vectorize<"(n),(n)->()">(dot)(ex::array<float, 3>(), ex::array<float, 2, 4>()); }
