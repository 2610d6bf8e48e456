// SPDX-License-Identifier: BSL-1.0
// rejects: asarray: the size of a std::vector is known at run time: write ex::array<float, 3>\(vector\)
// within: 8 4
#include <vector>

#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::asarray(std::vector<float>(3)); }
