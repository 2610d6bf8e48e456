// SPDX-License-Identifier: BSL-1.0
// Constraints of the StableHLO specification on single operations (docs/spec.md: the numbered constraints of each).
#pragma once

#include "stablehlo_parser.hpp"

namespace stablehlo {

namespace rules {

inline bool is_one_of(std::string_view name, std::initializer_list<std::string_view> list) {
  for (std::string_view s : list)
    if (s == name) return true;
  return false;
}
inline bool ascending_axes(ints const& axes, long rank) {
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i] < 0 || axes[i] >= rank || (i > 0 && axes[i] <= axes[i - 1])) return false;
  return true;
}
inline bool distinct_axes(ints const& axes, long rank) {
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] < 0 || axes[i] >= rank) return false;
    for (std::size_t j = 0; j < i; ++j)
      if (axes[i] == axes[j]) return false;
  }
  return true;
}
inline bool has(ints const& list, long x) {
  for (long y : list)
    if (x == y) return true;
  return false;
}
inline ints of(operation const& o, std::string const& key) {
  auto const found = o.at.find(key);
  return found == o.at.end() ? ints{} : found->second;
}
// The dims at these axes.
inline ints at(tensor const& t, ints const& axes) {
  ints r;
  for (long a : axes) r.push_back(t.dims[static_cast<std::size_t>(a)]);
  return r;
}
inline ints without(tensor const& t, ints const& axes) {
  ints r;
  for (long a = 0; a < t.rank(); ++a)
    if (!has(axes, a)) r.push_back(t.dims[static_cast<std::size_t>(a)]);
  return r;
}

inline bool elementwise(operation const& o) {
  std::string_view const n = o.name;
  long arity = 0;
  bool floats = true, integers = true, bools = false;
  if (is_one_of(n, {"negate", "sign", "abs"})) arity = 1;
  else if (is_one_of(n, {"exponential", "exponential_minus_one", "log", "log_plus_one", "sqrt", "rsqrt", "sine", "cosine", "tanh", "logistic", "floor", "ceil",
                         "round_nearest_afz", "round_nearest_even", "reduce_precision", "cbrt", "tan", "chlo.square", "chlo.asin", "chlo.acos", "chlo.atan",
                         "chlo.sinh", "chlo.cosh", "chlo.asinh", "chlo.acosh", "chlo.atanh", "chlo.erf", "chlo.erfc", "chlo.erf_inv", "chlo.lgamma",
                         "chlo.digamma"}))
    arity = 1, integers = false;
  else if (is_one_of(n, {"popcnt", "count_leading_zeros"})) arity = 1, floats = false;
  else if (is_one_of(n, {"shift_left", "shift_right_logical", "shift_right_arithmetic"})) arity = 2, floats = false;
  else if (is_one_of(n, {"atan2", "chlo.next_after"})) arity = 2, integers = false;
  else if (n == "not") arity = 1, floats = false, bools = true;
  else if (is_one_of(n, {"subtract", "divide", "remainder", "power"})) arity = 2;
  else if (is_one_of(n, {"add", "multiply", "maximum", "minimum"})) arity = 2, bools = true;
  else if (is_one_of(n, {"and", "or", "xor"})) arity = 2, floats = false, bools = true;
  else if (n == "clamp") arity = 3;
  else return false;
  require(static_cast<long>(o.in.size()) == arity && o.out.size() == 1, o.name + ": the number of operands");
  tensor const& t = o.out[0];
  if (n == "abs" && o.in[0].is_complex()) return require(t == o.in[0].parts(), "abs: of a complex number"), true;
  for (tensor const& i : o.in) require(i == t, o.name + ": operands and result differ in type");
  bool const complexes = is_one_of(n, {"negate", "sign", "exponential", "exponential_minus_one", "log", "log_plus_one", "sqrt", "rsqrt", "sine", "cosine", "tan",
                                       "tanh", "logistic", "chlo.square", "chlo.sinh", "chlo.cosh", "subtract", "divide", "power", "add", "multiply"});
  require(t.is_complex() ? complexes : t.is_float() ? floats : t.is_bool() ? bools : integers, o.name + ": of " + t.element);
  if (is_one_of(n, {"sign", "abs"})) require(!t.element.starts_with("u"), o.name + ": of unsigned integers");
  return true;
}

