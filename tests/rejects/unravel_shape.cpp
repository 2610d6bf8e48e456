// SPDX-License-Identifier: BSL-1.0
// rejects: unravel: takes the shape and dtype of the vector that ravel_pytree made
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::get<1>(ex::ravel_pytree(ex::tuple(ex::array<float, 3>(), 1.0f)))(ex::array<float, 3>()); }
