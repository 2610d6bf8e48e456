// SPDX-License-Identifier: BSL-1.0
// rejects: lax::complex: the parts must be float32 or float64
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto made = [](auto x, auto y) { return ex::lax::complex(x, y); };

int main() { (void)ex::jit(made)(ex::array<int, 3>(), ex::array<float, 3>()); }
