/* SPDX-License-Identifier: BSL-1.0 */
/* The kernels of 18_c_abi.cpp, called from C. */
#include <stdio.h>

#include "18_c_abi.h"

int main(void) {
  /* x w = (0.5, 1, 0) */
  float const x[4] = {1, 2, 3, 4}, w[4][3] = {{0.5f, 0, 0}, {0, 0.5f, 0}, {0, 0, 0}, {0, 0, 0}}, b[3] = {0, 0, 0};
  float out[3], gradient[3];
  static float xs[64][4], outs[64][3];
  layer(x, w[0], b, out);
  printf("tanh of (0.5, 1, 0): %.4f %.4f %.4f\n", out[0], out[1], out[2]);
  layer_gradient(x, w[0], b, gradient);
  printf("its derivative:      %.4f %.4f %.4f\n", gradient[0], gradient[1], gradient[2]);
  for (int i = 0; i < 64; ++i) xs[i][0] = (float)i;
  layer_of_64(xs[0], w[0], b, outs[0]);
  printf("tanh of 0.5 in a batch: %.4f\n", outs[1][0]);
  return 0;
}
