// SPDX-License-Identifier: BSL-1.0
// Macros of exprax's own headers. They are defined again for each head that is included: no #pragma once.
// As a system header g++ shows an error in a macro where the macro stands, in 9 lines less.
#pragma GCC system_header

// Thin wrappers around a kernel, which are inlined into the user's function.
#define EXPRAX_ALWAYS_INLINE [[gnu::always_inline]] inline
// Parts of kernels: steps, pack operations. They are inlined into the function that runs a plan, which is EXPRAX_FLATTEN. g++ optimizes an
// always_inline function also by itself, with all that it calls, so that a chain of twenty costs twenty times its end; but its flatten
// inlines what is called at any depth. Flatten of clang inlines direct calls only. What shall stay a call in a kernel is gnu::noinline.
// EXPRAX_LAMBDA_INLINE: the same for a lambda; goes between its parameters and its body. Without optimization (-O0) g++ optimizes the
// functions that run plans all the same, with what is always_inline in them: they take a third to a fortieth of the time.
// EXPRAX_OPTIMIZED, before EXPRAX_FLATTEN: g++ compiles this function at -O3, also where the user's level is -Og, -O1 or -O2. It is never
// inlined into functions of another level, so it is for functions that stay calls. Unrolling and jamming loops is left out: kernels are
// unrolled as planned, and g++ would jam the rows of a product, whose accumulators then leave the registers.
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__)
#define EXPRAX_OPTIMIZED [[gnu::optimize("O3", "no-loop-unroll-and-jam")]]
#else
#define EXPRAX_OPTIMIZED
#endif
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#define EXPRAX_INLINE inline
#define EXPRAX_LAMBDA_INLINE
#define EXPRAX_FLATTEN [[gnu::flatten]] inline
#else
#define EXPRAX_INLINE [[gnu::always_inline]] inline
#define EXPRAX_LAMBDA_INLINE __attribute__((always_inline))
#if defined(__GNUC__) && !defined(__clang__)
#define EXPRAX_FLATTEN [[gnu::optimize("O2")]] inline
#else
#define EXPRAX_FLATTEN inline
#endif
#endif
// Starts the body of a function that takes options (base/options.hpp): EXPRAX_TAKES("sum", "axis, keepdims", Options...) return ...; An
// option that is not in the list, is repeated or contradicts another is an error that names the function and the list; the statement is
// then discarded. A macro, because static_assert in C++20 takes only string literals.
#define EXPRAX_TAKES(function, list, ...)                                                                                              \
  using options_verdict = ::exprax::detail::verdict_on_options<list __VA_OPT__(, ) __VA_ARGS__>;                                       \
  static_assert(::exprax::detail::options_are_tags<options_verdict>,                                                                   \
                "exprax: " function ": an option is a tag, such as ex::padding_same, not a text, \"SAME\"; it takes " list);           \
  static_assert(::exprax::detail::options_are_no_numbers<options_verdict>,                                                             \
                "exprax: " function ": axes and sizes are template arguments, as in ex::axis<0>, not numbers; it takes " list);        \
  static_assert(::exprax::detail::options_are_known<options_verdict>, "exprax: " function ": unknown option; it takes " list);         \
  static_assert(::exprax::detail::options_are_given_once<options_verdict>, "exprax: " function ": repeated option; it takes " list);   \
  static_assert(::exprax::detail::options_agree<options_verdict>, "exprax: " function ": options that contradict; it takes " list);    \
  if constexpr (::exprax::detail::are_accepted<options_verdict>)
// The first line of a function whose operands broadcast: static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("add")); with their types
// (numpy/core/broadcasting.hpp). The condition stands outside of the macro, so that compilers show none.
#define EXPRAX_SHAPES(function) \
  "exprax: " function ": shapes do not broadcast: counted from the last axis, sizes must be equal or 1"
// A member of a function object: a call with a number behind arrays, where NumPy takes an axis, is an error that says how to write it. As
// EXPRAX_REFUSES_NUMBERS("flip", "axes are parts of types: write ex::flip(x, ex::axis<0>)").
#define EXPRAX_REFUSES_NUMBERS(function, cure)                                                                                          \
  template <class X, class... Rest>                                                                                                     \
    requires(::exprax::detail::end_in_a_number<Rest...>)                                                                                \
  constexpr auto operator()(X const&, Rest const&...) const {                                                                           \
    static_assert(::exprax::detail::are_template_arguments<Rest...>, "exprax: " function ": " cure);                                    \
    return 0;                                                                                                                           \
  }
// The assignment of a value of another type to a traced variable.
#define EXPRAX_OTHER_TYPE                                                                                                              \
  "exprax: v = w: w has another dtype or shape than v, whose type stays: write auto u = w. A C++ number as the carry of a loop, 0.0f, " \
  "is weak: begin with ex::float32(0)"
// What to say where detail::can_be_called<F, Args...> does not hold, as EXPRAX_ARGUMENTS("grad: the function", "these arguments"): the same
// way (api/check_callable.hpp).
#define EXPRAX_ARGUMENTS(function, arguments)                                                                                      \
  "exprax: " function " cannot be called with " arguments ", whose types this message names: it takes another number of them, or a " \
  "parameter is not auto"
