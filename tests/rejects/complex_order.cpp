// SPDX-License-Identifier: BSL-1.0
// rejects: this function does not accept complex numbers \(P names it\), which have no order
// within: 12 3
// lines: 28
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto larger = [](auto x, auto y) { return ex::maximum(x, y); };

int main() { (void)ex::jit(larger)(ex::array<std::complex<float>, 3>(), ex::array<std::complex<float>, 3>()); }
