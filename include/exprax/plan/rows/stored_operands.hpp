// SPDX-License-Identifier: BSL-1.0
// stored_operands: a loop whose result the next kernel reduces along rows becomes part of it: the reduction stores what it reduces, and
// memory is walked once.
#pragma once

#include <exprax/base/target.hpp>
#include <exprax/plan/rows/merged_boxes.hpp>

namespace exprax::detail::planning {

class stored_operands {
 public:
  constexpr stored_operands(plan& p, target const& machine) : p_(p), boxes_(p), machine_(machine) {}

  // Makes the loop part of the reduction after it, if that is possible.
  constexpr bool merge(kernel first, kernel second) {
    if (first.kind != kernel_kind::loop || second.kind != kernel_kind::reduce) return false;
    if (p_.loops[first.index].n_box != 1 || p_.reduces[second.index].columns) return false;
    iteration_space maker(p_, first), reader(p_, second);
    if (!is_far(reader, p_.reductions[p_.reduces[second.index].reduction].type)) return false;
    if (reader.rank() - reader.kept() != 1 || !maker.is_static() || !reader.is_static() || !reads_what_is_stored(maker, reader))
      return false;
    arena<int> axes;
    if (!boxes_.find_axes(maker, reader, axes)) return false;
    boxes_.split(maker, axes);
    boxes_.split(reader, axes);
    if (!boxes_.walks_rows(maker) || !boxes_.walks_rows(reader) || !boxes_.reads_where_it_is_stored(maker, reader)) return false;
    boxes_.put_before(p_.reduces[second.index], p_.boxes[maker.first_box()], 0);
    p_.loops[first.index].n_box = 0;
    return true;
  }

 private:
  static constexpr int far = 32;

  // Whether a row, or all rows, are read again from far away; what is in the nearest cache is read sooner than it is stored beside a sum.
  constexpr bool is_far(iteration_space const& reader, dtype type) const {
    std::ptrdiff_t bytes = size_of(type);
    for (int i = reader.rank() - 1; i >= 0; --i) {
      bytes *= reader.dim(i);
      if (i + 1 == reader.rank() && bytes > machine_.nearest_cache) return true;
    }
    return bytes > far * machine_.nearest_cache;
  }

  // Whether the reduction reads what the loop stores, and writes nothing that the loop uses.
  constexpr bool reads_what_is_stored(iteration_space const& maker, iteration_space const& reader) const {
    bool any = false, ok = true;
    reader.for_steps([&](step const& x, box const&) {
      if (x.kind == step_kind::load) any = any || boxes_.store_to(maker, p_.accesses[x.access].buffer);
      if (x.kind != step_kind::store) return;
      maker.for_steps([&](step const& y, box const&) {
        ok = ok && !(is_memory(y.kind) && p_.accesses[y.access].buffer == p_.accesses[x.access].buffer);
      });
    });
    return any && ok;
  }

  plan& p_;
  merged_boxes boxes_;
  target machine_;
};

}  // namespace exprax::detail::planning
