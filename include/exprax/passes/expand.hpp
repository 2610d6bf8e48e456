// SPDX-License-Identifier: BSL-1.0
// expand: replaces equations that are planned as several simpler ones. Runs after fuse_multiply_add, so the new products are not fused.
//
//   A convolution of one signal with one short window becomes shifted products, summed in the defined order
//   (primitives/contractions/contraction.hpp), so that it fuses with its neighbours. A window of ones becomes sums.
//
//   A cumulative reduction in turn becomes a scan (passes/expand_cumulative.hpp).
//
//   A cheap value that is reduced along a short axis, such as a difference of points in space, becomes its slices, combined in the defined
//   order (emit/kernels/reductions/reduce.hpp), so that what uses the result takes it into its loop and packs run along it. So does any
//   value of one element along the axis: a sum of one element is 0 plus it.
//
//   So do windows of an array in memory that are reduced along several short axes, as by pooling.
//
//   So do both operands of products of short vectors, one for each index, and the products are summed in the defined order. A vector may be
//   the same for many indices, as in image @ weights or points @ rotation.
//
//   The index of an extremum along a short axis, or in a block, becomes comparisons (passes/expand_argument.hpp).
//
//   A select_n by an integer becomes a chain of selections between two cases.
//
// Longer than 300 lines: one function for each kind of equation; they share the slices of operands and the order of sums.
#pragma once

#include <exprax/base/target.hpp>
#include <exprax/passes/expand_argument.hpp>
#include <exprax/passes/expand_cumulative.hpp>
#include <exprax/primitives/contractions/dot_general.hpp>
#include <exprax/primitives/rule_context.hpp>
#include <exprax/primitives/traits.hpp>
#include <exprax/types/element.hpp>

namespace exprax {
namespace detail {

class expander : rule_context {
 public:
  static constexpr int longest_window = 16, most_columns = 4;
  static constexpr int longest_axis = 8, longest_of_arrays = 4;  // of one array whose rows are taken apart, and of several
  // Of a sum of integers, as of conditions that are counted, where all that is read is smaller than the operand.
  static constexpr int longest_of_counts = 12;
  static constexpr int longest_window_of_array = 9;
  static constexpr std::ptrdiff_t fewest_results = 256, fewest_products = 32;

