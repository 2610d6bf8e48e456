// SPDX-License-Identifier: BSL-1.0
// rejects: The size argument of jnp.nonzero must be statically specified to use jnp.nonzero within JAX transformations
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto energy = [](auto r, auto q) {
  auto ij = ex::nonzero(ex::abs(r(ex::all, ex::newaxis) - r) <= 0.2f);
  return ex::sum(q(std::get<0>(ij)) * q(std::get<1>(ij)));
};

int main() { (void)ex::jit(energy)(ex::array<float, 4>(), ex::array<float, 4>()); }