inline void pad(operation const& o) {
  tensor const &x = o.in[0], &r = o.out[0];
  ints const low = of(o, "low"), high = of(o, "high"), interior = of(o, "interior");
  require(o.in.size() == 2 && o.in[1].rank() == 0 && o.in[1].element == x.element, "pad: the padding value");
  require(low.size() == x.dims.size() && high.size() == low.size() && interior.size() == low.size(), "pad: the number of axes");
  tensor expected = x;
  for (std::size_t i = 0; i < low.size(); ++i) {
    require(interior[i] >= 0, "pad: negative interior padding");
    expected.dims[i] = x.dims[i] + low[i] + high[i] + (x.dims[i] > 0 ? x.dims[i] - 1 : 0) * interior[i];
  }
  require(r == expected, "pad: the shape of the result");
}
inline void slice(operation const& o) {
  tensor const& x = o.in[0];
  ints const start = of(o, "start"), limit = of(o, "limit"), stride = of(o, "stride");
  require(start.size() == x.dims.size(), "slice: the number of axes");
  tensor expected = x;
  for (std::size_t i = 0; i < start.size(); ++i) {
    require(0 <= start[i] && start[i] <= limit[i] && limit[i] <= x.dims[i] && stride[i] > 0, "slice: the bounds");
    expected.dims[i] = (limit[i] - start[i] + stride[i] - 1) / stride[i];
  }
  require(o.out[0] == expected, "slice: the shape of the result");
}
inline void scalar_indices(operation const& o, std::size_t first) {
  require(static_cast<long>(o.in.size() - first) == o.in[0].rank(), o.name + ": the number of indices");
  for (std::size_t i = first; i < o.in.size(); ++i) require(o.in[i].rank() == 0 && o.in[i].is_integer(), o.name + ": an index is no scalar integer");
}
inline void dot_general(operation const& o) {
  tensor const &a = o.in[0], &b = o.in[1];
  ints const ab = of(o, "lhs_batching_dims"), bb = of(o, "rhs_batching_dims"), ac = of(o, "lhs_contracting_dims"), bc = of(o, "rhs_contracting_dims");
  ints a_axes = ab, b_axes = bb;
  a_axes.insert(a_axes.end(), ac.begin(), ac.end());
  b_axes.insert(b_axes.end(), bc.begin(), bc.end());
  require(distinct_axes(a_axes, a.rank()) && distinct_axes(b_axes, b.rank()), "dot_general: axes");
  require(at(a, ab) == at(b, bb) && at(a, ac) == at(b, bc), "dot_general: batch or contracted axes differ in size");
  require(a.element == b.element, "dot_general: element types");
  ints expected = at(a, ab);
  for (long d : without(a, a_axes)) expected.push_back(d);
  for (long d : without(b, b_axes)) expected.push_back(d);
  require(o.out[0].dims == expected, "dot_general: the shape of the result");
}
inline void convolution(operation const& o) {
  tensor const &a = o.in[0], &b = o.in[1], &r = o.out[0];
  ints const stride = of(o, "stride"), pad = of(o, "pad"), lhs = of(o, "lhs_dilate"), rhs = of(o, "rhs_dilate");
  long const groups = of(o, "feature_group_count")[0], batches = of(o, "batch_group_count")[0];
  require(a.rank() == b.rank() && static_cast<long>(stride.size()) == a.rank() - 2, "convolution: ranks");
  require(a.dims[1] == b.dims[1] * groups && b.dims[0] % groups == 0 && b.dims[0] % batches == 0, "convolution: groups");
  ints expected{a.dims[0] / batches, b.dims[0]};
  for (std::size_t i = 0; i < stride.size(); ++i) {
    long const dilated = a.dims[2 + i] == 0 ? 0 : (a.dims[2 + i] - 1) * lhs[i] + 1, window = b.dims[2 + i] == 0 ? 0 : (b.dims[2 + i] - 1) * rhs[i] + 1;
    long const padded = pad[2 * i] + dilated + pad[2 * i + 1];
    expected.push_back(padded == 0 || window > padded ? 0 : (padded - window) / stride[i] + 1);
  }
  require(r.dims == expected && a.element == b.element, "convolution: the type of the result");
}
inline void gather(operation const& o) {
  require(o.in.size() == 2 && o.out.size() == 1, "gather: operands");
  tensor const &x = o.in[0], &indices = o.in[1], &r = o.out[0];
  ints const offset = of(o, "offset_dims"), collapsed = of(o, "collapsed_slice_dims"), batch = of(o, "operand_batching_dims");
  ints const index_batch = of(o, "start_indices_batching_dims"), to = of(o, "start_index_map"), vector = of(o, "index_vector_dim"), sizes = of(o, "slice_sizes");
  long const vector_dim = vector.empty() ? 0 : vector[0];
  require(x.rank() == static_cast<long>(offset.size() + collapsed.size() + batch.size()), "gather: the number of window axes");
  require(vector_dim >= 0 && vector_dim <= indices.rank() && indices.is_integer(), "gather: index_vector_dim");
  long const length = vector_dim < indices.rank() ? indices.dims[static_cast<std::size_t>(vector_dim)] : 1;
  require(length == static_cast<long>(to.size()) && distinct_axes(to, x.rank()), "gather: the length of the index vectors");
  require(ascending_axes(offset, r.rank()) && ascending_axes(collapsed, x.rank()) && ascending_axes(batch, x.rank()), "gather: axes");
  for (long axis : batch) require(!has(collapsed, axis) && !has(to, axis), "gather: a batch axis is used twice");
  require(distinct_axes(index_batch, indices.rank()) && !has(index_batch, vector_dim), "gather: batch axes of indices");
  require(batch.size() == index_batch.size() && at(x, batch) == at(indices, index_batch), "gather: batch axes differ in size");
  require(sizes.size() == x.dims.size(), "gather: the number of slice sizes");
  for (std::size_t i = 0; i < sizes.size(); ++i) require(sizes[i] >= 0 && sizes[i] <= x.dims[i], "gather: a window is larger than the operand");
  ints outside = collapsed;
  outside.insert(outside.end(), batch.begin(), batch.end());
  for (long axis : outside) require(sizes[static_cast<std::size_t>(axis)] <= 1, "gather: a window of more than one element along an axis that goes");
  require(at(r, offset) == without({sizes, x.element}, outside), "gather: the result has not the windows' axes");
  require(without(r, offset) == without(indices, {vector_dim}) && r.element == x.element, "gather: the result has not the indices' axes");
}
inline void scatter(operation const& o) {
  require(o.in.size() == 3 && o.out.size() == 1 && o.out[0] == o.in[0], "scatter: the result has the operand's type");
  tensor const &x = o.in[0], &indices = o.in[1], &update = o.in[2];
  ints const window = of(o, "update_window_dims"), inserted = of(o, "inserted_window_dims"), batch = of(o, "input_batching_dims");
  ints const index_batch = of(o, "scatter_indices_batching_dims"), to = of(o, "scatter_dims_to_operand_dims"), vector = of(o, "index_vector_dim");
  long const vector_dim = vector.empty() ? 0 : vector[0];
  require(x.rank() == static_cast<long>(window.size() + inserted.size() + batch.size()), "scatter: the number of window axes");
  require(ascending_axes(window, update.rank()) && ascending_axes(inserted, x.rank()) && ascending_axes(batch, x.rank()), "scatter: axes");
  require(distinct_axes(to, x.rank()) && batch.size() == index_batch.size(), "scatter: axes of indices");
  for (long axis : batch) require(!has(inserted, axis) && !has(to, axis), "scatter: a batch axis is used twice");
  require(indices.is_integer() && vector_dim >= 0 && vector_dim <= indices.rank(), "scatter: index_vector_dim");
  long const length = vector_dim < indices.rank() ? indices.dims[static_cast<std::size_t>(vector_dim)] : 1;
  require(length == static_cast<long>(to.size()), "scatter: the length of the index vectors");
  require(at(x, batch) == at(indices, index_batch), "scatter: batch axes differ in size");
  require(without(update, window) == without(indices, {vector_dim}), "scatter: the update has not the indices' axes");
  ints outside = inserted;
  outside.insert(outside.end(), batch.begin(), batch.end());
  ints const full = without(x, outside), part = at(update, window);
  for (std::size_t i = 0; i < full.size(); ++i) require(part[i] <= full[i], "scatter: a window is larger than the operand");
  require(update.element == x.element, "scatter: element types");
}
inline void reduce_window(operation const& o) {
  ints const size = of(o, "window_dimensions"), stride = of(o, "window_strides"), padding = of(o, "padding");
  tensor const& x = o.in[0];
  require(o.in.size() == 2 && o.in[1] == tensor{{}, x.element}, "reduce_window: the initial value");
  require(size.size() == x.dims.size() && stride.size() == size.size() && padding.size() == 2 * size.size(), "reduce_window: the number of axes");
  tensor expected = x;
  for (std::size_t i = 0; i < size.size(); ++i) expected.dims[i] = (x.dims[i] + padding[2 * i] + padding[2 * i + 1] - size[i]) / stride[i] + 1;
  require(o.out[0] == expected, "reduce_window: the shape of the result");
}

}  // namespace rules

