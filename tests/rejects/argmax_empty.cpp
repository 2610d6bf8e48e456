// SPDX-License-Identifier: BSL-1.0
// rejects: attempt to get argmax of an empty sequence
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto wrong = [](auto x) { return ex::argmax(ex::zeros<float, 0>() + x(0, 0)); };

int main() { (void)ex::jit(wrong)(ex::array<float, 3, 4>()); }
