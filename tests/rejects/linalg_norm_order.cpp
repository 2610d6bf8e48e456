// SPDX-License-Identifier: BSL-1.0
// rejects: linalg.norm: invalid order: of vectors it is a number
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto size = [](auto x) { return ex::linalg::norm(x, ex::linalg::ord<3>); };

int main() { (void)ex::jit(size)(ex::array<float, 3, 3>()); }
