// SPDX-License-Identifier: BSL-1.0
// place_vmaps: which vmap equations are expanded to whole arrays, and which run row by row in the lanes of packs. In lanes: loops and
// branches on small values, which then stay in registers, and each pack leaves a loop when its own lanes are done and jumps over branches
// that it does not take, unless they are cheaper than a jump; also small matrices with other equations, short sums, and values assembled
// from single elements, or taken apart into them, which would not fill a pack. On whole arrays: all others, because a loop over the
// elements of many equations is as fast and takes values of any size.
#pragma once

#include <exprax/base/target.hpp>
#include <exprax/passes/expand.hpp>
#include <exprax/passes/rows/scanned_chains.hpp>
#include <exprax/primitives/contractions/dot_general.hpp>
#include <exprax/primitives/traits.hpp>
#include <exprax/transforms/expand_vmap.hpp>

namespace exprax {
namespace detail {

struct lanes_are_better {
  static constexpr int most_equations = 512;
  static constexpr std::ptrdiff_t most_work = 4096;  // each element of a row has its own code; this compiles in seconds
  static constexpr int largest_value = 128;  // elements of a result
  static constexpr int narrow = 16;          // elements that do not fill packs well
  static constexpr int fewest_taken = 2;     // single elements of computed values

  // of_pairs: all rows, or those along one of several mapped axes, share an array.
  constexpr bool operator()(program_ref p, int rows, bool of_pairs = false) const {
    if (rows == 0 || p.n.eqns > most_equations) return false;
    of_pairs = of_pairs && rows >= expander::fewest_products && results_are_scalars(p);
    bool has_control = false, has_narrow = false;
    int widest = 1, taken = 0;
    arena<char> is_short;  // of values: few elements, which are computed
    is_short.resize(p.n.values, 0);
    std::ptrdiff_t work = 0;
    scanned_chains chains(p);
    if (rows >= chains.fewest_rows) chains.find_in_main();
    for (int i = 0; i < p.n.eqns; ++i) {
      eqn const& e = p.eqns[i];
      if (is_cumulative(e.op) && runs_in_blocks(e)) return false;
      if (e.op == prim::vmap || e.op == prim::debug_print || may_have_several_results(kind_of(e.op)) || e.op == prim::conv_general_dilated)
        return false;
      has_control = has_control || e.op == prim::while_ || e.op == prim::scan || is_cumulative(e.op) ||
                    (e.op == prim::cond && !is_cheap_branch(p, e));
      if (e.op == prim::slice && p.type(e.out).size() == 1) taken += is_short[p.in(e, 0)];
      else if (is_elementwise(e.op)) is_short[e.out] = p.type(e.out).size() > 1 && p.type(e.out).size() <= narrow;
      has_narrow = has_narrow || (is_narrow(p, e) && !(of_pairs && becomes_elementwise(p, e)));
      if (e.n_blk > 0 || is_update(e.op)) continue;
      for (int k = 0; k < e.n_out; ++k) {
        std::ptrdiff_t n = p.type(e.out + k).size();
        if (int const scan = chains.reader_of(e.out + k); scan != chains.none) n /= chains.length_of(scan);
        if (n > largest_value) return false;
        if (n > widest) widest = static_cast<int>(n);
        work += n * (traits_of(e.op).cost >= cost_of_function ? 16 : 1);
      }
      if (e.op == prim::dot_general) work += p.type(p.in(e, 0)).size() * p.type(p.in(e, 1)).size();
    }
    if (work > most_work) return false;
    if (has_control) return rows >= 4 || widest < 4;
    return (taken >= fewest_taken ? rows >= 4 : has_narrow && rows >= narrow) && inputs_are_small(p);
  }

