// SPDX-License-Identifier: BSL-1.0
// Carries of a scan that start at 0 and to which each iteration adds an outer product, as the gradient of a weight matrix does. The factors
// are stacked instead, and one dot_general over the iterations follows the loop: the matrix is written once. The terms, their order and
// how they are rounded stay.
#pragma once

#include <exprax/passes/rewrite/rewriter.hpp>
#include <exprax/primitives/control/scan.hpp>

namespace exprax::detail {

// Axis i of the product is axis x_axis[i] of x, axis y_axis[i] of y, or both; -1: none of it.
struct outer_product {
  int x = 0, y = 0;
  int x_axis[max_rank] = {}, y_axis[max_rank] = {};
};

// A value, broadcast: the operand, and for each axis of the result that of the operand, or -1.
template <class W>
constexpr int broadcast_factor(W& w, int v, int* axes) {
  eqn const* const e = w.made_by(prim::broadcast_in_dim, v);
  if (!e) return -1;
  int const x = w.in(e, 0), rank = w.aval_of(v).rank;
  aval const from = w.aval_of(x), to = w.aval_of(v);
  for (int i = 0; i < rank; ++i) axes[i] = -1;
  for (int i = 0; i < from.rank; ++i) {
    int const at = w.param(e, rank + i);
    if (from.dims[i] != to.dims[at]) return -1;
    axes[at] = i;
  }
  return x;
}

// Whether `next`, which an iteration makes of the carry, is carry + x * y, and nothing else reads the carry or the product.
template <class W>
constexpr bool adds_product(W& w, int carry, int next, outer_product& p) {
  constexpr std::ptrdiff_t fewest_elements = 256;  // fewer are kept in registers
  eqn const* const sum = w.made_by(prim::add, next);
  if (!sum || w.uses_inside(carry) != 1 || w.uses_inside(next) != 0) return false;
  int const term = w.in(sum, 0) == carry ? w.in(sum, 1) : w.in(sum, 0);
  eqn const* const product = w.made_by(prim::mul, term);
  if (!product || w.in(sum, 0) + w.in(sum, 1) != carry + term || w.uses_inside(term) != 1) return false;
  p.x = broadcast_factor(w, w.in(product, 0), p.x_axis);
  p.y = broadcast_factor(w, w.in(product, 1), p.y_axis);
  if (p.x < 0 || p.y < 0 || w.level_of(p.x) < w.depth() || w.level_of(p.y) < w.depth()) return false;
  aval const type = w.aval_of(carry);
  std::ptrdiff_t rows = 1, columns = 1;
  for (int i = 0; i < type.rank; ++i) {
    if (p.x_axis[i] < 0 && p.y_axis[i] < 0) return false;
    if (p.y_axis[i] < 0) rows *= type.dims[i];
    if (p.x_axis[i] < 0) columns *= type.dims[i];
  }
  return rows > 1 && columns > 1 && rows * columns >= fewest_elements && type.rank < max_rank;
}

// The sum of the products over all iterations, added to the start. xs, ys: the stacked factors; reverse: the last row comes first.
template <class W>
constexpr int sum_of_products(W& w, outer_product const& p, int start, int xs, int ys, bool reverse) {
  aval const type = w.aval_of(start);
  int order[max_rank], par[4 + 4 * max_rank], n = 0, batch = 0, last = 3;
  aval made(type.type);
  for (int part = 0; part < 3; ++part)  // batch axes, those of x alone, those of y alone
    for (int i = 0; i < type.rank; ++i) {
      if ((p.x_axis[i] >= 0 ? p.y_axis[i] >= 0 ? 0 : 1 : 2) != part) continue;
      order[i] = n++;
      made.dims[made.rank++] = type.dims[i];
      batch += part == 0;
    }
  par[0] = 1, par[1] = par[2] = 0;
  par[last++] = batch;
  for (int side = 0; side < 2; ++side)
    for (int i = 0; i < type.rank; ++i)
      if (p.x_axis[i] >= 0 && p.y_axis[i] >= 0) par[last++] = 1 + (side == 0 ? p.x_axis[i] : p.y_axis[i]);
  par[last++] = static_cast<int>(type.type);
  par[last++] = 0;
  if (reverse) xs = w.make(prim::rev, w.type_of(xs), {xs}, {0}), ys = w.make(prim::rev, w.type_of(ys), {ys}, {0});
  int const in[] = {xs, ys}, products = w.make({prim::dot_general, w.intern(made), in, 2, par, last});
  int const sum = w.make({prim::transpose, w.type_of(start), &products, 1, order, type.rank});
  return w.make(prim::add, w.type_of(start), {start, sum});
}

// The carries of one scan. rows, row_inputs: the arrays that it is scanned over, and their rows. out: what an iteration returns, of which
// the first n_carry are the carries, then what is stacked; factors that are not among them are added.
template <class W>
class product_sums {
 public:
  constexpr product_sums(W& w, span<int> rows, span<int> row_inputs, arena<int>& out, int n_carry, int length)
      : w_(w), rows_(rows), row_inputs_(row_inputs), out_(out), n_carry_(n_carry), n_known_(out.size()), length_(length) {
    for (int v : row_inputs) bytes_left_ += bytes_of(v);
    for (int k = n_carry; k < out.size(); ++k) bytes_left_ += bytes_of(out[k]);
  }

