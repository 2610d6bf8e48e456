// SPDX-License-Identifier: BSL-1.0
// rejects: lax.split: the sizes must not be negative and add up to the size of the axis
#include <exprax/exprax.hpp>

int main() {
  exprax::array<float, 5> x;
  (void)exprax::lax::split<2, 2>(x);
}
