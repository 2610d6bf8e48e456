// SPDX-License-Identifier: BSL-1.0
// The first walk over a block, backwards: which values need a buffer, and which updates are made in place, because their operand dies
// there.
#pragma once

#include <exprax/plan/analysis/gathers_in_loops.hpp>
#include <exprax/plan/analysis/half_operand.hpp>
#include <exprax/plan/analysis/transposed_products.hpp>
#include <exprax/plan/analysis/update_sources.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax::detail::planning {

constexpr void need(context& c, int v) {
  v = c.resolve(v);
  if (!c.p.is_constant(v)) c.info[v].root = true;
}
constexpr void need_access(context& c, int v) { need(c, accessed(c, v)); }
// Operand k of a contraction.
constexpr void need_factor(context& c, equation_ref const& e, int k) {
  int const v = accessed(c, e.in(k));
  bool const decodes = is_matrix_beside_vector(e, k) && !c.has_buffer(v) && !c.p.is_constant(v) && c.has_equation(v) && !c.info[v].root &&
                       is_decoding(c.def(v).e.op);
  if (decodes) need_access(c, c.def(v).in(0));
  else need(c, v);
}

constexpr void need_indices(context& c, equation_ref const& e) {
  for_index_sources(c, e, [&](int v) { need(c, v); });
}
constexpr void analyse_update(context& c, int i, block const& b) {
  equation_ref const e = c.eq(i);
  int const v = e.e.out;
  int const u = c.resolve(e.in(0));
  if (is_indexed(e)) {
    need_indices(c, e);
    if (int const number = repeated_update(c, e); number >= 0) need(c, number);
    else need(c, e.in(2));
  } else if (!is_static_update(e.e.op)) {
    for (int k = 1; k < e.n_in(); ++k)
      if (k != update_operand(e)) need(c, e.in(k));
  }
  bool const carried = c.has_buffer(v) && c.is_shared(c.at[v].buffer);
  bool const dies = c.info[u].last_use == i && c.at[u].def >= b.eqn && !c.has_buffer(u) && !c.p.is_constant(u);
  bool const made_whole = dies && !makes_each_element(c.p.eqns[c.at[u].def].op);
  bool const boxes = is_box_update(e) && (!made_whole || reads_what_it_updates(e, b, u));
  bool const in_place = carried || (dies && (!boxes || c.size(e.in(update_operand(e))) * 4 < c.size(v)));
  c.info[v].updates = in_place || !boxes;
  if (c.info[v].updates) {
    c.info[v].root = true;
    if (!c.has_buffer(v)) c.at[v].buffer = c.new_scratch(e.out_type(0));
  }
  if (in_place) {
    c.info[u].root = true;
    c.info[u].mutated = true;
    c.at[u].buffer = c.at[v].buffer;
  }
}

// A reshape that is a result: an operand that dies here is made in the buffer of the result.
constexpr void make_at_once(context& c, int i, block const& b) {
  int const v = c.p.eqns[i].out, u = c.resolve(c.p.in(c.p.eqns[i], 0));
  if (!c.has_buffer(v) || c.is_shared(c.at[v].buffer)) return;
  if (c.at[u].def < b.eqn || c.has_buffer(u) || c.p.is_constant(u) || c.info[u].last_use != i) return;
  c.at[u].buffer = c.at[v].buffer;
  c.info[u].root = true;
  c.info[u].mutated = c.info[v].mutated;
}

// The transpose of a product that nothing else reads: the product is made in its buffer.
constexpr void make_transposed(context& c, int i, block const& b) {
  equation_ref const e = c.eq(i);
  int const v = e.e.out, u = c.resolve(e.in(0));
  bool const is_free = c.at[u].def >= b.eqn && !c.has_buffer(u) && c.info[u].uses == 1;
  if (!is_free || c.def(u).e.op != prim::dot_general || !is_transpose(e) || !keeps_packs(c.def(u), e)) return;
  if (c.has_buffer(v) && c.is_shared(c.at[v].buffer)) return;
  if (!c.has_buffer(v)) c.at[v].buffer = c.new_scratch(e.out_type(0));
  c.at[u].buffer = c.at[v].buffer;
  c.info[v].root = c.info[u].root = true;
  c.info[u].mutated = c.info[v].mutated;
}

// Whether v is made by a kernel of its own, which can write to any buffer.
constexpr bool has_kernel(context const& c, int v) {
  v = c.resolve(v);
  return c.has_equation(v) && !c.is_scalar(v) && !makes_each_element(c.def(v).e.op) && !has_effect_or_blocks(c.def(v).e.op);
}

