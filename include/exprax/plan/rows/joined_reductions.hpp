// SPDX-License-Identifier: BSL-1.0
// joined_reductions: reductions that walk the same memory become one kernel, which walks it once. A loop that makes what only they read
// becomes part of it.
#pragma once

#include <exprax/plan/rows/merged_boxes.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax::detail::planning {

class joined_reductions {
 public:
  constexpr explicit joined_reductions(plan& p) : p_(p), boxes_(p) {}

  // Makes one of the reductions in [first, first + count) part of the next kernel, which then takes its place; its index, or -1.
  constexpr int join(int first, int count, kernel next) {
    if (next.kind != kernel_kind::reduce) return -1;
    for (int i = first + count - 1; i >= first && i >= first + count - farthest; --i)
      if (p_.kernels[i].kind == kernel_kind::reduce && can_join(i, first + count, next)) {
        put_before(p_.kernels[i], next);
        return i;
      }
    return -1;
  }
  // What only the reductions at i read is not stored: neither by them, nor by loops before them, in [first, i), which become part of them.
  constexpr void keep_operands(int first, int i) {
    kernel const k = p_.kernels[i];
    if (k.kind != kernel_kind::reduce || p_.reduces[k.index].n_reduction < 2) return;
    for (int loop = i - 1; loop >= first && loop >= i - farthest; --loop) {
      if (!can_take(loop, i)) continue;
      loop_kernel& l = p_.loops[p_.kernels[loop].index];
      boxes_.put_before(p_.reduces[k.index], p_.boxes[l.box], 0);
      l.n_box = 0;
    }
    boxes_.drop_stores(p_.reduces[k.index], [&](int buffer) {
      return p_.buffers[buffer].where == storage_class::scratch && !is_used_by_others(buffer, k, k);
    });
  }

 private:
  static constexpr int farthest = 8;  // kernels
  static constexpr int most = 4;      // reductions of a kernel: blocks of each are held in registers

