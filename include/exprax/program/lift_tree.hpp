// SPDX-License-Identifier: BSL-1.0
// Pytrees of traced values: the traced types of argument leaves, and conversion between trees and handles.
#pragma once

#include <exprax/program/lift.hpp>
#include <exprax/pytree/tree.hpp>

namespace exprax::detail {

// array, view and spec become an expr, a C++ number becomes a weak scalar.
template <class Leaf>
struct to_expr;
template <class T, int... D>
struct to_expr<expr<T, D...>> {
  using type = expr<T, D...>;
};
template <class Source, class T, int... D>
struct to_expr<deferred<Source, T, D...>> {
  using type = expr<T, D...>;
};
template <class T, int... D>
struct to_expr<array<T, D...>> {
  using type = expr<canonical_t<T>, D...>;
};
template <bool Equal, int... D>
struct to_expr<compared_elements<Equal, D...>> {
  using type = expr<bool, D...>;
};
template <class T, int... D>
struct to_expr<view<T, D...>> {
  using type = expr<canonical_t<std::remove_const_t<T>>, D...>;
};
template <class T, int... D>
struct to_expr<spec_t<T, D...>> {
  using type = expr<canonical_t<T>, D...>;
};
template <>
struct to_expr<prng_key> {
  using type = expr<prng_key>;
};
template <scalar S>
struct to_expr<S> {
  using type = expr<literal_t<S>>;
};

template <class Tree>
using to_expr_t = map_t<std::remove_cvref_t<Tree>, to_expr>;

struct lift_leaf {
  template <class X>
  constexpr lifted_t<X> operator()(X const& x) const {
    return lift(x);
  }
};
// The same tree with an expr at each leaf.
template <class Tree>
constexpr auto lift_tree(Tree const& t) {
  static_assert(check_tree<Tree>());
  return map_values(lift_leaf{}, t);
}
template <class Tree>
struct lifted_tree {
  using type = decltype(lift_tree(std::declval<Tree const&>()));
};
template <>
struct lifted_tree<void> {
  using type = none_t;  // callers that need a result report the error
};
template <class Tree>
using lifted_tree_t = typename lifted_tree<Tree>::type;

// Appends the handles of all leaves.
template <class Tree>
constexpr void push_handles(arena<handle>& to, Tree const& t) {
  for_each_leaf(t, [&](auto const& x) { to.push(expr_access::get(x)); });
}
template <class Tree>
constexpr arena<handle> handles_of(Tree const& t) {
  arena<handle> r;
  push_handles(r, t);
  return r;
}
// Gives each leaf the handle that next(aval of the leaf) returns.
template <class Tree, class Next>
constexpr void assign_leaves(Tree& t, Next const& next) {
  for_each_leaf(t, [&](auto& x) { expr_access::set(x, next(std::remove_cvref_t<decltype(x)>::type)); });
}

// Whether a function has assigned to its parameters, whose values were the inputs from index k on.
template <class Tree, class Inputs>
constexpr bool was_assigned(Tree const& t, Inputs const& inputs, int& k) {
  bool any = false;
  for_each_leaf(t, [&](auto const& x) { any = expr_access::differs(x, inputs[k++]) || any; });
  return any;
}

// f(elements of the tuple...): std::apply, with fewer levels in error texts.
template <class F, class... T, std::size_t... I>
constexpr decltype(auto) call_with(F const& f, std::tuple<T...>& args, std::index_sequence<I...>) {
  return f(std::get<I>(args)...);
}
template <class F, class... T>
constexpr decltype(auto) call_with(F const& f, std::tuple<T...>& args) {
  return call_with(f, args, std::index_sequence_for<T...>{});
}

// The result of a function, with an expr at each leaf; a function that returns void (it prints) has no results.
template <class R>
struct lifted_result {
  using type = lifted_tree_t<std::remove_cvref_t<R>>;
};
template <>
struct lifted_result<void> {
  using type = none_t;
};
template <class R>
using lifted_result_t = typename lifted_result<R>::type;
template <class F, class... T>
constexpr auto lift_result(F const& f, std::tuple<T...>& args) {
  if constexpr (std::is_void_v<decltype(call_with(f, args))>) {
    call_with(f, args);
    return none;
  } else {
    return lift_tree(call_with(f, args));
  }
}

}  // namespace exprax::detail
