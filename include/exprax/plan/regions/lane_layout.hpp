// SPDX-License-Identifier: BSL-1.0
// The lane layout of a region (lane_values.hpp): its memory, which may have any strides, and products, whose factors are loaded where they
// are needed.
#pragma once

#include <exprax/plan/analysis/live_values.hpp>
#include <exprax/plan/analysis/step_order.hpp>
#include <exprax/plan/data/slot_numbers.hpp>
#include <exprax/plan/regions/lane_values.hpp>
#include <exprax/primitives/contractions/dot_general.hpp>

namespace exprax::detail::planning {

class lane_layout : public lane_values {
 protected:
  static constexpr bool strided = true;
  static constexpr int largest_memory = 1024;  // elements of a row's array in the memory of the lanes
  static constexpr int rows_at_once = 4;       // of a product

  using lane_values::lane_values;

  // ---- Memory

  // Memory for a value that the region makes; of_lanes: separate for each lane.
  constexpr location new_memory(aval const& t, bool of_lanes) {
    if (t.size() > largest_memory) return fail();
    int const n = of_lanes ? most_lanes_with_memory : 1;
    location const l = in_buffer(out_.add_buffer(t.type, storage_class::scratch, 0, t.size() * n));
    address(l.address).of_lanes = of_lanes;
    if (of_lanes) k_.bytes_of_lane += count(t) * size_of(t.type);
    return l;
  }
  // The distance between the elements of neighbouring lanes.
  constexpr std::ptrdiff_t lane_stride(int a) const { return address(a).of_lanes ? 1 : address(a).row[k_.row_axes - 1]; }
  // Whether lanes access different elements there.
  constexpr bool differs_at(int a) const {
    if (lane_stride(a) != 0) return true;
    region_address const& r = address(a);
    for (int i = 0; i < r.n_term; ++i)
      if (out_.region_terms[r.term + i].wide) return true;
    return false;
  }
  static constexpr int offset(aval const& t, strides const& of, int i) {
    std::ptrdiff_t at = 0;
    for (int a = t.rank - 1; a >= 0; --a) {
      at += of[a] * (i % t.dims[a]);
      i /= t.dims[a];
    }
    return static_cast<int>(at);
  }
  // Loads n elements from index `first` into f(i).
  template <class F>
  constexpr void push_load(aval const& t, location const& from, int first, int n, F f) {
    region_step s = step_of(region_step_kind::load, t.type, differs_at(from.address) ? 2 : 1);
    s.address = from.address;
    s.n_in = n;
    s.table = out_.tables.size();
    strides const of = strides_of(from, t);
    for (int i = first; i < first + n; ++i) {
      out_.tables.push(offset(t, of, i));
      out_.tables.push(f(i).slot);
    }
    push(s);
  }
  constexpr location load(aval const& t, location const& from) {
    if (!is_small(t) || failed_) return fail();
    location l = fresh(t, differs_at(from.address));
    push_load(t, from, 0, count(t), [&](int i) { return element(l, i); });
    l.address = from.address;
    l.view = from.view;
    return l;
  }
  constexpr element_slot load_element(aval const& t, location const& from, int i) {
    element_slot const x = new_element(t.type, differs_at(from.address));
    push_load(t, from, i, 1, [&](int) { return x; });
    return x;
  }
  // Stores n elements, from index `first` on in steps of `step`, with element i from f(i). Guards apply; inactive lanes store nothing
  // unless `always`.
  template <class F>
  constexpr void store_part(aval const& t, location const& to, int first, int n, int step, F f, bool always) {
    if (failed_) return;
    bool const wide = differs_at(to.address);
    arena<element_slot> from;
    for (int i = 0; i < n; ++i) {
      element_slot x = f(first + i * step);
      if (x.varies && !wide) failed_ = true;  // one memory location for different scalars
      if (wide && !x.varies) {
        element_slot const in_each = new_element(t.type, true);
        copy_element(in_each, x, t.type);
        x = in_each;
      }
      from.push(x);
    }
    region_step s = step_of(region_step_kind::store, t.type, wide ? 2 : 1);
    s.address = to.address;
    s.n_in = n;
    s.divergent = divergent_ > 0 && !always;
    s.table = out_.tables.size();
    strides const of = strides_of(to, t);
    for (int i = 0; i < n; ++i) {
      out_.tables.push(offset(t, of, first + i * step));
      out_.tables.push(from[i].slot);
    }
    push(s);
  }
  constexpr void store(location const& l, aval const& t, location const& to, bool always = false) {
    store_part(t, to, 0, count(t), 1, [&](int i) { return element(l, i); }, always);
  }
  // Whether to transpose: lanes read memory with a stride, and a row has enough elements.
  constexpr bool is_transposed(location const& l, aval const& t) const {
    std::ptrdiff_t const stride = lane_stride(l.address);
    return stride != 0 && stride != 1 && is_small(t) && t.size() >= 4;
  }
  // Transposes what a loop reads in each iteration, once before the loop.
  constexpr location prepared(location const& l, aval const& t) {
    if (failed_ || l.changes || !is_transposed(l, t)) return l;
    location const x = load(t, l), r = new_memory(t, true);
    if (!failed_) store(x, t, r, true);
    return r;
  }
  // Whether a loop writes its stacked results there, row by row.
  constexpr bool is_written_in_rows(location const& l, aval const& t) const { return !is_transposed(l, t); }
  // Whether value v is loaded before the block that reads it; else each reader loads its part.
  constexpr bool is_loaded_first(location const& l, block const& b, int v, aval const& t) const {
    return is_small(t) && (l.changes || is_read_whole(b, v, l));
  }
  // Whether an equation or a result reads all elements of v, not only rows or windows.
  constexpr bool is_read_whole(block const& b, int v, location const& l) const {
    for (eqn const& e : p_.body(b))
      for (int k = 0; k < e.n_in; ++k) {
        if (p_.in(e, k) != v) continue;
        bool const in_parts = (e.n_blk > 0 && signature_of(p_, e).role_of(k) == operand_role::element) ||
                              (e.op == prim::dynamic_slice && k == 0) || (e.op == prim::dot_general && (k == 0 || is_ready(l, p_.type(v))));
        if (!in_parts) return true;
      }
    for (int u : p_.outs(b))
      if (u == v) return true;
    return false;
  }
  // Whether the lanes' elements are contiguous, so that an element is loaded where it is needed.
  constexpr bool is_ready(location const& l, aval const& t) const {
    if (!l.only_in_memory() || l.changes) return false;
    if (address(l.address).of_lanes) return true;
    if (lane_stride(l.address) != 1) return false;
    strides const of = strides_of(l, t);
    for (int i = 0; i < t.rank; ++i)
      if (t.dims[i] > 4 && of[i] * size_of(t.type) % 2048 == 0) return false;  // all in one cache set
    return true;
  }

