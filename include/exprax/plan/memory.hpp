// SPDX-License-Identifier: BSL-1.0
// The static memory plan: each scratch buffer lives from the first kernel that writes it to the last that reads it, and
// buffers whose lives do not meet share bytes. Offsets are multiples of 64.
#pragma once

#include <exprax/plan/plan.hpp>

namespace exprax::detail {

class memory_planner {
 public:
  constexpr explicit memory_planner(plan& p) : p_(p) {
    first_.resize(p.buffers.size(), -1);
    last_.resize(p.buffers.size(), -1);
  }

  constexpr void run() {
    walk(p_.first_kernel, p_.n_kernel);
    assign();
    int of_type[dtype_count] = {};
    for (buffer& b : p_.buffers) b.slot = of_type[static_cast<int>(b.type)]++;
  }

 private:
  constexpr void touch(int buffer) {
    if (first_[buffer] < 0) first_[buffer] = time_;
    last_[buffer] = time_;
  }
  constexpr void touch_access(access const& a) {
    touch(a.buffer);
    for (int t = 0; t < a.n_term; ++t) touch(p_.terms[a.term + t].buffer);
  }
  constexpr void touch_box(box const& b) {
    step const* const steps = p_.steps.data() + b.step;
    int *const first = first_.data(), *const last = last_.data();
    for (int s = 0; s < b.n_step; ++s) {
      step const& x = steps[s];
      if (x.kind != step_kind::load && x.kind != step_kind::store) continue;
      if (x.access >= 0) {
        touch_access(p_.accesses[x.access]);
      } else {
        if (first[x.c] < 0) first[x.c] = time_;
        last[x.c] = time_;
      }
    }
  }

  constexpr void walk(int first, int count) {
    for (int i = first; i < first + count; ++i, ++time_) {
      kernel const k = p_.kernels[i];
      switch (k.kind) {
        case kernel_kind::loop: {
          loop_kernel const& l = p_.loops[k.index];
          for (int b = 0; b < l.n_box; ++b) touch_box(p_.boxes[l.box + b]);
          for (int g = 0; g < l.n_guard; ++g) touch(p_.terms[l.guard + g].buffer);
          break;
        }
        case kernel_kind::reduce:
          touch_box(p_.boxes[p_.reduces[k.index].box]);
          touch_access(p_.accesses[p_.reduces[k.index].out]);
          break;
        case kernel_kind::contract: {
          contract_kernel const& c = p_.contracts[k.index];
          touch(c.lhs_buffer);
          touch(c.rhs_buffer);
          touch(c.out_buffer);
          break;
        }
        case kernel_kind::scatter: {
          scatter_kernel const& s = p_.scatters[k.index];
          touch(s.out_buffer);
          touch(s.indices_buffer);
          touch(s.update_buffer);
          break;
        }
        case kernel_kind::register_scan: {
          register_scan_kernel const& s = p_.register_scans[k.index];
          for (int c = 0; c < s.n_carry; ++c) {
            touch(p_.register_carries[s.carry + c].init);
            touch(p_.register_carries[s.carry + c].result);
          }
          for (int q = 0; q < s.n_step; ++q)
            if (p_.register_steps[s.step + q].buffer >= 0) touch(p_.register_steps[s.step + q].buffer);
          break;
        }
        case kernel_kind::scan: walk_scan(p_.scans[k.index]); break;
      }
    }
  }

  // What exists before the loop and is used in it lives until the loop ends.
  constexpr void walk_scan(scan_kernel const& s) {
    int const start = time_;
    auto ends = [&] {
      for (int i = 0; i < s.n_carry; ++i) {
        carry_slot const& c = p_.carries[s.carry + i];
        touch(c.init);
        touch(c.result);
        if (c.spare >= 0) touch(c.spare);
      }
      for (int i = 0; i < s.n_stream; ++i) touch(p_.streams[s.stream + i].whole);
    };
    ends();
    ++time_;
    walk(s.kernel, s.n_kernel);
    ends();
    for (int b = 0; b < first_.size(); ++b)
      if (first_[b] >= 0 && first_[b] <= start && last_[b] > start) last_[b] = time_;
  }

  constexpr void assign() {
    arena<int> order;
    for (int b = 0; b < p_.buffers.size(); ++b)
      if (p_.buffers[b].where == storage_class::scratch && first_[b] >= 0 && p_.buffers[b].size > 0) order.push(b);
    // larger ones first: they leave the fewest gaps
    for (int i = 1; i < order.size(); ++i)
      for (int j = i; j > 0 && bytes(order[j - 1]) < bytes(order[j]); --j) {
        int const t = order[j];
        order[j] = order[j - 1];
        order[j - 1] = t;
      }
    for (int i = 0; i < order.size(); ++i) {
      int const b = order[i];
      std::ptrdiff_t at = 0;
      for (bool moved = true; moved;) {
        moved = false;
        for (int j = 0; j < i; ++j) {
          int const o = order[j];
          if (last_[o] < first_[b] || last_[b] < first_[o]) continue;
          std::ptrdiff_t const begin = p_.buffers[o].offset, end = begin + bytes(o);
          if (at < end && begin < at + bytes(b)) {
            at = end;
            moved = true;
          }
        }
      }
      p_.buffers[b].offset = at;
      if (at + bytes(b) > p_.scratch) p_.scratch = at + bytes(b);
    }
  }
  constexpr std::ptrdiff_t bytes(int b) const { return (p_.buffers[b].size * size_of(p_.buffers[b].type) + 63) / 64 * 64; }

  plan& p_;
  arena<int> first_, last_;
  int time_ = 0;
};

}  // namespace exprax::detail
