// SPDX-License-Identifier: BSL-1.0
// interleaved_stores: loops that fill every second, third, ... element of the same memory, one after the other, as
// x.at[::2].set(a).at[1::2].set(b), become one loop, whose packs are stored together (emit/kernels/strided.hpp). What was stored before to
// memory that they fill is not stored.
#pragma once

#include <exprax/plan/rows/merged_boxes.hpp>

namespace exprax::detail::planning {

class interleaved_stores {
 public:
  constexpr explicit interleaved_stores(plan& p) : p_(p), boxes_(p) {}

  constexpr bool are_possible() const {
    int n = 0;
    for (loop_kernel const& k : p_.loops) n += step_of(k) > 0;
    return n > 1;
  }
  // Makes the loop `next` part of the last one of the list. Loops before them that are not needed any more keep no box.
  constexpr bool join(span<kernel> list, kernel next) {
    if (list.size() == 0 || list[list.size() - 1].kind != kernel_kind::loop || next.kind != kernel_kind::loop) return false;
    loop_kernel& first = p_.loops[list[list.size() - 1].index];
    loop_kernel const second = p_.loops[next.index];
    if (!can_join(first, second)) return false;
    put_together(first, second);
    if (!fills(first)) return true;
    for (int i = list.size() - 2; i >= 0; --i) {
      if (list[i].kind != kernel_kind::loop || !stores_only_to(p_.loops[list[i].index], buffer_of(first))) break;
      p_.loops[list[i].index].n_box = 0;
    }
    return true;
  }

 private:
  template <class F>
  constexpr void for_steps(loop_kernel const& k, F const& f) const {
    for (int b = k.box; b < k.box + k.n_box; ++b)
      for (int s = p_.boxes[b].step; s < p_.boxes[b].step + p_.boxes[b].n_step; ++s) f(p_.steps[s]);
  }
  constexpr step const& last_step(loop_kernel const& k) const {
    box const& b = p_.boxes[k.box];
    return p_.steps[b.step + b.n_step - 1];
  }
  constexpr access const& last_store(loop_kernel const& k) const { return p_.accesses[last_step(k).access]; }
  constexpr int buffer_of(loop_kernel const& k) const { return last_store(k).buffer; }
  // How far apart the elements are that the loop stores to one buffer; 0: it does not, or elsewhere too.
  constexpr int step_of(loop_kernel const& k) const {
    constexpr std::ptrdiff_t most = 4;
    if (k.n_box == 0 || k.rank == 0 || k.n_guard > 0 || p_.boxes[k.box].n_step == 0 || last_step(k).kind != step_kind::store) return 0;
    access const& a = last_store(k);
    std::ptrdiff_t const step = a.stride[k.rank - 1];
    return step >= 2 && step <= most && a.n_term == 0 && stores_only_to(k, a.buffer) ? static_cast<int>(step) : 0;
  }
  constexpr bool stores_only_to(loop_kernel const& k, int buffer) const {
    bool ok = k.n_guard == 0;
    for_steps(k, [&](step const& s) {
      ok = ok && (!is_store(s.kind) || (s.kind == step_kind::store && p_.accesses[s.access].buffer == buffer));
    });
    return ok;
  }

  // The second one has one box, the first one that and what is left of its rows.
  constexpr bool can_join(loop_kernel const& a, loop_kernel const& b) const {
    int const step = step_of(a), last = a.rank - 1;
    if (step == 0 || step_of(b) != step || b.n_box != 1 || a.rank != b.rank || buffer_of(a) != buffer_of(b)) return false;
    box const &of_a = p_.boxes[a.box], &of_b = p_.boxes[b.box];
    for (int i = 0; i < a.rank; ++i) {
      int const longer = of_a.extent[i] - of_b.extent[i];
      if (of_a.lo[i] != 0 || of_b.lo[i] != 0 || (i == last ? longer > 1 || longer < -1 : longer != 0)) return false;
    }
    for (int s = of_a.step; s < of_a.step + of_a.n_step; ++s)
      if (p_.steps[s].kind == step_kind::store && !are_beside(p_.accesses[p_.steps[s].access], last_store(b), a.rank)) return false;
    return stays_in_rows(a) && stays_in_rows(b) && reads_other_memory(a) && reads_other_memory(b);
  }
  // Whether the elements of one access lie between those of the other.
  constexpr bool are_beside(access const& a, access const& b, int rank) const {
    for (int i = 0; i < rank; ++i)
      if (a.stride[i] != b.stride[i]) return false;
    std::ptrdiff_t const step = a.stride[rank - 1], apart = a.base - b.base;
    if (rank > 1 && a.base / a.stride[rank - 2] != b.base / a.stride[rank - 2]) return false;
    return apart != 0 && apart < step && apart > -step;
  }
  // So that elements of different rows are different ones.
  constexpr bool stays_in_rows(loop_kernel const& k) const {
    access const& a = last_store(k);
    if (k.rank == 1) return true;
    std::ptrdiff_t const row = a.stride[k.rank - 2];
    for (int i = 0; i + 1 < k.rank; ++i)
      if (row <= 0 || a.stride[i] % row != 0) return false;
    return a.base % row + a.stride[k.rank - 1] * (k.dims[k.rank - 1] - 1) < row;
  }
  constexpr bool reads_other_memory(loop_kernel const& k) const {
    bool ok = true;
    for_steps(k, [&](step const& s) {
      ok = ok && !is_element(s.kind) && (!is_load(s.kind) || !may_be_same(p_.buffers, buffer_of(k), p_.accesses[s.access].buffer));
    });
    return ok;
  }

  constexpr void put_together(loop_kernel& a, loop_kernel const& b) {
    int const last = a.rank - 1;
    box of_a = p_.boxes[a.box], of_b = p_.boxes[b.box];
    arena<box> rest;
    for (int i = 1; i < a.n_box; ++i) rest.push(p_.boxes[a.box + i]);
    int const n = of_a.extent[last] < of_b.extent[last] ? of_a.extent[last] : of_b.extent[last];
    for (box const* of : {&of_a, &of_b})
      if (of->extent[last] > n) {
        rest.push(*of);
        rest.back().lo[last] = n;
        rest.back().extent[last] -= n;
      }
    a.dims[last] = a.dims[last] > b.dims[last] ? a.dims[last] : b.dims[last];
    of_a.extent[last] = n;
    box const both = boxes_.joined(of_a, of_b, a.rank);
    a.box = p_.boxes.push(both);
    a.n_box = 1 + rest.size();
    for (box const& of : rest) p_.boxes.push(of);
  }
  // Whether the loop stores to each element of its buffer; none twice.
  constexpr bool fills(loop_kernel const& k) const {
    std::ptrdiff_t stored = 0;
    for (int b = k.box; b < k.box + k.n_box; ++b) {
      std::ptrdiff_t n = boxes_.stores(p_.boxes[b]);
      for (int i = 0; i < k.rank; ++i) n *= p_.boxes[b].extent[i];
      stored += n;
    }
    return stored == p_.buffers[buffer_of(k)].size;
  }

  plan& p_;
  merged_boxes boxes_;
};

}  // namespace exprax::detail::planning
