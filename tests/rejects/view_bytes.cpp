// SPDX-License-Identifier: BSL-1.0
// rejects: view: the bytes of the last axis are no multiple of the larger dtype
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::array<std::int8_t, 2, 3>().view(ex::float32); }