  // All steps of an iteration have been written.
  constexpr void finish_iteration(int first_move, int) {
    if (failed_) return;
    span<region_move> const moves(moves_.data() + first_move, moves_.size() - first_move);
    step_order(out_.tables, k_).arrange(steps_, moves);
    live_values(out_.tables).count(steps_, moves, k_);
    find_reused();
  }
  // Of the loads of a block, of which all steps have been written.
  constexpr void find_reused() {
    slot_numbers const index(k_.wide);
    arena<int> reads;
    reads.resize(index.size(), 0);
    for (region_step const& s : steps_) for_wide_operands(s, out_.tables, [&](dtype t, int slot) { ++reads[index(t, slot)]; });
    for (region_step& s : steps_)
      for (int k = 0; s.kind == region_step_kind::load && s.n > 1 && k < s.n_in; ++k)
        s.reused = s.reused || reads[index(s.type, out_.tables[s.table + 2 * k + 1])] > 1;
  }

  static constexpr void begin_loop() {}
  static constexpr bool push_iterations_in_bounds(region_step const&, int, int) { return true; }

  // ---- Products

  // Elements of one operand of a product in the dtype of the result, in slots or loaded at first use.
  struct factors {
    aval const& type;
    dtype to;
    location at;
    arena<element_slot> known;
    constexpr factors(aval const& t, dtype d, location const& l) : type(t), to(d), at(l) { forget(); }
    constexpr void forget() {
      known.clear();
      known.resize(count(type));
    }
  };
  constexpr element_slot factor_at(factors& f, int i) {
    if (f.known[i].slot < 0)
      f.known[i] = convert_element(f.at.in_slots() ? element(f.at, i) : load_element(f.type, f.at, i), f.type.type, f.to);
    return f.known[i];
  }
  constexpr void load_factors(factors& f, int first, int n) {
    arena<element_slot> part;
    bool const varies = differs_at(f.at.address);
    for (int i = 0; i < n; ++i) part.push(new_element(f.type.type, varies));
    push_load(f.type, f.at, first, n, [&](int i) { return part[i - first]; });
    for (int i = 0; i < n; ++i) f.known[first + i] = convert_element(part[i], f.type.type, f.to);
  }
  // Whether operand k stays in memory while the product is computed. n: terms of a sum.
  constexpr bool is_streamed(equation_ref const& e, dot_numbers const& d, int k, int n) const {
    location const& l = where_[resolve(e.in(k))];
    return is_ready(l, e.type(k)) || (k == 0 && l.only_in_memory() && !l.changes && has_rows(e, d, n));
  }
  static constexpr int columns_of(equation_ref const& e, dot_numbers const& d, int n) {
    int columns = count(e.type(1)) / n;
    for (int axis : d.rhs_batch) columns /= e.type(1).dims[axis];
    return columns;
  }
  // Whether the left operand is a matrix with a row of n factors for each row of the result.
  static constexpr bool has_rows(equation_ref const& e, dot_numbers const& d, int n) {
    int const columns = columns_of(e, d, n);
    for (int i = 0; i < count(e.out_type(0)); i += columns)
      for (int k = 0; k < n; ++k)
        if (factor_of_product(e, d, false, i, k) != i / columns * n + k) return false;
    return true;
  }
  // A product that adds its terms one after another: a few rows of the result at a time, column by column, so that an element of the right
  // operand serves all of them, and a column that is made leaves the registers.
  constexpr location product_in_sequence(equation_ref const& e, dot_numbers const& d, int n, location const& left, location const& right) {
    aval const& t = e.out_type(0);
    int const columns = columns_of(e, d, n), rows = count(t) / columns;
    bool const by_rows = has_rows(e, d, n);
    factors lhs(e.type(0), t.type, left), rhs(e.type(1), t.type, right);
    if (failed_) return fail();
    location place = wanted_[e.e.out];
    if (place.in_memory() && (divergent_ > 0 || address(place.address).row[k_.row_axes - 1] == 0 || address(place.address).of_lanes))
      place = {};
    arena<element_slot> made;
    made.resize(count(t));
    for (int top = 0; top < rows; top += rows_at_once) {
      int const end = top + rows_at_once < rows ? top + rows_at_once : rows;
      lhs.forget();
      if (by_rows && !lhs.at.in_slots()) load_factors(lhs, top * n, (end - top) * n);
      for (int j = 0; j < columns; ++j) {
        rhs.forget();
        for (int k = 0; k < n; ++k)
          for (int i = top; i < end; ++i) {
            int const at = i * columns + j;
            element_slot const a = factor_at(lhs, factor_of_product(e, d, false, at, k)),
                               b = factor_at(rhs, factor_of_product(e, d, true, at, k));
            element_slot& sum = made[at];
            if (k > 0 && is_floating(t.type)) sum = compute_element(prim::fma, t.type, t.type, a, b, sum);
            else if (element_slot const term = compute_element(prim::mul, t.type, t.type, a, b); k > 0)
              sum = compute_element(prim::add, t.type, t.type, term, sum);
            else sum = term;
          }
        if (place.in_memory())
          store_part(t, place, top * columns + j, end - top, columns, [&](int i) { return made[i]; }, false);
      }
    }
    location l = listed(count(t), [&](int i) { return made[i]; });
    if (place.in_memory()) l.address = place.address, l.view = place.view;
    return l;
  }
};

}  // namespace exprax::detail::planning
