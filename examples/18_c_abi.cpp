// SPDX-License-Identifier: BSL-1.0
// Kernels as plain C functions in a shared library: views wrap the caller's memory, and into() writes the results there, so nothing is
// copied and nothing allocated. 18_c_abi.c calls them from C, 18_c_abi.py by ctypes, 18_c_abi_numpy.py with NumPy's arrays.
#include <exprax/core.hpp>

#include "18_c_abi.h"

namespace ex = exprax;

constexpr auto apply = [](auto x, auto w, auto b) { return ex::tanh(ex::dot(x, w) + b); };
constexpr auto apply_to_rows = ex::vmap(apply, ex::in_axes<0, ex::none, ex::none>);
constexpr auto total = [](auto x, auto w, auto b) { return ex::sum(apply(x, w, b)); };

using weights = ex::view<float const, 4, 3>;
using bias = ex::view<float const, 3>;

void layer(float const* x, float const* w, float const* b, float* out) {
  ex::jit(apply).into(ex::view<float, 3>(out), ex::view<float const, 4>(x), weights(w), bias(b));
}

void layer_of_64(float const* x, float const* w, float const* b, float* out) {
  ex::jit(apply_to_rows).into(ex::view<float, 64, 3>(out), ex::view<float const, 64, 4>(x), weights(w), bias(b));
}

void layer_gradient(float const* x, float const* w, float const* b, float* gradient) {
  ex::jit(ex::grad(total, ex::argnums<2>)).into(ex::view<float, 3>(gradient), ex::view<float const, 4>(x), weights(w), bias(b));
}
