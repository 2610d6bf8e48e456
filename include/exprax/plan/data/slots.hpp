// SPDX-License-Identifier: BSL-1.0
// Slots: every result of a list of steps gets a slot in the file of its dtype; results with disjoint live ranges share one.
#pragma once

#include <exprax/plan/data/plan.hpp>
#include <exprax/plan/data/step_bands.hpp>

namespace exprax::detail::planning {

// Replaces operands, which are indices of steps, by slots. Walks backwards: the first use seen is the last one.
class slot_allocator {
 public:
  constexpr slot_allocator(step* run, int n, int* count) : run_(run), count_(count) {
    slot_.resize(n, -1);
    next_.resize(n, -1);
    for (int& h : free_) h = -1;
  }

  // The first n_row steps run once for each row: their results that others read keep their slots.
  constexpr void run(int n, int n_row) {
    int* const slot = slot_.data();
    if (n_row > 0)
      for (int k = n_row; k < n; ++k) {
        step const& s = run_[k];
        if (s.kind < step_kind::store) continue;
        if (s.a < n_row) slot_of(s.a);
        if (s.kind == step_kind::compute) {
          if (s.b < n_row) slot_of(s.b);
          if (s.c < n_row) slot_of(s.c);
        }
      }
    for (int k = n - 1; k >= 0; --k) {
      step& s = run_[k];
      if (!is_store(s.kind)) {
        s.d = slot[k] < 0 ? slot_of(k) : slot[k];
        int& first = free_[static_cast<int>(s.type)];
        next_[k] = first;
        first = k;
        if (s.kind < step_kind::store) continue;
      }
      int const a = s.a;
      s.a = slot[a] < 0 ? slot_of(a) : slot[a];
      if (s.kind != step_kind::compute) continue;
      s.b = s.b == a ? s.a : slot_of(s.b);
      s.c = s.c == a ? s.a : slot_of(s.c);
    }
  }

 private:
  constexpr int slot_of(int k) {
    int& slot = slot_[k];
    if (slot >= 0) return slot;
    int const t = static_cast<int>(run_[k].type), f = free_[t];
    if (f < 0) return slot = count_[t]++;
    free_[t] = next_[f];
    return slot = slot_[f];
  }

  step* run_;
  int* count_;
  arena<int> slot_, next_;
  int free_[dtype_count];  // the head of the free list for each dtype, linked by next_
};

// Writes the steps of a box in this order; where: room for an index of each step.
constexpr void write_steps(step* run, box& b, arena<step> const& steps, arena<int> const& order, arena<int>& where) {
  int const n = steps.size();
  for (int k = 0; k < n; ++k) where[order[k]] = k;
  for (int k = 0; k < n; ++k) {
    step& s = run[k] = steps[order[k]];
    if (s.kind < step_kind::store) continue;
    s.a = where[s.a];
    if (s.kind != step_kind::compute) continue;
    s.b = where[s.b];
    s.c = where[s.c];
  }
  slot_allocator(run, n, b.slots).run(n, b.n_row);
}
// The same in bands (step_bands.hpp), if that is faster and takes hardly more slots.
constexpr void arrange_in_bands(step* run, box& b, arena<step> const& steps, arena<int> const& order, arena<int>& where) {
  int used = 0, used_in_bands = 0;
  for (int n : b.slots) used += n;
  if (used < step_bands::fewest_slots) return;
  step_bands bands(steps, order, b.n_row);
  arena<int> const in_bands = bands.order();
  if (bands.cycles(in_bands) * 4 > bands.cycles(order) * 3) return;
  for (int& n : b.slots) n = 0;
  write_steps(run, b, steps, in_bands, where);
  for (int n : b.slots) used_in_bands += n;
  if (used_in_bands <= used + used / 4) return;
  for (int& n : b.slots) n = 0;
  write_steps(run, b, steps, order, where);
}

// Appends the steps of a box to the plan. Those that do not vary along the last axis come first: they run once for each row.
// Stores come last: the emitter delays those of the ragged end until the rest of the row is done.
constexpr void finish_box(plan& out, box& b, arena<step> const& steps, int last_axis) {
  int const n = steps.size();
  arena<int> order, where;
  arena<char> varies;
  order.reserve(n);
  where.resize(n);
  varies.resize(n, 1);
  for (int i = 0; i < n; ++i) {
    step const& s = steps[i];
    switch (s.kind) {
      case step_kind::compute: varies[i] = varies[s.a] || varies[s.b] || varies[s.c]; break;
      case step_kind::convert: varies[i] = varies[s.a]; break;
      case step_kind::gather: varies[i] = varies[s.a] || out.accesses[s.access].stride[last_axis] != 0; break;
      case step_kind::load: {
        access const& a = out.accesses[s.access];
        varies[i] = a.stride[last_axis] != 0 || has_indices_along(out, a, last_axis);
        break;
      }
      case step_kind::iota: varies[i] = iota_axis(s) == last_axis; break;
      case step_kind::literal: varies[i] = 0; break;
      default: break;
    }
    if (!varies[i]) order.push(i);
  }
  b.n_row = order.size();
  for (int i = 0; i < n; ++i)
    if (varies[i] && steps[i].kind != step_kind::store) order.push(i);
  for (int i = 0; i < n; ++i)
    if (steps[i].kind == step_kind::store) order.push(i);
  b.n_step = n;
  b.step = out.steps.size();
  step* const run = out.steps.grow(n);
  write_steps(run, b, steps, order, where);
  if (n >= step_bands::fewest_steps) arrange_in_bands(run, b, steps, order, where);
}

// The same for steps that run once, in the given order.
constexpr void finish_straight_line(plan& out, box& b, arena<step> const& steps) {
  b.n_step = steps.size();
  b.step = out.steps.size();
  step* const run = out.steps.grow(b.n_step);
  copy_run(run, steps.data(), b.n_step);
  slot_allocator(run, b.n_step, b.slots).run(b.n_step, 0);
}

}  // namespace exprax::detail::planning
