// SPDX-License-Identifier: BSL-1.0
// rejects: tree_unflatten: as many leaves as the structure has
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::tree_unflatten(ex::tree_structure(ex::tuple(1, 2)), ex::tuple(1)); }
