// SPDX-License-Identifier: BSL-1.0
// row_nests: kernels in a row that walk the same rows become one loop over the rows, and run for each row: what one of them makes and
// another reads stays in a near cache, and scratch memory that only they use holds one row.
//
// That is right if each element that one of them writes belongs to a row, and is read and written for that row alone.
#pragma once

#include <exprax/base/target.hpp>
#include <exprax/plan/rows/iteration_space.hpp>

namespace exprax::detail::planning {

class row_nests {
 public:
  // To be made before there is a nest.
  constexpr row_nests(plan& p, target const& machine)
      : p_(p),
        pack_(machine.register_bytes < 16 ? 1 : machine.register_bytes / 4),
        shortest_row_(4 * pack_),
        shortest_ragged_row_(32 * pack_),
        cache_(machine.register_bytes < 16 ? 0 : machine.nearest_cache) {
    kernels_of_.resize(p.buffers.size(), 0);
    count_kernels(p.main);
  }

  // The list with nests in it; is_main: it is not in a loop or branch.
  constexpr kernel_range nest(kernel_range list, bool is_main) {
    arena<kernel> out;
    bool changed = false;
    for (int i = 0; i < list.count;) {
      found const f = find(list, i, is_main);
      for (; i < (f.count > 0 ? f.first : list.count); ++i) out.push(p_.kernels[list.first + i]);
      if (f.count == 0) break;
      out.push(make({list.first + f.first, f.count}, f.rows));
      i = f.first + f.count;
      changed = true;
    }
    if (!changed) return list;
    kernel_range const r{p_.kernels.size(), out.size()};
    p_.kernels.append(out);
    return r;
  }

 private:
  struct found {
    int first = 0, count = 0;  // kernels of the list
    int rows = 0;
  };
  // What a group of kernels does with a buffer.
  struct buffer_use {
    int buffer = 0;
    std::ptrdiff_t stride = 0;  // from row to row, of all accesses; mixed: they differ
    bool written = false, within_row = true;
    int kernels = 0, last = -1;  // how many use it, and the last of them
  };
  static constexpr std::ptrdiff_t mixed = -1;

  constexpr arena<buffer_use> uses_of(kernel_range group, int rows) const {
    arena<buffer_use> uses;
    for (int i = group.first; i < group.first + group.count; ++i) {
      iteration_space const s(p_, p_.kernels[i]);
      s.for_steps([&](step const& x, box const& b) {
        if (!is_memory(x.kind)) return;
        access const& a = p_.accesses[x.access];
        int u = 0;
        while (u < uses.size() && uses[u].buffer != a.buffer) ++u;
        row_of_access const row = s.row_of(a, b, rows);
        if (u == uses.size()) uses.push({a.buffer, row.stride, false, true, 0, -1});
        buffer_use& use = uses[u];
        if (use.stride != row.stride) use.stride = mixed;
        use.written = use.written || x.kind == step_kind::store;
        use.within_row = use.within_row && row.is_within_row();
        if (use.last != i) ++use.kernels, use.last = i;
      });
    }
    return uses;
  }
  constexpr bool can_run_by_rows(kernel k, int rows) const {
    if (!iteration_space::exists(k)) return false;
    iteration_space const s(p_, k);
    if (!s.is_static() || !s.has_rows(rows)) return false;
    std::ptrdiff_t row = 1;
    for (int i = 0; i < s.rank(); ++i) row *= s.dim(i);
    row /= rows;
    return row == 1 || row >= (row % pack_ == 0 ? shortest_row_ : shortest_ragged_row_);
  }
  // Whether each row can be made by itself. Buffers of a loop may be the same memory where they have the same size.
  constexpr bool is_possible(arena<buffer_use> const& uses, bool is_main) const {
    for (buffer_use const& u : uses) {
      bool const by_row = u.stride > 0 && u.within_row;
      if (u.stride < 0 || (u.stride > 0 && !u.within_row)) return false;
      if (u.written && !by_row) return false;
      for (buffer_use const& o : uses) {
        if (is_main || !o.written || o.buffer == u.buffer) continue;
        bool const may_be_same = p_.buffers[u.buffer].where == storage_class::bound && p_.buffers[o.buffer].where == storage_class::bound;
        if (may_be_same && (u.stride != o.stride)) return false;
      }
    }
    return true;
  }
  // Whether more is read again than the nearest cache holds.
  constexpr bool is_worth_it(arena<buffer_use> const& uses, int rows) const {
    std::ptrdiff_t bytes = 0;
    bool again = false;
    for (buffer_use const& u : uses) {
      if (u.stride < shortest_row_) continue;
      again = again || u.kernels > 1;
      bytes += u.stride * rows * size_of(p_.buffers[u.buffer].type);
    }
    return again && bytes > cache_;
  }
  // Whether a kernel at an end of the group has more than one element in a row that another one uses too.
  constexpr bool belongs(kernel_range group, int rows, int which) const {
    arena<buffer_use> const all = uses_of(group, rows), own = uses_of({which, 1}, rows);
    for (buffer_use const& u : own)
      for (buffer_use const& o : all)
        if (o.buffer == u.buffer && o.kernels > 1 && u.stride > 1) return true;
    return false;
  }
  constexpr kernel_range grow(kernel_range list, int at, int rows, bool is_main) const {
    kernel_range g{list.first + at, 1};
    if (!can_run_by_rows(p_.kernels[g.first], rows) || !is_possible(uses_of(g, rows), is_main)) return {0, 0};
    auto const try_with = [&](kernel_range larger, int which) {
      if (!can_run_by_rows(p_.kernels[which], rows) || !is_possible(uses_of(larger, rows), is_main)) return false;
      g = larger;
      return true;
    };
    while (g.first + g.count < list.first + list.count && try_with({g.first, g.count + 1}, g.first + g.count)) continue;
    while (g.first > list.first && try_with({g.first - 1, g.count + 1}, g.first - 1)) continue;
    while (g.count > 1 && !belongs(g, rows, g.first + g.count - 1)) --g.count;
    while (g.count > 1 && !belongs(g, rows, g.first)) ++g.first, --g.count;
    return g;
  }
  // The first group at or after a kernel of the list.
  constexpr found find(kernel_range list, int from, bool is_main) const {
    for (int i = from; i < list.count; ++i) {
      kernel const k = p_.kernels[list.first + i];
      if (k.kind != kernel_kind::reduce || p_.reduces[k.index].kept == 0) continue;
      kernel_range const rest{list.first + from, list.count - from};
      int const all = p_.reduces[k.index].dims[0];
      kernel_range best{0, 0};
      int rows = 0;
      auto const consider = [&](int n) {
        if (n < 2 || n == rows || all % n != 0) return;
        kernel_range const g = grow(rest, i - from, n, is_main);
        if (g.count < 2 || g.count < best.count || (g.count == best.count && n < rows) || !is_worth_it(uses_of(g, n), n)) return;
        best = g;
        rows = n;
      };
      consider(all);
      // A neighbour may have more axes.
      for (int j = i - 1; j <= i + 1; j += 2)
        if (j >= from && j < list.count && iteration_space::exists(p_.kernels[list.first + j]))
          if (iteration_space const s(p_, p_.kernels[list.first + j]); s.rank() > 1) consider(s.dim(0));
      if (best.count > 0) return {best.first - list.first, best.count, rows};
    }
    return {};
  }

