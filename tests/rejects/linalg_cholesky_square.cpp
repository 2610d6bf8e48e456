// SPDX-License-Identifier: BSL-1.0
// rejects: linalg.cholesky: the argument must be square matrices
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto factor = [](auto a) { return ex::linalg::cholesky(a); };

int main() { (void)ex::jit(factor)(ex::array<float, 3, 4>()); }
