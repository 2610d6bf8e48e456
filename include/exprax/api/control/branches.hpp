// SPDX-License-Identifier: BSL-1.0
// Shared by cond and switch_: the types of what branches return, and the equation (jax._src.lax.control_flow.conditionals). Branches return
// the same tree, with the same dtypes and shapes; a leaf is weak if it is in all of them.
#pragma once

#include <exprax/api/control/carry.hpp>
#include <exprax/api/control/control.hpp>

namespace exprax::detail {

// The tree of exprs that F returns for operands that are trees of exprs.
template <class F, class... Operands>
using branch_result = lifted_tree_t<std::remove_cvref_t<decltype(std::declval<F const&>()(std::declval<Operands&>()...))>>;

struct join_weakness {
  template <class A, class... B, int... D>
  constexpr auto operator()(expr<A, D...> const&, expr<B, D...> const&...) const {
    return expr<std::conditional_t<(is_weak<B> && ...), A, strong_t<A>>, D...>();
  }
};

template <int K>
struct branch {
  static constexpr int number = K;
};
// First, Rest: the results of the branches. cond and switch_ report differences.
template <class First, class... Rest>
struct joined_results {
  // The first branch whose structure differs from that of branch 0, or 0.
  static constexpr int other_structure = [] {
    int k = 0, found = 0;
    ((++k, found = found == 0 && !same_structure<First, Rest> ? k : found), ...);
    return found;
  }();
  using structure_at = branch<other_structure>;
  using structure = std::tuple_element_t<other_structure, std::tuple<First, Rest...>>;

  // The first branch with a leaf of another type than in branch 0, or 0; and the index of the leaf, or -1.
  struct leaf {
    int branch = 0, component = -1;
  };
  template <bool Same>
  static constexpr leaf find_leaf() {
    leaf r;
    if constexpr (Same) {
      int k = 0;
      auto const look = [&](int difference) {
        ++k;
        if (r.branch == 0 && difference >= 0) r = {k, difference};
      };
      (look(first_difference(leaves_t<First>{}, leaves_t<Rest>{})), ...);
    }
    return r;
  }
  static constexpr leaf other_type = find_leaf<other_structure == 0>();
  using type_at = branch<other_type.branch>;
  using leaf_at = component<other_type.component>;
  using before = typename nth_leaf<other_type.component, leaves_t<First>>::type;
  using after =
      typename nth_leaf<other_type.component, leaves_t<std::tuple_element_t<other_type.branch, std::tuple<First, Rest...>>>>::type;

  static constexpr bool ok = other_structure == 0 && other_type.branch == 0;
  template <bool Ok>
  static constexpr auto find() {
    if constexpr (Ok)
      return std::type_identity<decltype(map_values(join_weakness{}, std::declval<First const&>(), std::declval<Rest const&>()...))>{};
    else return std::type_identity<First>{};
  }
  using type = typename decltype(find<ok>())::type;
};
// Compilers print their arguments with the static_asserts of cond and switch_.
template <class Branch, class First, class Other>
inline constexpr bool branches_return_one_structure = Branch::number == 0;
template <class Branch, class Component, class First, class Other>
inline constexpr bool branches_return_one_type = Branch::number == 0;

template <class F, class... Operands>
constexpr closed_block close_branch(handle const& anchor, F const& f, std::tuple<Operands...> const& operands) {
  block_scope scope(anchor);
  arena<handle> outs;
  static_cast<void>(run_in_block(scope, outs, f, operands));
  return scope.close(outs);
}

// Branches in the order of tracing; order: those of the equation in terms of these. All of them take all captures, first those of the first
// branch. A result that all of them return unchanged from the same operand is that operand.
template <class Result, class Index, class... F, class... Operands>
constexpr Result record_branches(Index const& make_index, handle const& predicate, std::tuple<F const&...> functions, span<int> order,
                                 Operands const&... operands) {
  std::tuple<Operands...> const values(operands...);
  arena<handle> given;
  given.push(predicate);
  push_handles(given, values);
  handle const anchor = join_all(given);
  arena<closed_block> branches;
  std::apply([&](auto const&... f) { (branches.push(close_branch(anchor, f, values)), ...); }, functions);
  handle index = expr_access::get(make_index());
  for (handle& h : given) join(index, h);
  for (closed_block& b : branches) follow(b);
  index = resolve(index);
  tape* const t = index.on;

  arena<int> in;  // of the equation, except the index
  for (closed_block const& b : branches)
    for (int v : b.captures)
      if (position(in, v) < 0) in.push(v);
  int const n_captured = in.size();
  for (int k = 1; k < given.size(); ++k) in.push(resolve(given[k]).id);

  int const n_out = t->blocks.at[branches[0].id].n_out;
  arena<arena<int>> inputs;
  for (closed_block const& b : branches) {
    block const x = t->blocks.at[b.id];
    arena<int> its;
    for (int k = 0; k < in.size(); ++k) {
      int const at = k < n_captured ? position(b.captures, in[k]) : b.captures.size() + k - n_captured;
      its.push(at >= 0 ? t->refs.at[x.in + at] : t->add_value(t->values.at[in[k]].type));
    }
    inputs.push(its);
  }
  arena<int> from;  // for each result, the operand that it equals, or new_result
  for (int k = 0; k < n_out; ++k) {
    int common = -1;
    for (int i = 0; i < branches.size(); ++i) {
      int const at = position(inputs[i], t->refs.at[t->blocks.at[branches[i].id].out + k]);
      common = i == 0 || at == common ? at : -1;
      if (common < 0) break;
    }
    from.push(common < 0 ? new_result : in[common]);
  }
  for (int i = 0; i < branches.size(); ++i) {
    arena<int> out;
    for (int k = 0; k < n_out; ++k)
      if (from[k] == new_result) out.push(t->refs.at[t->blocks.at[branches[i].id].out + k]);
    t->set_inputs(branches[i].id, inputs[i]), t->set_outputs(branches[i].id, out);
  }
  arena<int> all, types, blocks;
  all.push(index.id);
  for (int v : in) all.push(v);
  for (int i : order) blocks.push(branches[i].id);
  int k = 0;
  Result like{};
  for_each_leaf(like, [&](auto const& leaf) {
    if (from[k++] == new_result) types.push(t->find_static_type(std::remove_cvref_t<decltype(leaf)>::type));
  });
  return results_of<Result>(t, from, t->record(prim::cond, all, {}, types, blocks));
}

}  // namespace exprax::detail
