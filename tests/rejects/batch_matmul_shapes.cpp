// SPDX-License-Identifier: BSL-1.0
// rejects: lax.batch_matmul: both arguments need the same batch dimensions
#include <exprax/exprax.hpp>

int main() {
  exprax::array<float, 2, 3, 4> x;
  exprax::array<float, 1, 4, 3> y;
  (void)exprax::lax::batch_matmul(x, y);
}
