// SPDX-License-Identifier: BSL-1.0
// in_axes and out_axes of vmap: ints (negative ones count from the end), none, and axes<...> for the children of a node. An
// entry holds for all leaves below it, as a pytree prefix does in JAX.
#pragma once

#include <exprax/program/lift_tree.hpp>

namespace exprax {

template <auto... A>
struct axes_t {
  constexpr bool operator==(axes_t const&) const = default;
};
template <auto... A>
inline constexpr axes_t<A...> axes{};

template <auto... A>
struct in_axes_t {};
// The axis of each argument that is mapped over; one entry serves all arguments.
template <auto... A>
inline constexpr in_axes_t<A...> in_axes{};

template <auto... A>
struct out_axes_t {};
// Where the mapped axis stands in each result; one entry serves all.
template <auto... A>
inline constexpr out_axes_t<A...> out_axes{};

template <int N>
struct axis_size_t {};
// The size of the mapped axis, where no argument tells it.
template <int N>
inline constexpr axis_size_t<N> axis_size{};

namespace detail {

// The names in the error text are the leaf's type, the axis, and the leaf's rank.
template <class Leaf, int Axis, int Rank>
inline constexpr bool axis_is_in_range = Axis >= -Rank && Axis < Rank;

constexpr int from_end(int axis, int rank) { return axis < 0 ? axis + rank : axis; }

// The type of a leaf without axis A.
template <int A>
struct without_axis {
  template <class Leaf>
  struct leaf {
    static_assert(axis_is_in_range<Leaf, A, Leaf::rank>,
                  "exprax: vmap: in_axes names an axis that an argument does not have: its rank is at most the axis (use a smaller axis, or ex::none)");
    struct shape {
      static constexpr aval value = Leaf::type.without_axis(from_end(A, Leaf::rank));
    };
    using type = expr_from<shape>;
  };
};
// The type of a leaf with a new axis of N at A, counted in the result.
template <int A, int N>
struct with_axis {
  template <class Leaf>
  struct leaf {
    static_assert(axis_is_in_range<Leaf, A, Leaf::rank + 1>, "exprax: vmap: out_axes names an axis that a result does not have");
    struct shape {
      static constexpr aval value = Leaf::type.with_axis(from_end(A, Leaf::rank + 1), N);
    };
    using type = expr_from<shape>;
  };
};

template <class Tree, class Children>
struct node_with;
template <class Tree, class... Child>
struct node_with<Tree, type_list<Child...>> {
  using type = decltype(node<Tree>::make(std::declval<Child>()...));
};

// The tree after a change of axes. Change<int>::leaf changes a leaf; Spec says which axis.
template <class Tree, auto Spec, template <int> class Change>
struct change_axes {
  static_assert(std::is_same_v<decltype(Spec), int const> || std::is_same_v<decltype(Spec), int>,
                "exprax: vmap: an entry of in_axes or out_axes is an int, ex::none, or ex::axes<...> for the children of a node");
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
  static_assert(node<Tree>::size == sizeof...(A), "exprax: vmap: ex::axes<...> needs one entry for each child of the argument or result that it describes");
  using type = typename change_children<Tree, std::make_index_sequence<sizeof...(A)>, Change, A...>::type;
};

// For each leaf its axis, counted from the front, or -1.
template <int N>
struct axis_list {
  int of[N + 1] = {};
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
    for (int k = 0; k < leaf_count<Tree>; ++k) to.of[to.n++] = -1;
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

// One entry serves all of N; more must be N.
template <int N, class List>
struct spread_entries {
  using type = List;
};
template <int N, template <auto...> class List, auto A>
  requires(N != 1)
struct spread_entries<N, List<A>> {
  template <class>
  struct repeat;
  template <int... I>
  struct repeat<std::integer_sequence<int, I...>> {
    using type = List<(static_cast<void>(I), A)...>;
  };
  using type = typename repeat<std::make_integer_sequence<int, N>>::type;
};

}  // namespace detail

}  // namespace exprax
