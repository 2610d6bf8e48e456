// SPDX-License-Identifier: BSL-1.0
// rejects: use arrays, views of your memory \(ex::view<float, 3>\(vector\)\), numbers
#include <vector>

#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::jit([](auto x) { return x + 1; })(std::vector<float>(3)); }