  // Whether `next` can be made part of the reduction at i. The kernels between them run afterwards, up to `end`.
  constexpr bool can_join(int i, int end, kernel next) {
    kernel const first = p_.kernels[i];
    reduce_kernel const a = p_.reduces[first.index], b = p_.reduces[next.index];
    iteration_space of_a(p_, first), of_b(p_, next);
    if (finds_index(a) || finds_index(b)) return false;
    if (a.columns != b.columns || a.n_reduction + b.n_reduction > most || boxes_.stores(p_.boxes[b.box]) != b.n_reduction) return false;
    if (!a.columns && (a.rank - a.kept != 1 || b.rank - b.kept != 1)) return false;
    if (!of_a.is_static() || !of_b.is_static() || !is_independent(i, end, next) || !reads_the_same(of_a, of_b)) return false;
    arena<int> axes;
    if (!boxes_.find_axes(of_a, of_b, axes)) return false;
    boxes_.split(of_a, axes);
    boxes_.split(of_b, axes);
    return of_a.kept() == of_b.kept() && boxes_.reads_where_it_is_stored(of_a, of_b);
  }
  constexpr bool finds_index(reduce_kernel const& k) const { return is_argument_reduction(p_.reductions[k.reduction].op); }
  // Whether a buffer of `writes` is one of `reads`, but for those that are allowed, or may be the same memory. It stands before its uses:
  // clang instantiates a template that is defined further below only at the end of the translation unit, too late for constant evaluation.
  template <class F>
  constexpr bool may_overwrite(arena<int> const& writes, arena<int> const& reads, F const& is_allowed) const {
    for (int const w : writes)
      for (int const r : reads)
        if (w == r ? !is_allowed(r) : may_be_same(p_.buffers, w, r)) return true;
    return false;
  }
  constexpr bool may_overwrite(arena<int> const& writes, arena<int> const& reads) const {
    return may_overwrite(writes, reads, [](int) { return false; });
  }
  // Whether it does not matter if `next` runs right after kernel i, before those between: what they write it does not read, and what it
  // writes they do not use. What kernel i writes it may read where that is stored beside the results.
  constexpr bool is_independent(int i, int end, kernel next) const {
    arena<int> reads, writes;
    collect(next, reads, writes);
    reduce_kernel const& first = p_.reduces[p_.kernels[i].index];
    for (int k = i; k < end; ++k) {
      arena<int> others_read, others_write;
      collect(p_.kernels[k], others_read, others_write);
      auto const is_beside = [&](int buffer) { return k == i && !is_result(p_, first, buffer); };
      if (may_overwrite(others_write, reads, is_beside) || may_overwrite(writes, others_read)) return false;
      for (int const w : writes)
        if (position(others_write, w) >= 0) return false;
    }
    return true;
  }
  constexpr void collect(kernel k, arena<int>& reads, arena<int>& writes) const {
    for (memory_use const& u : all_uses(p_, k)) {
      if (u.reads()) push_once(reads, u.buffer);
      if (u.writes()) push_once(writes, u.buffer);
    }
  }
  // Whether memory that both use is as large as what they walk.
  constexpr bool reads_the_same(iteration_space const& a, iteration_space const& b) const {
    bool found = false;
    b.for_steps([&](step const& x, box const&) {
      if (x.kind != step_kind::load) return;
      bool walks = true;
      for (int i = 0; i < b.rank(); ++i) walks = walks && (b.dim(i) == 1 || p_.accesses[x.access].stride[i] != 0);
      a.for_steps([&](step const& y, box const&) {
        found = found || (walks && is_memory(y.kind) && p_.accesses[y.access].buffer == p_.accesses[x.access].buffer);
      });
    });
    return found;
  }
  // Whether a loop can run as part of the reductions at i, which alone read what it makes.
  constexpr bool can_take(int loop, int i) {
    kernel const first = p_.kernels[loop], next = p_.kernels[i];
    if (first.kind != kernel_kind::loop || p_.loops[first.index].n_box != 1) return false;
    iteration_space maker(p_, first), reader(p_, next);
    if (!maker.is_static() || !reader.is_static()) return false;
    arena<int> reads, writes;
    collect(first, reads, writes);
    for (int const w : writes)
      if (p_.buffers[w].where != storage_class::scratch || is_used_by_others(w, first, next)) return false;
    for (int k = loop + 1; k < i; ++k) {
      arena<int> others_read, others_write;
      collect(p_.kernels[k], others_read, others_write);
      if (may_overwrite(others_write, reads)) return false;
    }
    arena<int> axes;
    if (!boxes_.find_axes(maker, reader, axes)) return false;
    boxes_.split(maker, axes);
    boxes_.split(reader, axes);
    return boxes_.walks_rows(maker) && boxes_.walks_rows(reader) && boxes_.reads_where_it_is_stored(maker, reader);
  }

  constexpr void put_before(kernel first, kernel next) {
    reduce_kernel const a = p_.reduces[first.index];
    reduce_kernel& to = p_.reduces[next.index];
    int const all = p_.reductions.size();
    for (int i = a.reduction; i < a.reduction + a.n_reduction; ++i) p_.reductions.push(single_reduction(p_.reductions[i]));
    for (int i = to.reduction; i < to.reduction + to.n_reduction; ++i) p_.reductions.push(single_reduction(p_.reductions[i]));
    to.reduction = all;
    to.n_reduction += a.n_reduction;
    boxes_.put_before(to, p_.boxes[a.box], a.n_reduction);
    p_.boxes[a.box].n_step = 0;
  }
  // Whether a buffer is used by kernels other than a and b.
  constexpr bool is_used_by_others(int buffer, kernel a, kernel b) const {
    auto const same = [](kernel x, kernel y) { return x.kind == y.kind && x.index == y.index; };
    use_list<plan> others(p_);
    for (kernel const& k : p_.kernels)
      if (!same(k, a) && !same(k, b)) others.own(k);
    for (memory_use const& u : others.found)
      if (u.buffer == buffer) return true;
    return false;
  }

  plan& p_;
  merged_boxes boxes_;
};

}  // namespace exprax::detail::planning
