// SPDX-License-Identifier: BSL-1.0
// exprax: JAX's core as C++20 expression templates. Functions are traced while the C++ compiler runs; jit, vmap, scan and
// the functions of jax.numpy are in namespace exprax.
#pragma once

// In the order in which they build on each other: compilers print through which headers one with an error was included.
#include <exprax/types/dtype.hpp>
#include <exprax/types/extents.hpp>
#include <exprax/types/storage.hpp>
#include <exprax/types/view.hpp>
#include <exprax/types/print.hpp>
#include <exprax/pytree/node.hpp>
#include <exprax/pytree/tree.hpp>
#include <exprax/program/expr.hpp>
#include <exprax/api/vmap_options.hpp>
#include <exprax/api/axes.hpp>
#include <exprax/api/vmap_call.hpp>
#include <exprax/api/carry.hpp>
#include <exprax/api/mistakes.hpp>
#include <exprax/api/trace.hpp>
#include <exprax/api/eval_shape.hpp>
#include <exprax/api/run.hpp>
#include <exprax/api/jit.hpp>
#include <exprax/api/make_jaxpr.hpp>
#include <exprax/api/debug_print.hpp>
#include <exprax/api/control.hpp>
#include <exprax/api/lower.hpp>
#include <exprax/api/scan.hpp>
#include <exprax/api/while_loop.hpp>
#include <exprax/api/fori_loop.hpp>
#include <exprax/api/branches.hpp>
#include <exprax/api/cond.hpp>
#include <exprax/api/switch.hpp>
#include <exprax/api/vmap.hpp>
#include <exprax/api/map.hpp>
#include <exprax/numpy/tags.hpp>
#include <exprax/numpy/operand.hpp>
#include <exprax/numpy/broadcasting.hpp>
#include <exprax/numpy/elementwise.hpp>
#include <exprax/numpy/arithmetic.hpp>
#include <exprax/numpy/select.hpp>
#include <exprax/numpy/division.hpp>
#include <exprax/numpy/operators.hpp>
#include <exprax/numpy/shaping.hpp>
#include <exprax/numpy/transpose.hpp>
#include <exprax/numpy/joining.hpp>
#include <exprax/numpy/creation.hpp>
#include <exprax/numpy/indexing.hpp>
#include <exprax/numpy/update.hpp>
#include <exprax/numpy/at.hpp>
#include <exprax/numpy/dynamic.hpp>
#include <exprax/numpy/linalg.hpp>
#include <exprax/numpy/matmul.hpp>
#include <exprax/numpy/convolve.hpp>
#include <exprax/numpy/window_tags.hpp>
#include <exprax/numpy/conv.hpp>
#include <exprax/numpy/reductions.hpp>
#include <exprax/numpy/cumulative.hpp>
#include <exprax/numpy/associative_scan.hpp>
#include <exprax/numpy/closeness.hpp>
#include <exprax/numpy/psum.hpp>
#include <exprax/numpy/all_gather.hpp>
#include <exprax/numpy/ppermute.hpp>
#include <exprax/numpy/core_signature.hpp>
#include <exprax/numpy/vectorize.hpp>

#undef EXPRAX_INLINE
#undef EXPRAX_LAMBDA_INLINE
