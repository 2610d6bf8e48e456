// SPDX-License-Identifier: BSL-1.0
// in_axes and out_axes, as prefixes of trees: whether they fit, the tree without its mapped axes or with them, and the axis of each leaf.
#pragma once

#include <exprax/api/vmap/vmap_options.hpp>
#include <exprax/program/lift_tree.hpp>

namespace exprax::detail {

constexpr int from_end(int axis, int rank) { return axis < 0 ? axis + rank : axis; }

// Words in error texts.
template <int>
struct given_axis;
template <int>
struct its_rank;
template <int>
struct entries;
template <int>
struct children;

// What is wrong with in_axes or out_axes, as a type, which the error text shows.
struct fits;
template <class Leaf, class Axis, class Rank>
struct no_such_axis;
template <class Tree, class Children, class Entries>
struct structure_differs;
template <class Entry>
struct no_axis_entry;

template <class... Verdict>
struct first_wrong {
  using type = fits;
};
template <class First, class... Rest>
struct first_wrong<First, Rest...> {
  using type = First;
};
template <class... Rest>
struct first_wrong<fits, Rest...> : first_wrong<Rest...> {};

// Whether Spec is a prefix of a tree of exprs, and its axes exist in the leaves. New: 1 for results, which have one more axis.
template <int New, class Tree, auto Spec>
struct axes_verdict {
  using type = no_axis_entry<std::remove_const_t<decltype(Spec)>>;
};
template <int New, class Tree, none_t Spec>
struct axes_verdict<New, Tree, Spec> {
  using type = fits;
};
template <int New, int Axis, class Leaves>
struct leaves_verdict;
template <int Axis, class Leaf, int Rank>
using leaf_verdict = std::conditional_t<(Axis >= -Rank && Axis < Rank), fits, no_such_axis<Leaf, given_axis<Axis>, its_rank<Rank>>>;
template <int New, int Axis, class... Leaf>
struct leaves_verdict<New, Axis, type_list<Leaf...>> : first_wrong<leaf_verdict<Axis, Leaf, Leaf::rank + New>...> {};
template <int New, class Tree, int Spec>
struct axes_verdict<New, Tree, Spec> : leaves_verdict<New, Spec, leaves_t<Tree>> {};
template <class Tree>
inline constexpr int child_count = 0;
template <tree_node Tree>
inline constexpr int child_count<Tree> = static_cast<int>(node<Tree>::size);
template <int New, class Tree, class Indices, auto... A>
struct children_verdict {
  using type = structure_differs<Tree, children<child_count<Tree>>, entries<sizeof...(A)>>;
};
template <int New, class Tree, std::size_t... I, auto... A>
requires(child_count<Tree> == sizeof...(A)) struct children_verdict<New, Tree, std::index_sequence<I...>, A...>
    : first_wrong<typename axes_verdict<New, child_t<Tree, I>, A>::type...> {
};
template <int New, class Tree, auto... A, axes_t<A...> Spec>
struct axes_verdict<New, Tree, Spec> : children_verdict<New, Tree, std::make_index_sequence<sizeof...(A)>, A...> {};

// Conditions of static_asserts.
template <class Verdict>
inline constexpr bool has_its_axes = true;
template <class Leaf, class Axis, class Rank>
inline constexpr bool has_its_axes<no_such_axis<Leaf, Axis, Rank>> = false;
template <class Verdict>
inline constexpr bool is_a_prefix = true;
template <class Tree, class Children, class Entries>
inline constexpr bool is_a_prefix<structure_differs<Tree, Children, Entries>> = false;
template <class Verdict>
inline constexpr bool has_axes_for_entries = true;
template <class Entry>
inline constexpr bool has_axes_for_entries<no_axis_entry<Entry>> = false;

// The type of a leaf without axis A.
template <int A>
struct without_axis {
  template <class Leaf>
  struct leaf {
    struct shape {
      static constexpr aval value = Leaf::type.without_axis(from_end(A, Leaf::rank));
    };
    using type = expr_from<shape>;
  };
};
// The type of a leaf with a new axis of size N at A, counted in the result.
template <int A, int N>
struct with_axis {
  template <class Leaf>
  struct leaf {
    struct shape {
      static constexpr aval value = Leaf::type.with_axis(from_end(A, Leaf::rank + 1), N);
    };
    using type = expr_from<shape>;
  };
};

// A node with other children. A struct is a template over the type of its members, so two members of the same type must keep a common type.
template <class Tree, class Children>
struct node_with;
template <class Tree, class... Child>
struct node_with<Tree, type_list<Child...>> {
  using type = decltype(node<Tree>::make(std::declval<Child>()...));
};
template <class Leaf, class Old, class New>
struct changed_leaf;
template <class Leaf, class... Old, class New, class... Rest>
struct changed_leaf<Leaf, type_list<Leaf, Old...>, type_list<New, Rest...>> {
  using type = New;
};
template <class Leaf, class Other, class... Old, class New, class... Rest>
struct changed_leaf<Leaf, type_list<Other, Old...>, type_list<New, Rest...>> : changed_leaf<Leaf, type_list<Old...>, type_list<Rest...>> {};
template <class Old, class New>
struct changed_leaves {
  template <class Leaf>
  using leaf = changed_leaf<Leaf, Old, New>;
};
template <template <template <class, auto...> class> class S, template <class, auto...> class Array, class... Child>
struct node_with<S<Array>, type_list<Child...>> {
  using wanted = typename concat<type_list<>, leaves_t<Child>...>::type;
  using type = map_t<S<Array>, changed_leaves<leaves_t<S<Array>>, wanted>::template leaf>;
  static_assert(
      std::is_same_v<leaves_t<type>, wanted>,
      "exprax: vmap: members of a struct that have one type need one axis: the struct is a template over the type of its members");
};

// The tree after a change of axes. Change<int>::leaf changes a leaf; Spec says which axis.
template <class Tree, auto Spec, template <int> class Change>
struct change_axes {
  using type = map_t<Tree, Change<static_cast<int>(Spec)>::template leaf>;
};
template <class Tree, none_t Spec, template <int> class Change>
struct change_axes<Tree, Spec, Change> {
  using type = Tree;
};
template <class Tree, class Indices, template <int> class Change, auto... A>
struct change_children;
template <class Tree, std::size_t... I, template <int> class Change, auto... A>
struct change_children<Tree, std::index_sequence<I...>, Change, A...> {
  using type = typename node_with<Tree, type_list<typename change_axes<child_t<Tree, I>, A, Change>::type...>>::type;
};
template <class Tree, auto... A, axes_t<A...> Spec, template <int> class Change>
struct change_axes<Tree, Spec, Change> {
  using type = typename change_children<Tree, std::make_index_sequence<sizeof...(A)>, Change, A...>::type;
};

// The axis of each leaf, counted from the front.
template <int N>
struct axis_list {
  batch_axis of[N + 1] = {};
  int n = 0;
};
template <class Tree, auto Spec>
struct leaf_axes {
  template <int N>
  static constexpr void push(axis_list<N>& to, int extra) {
    push_leaves(to, extra, leaves_t<Tree>{});
  }
  template <int N, class... Leaf>
  static constexpr void push_leaves(axis_list<N>& to, int extra, type_list<Leaf...>) {
    ((to.of[to.n++] = from_end(static_cast<int>(Spec), Leaf::rank + extra)), ...);
  }
};
template <class Tree, none_t Spec>
struct leaf_axes<Tree, Spec> {
  template <int N>
  static constexpr void push(axis_list<N>& to, int) {
    for (int k = 0; k < leaf_count<Tree>; ++k) to.of[to.n++] = not_mapped;
  }
};
template <class Tree, auto... A, axes_t<A...> Spec>
struct leaf_axes<Tree, Spec> {
  template <int N>
  static constexpr void push(axis_list<N>& to, int extra) {
    push_children(to, extra, std::make_index_sequence<sizeof...(A)>{});
  }
  template <int N, std::size_t... I>
  static constexpr void push_children(axis_list<N>& to, int extra, std::index_sequence<I...>) {
    (leaf_axes<child_t<Tree, I>, A>::push(to, extra), ...);
  }
};

}  // namespace exprax::detail