// A loop or branch. An operand that dies here, and is updated in place, is made in the buffer of the result.
constexpr void analyse_control(context& c, int i, block const& b) {
  equation_ref const e = c.eq(i);
  for (int k = 0; k < e.n_in(); ++k) need(c, e.in(k));
  for (int k = 0; k < e.n_out(); ++k) {
    int const v = e.e.out + k, operand = c.live.operand_that_becomes(e.e, v);
    if (operand < 0 || c.is_scalar(v) || !c.live.dies_at(e.in(operand), i)) continue;
    int const u = c.resolve(e.in(operand));
    bool const free = c.at[u].def >= b.eqn && !c.has_buffer(u) && !c.p.is_constant(u);
    bool const carried = c.has_buffer(v) && c.at[u].buffer == c.at[v].buffer;
    if (!free && !carried) continue;
    if (!c.has_buffer(v)) c.at[v].buffer = c.new_scratch(c.p.type(v));
    c.at[u].buffer = c.at[v].buffer;
    c.info[u].root = true;
    c.info[u].mutated = true;
  }
}

// The sink of an operand that makes a column of rows that are lowered by columns, as by stack(tuple(x, y), axis<-1>): the loop over the
// rows makes each column once. sink: that of the result.
constexpr int sink_of_column(context const& c, equation_ref const& e, int k, int sink) {
  aval const &t = e.out_type(0), &u = e.type(k);
  if (sink < 0 || t.rank == 0) return value_info::several_sinks;
  int const last = t.rank - 1;
  bool const makes_row = e.e.op == prim::concatenate && e.param(0) == last && u.dims[last] == 1 && has_few_columns(c, t) &&
                         c.p.type(sink).same_shape(t);
  bool const makes_column = e.e.op == prim::broadcast_in_dim && t.dims[last] == 1 && only_unit_axes_differ(u, t);
  return makes_row || makes_column ? sink : value_info::several_sinks;
}

// Whether equation i reads parts of a value that equation `update` overwrites in part, and only the kernel of that update reads them, which
// does not overwrite them.
constexpr bool is_read_by_update(context const& c, int i, int update) {
  if (update >= c.p.n.eqns || !is_affine_movement(c.eq(i)) || !is_static_update(c.p.eqns[update].op)) return false;
  if (c.resolve(c.eq(i).in(0)) != c.resolve(c.eq(update).in(0)) || !is_beside_update(c.eq(i), c.eq(update))) return false;
  for (int v = c.p.eqns[i].out;; v = c.p.eqns[c.info[v].last_use].out) {
    int const reader = c.info[v].last_use;
    if (c.info[v].uses == 0 || reader > update) return false;
    int here = 0;
    for (int u : c.p.ins(c.p.eqns[reader])) here += c.resolve(u) == v;
    if (here != c.info[v].uses) return false;
    if (reader == update) return true;
    if (!is_elementwise(c.p.eqns[reader].op)) return false;
  }
}

