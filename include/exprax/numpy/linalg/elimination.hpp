// SPDX-License-Identifier: BSL-1.0
// Gaussian elimination of a small matrix, each element a scalar of its own, so that under vmap many matrices run in lanes: what lu, solve
// and inv of matrices up to 8 x 8 record.
#pragma once

#include <exprax/numpy/core/record.hpp>
#include <exprax/numpy/shape/joining.hpp>

namespace exprax {

namespace detail {

inline constexpr int small_matrix_size = 8;

// The rows of a matrix, each a vector of its own.
constexpr arena<handle> rows_of(handle const& x) {
  aval const t = untyped::type_of(x);
  arena<handle> rows;
  for (int i = 0; i < t.dims[0]; ++i) rows.push(untyped::reshape(untyped::slice(x, 0, i, i + 1), {&t.dims[1], 1}));
  return rows;
}
constexpr handle side_by_side(handle const& a, handle const& b) {
  arena<handle> parts;
  parts.push(a);
  parts.push(b);
  return untyped::concatenate(parts, 0);
}
// Element j of a vector, and what stands behind it.
constexpr handle element_of(handle const& row, int j) { return untyped::reshape(untyped::slice(row, 0, j, j + 1), {}); }
constexpr handle behind(handle const& row, int j) { return untyped::slice(row, 0, j + 1, untyped::type_of(row).dims[0]); }
// Vectors of one size as a matrix.
constexpr handle stacked_rows(arena<handle> const& rows, aval const& shape) {
  return untyped::reshape(untyped::concatenate(rows, 0), {shape.dims, shape.rank});
}

// Gaussian elimination with exchanges of rows: the largest element of each column is its pivot. `rows` may be longer than the matrix has
// columns: right sides are reduced as well. Afterwards row k lacks its first k elements, which are 0, and below[k] has what multiples of
// other rows it was reduced by. pivots: the row that was exchanged with row k; order: which row came where.
struct elimination {
  arena<handle> rows, below, pivots, order;

  template <class T>
  constexpr void run(int columns, bool keep_factors) {
    using untyped::binary;
    int const n = rows.size(), steps = n < columns ? n : columns;
    if (keep_factors) {
      below.resize(n);
      for (int i = 0; i < n; ++i) order.push(untyped::scalar<std::int32_t>(rows[0], i));
    }
    for (int k = 0; k < steps; ++k) {
      find_pivot(k);
      exchange(rows, k);
      if (keep_factors) {
        if (k > 0) exchange(below, k);
        exchange(order, k);
        handle which = untyped::scalar<std::int32_t>(rows[k], k);
        for (int i = k + 1; i < n; ++i) which = untyped::select(is_pivot_[i], which, untyped::scalar<std::int32_t>(which, i));
        pivots.push(which);
      }
      if (k + 1 == n) break;
      // A column of zeros stays as it is.
      handle const top = element_of(rows[k], 0), zero = untyped::scalar<T>(top, T(0)), one = untyped::scalar<T>(top, T(1));
      handle const inverse = binary(prim::div, one, untyped::select(binary(prim::eq, top, zero), top, one)), right = behind(rows[k], 0);
      for (int i = k + 1; i < n; ++i) {
        handle const factor = binary(prim::mul, element_of(rows[i], 0), inverse);
        rows[i] = binary(prim::sub, behind(rows[i], 0), binary(prim::mul, factor, right));
        if (!keep_factors) continue;
        int const unit = 1;
        handle const longer = untyped::reshape(factor, {&unit, 1});
        if (k == 0) below[i] = longer;
        else below[i] = side_by_side(below[i], longer);
      }
    }
  }

 private:
  // What a pivot is chosen by: of complex numbers |re| + |im|, as LAPACK has it.
  static constexpr handle size_of_pivot(handle const& x) {
    aval const t = untyped::type_of(x);
    if (!is_complex(t.type)) return untyped::unary(prim::abs, x);
    auto const part = [&](prim which) { return untyped::unary(prim::abs, untyped::record(which, x, {}, t.with_type(real_dtype(t.type)))); };
    handle const re = part(prim::real);
    return untyped::binary(prim::add, re, part(prim::imag));
  }
  // Which row has the first of the largest elements in the first column.
  constexpr void find_pivot(int k) {
    using untyped::binary;
    int const n = rows.size();
    is_pivot_.clear();
    is_pivot_.resize(n);
    if (k + 1 == n) return;
    handle best = size_of_pivot(element_of(rows[k], 0));
    for (int i = k + 1; i < n; ++i) {
      handle const size = size_of_pivot(element_of(rows[i], 0));
      is_pivot_[i] = binary(prim::gt, size, best);
      if (i + 1 < n) best = untyped::select(is_pivot_[i], best, size);
    }
    handle later = is_pivot_[n - 1];
    for (int i = n - 2; i > k; --i) {
      handle const larger = is_pivot_[i];
      is_pivot_[i] = binary(prim::and_, larger, untyped::unary(prim::not_, later));
      if (i > k + 1) later = binary(prim::or_, later, larger);
    }
  }
  constexpr void exchange(arena<handle>& of, int k) const {
    handle const top = of[k];
    handle chosen = top;
    for (int i = k + 1; i < of.size(); ++i) {
      handle const own = of[i];
      chosen = untyped::select(is_pivot_[i], chosen, own);
      of[i] = untyped::select(is_pivot_[i], own, top);
    }
    of[k] = chosen;
  }
  arena<handle> is_pivot_;
};

}  // namespace detail

}  // namespace exprax
