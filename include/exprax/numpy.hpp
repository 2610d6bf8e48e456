// SPDX-License-Identifier: BSL-1.0
// jax.numpy. With core.hpp. A part of exprax.hpp that compiles faster.
#pragma once

#include <exprax/core.hpp>

#include <exprax/base/begin.hpp>
#ifndef EXPRAX_UNSUPPORTED

#include <exprax/numpy/products/convolve.hpp>
#include <exprax/numpy/reductions/window_tags.hpp>
#include <exprax/numpy/products/conv.hpp>
#include <exprax/numpy/products/conv_transpose.hpp>
#include <exprax/numpy/elementwise/float_pairs.hpp>
#include <exprax/numpy/elementwise/gcd.hpp>
#include <exprax/numpy/core/bind_several.hpp>
#include <exprax/numpy/sorting/top_k.hpp>
#include <exprax/numpy/statistics/bincount.hpp>
#include <exprax/numpy/indexing/nonzero.hpp>
#include <exprax/numpy/indexing/index_arrays.hpp>
#include <exprax/numpy/indexing/unpacking.hpp>
#include <exprax/numpy/shape/repeat.hpp>
#include <exprax/numpy/indexing/segments.hpp>
#include <exprax/numpy/indexing/triangle_indices.hpp>
#include <exprax/numpy/indexing/ravel.hpp>
#include <exprax/numpy/indexing/choose.hpp>
#include <exprax/numpy/indexing/put.hpp>
#include <exprax/numpy/sorting/unique.hpp>
#include <exprax/numpy/sorting/set_operations.hpp>
#include <exprax/numpy/reductions/reduce_by.hpp>
#include <exprax/numpy/reductions/reduce_window.hpp>
#include <exprax/numpy/sorting/sort_by.hpp>
#include <exprax/numpy/indexing/select_and_scatter.hpp>
#include <exprax/numpy/statistics/nan_statistics.hpp>
#include <exprax/numpy/sorting/searching.hpp>
#include <exprax/numpy/sorting/partition.hpp>
#include <exprax/numpy/statistics/quantiles.hpp>
#include <exprax/numpy/reductions/differences.hpp>
#include <exprax/numpy/reductions/gradient.hpp>
#include <exprax/numpy/reductions/nan_cumulative.hpp>
#include <exprax/numpy/core/dynamic_shapes.hpp>
#include <exprax/numpy/statistics/covariance.hpp>
#include <exprax/numpy/statistics/histograms.hpp>
#include <exprax/numpy/statistics/histogramdd.hpp>
#include <exprax/numpy/shape/rolling.hpp>
#include <exprax/numpy/shape/insertion.hpp>
#include <exprax/numpy/shape/pad_modes.hpp>
#include <exprax/numpy/shape/padding.hpp>
#include <exprax/numpy/statistics/polynomials.hpp>
#include <exprax/numpy/products/cross.hpp>
#include <exprax/numpy/products/kron.hpp>
#include <exprax/numpy/products/vector_products.hpp>
#include <exprax/numpy/core/result_type.hpp>
#include <exprax/numpy/functional/piecewise.hpp>
#include <exprax/numpy/functional/ravel_pytree.hpp>
#include <exprax/numpy/functional/apply_along_axis.hpp>
#include <exprax/numpy/statistics/interpolation.hpp>
#include <exprax/numpy/products/conv_patches.hpp>
#include <exprax/numpy/statistics/polynomial_fits.hpp>
#include <exprax/numpy/elementwise/packbits.hpp>
#include <exprax/numpy/core/spaces.hpp>
#include <exprax/numpy/core/identities.hpp>
#include <exprax/numpy/reductions/logsumexp.hpp>
#include <exprax/numpy/functional/core_signature.hpp>
#include <exprax/numpy/functional/vectorize.hpp>
#include <exprax/numpy/elementwise/ufuncs.hpp>
#include <exprax/numpy/more_methods.hpp>

#include <exprax/base/end.hpp>
#endif
