// SPDX-License-Identifier: BSL-1.0
// What regions of both kinds need to know about a program before they write steps: the source element of a movement or product, how
// values are used in a block, and which carries are induction variables.
#pragma once

#include <exprax/plan/analysis/context.hpp>
#include <exprax/primitives/contractions/dot_general.hpp>
#include <exprax/primitives/control/signatures.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax::detail::planning {

// The index of the element of `from` that an affine map gives for element i of `to`.
constexpr int mapped_element(aval const& from, index_map const& m, aval const& to, int i) {
  place const p = m.element_of(strides(from));
  std::ptrdiff_t at = p.base;
  for (int a = to.rank - 1; a >= 0; --a) {
    at += p.step[a] * (i % to.dims[a]);
    i /= to.dims[a];
  }
  return static_cast<int>(at);
}

// The element of a piece at index i of the whole; from_fill: none. first, step: for each axis.
template <class First, class Step>
constexpr int element_of_piece(aval const& piece, aval const& whole, int i, First first, Step step) {
  int at = 0;
  strides const weight(piece), of(whole);
  for (int a = 0; a < whole.rank; ++a) {
    int const k = static_cast<int>(i / of[a]) % whole.dims[a] - first(a);
    if (k < 0 || k % step(a) != 0 || k / step(a) >= piece.dims[a]) return from_fill;
    at += static_cast<int>(weight[a]) * (k / step(a));
  }
  return at;
}

// The element of an operand in term k of the sum for element i of a product.
constexpr int factor_of_product(equation_ref const& e, dot_numbers const& d, bool right, int i, int k) {
  aval const& t = e.out_type(0);
  aval const& from = e.type(right);
  span<int> const contracting = right ? d.rhs_contract : d.lhs_contract, batch = right ? d.rhs_batch : d.lhs_batch;
  int index[max_rank] = {};
  for (int a = t.rank - 1; a >= 0; --a) {
    index[a] = i % t.dims[a];
    i /= t.dims[a];
  }
  strides const weight(from);
  std::ptrdiff_t at = 0;
  for (int j = contracting.size() - 1; j >= 0; --j) {
    at += weight[contracting[j]] * (k % from.dims[contracting[j]]);
    k /= from.dims[contracting[j]];
  }
  int free = batch.size();
  if (right) free += e.type(0).rank - d.lhs_contract.size() - d.lhs_batch.size();
  for (int a = 0; a < from.rank; ++a) {
    int place = -1;
    bool summed = false;
    for (int j = 0; j < batch.size(); ++j)
      if (batch[j] == a) place = j;
    for (int axis : contracting) summed = summed || axis == a;
    if (summed) continue;
    at += weight[a] * index[place >= 0 ? place : free++];
  }
  return static_cast<int>(at);
}

// How a reduction reads its operand: the elements that are combined into one result, in the order of the axes.
struct reduced_axes {
  aval const& from;
  int reduced[max_rank] = {}, kept[max_rank] = {}, n_reduced = 0, n_kept = 0;
  int count = 1;  // elements for each result

  constexpr explicit reduced_axes(equation_ref const& e) : from(e.type(0)) {
    for (int i = 0; i < from.rank; ++i) {
      bool is_reduced = false;
      for (int axis : e.params()) is_reduced = is_reduced || axis == i;
      (is_reduced ? reduced[n_reduced++] : kept[n_kept++]) = i;
      if (is_reduced) count *= from.dims[i];
    }
  }
  // Element `at` of those that are combined into result `row`.
  constexpr int element(int row, int at) const {
    strides const weight(from);
    std::ptrdiff_t flat = 0;
    for (int i = n_reduced - 1; i >= 0; --i) flat += weight[reduced[i]] * (at % from.dims[reduced[i]]), at /= from.dims[reduced[i]];
    for (int i = n_kept - 1; i >= 0; --i) flat += weight[kept[i]] * (row % from.dims[kept[i]]), row /= from.dims[kept[i]];
    return static_cast<int>(flat);
  }
};

// True if a block reads or updates elements of the value at dynamic indices.
constexpr bool is_indexed(program_ref const& p, block const& b, int v) {
  for (eqn const& e : p.body(b)) {
    if (e.n_in > 0 && p.in(e, 0) == v && (e.op == prim::dynamic_slice || (is_update(e.op) && !is_static_update(e.op)))) return true;
    if (e.n_blk == 0) continue;
    control_signature const s = signature_of(p, e);
    for (int j = 0; j < e.n_blk; ++j) {
      block const& inner = p.sub(e, j);
      for (int k = 0; k < e.n_in; ++k)
        if (p.in(e, k) == v)
          if (int const i = s.input_of(j, k); i >= 0 && is_indexed(p, inner, p.ins(inner)[i])) return true;
    }
  }
  return false;
}

// An integer to which each of a known number of iterations adds a constant needs no carry.
struct induction_variable {
  bool counts = false;
  std::int64_t first = 0, step = 0;

  // start: the initial value of the carry; inner, out: the input and output of the body.
  constexpr induction_variable() = default;
  constexpr induction_variable(program_ref const& p, int start, block const& body, int inner, int out) {
    aval const& t = p.type(inner);
    if (t.rank != 0 || !p.is_constant(start) || (t.type != dtype::i32 && t.type != dtype::i64)) return;
    for (eqn const& e : p.body(body)) {
      if (e.out != out || e.op != prim::add) continue;
      int const other = p.in(e, 0) == inner ? p.in(e, 1) : p.in(e, 1) == inner ? p.in(e, 0) : -1;
      if (other < 0 || !p.is_constant(other)) return;
      counts = true;
      first = static_cast<std::int64_t>(p.bits(start));
      step = static_cast<std::int64_t>(p.bits(other));
    }
  }
  // The value after so many iterations, in the dtype t.
  constexpr std::uint64_t after(std::int64_t iterations, dtype t) const {
    std::uint64_t const end = static_cast<std::uint64_t>(first) + static_cast<std::uint64_t>(step) * static_cast<std::uint64_t>(iterations);
    return t == dtype::i32
               ? static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(static_cast<std::uint32_t>(end))))
               : end;
  }
};

// Removes what a failed region has written into the tables.
constexpr void forget_region(plan& out, plan_sizes const& before) {
  out.buffers.shrink(before.buffers);
  out.region_blocks.shrink(before.region_blocks);
  out.region_steps.shrink(before.region_steps);
  out.region_moves.shrink(before.region_moves);
  out.region_terms.shrink(before.region_terms);
  out.region_addresses.shrink(before.region_addresses);
  out.tables.shrink(before.tables);
}

}  // namespace exprax::detail::planning
