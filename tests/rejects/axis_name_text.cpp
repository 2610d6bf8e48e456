// SPDX-License-Identifier: BSL-1.0
// rejects: the name of a mapped axis is part of a type: write ex::axis_name<"i"> for "i"
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::psum(ex::array<float, 3>(), "i"); }
