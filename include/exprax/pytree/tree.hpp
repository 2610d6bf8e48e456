// SPDX-License-Identifier: BSL-1.0
// Pytrees (jax.tree): tuple, get, tree_map, tree_leaves, and for the library: a loop over leaves, and the tree's type after a change of all
// leaves.
#pragma once

#include <exprax/pytree/hana.hpp>
#include <exprax/pytree/node.hpp>

namespace exprax {

// A tuple of values; traced functions return their results as tuples.
template <class... T>
constexpr std::tuple<T...> tuple(T const&... values) {
  return std::tuple<T...>(values...);
}

// Child I of any node: a tuple, pair, array, struct, or map.
template <std::size_t I, class Tree>
constexpr auto& get(Tree const& t) {
  return detail::node<Tree>::template child<I>(t);
}

namespace detail {

template <class Tree, class F>
constexpr void for_each_leaf(Tree& t, F&& f);

template <class Tree, class F, std::size_t... I>
constexpr void for_each_child(Tree& t, F& f, std::index_sequence<I...>) {
  (for_each_leaf(node<std::remove_const_t<Tree>>::template child<I>(t), f), ...);
}
template <class Tree, class F>
constexpr void for_each_leaf(Tree& t, F&& f) {
  using type = std::remove_const_t<Tree>;
  if constexpr (is_leaf<type>) f(t);
  else if constexpr (tree_node<type>) for_each_child(t, f, std::make_index_sequence<node<type>::size>{});
}

template <class... T>
struct type_list {
  static constexpr int size = static_cast<int>(sizeof...(T));
};
template <class... Lists>
struct concat;
template <class List>
struct concat<List> {
  using type = List;
};
template <class... A, class... B, class... Rest>
struct concat<type_list<A...>, type_list<B...>, Rest...> : concat<type_list<A..., B...>, Rest...> {};

template <class Tree, std::size_t I>
using child_t = std::remove_cvref_t<decltype(node<Tree>::template child<I>(std::declval<Tree&>()))>;

// The types of the leaves, in order.
template <class Tree>
struct leaves;
template <class Tree, class = std::make_index_sequence<node<Tree>::size>>
struct leaves_of_children;
template <class Tree, std::size_t... I>
struct leaves_of_children<Tree, std::index_sequence<I...>> : concat<type_list<>, typename leaves<child_t<Tree, I>>::type...> {};
template <class Tree>
  requires(is_leaf<Tree>)
struct leaves<Tree> {
  using type = type_list<Tree>;
};
template <class Tree>
  requires(is_empty_tree<Tree>)
struct leaves<Tree> {
  using type = type_list<>;
};
template <class Tree>
  requires(!is_leaf<Tree> && !is_empty_tree<Tree>)
struct leaves<Tree> : leaves_of_children<Tree> {};

template <class Tree>
using leaves_t = typename leaves<Tree>::type;
template <class Tree>
inline constexpr int leaf_count = leaves_t<Tree>::size;

// map_t<Tree, L>: the tree with each leaf X replaced by L<X>::type.
template <class Tree, template <class> class L>
struct map_types {
  static_assert(is_leaf<Tree> || is_empty_tree<Tree> || tree_node<Tree>);
  using type = Tree;
};
template <class Tree, template <class> class L>
using map_t = typename map_types<Tree, L>::type;

template <class Tree, template <class> class L>
  requires(is_leaf<Tree>)
struct map_types<Tree, L> : L<Tree> {};
template <class... T, template <class> class L>
struct map_types<std::tuple<T...>, L> {
  using type = std::tuple<map_t<T, L>...>;
};
template <class A, class B, template <class> class L>
struct map_types<std::pair<A, B>, L> {
  using type = std::pair<map_t<A, L>, map_t<B, L>>;
};
template <class T, std::size_t N, template <class> class L>
struct map_types<std::array<T, N>, L> {
  using type = std::array<map_t<T, L>, N>;
};
template <class... T, template <class> class L>
struct map_types<boost::hana::tuple<T...>, L> {
  using type = boost::hana::tuple<map_t<T, L>...>;
};
template <class Map, template <class> class L, class = std::make_index_sequence<node<Map>::size>>
struct map_types_of_map;
template <class Map, template <class> class L, std::size_t... I>
struct map_types_of_map<Map, L, std::index_sequence<I...>> {
  using type = decltype(node<Map>::make(std::declval<map_t<child_t<Map, I>, L>>()...));
};
template <hana_map Map, template <class> class L>
struct map_types<Map, L> : map_types_of_map<Map, L> {};

// A struct over Array becomes one over array or expr if that gives the same members, else one over a library-defined Array. Its members may
// become trees: those of a Hessian are structs.
template <template <class, auto...> class Array, template <class> class L>
struct mapped {
  template <class T, auto... D>
  using form = map_t<Array<T, D...>, L>;
};
template <class Tree>
constexpr int depth();
template <class Tree, std::size_t... I>
constexpr int depth_of_children(std::index_sequence<I...>) {
  int most = 0;
  ((most = depth<child_t<Tree, I>>() > most ? depth<child_t<Tree, I>>() : most), ...);
  return most;
}
template <class Tree>
constexpr int depth() {
  if constexpr (is_leaf<Tree> || is_empty_tree<Tree>) return 0;
  else return 1 + depth_of_children<Tree>(std::make_index_sequence<node<Tree>::size>{});
}
template <class A, class B>
constexpr bool same_members() {
  if constexpr (std::is_same_v<leaves_t<A>, leaves_t<B>>) return depth<A>() == depth<B>();
  else return false;
}
template <template <template <class, auto...> class> class S, class Mapped>
constexpr auto plainest() {
  if constexpr (same_members<S<array>, Mapped>()) return std::type_identity<S<array>>{};
  else if constexpr (same_members<S<expr>, Mapped>()) return std::type_identity<S<expr>>{};
  else return std::type_identity<Mapped>{};
}
template <template <template <class, auto...> class> class S, template <class, auto...> class Array, template <class> class L>
struct map_types<S<Array>, L> {
  using type = typename decltype(plainest<S, S<mapped<Array, L>::template form>>())::type;
};

// tree_map on several trees. Leaves of the result have the type that f returns.
template <class F, class Tree, class... Trees>
constexpr auto map_values(F&& f, Tree const& t, Trees const&... rest);

template <class F, class Tree, class... Trees>
struct mapped_value {
  using type = decltype(map_values(std::declval<F&>(), std::declval<Tree const&>(), std::declval<Trees const&>()...));
};
template <class F, class Leaf, class... Leaves>
  requires(is_leaf<Leaf>)
struct mapped_value<F, Leaf, Leaves...> {
  using type = std::remove_cvref_t<std::invoke_result_t<F&, Leaf const&, Leaves const&...>>;
};
template <class F, template <class, auto...> class... Arrays>
struct mapped_by {
  template <class T, auto... D>
  using form = typename mapped_value<F, Arrays<T, D...>...>::type;
};

template <std::size_t I, class F, class Tree, class... Trees>
constexpr auto map_child(F& f, Tree const& t, Trees const&... rest) {
  static_assert(((node<Tree>::size == node<Trees>::size) && ...), "exprax: tree_map: the trees differ in structure");
  return map_values(f, node<Tree>::template child<I>(t), node<Trees>::template child<I>(rest)...);
}
template <class F, std::size_t... I, class Tree, class... Trees>
  requires(!struct_node<Tree>)
constexpr auto map_node(F& f, std::index_sequence<I...>, Tree const& t, Trees const&... rest) {
  return node<Tree>::make(map_child<I>(f, t, rest...)...);
}
template <class F, std::size_t... I, template <template <class, auto...> class> class S, template <class, auto...> class... Arrays>
constexpr auto map_node(F& f, std::index_sequence<I...>, S<Arrays> const&... trees) {
  using result = typename decltype(plainest<S, S<mapped_by<F, Arrays...>::template form>>())::type;
  return result{map_child<I>(f, trees...)...};
}
template <class F, class Tree, class... Trees>
constexpr auto map_values(F&& f, Tree const& t, Trees const&... rest) {
  if constexpr (is_leaf<Tree>) return f(t, rest...);
  else if constexpr (is_empty_tree<Tree>) return t;
  else return map_node(f, std::make_index_sequence<node<Tree>::size>{}, t, rest...);
}

template <class Tree, std::size_t... I>
constexpr auto flatten_children(Tree const& t, std::index_sequence<I...>);
template <class Tree>
constexpr auto flatten(Tree const& t) {
  if constexpr (is_leaf<Tree>) return std::tuple<Tree>(t);
  else if constexpr (is_empty_tree<Tree>) return std::tuple<>();
  else return flatten_children(t, std::make_index_sequence<node<Tree>::size>{});
}
template <class Tree, std::size_t... I>
constexpr auto flatten_children(Tree const& t, std::index_sequence<I...>) {
  return std::tuple_cat(flatten(node<Tree>::template child<I>(t))...);
}

}  // namespace detail

// f on every leaf (jax.tree.map): f(leaf of tree, leaf of rest...). The results form a tree of the same structure.
template <class F, class Tree, class... Rest>
constexpr auto tree_map(F&& f, Tree const& tree, Rest const&... rest) {
  static_assert(detail::check_tree<Tree>());
  return detail::map_values(f, tree, rest...);
}
// All leaves in order, as a std::tuple (jax.tree.leaves).
template <class Tree>
constexpr auto tree_leaves(Tree const& tree) {
  static_assert(detail::check_tree<Tree>());
  return detail::flatten(tree);
}

}  // namespace exprax
