// SPDX-License-Identifier: BSL-1.0
// The order of the steps of a long box that has more values than registers. Lowering goes depth first: few values are live, but each step
// waits for the one before it. In bands, of steps that are as far from the operands as each other, up to a few: one band after another,
// and within a band depth first. So a step waits for few others, and a value of a band that others wait for is stored once and loaded once.
#pragma once

#include <utility>

#include <exprax/plan/data/plan.hpp>

namespace exprax::detail::planning {

class step_bands {
 public:
  static constexpr int fewest_steps = 512, fewest_slots = 24;

  // steps: operands are indices of steps. order: of all steps; the first n_row run once for each row, and stores are last.
  constexpr step_bands(arena<step> const& steps, arena<int> const& order, int n_row) : steps_(steps), from_(order), n_row_(n_row) {}

 private:
  template <class F>
  constexpr void for_operands(int k, F f) const {
    step const& s = steps_[k];
    if (s.kind < step_kind::store) return;
    f(s.a);
    if (s.kind != step_kind::compute) return;
    if (s.b != s.a) f(s.b);
    if (s.c != s.a) f(s.c);
  }

 public:
  constexpr arena<int> order() {
    int const n = from_.size();
    done_.resize(n, 0);
    // Of a step: how many steps come before it, one after the other; the first band after its own, and the last one, that reads its result.
    arena<int> level, band, wanted, kept;
    level.resize(n, 0);
    band.resize(n, 0);
    wanted.resize(n, no_band);
    kept.resize(n, 0);
    int bands = 0;
    for (int i = n_row_; i < n; ++i) {
      int const k = from_[i];
      int before = -1;
      for_operands(k, [&](int u) { before = level[u] > before ? level[u] : before; });
      if (before < 0) continue;
      level[k] = before + 1;
      int const b = band[k] = is_store(steps_[k].kind) ? no_band - 1 : before / height;
      if (!is_store(steps_[k].kind) && b >= bands) bands = b + 1;
      for_operands(k, [&](int u) {
        if (b > band[u] && b < wanted[u]) wanted[u] = b;
        if (b > kept[u]) kept[u] = b;
      });
    }
    // What a later band reads is made in its own, unless all its operands are there in the later one too.
    arena<int> first, next;  // of each band; of each step
    first.resize(bands, -1);
    next.resize(n, -1);
    for (int i = n - 1; i >= n_row_; --i) {
      int const k = from_[i];
      if (level[k] == 0 || wanted[k] == no_band) continue;
      bool waits = true;
      for_operands(k, [&](int u) { waits = waits && (level[u] == 0 || (wanted[u] != no_band && kept[u] >= wanted[k])); });
      if (waits) continue;
      next[k] = first[band[k]];
      first[band[k]] = k;
    }
    to_.reserve(n);
    for (int i = 0; i < n_row_; ++i) write(from_[i]);
    for (int b = 0; b < bands; ++b)
      for (int k = first[b]; k >= 0; k = next[k]) write(k);
    for (int i = n_row_; i < n; ++i) write(from_[i]);
    return std::move(to_);
  }

  // About how many cycles the steps take in this order, on a machine that computes a step in each and looks some steps ahead.
  constexpr int cycles(arena<int> const& order) {
    arena<int> ready, retired;  // when a result is there, and, in this order, when it and all before it are
    ready.resize(order.size(), 0);
    retired.reserve(order.size());
    int last = 0;
    for (int i = 0; i < order.size(); ++i) {
      int const k = order[i];
      int start = i;
      for_operands(k, [&](int u) { start = ready[u] > start ? ready[u] : start; });
      if (i >= window && retired[i - window] > start) start = retired[i - window];
      ready[k] = start + latency;
      last = ready[k] > last ? ready[k] : last;
      retired.push(last);
    }
    return last;
  }

 private:
  static constexpr int height = 8, no_band = 1 << 30;
  static constexpr int window = 64, latency = 4;

  // After its operands, which are of the same band, or loads.
  constexpr void write(int k) {
    if (done_[k]) return;
    done_[k] = 1;
    for_operands(k, [&](int u) { write(u); });
    to_.push(k);
  }

  arena<step> const& steps_;
  arena<int> const& from_;
  int n_row_;
  arena<int> to_;
  arena<char> done_;
};

}  // namespace exprax::detail::planning
