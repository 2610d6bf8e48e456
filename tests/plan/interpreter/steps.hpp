// SPDX-License-Identifier: BSL-1.0
// Kernels that run the steps of a box: loops, reductions, and the positions of true elements. A pack is a run of patterns: each step is
// done for all its lanes before the next step, as emitted code does, so that an update in place that no pack allows is seen.
#pragma once

#include <plan/interpreter/elements.hpp>
#include <plan/interpreter/memory.hpp>

namespace plan_interpreter {

// What all kernels need.
struct machine {
  program_ref program;
  plan const& p;
  plan_memory memory;
  interpreter::print_hook on_print = nullptr;
  void* print_to = nullptr;
};

// ---- Addresses

constexpr std::int64_t term_value(machine& m, dynamic_term const& t) {
  return static_cast<std::int64_t>(m.memory.load(t.buffer, t.element));
}
constexpr std::int64_t clamped(std::int64_t i, std::int64_t limit) { return i < 0 ? 0 : i > limit ? limit : i; }

// The part of an access that does not change along the last axis.
constexpr std::ptrdiff_t row_offset(machine& m, struct access const& a, int rank, std::ptrdiff_t const* index) {
  std::ptrdiff_t at = a.base;
  for (int i = 0; i + 1 < rank; ++i) at += index[i] * a.stride[i];
  for (int t = a.term; t < a.term + a.n_term && !is_gathered(m.p, a); ++t)
    at += clamped(term_value(m, m.p.terms[t]), m.p.terms[t].limit) * m.p.terms[t].stride;
  return at;
}
constexpr int last_axis(int rank) { return rank > 0 ? rank - 1 : 0; }

// ---- Packs

// The slots of a box, each a pack.
class registers {
 public:
  constexpr registers(box const& b, int lanes) : lanes_(lanes) {
    for (int d = 0; d < dtype_count; ++d) file_[d].resize(b.slots[d] * lanes, 0xa5);
  }
  // g++ 12 copies an array of arenas bit by bit in constant evaluation.
  constexpr registers(registers const& other) : lanes_(other.lanes_) {
    for (int d = 0; d < dtype_count; ++d) file_[d] = other.file_[d];
  }
  constexpr std::uint64_t* at(dtype t, int slot) { return file_[static_cast<int>(t)].data() + slot * lanes_; }
  constexpr int lanes() const { return lanes_; }

 private:
  int lanes_;
  arena<std::uint64_t> file_[dtype_count];
};

enum class phase { all, compute, store };

// The steps of a box at one row of its iteration space. Addresses are computed before the first step.
class row_of_box {
 public:
  constexpr row_of_box(machine& m, box const& b, int rank, std::ptrdiff_t const* index) : m_(m), b_(b), rank_(rank), index_(index) {
    for (int s = 0; s < b.n_step; ++s) {
      step const& x = m.p.steps[b.step + s];
      offset_.push(is_memory(x.kind) ? row_offset(m, m.p.accesses[x.access], rank, index) : 0);
    }
  }
  // The steps that do not vary along the row.
  constexpr void run_row_steps(registers& r, std::ptrdiff_t x, phase what) { run(r, x, 0, b_.n_row, what); }
  // The others, for the lanes from index x on.
  constexpr void run_steps(registers& r, std::ptrdiff_t x, phase what) { run(r, x, b_.n_row, b_.n_step, what); }
  // The stores but the last n ones.
  constexpr void run_other_stores(registers& r, std::ptrdiff_t x, int n) { run(r, x, b_.n_row, b_.n_step - n, phase::store); }

