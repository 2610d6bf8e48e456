// SPDX-License-Identifier: BSL-1.0
// rejects: linalg.lu_solve: lu must be a square matrix, and b a vector or a matrix with as many rows
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto solve = [](auto x, auto b) { return ex::linalg::lu_solve(ex::linalg::lu_factor(x), b); };

int main() { (void)ex::jit(solve)(ex::array<float, 3, 3>(), ex::array<float, 2, 3, 1>()); }
