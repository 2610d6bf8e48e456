// SPDX-License-Identifier: BSL-1.0
// rejects: einsum: the subscripts are a template argument: ex::einsum<"ij,jk->ik">
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr ex::array<float, 2, 2> a{1, 2, 3, 4};

int main() { (void)ex::einsum("ij,jk->ik", a, a); }
