// SPDX-License-Identifier: BSL-1.0
// rejects: einsum: the sizes of an index differ
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto product = [](auto a) { return ex::einsum<"ij,jk->ik">(a, a); };

int main() { (void)ex::jit(product)(ex::array<float, 3, 4>()); }