  // Operands [1, 1, n] and [1, 1, k], no dilation of the signal.
  static constexpr bool is_short_convolution(program_ref p, eqn const& e) {
    if (e.op != prim::conv_general_dilated || p.param(e, 0) != 1 || p.param(e, 4) != 1 || e.n_par > 9) return false;
    aval const& x = p.type(p.in(e, 0));
    aval const& w = p.type(p.in(e, 1));
    return x.dims[0] == 1 && x.dims[1] == 1 && w.dims[0] == 1 && w.dims[1] == 1 && w.dims[2] > 0 && w.dims[2] <= longest_window &&
           p.type(e.out).size() > 0;
  }
  static constexpr bool is_selection_by_integer(program_ref p, eqn const& e) {
    return e.op == prim::select_n && (e.n_in != 3 || p.type(p.in(e, 0)).type != dtype::b1);
  }
  // Also one in blocks, if every order gives the same bits, and packs do not run along the axis.
  static constexpr bool is_cumulative_in_turn(program_ref p, eqn const& e) {
    if (!is_cumulative(e.op) || !runs_in_blocks(e)) return is_cumulative(e.op);
    aval const& t = p.type(e.out);
    bool const is_exact = !is_floating(t.type) || traits_of(e.op).combiner == prim::max || traits_of(e.op).combiner == prim::min;
    bool is_last = true;
    for (int i = p.param(e, 0) + 1; i < t.rank; ++i) is_last = is_last && t.dims[i] == 1;
    return is_exact && !is_last;
  }
  static constexpr bool adds_integers(program_ref p, eqn const& e) {
    return is_reduction(e.op) && traits_of(e.op).combiner == prim::add && !is_inexact(p.type(e.out).type);
  }
  // Whether the axis is short and the result is large: in small values a region or the lanes of a vmap do the same.
  static constexpr bool has_short_axis(program_ref p, eqn const& e) {
    if (!(is_reduction(e.op) || is_argument_reduction(e.op)) || e.n_par != 1 || p.type(e.out).size() < fewest_results) return false;
    int const n = p.type(p.in(e, 0)).dims[p.param(e, 0)];
    return n >= 1 && n <= (adds_integers(p, e) ? longest_of_counts : longest_axis);
  }
  // Whether several short axes of an array in memory are reduced, of which one is the last: the windows of a pooling. Packs run along the
  // last axis that is left. Extrema that look for NaN one by one take longer than those of a reduction, unless packs are wide.
  static constexpr bool has_short_windows(program_ref p, eqn const& e, target const& machine = this_target) {
    constexpr int wide = 64;
    if (!is_reduction(e.op) || e.n_par < 2 || machine.register_bytes == 0 || p.type(e.out).size() < fewest_results) return false;
    aval const& x = p.type(p.in(e, 0));
    if (is_floating(x.type) && !has_fixed_order(e.op, x.type) && machine.register_bytes < wide) return false;
    std::ptrdiff_t n = 1;
    bool has_last = false;
    for (int axis : p.params_of(e)) {
      n *= x.dims[axis];
      has_last = has_last || axis == x.rank - 1;
    }
    return has_last && x.dims[x.rank - 1] > 1 && n <= longest_window_of_array;
  }
  // Not the products of pairs of small matrices, each of which stays in registers.
  static constexpr bool is_product_of_short_vectors(program_ref p, eqn const& e, target const& machine = this_target) {
    if (e.op != prim::dot_general || p.type(e.out).size() < fewest_products) return false;
    dot_numbers const d(p.params_of(e));
    if (d.lhs_contract.size() != 1) return false;
    aval const &lhs = p.type(p.in(e, 0)), &rhs = p.type(p.in(e, 1)), &out = p.type(e.out);
    int const n = lhs.dims[d.lhs_contract[0]], others = d.lhs_batch.size() + 1, of_lhs = lhs.rank - others, of_rhs = rhs.rank - others;
    if (n < 2 || n > longest_axis) return false;
    if (of_lhs == 0 && of_rhs == 0) return n <= longest_of_arrays;
    if (of_lhs == 0 || of_rhs == 0) return true;
    if (machine.register_bytes > 0 && is_of_pairs_of_matrices(d, lhs, rhs, out)) return false;
    bool const has_few_columns = of_rhs == 1 && out.dims[out.rank - 1] <= most_columns;
    bool const has_few_rows = of_lhs == 1 && out.dims[others - 1] <= most_columns && is_last_in_memory(p, p.in(e, 1), d.rhs_contract[0]);
    return out.size() >= fewest_results && (has_few_columns || has_few_rows);
  }
  static constexpr bool is_of_pairs_of_matrices(dot_numbers const& d, aval const& lhs, aval const& rhs, aval const& out) {
    constexpr int most_rows = 8, fewest_bytes = 4;
    int const batch = d.lhs_batch.size();
    if (batch == 0 || lhs.rank != batch + 2 || rhs.rank != batch + 2 || size_of(out.type) < fewest_bytes) return false;
    return out.dims[batch] > 1 && out.dims[batch] <= most_rows && out.dims[batch + 1] > 1;
  }
  // Whether an axis of v, which may be transposed, as in rotation @ points.T, is the last one in memory.
  static constexpr bool is_last_in_memory(program_ref p, int v, int axis) {
    for (int i = 0; i < p.n.eqns; ++i)
      if (eqn const& e = p.eqns[i]; e.op == prim::transpose && e.out == v) return p.param(e, axis) == p.type(v).rank - 1;
    return axis == p.type(v).rank - 1;
  }
  static constexpr bool is_needed(program_ref p) {
    for (int i = 0; i < p.n.eqns; ++i) {
      eqn const& e = p.eqns[i];
      if (is_short_convolution(p, e) || is_cumulative_in_turn(p, e) || is_selection_by_integer(p, e) || has_short_axis(p, e) ||
          has_short_windows(p, e) || is_argument_reduction(e.op) || is_product_of_short_vectors(p, e))
        return true;
    }
    return false;
  }

  constexpr expander(program_builder& to, program_ref p) : rule_context(to, p), def_(definitions_of(p)) {}
  constexpr void run() { copy_.copy_block(from().main_id(), step{*this, true}); }

