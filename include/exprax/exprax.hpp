// SPDX-License-Identifier: BSL-1.0
// exprax: JAX's core as C++20 expression templates. Functions are traced while the C++ compiler runs; jit, vmap, scan and
// the functions of jax.numpy are in namespace exprax.
#pragma once

#if defined(__clang__) && __clang_major__ < 14
#error "exprax: this clang is too old: 14 or newer is needed (or g++ 12 or newer)"
#elif !defined(__clang__) && defined(__GNUC__) && __GNUC__ < 12
#error "exprax: this g++ is too old: 12 or newer is needed (or clang 14 or newer)"
#elif !defined(__GNUC__)
#error "exprax: a compiler with the extensions of GNU C++ is needed: g++ 12 or newer, or clang 14 or newer"
#elif __cplusplus < 202002L
#error "exprax: C++20 is needed: -std=c++20"
#else

#include <exprax/base/config.hpp>

// clang has no macro for -fassociative-math and its like, but a pragma that turns them off for what is written here, wherever it is
// inlined.
#if defined(__clang__) && (defined(__x86_64__) || defined(__i386__) || defined(__aarch64__))
#pragma float_control(precise, on, push)
#endif

// In the order in which they build on each other: compilers print through which headers one with an error was included.
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
#include <exprax/numpy/products/convolve.hpp>
#include <exprax/numpy/reductions/window_tags.hpp>
#include <exprax/numpy/products/conv.hpp>
#include <exprax/numpy/products/conv_transpose.hpp>
#include <exprax/numpy/elementwise/float_pairs.hpp>
#include <exprax/numpy/elementwise/gcd.hpp>
#include <exprax/numpy/reductions/cumulative.hpp>
#include <exprax/numpy/reductions/argument_extrema.hpp>
#include <exprax/numpy/core/bind_several.hpp>
#include <exprax/numpy/sorting/sorting.hpp>
#include <exprax/numpy/sorting/top_k.hpp>
#include <exprax/numpy/statistics/bincount.hpp>
#include <exprax/numpy/indexing/nonzero.hpp>
#include <exprax/numpy/indexing/index_arrays.hpp>
#include <exprax/numpy/indexing/take.hpp>
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
#include <exprax/numpy/reductions/reduction_options.hpp>
#include <exprax/numpy/statistics/statistics.hpp>
#include <exprax/numpy/statistics/nan_statistics.hpp>
#include <exprax/numpy/sorting/searching.hpp>
#include <exprax/numpy/sorting/partition.hpp>
#include <exprax/numpy/statistics/quantiles.hpp>
#include <exprax/numpy/reductions/differences.hpp>
#include <exprax/numpy/reductions/gradient.hpp>
#include <exprax/numpy/reductions/nan_cumulative.hpp>
#include <exprax/numpy/functional/associative_scan.hpp>
#include <exprax/numpy/elementwise/closeness.hpp>
#include <exprax/numpy/core/dynamic_shapes.hpp>
#include <exprax/numpy/shape/triangles.hpp>
#include <exprax/numpy/statistics/covariance.hpp>
#include <exprax/numpy/statistics/histograms.hpp>
#include <exprax/numpy/statistics/histogramdd.hpp>
#include <exprax/numpy/shape/rolling.hpp>
#include <exprax/numpy/shape/splitting.hpp>
#include <exprax/numpy/shape/stacking.hpp>
#include <exprax/numpy/shape/insertion.hpp>
#include <exprax/numpy/shape/pad_modes.hpp>
#include <exprax/numpy/shape/padding.hpp>
#include <exprax/numpy/core/asarray.hpp>
#include <exprax/numpy/core/grids.hpp>
#include <exprax/numpy/statistics/polynomials.hpp>
#include <exprax/numpy/products/cross.hpp>
#include <exprax/numpy/products/kron.hpp>
#include <exprax/numpy/products/vector_products.hpp>
#include <exprax/numpy/functional/piecewise.hpp>
#include <exprax/numpy/functional/apply_along_axis.hpp>
#include <exprax/numpy/statistics/interpolation.hpp>
#include <exprax/numpy/special/window_functions.hpp>
#include <exprax/numpy/products/dot_general.hpp>
#include <exprax/numpy/products/einsum.hpp>
#include <exprax/numpy/products/conv_patches.hpp>
#include <exprax/numpy/lax/elementwise.hpp>
#include <exprax/numpy/lax/shape.hpp>
#include <exprax/numpy/fft/fft_options.hpp>
#include <exprax/numpy/fft/fft.hpp>
#include <exprax/numpy/fft/fft_frequencies.hpp>
#include <exprax/numpy/linalg/triangular.hpp>
#include <exprax/numpy/linalg/elimination.hpp>
#include <exprax/numpy/linalg/lu.hpp>
#include <exprax/numpy/linalg/solve.hpp>
#include <exprax/numpy/linalg/determinant.hpp>
#include <exprax/numpy/linalg/tensor_solve.hpp>
#include <exprax/numpy/linalg/qr.hpp>
#include <exprax/numpy/linalg/eigh.hpp>
#include <exprax/numpy/linalg/svd.hpp>
#include <exprax/numpy/linalg/least_squares.hpp>
#include <exprax/numpy/linalg/norm.hpp>
#include <exprax/numpy/statistics/polynomial_fits.hpp>
#include <exprax/numpy/elementwise/packbits.hpp>
#include <exprax/numpy/core/spaces.hpp>
#include <exprax/numpy/linalg/matrix_functions.hpp>
#include <exprax/numpy/random/random_keys.hpp>
#include <exprax/numpy/random/random_bits.hpp>
#include <exprax/numpy/random/random_integers.hpp>
#include <exprax/numpy/random/random_continuous.hpp>
#include <exprax/numpy/random/random_scaled.hpp>
#include <exprax/numpy/random/random_permutation.hpp>
#include <exprax/numpy/random/random_choice.hpp>
#include <exprax/numpy/core/identities.hpp>
#include <exprax/numpy/reductions/logsumexp.hpp>
#include <exprax/numpy/special/special.hpp>
#include <exprax/numpy/special/bessel.hpp>
#include <exprax/numpy/special/special_series.hpp>
#include <exprax/numpy/nn/activations.hpp>
#include <exprax/numpy/nn/softmax.hpp>
#include <exprax/numpy/nn/nn_where.hpp>
#include <exprax/numpy/nn/attention.hpp>
#include <exprax/numpy/nn/initializers.hpp>
#include <exprax/numpy/random/random_gamma.hpp>
#include <exprax/numpy/random/random_discrete.hpp>
#include <exprax/numpy/random/random_compound.hpp>
#include <exprax/numpy/random/random_linalg.hpp>
#include <exprax/numpy/collectives/psum.hpp>
#include <exprax/numpy/collectives/all_gather.hpp>
#include <exprax/numpy/collectives/ppermute.hpp>
#include <exprax/numpy/lax/products.hpp>
#include <exprax/numpy/lax/reductions.hpp>
#include <exprax/numpy/lax/indexing.hpp>
#include <exprax/numpy/lax/collectives.hpp>
#include <exprax/numpy/lax/control.hpp>
#include <exprax/numpy/functional/core_signature.hpp>
#include <exprax/numpy/functional/vectorize.hpp>
#include <exprax/numpy/elementwise/ufuncs.hpp>

#undef EXPRAX_BROADCASTS
#undef EXPRAX_ALWAYS_INLINE
#undef EXPRAX_FLATTEN
#undef EXPRAX_INLINE
#undef EXPRAX_LAMBDA_INLINE
#undef EXPRAX_TAKES

#if defined(__clang__) && (defined(__x86_64__) || defined(__i386__) || defined(__aarch64__))
#pragma float_control(pop)
#endif

#endif
