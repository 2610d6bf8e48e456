// SPDX-License-Identifier: BSL-1.0
// The only macros of exprax. EXPRAX_SIMD (0 or 1) chooses between xsimd packs and width-1 code. EXPRAX_FMA (0 or 1) says whether a product
// and a sum are rounded once; by default they are where the target has the instruction (math/fused.hpp). EXPRAX_ENABLE_X64 (0 or 1;
// jax_enable_x64) makes C++ numbers weak 64-bit values and lets integers promote to 64 bits. All other macros are undefined at the end of
// the umbrella header.
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

// Thin wrappers around a kernel, which are inlined into the user's function.
#define EXPRAX_ALWAYS_INLINE [[gnu::always_inline]] inline
// Parts of kernels: steps, pack operations. They are inlined into the function that runs a plan, which is EXPRAX_FLATTEN. g++ optimizes an
// always_inline function also by itself, with all that it calls, so that a chain of twenty costs twenty times its end; but its flatten
// inlines what is called at any depth. Flatten of clang inlines direct calls only. What shall stay a call in a kernel is gnu::noinline.
// EXPRAX_LAMBDA_INLINE: the same for a lambda; goes between its parameters and its body.
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#define EXPRAX_INLINE inline
#define EXPRAX_LAMBDA_INLINE
#define EXPRAX_FLATTEN [[gnu::flatten]] inline
#else
#define EXPRAX_INLINE [[gnu::always_inline]] inline
#define EXPRAX_LAMBDA_INLINE __attribute__((always_inline))
#define EXPRAX_FLATTEN inline
#endif
// Starts the body of a function that takes options (base/options.hpp): EXPRAX_TAKES("sum", "axis, keepdims", Options...) return ...; An
// option that is not in the list, is repeated or contradicts another is an error that names the function and the list; the statement is
// then discarded. A macro, because static_assert in C++20 takes only string literals.
#define EXPRAX_TAKES(function, list, ...)                                                                                              \
  using options_verdict = ::exprax::detail::verdict_on_options<list __VA_OPT__(, ) __VA_ARGS__>;                                       \
  static_assert(::exprax::detail::options_are_tags<options_verdict>,                                                                   \
                "exprax: " function ": an option is a tag, such as ex::padding_same, not a text, \"SAME\"; it takes " list);           \
  static_assert(::exprax::detail::options_are_known<options_verdict>, "exprax: " function ": unknown option; it takes " list);         \
  static_assert(::exprax::detail::options_are_given_once<options_verdict>, "exprax: " function ": repeated option; it takes " list);   \
  static_assert(::exprax::detail::options_agree<options_verdict>, "exprax: " function ": options that contradict; it takes " list);    \
  if constexpr (::exprax::detail::are_accepted<options_verdict>)
// The first line of a function whose operands broadcast: EXPRAX_BROADCASTS("add", A, B); with their types (numpy/core/broadcasting.hpp).
#define EXPRAX_BROADCASTS(function, ...)                                                                                               \
  static_assert(::exprax::detail::broadcasts<__VA_ARGS__>,                                                                             \
                "exprax: " function ": shapes do not broadcast: counted from the last axis, sizes must be equal or 1")
