// SPDX-License-Identifier: BSL-1.0
// defer: a call without arrays and traced values, as both an array and a traced value (program/deferred.hpp). Inside a trace its equations
// are recorded. Outside, its elements are those of jit of the call.
#pragma once

#include <exprax/api/run.hpp>
#include <exprax/program/deferred.hpp>
#include <exprax/types/print.hpp>

namespace exprax {

namespace detail {

template <class List>
inline constexpr bool any_traced = false;
template <class... Leaf>
inline constexpr bool any_traced<type_list<Leaf...>> = (is_plain_expr<Leaf> || ...);
template <class List>
inline constexpr bool any_deferred = false;
template <class... Leaf>
inline constexpr bool any_deferred<type_list<Leaf...>> = (is_deferred<Leaf> || ...);
template <class List>
inline constexpr bool any_stored = false;
template <class... Leaf>
inline constexpr bool any_stored<type_list<Leaf...>> = (false || ... || (!is_expr<Leaf> && !scalar<Leaf>));

// Whether arguments contain a traced value; whether they contain neither a traced value nor an array.
template <class... Args>
inline constexpr bool in_a_trace = (any_traced<leaves_t<std::remove_cvref_t<Args>>> || ...);
template <class... Args>
inline constexpr bool is_free = !in_a_trace<Args...> && !(any_stored<leaves_t<std::remove_cvref_t<Args>>> || ...);
template <class... Args>
inline constexpr bool holds_deferred = (any_deferred<leaves_t<std::remove_cvref_t<Args>>> || ...);

// What a call of these arguments returns after an error, so that no further ones follow.
template <class... Args>
constexpr auto after_an_error() {
  if constexpr (in_a_trace<Args...>) return none;
  else return after_a_mistake{};
}

// F: a stateless callable; Args: its arguments, trees of numbers, constants, and other deferred values; Results: a tree of arrays.
template <class F, class Results, class... Args>
struct deferred_call {
  int refs = 0;
  std::tuple<Args...> args;
  computed_once<Results> results{};

  constexpr explicit deferred_call(Args const&... a) : args(a...) {}

  // Leaf `number`, which is an Array.
  template <class Array>
  constexpr Array const& result(int k) {
    auto const& all = results.get(
        [this] { return std::apply([](Args const&... a) { return run<traced_with<F, Args...>, Args const&...>(a...); }, args); });
    Array const* found = nullptr;
    for_each_leaf(all, [&](auto const& leaf) {
      if constexpr (std::is_same_v<decltype(leaf), Array const&>) found = k == 0 ? &leaf : found;
      --k;
    });
    return *found;
  }
  // The same as a traced value, outside of a trace.
  template <class Traced>
  Traced record(int k) {
    Traced found;
    auto const all = std::apply([](Args const&... a) { return lift_tree(F{}(lift_tree(a)...)); }, args);
    for_each_leaf(all, [&](auto const& leaf) {
      if constexpr (std::is_same_v<decltype(leaf), Traced const&>)
        if (k == 0) found = leaf;
      --k;
    });
    return found;
  }
};

// Adds the call to a traced result.
template <class Call>
struct attach {
  shared<Call> const& call;
  template <class T, int... D>
  constexpr auto operator()(expr<T, D...> const& x) const {
    return deferred<result_of<Call>, T, D...>(x, {call});
  }
};

// record() records the call of F on args, and returns the traced results.
template <class F, class Record, class... Args>
constexpr auto defer(Record const& record, Args const&... args) {
  using traced = lifted_tree_t<std::remove_cvref_t<decltype(record())>>;
  using call = deferred_call<F, to_array_t<traced>, Args...>;
  traced recorded{};
  if (__builtin_is_constant_evaluated()) recorded = lift_tree(record());
  auto results = map_values(attach<call>{shared<call>(new call(args...))}, recorded);
  int k = 0;  // compilers differ in the order in which nodes are created
  for_each_leaf(results, [&](auto& leaf) { leaf.source_.number = k++; });
  return results;
}

// f(x...) for a function that creates an array from numbers; on traced values it is recorded in their trace.
template <class F, class... X>
constexpr auto created(F const& f, X const&... x) {
  if constexpr (is_free<X...>) return defer<F>([&] { return f(x...); }, x...);
  else return f(x...);
}

}  // namespace detail

template <class Source, class T, int... D>
constexpr array<strong_t<T>, D...> evaluate(deferred<Source, T, D...> const& x) {
  return x.elements();
}
template <class Source, class T, int... D>
constexpr detail::text_buffer array_str(deferred<Source, T, D...> const& x, printoptions const& options = {}) {
  return array_str(x.elements(), options);
}
template <class Source, class T, int... D>
constexpr detail::text_buffer array_repr(deferred<Source, T, D...> const& x, printoptions const& options = {}) {
  return array_repr(x.elements(), options);
}
template <detail::stream Stream, class Source, class T, int... D>
Stream& operator<<(Stream& out, deferred<Source, T, D...> const& x) {
  return out << x.elements();
}

}  // namespace exprax
