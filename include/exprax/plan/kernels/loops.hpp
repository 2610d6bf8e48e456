// SPDX-License-Identifier: BSL-1.0
// Loops: a list of values of one shape becomes a kernel. Axes that every access walks as one are merged.
#pragma once

#include <exprax/plan/kernels/box_lowering.hpp>

namespace exprax::detail::planning {

template <class F>
constexpr void for_steps(context& c, loop_kernel const& k, F f) {
  for (int b = 0; b < k.n_box; ++b) {
    box const& x = c.out.boxes[k.box + b];
    for (int s = 0; s < x.n_step; ++s) f(c.out.steps[x.step + s]);
  }
}

constexpr void drop_axis(context& c, loop_kernel& k, int axis) {
  if (axis == k.rank - 1)  // n_row was computed for another last axis
    for (int b = 0; b < k.n_box; ++b) c.out.boxes[k.box + b].n_row = 0;
  for_steps(c, k, [&](step& s) {
    if (is_memory(s.kind)) {
      for_walks(c.out, s.access, [&](access& a) {
        for (int i = axis; i + 1 < k.rank; ++i) a.stride[i] = a.stride[i + 1];
        a.stride[k.rank - 1] = 0;
      });
    } else if (s.kind == step_kind::iota) {
      int const its = iota_axis(s);
      set_iota_axis(s, its == axis ? no_axis : its > axis ? its - 1 : its);
    }
  });
  for (int b = 0; b < k.n_box; ++b)
    for (int i = axis; i + 1 < k.rank; ++i) {
      c.out.boxes[k.box + b].lo[i] = c.out.boxes[k.box + b].lo[i + 1];
      c.out.boxes[k.box + b].extent[i] = c.out.boxes[k.box + b].extent[i + 1];
    }
  for (int i = axis; i + 1 < k.rank; ++i) k.dims[i] = k.dims[i + 1];
  --k.rank;
}

constexpr bool can_merge(context& c, loop_kernel const& k, int axis) {
  bool ok = true;
  for (int b = 0; b < k.n_box; ++b) {
    box const& x = c.out.boxes[k.box + b];
    if (x.lo[axis + 1] != 0 || x.extent[axis + 1] != k.dims[axis + 1]) return false;
  }
  for_steps(c, k, [&](step& s) {
    if (s.kind == step_kind::iota) ok = ok && iota_axis(s) != axis && iota_axis(s) != axis + 1;
    if (is_memory(s.kind))
      for_walks(c.out, s.access, [&](access const& a) { ok = ok && a.stride[axis] == a.stride[axis + 1] * k.dims[axis + 1]; });
  });
  return ok;
}

constexpr void merge_axes(context& c, loop_kernel& k, int axis) {
  int const n = k.dims[axis + 1];
  for_steps(c, k, [&](step& s) {
    if (s.kind == step_kind::iota && iota_axis(s) > axis) set_iota_axis(s, iota_axis(s) - 1);
    if (!is_memory(s.kind)) return;
    for_walks(c.out, s.access, [&](access& a) {
      for (int i = axis; i + 1 < k.rank; ++i) a.stride[i] = a.stride[i + 1];
      a.stride[k.rank - 1] = 0;
    });
  });
  for (int b = 0; b < k.n_box; ++b) {
    box& x = c.out.boxes[k.box + b];
    x.lo[axis] *= n;
    x.extent[axis] *= n;
    for (int i = axis + 1; i + 1 < k.rank; ++i) {
      x.lo[i] = x.lo[i + 1];
      x.extent[i] = x.extent[i + 1];
    }
  }
  k.dims[axis] *= n;
  for (int i = axis + 1; i + 1 < k.rank; ++i) k.dims[i] = k.dims[i + 1];
  --k.rank;
}

// Drops axes of 1 and merges neighbours that every access walks as one.
constexpr void collapse(context& c, loop_kernel& k) {
  for (int axis = k.rank - 1; axis >= 0; --axis)
    if (k.dims[axis] == 1 && k.rank > 1) drop_axis(c, k, axis);
  for (int axis = k.rank - 2; axis >= 0; --axis)
    if (can_merge(c, k, axis)) merge_axes(c, k, axis);
}

constexpr loop_kernel new_loop(context& c, aval const& shape) {
  loop_kernel k{};
  k.rank = shape.rank;
  for (int i = 0; i < shape.rank; ++i) k.dims[i] = shape.dims[i];
  k.box = c.out.boxes.size();
  return k;
}

constexpr void push_loop(context& c, loop_kernel& k, arena<kernel>& kernels) {
  collapse(c, k);
  kernels.push({kernel_kind::loop, c.out.loops.push(k), kernel::one_thread});
}

template <class F>
constexpr void simple_loop(context& c, aval const& shape, arena<kernel>& kernels, F f) {
  loop_kernel k = new_loop(c, shape);
  box_lowering l(c, k.rank, k.dims);
  l.start_box(0);
  f(l, index_map::identity(shape));
  l.finish();
  k.n_box = 1;
  push_loop(c, k, kernels);
}

// Rows of few elements that are not all made alike, as by stack(tuple(x, y), axis<-1>): boxes would leave packs nothing. Or that are made
// of values for whole rows, as x[:, :1] * w: packs along a row would need each in many lanes. Their columns are made one after the other in
// a loop over the rows, and stored together (emit/kernels/strided.hpp). roots: values without buffers.
constexpr bool is_lowered_by_columns(context& c, node const& n) {
  if (!has_few_columns(c, n.shape)) return false;
  int const last = n.shape.rank - 1;
  box_lowering l(c, n.shape.rank, n.shape.dims);
  l.note_rows();
  for (int v : n.roots) l.find_cuts(v, index_map::identity(n.shape));
  return l.cuts(last) || l.makes_more_for_rows();
}

constexpr void lower_loop(context& c, node& n, arena<kernel>& kernels) {
  // Roots have no buffer while they are lowered, so that consumers in this kernel use their registers.
  arena<int> buffers;
  for (int v : n.roots) {
    buffers.push(c.at[v].buffer);
    c.at[v].buffer = realization::none;
  }
  bool const by_columns = is_lowered_by_columns(c, n);
  int const last = n.shape.rank - 1, columns = by_columns ? n.shape.dims[last] : 0;
  loop_kernel k = new_loop(c, by_columns ? n.shape.without_axis(last) : n.shape);
  box_lowering l(c, k.rank, k.dims, columns);
  index_map m = index_map::identity(n.shape);
  auto const for_columns = [&](auto f) {
    if (!by_columns) return f(0);
    m.of[last] = {};
    for (int i = 0; i < columns; ++i) {
      m.of[last].offset = i;
      f(i);
    }
  };
  for_columns([&](int column) {
    l.start_column(column);
    for (int v : n.roots) l.find_cuts(v, m);
  });
  for (int b = 0; b < l.boxes(); ++b) {
    l.start_box(b);
    arena<int> made;
    for_columns([&](int column) {
      l.start_column(column);
      for (int v : n.roots) made.push(l.value(v, m));
    });
    for (int r = 0; r < n.roots.size(); ++r) {
      int const v = n.roots[r];
      for_columns([&](int column) {
        l.store(made[column * n.roots.size() + r], c.p.type(v).type, access_to(buffers[r], c.p.type(v), m));
      });
    }
    l.finish();
    ++k.n_box;
  }
  for (int r = 0; r < n.roots.size(); ++r) c.at[n.roots[r]].buffer = buffers[r];
  push_loop(c, k, kernels);
}
// Makes a value in a loop of its own, before a kernel that cannot compute it inline.
constexpr void make_whole(context& c, int v, arena<kernel>& kernels) {
  node whole;
  whole.shape = c.p.type(v);
  whole.roots.push(v);
  c.at[v].buffer = c.new_scratch(whole.shape);
  lower_loop(c, whole, kernels);
}

constexpr void lower_copy(context& c, copy_of const& copy, arena<kernel>& kernels) {
  aval const& shape = c.p.type(copy.value);
  if (shape.size() == 0) return;
  loop_kernel k = new_loop(c, shape);
  box_lowering l(c, k.rank, k.dims);
  index_map const m = index_map::identity(shape);
  l.find_cuts(copy.value, m);
  for (int b = 0; b < l.boxes(); ++b) {
    l.start_box(b);
    int const reg = l.value(copy.value, m);
    l.store(reg, shape.type, access_to(copy.buffer, shape, m));
    l.finish();
    ++k.n_box;
  }
  push_loop(c, k, kernels);
}

constexpr void lower_scalars(context& c, node& n, arena<kernel>& kernels) {
  for (copy_of const& copy : n.copies) lower_copy(c, copy, kernels);
  loop_kernel k{};
  k.box = c.out.boxes.size();
  k.n_box = 1;
  box b{};
  finish_straight_line(c.out, b, n.steps);
  c.out.boxes.push(b);
  kernels.push({kernel_kind::loop, c.out.loops.push(k), kernel::one_thread});
}

}  // namespace exprax::detail::planning
