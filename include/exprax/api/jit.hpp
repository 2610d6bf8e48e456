// SPDX-License-Identifier: BSL-1.0
// jit(f): f on arrays, traced and compiled when the call is instantiated (jax.jit); on traced values a jit equation.
//
//   jit(f)            an object for a stateless callable; inside a traced function f may have captures, whose traced values become
//                     the first operands of the equation
//   jit<f>()          for a static constexpr object f, whose name the jaxpr shows; it may have captures. jit<f>(x) calls it
//   jit(f, inline_)   no jit equation: the equations of f take its place
//   static_<5>        an argument that f reads as a constant
// Arguments that are donated: api/donate.hpp.
#pragma once

#include <exprax/api/call.hpp>
#include <exprax/api/deferred.hpp>
#include <exprax/api/run_into.hpp>

namespace exprax {

struct inline_t {};
inline constexpr inline_t inline_{};

// Bytes of arguments, results, and of temporary memory in a call (jax.stages.Compiled.memory_analysis).
struct memory_analysis_t {
  std::ptrdiff_t argument_size_in_bytes = 0;
  std::ptrdiff_t output_size_in_bytes = 0;
  std::ptrdiff_t temp_size_in_bytes = 0;
};

template <class F>
struct lower_t;  // api/lower.hpp

namespace detail {

template <class... Args>
constexpr bool check_arguments() {
  return (check_tree<Args>() && ...);
}

constexpr std::ptrdiff_t bytes_of(program_ref p, span<int> values) {
  std::ptrdiff_t n = 0;
  for (int v : values) n += p.type(v).size() * size_of(p.type(v).type);
  return n;
}

// F: a stateless callable.
template <class F, bool Inline = false>
struct jitted {
  // Arrays, views and numbers give arrays; traced values give traced values. The storage of a moved-in array may be reused for the result.
  template <class... Args>
  constexpr auto operator()(Args&&... args) const {
    if constexpr (check_stateless<F>() && check_arguments<std::remove_cvref_t<Args>...>()) {
      if constexpr (!can_be_called<F, to_expr_t<std::remove_cvref_t<Args>>...>) {
        static_assert(can_be_called<F, to_expr_t<std::remove_cvref_t<Args>>...>, EXPRAX_ARGUMENTS("this function", "these arguments"));
        return after_an_error<Args...>();
      } else if constexpr (is_free<Args...> && holds_deferred<Args...>) {
        return defer<jitted>([&] { return record(args...); }, args...);
      } else if constexpr (!in_a_trace<Args...>) {
        // First the result of F on traced values, and then whether F can be traced at all. No alias of a template for it: the fewer
        // templates are between an error and the user's call, the shorter is its text.
        using result [[maybe_unused]] =
            decltype(std::declval<recorder_t<F> const&>()(std::declval<to_expr_t<std::remove_cvref_t<Args>>&>()...));
        using program = traced_with<F, std::remove_cvref_t<Args>...>;
        constexpr bool constant [[maybe_unused]] = program::constant;
        if constexpr (std::is_same_v<typename program::wrong, nothing_returned>) return after_a_mistake{};
        else if constexpr (callable_with<F, to_expr_t<Args>...>) return run<program, Args...>(args...);
        else return after_a_mistake{};
      } else {
        return record(args...);
      }
    }
  }

  template <class... Args>
  static constexpr auto record(Args const&... args) {
    if constexpr (Inline) return inlined(std::make_tuple(lift_tree(args)...));
    else return record_jit(function_name<F>, F{}, args...);
  }
  template <class Args>
  static constexpr auto inlined(Args args) {
    return lift_result(F{}, args);
  }

