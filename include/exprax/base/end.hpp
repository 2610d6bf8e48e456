// SPDX-License-Identifier: BSL-1.0
// The last lines of each head, which undo those of begin.hpp.
#undef EXPRAX_ALWAYS_INLINE
#undef EXPRAX_ARGUMENTS
#undef EXPRAX_FLATTEN
#undef EXPRAX_OPTIMIZED
#undef EXPRAX_INLINE
#undef EXPRAX_LAMBDA_INLINE
#undef EXPRAX_OTHER_TYPE
#undef EXPRAX_REFUSES_NUMBERS
#undef EXPRAX_SHAPES
#undef EXPRAX_TAKES

#if defined(__clang__) && (defined(__x86_64__) || defined(__i386__) || defined(__aarch64__))
#pragma float_control(pop)
#endif
