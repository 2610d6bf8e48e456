// SPDX-License-Identifier: BSL-1.0
// Regions: blocks of steps whose values are in slots. A wide slot is a run of patterns: the elements of a value, or, in lanes, an element
// of each row that runs at once. Where lanes diverge, a mask marks the active ones.
#pragma once

#include <plan/interpreter/steps.hpp>

namespace plan_interpreter {

class region_runner {
 public:
  constexpr region_runner(machine& m, region_kernel const& k) : m_(m), k_(k), width_(in_lanes() ? k.lanes : k.widest) {
    for (int d = 0; d < dtype_count; ++d) {
      scalars_[d].resize(k.scalars[d], 0xa5);
      wide_[d].resize(k.wide[d] * width_, 0xa5);
    }
    iteration_.resize(k.counters);
    active_.resize(width_, true);
  }

  // All rows. If they do not fill the last packs, these overlap the ones before.
  constexpr void run() {
    if (!in_lanes()) return run_block(k_.block);
    int const last = k_.row_axes - 1;
    std::ptrdiff_t const most = k_.rows[last] < k_.lanes ? 0 : k_.rows[last] - k_.lanes;
    for_indices(row_, nullptr, k_.rows, 0, last, [&] {
      for (std::ptrdiff_t at = 0; at < k_.rows[last]; at += k_.lanes) {
        row_[last] = at < most ? at : most;
        run_block(k_.block);
      }
    });
  }

 private:
  constexpr bool in_lanes() const { return k_.row_axes > 0; }

  // ---- Slots

  constexpr std::uint64_t& scalar(dtype t, int slot) { return scalars_[static_cast<int>(t)][slot]; }
  constexpr std::uint64_t* wide(dtype t, int slot) { return wide_[static_cast<int>(t)].data() + slot * width_; }
  // The elements of a value of n elements, or of n > 1 in lanes one element of each lane.
  constexpr int count_of(int n) const { return n == 1 ? 1 : in_lanes() ? width_ : n; }
  constexpr std::uint64_t* slot(dtype t, int s, int n) { return n == 1 ? &scalar(t, s) : wide(t, s); }
  // A copy of them; a scalar is repeated.
  constexpr arena<std::uint64_t> read(dtype t, int s, bool is_wide, int n) {
    arena<std::uint64_t> r;
    for (int i = 0; i < count_of(n); ++i) r.push(is_wide && n > 1 ? wide(t, s)[i] : scalar(t, s));
    return r;
  }

  // ---- Memory

