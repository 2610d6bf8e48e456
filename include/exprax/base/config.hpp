// SPDX-License-Identifier: BSL-1.0
// The only macros of exprax. EXPRAX_SIMD (0 or 1) chooses between xsimd packs and width-1 code. EXPRAX_FMA (0 or 1): whether a product
// and a sum are rounded once; if it is not set, they are where the target does that in hardware (types/fused.hpp). EXPRAX_ENABLE_X64 (0 or 1;
// jax_enable_x64) makes C++ numbers weak values of 64 bits and lets integers meet in such. All other macros are undefined
// again at the end of the umbrella header.
#pragma once

// Such flags change what the operators of C++ mean, in ways that no function can take back: comparisons with NaN, signed zeros, sums that
// are exact on purpose. What clang does not tell by a macro, the umbrella takes back.
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || \
    defined(__NO_SIGNED_ZEROS__)
#error "exprax: -ffast-math, -Ofast or a part of them (-ffinite-math-only, -fassociative-math, -freciprocal-math, -fno-signed-zeros) is on, and would \
change the results: compile the sources that include exprax without it (-fno-fast-math; -fno-math-errno and -fno-trapping-math are fine)"
#endif

#ifndef EXPRAX_SIMD
// Not for 32-bit NEON, which has no doubles and takes subnormal numbers for zeros.
#if defined(__SSE2__) || (defined(__ARM_NEON) && defined(__aarch64__))
#define EXPRAX_SIMD 1
#else
#define EXPRAX_SIMD 0
#endif
#endif

#ifndef EXPRAX_ENABLE_X64
#define EXPRAX_ENABLE_X64 0
#endif

// What must vanish into its caller: steps of kernels, pack operations.
#define EXPRAX_INLINE [[gnu::always_inline]] inline
// The same for a lambda: stands between its parameters and its body.
#define EXPRAX_LAMBDA_INLINE __attribute__((always_inline))
