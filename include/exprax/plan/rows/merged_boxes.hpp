// SPDX-License-Identifier: BSL-1.0
// merged_boxes: two kernels that walk the same axes become one: their axes are split until they agree, and their steps stand in one box.
#pragma once

#include <exprax/plan/data/slot_numbers.hpp>
#include <exprax/plan/data/slots.hpp>
#include <exprax/plan/rows/iteration_space.hpp>

namespace exprax::detail::planning {

// Whether two buffers may be the same memory: a result may overwrite an argument, and a loop may bind the memory of a carry twice, to what
// is read and to what is written.
constexpr bool may_be_same(arena<buffer> const& buffers, int written, int read) {
  auto const is_given = [](buffer const& x) { return x.where != storage_class::scratch && x.where != storage_class::constant; };
  buffer const &w = buffers[written], &r = buffers[read];
  return written == read || (is_given(w) && is_given(r) && w.type == r.type && w.size == r.size);
}

class merged_boxes {
 public:
  constexpr explicit merged_boxes(plan& p) : p_(p) {}

  // The axes of both, once some of them are split; reduced ones are not.
  static constexpr bool find_axes(iteration_space const& a, iteration_space const& b, arena<int>& axes) {
    int i = 0, j = 0, of_a = a.dim(0), of_b = b.dim(0);  // what is left of axis i of a, and of axis j of b
    while (true) {
      int const n = of_a < of_b ? of_a : of_b;
      if (n == 0 || of_a % n != 0 || of_b % n != 0 || axes.size() == max_rank) return false;
      if ((of_a > n && !can_be_split(a, i)) || (of_b > n && !can_be_split(b, j))) return false;
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
  // How many stores a box has.
  constexpr int stores(box const& b) const {
    int n = 0;
    for (int s = b.step; s < b.step + b.n_step; ++s) n += p_.steps[s].kind == step_kind::store;
    return n;
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
  // Whether what `first` stores is loaded where it is stored.
  constexpr bool reads_where_it_is_stored(iteration_space const& first, iteration_space const& second) const {
    bool ok = true;
    second.for_steps([&](step const& x, box const&) {
      if (x.kind != step_kind::load) return;
      if (step const* const s = store_to(first, p_.accesses[x.access].buffer))
        ok = ok && same_walk(p_.accesses[s->access], p_.accesses[x.access], second.rank());
    });
    return ok;
  }
  // The step of a kernel that stores to a buffer, or null.
  constexpr step const* store_to(iteration_space const& s, int buffer) const {
    step const* r = nullptr;
    s.for_steps([&](step const& x, box const&) {
      if (x.kind == step_kind::store && p_.accesses[x.access].buffer == buffer) r = &x;
    });
    return r;
  }

  // Gives the reduction the steps of `first`, which walks the same axes, before its own; these take from there what is computed, loaded or
  // stored. The last `results` stores of `first` come before those of the reduction, after all others.
  constexpr void put_before(reduce_kernel& to, box const& first, int results) {
    arena<step> steps, last;
    int const others = first.n_step - results;  // stores come last
    for (step const& x : without_slots(first)) (steps.size() < others ? steps : last).push(x);
    add_steps(steps, last, without_slots(p_.boxes[to.box]), to.rank);
    steps.append(last);
    set(to, steps);
  }
  // Takes away stores of a reduction, but for those of its results: to buffers of which is_dead(buffer).
  template <class F>
  constexpr void drop_stores(reduce_kernel& r, F const& is_dead) {
    box const b = p_.boxes[r.box];
    arena<step> steps;
    int i = 0;
    for (step const& x : without_slots(b))
      if (++i > b.n_step - r.n_reduction || x.kind != step_kind::store || !is_dead(p_.accesses[x.access].buffer)) steps.push(x);
    if (steps.size() < b.n_step) set(r, steps);
  }

  // The steps of two boxes with the same extents in one, which stands where `to` is. Stores come last, in the order of memory.
  constexpr box joined(box const& to, box const& other, int rank) {
    arena<step> steps, stores, more = without_slots(other);
    for (step const& x : without_slots(to)) (x.kind == step_kind::store ? stores : steps).push(x);
    for (step& x : more) {
      if (is_memory(x.kind)) x.access = p_.accesses.push(shifted(p_.accesses[x.access], other, to, rank));
      else if (int const i = iota_axis(x); x.kind == step_kind::iota && i != no_axis)
        x.bits += static_cast<std::uint64_t>(x.scale * (other.lo[i] - to.lo[i]));
    }
    add_steps(steps, stores, more, rank);
    for (int i = 1; i < stores.size(); ++i)
      for (int j = i; j > 0 && place_of(stores[j]) < place_of(stores[j - 1]); --j) {
        step const x = stores[j];
        stores[j] = stores[j - 1];
        stores[j - 1] = x;
      }
    steps.append(stores);
    box b = to;
    for (int& n : b.slots) n = 0;
    finish_box(p_, b, steps, rank - 1);
    return b;
  }
  // The access of a box, walked where `to` is.
  static constexpr access shifted(access a, box const& of, box const& to, int rank) {
    for (int i = 0; i < rank; ++i) a.base += a.stride[i] * (of.lo[i] - to.lo[i]);
    return a;
  }

 private:
  // Appends steps, but for those whose results are there; stores to a list of their own.
  constexpr void add_steps(arena<step>& steps, arena<step>& stores, arena<step> const& more, int rank) const {
    arena<int> now;
    for (step x : more) {
      for_operands(x, [&](int, dtype, int& operand) { operand = now[operand]; });
      int const known = find(steps, x, rank);
      if (x.kind == step_kind::store) stores.push(x), now.push(-1);
      else now.push(known >= 0 ? known : steps.push(x));
    }
  }
  constexpr std::ptrdiff_t place_of(step const& store) const { return p_.accesses[store.access].base; }
  static constexpr bool can_be_split(iteration_space const& s, int axis) { return axis < s.kept() && s.is_whole(axis); }

  // The results of the reduction are the values of the last stores.
  constexpr void set(reduce_kernel& r, arena<step> const& steps) {
    box b{};
    for (int i = 0; i < r.rank; ++i) b.extent[i] = r.dims[i];
    finish_box(p_, b, steps, r.rank - 1);
    r.box = p_.boxes.push(b);
    for (int i = 0; i < r.n_reduction; ++i) {
      step const& store = p_.steps[b.step + b.n_step - r.n_reduction + i];
      single_reduction& to = p_.reductions[r.reduction + i];
      to.result = store.a;
      to.out = store.access;
    }
  }
  // The steps of a box, with indices of steps in place of slots.
  constexpr arena<step> without_slots(box const& b) const {
    arena<step> made;
    slot_numbers const index(b.slots);
    arena<int> in_slot;
    in_slot.resize(index.size(), 0);
    auto const made_by = [&](dtype t, int slot) { return in_slot[index(t, slot)]; };
    for (int s = b.step; s < b.step + b.n_step; ++s) {
      step x = p_.steps[s];
      for_operands(x, [&](int, dtype t, int& operand) { operand = made_by(t, operand); });
      int const k = made.push(x);
      if (!is_store(x.kind)) in_slot[index(x.type, x.d)] = k;
    }
    return made;
  }
  // The index of the step whose result is that of x, or -1.
  constexpr int find(arena<step> const& steps, step const& x, int rank) const {
    if (x.kind == step_kind::load)
      for (step const& s : steps)
        if (s.kind == step_kind::store && same_place(s, x, rank)) return s.a;
    for (int k = 0; k < steps.size() && !is_store(x.kind); ++k) {
      step const& s = steps[k];
      if (s.kind == x.kind && s.type == x.type && is_same(s, x, rank)) return k;
    }
    return -1;
  }
  constexpr bool same_place(step const& s, step const& x, int rank) const {
    access const &a = p_.accesses[s.access], &b = p_.accesses[x.access];
    return a.buffer == b.buffer && same_walk(a, b, rank);
  }
  constexpr bool is_same(step const& s, step const& x, int rank) const {
    switch (x.kind) {
      case step_kind::literal: return s.bits == x.bits;
      case step_kind::iota: return s.bits == x.bits && s.scale == x.scale && iota_axis(s) == iota_axis(x);
      case step_kind::load: return same_place(s, x, rank);
      case step_kind::convert: return s.from == x.from && s.a == x.a;
      case step_kind::compute: return s.op == x.op && s.from == x.from && s.a == x.a && s.b == x.b && s.c == x.c;
      default: return false;
    }
  }

  plan& p_;
};

}  // namespace exprax::detail::planning
