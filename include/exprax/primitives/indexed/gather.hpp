// SPDX-License-Identifier: BSL-1.0
// gather (jax.lax.gather): windows of an array at index vectors, see primitives/indexed/index_vectors.hpp. Operands: the array, i32 indices
// [batch..., k]. Parameters: the mode (index_mode), the low and the high half of the fill value's pattern, indices_are_sorted,
// unique_indices, slice_sizes, then five lists, each after its length: offset_dims, collapsed_slice_dims, start_index_map,
// operand_batching_dims, start_indices_batching_dims.
#pragma once

#include <exprax/primitives/indexed/index_vectors.hpp>

namespace exprax {

namespace detail {

struct gather_numbers : gather_form {
  bool complete;
  constexpr explicit gather_numbers(equation_ref const& e) : gather_numbers(e.params(), e.type(0).rank) {}
  constexpr gather_numbers(span<int> params, int rank) {
    param_reader p(params);
    mode = static_cast<index_mode>(p.next());
    fill = static_cast<std::uint32_t>(p.next());
    fill |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(p.next())) << 32;
    sorted = p.next() != 0;
    unique = p.next() != 0;
    sizes = p.part(rank);
    window = p.list();
    dropped = p.list();
    to = p.list();
    x_batching = p.list();
    index_batching = p.list();
    complete = p.complete();
  }
};

// jax.lax's _gather_batching_rule. e is, or is equivalent to, a gather of this form. The array and the indices are values of the new
// program; axis: their batch axes.
template <class Context>
constexpr void batch_gather(Context& c, equation_ref const& e, gather_form const& n, int x, batch_axis x_axis, int indices,
                            batch_axis index_axis) {
  bool const one_index = !index_axis.is_mapped(), both = x_axis.is_mapped() && !one_index;
  batch_axis const no_axis, front = 0;
  int const x_by = x_axis.is_mapped(), index_by = !one_index;
  int const in[] = {x_by ? c.move(x, x_axis.position(), 0) : x, one_index ? indices : c.move(indices, index_axis.position(), 0)};
  arena<int> par;
  par.push(static_cast<int>(n.mode));
  par.push(static_cast<int>(static_cast<std::uint32_t>(n.fill)));
  par.push(static_cast<int>(static_cast<std::uint32_t>(n.fill >> 32)));
  // The index vectors of different rows may be equal, or unordered.
  par.push(n.sorted && x_by);
  par.push(n.unique && x_by);
  if (x_by) par.push(one_index ? c.size() : c.size() > 0);
  for (int size : n.sizes) par.push(size);
  push_axes(par, n.window, 1, one_index ? front : no_axis);
  push_axes(par, n.dropped, x_by);
  push_axes(par, n.to, x_by);
  push_axes(par, n.x_batching, x_by, both ? front : no_axis);
  push_axes(par, n.index_batching, index_by, both ? front : no_axis);
  c.become(prim::gather, e, in, par, 0);
}

}  // namespace detail

