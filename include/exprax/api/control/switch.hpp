// SPDX-License-Identifier: BSL-1.0
// switch_(index, branches(f, g, h), operands...): the result of the branch with this index (jax.lax.switch). The index is an integer
// scalar, clamped to the number of branches; these may also be a std::tuple or std::array of callables. All of them are traced, and may
// capture traced values; one of them runs. A single branch is called, whatever the index.
//
// If the index is known while tracing, only its branch is recorded; if it is a constant of a type (ex::static_<1>, a Hana constant), the
// other branches are not even instantiated.
#pragma once

#include <exprax/api/control/branches.hpp>
#include <exprax/api/control/cond.hpp>

namespace exprax {

// The branches of switch_.
template <class... F>
constexpr std::tuple<F...> branches(F const&... f) {
  return std::tuple<F...>(f...);
}

namespace detail {

// Compilers print their arguments with the static_asserts.
template <class Index>
inline constexpr bool is_an_integer = std::is_integral_v<Index> && !std::is_same_v<Index, bool>;
template <class T, int... D>
inline constexpr bool is_an_integer<expr<T, D...>> = is_integer(dtype_of<T>);
template <static_constant Index>
inline constexpr bool is_an_integer<Index> = is_an_integer<std::remove_cvref_t<decltype(Index::value)>>;
template <class Branches>
inline constexpr bool has_branches = std::tuple_size_v<Branches> > 0;

template <class Index>
constexpr int clamped(Index index, int n) {
  if constexpr (std::is_signed_v<Index>) {
    if (index < 0) return 0;
  }
  return static_cast<std::uint64_t>(index) < static_cast<std::uint64_t>(n) ? static_cast<int>(index) : n - 1;
}

template <class Branches, class Indices = std::make_index_sequence<std::tuple_size_v<Branches>>>
struct branch_list;
template <class Branches, std::size_t... I>
struct branch_list<Branches, std::index_sequence<I...>> {
  static constexpr int size = static_cast<int>(sizeof...(I));
  static constexpr bool stateless = (is_stateless<std::tuple_element_t<I, Branches>> && ...);
  template <class... Operands>
  using joined = joined_results<branch_result<std::tuple_element_t<I, Branches>, Operands...>...>;
  static constexpr auto references(Branches const& f) { return std::tuple<std::tuple_element_t<I, Branches> const&...>(std::get<I>(f)...); }

  template <class Result, class... Operands>
  static constexpr Result call(int index, Branches const& f, Operands const&... operands) {
    Result r{};
    static_cast<void>(((index == static_cast<int>(I) ? (r = run_branch<Result>(std::get<I>(f), operands...), true) : false) || ...));
    return r;
  }
};

template <class Result, class T, class Branches, class... Operands>
constexpr Result record_switch(expr<T> const& index, Branches const& branches, Operands const&... operands) {
  using list = branch_list<Branches>;
  using number = lit<std::int32_t>;
  auto const clamped =
      detail::bind<expr<std::int32_t>>(prim::clamp, {}, number{0}, convert_to<std::int32_t>(index), number{list::size - 1});
  arena<int> order;
  for (int i = 0; i < list::size; ++i) order.push(i);
  return record_branches<Result>([&] { return clamped; }, expr_access::get(clamped), list::references(branches), order, operands...);
}

// switch_ as a stateless callable, for arrays.
template <class Branches>
struct switch_of {
  template <class Index, class... Operands>
  constexpr auto operator()(Index const& index, Operands const&... operands) const;
};

}  // namespace detail

template <bool Defers = true, class Index, class Branches, class... Operands>
constexpr auto switch_(Index const& index, Branches const& branches, Operands const&... operands) {
  using namespace detail;
  if constexpr (check_arguments<Index, Operands...>()) {
    using type = to_expr_t<Index>;
    constexpr bool is_index = is_an_integer<type> && (static_constant<Index> || is_a_scalar<type>) && has_branches<Branches>;
    static_assert(static_constant<Index> || is_a_scalar<type>, "exprax: switch_: Branch index must be scalar: this message names its type");
    static_assert(is_an_integer<type>, "exprax: switch_: Index type must be an integer: this message names what it is");
    static_assert(has_branches<Branches>, "exprax: switch_: Empty branch sequence: give at least one callable, ex::branches(f, g)");
    if constexpr (!is_index) {
      return none;  // after the error: avoids further ones
    } else if constexpr (takes_arrays<Index, Operands...> && branch_list<Branches>::stateless) {
      return jit(switch_of<Branches>{})(index, operands...);
    } else if constexpr (Defers && is_free<Index, Operands...> && branch_list<Branches>::stateless) {
      return defer<switch_of<Branches>>([&] { return switch_<false>(index, branches, operands...); }, index, operands...);
    } else if constexpr (branch_list<Branches>::size == 1) {
      return run_known_branch(std::get<0>(branches), lift_tree(operands)...);
    } else if constexpr (static_constant<Index>) {
      return run_known_branch(std::get<static_cast<std::size_t>(clamped(Index::value, branch_list<Branches>::size))>(branches),
                              lift_tree(operands)...);
    } else {
      using list = branch_list<Branches>;
      using joined = typename list::template joined<to_expr_t<Operands>...>;
      using result = typename joined::type;
      static_assert(branches_return_one_structure<typename joined::structure_at, result, typename joined::structure>,
                    "exprax: switch branch outputs must have the same pytree structure, but they differ: this message names the branch, "
                    "the structure of branch 0 and that of the other");
      static_assert(
          branches_return_one_type<typename joined::type_at, typename joined::leaf_at, typename joined::before, typename joined::after>,
          "exprax: switch branches must have equal output types but they differ: this message names the branch, the component, the type of "
          "the output of branch 0 and that of the other. Revise the branches so that all output types match");
      if constexpr (!joined::ok) return after_an_error<Index, Operands...>();
      else if constexpr (scalar<Index>) return list::template call<result>(clamped(index, list::size), branches, lift_tree(operands)...);
      else return record_switch<result>(lift_tree(index), branches, lift_tree(operands)...);
    }
  }
}

template <class Branches>
template <class Index, class... Operands>
constexpr auto detail::switch_of<Branches>::operator()(Index const& index, Operands const&... operands) const {
  return switch_(index, Branches{}, operands...);
}

}  // namespace exprax
