// SPDX-License-Identifier: BSL-1.0
// row_planner: what is done to the kernels of a plan so that memory is walked less often, and in the order of packs.
#pragma once

#include <utility>

#include <exprax/plan/rows/copied_operands.hpp>
#include <exprax/plan/rows/interleaved_stores.hpp>
#include <exprax/plan/rows/joined_boxes.hpp>
#include <exprax/plan/rows/joined_reductions.hpp>
#include <exprax/plan/rows/reused_results.hpp>
#include <exprax/plan/rows/row_nests.hpp>
#include <exprax/plan/rows/stored_operands.hpp>

namespace exprax::detail::planning {

class row_planner {
 public:
  constexpr row_planner(plan& p, target const& machine) : p_(p), machine_(machine), copies_(p, machine) {}

  constexpr void run() {
    bool const has_rows = !p_.reduces.empty() && p_.kernels.size() > 1;
    bool const interleaves = interleaved_stores(p_).are_possible();
    if (interleaves) p_.main = interleave(p_.main);
    if (has_rows) p_.main = merge(p_.main);
    bool const has_copies = copies_.are_needed();
    if (has_copies) p_.main = copy(p_.main);
    if (has_rows) {
      reused_results(p_).run();
      row_nests nests(p_, machine_);
      p_.main = nest(nests, p_.main, true);
    }
    if (has_rows || has_copies || interleaves) {
      arena<kernel> live;
      p_.main = move(p_.main, live);
      p_.kernels = std::move(live);
    }
    joined_boxes(p_, machine_).run();
  }

 private:
  // Replaces each list of kernels that a kernel runs by f(list). f may add kernels of any kind.
  template <class F>
  constexpr void replace_lists(kernel k, F f) {
    switch (k.kind) {
      case kernel_kind::scan: {
        kernel_range const body = f(p_.scans[k.index].body);
        p_.scans[k.index].body = body;
        return;
      }
      case kernel_kind::while_loop: {
        kernel_range const condition = f(p_.whiles[k.index].condition), body = f(p_.whiles[k.index].body);
        p_.whiles[k.index].condition = condition;
        p_.whiles[k.index].body = body;
        return;
      }
      case kernel_kind::branch: {
        branch_kernel const b = p_.branches[k.index];
        for (int i = b.first; i < b.first + b.count; ++i) {
          kernel_range const of_case = f(p_.cases[i]);
          p_.cases[i] = of_case;
        }
        return;
      }
      default: return;
    }
  }
  constexpr kernel_range merge(kernel_range list) {
    int n = 0;
    for (int i = list.first; i < list.first + list.count; ++i) {
      kernel const k = p_.kernels[i];
      replace_lists(k, [&](kernel_range r) { return merge(r); });
      kernel* const of = p_.kernels.data() + list.first;
      if (int const joined = joined_reductions(p_).join(list.first, n, k); joined >= 0) p_.kernels[joined] = k;
      else if (n > 0 && stored_operands(p_, machine_).merge(of[n - 1], k)) of[n - 1] = k;
      else of[n++] = k;
    }
    for (int i = list.first; i < list.first + n; ++i) joined_reductions(p_).keep_operands(list.first, i);
    return without_empty_loops({list.first, n});
  }
  constexpr kernel_range without_empty_loops(kernel_range list) {
    int left = 0;
    for (int i = list.first; i < list.first + list.count; ++i)
      if (kernel const k = p_.kernels[i]; k.kind != kernel_kind::loop || p_.loops[k.index].n_box > 0) p_.kernels[list.first + left++] = k;
    return {list.first, left};
  }
  constexpr kernel_range interleave(kernel_range list) {
    int n = 0;
    for (int i = list.first; i < list.first + list.count; ++i) {
      kernel const k = p_.kernels[i];
      replace_lists(k, [&](kernel_range r) { return interleave(r); });
      kernel* const of = p_.kernels.data() + list.first;
      if (!interleaved_stores(p_).join({of, n}, k)) of[n++] = k;
    }
    return without_empty_loops({list.first, n});
  }
  constexpr kernel_range nest(row_nests& nests, kernel_range list, bool is_main) {
    for (int i = list.first; i < list.first + list.count; ++i)
      replace_lists(p_.kernels[i], [&](kernel_range r) { return nest(nests, r, false); });
    return nests.nest(list, is_main);
  }
  // The list with the loops that copy operands.
  constexpr kernel_range copy(kernel_range list) {
    arena<kernel> own;
    for (int i = list.first; i < list.first + list.count; ++i) {
      kernel const k = p_.kernels[i];
      replace_lists(k, [&](kernel_range r) { return copy(r); });
      copies_.put_before(k, own);
      own.push(k);
    }
    if (own.size() == list.count) return list;
    kernel_range const r{p_.kernels.size(), own.size()};
    p_.kernels.append(own);
    return r;
  }
  // The kernels that are still in a list, those of a loop or branch before it.
  constexpr kernel_range move(kernel_range list, arena<kernel>& to) {
    for (int i = list.first; i < list.first + list.count; ++i)
      replace_lists(p_.kernels[i], [&](kernel_range r) { return move(r, to); });
    kernel_range const r{to.size(), list.count};
    to.append(p_.kernels.data() + list.first, list.count);
    return r;
  }

  plan& p_;
  target machine_;
  copied_operands copies_;
};

}  // namespace exprax::detail::planning
