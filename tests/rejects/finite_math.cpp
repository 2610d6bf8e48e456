// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: -ffast-math, -Ofast or a part of them .* compile the sources that include exprax without it
// flags: -ffinite-math-only
#include <exprax/exprax.hpp>

int main() {}