  constexpr std::int64_t scalar_of(region_term const& t) { return static_cast<std::int64_t>(scalar(t.type, t.slot)); }
  // Where an address points to in one lane, and whether all its indices are in bounds there.
  struct address_in_lane {
    std::ptrdiff_t at;
    bool fits = true;
  };
  constexpr address_in_lane locate(region_address const& a, std::ptrdiff_t offset, int lane) {
    address_in_lane r{a.base + offset};
    for (int i = a.term; i < a.term + a.n_term; ++i) {
      region_term const& t = m_.p.region_terms[i];
      if (t.counter != no_counter) {
        r.at += iteration_[t.counter] * t.stride;
      } else {
        std::int64_t x = t.wide ? static_cast<std::int64_t>(wide(t.type, t.slot)[lane]) : scalar_of(t);
        if (x < 0) x += t.from_end;
        if (t.in_bounds && (x < 0 || x > t.limit)) m_.memory.fault();
        r.at += clamped(x, t.limit) * t.stride;
        if (x < 0 || x > t.limit) r.fits = false;
      }
    }
    if (a.of_lanes) r.at = r.at * width_ + lane;
    for (int i = 0; i < k_.row_axes; ++i) r.at += (row_[i] + (i + 1 == k_.row_axes && !a.of_lanes ? row_of(lane) : 0)) * a.row[i];
    return r;
  }
  // After that of lane 0. A register file begins where its last lane has the last row, at most.
  constexpr int row_of(int lane) const {
    int const rows = k_.rows[k_.row_axes - 1], first = lane / k_.file_lanes * k_.file_lanes, most = rows - k_.file_lanes;
    return (k_.lanes > rows && first > most ? most : first) + lane % k_.file_lanes;
  }
  constexpr void load(region_step const& s) {
    region_address const& a = m_.p.region_addresses[s.address];
    if (!in_lanes()) {
      std::ptrdiff_t const at = locate(a, 0, 0).at;
      if (s.forwards && static_cast<std::int64_t>(scalar(dtype::i64, s.c)) == at) {
        scalar(s.type, s.d) = scalar(s.type, s.b);
        return;
      }
      for (int i = 0; i < s.n; ++i) slot(s.type, s.d, s.n)[i] = m_.memory.load(a.buffer, at + i);
      return;
    }
    for (int i = 0; i < s.n_in; ++i) {
      int const offset = m_.p.tables[s.table + 2 * i], to = m_.p.tables[s.table + 2 * i + 1];
      for (int l = 0; l < count_of(s.n); ++l) slot(s.type, to, s.n)[l] = m_.memory.load(a.buffer, locate(a, offset, l).at);
    }
  }
  constexpr void store(region_step const& s) {
    region_address const& a = m_.p.region_addresses[s.address];
    if (!in_lanes()) {
      address_in_lane const to = locate(a, 0, 0);
      bool const is_stored = !a.guarded || to.fits;
      auto const x = read(s.type, s.a, s.wide_a, s.n);
      if (s.forwards) {
        scalar(s.type, s.b) = x[0];
        scalar(dtype::i64, s.c) = is_stored ? static_cast<std::uint64_t>(to.at) : ~std::uint64_t{0};
      }
      if (!is_stored) return;
      for (int i = 0; i < s.n; ++i) m_.memory.store(a.buffer, to.at + i, x[i]);
      return;
    }
    for (int i = 0; i < s.n_in; ++i) {
      int const offset = m_.p.tables[s.table + 2 * i], from = m_.p.tables[s.table + 2 * i + 1];
      for (int l = 0; l < count_of(s.n); ++l) {
        address_in_lane const to = locate(a, offset, l);
        if ((s.divergent && !active_[l]) || (a.guarded && !to.fits)) continue;
        m_.memory.store(a.buffer, to.at, slot(s.type, from, s.n)[l]);
      }
    }
  }

  // ---- Steps

  constexpr void run_step(region_step const& s) {
    int const n = count_of(s.n);
    switch (s.kind) {
      case region_step_kind::load: return load(s);
      case region_step_kind::store: return store(s);
      case region_step_kind::literal: scalar(s.type, s.d) = canonical(s.type, s.bits); return;
      case region_step_kind::counter:
        return count(s.type, 1, static_cast<std::int64_t>(s.bits) + s.scale * iteration_[s.depth], 0, &scalar(s.type, s.d));
      case region_step_kind::constants: {
        arena<std::uint64_t> numbers;
        for (int i = 0; i < s.n; ++i) numbers.push(detail::to_bits(m_.p.tables[s.table + i]));
        return convert(dtype::i32, s.type, s.n, numbers.data(), slot(s.type, s.d, s.n));
      }
      case region_step_kind::permute: return permute(s);
      case region_step_kind::move: {
        auto const x = read(s.type, s.a, s.wide_a, s.n);
        detail::copy_run(slot(s.type, s.d, s.n), x.data(), n);
        return;
      }
      case region_step_kind::convert: {
        auto const x = read(s.from, s.a, s.wide_a, s.n);
        return convert(s.from, s.type, n, x.data(), slot(s.type, s.d, s.n));
      }
      case region_step_kind::compute: {
        bool const selects = s.op == prim::select_n;
        int const arity = selects ? 3 : traits_of(s.op).arity;
        dtype const others = selects ? s.type : s.from;
        auto const a = read(selects ? dtype::b1 : s.from, s.a, s.wide_a, s.n);
        auto const b = arity < 2 ? a : read(others, s.b, s.wide_b, s.n), c = arity < 3 ? a : read(others, s.c, s.wide_c, s.n);
        return compute(s.op, s.from, s.type, n, a.data(), b.data(), c.data(), slot(s.type, s.d, s.n));
      }
      case region_step_kind::scan:
        for (std::ptrdiff_t i = 0; i < s.length; ++i) {
          iteration_[s.depth] = i;
          run_block(block(s, 0));
        }
        return;
      case region_step_kind::while_loop: return s.divergent ? diverging_loop(s) : loop(s);
      case region_step_kind::branch: return s.divergent ? diverging_branch(s) : branch(s);
    }
  }
  // Not in lanes.
  constexpr void permute(region_step const& s) {
    arena<std::uint64_t> made;
    for (int i = 0; i < s.n; ++i) {
      int const from = m_.p.tables[s.table + i];
      if (from == from_fill) made.push(s.wide_b ? wide(s.type, s.b)[i] : scalar(s.type, s.b));
      else made.push(s.wide_a ? wide(s.type, s.a)[from] : scalar(s.type, s.a));
    }
    detail::copy_run(slot(s.type, s.d, s.n), made.data(), s.n);
  }

