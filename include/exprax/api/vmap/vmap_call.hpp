// SPDX-License-Identifier: BSL-1.0
// A call of a mapped function, by its types alone: the size of the mapped axis, the slices that the function is called with, and errors, as
// types that the error texts of api/vmap/vmap.hpp show.
#pragma once

#include <exprax/api/vmap/axes.hpp>

namespace exprax::detail {

// Words in error texts: the argument and its type, and the mapped axis with its size.
template <int>
struct argument;
template <int>
struct arguments;
template <int>
struct at_axis;
template <int>
struct of_size;
template <class Which, class Type, class Axis, class Size>
struct mapped_leaf;

// Errors in a call of a mapped function, except those of its axes.
template <class Entries, class Arguments>
struct another_number_of_entries;
template <class... Mapped>
struct sizes_differ;
template <int Given, class... Mapped>
struct axis_size_differs;
struct nothing_mapped;

template <class Verdict>
inline constexpr bool has_an_entry_for_each = true;
template <class Entries, class Arguments>
inline constexpr bool has_an_entry_for_each<another_number_of_entries<Entries, Arguments>> = false;
template <class Verdict>
inline constexpr bool has_one_size = true;
template <class... Mapped>
inline constexpr bool has_one_size<sizes_differ<Mapped...>> = false;
template <class Verdict>
inline constexpr bool has_the_given_size = true;
template <int Given, class... Mapped>
inline constexpr bool has_the_given_size<axis_size_differs<Given, Mapped...>> = false;
template <class Verdict>
inline constexpr bool has_a_size = true;
template <>
inline constexpr bool has_a_size<nothing_mapped> = false;

// The batched call of f with arguments of these types (trees of exprs).
template <class In, int Size, class... Args>
struct vmap_call;
template <auto... A, int Size, class... Args>
struct vmap_call<in_axes_t<A...>, Size, Args...> {
  static constexpr int leaf_total = (0 + ... + leaf_count<Args>);
  using leaves = typename concat<type_list<>, leaves_t<Args>...>::type;

  using program = program_ref;  // what depends on it is instantiated with the call
  static constexpr axis_list<leaf_total> in_dims = [] {
    axis_list<leaf_total> r;
    (leaf_axes<Args, A>::push(r, 0), ...);
    return r;
  }();
  struct counts {
    int of[leaf_total + 1] = {};
  };
  // The argument that each leaf belongs to.
  static constexpr counts owners = [] {
    counts r;
    int at = 0, k = 0;
    auto const next = [&](int n) {
      while (n-- > 0) r.of[at++] = k;
      ++k;
    };
    (next(leaf_count<Args>), ...);
    return r;
  }();
  // The size of the mapped axis of each leaf that has one.
  template <class... Leaf>
  static constexpr counts sizes_of(type_list<Leaf...>) {
    counts r;
    int k = 0;
    ((r.of[k] = in_dims.of[k].is_mapped() ? Leaf::extent(in_dims.of[k].position()) : 0, ++k), ...);
    return r;
  }
  static constexpr counts sizes = sizes_of(leaves{});
  static constexpr bool is_given = Size >= 0;
  // The first mapped leaf; leaf_total: none.
  static constexpr int first_mapped = [] {
    int k = 0;
    while (k < leaf_total && !in_dims.of[k].is_mapped()) ++k;
    return k;
  }();
  static constexpr bool has_size = is_given || first_mapped < leaf_total;
  static constexpr int size = is_given ? Size : sizes.of[first_mapped];
  static constexpr bool same = [] {
    for (int k = 0; k < leaf_total; ++k)
      if (in_dims.of[k].is_mapped() && sizes.of[k] != size) return false;
    return true;
  }();

  // The mapped leaves, for the error text.
  template <class Leaves, class Indices>
  struct listed;
  template <class... Leaf, int... K>
  struct listed<type_list<Leaf...>, std::integer_sequence<int, K...>> {
    template <class L, int I>
    using entry = mapped_leaf<argument<owners.of[I]>, L, at_axis<in_dims.of[I].position()>, of_size<sizes.of[I]>>;
    using type =
        typename concat<type_list<>, std::conditional_t<in_dims.of[K].is_mapped(), type_list<entry<Leaf, K>>, type_list<>>...>::type;
  };
  template <class... Mapped>
  static constexpr auto complaint(type_list<Mapped...>) {
    if constexpr (!is_given) return std::type_identity<sizes_differ<Mapped...>>{};
    else return std::type_identity<axis_size_differs<Size, Mapped...>>{};
  }
  static constexpr auto find() {
    if constexpr (!has_size) return std::type_identity<nothing_mapped>{};
    else if constexpr (same) return std::type_identity<fits>{};
    else return complaint(typename listed<leaves, std::make_integer_sequence<int, leaf_total>>::type{});
  }
  using verdict = typename decltype(find())::type;
};
template <class In, class... Args>
struct slices_of;
template <auto... A, class... Args>
struct slices_of<in_axes_t<A...>, Args...> {
  using type = std::tuple<typename change_axes<Args, A, without_axis>::type...>;
};

// fits, or what is wrong.
template <class In, int Size, class... Args>
struct call_verdict;
template <auto... A, int Size, class... Args>
struct call_verdict<in_axes_t<A...>, Size, Args...> {
  static constexpr auto find() {
    if constexpr (sizeof...(A) != sizeof...(Args)) {
      return std::type_identity<another_number_of_entries<entries<sizeof...(A)>, arguments<sizeof...(Args)>>>{};
    } else {
      using axes = typename first_wrong<typename axes_verdict<0, Args, A>::type...>::type;
      if constexpr (!std::is_same_v<axes, fits>) return std::type_identity<axes>{};
      else return std::type_identity<typename vmap_call<in_axes_t<A...>, Size, Args...>::verdict>{};
    }
  }
  using type = typename decltype(find())::type;
};

}  // namespace exprax::detail