  // How many kernels of a list, and of the lists in it, use each buffer. Nests use parts: this is the count before there are any.
  constexpr void count_kernels(kernel_range list) {
    arena<int> last;
    last.resize(kernels_of_.size(), -1);
    for (int i = list.first; i < list.first + list.count; ++i) {
      for (memory_use const& u : own_uses(p_, p_.kernels[i]))
        if (last[u.buffer] != i) ++kernels_of_[u.buffer], last[u.buffer] = i;
      for_nested(p_, p_.kernels[i], [&](kernel_range r) { count_kernels(r); });
    }
  }

  constexpr kernel make(kernel_range group, int rows) {
    arena<buffer_use> const uses = uses_of(group, rows);
    scan_kernel nest;
    nest.length = rows;
    nest.is_nest = true;
    nest.stream = p_.streams.size();
    arena<int> part;  // of each used buffer
    for (buffer_use const& u : uses) {
      part.push(u.buffer);
      if (u.stride == 0) continue;
      buffer const b = p_.buffers[u.buffer];
      if (b.where == storage_class::scratch && kernels_of_[u.buffer] == u.kernels) {
        p_.buffers[u.buffer].size = u.stride;
        continue;
      }
      part.back() = p_.add_buffer(b.type, storage_class::bound, 0, u.stride);
      p_.streams.push({u.buffer, part.back()});
    }
    nest.n_stream = p_.streams.size() - nest.stream;
    for (int i = group.first; i < group.first + group.count; ++i) {
      iteration_space s(p_, p_.kernels[i]);
      if (s.dim(0) != rows) s.split(0, s.dim(0) / rows);
      s.for_steps([&](step const& x, box const&) {
        if (!is_memory(x.kind)) return;
        int& buffer = p_.accesses[x.access].buffer;
        for (int u = 0; u < uses.size(); ++u)
          if (uses[u].buffer == buffer) {
            buffer = part[u];
            break;
          }
      });
      s.drop_first();
    }
    nest.body = this->nest(group, false);
    return {kernel_kind::scan, p_.scans.push(nest), kernel::one_thread};
  }

  plan& p_;
  arena<int> kernels_of_;        // how many use each buffer
  std::ptrdiff_t pack_;                 // elements
  std::ptrdiff_t shortest_row_;         // elements: shorter ones end before the next one can begin
  std::ptrdiff_t shortest_ragged_row_;  // the last pack of a row overlaps the one before it, so it is read only once both are in the cache
  std::ptrdiff_t cache_;                // bytes: what is not larger stays there anyway
};

}  // namespace exprax::detail::planning
