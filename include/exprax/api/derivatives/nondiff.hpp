// SPDX-License-Identifier: BSL-1.0
// nondiff_argnums<k...>: arguments of a custom_jvp or custom_vjp that are not differentiated, such as functions and constants.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include <exprax/base/names.hpp>

namespace exprax {

template <int... K>
struct nondiff_argnums_t {};
// Arguments of custom_jvp and custom_vjp that are not differentiated: of any type, such as functions. Rules get them first: rule(k...,
// primals, tangents), bwd(k..., residuals, cotangent); fwd takes all arguments as the function does.
template <int... K>
inline constexpr nondiff_argnums_t<K...> nondiff_argnums{};

namespace detail {

// f with some of its arguments, those with the numbers K; it is called with the others.
template <class F, class Numbers, class... Given>
struct with_arguments;
template <class F, int... K, class... Given>
struct with_arguments<F, nondiff_argnums_t<K...>, Given...> {
  [[no_unique_address]] F f;
  [[no_unique_address]] std::tuple<Given...> given;

  template <class... X>
  constexpr auto operator()(X const&... x) const {
    return call(std::tie(x...), std::make_index_sequence<sizeof...(K) + sizeof...(X)>{});
  }

 private:
  // Of argument i: its place among the given ones, or -1 - its place among the others.
  static constexpr int place(int i) {
    int at = 0, below = 0, found = -1;
    ((found = K == i ? at : found, below += K < i, ++at), ...);
    return found >= 0 ? found : below - i - 1;
  }
  template <int Place, class Others>
  constexpr auto const& argument(Others const& others) const {
    if constexpr (Place >= 0) return std::get<Place>(given);
    else return std::get<-1 - Place>(others);
  }
  template <class Others, std::size_t... I>
  constexpr auto call(Others const& others, std::index_sequence<I...>) const {
    return f(argument<place(static_cast<int>(I))>(others)...);
  }
};
template <class F, class Numbers, class... Given>
inline constexpr std::string_view function_name<with_arguments<F, Numbers, Given...>> = function_name<F>;

// The arguments with the numbers K, and the others: as tuples.
template <int... K, class... Args>
constexpr auto given_arguments(nondiff_argnums_t<K...>, Args const&... args) {
  return std::make_tuple(std::get<K>(std::tie(args...))...);
}
template <int K0, int... K>
constexpr bool is_one_of(nondiff_argnums_t<K...>) {
  return ((K0 == K) || ...);
}
template <class Numbers, std::size_t... I, class... Args>
constexpr auto other_arguments(std::index_sequence<I...>, Args const&... args) {
  auto const one = [](auto number, auto const& x) {
    if constexpr (is_one_of<static_cast<int>(decltype(number)::value)>(Numbers{})) return std::tuple<>{};
    else return std::make_tuple(x);
  };
  return std::tuple_cat(one(std::integral_constant<std::size_t, I>{}, args)...);
}

// A function that takes some arguments by themselves: make(given...) is a function of the others.
template <class Numbers, class Make>
struct function_of_some {
  [[no_unique_address]] Make make;

  template <class... Args>
  constexpr auto operator()(Args const&... args) const {
    auto const others = other_arguments<Numbers>(std::index_sequence_for<Args...>{}, args...);
    return std::apply([&](auto const&... given) { return std::apply(make(given...), others); }, given_arguments(Numbers{}, args...));
  }
};
// (given...) -> the rule on them and what follows.
template <class Rule, class... Given>
struct rule_behind {
  [[no_unique_address]] Rule rule;
  [[no_unique_address]] std::tuple<Given...> given;

  template <class... X>
  constexpr auto operator()(X const&... x) const {
    return std::apply([&](auto const&... g) { return rule(g..., x...); }, given);
  }
};

}  // namespace detail

}  // namespace exprax
