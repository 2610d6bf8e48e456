// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: einsum: the subscripts are part of the type: write ex::einsum<"ij,jk->ik">\(x, y\)
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::einsum("i,i->", ex::array<float, 3>(), ex::array<float, 3>()); }