 private:
  // Writes one equation of a block.
  struct step {
    expander& x;
    bool is_main;
    constexpr void operator()(eqn const& e) const {
      if (is_short_convolution(x.from(), e)) x.copy_.set(e.out, x.convolution(e));
      else if (is_cumulative_in_turn(x.from(), e)) x.copy_.set(e.out, cumulative_expander(x, x.to(), x.from(), e).run(x.operand(e, 0)));
      else if (is_selection_by_integer(x.from(), e)) x.copy_.set(e.out, x.selection(e));
      else if (is_reduction(e.op) && has_short_axis(x.from(), e) && x.is_worth_it(e)) x.copy_.set(e.out, x.reduction(e));
      else if (has_short_windows(x.from(), e) && x.is_in_memory(x.from().in(e, 0))) x.copy_.set(e.out, x.reduction_of_windows(e));
      else if (is_product_of_short_vectors(x.from(), e)) x.copy_.set(e.out, x.product_of_vectors(e));
      else if (is_argument_reduction(e.op) && (!is_main || has_short_axis(x.from(), e))) x.copy_.set(e.out, x.argument(e));
      else if (e.n_blk > 0) x.copy_.copy(e, step{x, false});
      else x.copy_.copy(e);
    }
  };
  constexpr int operand(eqn const& e, int k) { return copy_[from().in(e, k)]; }

  constexpr int emit(prim op, aval const& t, std::initializer_list<int> in, std::initializer_list<int> par = {}) {
    return to().emit_one(op, in, par, t);
  }
  constexpr int converted(int v, aval const& from, dtype to) {
    return from.type == to ? v : emit(prim::convert_element_type, from.with_type(to), {v}, {static_cast<int>(to), 0});
  }

  // Whether every element of v is 1.
  constexpr bool is_ones(int v) const {
    while (true) {
      if (from().is_constant(v)) break;
      if (def_[v] < 0) return false;
      eqn const& e = from().eqns[def_[v]];
      switch (e.op) {
        case prim::broadcast_in_dim: case prim::reshape: case prim::rev: case prim::transpose: case prim::convert_element_type: break;
        default: return false;
      }
      v = from().in(e, 0);
    }
    for (std::ptrdiff_t i = 0; i < from().type(v).size(); ++i)
      if (from().bits(v, i) != bits_of_int(from().type(v).type, 1)) return false;
    return true;
  }

  // Case k where the integer is at least k, else the chain of the cases before. So integers out of range take the nearest case.
  constexpr int selection(eqn const& e) {
    aval const which = from().type(from().in(e, 0)), out = from().type(e.out);
    int chosen = operand(e, 1);
    for (int k = 2; k < e.n_in; ++k) {
      int const bound = literal(which.type, static_cast<std::uint64_t>(k - 1)), value = operand(e, k);
      int const from_here = emit(prim::ge, which.with_type(dtype::b1), {operand(e, 0), bound});
      bool const is_scalar = which.rank == 0 && type(chosen).rank == 0 && type(value).rank == 0;
      chosen = emit(prim::select_n, is_scalar ? aval(out.type) : out, {from_here, chosen, value});
    }
    if (!type(chosen).same_shape(out)) return broadcast(chosen, out, {});
    return chosen;
  }

