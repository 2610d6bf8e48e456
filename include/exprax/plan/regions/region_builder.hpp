// SPDX-License-Identifier: BSL-1.0
// The steps of a region except control: locations of values, loads and stores, and arithmetic.
#pragma once

#include <exprax/plan/regions/region_base.hpp>

namespace exprax::detail::planning {

// The location of a value while a region runs: in a slot, or in memory from an address on, or both.
struct location {
  int slot = -1;
  bool wide = false;     // in the file of wide values; else a scalar, which serves for any shape
  int address = -1;
  bool changes = false;  // a later update may overwrite the memory
  bool owned = false;    // an update in the region may overwrite the memory
};

class region_builder : public region_base<location> {
 public:
  static constexpr std::ptrdiff_t largest_value = 512;  // bytes
  static constexpr int most_steps = 512;

  constexpr explicit region_builder(context& c) : region_base(c, most_steps) {}

 protected:
  // The region has something that only kernels can do.
  constexpr location fail() {
    failed_ = true;
    return {0, false, 0, false, false};
  }

  static constexpr std::ptrdiff_t bytes(aval const& t) { return t.size() * size_of(t.type); }
  static constexpr bool is_small(aval const& t) { return t.size() > 0 && bytes(t) <= largest_value; }
  constexpr location new_location(dtype t, std::ptrdiff_t n) {
    if (n > k_.widest) k_.widest = static_cast<int>(n);
    int& count = (n > 1 ? k_.wide : k_.scalars)[static_cast<int>(t)];
    return {count++, n > 1, -1, false, false};
  }
  static constexpr region_step step_of(region_step_kind kind, aval const& t) {
    region_step s{};
    s.kind = kind;
    s.from = s.type = t.type;
    s.n = static_cast<int>(t.size());
    s.address = -1;
    return s;
  }
  // Sets a, b and c.
  static constexpr void set_operands(region_step& s, location const& a, location const& b, location const& c) {
    s.a = a.slot, s.b = b.slot, s.c = c.slot;
    s.wide_a = a.wide, s.wide_b = b.wide, s.wide_c = c.wide;
  }

  // ---- Memory

  // The row for the current iteration of the loop at `depth`; counted from the last one if reversed.
  constexpr int row_address(int address, int depth, std::ptrdiff_t row, bool reverse, std::ptrdiff_t length) {
    if (reverse) address = moved_address(address, (length - 1) * row);
    return with_term(address, {depth, dtype::i32, -1, 0, reverse ? -row : row, false});
  }
  constexpr location load(aval const& t, int address) {
    if (!is_small(t)) return fail();
    region_step s = step_of(region_step_kind::load, t);
    location l = new_location(t.type, t.size());
    s.d = l.slot;
    s.address = l.address = address;
    push(s);
    return l;
  }
  constexpr void store(location const& l, aval const& t, int address) {
    region_step s = step_of(region_step_kind::store, t);
    s.a = l.slot;
    s.wide_a = l.wide;
    s.address = address;
    push(s);
  }
  // An address of v's elements; they are stored to scratch memory if they are only in registers.
  constexpr location in_memory(int v) {
    v = resolve(v);
    aval const& t = p_.type(v);
    if (p_.is_constant(v)) return constant_in_memory(v);
    location l = where_[v];
    if (l.address >= 0) return l;
    l = in_slot(v);
    l.address = new_address(c_.new_scratch(t));
    store(l, t, l.address);
    l.owned = true;
    return l;
  }
  constexpr location constant_in_memory(int v) {
    if (c_.at[v].buffer < 0) constants_.push(v);
    location l;
    l.address = new_address(c_.constant_buffer(v));
    return l;
  }

  constexpr location literal(dtype t, std::uint64_t bits) {
    region_step s = step_of(region_step_kind::literal, aval(t));
    location const l = new_location(t, 1);
    s.d = l.slot;
    s.bits = bits;
    push(s);
    return l;
  }
  constexpr location constant(int v) {
    aval const& t = p_.type(v);
    bool splat = true;
    for (std::ptrdiff_t i = 1; i < t.size() && splat; ++i) splat = p_.bits(v, i) == p_.bits(v);
    if (splat && t.size() > 0) return literal(t.type, p_.bits(v));
    return load(t, constant_in_memory(v).address);
  }
  // The value in a slot.
  constexpr location in_slot(int v) {
    v = resolve(v);
    if (p_.is_constant(v)) return constant(v);
    location const& l = where_[v];
    if (l.slot >= 0) return l;
    return l.address >= 0 ? load(p_.type(v), l.address) : fail();
  }