  // ---- Control

  constexpr int block(region_step const& s, int i) const { return m_.p.tables[s.block + i]; }
  static constexpr int case_of(std::uint64_t index, int cases) {
    return static_cast<int>(clamped(static_cast<std::int64_t>(index), cases - 1));
  }
  constexpr void branch(region_step const& s) { run_block(block(s, case_of(scalar(dtype::i32, s.a), s.n_block))); }
  constexpr bool any() const {
    for (bool a : active_)
      if (a) return true;
    return false;
  }
  constexpr void loop(region_step const& s) {
    while (true) {
      run_block(block(s, 0));
      if (scalar(dtype::b1, m_.p.region_blocks[block(s, 0)].result) == 0) return;
      run_block(block(s, 1));
    }
  }
  // It ends when all lanes that entered it are done.
  constexpr void diverging_loop(region_step const& s) {
    arena<bool> const around = active_;
    while (true) {
      run_block(block(s, 0));
      std::uint64_t const* const go = wide(dtype::b1, m_.p.region_blocks[block(s, 0)].result);
      for (int l = 0; l < width_; ++l) active_[l] = active_[l] && go[l] != 0;
      if (!any()) break;
      run_block(block(s, 1));
    }
    active_ = around;
  }
  // Each case for the lanes that take it.
  constexpr void diverging_branch(region_step const& s) {
    arena<bool> const around = active_;
    auto const index = read(dtype::i32, s.a, true, 2);
    for (int j = 0; j < s.n_block; ++j) {
      for (int l = 0; l < width_; ++l) active_[l] = around[l] && case_of(index[l], s.n_block) == j;
      if (any()) run_block(block(s, j));
    }
    active_ = around;
  }
  // The steps, then the moves, all at once.
  constexpr void run_block(int id) {
    region_block const& b = m_.p.region_blocks[id];
    for (int i = b.step; i < b.step + b.n_step; ++i) run_step(m_.p.region_steps[i]);
    arena<arena<std::uint64_t>> next;
    for (int i = b.move; i < b.move + b.n_move; ++i) {
      region_move const& x = m_.p.region_moves[i];
      next.push(read(x.type, x.from, x.wide_from, x.n));
    }
    for (int i = 0; i < b.n_move; ++i) {
      region_move const& x = m_.p.region_moves[b.move + i];
      for (int l = 0; l < next[i].size(); ++l)
        if (!x.divergent || active_[l]) slot(x.type, x.to, x.n)[l] = next[i][l];
    }
  }

  machine& m_;
  region_kernel const& k_;
  int width_;  // of a wide slot
  arena<std::uint64_t> scalars_[dtype_count], wide_[dtype_count];
  arena<std::ptrdiff_t> iteration_;
  std::ptrdiff_t row_[max_row_axes + 1] = {};  // of lane 0
  arena<bool> active_;
};

}  // namespace plan_interpreter