  // Whether v is computed in the kernels that use it, also if several do (plan/analysis/context.hpp).
  constexpr bool is_cheap(int v) const {
    return def_[v] >= 0 && kind_of(from().eqns[def_[v]].op) == op_class::elementwise && cost_of(v, cheap) <= cheap;
  }
  constexpr int cost_of(int v, int most) const {
    if (from().is_constant(v) || def_[v] < 0) return 0;
    eqn const& e = from().eqns[def_[v]];
    if (!makes_each_element(e.op)) return 0;
    int cost = traits_of(e.op).cost;
    for (int k = 0; k < e.n_in && cost <= most; ++k) cost += cost_of(from().in(e, k), most - cost);
    return cost;
  }
  // Whether elementwise equations compute v from one array of its size, whose index is set, and smaller ones.
  constexpr bool is_of_one_array(int v, std::ptrdiff_t size, int& array) const {
    if (from().is_constant(v) || from().type(v).size() < size) return true;
    if (def_[v] < 0 || !makes_each_element(from().eqns[def_[v]].op)) {
      if (array < 0) array = v;
      return array == v;
    }
    eqn const& e = from().eqns[def_[v]];
    for (int k = 0; k < e.n_in; ++k)
      if (!is_of_one_array(from().in(e, k), size, array)) return false;
    return true;
  }
  // Of the reduction of a short axis: there is nothing to reduce, or it is cheap to compute the operand in each use of the result.
  constexpr bool is_worth_it(eqn const& e) const {
    int const x = from().in(e, 0), n = from().type(x).dims[from().param(e, 0)];
    if (n == 1) return true;
    if (!is_cheap(x)) return false;
    int array = -1;
    if (!is_of_one_array(x, from().type(x).size(), array)) return n <= longest_of_arrays;
    return n <= longest_axis || array < 0;
  }
  // x at index k of an axis, which vanishes.
  constexpr int at_index(int x, int axis, int k) {
    aval part = type(x), rest = part;
    rest.rank = 0;
    part.dims[axis] = 1;
    int_list window, sizes;
    for (int i = 0; i < part.rank; ++i) window.push(i == axis ? k : 0);
    for (int i = 0; i < part.rank; ++i) window.push(i == axis ? k + 1 : part.dims[i]);
    for (int i = 0; i < part.rank; ++i)
      if (i != axis) sizes.push(rest.dims[rest.rank++] = part.dims[i]);
    int const row = type(x).dims[axis] == 1 ? x : to().emit_one(prim::slice, {&x, 1}, {window.of, window.n}, part);
    return to().emit_one(prim::reshape, {&row, 1}, {sizes.of, sizes.n}, rest);
  }
  // The slices of the operand along a short axis; how many.
  constexpr int take_apart(eqn const& e, int* parts) {
    int const x = operand(e, 0), axis = from().param(e, 0), n = type(x).dims[axis];
    for (int k = 0; k < n; ++k) parts[k] = at_index(x, axis, k);
    return n;
  }
  constexpr int reduction(eqn const& e) {
    aval const out = from().type(e.out);
    int parts[longest_of_counts] = {};
    int const n = take_apart(e, parts);
    return combined(traits_of(e.op).combiner, out, parts, n);
  }

  // Whether v is an argument, or the result of an equation whose elements a loop does not make.
  constexpr bool is_in_memory(int v) const {
    while (def_[v] >= 0 && from().eqns[def_[v]].op == prim::reshape) v = from().in(from().eqns[def_[v]], 0);
    return !from().is_constant(v) && (def_[v] < 0 || !makes_each_element(from().eqns[def_[v]].op));
  }
  constexpr int reduction_of_windows(eqn const& e) {
    int const x = operand(e, 0);
    arena<int> axes;
    for (int axis = 0; axis < type(x).rank; ++axis)
      if (contains(from().params_of(e).data(), e.n_par, axis)) axes.push(axis);
    int parts[longest_window_of_array] = {x}, n = 1;
    for (int i = 0; i < axes.size(); ++i) {
      int const axis = axes[i] - i, size = type(parts[0]).dims[axis];  // those before it have vanished
      int of[longest_window_of_array] = {};
      for (int k = 0; k < n * size; ++k) of[k] = at_index(parts[k / size], axis, k % size);
      n *= size;
      for (int k = 0; k < n; ++k) parts[k] = of[k];
    }
    return combined(traits_of(e.op).combiner, from().type(e.out), parts, n);
  }

  constexpr int argument(eqn const& e) {
    prim const combiner = traits_of(e.op).combiner;
    if (!has_short_axis(from(), e)) return argument_in_block(*this, operand(e, 0), from().param(e, 0), combiner);
    int parts[longest_axis] = {};
    int const n = take_apart(e, parts);
    return argument_of_few(*this, {parts, n}, combiner).run();
  }

