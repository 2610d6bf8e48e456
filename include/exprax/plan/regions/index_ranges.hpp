// SPDX-License-Identifier: BSL-1.0
// Which indices of a loop's body need no check, because they are a counter plus a constant, and the counter has a known range. Of the run
// layout.
#pragma once

#include <exprax/base/span.hpp>
#include <exprax/plan/data/plan.hpp>
#include <exprax/plan/regions/scalar_steps.hpp>

namespace exprax::detail::planning {

// A scalar that is in [least, most].
struct scalar_range {
  dtype type = dtype::i32;
  int slot = -1;  // -1: there is none
  std::int64_t least = 0, most = 0;
};

// The steps of a body without loops and branches.
class index_ranges {
  // plus + sign * the scalar in question
  struct sum {
    bool depends = false;
    std::int64_t plus = 0;
    int sign = 1;
  };
  // Arithmetic wraps around: where the sum is in the range of its dtype, it is exact.
  constexpr sum sum_of(dtype t, int slot, dtype root, int root_slot, int depth = 0) const {
    if (t == root && slot == root_slot) return {true};
    region_step const* const s = scalars_.maker(t, slot);
    if (s == nullptr || depth > 8 || s->wide_a || s->wide_b) return {};
    if (s->kind == region_step_kind::move) return sum_of(t, s->a, root, root_slot, depth + 1);
    if (s->kind == region_step_kind::convert)
      return {s->from == root && s->a == root_slot && is_signed_integer(t) && size_of(root) <= size_of(t)};
    if (s->kind != region_step_kind::compute || (s->op != prim::add && s->op != prim::sub)) return {};
    bool const subtracts = s->op == prim::sub;
    std::int64_t by = 0;
    if (scalars_.is_literal(t, s->b, by)) {
      sum r = sum_of(t, s->a, root, root_slot, depth + 1);
      r.plus += subtracts ? -by : by;
      return in_reach(r);
    }
    if (!scalars_.is_literal(t, s->a, by)) return {};
    sum r = sum_of(t, s->b, root, root_slot, depth + 1);
    if (subtracts) r.plus = -r.plus, r.sign = -r.sign;
    r.plus += by;
    return in_reach(r);
  }
  static constexpr sum in_reach(sum const& s) { return s.plus > (1 << 30) || s.plus < -(1 << 30) ? sum{} : s; }
  // f(step, term of its address, sum, limit) for each index that depends on the scalar.
  template <class F>
  constexpr void for_indices(scalar_range const& r, F f) const {
    for (int k = 0; k < steps_.size(); ++k) {
      if (!is_memory(steps_[k].kind)) continue;
      region_address const a = out_.region_addresses[steps_[k].address];
      for (int i = 0; i < a.n_term; ++i) {
        region_term const t = out_.region_terms[a.term + i];
        if (t.counter != no_counter) continue;
        if (sum const at = sum_of(t.type, t.slot, r.type, r.slot); at.depends) f(k, i, at, t.limit);
      }
    }
  }

 public:
  constexpr index_ranges(plan& out, arena<region_step>& steps) : out_(out), steps_(steps), scalars_(steps) {}

  // A carry that grows by a constant in each iteration, and the range in which all indices that depend on it are in bounds. In this range
  // the next value does not overflow.
  constexpr scalar_range carried_counter(span<region_move> moves) const {
    constexpr std::int64_t longest_step = 1 << 16;
    for (region_move const& m : moves) {
      if (m.n != 1 || (m.type != dtype::i32 && m.type != dtype::i64)) continue;
      sum const next = sum_of(m.type, m.from, m.type, m.to);
      if (!next.depends || next.sign < 0 || next.plus < 1 || next.plus > longest_step) continue;
      scalar_range r{m.type, m.to, -(1 << 30), (1 << 30)};
      bool is_index = false;
      for_indices(r, [&](int, int, sum const& at, int limit) {
        std::int64_t const least = at.sign > 0 ? -at.plus : at.plus - limit;
        if (least > r.least) r.least = least;
        if (least + limit < r.most) r.most = least + limit;
        is_index = true;
      });
      if (is_index && r.least <= r.most) return r;
    }
    return {};
  }
  // Marks the indices that are in bounds because a scalar is in this range. Their steps get addresses of their own.
  constexpr void mark(scalar_range const& r) {
    for_indices(r, [&](int k, int i, sum const& at, int limit) {
      std::int64_t const first = at.plus + at.sign * r.least, last = at.plus + at.sign * r.most;
      if (first < 0 || first > limit || last < 0 || last > limit) return;
      region_address a = out_.region_addresses[steps_[k].address];
      int const terms = out_.region_terms.size();
      for (int j = 0; j < a.n_term; ++j) {
        region_term t = out_.region_terms[a.term + j];
        if (j == i) t.in_bounds = true;
        out_.region_terms.push(t);
      }
      a.term = terms;
      steps_[k].address = out_.region_addresses.push(a);
    });
  }
  // The counters of a loop with this number of iterations.
  constexpr void mark_counted(std::int64_t iterations) {
    for (int k = 0; k < steps_.size(); ++k) {
      region_step const s = steps_[k];
      if (s.kind != region_step_kind::counter || s.n != 1 || (s.type != dtype::i32 && s.type != dtype::i64)) continue;
      constexpr std::int64_t far = 1 << 30;
      std::int64_t const first = static_cast<std::int64_t>(s.bits);
      if (first < -far || first > far || s.scale < -far || s.scale > far || iterations > far) continue;
      std::int64_t const last = first + s.scale * (iterations - 1);
      if (last >= -far && last <= far) mark({s.type, s.d, first < last ? first : last, first < last ? last : first});
    }
  }

 private:
  plan& out_;
  arena<region_step>& steps_;
  scalar_steps scalars_;
};

}  // namespace exprax::detail::planning