  // True if a window of an array is contiguous.
  static constexpr bool is_run(aval const& window, aval const& whole) {
    int i = 0;
    while (i < whole.rank && window.dims[i] == 1) ++i;
    for (++i; i < whole.rank; ++i)
      if (window.dims[i] != whole.dims[i]) return false;
    return true;
  }
  // The address of a window with a dynamic start. start: one scalar for each axis.
  template <class Start>
  constexpr int window_address(int address, aval const& window, aval const& whole, Start start) {
    strides const weight(whole);
    for (int i = 0; i < whole.rank; ++i) {
      int const limit = whole.dims[i] - window.dims[i];
      if (limit == 0) continue;
      int const v = resolve(start(i));
      if (p_.is_constant(v)) {
        std::int64_t const at = static_cast<std::int64_t>(p_.bits(v));
        address = moved_address(address, static_cast<std::ptrdiff_t>(at < 0 ? 0 : at > limit ? limit : at) * weight[i]);
      } else {
        address = with_term(address, {-1, p_.type(v).type, in_slot(v).slot, limit, weight[i], false});
      }
    }
    return address;
  }

  // ---- Lanes

  // result[lane] = source[at(lane)], or fill[lane] where that is negative. to: the type of the result.
  template <class F>
  constexpr location permute(location const& source, std::ptrdiff_t n_source, location const& fill, aval const& to, F at) {
    region_step s = step_of(region_step_kind::permute, to);
    s.table = out_.tables.size();
    s.n_in = static_cast<int>(n_source);
    bool same = s.n == s.n_in;
    for (int lane = 0; lane < s.n; ++lane) {
      int const i = at(lane);
      same = same && i == lane;
      out_.tables.push(i);
    }
    if (same && fill.slot < 0) {
      out_.tables.shrink(s.table);
      return source;
    }
    location const l = new_location(to.type, s.n);
    s.d = l.slot;
    set_operands(s, source, fill.slot < 0 ? source : fill, {});
    if (fill.slot < 0) s.wide_b = false, s.b = -1;
    push(s);
    return l;
  }
  constexpr location constants(aval const& t, auto value) {
    region_step s = step_of(region_step_kind::constants, t);
    s.table = out_.tables.size();
    for (int lane = 0; lane < s.n; ++lane) out_.tables.push(value(lane));
    location const l = new_location(t.type, s.n);
    s.d = l.slot;
    push(s);
    return l;
  }
  // An affine movement of elements: broadcasts, slices, transposes.
  constexpr location mapped(location const& l, aval const& from, aval const& to, index_map const& m) {
    if (!l.wide) return l;
    return permute(l, from.size(), {}, to, [&](int lane) { return mapped_element(from, m, to, lane); });
  }
  // An operand of an elementwise equation.
  constexpr location broadcast(location const& l, aval const& from, aval const& to) {
    if (!l.wide || from.same_shape(to)) return l;
    return mapped(l, from, to, pull_broadcast(from, to, index_map::identity(to)));
  }

  // ---- Arithmetic. to: the type of the result; operands have its shape or are scalars.

  constexpr location compute(prim op, dtype from, aval const& to, location const& a, location const& b = {}, location const& c = {}) {
    region_step s = step_of(region_step_kind::compute, to);
    s.op = op;
    s.from = from;
    set_operands(s, a, b, c);
    if (!a.wide && !b.wide && !c.wide) s.n = 1;
    location const l = new_location(to.type, s.n);
    s.d = l.slot;
    push(s);
    return l;
  }
  constexpr location convert(location const& l, dtype from, aval const& to) {
    if (from == to.type) return l;
    region_step s = step_of(region_step_kind::convert, to);
    s.from = from;
    set_operands(s, l, {}, {});
    if (!l.wide) s.n = 1;
    location const r = new_location(to.type, s.n);
    s.d = r.slot;
    push(s);
    return r;
  }
};

}  // namespace exprax::detail::planning
