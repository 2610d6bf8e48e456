// SPDX-License-Identifier: BSL-1.0
// What cond and switch_ share: the types of what branches return, and the equation (jax._src.lax.control_flow.conditionals).
// Branches return the same tree, with the same dtypes and shapes; a leaf is weak where it is in all of them.
#pragma once

#include <exprax/api/carry.hpp>
#include <exprax/api/control.hpp>

namespace exprax::detail {

enum class choice { cond, switch_ };

// The tree of exprs that F returns for operands that are trees of exprs.
template <class F, class... Operands>
using branch_result = lifted_tree_t<std::remove_cvref_t<decltype(std::declval<F const&>()(std::declval<Operands&>()...))>>;

// Their arguments are printed with the static_asserts: the numbers of the branch and of the component, and the two types.
template <int Branch, class First, class Other>
inline constexpr bool branches_return_one_structure = same_structure<First, Other>;
template <int Branch, int Component, class First, class Other>
inline constexpr bool branches_return_one_type = First::type.matches(Other::type);

template <choice Kind, int Branch, int Component, class First, class Other>
constexpr bool check_branch_leaf() {
  if constexpr (Kind == choice::cond)
    static_assert(branches_return_one_type<Branch, Component, First, Other>,
                  "exprax: cond branches must have equal output types but they differ: this message names the component, the type of the output of true_fun and "
                  "that of false_fun. Revise true_fun and/or false_fun so that all output types match");
  else
    static_assert(branches_return_one_type<Branch, Component, First, Other>,
                  "exprax: switch branches must have equal output types but they differ: this message names the branch, the component, the type of the output of "
                  "branch 0 and that of the other. Revise the branches so that all output types match");
  return branches_return_one_type<Branch, Component, First, Other>;
}
template <choice Kind, int Branch, class First, class Other>
constexpr bool check_branch_structure() {
  if constexpr (Kind == choice::cond)
    static_assert(branches_return_one_structure<Branch, First, Other>,
                  "exprax: cond branch outputs must have the same pytree structure, but they differ: this message names that of true_fun and that of false_fun");
  else
    static_assert(branches_return_one_structure<Branch, First, Other>,
                  "exprax: switch branch outputs must have the same pytree structure, but they differ: this message names that of branch 0 and that of another");
  return branches_return_one_structure<Branch, First, Other>;
}
template <choice Kind, int Branch, class First, class Other, class = std::make_integer_sequence<int, First::size>>
inline constexpr bool branch_leaves_agree = false;
template <choice Kind, int Branch, class... A, class... B, int... I>
inline constexpr bool branch_leaves_agree<Kind, Branch, type_list<A...>, type_list<B...>, std::integer_sequence<int, I...>> =
    (check_branch_leaf<Kind, Branch, I, A, B>() & ... & true);

template <choice Kind, int Branch, class First, class Other>
constexpr bool check_branch() {
  if constexpr (check_branch_structure<Kind, Branch, First, Other>()) return branch_leaves_agree<Kind, Branch, leaves_t<First>, leaves_t<Other>>;
  else return false;
}

struct join_weakness {
  template <class A, class... B, int... D>
  constexpr auto operator()(expr<A, D...> const&, expr<B, D...> const&...) const {
    return expr<std::conditional_t<(is_weak<B> && ...), A, strong_t<A>>, D...>();
  }
};

// First, Rest: what the branches return.
template <choice Kind, class First, class... Rest>
struct joined_results {
  template <int... I>
  static constexpr bool check(std::integer_sequence<int, I...>) {
    return (check_branch<Kind, I + 1, First, Rest>() & ... & true);
  }
  static constexpr bool ok = check(std::make_integer_sequence<int, static_cast<int>(sizeof...(Rest))>{});
  template <bool Ok>
  static constexpr auto find() {
    if constexpr (Ok) return std::type_identity<decltype(map_values(join_weakness{}, std::declval<First const&>(), std::declval<Rest const&>()...))>{};
    else return std::type_identity<First>{};
  }
  using type = typename decltype(find<ok>())::type;
};

// What one branch returns, as the result of all.
template <class Result, class Made>
constexpr Result as_result(Made const& made) {
  return start_from<Result>(made);
}

template <class F, class... Operands>
constexpr closed_block close_branch(handle const& anchor, F const& f, std::tuple<Operands...> const& operands) {
  block_scope scope(anchor);
  arena<handle> outs;
  static_cast<void>(run_in_block(scope, outs, f, operands));
  return scope.close(outs);
}

// Branches in the order of tracing; order: those of the equation in terms of these. All of them take what any captures, first the
// captures of the first. A result that all of them hand on from one operand is that operand.
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

  arena<int> in;  // of the equation, but for the index
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
      its.push(at >= 0 ? t->links.at[x.in + at] : t->add_value(t->values.at[in[k]].type));
    }
    inputs.push(its);
  }
  arena<int> from;  // for each result the operand that it is, or -1
  for (int k = 0; k < n_out; ++k) {
    int common = -1;
    for (int i = 0; i < branches.size(); ++i) {
      int const at = position(inputs[i], t->links.at[t->blocks.at[branches[i].id].out + k]);
      common = i == 0 || at == common ? at : -1;
      if (common < 0) break;
    }
    from.push(common < 0 ? -1 : in[common]);
  }
  for (int i = 0; i < branches.size(); ++i) {
    arena<int> out;
    for (int k = 0; k < n_out; ++k)
      if (from[k] < 0) out.push(t->links.at[t->blocks.at[branches[i].id].out + k]);
    set_links(t, branches[i].id, inputs[i], out);
  }
  arena<int> all, types, blocks;
  all.push(index.id);
  for (int v : in) all.push(v);
  for (int i : order) blocks.push(branches[i].id);
  int k = 0;
  Result like{};
  for_each_leaf(like, [&](auto const& leaf) {
    if (from[k++] < 0) types.push(t->find_static_type(std::remove_cvref_t<decltype(leaf)>::type));
  });
  return results_of<Result>(t, from, t->record(prim::cond, all, {}, types, blocks));
}

}  // namespace exprax::detail
