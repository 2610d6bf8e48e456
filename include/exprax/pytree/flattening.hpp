// SPDX-License-Identifier: BSL-1.0
// Trees and lists of their leaves (jax.tree): tree_flatten, tree_structure, tree_unflatten, and tree_reduce.
//
//   constexpr auto flat = ex::tree_flatten(params);                                  // [leaves, structure], as in JAX
//   auto again = ex::tree_unflatten(ex::get<1>(flat), ex::get<0>(flat));
#pragma once

#include <exprax/pytree/tree.hpp>

namespace exprax {

namespace detail {

// A struct over the Array of its new leaves: the Tree itself, or over arrays or traced values.
template <class Tree, class Leaves>
struct struct_of_leaves {
  static constexpr bool known = false;
  using type = Tree;
};
template <template <template <class, auto...> class> class S, template <class, auto...> class Array, class Leaves>
struct struct_of_leaves<S<Array>, Leaves> {
  static constexpr bool is_same = std::is_same_v<leaves_t<S<Array>>, Leaves>, is_arrays = std::is_same_v<leaves_t<S<array>>, Leaves>,
                        is_traced = std::is_same_v<leaves_t<S<expr>>, Leaves>;
  static constexpr bool known = is_same || is_arrays || is_traced;
  using type = std::conditional_t<is_same || !known, S<Array>, std::conditional_t<is_arrays, S<array>, S<expr>>>;
};

// The leaves First, First + 1, ... as a Tree.
template <class Tree, std::size_t First, class Leaves>
constexpr auto tree_of(Leaves const& leaves);

template <class Tree, std::size_t First, class Leaves, std::size_t... I>
constexpr auto node_of(Leaves const& leaves, std::index_sequence<I...>) {
  constexpr auto before = [](std::size_t child) {
    std::size_t n = First;
    ((n += I < child ? static_cast<std::size_t>(leaf_count<child_t<Tree, I>>) : 0), ...);
    return n;
  };
  if constexpr (struct_node<Tree>) {
    using found = struct_of_leaves<Tree, leaves_t<std::tuple<decltype(tree_of<child_t<Tree, I>, before(I)>(leaves))...>>>;
    static_assert(found::known,
                  "exprax: tree_unflatten: the leaves of a struct over Array have its dtypes and shapes, all arrays or all traced values");
    if constexpr (found::known) return typename found::type{tree_of<child_t<Tree, I>, before(I)>(leaves)...};
    else return Tree{};
  } else {
    return node<Tree>::make(tree_of<child_t<Tree, I>, before(I)>(leaves)...);
  }
}
template <class Tree, std::size_t First, class Leaves>
constexpr auto tree_of(Leaves const& leaves) {
  if constexpr (is_leaf<Tree>) return std::get<First>(leaves);
  else if constexpr (is_empty_tree<Tree>) return Tree{};
  else return node_of<Tree, First>(leaves, std::make_index_sequence<node<Tree>::size>{});
}

}  // namespace detail

// The structure of a Tree: its nodes, without the values of the leaves (jax.tree_util.PyTreeDef).
template <class Tree>
struct tree_structure_t {
  static constexpr int num_leaves = detail::leaf_count<Tree>;
};
// The structure of a tree (jax.tree.structure).
template <class Tree>
constexpr auto tree_structure(Tree const&) {
  static_assert(detail::check_tree<Tree>());
  return tree_structure_t<Tree>{};
}
// The leaves, as tree_leaves gives them, and the structure (jax.tree.flatten).
template <class Tree>
constexpr auto tree_flatten(Tree const& tree) {
  return std::make_tuple(tree_leaves(tree), tree_structure(tree));
}
// The tree of this structure that has these leaves, a std::tuple; their types may be others than before (jax.tree.unflatten). Refused:
// another number of leaves; leaves of a struct that are not of its dtypes and shapes.
template <class Tree, class... Leaves>
constexpr auto tree_unflatten(tree_structure_t<Tree>, std::tuple<Leaves...> const& leaves) {
  static_assert(sizeof...(Leaves) == detail::leaf_count<Tree>, "exprax: tree_unflatten: as many leaves as the structure has");
  if constexpr (sizeof...(Leaves) == detail::leaf_count<Tree>) return detail::tree_of<Tree, 0>(leaves);
}
// f(...f(f(initial, leaf), leaf)..., leaf) over the leaves in order; without initial the first leaf takes its place (jax.tree.reduce).
// Refused: no leaf and no initial.
template <class F, class Tree, class Initial>
constexpr auto tree_reduce(F&& f, Tree const& tree, Initial const& initial) {
  auto const reduce = [&f](auto const& self, auto const& value, auto const&... rest) {
    if constexpr (sizeof...(rest) == 0) return value;
    else return [&](auto const& next, auto const&... others) { return self(self, f(value, next), others...); }(rest...);
  };
  return std::apply([&](auto const&... leaves) { return reduce(reduce, initial, leaves...); }, tree_leaves(tree));
}
template <class F, class Tree>
constexpr auto tree_reduce(F&& f, Tree const& tree) {
  static_assert(detail::leaf_count<Tree> > 0, "exprax: tree_reduce: a tree without leaves has no first one: give an initial value");
  if constexpr (detail::leaf_count<Tree> > 0) {
    auto const leaves = tree_leaves(tree);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return tree_reduce(f, std::make_tuple(std::get<I + 1>(leaves)...), std::get<0>(leaves));
    }(std::make_index_sequence<static_cast<std::size_t>(detail::leaf_count<Tree>) - 1>{});
  }
}

}  // namespace exprax