inline void check_operation(operation const& o) {
  using namespace rules;
  std::string const& n = o.name;
  if (is_one_of(n, {"constant", "while", "case", "select", "custom_call"})) {
    if (n == "select")
      require(o.in[0].is_bool() && (o.in[0].rank() == 0 || o.in[0].dims == o.in[1].dims), "select: the predicate");
    return;
  }
  if (elementwise(o)) return;
  require(o.out.size() == 1, n + ": one result");
  tensor const& r = o.out[0];
  if (n == "iota") {
    require(of(o, "dim")[0] >= 0 && of(o, "dim")[0] < r.rank() && !r.is_bool(), "iota: the axis");
    return;
  }
  require(!o.in.empty(), n + ": no operands");
  tensor const& x = o.in[0];
  ints const dims = of(o, "dims");
  if (n == "is_finite") require(o.in.size() == 1 && (x.is_float() || x.is_complex()) && r == x.with("i1"), "is_finite: types");
  else if (is_one_of(n, {"real", "imag"})) require(o.in.size() == 1 && r == x.parts(), n + ": types");
  else if (n == "complex") require(o.in.size() == 2 && o.in[1] == x && r.is_complex() && r.parts() == x, "complex: types");
  else if (n == "convert") require(o.in.size() == 1 && r.dims == x.dims, "convert: shapes");
  else if (n == "reshape") require(o.in.size() == 1 && r.size() == x.size() && r.element == x.element, "reshape: the number of elements");
  else if (n == "compare") {
    std::string_view const kind = x.is_float() || x.is_complex() ? "FLOAT" : x.is_bool() || x.element[0] == 'u' ? "UNSIGNED" : "SIGNED";
    std::size_t const space = o.label.find(' ');
    require(is_one_of(std::string_view(o.label).substr(0, space), {"EQ", "NE", "LT", "LE", "GT", "GE"}), "compare: the direction");
    require(std::string_view(o.label).substr(space + 1) == kind, "compare: the kind of comparison");
    require(o.in.size() == 2 && o.in[1] == x && r == x.with("i1"), "compare: types");
  } else if (n == "broadcast_in_dim") {
    require(o.in.size() == 1 && dims.size() == x.dims.size() && distinct_axes(dims, r.rank()) && r.element == x.element, "broadcast_in_dim: axes");
    for (std::size_t i = 0; i < dims.size(); ++i)
      require(x.dims[i] == 1 || x.dims[i] == r.dims[static_cast<std::size_t>(dims[i])], "broadcast_in_dim: an axis is neither 1 nor the result's");
  } else if (n == "bitcast_convert") {
    long const from = x.bits(), to = r.bits();
    require(o.in.size() == 1 && from > 0 && to > 0 && (x.is_bool() == r.is_bool()), "bitcast_convert: element types");
    tensor const &whole = from >= to ? x : r, &parts = from >= to ? r : x;
    ints expected = whole.dims;
    if (from != to) expected.push_back(whole.bits() / parts.bits());
    require(parts.dims == expected, "bitcast_convert: the shape of the result");
  } else if (n == "transpose") {
    require(distinct_axes(dims, x.rank()) && dims.size() == x.dims.size() && r == tensor{at(x, dims), x.element}, "transpose: axes");
  } else if (n == "reverse") {
    require(distinct_axes(dims, x.rank()) && r == x, "reverse: axes");
  } else if (n == "concatenate") {
    std::size_t const axis = static_cast<std::size_t>(of(o, "dim")[0]);
    tensor expected = x;
    require(axis < x.dims.size(), "concatenate: the axis");
    expected.dims[axis] = 0;
    for (tensor const& t : o.in) {
      require(t.element == x.element && without(t, of(o, "dim")) == without(x, of(o, "dim")), "concatenate: operands differ");
      expected.dims[axis] += t.dims[axis];
    }
    require(r == expected, "concatenate: the shape of the result");
  } else if (n == "pad") pad(o);
  else if (n == "slice") slice(o);
  else if (n == "dynamic_slice") {
    scalar_indices(o, 1);
    require(r == tensor{of(o, "sizes"), x.element}, "dynamic_slice: the result has the sizes");
    for (std::size_t i = 0; i < x.dims.size(); ++i) require(r.dims[i] <= x.dims[i], "dynamic_slice: larger than the operand");
  } else if (n == "dynamic_update_slice") {
    scalar_indices(o, 2);
    require(o.in[1].element == x.element && o.in[1].rank() == x.rank() && r == x, "dynamic_update_slice: types");
    for (std::size_t i = 0; i < x.dims.size(); ++i) require(o.in[1].dims[i] <= x.dims[i], "dynamic_update_slice: larger than the operand");
  } else if (n == "reduce") {
    require(is_one_of(o.label, {"add", "multiply", "maximum", "minimum", "and", "or", "xor"}), "reduce: the short form wants a commutative operation");
    require(o.in.size() == 2 && o.in[1] == tensor{{}, x.element} && ascending_axes(dims, x.rank()), "reduce: axes or initial value");
    require(r == tensor{without(x, dims), x.element}, "reduce: the shape of the result");
    elementwise({o.label, "", {o.in[1], o.in[1]}, {o.in[1]}, {}});
  } else if (n == "reduce_window") reduce_window(o);
  else if (n == "dot_general") dot_general(o);
  else if (n == "convolution") convolution(o);
  else if (n == "gather") gather(o);
  else if (n == "scatter") scatter(o);
  else throw std::runtime_error("no operation of the specification: " + n);
}

}  // namespace stablehlo
