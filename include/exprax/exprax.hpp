// SPDX-License-Identifier: BSL-1.0
// exprax: JAX's core as C++20 expression templates. Functions are traced while the C++ compiler runs; jit, vmap, scan and
// the functions of jax.numpy are in namespace exprax.
#pragma once

#include <exprax/api/eval_shape.hpp>
#include <exprax/api/jit.hpp>
#include <exprax/api/make_jaxpr.hpp>
#include <exprax/api/scan.hpp>
#include <exprax/api/vmap.hpp>
#include <exprax/numpy/at.hpp>
#include <exprax/numpy/closeness.hpp>
#include <exprax/numpy/convolve.hpp>
#include <exprax/numpy/creation.hpp>
#include <exprax/numpy/division.hpp>
#include <exprax/numpy/dynamic.hpp>
#include <exprax/numpy/elementwise.hpp>
#include <exprax/numpy/indexing.hpp>
#include <exprax/numpy/joining.hpp>
#include <exprax/numpy/linalg.hpp>
#include <exprax/numpy/operators.hpp>
#include <exprax/numpy/reductions.hpp>
#include <exprax/numpy/select.hpp>
#include <exprax/numpy/shaping.hpp>
#include <exprax/types/print.hpp>

#undef EXPRAX_INLINE
#undef EXPRAX_LAMBDA_INLINE
