// SPDX-License-Identifier: BSL-1.0
// The types of a loop's carry: a component keeps its dtype and shape. A weak one that comes back with another dtype starts
// with the dtype in which both meet, and the body is traced again (jax._src.lax.control_flow.common, _promote_weak_typed_inputs).
#pragma once

#include <exprax/primitives/convert.hpp>
#include <exprax/program/lift_tree.hpp>

namespace exprax::detail {

template <class Leaf>
struct any_leaf {
  using type = char;
};
// Their arguments are printed with the static_asserts.
template <class Before, class After>
inline constexpr bool carry_keeps_its_structure = std::is_same_v<map_t<Before, any_leaf>, map_t<After, any_leaf>>;
template <int Component, class Before, class After>
inline constexpr bool carry_keeps_its_type = Before::type.matches(After::type);

// What a component starts with when the body returns `after`.
struct promote_component {
  template <class B, class A, int... D, int... E>
  constexpr auto operator()(expr<B, D...> const& before, expr<A, E...> const&) const {
    if constexpr (is_weak<B> && dtype_of<B> != dtype_of<A>) return convert_to<strong_t<promote_t<B, A>>>(before);
    else return before;
  }
};

template <class Before, class After, class = std::make_integer_sequence<int, Before::size>>
struct check_components;
template <class... B, class... A, int... I>
struct check_components<type_list<B...>, type_list<A...>, std::integer_sequence<int, I...>> {
  template <int Component, class Before, class After>
  static constexpr bool one() {
    static_assert(carry_keeps_its_type<Component, Before, After>,
                  "exprax: scan body function carry input and carry output must have equal types, but they differ: this message names the component, its type "
                  "before and its type after. Revise the body so that dtype and shape stay, or start with the type that it returns");
    return carry_keeps_its_type<Component, Before, After>;
  }
  static constexpr bool ok = (one<I, B, A>() & ... & true);
};

// Carry: the tree that a loop starts with; Step<Carry>::type: the tree that the body returns for it.
template <class Carry, template <class> class Step>
struct fixed_carry {
  using first = typename Step<Carry>::type;
  static constexpr bool check() {
    static_assert(carry_keeps_its_structure<Carry, first>,
                  "exprax: scan body function carry input and carry output must have the same pytree structure, but they differ: this message names both");
    return carry_keeps_its_structure<Carry, first>;
  }
  template <bool Same>
  static constexpr auto promoted() {
    if constexpr (Same) return std::type_identity<decltype(map_values(promote_component{}, std::declval<Carry const&>(), std::declval<first const&>()))>{};
    else return std::type_identity<Carry>{};
  }
  static constexpr bool same = check();
  using type = typename decltype(promoted<same>())::type;  // what the loop starts with
  using last = typename Step<type>::type;                  // what it ends with
  template <bool Same>
  static constexpr bool check_types() {
    if constexpr (Same) return check_components<leaves_t<type>, leaves_t<last>>::ok;
    else return false;
  }
  static constexpr bool ok = check_types<same>();
};

// The value that a component starts with, as one of the type of `like`.
struct start_like {
  template <class T, class U, int... D>
  constexpr expr<U, D...> operator()(expr<T, D...> const& init, expr<U, D...> const&) const {
    return convert_to<U>(init);
  }
};

}  // namespace exprax::detail
