// SPDX-License-Identifier: BSL-1.0
// rejects: view: a dtype of another size needs a last axis: an array of rank 0 has none
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() { (void)ex::array<float>(1.0f).view(ex::int8); }
