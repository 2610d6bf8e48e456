// SPDX-License-Identifier: BSL-1.0
// Accesses to memory: to a value that has a buffer, to an array that is an affine view of one, and to the windows of a gather.
#pragma once

#include <exprax/plan/analysis/index_source.hpp>

namespace exprax::detail::planning {

constexpr access access_to(int buffer, aval const& type, index_map const& m) {
  strides const weight(type);
  access a{};
  a.buffer = buffer;
  for (int i = 0; i < m.rank; ++i) {
    a.base += weight[i] * m.of[i].offset;
    if (!m.of[i].is_fixed()) a.stride[m.of[i].axis] += weight[i] * m.of[i].scale;
  }
  return a;
}

// An array that is an affine view of a buffer.
struct array_view {
  int buffer = 0;
  std::ptrdiff_t base = 0;
  strides of;
};
constexpr array_view array_view_of(context& c, int v) {
  aval const type = c.p.type(v);
  index_map at, step_of[max_rank];
  at.rank = type.rank;
  for (int i = 0; i < type.rank; ++i) {
    step_of[i] = at;
    step_of[i].of[i].offset = 1;
  }
  int u = c.resolve(v);
  while (!c.has_buffer(u) && !c.p.is_constant(u)) {
    equation_ref const d = c.eq(c.at[u].def);
    at = pull(d, at);
    for (int i = 0; i < type.rank; ++i) step_of[i] = pull(d, step_of[i]);
    u = c.resolve(d.in(0));
  }
  if (c.p.is_constant(u)) c.constant_buffer(u);
  int const buffer = c.at[u].buffer;
  array_view r{buffer, access_to(buffer, c.p.type(u), at).base, strides(type)};
  for (int i = 0; i < type.rank; ++i)
    r.of.of[i] = type.dims[i] == 1 ? 0 : access_to(buffer, c.p.type(u), step_of[i]).base - r.base;
  return r;
}

// A component of the index vectors of a gather that is read in place.
struct gathered_component {
  index_source source;
  int limit = 0;            // the largest value in bounds
  std::ptrdiff_t step = 0;  // elements
};
// f(component) for those of the vectors at the index m of the result that can differ. array: of the gather, as it lies in memory.
template <class F>
constexpr void for_gathered_components(context const& c, equation_ref const& e, strides const& array, index_map const& m, F const& f) {
  gather_numbers const n(e);
  aval const& out = e.out_type(0);
  index_walk const walk(n, e.type(0), array, e.type(1), out, strides(out));
  index_map vectors;
  vectors.rank = e.type(1).rank;
  int batches = 0;
  for (int i = 0; i < out.rank; ++i)
    if (!n.is_window(i)) vectors.of[batches++] = m.of[i];
  for (int q = 0; q < walk.n_index; ++q) {
    if (walk.limit[q] == 0 && n.mode != index_mode::fill_or_drop) continue;  // only one index is possible
    vectors.of[batches] = {no_axis, q, 0};
    f(gathered_component{source_of_component(c, e, vectors), walk.limit[q], walk.step[q]});
  }
}
// The part of the access to the result of a gather at the index m, in the array itself, that does not depend on index vectors.
constexpr access window_access(equation_ref const& e, array_view const& x, index_map const& m) {
  gather_numbers const n(e);
  aval const& out = e.out_type(0);
  index_walk const walk(n, e.type(0), x.of, e.type(1), out, strides(out));
  access a{};
  a.buffer = x.buffer;
  a.base = x.base;
  for (int i = 0, windows = 0, batches = 0; i < out.rank; ++i) {
    std::ptrdiff_t const step = n.is_window(i) ? walk.x_window.step[windows++] : walk.x_batch.step[batches++];
    a.base += step * m.of[i].offset;
    if (!m.of[i].is_fixed()) a.stride[m.of[i].axis] += step * m.of[i].scale;
  }
  return a;
}
// What the result of a gather is at the index m, read from the array itself; the index vectors are in memory.
constexpr access gathered_access(context& c, equation_ref const& e, index_map const& m) {
  gather_numbers const n(e);
  array_view const x = array_view_of(c, e.in(0));
  access a = window_access(e, x, m);
  a.term = c.out.terms.size();
  for_gathered_components(c, e, x.of, m, [&](gathered_component const& k) {
    int const v = k.source.v, buffer = c.operand_buffer(v), to = c.out.accesses.push(access_to(buffer, c.p.type(v), k.source.m));
    c.out.terms.push({buffer, k.limit, k.step, 0, to, k.source.from_end, n.mode == index_mode::fill_or_drop, n.fill});
    ++a.n_term;
  });
  return a;
}

}  // namespace exprax::detail::planning
