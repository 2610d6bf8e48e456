// SPDX-License-Identifier: BSL-1.0
// rejects: fft: the axes must be in range, different from each other
#include <exprax/exprax.hpp>

int main() {
  exprax::array<float, 2, 3> x;
  (void)exprax::fft::fft2(x, exprax::axis<1, 1>);
}
