// SPDX-License-Identifier: BSL-1.0
// rejects: keys of random numbers \(key<fry>\) do not compute
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto next = [](auto key) { return key + 1; };

int main() { (void)ex::jit(next)(ex::random::key(0)); }