 private:
  constexpr void run(registers& r, std::ptrdiff_t x, int first, int end, phase what) {
    for (int s = first; s < end; ++s) {
      step const& y = m_.p.steps[b_.step + s];
      if (is_store(y.kind) ? what != phase::compute : what != phase::store) one(r, x, y, offset_[s]);
    }
  }
  constexpr void one(registers& r, std::ptrdiff_t x, step const& s, std::ptrdiff_t row) {
    int const n = r.lanes();
    struct exprax::access const* const a = is_memory(s.kind) ? &m_.p.accesses[s.access] : nullptr;
    std::ptrdiff_t const stride = a ? a->stride[last_axis(rank_)] : 0, at = a ? row + x * stride : static_cast<std::ptrdiff_t>(s.bits);
    int const buffer = a ? a->buffer : s.c;
    switch (s.kind) {
      case step_kind::load:
        if (is_gathered(m_.p, *a)) {
          for (int l = 0; l < n; ++l) r.at(s.type, s.d)[l] = gathered(*a, at + l * stride, x + l);
          return;
        }
        [[fallthrough]];
      case step_kind::load_element:
        for (int l = 0; l < n; ++l) r.at(s.type, s.d)[l] = m_.memory.load(buffer, at + l * stride);
        return;
      case step_kind::gather:
        for (int l = 0; l < n; ++l)
          r.at(s.type, s.d)[l] = m_.memory.load(buffer, at + l * stride + static_cast<std::int32_t>(r.at(dtype::i32, s.a)[l]));
        return;
      case step_kind::store:
      case step_kind::store_element:
        for (int l = 0; l < n; ++l) m_.memory.store(buffer, at + l * stride, r.at(s.type, s.a)[l]);
        return;
      case step_kind::literal:
        for (int l = 0; l < n; ++l) r.at(s.type, s.d)[l] = canonical(s.type, s.bits);
        return;
      case step_kind::iota: {
        int const axis = iota_axis(s);
        bool const along = axis == rank_ - 1 && axis != detail::no_axis;
        std::ptrdiff_t const i = axis == detail::no_axis ? 0 : along ? x : index_[axis];
        return count(s.type, n, static_cast<std::int64_t>(s.bits) + s.scale * i, along ? s.scale : 0, r.at(s.type, s.d));
      }
      case step_kind::convert: return convert(s.from, s.type, n, r.at(s.from, s.a), r.at(s.type, s.d));
      case step_kind::compute: {
        bool const selects = s.op == prim::select_n;
        return compute(s.op, s.from, s.type, n, r.at(selects ? dtype::b1 : s.from, s.a), r.at(selects ? s.type : s.from, s.b),
                       r.at(selects ? s.type : s.from, s.c), r.at(s.type, s.d));
      }
    }
  }

  // An element at index x of the row; at: where it would be with index vectors of 0.
  constexpr std::uint64_t gathered(struct access const& a, std::ptrdiff_t at, std::ptrdiff_t x) {
    for (int t = a.term; t < a.term + a.n_term; ++t) {
      dynamic_term const& term = m_.p.terms[t];
      struct access const& walk = m_.p.accesses[term.walk];
      std::ptrdiff_t const place = row_offset(m_, walk, rank_, index_) + x * walk.stride[last_axis(rank_)];
      std::int64_t const given = static_cast<std::int32_t>(m_.memory.load(term.buffer, place));
      std::int64_t const i = given < 0 ? given + term.from_end : given;
      if (term.drops && i != clamped(i, term.limit)) return canonical(m_.memory.type(a.buffer), term.fill);
      at += clamped(i, term.limit) * term.stride;
    }
    return m_.memory.load(a.buffer, at);
  }

