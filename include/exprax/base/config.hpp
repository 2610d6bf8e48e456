// SPDX-License-Identifier: BSL-1.0
// The only macros of exprax. EXPRAX_SIMD (0 or 1) chooses between xsimd packs and width-1 code; all other macros
// are undefined again at the end of the umbrella header.
#pragma once

#ifndef EXPRAX_SIMD
#if defined(__SSE2__) || defined(__ARM_NEON)
#define EXPRAX_SIMD 1
#else
#define EXPRAX_SIMD 0
#endif
#endif

// What must vanish into its caller: steps of kernels, pack operations.
#define EXPRAX_INLINE [[gnu::always_inline]] inline
// The same for a lambda: stands between its parameters and its body.
#define EXPRAX_LAMBDA_INLINE __attribute__((always_inline))
