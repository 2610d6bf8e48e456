// SPDX-License-Identifier: BSL-1.0
// buffer_lives: when each buffer is live, from the first kernel that uses it to the last. Time counts kernels in the order in which they
// run. A loop or branch takes one unit for its begin, those of the kernels in it, and one for the end of each list of them.
#pragma once

#include <exprax/plan/analysis/uses.hpp>

namespace exprax::detail {

// The units of time of a kernel: more than one if it runs kernels.
struct kernel_span {
  int kernel;
  int depth;
  int first, last;
};

// Tables: plan, or plan_storage.
template <class Tables>
class buffer_lives {
 public:
  constexpr buffer_lives(Tables const& p, int buffers) : p_(p) {
    first_.resize(buffers, -1);
    last_.resize(buffers, -1);
  }

  constexpr void walk(kernel_range r, int depth = 0) {
    for (int i = r.first; i < r.first + r.count; ++i, ++time_) {
      kernel const k = p_.kernels[i];
      int const start = time_, span = spans_.push({i, depth, start, start});
      arena<memory_use> const uses = own_uses(p_, k);
      touch(uses);
      bool nested = false;
      for_nested(p_, k, [&](kernel_range inner) {
        nested = true;
        ++time_;
        walk(inner, depth + 1);
      });
      if (!nested) continue;
      touch(uses);
      spans_[span].last = time_;
      // Buffers that are live before a loop and used in it are live until the loop ends.
      if (k.kind == kernel_kind::branch) continue;
      for (int b = 0; b < first_.size(); ++b)
        if (first_[b] >= 0 && first_[b] <= start && last_[b] > start) last_[b] = time_;
    }
  }

  constexpr bool is_used(int buffer) const { return first_[buffer] >= 0; }
  constexpr int first(int buffer) const { return first_[buffer]; }
  constexpr int last(int buffer) const { return last_[buffer]; }
  constexpr bool meet(int a, int b) const { return last_[a] >= first_[b] && last_[b] >= first_[a]; }
  // All kernels, in the order in which they run, and how many units of time they take.
  constexpr arena<kernel_span> const& spans() const { return spans_; }
  constexpr int units() const { return time_; }

 private:
  constexpr void touch(arena<memory_use> const& uses) {
    for (memory_use const& u : uses) {
      if (first_[u.buffer] < 0) first_[u.buffer] = time_;
      last_[u.buffer] = time_;
    }
  }

  Tables const& p_;
  arena<int> first_, last_;
  arena<kernel_span> spans_;
  int time_ = 0;
};

}  // namespace exprax::detail
