// SPDX-License-Identifier: BSL-1.0
// stored_operands: a loop whose result the next kernel reduces along rows becomes part of it: the reduction stores what it reduces, and
// memory is walked once.
#pragma once

#include <exprax/base/target.hpp>
#include <exprax/plan/data/slots.hpp>
#include <exprax/plan/rows/iteration_space.hpp>

namespace exprax::detail::planning {

class stored_operands {
 public:
  constexpr stored_operands(plan& p, target const& machine) : p_(p), machine_(machine) {}

  // Makes the loop part of the reduction after it, if that is possible.
  constexpr bool merge(kernel first, kernel second) {
    if (first.kind != kernel_kind::loop || second.kind != kernel_kind::reduce) return false;
    if (p_.loops[first.index].n_box != 1 || p_.reduces[second.index].columns) return false;
    iteration_space maker(p_, first), reader(p_, second);
    if (!is_far(reader, p_.reduces[second.index].type)) return false;
    if (reader.rank() - reader.kept() != 1 || !maker.is_static() || !reader.is_static() || !reads_what_is_stored(maker, reader, false))
      return false;
    arena<int> axes;
    if (!find_axes(maker, reader, axes)) return false;
    split(maker, axes);
    split(reader, axes);
    if (!walks_rows(maker) || !walks_rows(reader) || !reads_what_is_stored(maker, reader, true)) return false;
    append(maker, second);
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

  // Both, once some of their axes are split; the reduced one is not.
  static constexpr bool find_axes(iteration_space const& a, iteration_space const& b, arena<int>& axes) {
    int i = 0, j = 0, of_a = a.dim(0), of_b = b.dim(0);  // what is left of axis i of a, and of axis j of b
    while (true) {
      int const n = of_a < of_b ? of_a : of_b;
      if (of_a % n != 0 || of_b % n != 0 || axes.size() == max_rank) return false;
      if ((of_a > n && !a.is_whole(i)) || (of_b > n && (!b.is_whole(j) || j >= b.kept()))) return false;
      axes.push(n);
      of_a /= n;
      of_b /= n;
      bool const end_a = of_a == 1 && i + 1 == a.rank(), end_b = of_b == 1 && j + 1 == b.rank();
      if (end_a || end_b) return end_a && end_b;
      if (of_a == 1) of_a = a.dim(++i);
      if (of_b == 1) of_b = b.dim(++j);
    }
  }
  static constexpr void split(iteration_space& s, arena<int> const& axes) {
    for (int i = 0; i < axes.size(); ++i)
      if (s.dim(i) != axes[i]) s.split(i, s.dim(i) / axes[i]);
  }

  // Whether memory is contiguous along the last axis, or the same.
  constexpr bool walks_rows(iteration_space const& s) const {
    bool ok = true;
    s.for_steps([&](step const& x, box const&) {
      if (!is_memory(x.kind)) return;
      std::ptrdiff_t const stride = p_.accesses[x.access].stride[s.rank() - 1];
      ok = ok && (stride == 1 || stride == 0);
    });
    return ok;
  }
  // The step of the loop that stores to a buffer, or null.
  constexpr step const* store_to(iteration_space const& maker, int buffer) const {
    step const* r = nullptr;
    maker.for_steps([&](step const& x, box const&) {
      if (x.kind == step_kind::store && p_.accesses[x.access].buffer == buffer) r = &x;
    });
    return r;
  }
  // walks: each where it is stored.
  constexpr bool reads_what_is_stored(iteration_space const& maker, iteration_space const& reader, bool walks) const {
    bool any = false, ok = true;
    reader.for_steps([&](step const& x, box const&) {
      if (!is_memory(x.kind)) return;
      step const* const s = store_to(maker, p_.accesses[x.access].buffer);
      if (x.kind == step_kind::store) {
        bool used = false;
        maker.for_steps([&](step const& y, box const&) {
          used = used || (is_memory(y.kind) && p_.accesses[y.access].buffer == p_.accesses[x.access].buffer);
        });
        ok = ok && !used;
      } else if (s) {
        any = true;
        ok = ok && (!walks || same_walk(p_.accesses[s->access], p_.accesses[x.access], reader.rank()));
      }
    });
    return any && ok;
  }

  // The steps of a box, with indices of steps in place of slots.
  constexpr arena<step> without_slots(box const& b) const {
    arena<step> made;
    int first[dtype_count] = {}, n = 0;
    for (int t = 0; t < dtype_count; ++t) first[t] = n, n += b.slots[t];
    arena<int> in_slot;
    in_slot.resize(n, 0);
    auto const made_by = [&](dtype t, int slot) { return in_slot[first[static_cast<int>(t)] + slot]; };
    for (int s = b.step; s < b.step + b.n_step; ++s) {
      step x = p_.steps[s];
      bool const selects = x.op == prim::select_n && x.kind == step_kind::compute;
      if (x.kind == step_kind::store) x.a = made_by(x.type, x.a);
      else if (x.kind >= step_kind::store) x.a = made_by(selects ? dtype::b1 : x.from, x.a);
      if (x.kind == step_kind::compute) {
        x.b = made_by(selects ? x.type : x.from, x.b);
        x.c = made_by(selects ? x.type : x.from, x.c);
      }
      int const k = made.push(x);
      if (!is_store(x.kind)) in_slot[first[static_cast<int>(x.type)] + x.d] = k;
    }
    return made;
  }
  // A new box for the reduction: the steps of the loop, then its own, which take what the loop stores, or loads too, from there.
  constexpr void append(iteration_space const& maker, kernel reader) {
    box const of_loop = p_.boxes[maker.first_box()], of_reader = p_.boxes[p_.reduces[reader.index].box];
    int const rank = p_.reduces[reader.index].rank;
    arena<step> steps = without_slots(of_loop);
    arena<int> now;
    int const n = steps.size();
    for (step x : without_slots(of_reader)) {
      int known = -1;
      for (int k = 0; k < n && x.kind == step_kind::load; ++k) {
        access const& a = p_.accesses[x.access];
        if (!is_memory(steps[k].kind) || p_.accesses[steps[k].access].buffer != a.buffer) continue;
        if (steps[k].kind == step_kind::store) known = steps[k].a;
        else if (known < 0 && same_walk(p_.accesses[steps[k].access], a, rank)) known = k;
      }
      if (known >= 0) {
        now.push(known);
        continue;
      }
      if (x.kind >= step_kind::store) x.a = now[x.a];
      if (x.kind == step_kind::compute) x.b = now[x.b], x.c = now[x.c];
      now.push(steps.push(x));
    }
    box b{};
    for (int i = 0; i < rank; ++i) b.extent[i] = p_.reduces[reader.index].dims[i];
    finish_box(p_, b, steps, rank - 1);
    reduce_kernel& r = p_.reduces[reader.index];
    step const& result = p_.steps[b.step + b.n_step - 1];
    r.result = result.a;
    r.out = result.access;
    r.box = p_.boxes.push(b);
  }

  plan& p_;
  target machine_;
};

}  // namespace exprax::detail::planning
