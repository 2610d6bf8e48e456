// SPDX-License-Identifier: BSL-1.0
// The types of a loop's carry: a component keeps its dtype and shape. A weak one that the body returns with another dtype starts with the
// promoted dtype, and the body is traced again (jax._src.lax.control_flow.loops, _promote_weak_typed_input). A body that promotes nothing
// is instantiated once.
#pragma once

#include <exprax/primitives/convert.hpp>
#include <exprax/program/lift_tree.hpp>

namespace exprax::detail {

template <class Leaf>
struct any_leaf {
  using type = char;
};
template <class A, class B>
inline constexpr bool same_structure = std::is_same_v<map_t<A, any_leaf>, map_t<B, any_leaf>>;

// The first leaf of two trees of the same structure whose dtype or shape differs, or -1; and the leaf with an index, or void.
template <class... A, class... B>
constexpr int first_difference(type_list<A...>, type_list<B...>) {
  int k = 0, found = -1;
  ((found = found < 0 && !A::type.matches(B::type) ? k : found, ++k), ...);
  return found;
}
template <int K, class List>
struct nth_leaf {
  using type = void;
};
template <int K, class... Leaf>
  requires(K >= 0)
struct nth_leaf<K, type_list<Leaf...>> {
  using type = std::tuple_element_t<K, std::tuple<Leaf...>>;
};

// The initial type of a component if the body returns `after`.
struct promote_component {
  template <class B, class A, int... D, int... E>
  constexpr auto operator()(expr<B, D...> const& before, expr<A, E...> const&) const {
    if constexpr (is_weak<B> && dtype_of<B> != dtype_of<A>) return convert_to<strong_t<promote_t<B, A>>>(before);
    else return before;
  }
};

// Numbers in error texts are types, because clang prints those.
template <int K>
struct component {
  static constexpr int number = K;
};

// Carry: the tree that a loop starts with; Step<Carry>::type: the tree that the body returns for it. The loop itself reports differences:
// the fewer templates are between an error and the user's call, the shorter its text.
template <class Carry, template <class> class Step>
struct fixed_carry {
  using first = typename Step<Carry>::type;
  static constexpr bool same = same_structure<Carry, first>;
  template <bool Same>
  static constexpr auto promoted() {
    if constexpr (Same)
      return std::type_identity<decltype(map_values(promote_component{}, std::declval<Carry const&>(), std::declval<first const&>()))>{};
    else return std::type_identity<Carry>{};
  }
  using type = typename decltype(promoted<same>())::type;  // what the loop starts with
  using last = typename Step<type>::type;                  // what it ends with
  template <bool Same>
  static constexpr int find_difference() {
    if constexpr (Same) return first_difference(leaves_t<type>{}, leaves_t<last>{});
    else return -1;
  }
  static constexpr int differing = find_difference<same>();  // the index of the component that changes its type, or -1
  using at = component<differing>;
  using before = typename nth_leaf<differing, leaves_t<type>>::type;
  using after = typename nth_leaf<differing, leaves_t<last>>::type;
  static constexpr bool ok = same && differing < 0;
};

// Compilers print their arguments with the static_asserts of the loops.
template <class Before, class After>
inline constexpr bool carry_keeps_its_structure = same_structure<Before, After>;
template <class Component, class Before, class After>
inline constexpr bool carry_keeps_its_type = Component::number < 0;

// The initial value of a component, converted to the type of `like`.
struct start_like {
  template <class T, class U, int... D>
  constexpr expr<U, D...> operator()(expr<T, D...> const& init, expr<U, D...> const&) const {
    return convert_to<U>(init);
  }
};
template <class Start, class Init>
constexpr Start start_from(Init const& init) {
  if constexpr (std::is_same_v<Start, Init>) return init;
  else return map_values(start_like{}, init, Start{});
}

}  // namespace exprax::detail
