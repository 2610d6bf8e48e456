// SPDX-License-Identifier: BSL-1.0
// lax::sort by a comparator of the user, as StableHLO has it.
#pragma once

#include <exprax/numpy/reductions/reduce_by.hpp>
#include <exprax/numpy/sorting/sorting.hpp>

namespace exprax {

namespace detail {

// The comparator as a block of two scalars of each operand.
template <class Tags, class F, tracer First, tracer... More>
constexpr auto sorted_by(F const& f, First const& x, More const&... more) {
  using scalar = expr<strong_t<typename First::dtype_type>>;
  std::tuple<First, More...> const operands(x, more...);
  arena<handle> in = handles_of(operands);
  closed_block body;
  {
    block_scope scope(join_all(in));
    arena<handle> outs;
    {
      std::tuple<scalar, scalar, std::array<expr<strong_t<typename More::dtype_type>>, 2>...> pairs{};
      assign_leaves(pairs, [&](aval const& type) { return scope.input(type); });
      auto const rest = [&]<std::size_t... I>(std::index_sequence<I...>) {
        return std::tuple_cat(std::make_tuple(std::get<I + 2>(pairs)[0], std::get<I + 2>(pairs)[1])...);
      };
      auto const others = rest(std::index_sequence_for<More...>{});
      auto const before = std::apply([&](auto const&... each) { return f(std::get<0>(pairs), std::get<1>(pairs), each...); }, others);
      static_assert(std::is_same_v<std::remove_const_t<decltype(before)>, expr<bool>>,
                    "exprax: sort: the comparator must return one scalar of bool: whether its first elements come first");
      outs.push(expr_access::get(before));
    }
    body = scope.close(outs);
  }
  if (body.captures.size() > 0) the_function_of_a_reduction_reads_a_traced_value_around_it();
  tape* const t = body.on.on;
  arena<int> ids, types;
  for (handle const& h : in) ids.push(resolve(h).id);
  (types.push(t->find_static_type(First::type)), ..., types.push(t->find_static_type(More::type)));
  int const params[] = {normal_axis(Tags::axis, First::rank), Tags::stable, 1};
  int out = t->record(prim::sort, ids, params, types, {&body.id, 1});
  std::tuple<First, More...> results{};
  assign_leaves(results, [&](aval const&) { return handle(t, out++); });
  return results;
}
template <class F, class Tags>
struct sort_by_op {
  template <tracer... X>
  constexpr auto operator()(X const&... x) const {
    return sorted_by<Tags>(F{}, x...);
  }
};
// A function, or an object with operator(): that name is in two bases then.
struct with_call {
  void operator()();
};
template <class F>
struct with_call_and : F, with_call {};
template <class F>
concept comparator = std::is_function_v<std::remove_pointer_t<F>> || std::is_final_v<F> ||
    (std::is_class_v<F> && !requires { &with_call_and<F>::operator(); });

}  // namespace detail

namespace lax {

// Rows of several arrays in the order of a comparator, as StableHLO's sort: comes_first(x0, y0, x1, y1, ...) of two scalars of each operand
// is true where the x come before the y. Where neither comes first, they stay in their order. A tuple. Refused: operands of different
// shapes, an axis out of range.
template <array_like... X, detail::comparator F, class... Tags>
constexpr auto sort(std::tuple<X...> const& operands, F const& comes_first, Tags...) {
  EXPRAX_TAKES("lax::sort", "axis<k>, stable, unstable", Tags...) {
    using namespace detail;
    using order = order_tags<Tags...>;
    static_assert(are_of_one_shape<X...>, "exprax: sort: all operands must have one shape");
    static_assert((has_axis_of_rows<X, order::axis> && ...), "exprax: sort: the axis is out of range for the operands");
    if constexpr (!are_of_one_shape<X...> || !(has_axis_of_rows<X, order::axis> && ...)) return operands;
    else if constexpr ((stored<X> || ...) && is_stateless<F>)
      return std::apply([](auto const&... x) { return exprax::jit(sort_by_op<F, order>{})(x...); }, operands);
    else if constexpr (is_free<X...> && is_stateless<F>)
      return std::apply([](auto const&... x) { return created(sort_by_op<F, order>{}, x...); }, operands);
    else return std::apply([&](auto const&... x) { return sorted_by<order>(comes_first, as_traced(as_operand(x))...); }, operands);
  } else {
    return operands;
  }
}

}  // namespace lax

}  // namespace exprax
