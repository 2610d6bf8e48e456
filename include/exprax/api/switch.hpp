// SPDX-License-Identifier: BSL-1.0
// switch_(index, branches(f, g, h), operands...): the result of branch number index (jax.lax.switch). The index is an integer
// scalar, and clamped to the branches that there are; these may also be a std::tuple or std::array of callables. All of them
// are traced, and may capture traced values; one of them is run. A single branch is called, whatever the index.
//
// An index that is known while tracing records nothing but its branch; where it is a constant of a type (ex::static_<1>, a Hana
// constant), the other branches are not even instantiated.
#pragma once

#include <exprax/api/branches.hpp>
#include <exprax/api/cond.hpp>

namespace exprax {

// The branches of switch_.
template <class... F>
constexpr std::tuple<F...> branches(F const&... f) {
  return std::tuple<F...>(f...);
}

namespace detail {

// Their arguments are printed with the static_asserts.
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
  using joined = joined_results<choice::switch_, branch_result<std::tuple_element_t<I, Branches>, Operands...>...>;
  static constexpr auto references(Branches const& f) { return std::tuple<std::tuple_element_t<I, Branches> const&...>(std::get<I>(f)...); }

  template <class Result, class... Operands>
  static constexpr Result call(int index, Branches const& f, Operands const&... operands) {
    Result r{};
    static_cast<void>(((index == static_cast<int>(I) ? (r = as_result<Result>(lift_tree(call_one(std::get<I>(f), operands...))), true) : false) || ...));
    return r;
  }
  template <class F, class... Operands>
  static constexpr auto call_one(F const& f, Operands... operands) {
    return f(operands...);
  }
};

template <class Index, class Branches, class... Operands>
constexpr auto trace_switch(Index const& index, Branches const& branches, Operands... operands) {
  using list = branch_list<Branches>;
  if constexpr (list::size == 1) {
    return lift_tree(std::get<0>(branches)(operands...));
  } else if constexpr (static_constant<Index>) {
    return lift_tree(std::get<static_cast<std::size_t>(clamped(Index::value, list::size))>(branches)(operands...));
  } else {
    using joined = typename list::template joined<Operands...>;
    using result = typename joined::type;
    if constexpr (!joined::ok) {
      return result{};  // after the error: nothing that leads to others
    } else if constexpr (scalar<Index>) {
      return list::template call<result>(clamped(index, list::size), branches, operands...);
    } else {
      using number_t = lit<std::int32_t>;
      expr<std::int32_t> const number =
          bind<expr<std::int32_t>>(prim::clamp, {}, number_t{0}, convert_to<std::int32_t>(index), number_t{list::size - 1});
      arena<int> order;
      for (int i = 0; i < list::size; ++i) order.push(i);
      return record_branches<result>([&] { return number; }, expr_access::get(number), list::references(branches), order, operands...);
    }
  }
}

// switch_ as a stateless callable, for arrays.
template <class Branches>
struct switch_of {
  template <class Index, class... Operands>
  constexpr auto operator()(Index const& index, Operands const&... operands) const {
    return trace_switch(index, Branches{}, lift_tree(operands)...);
  }
};

}  // namespace detail

template <class Index, class Branches, class... Operands>
constexpr auto switch_(Index const& index, Branches const& branches, Operands const&... operands) {
  if constexpr (detail::check_arguments<Index, Operands...>()) {
    using type = detail::to_expr_t<Index>;
    constexpr bool is_scalar = detail::static_constant<Index> || detail::is_a_scalar<type>;
    static_assert(is_scalar || detail::is_a_scalar<type>, "exprax: switch_: Branch index must be scalar: this message names its type");
    static_assert(detail::is_an_integer<type>, "exprax: switch_: Index type must be an integer: this message names what it is");
    static_assert(detail::has_branches<Branches>, "exprax: switch_: Empty branch sequence: give at least one callable, ex::branches(f, g)");
    if constexpr (!is_scalar || !detail::is_an_integer<type> || !detail::has_branches<Branches>) return none;  // after the error: nothing that leads to others
    else if constexpr (detail::takes_arrays<Index, Operands...> && detail::branch_list<Branches>::stateless)
      return jit(detail::switch_of<Branches>{})(index, operands...);
    else return detail::trace_switch(detail::lift_unless_known(index), branches, detail::lift_tree(operands)...);
  }
}

}  // namespace exprax
