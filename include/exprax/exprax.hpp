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

// clang has no macro for -fassociative-math and its like, but a pragma that turns them off for what is written here, wherever it is inlined.
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
#include <exprax/api/vmap_options.hpp>
#include <exprax/api/axes.hpp>
#include <exprax/api/vmap_call.hpp>
#include <exprax/api/carry.hpp>
#include <exprax/api/mistakes.hpp>
#include <exprax/api/trace.hpp>
#include <exprax/api/eval_shape.hpp>
#include <exprax/api/run.hpp>
#include <exprax/api/jit.hpp>
#include <exprax/api/evaluate.hpp>
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
#include <exprax/numpy/bitwise.hpp>
#include <exprax/numpy/complex.hpp>
#include <exprax/numpy/rounding.hpp>
#include <exprax/numpy/transcendental.hpp>
#include <exprax/numpy/float_parts.hpp>
#include <exprax/numpy/shaping.hpp>
#include <exprax/numpy/transpose.hpp>
#include <exprax/numpy/joining.hpp>
#include <exprax/numpy/creation.hpp>
#include <exprax/numpy/index_options.hpp>
#include <exprax/numpy/reductions.hpp>
#include <exprax/numpy/gather.hpp>
#include <exprax/numpy/indexing.hpp>
#include <exprax/numpy/update.hpp>
#include <exprax/numpy/at.hpp>
#include <exprax/numpy/dynamic.hpp>
#include <exprax/numpy/dynamic_in_dim.hpp>
#include <exprax/numpy/linalg.hpp>
#include <exprax/numpy/matmul.hpp>
#include <exprax/numpy/convolve.hpp>
#include <exprax/numpy/window_tags.hpp>
#include <exprax/numpy/conv.hpp>
#include <exprax/numpy/float_pairs.hpp>
#include <exprax/numpy/cumulative.hpp>
#include <exprax/numpy/argument_extrema.hpp>
#include <exprax/numpy/bind_several.hpp>
#include <exprax/numpy/sorting.hpp>
#include <exprax/numpy/bincount.hpp>
#include <exprax/numpy/nonzero.hpp>
#include <exprax/numpy/index_arrays.hpp>
#include <exprax/numpy/take.hpp>
#include <exprax/numpy/repeat.hpp>
#include <exprax/numpy/segments.hpp>
#include <exprax/numpy/index_tools.hpp>
#include <exprax/numpy/set_operations.hpp>
#include <exprax/numpy/combining.hpp>
#include <exprax/numpy/select_and_scatter.hpp>
#include <exprax/numpy/reduction_options.hpp>
#include <exprax/numpy/statistics.hpp>
#include <exprax/numpy/searching.hpp>
#include <exprax/numpy/partition.hpp>
#include <exprax/numpy/quantiles.hpp>
#include <exprax/numpy/differences.hpp>
#include <exprax/numpy/associative_scan.hpp>
#include <exprax/numpy/closeness.hpp>
#include <exprax/numpy/untyped.hpp>
#include <exprax/numpy/triangles.hpp>
#include <exprax/numpy/covariance.hpp>
#include <exprax/numpy/histograms.hpp>
#include <exprax/numpy/rolling.hpp>
#include <exprax/numpy/splitting.hpp>
#include <exprax/numpy/stacking.hpp>
#include <exprax/numpy/padding.hpp>
#include <exprax/numpy/grids.hpp>
#include <exprax/numpy/polynomials.hpp>
#include <exprax/numpy/products.hpp>
#include <exprax/numpy/choices.hpp>
#include <exprax/numpy/interpolation.hpp>
#include <exprax/numpy/windows.hpp>
#include <exprax/numpy/dot_general.hpp>
#include <exprax/numpy/einsum.hpp>
#include <exprax/numpy/conv_patches.hpp>
#include <exprax/numpy/lax.hpp>
#include <exprax/numpy/fft.hpp>
#include <exprax/numpy/fft_frequencies.hpp>
#include <exprax/numpy/triangular.hpp>
#include <exprax/numpy/lu.hpp>
#include <exprax/numpy/tensor_solve.hpp>
#include <exprax/numpy/qr.hpp>
#include <exprax/numpy/eigh.hpp>
#include <exprax/numpy/svd.hpp>
#include <exprax/numpy/norm.hpp>
#include <exprax/numpy/polynomial_fits.hpp>
#include <exprax/numpy/small_functions.hpp>
#include <exprax/numpy/spaces.hpp>
#include <exprax/numpy/matrix_functions.hpp>
#include <exprax/numpy/random_keys.hpp>
#include <exprax/numpy/random_bits.hpp>
#include <exprax/numpy/random_continuous.hpp>
#include <exprax/numpy/random_scaled.hpp>
#include <exprax/numpy/random_choice.hpp>
#include <exprax/numpy/identities.hpp>
#include <exprax/numpy/logsumexp.hpp>
#include <exprax/numpy/special.hpp>
#include <exprax/numpy/special_series.hpp>
#include <exprax/numpy/nn.hpp>
#include <exprax/numpy/nn_where.hpp>
#include <exprax/numpy/attention.hpp>
#include <exprax/numpy/initializers.hpp>
#include <exprax/numpy/random_gamma.hpp>
#include <exprax/numpy/random_discrete.hpp>
#include <exprax/numpy/random_compound.hpp>
#include <exprax/numpy/random_linalg.hpp>
#include <exprax/numpy/psum.hpp>
#include <exprax/numpy/all_gather.hpp>
#include <exprax/numpy/ppermute.hpp>
#include <exprax/numpy/lax_functions.hpp>
#include <exprax/numpy/core_signature.hpp>
#include <exprax/numpy/vectorize.hpp>
#include <exprax/numpy/ufuncs.hpp>

#undef EXPRAX_INLINE
#undef EXPRAX_LAMBDA_INLINE
#undef EXPRAX_TAKES

#if defined(__clang__) && (defined(__x86_64__) || defined(__i386__) || defined(__aarch64__))
#pragma float_control(pop)
#endif

#endif
