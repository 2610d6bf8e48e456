// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: random::split: sizes are part of types: write ex::random::split<3>\(key\), or ex::random::split\(key, ex::shape<3>\)
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::random::split(ex::random::key(0), 4); }
