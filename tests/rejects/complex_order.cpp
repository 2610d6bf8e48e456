// SPDX-License-Identifier: BSL-1.0
// rejects: clip: complex values have no ordering and cannot be clipped
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto bounded = [](auto x) { return ex::clip(x, 0, 1); };

int main() { (void)ex::jit(bounded)(ex::array<std::complex<float>, 3>()); }
