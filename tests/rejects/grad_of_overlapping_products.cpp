// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: scatter_mul gradients are only implemented if the indices are unique: say so by ex::unique_indices
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  ex::jit(ex::grad([](auto u, auto i) { return ex::sum(ex::ones<3>().at(i).multiply(u)); }))(ex::array<float, 2>{1, 2}, ex::array<int, 2>{1, 1});
}
