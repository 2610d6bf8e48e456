// SPDX-License-Identifier: BSL-1.0
// rejects: expand_dims: an axis is part of a type: write ex::expand_dims\(x, ex::axis<0>\)
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::expand_dims(ex::array<float, 3>(), 0); }