  constexpr int combined(prim op, aval const& out, int* parts, int n) {
    if (op == prim::add && !is_inexact(out.type)) {  // in any order; so the fewest are kept
      for (int k = 1; k < n; ++k) parts[0] = emit(op, out, {parts[0], parts[k]});
      return parts[0];
    }
    int step = 1;
    while (2 * step < n) step *= 2;
    for (; step > 0; step /= 2)
      for (int k = 0; k < step && k + step < n; ++k) parts[k] = emit(op, out, {parts[k], parts[k + step]});
    // The first summand is 0, so a sum is not -0.
    return op == prim::add && is_floating(out.type) ? emit(op, out, {parts[0], broadcast(literal(out.type, 0), out, {})}) : parts[0];
  }
  // x, which has the axes of an operand but the contracting one, with those of the result. place(axis): where an axis of the operand is.
  template <class Place>
  constexpr int in_places(int x, int contracting, aval const& out, Place place) {
    int_list order, places;
    for (int at = 0; at < out.rank; ++at)
      for (int k = 0; k < type(x).rank; ++k)
        if (place(k + (k >= contracting)) == at) {
          order.push(k);
          places.push(at);
        }
    x = transpose(x, {order.of, order.n});
    return places.n == out.rank ? x : broadcast(x, out, {places.of, places.n});
  }
  // primitives/contractions/contraction.hpp: dot_accumulator.
  constexpr int product_of_vectors(eqn const& e) {
    dot_numbers const d(from().params_of(e));
    aval const out = from().type(e.out);
    int const n = from().type(from().in(e, 0)).dims[d.lhs_contract[0]];
    bool const in_turn = d.order == 0, fuses = is_floating(out.type);
    int const lhs = converted(operand(e, 0), from().type(from().in(e, 0)), out.type);
    int const rhs = converted(operand(e, 1), from().type(from().in(e, 1)), out.type);
    int parts[longest_axis] = {};
    for (int k = 0; k < n; ++k) {
      int const x = in_places(at_index(lhs, d.lhs_contract[0], k), d.lhs_contract[0], out, [&](int axis) {
        return d.lhs_is_free(axis) ? d.place_of_lhs(axis) : position(d.lhs_batch, axis);
      });
      int const y = in_places(at_index(rhs, d.rhs_contract[0], k), d.rhs_contract[0], out, [&](int axis) {
        return d.rhs_is_free(axis) ? d.place_of_rhs(axis, type(lhs).rank) : position(d.rhs_batch, axis);
      });
      // In order 1 each is added to an accumulator of 0, which its sign of 0 does not outlive: `combined` adds the 0 once.
      if (!fuses || !in_turn || k == 0) parts[k] = emit(prim::mul, out, {x, y});
      else parts[k] = emit(prim::fma, out, {x, y, parts[k - 1]});
    }
    return fuses && in_turn ? parts[n - 1] : combined(prim::add, out, parts, n);
  }

  constexpr int convolution(eqn const& e) {
    aval const out = from().type(e.out);
    dtype const t = out.type;
    aval x_type = from().type(from().in(e, 0)).with_type(t);
    aval const w_type = from().type(from().in(e, 1)).with_type(t);
    int x = converted(operand(e, 0), from().type(from().in(e, 0)), t);
    int const w = converted(operand(e, 1), from().type(from().in(e, 1)), t);
    int const stride = from().param(e, 1), low = from().param(e, 2), high = from().param(e, 3), dilation = from().param(e, 5);
    if (low != 0 || high != 0) {
      x_type.dims[2] += low + high;
      x = emit(prim::pad, x_type, {x, literal(t, 0)}, {0, 0, low, 0, 0, high, 0, 0, 0});
    }
    bool const ones = is_ones(from().in(e, 1));
    int sum = -1;
    for (int k = 0; k < w_type.dims[2]; ++k) {
      int const first = k * dilation, last = first + (out.dims[2] - 1) * stride + 1;
      int const part = stride == 1 ? emit(prim::slice, out, {x}, {0, 0, first, 1, 1, last})
                                   : emit(prim::slice, out, {x}, {0, 0, first, 1, 1, last, 1, 1, stride});
      if (ones) {
        sum = k == 0 ? part : emit(prim::add, out, {part, sum});
        continue;
      }
      int const tap = emit(prim::reshape, aval(t), {emit(prim::slice, aval(t, {1, 1, 1}), {w}, {0, 0, k, 1, 1, k + 1})});
      if (k == 0) sum = emit(prim::mul, out, {part, tap});
      else if (is_floating(t)) sum = emit(prim::fma, out, {part, tap, sum});
      else sum = emit(prim::add, out, {emit(prim::mul, out, {part, tap}), sum});
    }
    return sum;
  }

  arena<int> def_;
};

}  // namespace detail

constexpr program expand(program_ref p) {
  program_builder q;
  detail::expander(q, p).run();
  return q.finish();
}

}  // namespace exprax
