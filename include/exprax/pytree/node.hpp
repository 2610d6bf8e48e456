// SPDX-License-Identifier: BSL-1.0
// The parts of a pytree: leaves (numbers, arrays, views, specs, traced values), constants such as static_<5>, which are not leaves, and
// nodes: std::tuple, std::pair, std::array, and plain aggregates over a template Array,
//
//   template <template <class, auto...> class Array> struct dense { Array<float, 64, 32> w; Array<float, 32> b; };
//
// node<T> gives the number of children, child<I>(t), and make<R>(children...), a node of the same kind.
#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include <exprax/types/array.hpp>
#include <exprax/types/spec.hpp>
#include <exprax/types/static_int.hpp>
#include <exprax/types/view.hpp>

namespace exprax {

template <class T, int... Dims>
class expr;
template <class Source, class T, int... Dims>
class deferred;

namespace detail {

template <class T>
inline constexpr bool is_leaf = is_number_type<T>;
template <>
inline constexpr bool is_leaf<prng_key> = true;
template <class T, int... D>
inline constexpr bool is_leaf<array<T, D...>> = true;
template <class T, int... D>
inline constexpr bool is_leaf<view<T, D...>> = true;
template <bool Equal, int... D>
inline constexpr bool is_leaf<compared_elements<Equal, D...>> = true;
template <class T, int... D>
inline constexpr bool is_leaf<spec_t<T, D...>> = true;
template <class T, int... D>
inline constexpr bool is_leaf<expr<T, D...>> = true;
template <class Source, class T, int... D>
inline constexpr bool is_leaf<deferred<Source, T, D...>> = true;

// Neither a leaf nor a node: static arguments, and none.
template <class T>
inline constexpr bool is_empty_tree = static_constant<T> || std::is_same_v<T, none_t>;

// The number of members of an aggregate: the largest number of initializers that it takes. (Fewer may be invalid: a view has no default.)
struct anything {
  template <class T>
  constexpr operator T() const;
};
template <class T, class Indices>
inline constexpr bool takes = false;
template <class T, std::size_t... I>
  requires requires { T{(static_cast<void>(I), std::declval<anything>())...}; }
inline constexpr bool takes<T, std::index_sequence<I...>> = true;
inline constexpr int max_members = 12;
template <class T, int N = max_members + 1>
constexpr int count_members() {
  if constexpr (N == 0 || takes<T, std::make_index_sequence<N>>) return N;
  else return count_members<T, N - 1>();
}

template <class S>
constexpr auto members(S& s) {
  constexpr int n = count_members<std::remove_const_t<S>>();
  static_assert(n <= max_members, "exprax: a struct in a pytree has at most 12 members: group them in structs");
  if constexpr (n == 0) {
    return std::tuple<>();
  } else if constexpr (n == 1) {
    auto& [a] = s;
    return std::tie(a);
  } else if constexpr (n == 2) {
    auto& [a, b] = s;
    return std::tie(a, b);
  } else if constexpr (n == 3) {
    auto& [a, b, c] = s;
    return std::tie(a, b, c);
  } else if constexpr (n == 4) {
    auto& [a, b, c, d] = s;
    return std::tie(a, b, c, d);
  } else if constexpr (n == 5) {
    auto& [a, b, c, d, e] = s;
    return std::tie(a, b, c, d, e);
  } else if constexpr (n == 6) {
    auto& [a, b, c, d, e, f] = s;
    return std::tie(a, b, c, d, e, f);
  } else if constexpr (n == 7) {
    auto& [a, b, c, d, e, f, g] = s;
    return std::tie(a, b, c, d, e, f, g);
  } else if constexpr (n == 8) {
    auto& [a, b, c, d, e, f, g, h] = s;
    return std::tie(a, b, c, d, e, f, g, h);
  } else if constexpr (n == 9) {
    auto& [a, b, c, d, e, f, g, h, i] = s;
    return std::tie(a, b, c, d, e, f, g, h, i);
  } else if constexpr (n == 10) {
    auto& [a, b, c, d, e, f, g, h, i, j] = s;
    return std::tie(a, b, c, d, e, f, g, h, i, j);
  } else if constexpr (n == 11) {
    auto& [a, b, c, d, e, f, g, h, i, j, k] = s;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k);
  } else if constexpr (n == 12) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l] = s;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l);
  }
}

template <class T>
struct node;

template <class... T>
struct node<std::tuple<T...>> {
  static constexpr std::size_t size = sizeof...(T);
  template <std::size_t I, class Tree>
  static constexpr auto& child(Tree& t) {
    return std::get<I>(t);
  }
  template <class... R>
  static constexpr std::tuple<std::remove_cvref_t<R>...> make(R&&... r) {
    return std::tuple<std::remove_cvref_t<R>...>(std::forward<R>(r)...);
  }
};
template <class A, class B>
struct node<std::pair<A, B>> {
  static constexpr std::size_t size = 2;
  template <std::size_t I, class Tree>
  static constexpr auto& child(Tree& t) {
    return std::get<I>(t);
  }
  template <class X, class Y>
  static constexpr std::pair<std::remove_cvref_t<X>, std::remove_cvref_t<Y>> make(X&& x, Y&& y) {
    return {std::forward<X>(x), std::forward<Y>(y)};
  }
};
template <class T, std::size_t N>
struct node<std::array<T, N>> {
  static constexpr std::size_t size = N;
  template <std::size_t I, class Tree>
  static constexpr auto& child(Tree& t) {
    return t[I];
  }
  template <class R, class... Same>
  static constexpr std::array<std::remove_cvref_t<R>, N> make(R&& r, Same&&... same) {
    return {{std::forward<R>(r), std::forward<Same>(same)...}};
  }
};

// A struct over Array. pytree/tree.hpp changes its members by another Array.
template <template <template <class, auto...> class> class S, template <class, auto...> class Array>
struct node<S<Array>> {
  static constexpr bool is_struct = true;
  static constexpr std::size_t size = count_members<S<Array>>();
  template <std::size_t I, class Tree>
  static constexpr auto& child(Tree& t) {
    return std::get<I>(members(t));
  }
};

template <class T>
concept tree_node = requires { node<T>::size; };

template <class T>
concept struct_node = requires { node<T>::is_struct; };

template <class T>
inline constexpr bool is_tree = is_leaf<T> || is_empty_tree<T> || tree_node<T>;

template <class T, class = std::make_index_sequence<node<T>::size>>
inline constexpr bool children_are_trees = false;
template <class T>
constexpr bool check_tree();
template <class T, std::size_t... I>
inline constexpr bool children_are_trees<T, std::index_sequence<I...>> =
    (check_tree<std::remove_cvref_t<decltype(node<T>::template child<I>(std::declval<T&>()))>>() && ...);

// True, or a readable error.
template <class T>
constexpr bool check_tree() {
  static_assert(
      is_tree<T>,
      "exprax: this type cannot be an argument, a result or a carry: use arrays, views of your memory (ex::view<float, 3>(vector)), "
      "numbers, std::tuple, std::pair, std::array, Hana tuples or maps, or a struct that is a template over Array: template <template "
      "<class, auto...> class Array> struct s { Array<float, 3> x; };");
  if constexpr (tree_node<T>) return children_are_trees<T>;
  else return is_tree<T>;
}

}  // namespace detail

}  // namespace exprax
