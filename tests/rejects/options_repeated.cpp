// SPDX-License-Identifier: BSL-1.0
// rejects: sum: repeated option; it takes axis<...>, dtype_<T>, keepdims, initial\(v\), where_\(mask\)
#include <exprax/exprax.hpp>

int main() { (void)exprax::sum(exprax::array<float, 3, 4>(), exprax::keepdims, exprax::axis<0>, exprax::keepdims); }