  // Results go to memory that the caller owns: an array, a view, or a tuple of them (std::tie). It may be that of an argument. Kernels that
  // read each element just before writing it check and copy nothing: if a result view partially overlaps an argument, they may read
  // elements already overwritten.
  template <class Out, class... Args>
  EXPRAX_ALWAYS_INLINE constexpr void into(Out&& out, Args const&... args) const {
    if constexpr (can_trace<F, Args...>()) {
      using result [[maybe_unused]] = decltype(std::declval<recorder_t<F> const&>()(std::declval<to_expr_t<Args>&>()...));
      constexpr bool constant [[maybe_unused]] = traced_with<F, Args...>::constant;
      using program = traced_with<F, Args...>;
      static_assert(
          !constant || same_avals<leaves_t<std::remove_cvref_t<Out>>, leaves_t<typename program::result>>,
          "exprax: into: the number, dtypes and shapes of the outputs must be those of the function's results (ex::eval_shape tells them)");
      static_assert(is_writable<Out>,
                    "exprax: into: an output is constant: the results go to arrays that are neither const nor constexpr, or to a view<T>");
      if constexpr (is_writable<Out>) run_into_any<program>(out, args...);
    }
  }

  template <class... Args>
  constexpr memory_analysis_t memory_analysis(Args const&...) const {
    using program = compiled<traced_with<F, Args...>>;
    constexpr program_ref p = program::ref;
    return {bytes_of(p, p.ins(p.main())), bytes_of(p, p.outs(p.main())), planned<program>::sizes.scratch};
  }
  // lower(f)(args...) (api/lower.hpp).
  template <class... Args>
  constexpr auto lower(Args const&... args) const {
    return lower_t<F>{}(args...);
  }
};

template <class F, bool Inline>
inline constexpr std::string_view function_name<jitted<F, Inline>> = function_name<F>;
template <class F, bool Inline, class... Args>
inline constexpr bool can_be_called<jitted<F, Inline>, Args...> = can_be_called<F, Args...>;

// F: a callable with state, for calls on traced values.
template <class F, bool Inline>
struct jitted_closure {
  F f;

  template <class... Args>
  constexpr auto operator()(Args const&... args) const {
    if constexpr (!in_a_trace<Args...>) static_cast<void>(check_stateless<F>());
    else if constexpr (check_arguments<Args...>()) {
      if constexpr (!can_be_called<F, to_expr_t<Args>...>) {
        static_assert(can_be_called<F, to_expr_t<Args>...>, EXPRAX_ARGUMENTS("this function", "these arguments"));
        return none;  // after the error: avoids further ones
      } else if constexpr (Inline) {
        auto lifted = std::make_tuple(lift_tree(args)...);
        return lift_result(f, lifted);
      } else {
        return record_jit(function_name<F>, f, args...);
      }
    }
  }
  template <class Out, class... Args>
  constexpr void into(Out&&, Args const&...) const {
    static_cast<void>(check_stateless<F>());
  }
  template <class... Args>
  constexpr memory_analysis_t memory_analysis(Args const&...) const {
    static_cast<void>(check_stateless<F>());
    return {};
  }
};
template <class F, bool Inline>
inline constexpr std::string_view function_name<jitted_closure<F, Inline>> = function_name<F>;

template <bool Inline, class F>
constexpr auto jit_of(F const& f) {
  if constexpr (is_stateless<F>) return jitted<F, Inline>{};
  else return jitted_closure<F, Inline>{f};
}

}  // namespace detail

template <class F>
constexpr auto jit(F f) {
  return detail::jit_of<false>(f);
}
template <class F>
constexpr auto jit(F f, inline_t) {
  return detail::jit_of<true>(f);
}
template <auto const& Object>
constexpr detail::jitted<detail::object_ref<Object>> jit() {
  return {};
}
template <auto const& Object>
constexpr detail::jitted<detail::object_ref<Object>, true> jit(inline_t) {
  return {};
}
// jit<f>(x...) is jit<f>()(x...).
template <auto const& Object, class First, class... Args>
constexpr auto jit(First const& first, Args const&... args) {
  return detail::jitted<detail::object_ref<Object>>{}(first, args...);
}

}  // namespace exprax
