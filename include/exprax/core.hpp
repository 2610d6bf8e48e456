// SPDX-License-Identifier: BSL-1.0
// exprax's core: tracing, jit, vmap, control flow, pytrees, texts, and of NumPy operators, elementwise functions, creation, shapes,
// indexing, reductions, products and sorting. A part of exprax.hpp that compiles faster.
#pragma once

#include <exprax/base/config.hpp>

#include <exprax/base/begin.hpp>
#ifndef EXPRAX_UNSUPPORTED

#include <exprax/types/dtype.hpp>
#include <exprax/types/extents.hpp>
#include <exprax/types/storage.hpp>
#include <exprax/types/view.hpp>
#include <exprax/types/print.hpp>
#include <exprax/pytree/node.hpp>
#include <exprax/pytree/tree.hpp>
#include <exprax/program/expr.hpp>
#include <exprax/api/vmap/vmap_options.hpp>
#include <exprax/api/vmap/axes.hpp>
#include <exprax/api/vmap/vmap_call.hpp>
#include <exprax/api/control/carry.hpp>
#include <exprax/api/mistakes.hpp>
#include <exprax/api/trace.hpp>
#include <exprax/api/eval_shape.hpp>
#include <exprax/api/leaves.hpp>
#include <exprax/api/run.hpp>
#include <exprax/api/run_into.hpp>
#include <exprax/api/jit.hpp>
#include <exprax/api/evaluate.hpp>
#include <exprax/api/make_jaxpr.hpp>
#include <exprax/api/debug_print.hpp>
#include <exprax/api/control/control.hpp>
#include <exprax/api/lower.hpp>
#include <exprax/api/control/scan.hpp>
#include <exprax/api/control/while_loop.hpp>
#include <exprax/api/control/fori_loop.hpp>
#include <exprax/api/control/branches.hpp>
#include <exprax/api/control/cond.hpp>
#include <exprax/api/control/switch.hpp>
#include <exprax/api/vmap/vmap.hpp>
#include <exprax/api/control/map.hpp>
#include <exprax/numpy/core/tags.hpp>
#include <exprax/numpy/core/operand.hpp>
#include <exprax/numpy/core/broadcasting.hpp>
#include <exprax/numpy/elementwise/elementwise.hpp>
#include <exprax/numpy/elementwise/arithmetic.hpp>
#include <exprax/numpy/elementwise/select.hpp>
#include <exprax/numpy/elementwise/division.hpp>
#include <exprax/numpy/core/operators.hpp>
#include <exprax/numpy/elementwise/bitwise.hpp>
#include <exprax/numpy/elementwise/complex.hpp>
#include <exprax/numpy/elementwise/rounding.hpp>
#include <exprax/numpy/elementwise/transcendental.hpp>
#include <exprax/numpy/elementwise/float_parts.hpp>
#include <exprax/numpy/shape/shaping.hpp>
#include <exprax/numpy/shape/transpose.hpp>
#include <exprax/numpy/shape/joining.hpp>
#include <exprax/numpy/core/creation.hpp>
#include <exprax/numpy/indexing/index_options.hpp>
#include <exprax/numpy/reductions/reductions.hpp>
#include <exprax/numpy/indexing/gather.hpp>
#include <exprax/numpy/indexing/indexing.hpp>
#include <exprax/numpy/indexing/update.hpp>
#include <exprax/numpy/indexing/at_ref.hpp>
#include <exprax/numpy/indexing/at.hpp>
#include <exprax/numpy/indexing/dynamic.hpp>
#include <exprax/numpy/indexing/dynamic_in_dim.hpp>
#include <exprax/numpy/products/dot.hpp>
#include <exprax/numpy/products/matmul.hpp>
#include <exprax/numpy/reductions/cumulative.hpp>
#include <exprax/numpy/reductions/argument_extrema.hpp>
#include <exprax/numpy/sorting/sorting.hpp>
#include <exprax/numpy/indexing/take.hpp>
#include <exprax/numpy/reductions/reduction_options.hpp>
#include <exprax/numpy/statistics/statistics.hpp>
#include <exprax/numpy/functional/associative_scan.hpp>
#include <exprax/numpy/elementwise/closeness.hpp>
#include <exprax/numpy/shape/triangles.hpp>
#include <exprax/numpy/shape/splitting.hpp>
#include <exprax/numpy/shape/stacking.hpp>
#include <exprax/numpy/core/asarray.hpp>
#include <exprax/numpy/core/grids.hpp>
#include <exprax/numpy/products/dot_general.hpp>
#include <exprax/numpy/products/einsum.hpp>

#include <exprax/base/end.hpp>
#endif
