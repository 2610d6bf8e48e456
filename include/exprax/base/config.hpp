// SPDX-License-Identifier: BSL-1.0
// The only macros of exprax. EXPRAX_SIMD (0 or 1) chooses between xsimd packs and width-1 code. EXPRAX_FMA (0 or 1) says whether a product
// and a sum are rounded once; by default they are where the target has the instruction (math/fused.hpp). EXPRAX_ENABLE_X64 (0 or 1;
// jax_enable_x64) makes C++ numbers weak 64-bit values and lets integers promote to 64 bits. EXPRAX_DISABLE_JIT (0 or 1; jax_disable_jit)
// runs functions by the reference interpreter (api/interpreted.hpp). EXPRAX_STACK_SCRATCH says up to how many bytes the scratch memory of a
// kernel is on the stack (emit/kernels/scratch.hpp). EXPRAX_THREADS (0 or 1; by default 1 with -fopenmp or EXPRAX_ONETBB) says whether
// threads share large kernels (emit/kernels/threads.hpp), EXPRAX_ONETBB (0 or 1) that they are oneTBB's instead of OpenMP's. Those of
// macros.hpp are undefined at the end of each head.
#pragma once

// These flags change the meaning of C++ operators in ways that no function can undo: comparisons with NaN, signed zeros, sums that rely on
// exact rounding. Where clang defines no macro for a flag, the umbrella header turns it off by a pragma.
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || defined(__ASSOCIATIVE_MATH__) || \
    defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error \
    "exprax: -ffast-math, -Ofast or a part of them (-ffinite-math-only, -fassociative-math, -freciprocal-math, \
-fno-signed-zeros) is on, and would change the results: compile the sources that include exprax without it \
(-fno-fast-math; -fno-math-errno and -fno-trapping-math are fine)"
#endif

#ifndef EXPRAX_SIMD
// Not for 32-bit NEON, which has no doubles and flushes subnormal numbers to zero.
#if defined(__SSE2__) || (defined(__ARM_NEON) && defined(__aarch64__))
#define EXPRAX_SIMD 1
#else
#define EXPRAX_SIMD 0
#endif
#endif

#ifndef EXPRAX_ENABLE_X64
#define EXPRAX_ENABLE_X64 0
#endif

#ifndef EXPRAX_ONETBB
#define EXPRAX_ONETBB 0
#endif

#ifndef EXPRAX_THREADS
#if defined(_OPENMP) || EXPRAX_ONETBB
#define EXPRAX_THREADS 1
#else
#define EXPRAX_THREADS 0
#endif
#endif

#ifndef EXPRAX_STACK_SCRATCH
#define EXPRAX_STACK_SCRATCH (128 * 1024)
#endif

#ifndef EXPRAX_DISABLE_JIT
#define EXPRAX_DISABLE_JIT 0
#endif

#include <exprax/base/macros.hpp>
