/* SPDX-License-Identifier: BSL-1.0 */
/* What 18_c_abi.cpp gives to C, to Python, and to whatever calls C. */
#ifdef __cplusplus
extern "C" {
#endif

/* out[3] = tanh(x[4] * w[4][3] + b[3]) */
void layer(float const* x, float const* w, float const* b, float* out);
/* The same for 64 rows of x. */
void layer_of_64(float const* x, float const* w, float const* b, float* out);
/* The gradient of the sum of out with respect to b. */
void layer_gradient(float const* x, float const* w, float const* b, float* gradient);

#ifdef __cplusplus
}
#endif
