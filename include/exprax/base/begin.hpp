// SPDX-License-Identifier: BSL-1.0
// The first lines of each head (exprax.hpp, core.hpp, ...): no #pragma once. end.hpp is the last.
#if defined(__clang__) && __clang_major__ < 14
#define EXPRAX_UNSUPPORTED
#error "exprax: this clang is too old: 14 or newer is needed (or g++ 12 or newer)"
#elif !defined(__clang__) && defined(__GNUC__) && __GNUC__ < 12
#define EXPRAX_UNSUPPORTED
#error "exprax: this g++ is too old: 12 or newer is needed (or clang 14 or newer)"
#elif !defined(__GNUC__)
#define EXPRAX_UNSUPPORTED
#error "exprax: a compiler with the extensions of GNU C++ is needed: g++ 12 or newer, or clang 14 or newer"
#elif __cplusplus < 202002L
#define EXPRAX_UNSUPPORTED
#error "exprax: C++20 is needed: -std=c++20"
#endif

#include <exprax/base/macros.hpp>

// clang has no macro for -fassociative-math and its like, but a pragma that turns them off for what is written here, wherever it is
// inlined.
#if defined(__clang__) && (defined(__x86_64__) || defined(__i386__) || defined(__aarch64__))
#pragma float_control(precise, on, push)
#endif
