// SPDX-License-Identifier: BSL-1.0
// rejects: require arguments to have the same dtypes
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::lax::add(ex::array<float, 3>(), ex::array<int, 3>()); }