template <>
struct primitive<prim::gather> {
  static constexpr std::string_view name = "gather";
  static constexpr prim_traits traits{
      .kind = op_class::dynamic, .moves_bits = true, .reads_memory = true, .takes_index_vectors = true, .linear_in = first_operand};

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 2) return false;
    detail::gather_numbers const n(e);
    aval const &x = e.type(0), &indices = e.type(1);
    int const rank = indices.rank - 1 + n.window.size();
    if (!n.complete || rank > max_rank || !is_index_mode(n.mode) || !n.fit(x, indices, rank)) return false;
    aval result(x.type, x.weak);
    result.rank = rank;
    int windows = 0, batches = 0;
    for (int i = 0; i < x.rank; ++i) {
      if (n.sizes[i] < 0 || n.sizes[i] > x.dims[i]) return false;
      if (!n.is_dropped(i)) result.dims[n.window[windows++]] = n.sizes[i];
      else if (n.sizes[i] != 1 && (n.sizes[i] != 0 || x.dims[i] != 0)) return false;
    }
    for (int i = 0; i < rank; ++i)
      if (!n.is_window(i)) result.dims[i] = indices.dims[batches++];
    *out = result;
    return true;
  }

  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    detail::gather_numbers const n(e);
    aval const& out = e.out_type(0);
    detail::index_walk const w(n, e.type(0), e.type(1), out);
    std::uint64_t const* const x = m.in(e, 0);
    std::uint64_t* const to = m.out(e, 0);
    w.each(m.in(e, 1), n.mode, [&](std::ptrdiff_t x_at, std::ptrdiff_t out_at, bool inside) {
      detail::place const from = detail::based_at(x_at, w.x_window), at = detail::based_at(out_at, w.w_window);
      if (inside) detail::copy_box(w.window, to, at, x, from);
      else detail::walk(w.window, at, at, [&](std::ptrdiff_t a, std::ptrdiff_t) { to[a] = n.fill; });
    });
  }

  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    detail::gather_numbers const n(e);
    detail::batch_gather(c, e, n, c.value(e, 0), c.dim(e, 0), c.value(e, 1), c.dim(e, 1));
  }

  // The tangent of a fill value is 0.
  template <class Context>
  static constexpr void jvp(Context& c, equation_ref const& e) {
    if (!c.has_tangent(e, 0)) return;
    detail::gather_numbers n(e);
    n.fill = 0;
    int const in[] = {c.tangent(e, 0), c.in(e, 1)};
    c.set_tangent(e, 0, c.emit(prim::gather, in, detail::parameters_of(n)));
  }
  // What was read several times gets the sum.
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    detail::gather_numbers const n(e);
    detail::scatter_form f{{static_cast<detail::index_numbers const&>(n)}, n.mode, n.sorted, n.unique};
    int const in[] = {c.zeros(e.type(0)), c.in(e, 1), c.cotangent(e)};
    c.add_cotangent(e, 0, c.emit(prim::scatter_add, in, detail::parameters_of(f)));
  }
  // fill_or_drop: a gather that clamps, and a select by whether the index vector is in bounds (jax.lax's _gather_fill).
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    detail::gather_numbers const n(e);
    detail::span<int> const lists[] = {n.window, n.dropped, n.x_batching, n.index_batching, n.to};
    aval const &out = e.out_type(0), &indices = e.type(1);
    if (out.size() == 0) return l.set(e, 0, l.full(out, 0));
    if (n.mode != index_mode::fill_or_drop) return l.set(e, 0, l.gather(l.in(e, 0), l.in(e, 1), lists, n.sizes, n.sorted, out));
    detail::index_walk const w(n, e.type(0), indices, out);
    int const vector_axis[] = {indices.rank - 1};
    detail::arena<int> limits, batch_axes;
    for (int q = 0; q < w.n_index; ++q) limits.push(w.limit[q]);
    for (int i = 0; i < out.rank; ++i)
      if (!n.is_window(i)) batch_axes.push(i);
    int const bound = l.broadcast_in_dim(l.table(aval(dtype::i32, {w.n_index}), limits), indices, vector_axis);
    int const zero = l.full(indices, 0);
    int const index = l.in(e, 1);
    int const both = l.like("and", l.compare("GE", index, zero), l.compare("LE", index, bound));
    int const inside = l.reduce("and", both, l.number(dtype::b1, 1), vector_axis);
    int const mask = l.broadcast_in_dim(inside, out.with_type(dtype::b1), batch_axes);
    int const read = l.gather(l.in(e, 0), index, lists, n.sizes, n.sorted, out);
    l.set(e, 0, l.select(mask, read, l.broadcast(l.scalar(out.type, n.fill), out)));
  }

  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    detail::gather_numbers const n(e);
    o.key("dimension_numbers");
    o.text("GatherDimensionNumbers(offset_dims=");
    o.tuple(n.window);
    o.text(", collapsed_slice_dims=");
    o.tuple(n.dropped);
    o.text(", start_index_map=");
    o.tuple(n.to);
    o.text(", operand_batching_dims=");
    o.tuple(n.x_batching);
    o.text(", start_indices_batching_dims=");
    o.tuple(n.index_batching);
    o.text(")");
    o.key("fill_value");
    if (n.mode == index_mode::fill_or_drop) o.number(e.type(0).type, n.fill);
    else o.text("None");
    o.key("indices_are_sorted");
    o.boolean(n.sorted);
    o.key("mode");
    o.text(name_of(n.mode));
    o.key("slice_sizes");
    o.tuple(n.sizes);
    o.key("unique_indices");
    o.boolean(n.unique);
  }
};

}  // namespace exprax
