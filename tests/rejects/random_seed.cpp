// SPDX-License-Identifier: BSL-1.0
// rejects: random::key: accepts a scalar integer seed. Use ex::vmap for batching
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::random::key(ex::array<int, 2>{1, 2}); }
