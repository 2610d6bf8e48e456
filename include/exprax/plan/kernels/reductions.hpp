// SPDX-License-Identifier: BSL-1.0
// Reductions by rows: the kept axes, then the reduced ones; or by columns, if memory runs along a kept axis, or no axis is long.
#pragma once

#include <limits>

#include <exprax/plan/kernels/loops.hpp>
#include <exprax/types/element.hpp>

namespace exprax::detail::planning {

// Whether packs along the last kept axis read memory in fewer single elements than packs along the reduced one. If neither does, they are
// along the kept one where both are read, as for the distances of all pairs: so no lanes are joined. Else along the reduced axis, where
// anything is read along it. If nothing is read along either, as for the distances of many points to a few, short rows are not worth
// joining the lanes of each.
constexpr bool walks_columns(context& c, loop_kernel const& k, int kept) {
  constexpr int short_row = 64, many_columns = 64;
  bool along_kept = false, along_reduced = false;
  int single_kept = 0, single_reduced = 0;
  for_steps(c, k, [&](step& s) {
    if (!is_load(s.kind)) return;
    constexpr std::ptrdiff_t apart = 2;
    access const& a = c.out.accesses[s.access];
    auto const distance = [&](int axis) { return has_indices_along(c.out, a, axis) ? apart : a.stride[axis]; };
    std::ptrdiff_t const by_kept = distance(kept - 1), by_reduced = distance(k.rank - 1);
    along_kept = along_kept || by_kept == 1;
    along_reduced = along_reduced || by_reduced == 1;
    single_kept += by_kept != 0 && by_kept != 1;
    single_reduced += by_reduced != 0 && by_reduced != 1;
  });
  if (single_kept != single_reduced) return along_kept && single_kept < single_reduced;
  int const columns = k.dims[kept - 1], length = k.dims[k.rank - 1];
  if (along_kept && along_reduced && (columns >= many_columns || columns >= length)) return true;
  return !along_reduced && (along_kept || (single_kept > 0 && length <= short_row));
}

constexpr void move_axis_last(context& c, loop_kernel& k, int axis) {
  for_steps(c, k, [&](step& s) {
    if (s.kind == step_kind::iota) {
      int const its = iota_axis(s);
      set_iota_axis(s, its == axis ? k.rank - 1 : its > axis ? its - 1 : its);
    }
    if (!is_memory(s.kind)) return;
    for_walks(c.out, s.access, [&](access& a) {
      std::ptrdiff_t const moved = a.stride[axis];
      for (int i = axis; i + 1 < k.rank; ++i) a.stride[i] = a.stride[i + 1];
      a.stride[k.rank - 1] = moved;
    });
  });
  box& x = c.out.boxes[k.box];
  int const n = k.dims[axis];
  for (int i = axis; i + 1 < k.rank; ++i) {
    k.dims[i] = k.dims[i + 1];
    x.extent[i] = k.dims[i];
  }
  k.dims[k.rank - 1] = n;
}

constexpr bool can_merge_reduce(context& c, loop_kernel const& k, int axis, bool reduced) {
  bool ok = true;
  for_steps(c, k, [&](step& s) {
    if (s.kind == step_kind::iota) ok = ok && iota_axis(s) != axis && iota_axis(s) != axis + 1;
    if (is_load(s.kind) || (s.kind == step_kind::store && !reduced))
      for_walks(c.out, s.access, [&](access const& a) { ok = ok && a.stride[axis] == a.stride[axis + 1] * k.dims[axis + 1]; });
  });
  return ok;
}

constexpr void finish_reduce(context& c, equation_ref const& e, reduce_kernel& k, aval const& domain, index_map const& m, box_lowering& l,
                             arena<kernel>& kernels) {
  aval const out = e.out_type(0);
  dtype const type = e.type(0).type;
  l.start_box(0);
  access to{};
  to.buffer = c.at[e.e.out].buffer;
  strides const weight(out);
  for (int i = 0; i < out.rank; ++i) to.stride[i] = weight[i];
  l.store(l.value(e.in(0), m), type, to);
  loop_kernel shape = new_loop(c, domain);
  l.finish();
  shape.n_box = 1;
  // kept and reduced axes are collapsed separately; one reduced axis stays
  for (int axis = shape.rank - 1; axis >= 0; --axis)
    if (shape.dims[axis] == 1 && (axis < k.kept || shape.rank - k.kept > 1)) {
      drop_axis(c, shape, axis);
      if (axis < k.kept) --k.kept;
    }
  for (int axis = shape.rank - 2; axis >= 0; --axis)
    if (axis + 1 != k.kept && can_merge_reduce(c, shape, axis, axis >= k.kept)) {
      merge_axes(c, shape, axis);
      if (axis < k.kept) --k.kept;
    }
  bool const has_columns = k.kept > 0 && shape.dims[k.kept - 1] >= 4, is_short = shape.rank - k.kept > 1 && shape.dims[shape.rank - 1] < 4;
  k.columns = has_columns && (is_short || walks_columns(c, shape, k.kept));
  if (k.columns) {
    move_axis_last(c, shape, --k.kept);
    c.out.boxes[shape.box].extent[shape.rank - 1] = shape.dims[shape.rank - 1];
    c.out.boxes[shape.box].lo[shape.rank - 1] = 0;
    c.out.boxes[shape.box].n_row = 0;  // n_row was computed for another last axis
  }
  k.rank = shape.rank;
  for (int i = 0; i < k.rank; ++i) k.dims[i] = shape.dims[i];
  k.box = shape.box;
  for_steps(c, shape, [&](step& s) {
    if (s.kind != step_kind::store) return;
    k.reduction = c.out.reductions.push({e.e.op, type, s.a, s.access});
    k.n_reduction = 1;
  });
  kernels.push({kernel_kind::reduce, c.out.reduces.push(k), kernel::one_thread});
}

constexpr void lower_reduce(context& c, node& n, arena<kernel>& kernels) {
  equation_ref const e = c.eq(n.eqn);
  aval const& type = e.type(0);
  bool reduced[max_rank] = {};
  for (int a : e.params()) reduced[a] = true;
  reduce_kernel k;
  index_map m;
  m.rank = type.rank;
  aval domain(type.type);
  for (int pass = 0; pass < 2; ++pass)
    for (int i = 0; i < type.rank; ++i) {
      if (reduced[i] != (pass == 1)) continue;
      if (type.dims[i] != 1) m.of[i] = {domain.rank, 0, 1};
      domain.dims[domain.rank++] = type.dims[i];
      if (pass == 0) ++k.kept;
    }
  if (domain.rank == k.kept) domain.dims[domain.rank++] = 1;  // nothing is reduced: an axis of one element
  k.rank = domain.rank;
  if (domain.size() == 0) {
    simple_loop(c, n.shape, kernels, [&](box_lowering& l, index_map const& id) {
      l.store(l.literal(type.type, reduction_identity_bits(traits_of(e.e.op).combiner, type.type)), type.type,
              access_to(c.at[e.e.out].buffer, n.shape, id));
    });
    return;
  }
  box_lowering l(c, domain.rank, domain.dims);
  l.find_cuts(e.in(0), m);
  if (l.boxes() > 1) {
    // borders inside a reduction: make the operand first
    make_whole(c, c.resolve(e.in(0)), kernels);
    box_lowering again(c, domain.rank, domain.dims);
    return finish_reduce(c, e, k, domain, m, again, kernels);
  }
  finish_reduce(c, e, k, domain, m, l, kernels);
}

}  // namespace exprax::detail::planning