 private:
  // All branches together take about as long as the jumps over them: a few instructions and at most one function.
  static constexpr bool is_cheap_branch(program_ref p, eqn const& cond) {
    int cost = 0;
    for (int b = 0; b < cond.n_blk; ++b)
      for (eqn const& e : p.body(equation_ref{p, cond}.sub(b))) {
        if (kind_of(e.op) != op_class::elementwise) return false;
        cost += traits_of(e.op).cost;
      }
    return cost < 2 * cost_of_function;
  }
  // Short sums and products, and values assembled from single elements.
  static constexpr bool is_narrow(program_ref p, eqn const& e) {
    if (e.op == prim::dot_general) return p.type(p.in(e, 0)).size() * p.type(p.in(e, 1)).size() <= narrow * narrow * narrow;
    if (is_reduction(e.op) || is_argument_reduction(e.op))
      return p.type(p.in(e, 0)).size() <= narrow && p.type(e.out).size() < p.type(p.in(e, 0)).size();
    return e.op == prim::concatenate && e.n_in >= 4 && p.type(e.out).size() <= narrow * e.n_in;
  }
  // For each pair of an array and a row, sums and products of a few elements are sums of slices on whole arrays (passes/expand.hpp), in one
  // loop with what uses the results, such as their sum over the pairs.
  static constexpr bool becomes_elementwise(program_ref p, eqn const& e) {
    return (e.op == prim::dot_general || is_reduction(e.op)) && p.type(e.out).rank == 0 && p.type(p.in(e, 0)).rank == 1 &&
           p.type(p.in(e, 0)).size() <= expander::longest_axis;
  }
  static constexpr bool results_are_scalars(program_ref p) {
    for (int v : p.outs(p.main()))
      if (p.type(v).rank > 0) return false;
    return true;
  }
  static constexpr bool inputs_are_small(program_ref p) {
    for (int v : p.ins(p.main()))
      if (p.type(v).size() > largest_value) return false;
    return true;
  }
};

// One product of matrices, which lie one after the other: its rows fill packs, whole or with those behind them (dot_matrix.hpp).
constexpr bool is_product_of_matrices(program_ref p, equation_ref const& e, target const& machine = this_target) {
  using rules = primitive<prim::vmap>;
  if (machine.register_bytes == 0 || p.n.eqns != 1 || p.eqns[0].op != prim::dot_general || rules::axes(e) != 1) return false;
  for (int k = 0; k < e.n_in() + 1; ++k)
    if (batch_axis const d = rules::in_dim(e, k, 0); d != batch_axis(0)) return false;
  equation_ref const product{p, p.eqns[0]};
  aval const lhs = product.type(0), rhs = product.type(1), out = product.out_type(0);
  if (lhs.rank != 2 || rhs.rank != 2 || out.rank != 2 || size_of(out.type) < 4 || rhs.type != out.type) return false;
  dot_numbers const d(product.params());
  if (d.rhs_contract.size() != 1 || d.rhs_contract[0] != 0 || out.dims[0] < 2 || rhs.dims[0] < 2) return false;
  return out.dims[1] > 2 || (out.dims[1] == 2 && out.dims[0] % 2 == 0 && rhs.dims[0] % 2 == 0);
}

// A vector of each row times a matrix that all rows share, and elementwise equations: a product of matrices on whole arrays. Its results
// fill packs, or they are a few, and the short vector becomes products of slices (passes/expand.hpp).
constexpr bool is_vector_times_matrix(program_ref p, equation_ref const& e) {
  using rules = primitive<prim::vmap>;
  constexpr int fewest_of_pack = 4;
  eqn const* found = nullptr;
  for (eqn const& q : p.body(p.main())) {
    if (q.op == prim::dot_general && found == nullptr) found = &q;
    else if (!is_elementwise(q.op)) return false;
  }
  if (found == nullptr) return false;
  equation_ref const product{p, *found};
  if (product.in(0) == product.in(1)) return false;
  int mapped = 0;
  for (int k = 0; k < e.n_in(); ++k) {
    int const v = p.ins(p.main())[k];
    if (v != product.in(0) && v != product.in(1)) continue;
    bool is_mapped = false;
    for (int a = 0; a < rules::axes(e); ++a) is_mapped = is_mapped || rules::in_dim(e, k, a).is_mapped();
    if (is_mapped && p.type(v).rank != 1) return false;
    mapped += is_mapped;
  }
  dot_numbers const d(product.params());
  int const n = d.lhs_contract.size() == 1 ? product.type(0).dims[d.lhs_contract[0]] : 0;
  std::ptrdiff_t const results = product.out_type(0).size();
  if (mapped != 1 || n < 2) return false;
  if (results > expander::most_columns) return results % fewest_of_pack == 0;
  return p.n.eqns == 1 && n <= expander::longest_axis && rules::rows(e) * results >= expander::fewest_results;
}

}  // namespace detail

template <class Program>
constexpr program place_vmaps(Program p) {
  auto const stays = [](program_ref body, equation_ref const& e) {
    using rules = primitive<prim::vmap>;
    if (detail::is_product_of_matrices(body, e) || detail::is_vector_times_matrix(body, e)) return false;
    bool of_pairs = false;
    for (int k = 0; k < e.n_in(); ++k)
      for (int a = 0; a < rules::axes(e); ++a)
        of_pairs = of_pairs || (body.type(body.ins(body.main())[k]).rank > 0 && !rules::in_dim(e, k, a).is_mapped());
    return detail::lanes_are_better{}(body, static_cast<int>(rules::rows(e)), of_pairs);
  };
  return expand_vmap(p, stays, true);
}

}  // namespace exprax
