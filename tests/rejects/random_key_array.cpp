// SPDX-License-Identifier: BSL-1.0
// rejects: accepts a single key, but was given an array of keys. Use ex::vmap for batching
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::random::uniform<3>(ex::random::split(ex::random::key(0))); }
