// SPDX-License-Identifier: BSL-1.0
// The steps of a region in lanes (plan/data/region.hpp) except control: the elements of a row's values, and their loads and stores. A
// value is a list of elements, each in a slot of its own; movements only select among them.
#pragma once

#include <exprax/plan/regions/region_base.hpp>

namespace exprax::detail::planning {

// varies: each lane has its own element, and the slot is in the file of wide values.
struct lane_element {
  int slot = -1;
  bool varies = false;
};

// The location of a row's value: in slots (the elements from index `first` of the list), or in memory, or both.
struct lane_location {
  int first = -1;
  int address = -1, view = -1;  // view: the index of its strides
  bool changes = false;         // a later update may overwrite the memory
  bool owned = false;           // an update in the region may overwrite the memory
};

class lane_builder : public region_base<lane_location> {
 public:
  static constexpr int largest_value = 128;  // elements in slots
  static constexpr int most_steps = 4096;
  static constexpr int largest_memory = 1024;   // elements of a row's array in the memory of the lanes
  static constexpr int most_lanes = 64;

  constexpr explicit lane_builder(context& c) : region_base(c, most_steps) {}

 protected:
  constexpr lane_location fail() {
    failed_ = true;
    return {0, 0, 0, false, false};
  }
  static constexpr int count(aval const& t) { return static_cast<int>(t.size()); }
  static constexpr bool is_small(aval const& t) { return t.size() > 0 && t.size() <= largest_value; }

  // ---- Elements

  constexpr lane_element new_element(dtype t, bool varies) {
    int& n = (varies ? k_.wide : k_.scalars)[static_cast<int>(t)];
    return {n++, varies};
  }
  static constexpr region_step step_of(region_step_kind kind, dtype t) {
    region_step s{};
    s.kind = kind;
    s.from = s.type = t;
    s.n = 1;
    s.address = -1;
    return s;
  }
  // Appends the step; returns its result.
  constexpr lane_element made_by(region_step& s, bool varies) {
    lane_element const r = new_element(s.type, varies);
    s.d = r.slot;
    s.n = varies ? 2 : 1;
    push(s);
    return r;
  }
  constexpr lane_element literal(dtype t, std::uint64_t bits) {
    region_step s = step_of(region_step_kind::literal, t);
    s.bits = bits;
    return made_by(s, false);
  }
  static constexpr void set_operands(region_step& s, lane_element a, lane_element b, lane_element c) {
    s.a = a.slot, s.b = b.slot, s.c = c.slot;
    s.wide_a = a.varies, s.wide_b = b.varies, s.wide_c = c.varies;
  }
  // from: the dtype of the operands.
  constexpr lane_element compute(prim op, dtype from, dtype to, lane_element a, lane_element b = {}, lane_element c = {}) {
    region_step s = step_of(region_step_kind::compute, to);
    s.op = op;
    s.from = from;
    set_operands(s, a, b, c);
    return made_by(s, a.varies || b.varies || c.varies);
  }
  constexpr lane_element convert(lane_element x, dtype from, dtype to) {
    if (from == to) return x;
    region_step s = step_of(region_step_kind::convert, to);
    s.from = from;
    set_operands(s, x, {}, {});
    return made_by(s, x.varies);
  }
  constexpr void copy(lane_element to, lane_element from, dtype t) {
    region_step s = step_of(region_step_kind::move, t);
    s.d = to.slot;
    s.n = to.varies ? 2 : 1;
    set_operands(s, from, {}, {});
    push(s);
  }
  constexpr lane_element element(lane_location const& l, int i) const { return elements_[l.first + i]; }
  static constexpr bool same(lane_element a, lane_element b) { return a.slot == b.slot && a.varies == b.varies; }
  // A value of n elements, with element i from f(i).
  template <class F>
  constexpr lane_location listed(int n, F f) {
    arena<lane_element> made;
    for (int i = 0; i < n && !failed_; ++i) made.push(f(i));
    if (failed_) return fail();
    lane_location l;
    l.first = elements_.size();
    for (lane_element x : made) elements_.push(x);
    return l;
  }
  constexpr bool varies(lane_location const& l, int n) const {
    for (int i = 0; i < n; ++i)
      if (element(l, i).varies) return true;
    return false;
  }
  constexpr lane_location constant(int v) {
    aval const& t = p_.type(v);
    if (!is_small(t)) return fail();
    lane_element before;
    return listed(count(t), [&](int i) {
      if (i == 0 || p_.bits(v, i) != p_.bits(v, i - 1)) before = literal(t.type, p_.bits(v, i));
      return before;
    });
  }
  // The value in slots.
  constexpr lane_location in_slots(int v) {
    v = resolve(v);
    if (failed_) return fail();
    if (p_.is_constant(v)) return constant(v);
    lane_location const& l = where_[v];
    if (l.first >= 0) return l;
    return l.address >= 0 ? load(p_.type(v), l) : fail();
  }

