// SPDX-License-Identifier: BSL-1.0
// joined_boxes: boxes of a loop that have the same extents become one where one of them reads nothing that the other does not read, as the
// sums and the differences of concatenate(a + b, a - b): what both read is loaded once.
#pragma once

#include <exprax/base/target.hpp>
#include <exprax/plan/rows/merged_boxes.hpp>

namespace exprax::detail::planning {

class joined_boxes {
 public:
  constexpr joined_boxes(plan& p, target const& machine) : p_(p), boxes_(p), machine_(machine) {}

  constexpr void run() {
    for (int k = 0; k < p_.loops.size(); ++k) join(p_.loops[k]);
  }

 private:
  static constexpr int most_boxes = 16;

  // f(access) of the loads or the stores of a box: whether it is true of one.
  template <class F>
  constexpr bool any_access(box const& b, step_kind kind, F f) const {
    for (int s = b.step; s < b.step + b.n_step; ++s)
      if (p_.steps[s].kind == kind && f(p_.accesses[p_.steps[s].access])) return true;
    return false;
  }
  constexpr void join(loop_kernel& k) {
    if (k.rank == 0 || k.n_box < 2 || k.n_box > most_boxes || machine_.register_bytes == 0) return;
    arena<box> left;
    left.append(p_.boxes.data() + k.box, k.n_box);
    for (int a = 0; a < left.size(); ++a)
      for (int b = a + 1; b < left.size();) {
        if (try_join(left[a], left[b], k.rank)) {
          for (int i = b; i + 1 < left.size(); ++i) left[i] = left[i + 1];
          left.pop();
          b = a + 1;  // more may be read by both now
        } else {
          ++b;
        }
      }
    if (left.size() == k.n_box) return;
    k.box = p_.boxes.size();
    k.n_box = left.size();
    p_.boxes.append(left);
  }
  constexpr bool try_join(box& a, box const& b, int rank) {
    if (!has_packs(a, rank) || !have_same_extents(a, b, rank) || gathers(a) || gathers(b)) return false;
    if (!reads_all_of(a, b, rank) && !reads_all_of(b, a, rank)) return false;
    if (may_be_in_place(a, b, rank) || may_be_in_place(b, a, rank)) return false;
    int const accesses = p_.accesses.size(), steps = p_.steps.size();
    box const both = boxes_.joined(a, b, rank);
    int slots = 0;
    for (int n : both.slots) slots += n;
    if (slots > machine_.registers) {
      p_.accesses.shrink(accesses);
      p_.steps.shrink(steps);
      return false;
    }
    a = both;
    return true;
  }
  constexpr bool gathers(box const& b) const {
    auto const at_vectors = [&](access const& x) { return is_gathered(p_, x); };
    return any_access(b, step_kind::load, at_vectors) || any_access(b, step_kind::gather, at_vectors);
  }
  // Whether rows are as long as a register: shorter ones are walked together, row after row.
  constexpr bool has_packs(box const& b, int rank) const {
    for (int s = b.step; s < b.step + b.n_step; ++s)
      if (b.extent[rank - 1] * size_of(p_.steps[s].type) < machine_.register_bytes) return false;
    return true;
  }
  static constexpr bool have_same_extents(box const& a, box const& b, int rank) {
    for (int i = 0; i < rank; ++i)
      if (a.extent[i] != b.extent[i]) return false;
    return true;
  }
  // Whether box a loads something, and all of it is loaded by b.
  constexpr bool reads_all_of(box const& b, box const& a, int rank) const {
    bool loads = false;
    bool const others = any_access(a, step_kind::load, [&](access const& x) {
      access const here = merged_boxes::shifted(x, a, b, rank);
      loads = true;
      return !any_access(b, step_kind::load, [&](access const& y) { return y.buffer == x.buffer && same_walk(y, here, rank); });
    });
    return loads && !others;
  }
  // Whether what box a loads is stored by one of them, or could be: the result may stand in the memory of an operand of which both read
  // each element at most where they write it.
  constexpr bool may_be_in_place(box const& a, box const& b, int rank) const {
    return any_access(a, step_kind::load, [&](access const& x) {
      auto const is_overwritten = [&](access const& y) {
        return x.buffer == y.buffer ||
               (p_.buffers[x.buffer].size == p_.buffers[y.buffer].size && reads_where_it_writes(p_, a, rank, x.buffer, y.buffer) &&
                reads_where_it_writes(p_, b, rank, x.buffer, y.buffer));
      };
      return any_access(a, step_kind::store, is_overwritten) || any_access(b, step_kind::store, is_overwritten);
    });
  }

  plan& p_;
  merged_boxes boxes_;
  target machine_;
};

}  // namespace exprax::detail::planning
