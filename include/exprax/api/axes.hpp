// SPDX-License-Identifier: BSL-1.0
// The options of vmap. in_axes and out_axes: ints (negative ones count from the end), none, and axes<...> for the children of a
// node, in their order. An entry holds for all leaves below it, as a pytree prefix does in JAX. axis_name and axis_size.
#pragma once

#include <exprax/base/fixed_string.hpp>
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

template <detail::fixed_string... Names>
struct axis_name_t {};
// The name of the mapped axis, ex::vmap(f, ex::axis_name<"i">), by which collectives inside of f refer to it, ex::psum(x,
// ex::axis_name<"i">); these take several names where JAX does.
template <detail::fixed_string... Names>
inline constexpr axis_name_t<Names...> axis_name{};

struct sum_match_t {};
// A result whose entry in out_axes is none, and that is batched all the same, is summed over the mapped axis.
inline constexpr sum_match_t sum_match{};

template <int N>
struct axis_size_t {};

namespace detail {

template <std::size_t N>
struct size_or_name {
  fixed_string<N> name;
  constexpr size_or_name(char const (&s)[N]) : name(s) {}
};
template <>
struct size_or_name<0> {
  int size;
  constexpr size_or_name(int n) : size(n) {}
};
size_or_name(int) -> size_or_name<0>;

// axis_size<"i">(): numpy/collectives.hpp.
template <size_or_name... K>
struct named_axis_size {
  constexpr auto operator()() const;
};
template <size_or_name... K>
struct axis_size_of {
  using type = named_axis_size<K...>;
};
template <size_or_name<0> K>
struct axis_size_of<K> {
  using type = axis_size_t<K.size>;
};

}  // namespace detail

// axis_size<4>: the size of the mapped axis, where no argument tells it. axis_size<"i">(): inside of a mapped function, the size
// of the axis with that name (jax.lax.axis_size).
template <detail::size_or_name... K>
inline constexpr typename detail::axis_size_of<K...>::type axis_size{};

namespace detail {

constexpr int from_end(int axis, int rank) { return axis < 0 ? axis + rank : axis; }

// Words in error texts.
struct in_axes_of_vmap;
struct out_axes_of_vmap;
template <int>
struct its_rank;
template <int>
struct given_axis;
template <int>
struct entries;
template <int>
struct children;
template <class Leaf, class Axis, class Rank>
inline constexpr bool has_axis = false;
template <class Tree, class Children, class Entries>
inline constexpr bool fits_structure = false;
template <class Entry>
inline constexpr bool is_axis_entry = false;

template <class Which, int Axis, class Leaf>
constexpr bool check_axis() {
  constexpr bool in = std::is_same_v<Which, in_axes_of_vmap>;
  constexpr int rank = Leaf::rank + (in ? 0 : 1);
  constexpr bool ok = Axis >= -rank && Axis < rank;
  if constexpr (!ok && in) {
    static_assert(has_axis<Leaf, given_axis<Axis>, its_rank<rank>>,
                  "exprax: vmap was requested to map its argument along an axis that it does not have (this message shows the argument, the axis, and the "
                  "argument's rank): in_axes must be in [-rank, rank), or ex::none");
  } else if constexpr (!ok) {
    static_assert(has_axis<Leaf, given_axis<Axis>, its_rank<rank>>,
                  "exprax: vmap: out_axes names an axis that the result does not have (this message shows the result without the mapped axis, the axis, and "
                  "the rank with it): it must be in [-rank, rank)");
  }
  return ok;
}
template <class Which, int Axis, class... Leaf>
constexpr bool check_leaves(type_list<Leaf...>) {
  return (check_axis<Which, Axis, Leaf>() && ...);
}
template <class Which, class Tree, auto... A, std::size_t... I>
constexpr bool check_children(axes_t<A...>, std::index_sequence<I...>);

// Whether a spec is a prefix of a tree of exprs, and names axes that the leaves have. True, or a readable error.
template <class Which, class Tree, auto Spec>
constexpr bool check_axes() {
  using entry = std::remove_const_t<decltype(Spec)>;
  if constexpr (std::is_same_v<entry, int>) {
    return check_leaves<Which, Spec>(leaves_t<Tree>{});
  } else if constexpr (std::is_same_v<entry, none_t>) {
    return true;
  } else {
    return []<auto... A>(axes_t<A...> spec) {
      constexpr int n = static_cast<int>(sizeof...(A));
      if constexpr (tree_node<Tree>) {
        constexpr int size = static_cast<int>(node<Tree>::size);
        if constexpr (size == n) {
          return check_children<Which, Tree>(spec, std::make_index_sequence<sizeof...(A)>{});
        } else {
          static_assert(fits_structure<Tree, children<size>, entries<n>>,
                        "exprax: vmap in_axes and out_axes must be a tree prefix of the corresponding value: ex::axes<...> needs one entry for each child");
          return false;
        }
      } else {
        static_assert(fits_structure<Tree, children<0>, entries<n>>,
                      "exprax: vmap in_axes and out_axes must be a tree prefix of the corresponding value: ex::axes<...> stands where there is a single array");
        return false;
      }
    }(Spec);
  }
}
template <class Entry>
inline constexpr bool is_axes = false;
template <auto... A>
inline constexpr bool is_axes<axes_t<A...>> = true;
template <class Which, class Tree, auto Spec>
  requires(!std::is_same_v<std::remove_const_t<decltype(Spec)>, int> && !std::is_same_v<std::remove_const_t<decltype(Spec)>, none_t> &&
           !is_axes<std::remove_const_t<decltype(Spec)>>)
constexpr bool check_axes() {
  static_assert(is_axis_entry<std::remove_const_t<decltype(Spec)>>,
                "exprax: vmap: an entry of in_axes or out_axes must be an int, ex::none, or ex::axes<...> for the children of a node");
  return false;
}
template <class Which, class Tree, auto... A, std::size_t... I>
constexpr bool check_children(axes_t<A...>, std::index_sequence<I...>) {
  return (check_axes<Which, child_t<Tree, I>, A>() && ...);
}

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
// The type of a leaf with a new axis of N at A, counted in the result.
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

// A node of other children. A struct is a template over the type of its members, so two members that were of one type must be of
// one type again.
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
  static_assert(std::is_same_v<leaves_t<type>, wanted>,
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
