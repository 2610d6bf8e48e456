// SPDX-License-Identifier: BSL-1.0
// rejects: einsum: the result has an index that no operand has
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto product = [](auto a) { return ex::einsum<"ij->iz">(a); };

int main() { (void)ex::jit(product)(ex::array<float, 3, 4>()); }
