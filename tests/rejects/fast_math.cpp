// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: -ffast-math, -Ofast or a part of them .* compile the sources that include exprax without it
// flags: -ffast-math
#include <exprax/exprax.hpp>

int main() {}
