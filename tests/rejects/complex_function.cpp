// SPDX-License-Identifier: BSL-1.0
// rejects: this function does not accept complex numbers \(P names it\): take ex::real, ex::imag or ex::abs first
// lines: 28
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto root = [](auto x) { return ex::cbrt(x); };

int main() { (void)ex::jit(root)(ex::array<std::complex<float>, 3>()); }
