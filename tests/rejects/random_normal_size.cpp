// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: random::normal: sizes are part of types: write ex::random::normal<3>\(key\), or ex::random::normal\(key, ex::shape<3>\)
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::random::normal(ex::random::key(0), 2, 3); }