  // ---- Memory

  constexpr int new_view(strides const& w) { return views_.push(w); }
  constexpr strides const& view(lane_location const& l) const { return views_[l.view]; }

  constexpr lane_location in_buffer(int buffer, aval const& t) {
    lane_location l;
    l.address = new_address(buffer);
    l.view = new_view(strides(t));
    return l;
  }
  // Memory for a value that the region makes; of_lanes: separate for each lane.
  constexpr lane_location new_memory(aval const& t, bool of_lanes) {
    if (t.size() > largest_memory) return fail();
    int const n = of_lanes ? most_lanes : 1;
    lane_location l = in_buffer(out_.add_buffer(t.type, storage_class::scratch, 0, t.size() * n), t);
    address(l.address).of_lanes = of_lanes;
    if (of_lanes) k_.bytes_of_lane += count(t) * size_of(t.type);
    return l;
  }
  // Whether lanes access different elements there.
  constexpr bool differs_at(int a) const {
    region_address const& r = address(a);
    if (r.of_lanes || r.row[k_.row_axes - 1] != 0) return true;
    for (int i = 0; i < r.n_term; ++i)
      if (out_.region_terms[r.term + i].wide) return true;
    return false;
  }
  // The row for the current iteration of the loop at `depth`; counted from the last one if reversed.
  constexpr lane_location row_of(lane_location const& l, aval const& whole, int depth, bool reverse) {
    strides const of = view(l);
    int a = l.address;
    if (reverse) a = moved_address(a, (whole.dims[0] - 1) * of[0]);
    lane_location r;
    r.address = with_term(a, {depth, dtype::i32, -1, 0, reverse ? -of[0] : of[0], false});
    strides rest = of;
    for (int i = 1; i < whole.rank; ++i) rest.of[i - 1] = of[i];
    r.view = new_view(rest);
    return r;
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
  constexpr void push_load(aval const& t, lane_location const& from, int first, int n, F f) {
    region_step s = step_of(region_step_kind::load, t.type);
    s.n = differs_at(from.address) ? 2 : 1;
    s.address = from.address;
    s.n_in = n;
    s.table = out_.tables.size();
    for (int i = first; i < first + n; ++i) {
      out_.tables.push(offset(t, view(from), i));
      out_.tables.push(f(i).slot);
    }
    push(s);
  }
  constexpr lane_location load(aval const& t, lane_location const& from) {
    if (!is_small(t) || failed_) return fail();
    bool const wide = differs_at(from.address);
    lane_location l = listed(count(t), [&](int) { return new_element(t.type, wide); });
    if (!failed_) push_load(t, from, 0, count(t), [&](int i) { return element(l, i); });
    return l;
  }
  constexpr lane_element load_element(aval const& t, lane_location const& from, int i) {
    lane_element const x = new_element(t.type, differs_at(from.address));
    push_load(t, from, i, 1, [&](int) { return x; });
    return x;
  }
  static constexpr bool is_in_memory_only(lane_location const& l) { return l.first < 0 && l.address >= 0 && !l.changes; }
  // Whether the lanes' elements are contiguous, so that an element is loaded where it is needed.
  constexpr bool is_ready(lane_location const& l, aval const& t) const {
    if (!is_in_memory_only(l)) return false;
    if (address(l.address).of_lanes) return true;
    if (address(l.address).row[k_.row_axes - 1] != 1) return false;
    for (int i = 0; i < t.rank; ++i)
      if (t.dims[i] > 4 && view(l)[i] * size_of(t.type) % 2048 == 0) return false;  // all in one cache set
    return true;
  }
  // Stores n elements from index `first`, with element i from f(i). Guards apply; inactive lanes store nothing unless `always`.
  template <class F>
  constexpr void store_part(aval const& t, lane_location const& to, int first, int n, F f, bool always = false) {
    if (failed_) return;
    bool const wide = differs_at(to.address) || address(to.address).of_lanes;
    arena<lane_element> from;
    for (int i = first; i < first + n; ++i) {
      lane_element x = f(i);
      if (x.varies && !wide) failed_ = true;  // one memory location for different scalars
      if (wide && !x.varies) {
        lane_element const same_everywhere = new_element(t.type, true);
        copy(same_everywhere, x, t.type);
        x = same_everywhere;
      }
      from.push(x);
    }
    region_step s = step_of(region_step_kind::store, t.type);
    s.n = wide ? 2 : 1;
    s.address = to.address;
    s.n_in = n;
    s.divergent = divergent_ > 0 && !always;
    s.table = out_.tables.size();
    for (int i = 0; i < n; ++i) {
      out_.tables.push(offset(t, view(to), first + i));
      out_.tables.push(from[i].slot);
    }
    push(s);
  }
  // Stores the elements of l, of type t.
  constexpr void store(lane_location const& l, aval const& t, lane_location const& to, bool always = false) {
    store_part(t, to, 0, count(t), [&](int i) { return element(l, i); }, always);
  }
  // The value in memory; it is stored if it is only in slots.
  constexpr lane_location in_memory(int v) {
    v = resolve(v);
    aval const& t = p_.type(v);
    if (p_.is_constant(v)) {
      if (c_.at[v].buffer < 0) constants_.push(v);
      return in_buffer(c_.constant_buffer(v), t);
    }
    if (where_[v].address >= 0 || failed_) return where_[v];
    lane_location const l = in_slots(v);
    lane_location r = failed_ ? fail() : new_memory(t, varies(l, count(t)));
    if (!failed_) store(l, t, r, true);
    r.owned = true;
    return r;
  }
  // The address of a window with a dynamic start. start: one scalar for each axis.
  template <class Start>
  constexpr lane_location window(lane_location const& l, aval const& part, aval const& whole, Start start) {
    strides const of = view(l);
    int a = l.address;
    for (int i = 0; i < whole.rank; ++i) {
      int const limit = whole.dims[i] - part.dims[i];
      if (limit == 0) continue;
      int const v = resolve(start(i));
      if (p_.is_constant(v)) {
        std::int64_t const at = static_cast<std::int64_t>(p_.bits(v));
        a = moved_address(a, static_cast<std::ptrdiff_t>(at < 0 ? 0 : at > limit ? limit : at) * of[i]);
      } else {
        lane_location const number = in_slots(v);
        if (failed_) return fail();
        lane_element const x = element(number, 0);
        a = with_term(a, {-1, p_.type(v).type, x.slot, limit, of[i], x.varies});
      }
    }
    lane_location r;
    r.address = a;
    r.view = l.view;
    return r;
  }

  arena<lane_element> elements_;
  arena<strides> views_;
  int divergent_ = 0;  // the number of enclosing loops and branches in which lanes diverge
};

}  // namespace exprax::detail::planning