  machine& m_;
  box const& b_;
  int rank_;
  std::ptrdiff_t const* index_;
  arena<std::ptrdiff_t> offset_;
};

// A row shorter than a pack uses a narrower one, below four elements single elements.
constexpr int lanes_for_row(int lanes, std::ptrdiff_t extent) {
  while (lanes > 1 && (extent < lanes || extent < 4)) lanes = extent < 4 ? 1 : lanes / 2;
  return lanes;
}

// f() for each index of axes [axis, end), in row-major order.
template <class Extent, class F>
constexpr void for_indices(std::ptrdiff_t* index, int const* lo, Extent const* extent, int axis, int end, F const& f) {
  if (axis >= end) return f();
  for (std::ptrdiff_t i = 0; i < extent[axis]; ++i) {
    index[axis] = (lo ? lo[axis] : 0) + i;
    for_indices(index, lo, extent, axis + 1, end, f);
  }
}

// ---- Loops

// If packs do not fill the row, the last one overlaps the one before: it is computed first and stored last.
constexpr void run_row(machine& m, box const& b, int rank, std::ptrdiff_t const* index) {
  std::ptrdiff_t const lo = rank == 0 ? 0 : b.lo[rank - 1], extent = rank == 0 ? 1 : b.extent[rank - 1];
  int const lanes = rank == 0 ? 1 : lanes_for_row(b.lanes, extent);
  std::ptrdiff_t const whole = extent / lanes * lanes;
  row_of_box row(m, b, rank, index);
  registers r(b, lanes);
  row.run_row_steps(r, lo, phase::all);
  registers last = r;
  if (whole < extent) row.run_steps(last, lo + extent - lanes, phase::compute);
  for (std::ptrdiff_t x = lo; x < lo + whole; x += lanes) row.run_steps(r, x, phase::all);
  if (whole < extent) row.run_steps(last, lo + extent - lanes, phase::store);
}
constexpr void run_loop(machine& m, loop_kernel const& k) {
  for (int t = k.guard; t < k.guard + k.n_guard; ++t) {
    std::int64_t const i = term_value(m, m.p.terms[t]);
    if (i < 0 || i > m.p.terms[t].limit) return;
  }
  for (int i = k.box; i < k.box + k.n_box; ++i) {
    box const& b = m.p.boxes[i];
    std::ptrdiff_t index[max_rank] = {};
    for_indices(index, b.lo, b.extent, 0, k.rank - 1, [&] { run_row(m, b, k.rank, index); });
  }
}

// ---- Reductions

// Computes the values of a row, n of which the last `results` steps of the box would store: f(registers). The whole row is one pack.
template <class F>
constexpr void compute_row(machine& m, box const& b, int rank, int n, std::ptrdiff_t const* index, int results, F const& f) {
  row_of_box row(m, b, rank, index);
  registers r(b, n);
  row.run_row_steps(r, 0, phase::compute);
  row.run_steps(r, 0, phase::compute);
  row.run_other_stores(r, 0, results);
  f(r);
}
// values: rows of n elements, of which each column, or all, are reduced. The first result is stored at `to`.
constexpr void reduce_rows(machine& m, reduce_kernel const& k, single_reduction const& r, arena<std::uint64_t> const& values,
                           std::ptrdiff_t to) {
  struct access const& out = m.p.accesses[r.out];
  int const n = k.dims[k.rank - 1], axis = 0;
  aval const all = k.columns ? aval(r.type, {n > 0 ? values.size() / n : 0, n}) : aval(r.type, {values.size()});
  operand const in{all, values.data()};
  arena<std::uint64_t> results;
  results.resize(k.columns ? n : 1);
  evaluate(r.op, {&in, 1}, {&axis, 1}, k.columns ? aval(r.type, {n}) : aval(r.type), results.data());
  for (int i = 0; i < results.size(); ++i) m.memory.store(out.buffer, to + i * (k.columns ? out.stride[k.rank - 1] : 0), results[i]);
}
constexpr void run_reduce(machine& m, reduce_kernel const& k) {
  box const& b = m.p.boxes[k.box];
  int const n = k.dims[k.rank - 1];
  std::ptrdiff_t index[max_rank] = {};
  for_indices(index, nullptr, k.dims, 0, k.kept, [&] {
    span<single_reduction> const reductions{m.p.reductions.data() + k.reduction, k.n_reduction};
    arena<arena<std::uint64_t>> values;
    values.resize(k.n_reduction);
    std::ptrdiff_t at[max_rank] = {};
    for (int i = 0; i < k.kept; ++i) at[i] = index[i];
    for_indices(at, nullptr, k.dims, k.kept, k.rank - 1, [&] {
      compute_row(m, b, k.rank, n, at, k.n_reduction, [&](registers& r) {
        for (int i = 0; i < k.n_reduction; ++i) detail::copy_run(values[i].grow(n), r.at(reductions[i].type, reductions[i].result), n);
      });
    });
    for (int i = 0; i < k.n_reduction; ++i)
      reduce_rows(m, k, reductions[i], values[i], row_offset(m, m.p.accesses[reductions[i].out], k.rank, at));
  });
}

// ---- Cumulative reductions

constexpr void run_cumulative(machine& m, cumulative_kernel const& k) {
  box const& b = m.p.boxes[k.box];
  struct access const& out = m.p.accesses[k.out];
  int const n = k.dims[k.axis], last = k.rank - 1, width = k.has_columns() ? k.dims[last] : 1;
  int outer[max_rank] = {};  // the extents of the axes that are walked element by element
  for (int i = 0; i < k.rank; ++i) outer[i] = i == k.axis || (k.has_columns() && i == last) ? 1 : k.dims[i];
  std::ptrdiff_t index[max_rank] = {};
  for_indices(index, nullptr, outer, 0, k.rank, [&] {
    arena<std::uint64_t> values, results;
    int const rows = k.has_columns() ? n : 1, length = k.dims[last];
    auto const at = [&](int row) { index[k.axis] = k.has_columns() ? row : 0; };
    for (int i = 0; i < rows; ++i) {
      at(i);
      compute_row(m, b, k.rank, length, index, 1,
                  [&](registers& r) { detail::copy_run(values.grow(length), r.at(k.type, k.result), length); });
    }
    operand const in{aval(k.type, {n, width}), values.data()};
    int const par[] = {0, k.reverse, 1};
    results.resize(n * width);
    evaluate(k.op, {&in, 1}, par, in.type, results.data());
    for (int i = 0; i < rows; ++i) {
      at(i);
      std::ptrdiff_t const to = row_offset(m, out, k.rank, index);
      for (int j = 0; j < length; ++j) m.memory.store(out.buffer, to + j * out.stride[last], results[i * length + j]);
    }
    index[k.axis] = 0;
  });
}

// ---- Positions of true elements

constexpr void run_nonzero(machine& m, nonzero_kernel const& k) {
  box const& b = m.p.boxes[k.box];
  int const axes = k.rank - k.batch, n = k.dims[k.rank - 1];
  auto const results = [&](int axis) { return m.p.tables[k.table + axis]; };
  std::ptrdiff_t index[max_rank] = {}, mask = 0;
  for_indices(index, nullptr, k.dims, 0, k.batch, [&] {
    int found = 0;
    for_indices(index, nullptr, k.dims, k.batch, k.rank - 1, [&] {
      if (found >= k.size) return;
      arena<std::uint64_t> row;
      compute_row(m, b, k.rank, n, index, 1, [&](registers& r) { detail::copy_run(row.grow(n), r.at(dtype::b1, k.result), n); });
      for (int x = 0; x < n && found < k.size; ++x) {
        if (row[x] == 0) continue;
        for (int i = 0; i < axes; ++i)
          m.memory.store(results(i), mask * k.size + found, static_cast<std::uint64_t>(i + 1 < axes ? index[k.batch + i] : x));
        ++found;
      }
    });
    for (int i = 0; i < axes; ++i) {
      std::uint64_t fill = 0;
      if (k.fills) {
        int const from = m.p.tables[k.table + axes + i];
        std::uint64_t const given = m.memory.load(from, m.p.buffers[from].size > 1 ? mask : 0);
        convert(m.p.buffers[from].type, k.type, 1, &given, &fill);
      }
      for (int j = found; j < k.size; ++j) m.memory.store(results(i), mask * k.size + j, fill);
    }
    ++mask;
  });
}

}  // namespace plan_interpreter