constexpr void analyse_equation(context& c, int i, block const& b) {
  eqn const& q = c.p.eqns[i];
  equation_ref const e{c.p, q};
  int const v = q.out;
  bool const many = q.n_out == 1 && !c.is_scalar(v), pointwise = is_elementwise(q.op);
  bool const is_sum = is_reduction(q.op) || is_argument_reduction(q.op) || is_cumulative(q.op);
  value_info& r = c.info[v];
  if (q.op == prim::gather && many && !can_be_read_in_place(c, e, i)) r.root = true;
  // Functions in the loop over rows would leave their columns too few registers.
  bool const is_long = pointwise && traits_of(q.op).cost >= cost_of_function;
  if (is_long && r.sink >= 0 && makes_each_element(c.def(r.sink).e.op) && !c.p.type(r.sink).same_shape(e.out_type(0)))
    r.sink = value_info::several_sinks;
  for (int k = 0; k < q.n_in; ++k) {
    int const u = c.resolve(c.p.refs[q.in + k]);
    value_info& x = c.info[u];
    // A value that is overwritten later must be read in program order; a reshape of it cannot share its memory.
    if (many && x.mutated && x.last_use != i && !is_read_by_update(c, i, x.last_use)) {
      r.root = true;
      if (q.op == prim::reshape && c.at[v].buffer < 0 && !only_unit_axes_differ(e.type(0), e.out_type(0)))
        c.at[v].buffer = c.new_scratch(e.out_type(0));
    }
    bool const fits = many && makes_each_element(q.op) && c.p.type(u).same_shape(e.out_type(0));
    bool const indexes = many && !pointwise && is_index_of_gather(c, e, k);
    if (!(fits || indexes) || (r.other_shape && !r.root)) x.other_shape = true;
    bool const repeats = !fits && (pointwise || q.op == prim::broadcast_in_dim) && c.size(v) > c.size(u);
    if (repeats && !is_cheap(c, u, many && has_short_rows(c, e.out_type(0)) ? cost_of_division - 1 : cheap)) {
      int const loop = r.root ? v : r.sink;  // what the loop that makes v makes, if that is known
      bool const by_columns = loop >= 0 && many && has_few_columns(c, e.out_type(0)) && reads_by_rows(e, k) &&
                              c.p.type(loop).same_shape(e.out_type(0));
      x.root = x.root || !by_columns;
    }
    int const made_in = !many ? value_info::no_sink : r.root ? v : r.sink;
    int const sink = (fits && pointwise) || indexes ? made_in
                     : is_sum                       ? v
                     : many                         ? sink_of_column(c, e, k, made_in)
                                                    : value_info::several_sinks;
    if (x.sink != sink) x.sink = x.sink == value_info::no_sink ? sink : value_info::several_sinks;
  }
  switch (q.op) {
    case prim::dot_general:
    case prim::conv_general_dilated:
      need_factor(c, e, 0);
      need_factor(c, e, 1);
      return;
    case prim::sort_rows:
    case prim::order_rows: return need(c, e.in(0));
    case prim::nonzero:
      for (int k = 1; k < q.n_in; ++k) need(c, e.in(k));
      return;
    case prim::debug_print:
      for (int k = 0; k < q.n_in; ++k) need(c, e.in(k));
      return;
    case prim::cond:
    case prim::while_:
    case prim::scan:
    case prim::vmap: return analyse_control(c, i, b);
    case prim::dynamic_slice:
      need_access(c, e.in(0));
      for (int k = 1; k < q.n_in; ++k) need(c, e.in(k));
      if (many) c.info[v].root = true;
      return;
    case prim::gather:
      if (is_short_view(c, e)) need(c, e.in(0));
      else need_access(c, e.in(0));
      need_indices(c, e);
      return;
    case prim::squeeze:
    case prim::reshape:
      if (many && !only_unit_axes_differ(e.type(0), e.out_type(0))) {
        c.info[v].root = true;
        make_at_once(c, i, b);
        need(c, e.in(0));
      } else if (many && has_kernel(c, e.in(0))) {
        make_at_once(c, i, b);
      }
      return;
    case prim::pad:
      if (is_interior_pad(e)) c.info[v].root = true;
      return;
    default: break;
  }
  if (many && kind_of(q.op) == op_class::movement && q.n_in == 1) return make_transposed(c, i, b);
  if (many && is_update(q.op)) return analyse_update(c, i, b);
  if (!many && is_batched_scatter(e)) {
    need_indices(c, e);
    need(c, e.in(2));
  }
  if (!many && q.n_in > 0 && !c.is_scalar(e.in(0)) && (is_affine_movement(e) || q.op == prim::concatenate)) need_access(c, e.in(0));
}

constexpr void analyse(context& c, block const& b, span<int> out_buffers) {
  int const end = b.eqn + b.n_eqn;
  realization* const at = c.at.data();
  value_info* const info = c.info.data();
  std::ptrdiff_t const* const sizes = c.sizes.data();
  for (int i = b.eqn; i < end; ++i) {
    eqn const& e = c.p.eqns[i];
    for (int v = e.out; v < e.out + e.n_out; ++v) at[v].def = i;
    if (is_elementwise(e.op) && sizes[c.p.values[e.out].type] == 1) continue;  // reads scalars only
    int const* const refs = c.p.refs + e.in;
    for (int k = 0; k < e.n_in; ++k) {
      int u = refs[k];
      while (at[u].same >= 0) u = at[u].same;
      ++info[u].uses;
      info[u].last_use = i;
    }
  }
  for (int k = 0; k < b.n_out; ++k) {
    int const v = c.resolve(c.p.refs[b.out + k]);
    ++info[v].uses;
    info[v].last_use = end;
    if (at[v].def >= b.eqn && at[v].buffer < 0 && !c.p.is_constant(v)) {
      at[v].buffer = out_buffers[k];
      info[v].root = true;
    }
  }
  for (int i = end - 1; i >= b.eqn; --i) {
    eqn const& e = c.p.eqns[i];
    if (!is_elementwise(e.op) || sizes[c.p.values[e.out].type] != 1) analyse_equation(c, i, b);
  }
}

}  // namespace exprax::detail::planning
