// SPDX-License-Identifier: BSL-1.0
// ravel_pytree: a tree as one vector, and the function back (jax.flatten_util), for solvers that work on vectors.
#pragma once

#include <exprax/api/jit.hpp>
#include <exprax/numpy/core/creation.hpp>
#include <exprax/numpy/elementwise/elementwise.hpp>
#include <exprax/numpy/indexing/indexing.hpp>
#include <exprax/numpy/shape/joining.hpp>
#include <exprax/numpy/shape/shaping.hpp>
#include <exprax/pytree/flattening.hpp>

namespace exprax {

namespace detail {

template <class Leaves>
struct raveled_type;
template <>
struct raveled_type<type_list<>> {
  using type = default_float;
};
template <class... Leaf>
struct raveled_type<type_list<Leaf...>> {
  using type = promote_t<strong_t<type_in<Leaf>>...>;
};

struct ravel_body {
  template <class Tree>
  constexpr auto operator()(Tree const& tree) const {
    using type = typename raveled_type<leaves_t<Tree>>::type;
    return std::apply(
        [](auto const&... leaf) {
          if constexpr (sizeof...(leaf) == 0) return zeros<type, 0>();
          else return concatenate(exprax::tuple(ravel(exprax::astype<type>(leaf))...));
        },
        tree_leaves(tree));
  }
};
template <class Tree>
struct unravel_body {
  template <class X>
  constexpr auto operator()(X const& flat) const {
    return split(flat, leaves_t<Tree>{});
  }

 private:
  template <class X, class... Leaf>
  static constexpr auto split(X const& flat, type_list<Leaf...>) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return tree_unflatten(tree_structure_t<Tree>{}, std::make_tuple(part<begin<Leaf...>(I), Leaf>(flat)...));
    }(std::index_sequence_for<Leaf...>{});
  }
  // Where leaf number `of` begins.
  template <class... Leaf>
  static constexpr int begin(std::size_t of) {
    std::size_t k = 0;
    int n = 0;
    ((n += k++ < of ? static_cast<int>(aval_in<Leaf>.size()) : 0), ...);
    return n;
  }
  template <int Begin, class Leaf, class X>
  static constexpr auto part(X const& flat) {
    auto const row = flat(slice<Begin, Begin + static_cast<int>(aval_in<Leaf>.size())>);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return exprax::astype<strong_t<type_in<Leaf>>>(exprax::reshape<aval_in<Leaf>.dims[I]...>(row));
    }(std::make_index_sequence<static_cast<std::size_t>(aval_in<Leaf>.rank)>{});
  }
};

}  // namespace detail

// unravel(flat): the tree that ravel_pytree made flat of; numbers come back as arrays of rank 0. Refused: another shape or dtype.
template <class Tree>
struct unravel_t {
  template <array_like X>
  constexpr auto operator()(X const& flat) const {
    using flattened = std::remove_cvref_t<decltype(detail::ravel_body{}(std::declval<detail::to_expr_t<Tree>&>()))>;
    constexpr bool fits = detail::aval_in<X>.matches(flattened::type);
    static_assert(fits, "exprax: unravel: takes the shape and dtype of the vector that ravel_pytree made");
    if constexpr (fits) return detail::jitted<detail::unravel_body<Tree>, true>{}(flat);
  }
};
// The leaves of a tree as one vector, of the dtype to which all promote, and the function back (jax.flatten_util.ravel_pytree).
template <class Tree>
constexpr auto ravel_pytree(Tree const& tree) {
  static_assert(detail::check_tree<Tree>());
  return std::make_tuple(detail::jitted<detail::ravel_body, true>{}(tree), unravel_t<Tree>{});
}

}  // namespace exprax
