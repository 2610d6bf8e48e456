// SPDX-License-Identifier: BSL-1.0
// Products of a matrix with a vector or a few columns, as a layer with one output has. The columns fill no pack: packs run along the sum,
// or along the rows, or hold a row of a few columns and what lies behind it.
#pragma once

#include <exprax/plan/kernels/contract_views.hpp>
#include <exprax/plan/kernels/small_products.hpp>

namespace exprax::detail::planning {

// Of columns, or of terms that are added in turn.
inline constexpr int fewest_in_packs = 4;

// Whether packs may not run along the columns of b, of which `column` is the last axis, or -1. blocked: the order of the sum.
constexpr bool may_be_narrow(aval const& rhs, view_of const& b, int column, bool blocked) {
  return column < 0 || rhs.dims[column] < fewest_in_packs || (blocked && b.stride[column] != 1);
}

class narrow_product {
 public:
  // A product of a (lhs) and b.
  constexpr narrow_product(context const& c, equation_ref const& e, view_of const& a, view_of const& b, int column, bool blocked)
      : e_(e), a_(a), b_(b), d_(e.params()), column_(column) {
    constexpr int fewest_bytes = 16, few_terms = 8;
    aval const& lhs = e.type(0);
    std::ptrdiff_t const columns = columns_in_row();
    if (columns >= fewest_in_packs && (!blocked || b.stride[column_] == 1)) return;
    if (!c.has_packs || d_.lhs_contract.size() == 0 || is_bool(e.out_type(0).type)) return;
    std::ptrdiff_t terms = 1, rows = 1;
    for (int axis : d_.lhs_contract) terms *= lhs.dims[axis];
    for (int axis = 0; axis < lhs.rank; ++axis)
      if (d_.lhs_is_free(axis)) {
        row_ = axis;
        rows *= lhs.dims[axis];
      }
    bool const has_rows = row_ >= 0 && lhs.dims[row_] >= fewest_in_packs;
    if (blocked) {
      // A row, or a few, of columns that are contiguous along the sum, too.
      bool const is_narrow = columns < fewest_in_packs || rows < fewest_in_packs;
      if (is_narrow && terms > few_terms) method_ = has_rows && a.stride[row_] == 1 ? method::along_rows : method::along_sum;
    } else if (terms >= fewest_in_packs && columns * size_of(e.out_type(0).type) < fewest_bytes && has_rows) {
      method_ = columns > 1 && stays_in_registers(lhs.dims[row_], columns, terms, c.machine.registers) ? method::small : method::along_rows;
    }
  }
  // Whether the product is lowered by lower(), which copies the operands or the result where packs need it.
  constexpr bool is_narrow() const { return method_ != method::none; }
  constexpr void lower(context& c, contract_kernel& k, arena<kernel>& kernels) const {
    dtype const type = e_.out_type(0).type;
    aval const lhs = e_.type(0).with_type(type), rhs = e_.type(1).with_type(type);
    view_of const result = result_of_product(c, e_);
    view_of a = a_, b = b_;
    if (method_ == method::along_sum) {
      if (!is_one_axis(lhs, a, d_.lhs_contract)) a = with_axes_last(c, lhs, a, d_.lhs_contract, kernels);
      if (!is_one_axis(rhs, b, d_.rhs_contract)) b = are_same() ? a : with_axes_last(c, rhs, b, d_.rhs_contract, kernels);
    } else if (method_ == method::along_rows) {
      if (a.stride[row_] != 1) a = with_axis_last(c, lhs, a, row_, kernels);
      if (result.stride[d_.place_of_lhs(row_)] != 1) return lower_by_columns(c, a, b, result, k, kernels);
    } else {
      int_list matrix;
      for (int axis : d_.rhs_contract) matrix.push(axis);
      matrix.push(column_);
      if (!is_one_axis(rhs, b, {matrix.of, matrix.n})) b = with_axes_last(c, rhs, b, {matrix.of, matrix.n}, kernels);
    }
    push_product(c, e_, a, b, 0, k, result, kernels);
  }

 private:
  enum class method : std::uint8_t { none, along_sum, along_rows, small };

  // Those of the last axis, and of the axes before it that are one axis with it in memory.
  constexpr std::ptrdiff_t columns_in_row() const {
    if (column_ < 0) return 1;
    std::ptrdiff_t n = e_.type(1).dims[column_];
    for (int i = column_ - 1; i >= 0 && d_.rhs_is_free(i) && b_.stride[i] == b_.stride[column_] * n; --i) n *= e_.type(1).dims[i];
    return n;
  }
  // Whether these axes, the last one of which is the innermost, are one contiguous axis.
  static constexpr bool is_one_axis(aval const& type, view_of const& v, span<int> axes) {
    std::ptrdiff_t n = 1;
    for (int i = axes.size() - 1; i >= 0; --i) {
      if (type.dims[axes[i]] != 1 && v.stride[axes[i]] != n) return false;
      n *= type.dims[axes[i]];
    }
    return true;
  }
  // Whether both operands are one array, of which the same axes are summed, as in dot(x.T, x).
  constexpr bool are_same() const {
    aval const &lhs = e_.type(0), &rhs = e_.type(1);
    if (a_.buffer != b_.buffer || a_.base != b_.base || lhs.rank != rhs.rank) return false;
    for (int i = 0; i < lhs.rank; ++i)
      if (lhs.dims[i] != rhs.dims[i] || a_.stride[i] != b_.stride[i]) return false;
    for (int i = 0; i < d_.lhs_contract.size(); ++i)
      if (d_.lhs_contract[i] != d_.rhs_contract[i]) return false;
    return true;
  }
  // Each column of the result is contiguous in scratch, from which the result is copied.
  constexpr void lower_by_columns(context& c, view_of const& a, view_of const& b, view_of const& result, contract_kernel& k,
                                  arena<kernel>& kernels) const {
    aval const out = e_.out_type(0);
    int const row = d_.place_of_lhs(row_);
    view_of const columns = reordered_scratch(c, out, order_with_last(out.rank, {&row, 1})).view;
    push_product(c, e_, a, b, 0, k, columns, kernels);
    simple_loop(c, out, kernels, [&](box_lowering& l, index_map const&) {
      l.store(l.load(out.type, columns.all(out.rank)), out.type, result.all(out.rank));
    });
  }

  equation_ref const& e_;
  view_of const &a_, &b_;
  dot_numbers d_;
  int column_, row_ = -1;
  method method_ = method::none;
};

}  // namespace exprax::detail::planning
