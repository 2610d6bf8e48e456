// SPDX-License-Identifier: BSL-1.0
// The only macros of exprax. EXPRAX_SIMD (0 or 1) chooses between xsimd packs and width-1 code. EXPRAX_ENABLE_X64 (0 or 1;
// jax_enable_x64) makes C++ numbers weak values of 64 bits and lets integers meet in such. All other macros are undefined
// again at the end of the umbrella header.
#pragma once

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
