// SPDX-License-Identifier: BSL-1.0
// The types of a loop's carry: a component keeps its dtype and shape. A weak one that comes back with another dtype starts
// with the dtype in which both meet, and the body is traced again (jax._src.lax.control_flow.loops, _promote_weak_typed_input).
// A body that promotes nothing is instantiated once.
#pragma once

#include <exprax/primitives/convert.hpp>
#include <exprax/program/lift_tree.hpp>

namespace exprax::detail {

// For error texts.
enum class loop { scan, while_loop, fori_loop };

template <class Leaf>
struct any_leaf {
  using type = char;
};
template <class A, class B>
inline constexpr bool same_structure = std::is_same_v<map_t<A, any_leaf>, map_t<B, any_leaf>>;

// Their arguments are printed with the static_asserts.
template <class Before, class After>
inline constexpr bool carry_keeps_its_structure = same_structure<Before, After>;
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

template <loop Kind, int Component, class Before, class After>
constexpr bool check_component() {
  if constexpr (Kind == loop::scan)
    static_assert(carry_keeps_its_type<Component, Before, After>,
                  "exprax: scan body function carry input and carry output must have equal types, but they differ: this message names the component, its type "
                  "before and its type after. Revise the body so that dtype and shape stay, or start with the type that it returns");
  else if constexpr (Kind == loop::while_loop)
    static_assert(carry_keeps_its_type<Component, Before, After>,
                  "exprax: while_loop body function carry input and carry output must have equal types, but they differ: this message names the component, its "
                  "type before and its type after. Revise the body so that dtype and shape stay, or start with the type that it returns");
  else
    static_assert(carry_keeps_its_type<Component, Before, After>,
                  "exprax: fori_loop body function carry input and carry output must have equal types, but they differ: this message names the component, its "
                  "type before and its type after. Revise the body so that dtype and shape stay, or start with the type that it returns");
  return carry_keeps_its_type<Component, Before, After>;
}
template <loop Kind, class Before, class After>
constexpr bool check_structure() {
  if constexpr (Kind == loop::scan)
    static_assert(carry_keeps_its_structure<Before, After>,
                  "exprax: scan body function carry input and carry output must have the same pytree structure, but they differ: this message names both");
  else if constexpr (Kind == loop::while_loop)
    static_assert(carry_keeps_its_structure<Before, After>,
                  "exprax: while_loop body function carry input and carry output must have the same pytree structure, but they differ: this message names both");
  else
    static_assert(carry_keeps_its_structure<Before, After>,
                  "exprax: fori_loop body function carry input and carry output must have the same pytree structure, but they differ: this message names both");
  return carry_keeps_its_structure<Before, After>;
}
template <loop Kind, class Before, class After, class = std::make_integer_sequence<int, Before::size>>
inline constexpr bool components_keep_their_types = false;
template <loop Kind, class... B, class... A, int... I>
inline constexpr bool components_keep_their_types<Kind, type_list<B...>, type_list<A...>, std::integer_sequence<int, I...>> =
    (check_component<Kind, I, B, A>() & ... & true);

// Carry: the tree that a loop starts with; Step<Carry>::type: the tree that the body returns for it.
template <loop Kind, class Carry, template <class> class Step>
struct fixed_carry {
  using first = typename Step<Carry>::type;
  template <bool Same>
  static constexpr auto promoted() {
    if constexpr (Same) return std::type_identity<decltype(map_values(promote_component{}, std::declval<Carry const&>(), std::declval<first const&>()))>{};
    else return std::type_identity<Carry>{};
  }
  static constexpr bool same = check_structure<Kind, Carry, first>();
  using type = typename decltype(promoted<same>())::type;  // what the loop starts with
  using last = typename Step<type>::type;                  // what it ends with
  template <bool Same>
  static constexpr bool check_types() {
    if constexpr (Same) return components_keep_their_types<Kind, leaves_t<type>, leaves_t<last>>;
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
template <class Start, class Init>
constexpr Start start_from(Init const& init) {
  if constexpr (std::is_same_v<Start, Init>) return init;
  else return map_values(start_like{}, init, Start{});
}

}  // namespace exprax::detail
