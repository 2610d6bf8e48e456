// SPDX-License-Identifier: BSL-1.0
// Whether a callable can be traced, and called with given traced values: the errors that tracing would find too, but deep inside. They are
// found without the body of the callable, so that an error is short.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include <exprax/api/recorder.hpp>
#include <exprax/types/array.hpp>
#include <exprax/types/view.hpp>

namespace exprax::detail {

// Only its type is kept, so that the program is a constant of a type. A lambda that begins with [&] and captures nothing is empty, but not
// default-constructible.
template <class F>
inline constexpr bool is_stateless = std::is_empty_v<F> && std::is_default_constructible_v<F>;
template <class F>
inline constexpr bool is_a_function_object = !std::is_pointer_v<F>;

// Whether a parameter can be a traced value. Of functions that are no templates: `auto` makes them such.
template <class P>
inline constexpr bool takes_a_traced_value = !std::is_arithmetic_v<P>;
template <class T, int... D>
inline constexpr bool takes_a_traced_value<array<T, D...>> = false;
template <class T, int... D>
inline constexpr bool takes_a_traced_value<view<T, D...>> = false;
template <class Call>
inline constexpr bool takes_traced_values = true;
template <class R, class... P>
inline constexpr bool takes_traced_values<R (*)(P...)> = (takes_a_traced_value<std::remove_cvref_t<P>> && ...);
template <class R, class F, class... P>
inline constexpr bool takes_traced_values<R (F::*)(P...) const> = takes_traced_values<R (*)(P...)>;
template <class R, class F, class... P>
inline constexpr bool takes_traced_values<R (F::*)(P...) const noexcept> = takes_traced_values<R (*)(P...)>;
template <class F>
constexpr bool has_parameters_for_traced_values() {
  if constexpr (requires { &F::operator(); }) return takes_traced_values<decltype(&F::operator())>;
  else return takes_traced_values<F>;
}

template <class F>
constexpr bool check_stateless() {
  constexpr bool traceable = has_parameters_for_traced_values<F>(), is_object = is_a_function_object<F>;
  static_assert(is_a_function_object<F>,
                "exprax: this callable is a pointer, whose type does not say to which function: give a function object or a lambda, as in "
                "[](auto x) { return f(x); }, and make f a template: auto f(auto x)");
  static_assert(!is_object || traceable,
                "exprax: a parameter of this callable has the type of an array or of a number. While it is traced, its arguments are "
                "traced values, which have types of their own: write auto, as in [](auto x)");
  static_assert(!is_object || !traceable || is_stateless<F>,
                "exprax: this callable has state: a lambda captures values (or begins with [&] or [=]), or a function object has members. "
                "Pass them as arguments, or give the callable as a static constexpr object: ex::jit<f>(). Only on traced values, inside of "
                "a traced function, it may have state");
  return is_stateless<F> && traceable;
}

template <class F, class... Args>
concept callable_with = requires(recorder_t<F> const& f, Args&... args) { f(args...); };

// F and a second call operator. Overload resolution between the two is ambiguous where it may choose that of F: the second one is better
// for the object, and worse for each argument. So it does not need the result of F, and with it the body of a generic lambda.
template <class F>
struct with_another_call : F {
  using F::operator();
  void operator()(...);
};
template <class F, class... Args>
concept may_be_chosen = !requires(with_another_call<F>& f, Args&... args) { f(args...); };

// An argument for parameters of any type; one for parameters that are numbers or arrays. Traced values convert to those too, for the error
// of a use that needs a value.
struct of_unknown_type {};
struct not_traced {
  template <class P>
    requires(!takes_a_traced_value<P>)
  operator P() const;
};
// Whether a parameter of F takes a number or an array in place of the traced value.
template <class F, class Tuple, class Indices>
inline constexpr bool has_a_parameter_of_another_type = false;
template <class F, class... Args, std::size_t... I>
inline constexpr bool has_a_parameter_of_another_type<F, std::tuple<Args...>, std::index_sequence<I...>> = [] {
  auto const at = []<std::size_t K>(std::integral_constant<std::size_t, K>) {
    return may_be_chosen<F, std::conditional_t<I == K, not_traced, Args>...> &&
           !may_be_chosen<F, std::conditional_t<I == K, of_unknown_type, Args>...>;
  };
  return (at(std::integral_constant<std::size_t, I>()) || ...);
}();

template <class F, class... Args>
inline constexpr bool accepts = callable_with<F, Args...>;
template <class F, class First, class... Args>
  requires(std::is_class_v<recorder_t<F>> && !std::is_final_v<recorder_t<F>>)
inline constexpr bool accepts<F, First, Args...> = [] {
  using function = recorder_t<F>;
  if constexpr (may_be_chosen<function, of_unknown_type, std::conditional_t<false, Args, of_unknown_type>...>) return true;
  else
    return may_be_chosen<function, First, Args...> &&
           !has_a_parameter_of_another_type<function, std::tuple<First, Args...>, std::index_sequence_for<First, Args...>>;
}();

// Whether F can be called with these traced values. Compilers print the types with the static_asserts.
template <class F, class... Args>
inline constexpr bool can_be_called = has_parameters_for_traced_values<F>() && accepts<F, Args...>;
template <class F, class Args>
inline constexpr bool can_be_applied = false;
template <class F, class... Args>
inline constexpr bool can_be_applied<F, std::tuple<Args...>> = can_be_called<F, Args...>;

template <class F, class... Args>
constexpr bool check_callable() {
  static_assert(can_be_called<F, Args...>, EXPRAX_ARGUMENTS("this function", "these arguments"));
  return can_be_called<F, Args...>;
}

// The result of a call after such an error: it accepts all uses, so that no further error follows.
struct after_a_mistake {
  template <class... Args>
  after_a_mistake operator()(Args const&...) const;
  template <class T>
  operator T() const;
  template <class Stream>
  friend Stream& operator<<(Stream& out, after_a_mistake) {
    return out;
  }
};

}  // namespace exprax::detail
