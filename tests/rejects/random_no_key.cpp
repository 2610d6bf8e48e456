// SPDX-License-Identifier: BSL-1.0
// rejects: the first argument must be a key: ex::random::key\(seed\), or the uint32\[2\] of ex::random::PRNGKey\(seed\)
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::random::normal<3>(42); }