  // out[i] is the next value of `carry`, `start` the first one. If the loop sums products in it, it is handed on: the next walk removes it.
  // What is stacked anew takes at most as many bytes as what the loop reads and stacks in any case.
  constexpr void consider(int result, int start, int carry, int i) {
    outer_product p;
    int const filled_by = w_.uniform(start);
    if (filled_by < 0 || !w_.is_literal(filled_by) || w_.bits(filled_by) != 0) return;
    if (position(out_, carry) >= 0 || !adds_product(w_, carry, out_[i], p)) return;
    std::ptrdiff_t const bytes = (is_stacked(p.x) ? 0 : bytes_of(p.x)) + (is_stacked(p.y) ? 0 : bytes_of(p.y));
    if (bytes > bytes_left_) return;
    bytes_left_ -= bytes;
    for (int v : {p.x, p.y})
      if (!is_stacked(v)) out_.push(v);
    sums_.push({p, result, start, {place_of(p.x), place_of(p.y)}});
    out_[i] = carry;
    w_.finds_more = true;
  }
  // The types of what was added to `out`.
  constexpr arena<int> stacked_types() const {
    arena<int> types;
    for (int k = n_known_; k < out_.size(); ++k) {
      aval const row = w_.aval_of(out_[k]);
      types.push(w_.intern(row.with_axis(0, length_)));
    }
    return types;
  }
  // The sums, after the loop. made: the values of its results.
  constexpr void bind(int first_result, span<int> made, bool reverse) const {
    for (sum const& s : sums_) {
      int arrays[2];
      for (int side = 0; side < 2; ++side) arrays[side] = s.at[side].is_row ? rows_[s.at[side].index] : made[s.at[side].index];
      w_.bind(first_result + s.result, sum_of_products(w_, s.product, s.start, arrays[0], arrays[1], reverse));
    }
  }

 private:
  struct place {
    bool is_row;
    int index;
  };
  struct sum {
    outer_product product;
    int result, start;
    place at[2];
  };
  constexpr place place_of(int v) const {
    if (int const i = position(row_inputs_, v); i >= 0) return {true, i};
    int k = n_carry_;
    while (k < out_.size() && out_[k] != v) ++k;
    return {false, k};
  }
  constexpr bool is_stacked(int v) const {
    place const at = place_of(v);
    return at.is_row || at.index < out_.size();
  }
  constexpr std::ptrdiff_t bytes_of(int v) const { return w_.aval_of(v).size() * size_of(w_.aval_of(v).type); }

  W& w_;
  span<int> rows_, row_inputs_;
  arena<int>& out_;
  arena<sum> sums_;
  int n_carry_, n_known_, length_;
  std::ptrdiff_t bytes_left_ = 0;
};

}  // namespace exprax::detail
