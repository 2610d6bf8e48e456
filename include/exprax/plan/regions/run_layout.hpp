// SPDX-License-Identifier: BSL-1.0
// The run layout of a region (plan/data/region.hpp): a value is a run of packs in one slot, and movements are permutations of lanes. A
// value whose elements are all equal may be a scalar. Memory is row-major.
#pragma once

#include <exprax/plan/regions/forwarded_elements.hpp>
#include <exprax/plan/regions/region_base.hpp>
#include <exprax/plan/regions/split_loop.hpp>
#include <exprax/plan/regions/unused_scalars.hpp>
#include <exprax/primitives/contractions/dot_general.hpp>

namespace exprax::detail::planning {

class run_layout : public region_base {
 public:
  static constexpr std::ptrdiff_t largest_value = 512;  // bytes

 protected:
  static constexpr int most_steps = 512;
  static constexpr bool strided = false;  // memory that is not row-major cannot be read

  constexpr explicit run_layout(context& c) : region_base(c, most_steps) {}

  static constexpr std::ptrdiff_t bytes(aval const& t) { return t.size() * size_of(t.type); }
  static constexpr bool is_small(aval const& t) { return t.size() > 0 && bytes(t) <= largest_value; }
  static constexpr region_step step_of(region_step_kind kind, aval const& t) {
    return region_base::step_of(kind, t.type, static_cast<int>(t.size()));
  }
  static constexpr void set_operands(region_step& s, location const& a, location const& b, location const& c) {
    s.a = a.slots, s.b = b.slots, s.c = c.slots;
    s.wide_a = a.wide, s.wide_b = b.wide, s.wide_c = c.wide;
  }
  constexpr location new_slots(dtype t, int n) {
    if (n > k_.widest) k_.widest = n;
    location l;
    l.wide = n > 1;
    l.slots = (l.wide ? k_.wide : k_.scalars)[static_cast<int>(t)]++;
    return l;
  }
  // Appends the step; returns its result.
  constexpr location made_by(region_step& s) {
    location const l = new_slots(s.type, s.n);
    s.d = l.slots;
    push(s);
    return l;
  }

  // ---- Values

  constexpr location literal(dtype t, std::uint64_t bits) {
    region_step s = step_of(region_step_kind::literal, aval(t));
    s.bits = bits;
    return made_by(s);
  }
  constexpr location constant(int v) {
    aval const& t = p_.type(v);
    bool splat = true;
    for (std::ptrdiff_t i = 1; i < t.size() && splat; ++i) splat = p_.bits(v, i) == p_.bits(v);
    if (splat && t.size() > 0) return literal(t.type, p_.bits(v));
    return load(t, constant_in_memory(v));
  }
  constexpr location counter(dtype t, induction_variable const& count, int depth) {
    region_step s = step_of(region_step_kind::counter, aval(t));
    s.bits = static_cast<std::uint64_t>(count.first);
    s.scale = count.step;
    s.depth = depth;
    return made_by(s);
  }
  template <class F>
  constexpr location constants(aval const& t, F value) {
    region_step s = step_of(region_step_kind::constants, t);
    s.table = out_.tables.size();
    for (int lane = 0; lane < s.n; ++lane) out_.tables.push(value(lane));
    return made_by(s);
  }
  // Scalar i of a value.
  constexpr element_slot scalar(location const& l, aval const& t, int i) {
    return {(l.wide ? permute(l, t.size(), {}, aval(t.type), [&](int) { return i; }) : l).slots, false};
  }
  constexpr bool varies(location const&, aval const&) const { return false; }
  constexpr bool varies(int) const { return false; }

  // Operands have the shape of `to`, or are scalars. from: their dtype.
  constexpr location compute(prim op, dtype from, aval const& to, location const& a, location const& b = {}, location const& c = {}) {
    region_step s = step_of(region_step_kind::compute, to);
    s.op = op;
    s.from = from;
    set_operands(s, a, b, c);
    if (!a.wide && !b.wide && !c.wide) s.n = 1;
    return made_by(s);
  }
  constexpr location convert(location const& l, dtype from, aval const& to) {
    if (from == to.type) return l;
    region_step s = step_of(region_step_kind::convert, to);
    s.from = from;
    set_operands(s, l, {}, {});
    if (!l.wide) s.n = 1;
    return made_by(s);
  }
  // result[i] = source[at(i)], or fill[i] where that is from_fill. fill may be a scalar, or not in slots if nothing is filled.
  template <class F>
  constexpr location permute(location const& source, std::ptrdiff_t n_source, location const& fill, aval const& to, F at) {
    region_step s = step_of(region_step_kind::permute, to);
    s.table = out_.tables.size();
    s.n_in = static_cast<int>(n_source);
    bool same = s.n == s.n_in, full = true;
    for (int lane = 0; lane < s.n; ++lane) {
      int const i = at(lane);
      same = same && i == lane;
      full = full && i != from_fill;
      out_.tables.push(i == from_fill || source.wide ? i : 0);
    }
    if ((same && source.wide) || (full && !source.wide)) {
      out_.tables.shrink(s.table);
      return source;
    }
    if (full) set_operands(s, source, {}, {});
    else set_operands(s, source, fill, {});
    return made_by(s);
  }
  constexpr location reshaped(location const& l) const { return l.wide ? l : without_memory(l); }
  // Calls f once for all n results.
  template <class F>
  constexpr location in_parts(int n, F f) {
    return f(0, n);
  }
  // where(has(i), op(x[i], y[i]), x[i])
  template <class F>
  constexpr location compute_where(F has, prim op, aval const& t, location const& x, location const& y) {
    location const joined = compute(op, t.type, t, x, y);
    location const mask = convert(constants(t.with_type(dtype::i32), has), dtype::i32, t.with_type(dtype::b1));
    return compute(prim::select_n, t.type, t, mask, x, joined);
  }
  // Combines the upper half of each row's lanes with the lower, until one is left. n: lanes of a row, padded.
  constexpr location fold(location x, prim op, dtype type, int rows, int n) {
    for (; n > 1; n /= 2) {
      int const half = n / 2;
      aval const t(type, {rows, half});
      auto const part = [&](int first) {
        return permute(x, rows * n, {}, t, [&](int lane) { return lane / half * n + first + lane % half; });
      };
      location const low = part(0), high = part(half);
      x = compute(op, type, t, low, high);
    }
    return x;
  }
  // Whether n elements of a sum can be in slots at once.
  static constexpr bool fits(dtype t, int n) { return is_small(aval(t, {n})); }
  static constexpr int padded(int n) {
    int width = 1;
    while (width < n) width *= 2;
    return width;
  }
  // A product that adds its terms one after another. n: terms of a sum.
  constexpr location product_in_sequence(equation_ref const& e, dot_numbers const& d, int n, location const& lhs, location const& rhs) {
    aval const& t = e.out_type(0);
    location const x = convert(lhs, e.type(0).type, e.type(0).with_type(t.type)),
                   y = convert(rhs, e.type(1).type, e.type(1).with_type(t.type));
    location sum;
    for (int k = 0; k < n && !failed_; ++k) {
      location const a = permute(x, e.type(0).size(), {}, t, [&](int lane) { return factor_of_product(e, d, false, lane, k); });
      location const b = permute(y, e.type(1).size(), {}, t, [&](int lane) { return factor_of_product(e, d, true, lane, k); });
      if (k > 0 && is_floating(t.type)) sum = compute(prim::fma, t.type, t, a, b, sum);
      else if (location const term = compute(prim::mul, t.type, t, a, b); k > 0) sum = compute(prim::add, t.type, t, term, sum);
      else sum = term;
    }
    return sum;
  }
  static constexpr bool is_streamed(equation_ref const&, dot_numbers const&, int, int) { return false; }

  // ---- Memory

  constexpr location load(aval const& t, location const& from) {
    if (!is_small(t)) return fail();
    region_step s = step_of(region_step_kind::load, t);
    s.address = from.address;
    location l = made_by(s);
    l.address = from.address;
    return l;
  }
  constexpr void store(location const& l, aval const& t, location const& to, bool = false) {
    if (failed_) return;
    region_step s = step_of(region_step_kind::store, t);
    set_operands(s, l, {}, {});
    s.address = to.address;
    push(s);
  }
  constexpr location new_memory(aval const& t, bool) { return in_buffer(c_.new_scratch(t)); }
  constexpr location prepared(location const& l, aval const&) const { return l; }
  static constexpr bool is_written_in_rows(location const&, aval const&) { return true; }
  static constexpr bool is_loaded_first(location const&, block const&, int, aval const& t) { return is_small(t); }
  // An index that counts from the end if it is negative is added only where it is out of bounds as it is.
  constexpr int with_index(int a, element_slot i, dtype type, int limit, std::ptrdiff_t stride) {
    int const n = scalar_steps(steps_).count_from_end(type, i.slot);
    return with_term(a, {no_counter, type, i.slot, limit, stride, false, n, false});
  }

  // ---- Loops and branches

  // Slots for a value that is set by copies and moves.
  constexpr location fresh(aval const& t, bool) { return is_small(t) ? new_slots(t.type, static_cast<int>(t.size())) : fail(); }
  constexpr location fresh_result(aval const& t, bool) { return fresh(t, false); }
  constexpr void copy(location const& to, location const& from, aval const& t) {
    region_step s = step_of(region_step_kind::move, t);
    s.d = to.slots;
    set_operands(s, from, {}, {});
    push(s);
  }
  constexpr void move(location const& to, location const& from, aval const& t, bool) {
    moves_.push({t.type, to.wide ? static_cast<int>(t.size()) : 1, to.slots, from.slots, from.wide, false});
  }
  static constexpr int condition(location const& l, bool) { return l.slots; }
  // All steps of an iteration have been written. iterations: their number, or 0 if it is not known.
  constexpr void finish_iteration(int first_move, int iterations) {
    if (failed_) return;
    span<region_move> const moves(moves_.data() + first_move, moves_.size() - first_move);
    forwarded_elements const body(out_, steps_, moves);
    if (iterations > 0) index_ranges(out_, steps_).mark_counted(iterations);
    if (body.has_control()) return;
    for (int k = 0; k < steps_.size(); ++k) {
      if (!body.is_only_store(k)) continue;
      region_step& written = steps_[k];
      for (region_step& s : steps_) {
        if (!body.reads_what_was_written(s, written)) continue;
        if (!written.forwards) {
          written.forwards = true;
          written.b = new_slots(written.type, 1).slots;
          written.c = new_slots(dtype::i64, 1).slots;
          nothing_written_.push({written.type, written.b, written.c});
        }
        s.forwards = true;
        s.b = written.b;
        s.c = written.c;
      }
    }
    unused_scalars(out_, k_).remove(steps_, moves);
  }
  // The iterations of a loop in which no index needs a check, as a loop of their own (split_loop.hpp). Returns whether any may be left.
  constexpr bool push_iterations_in_bounds(region_step loop, int condition, int iteration) {
    split_loop split(out_, condition, iteration, steps_);
    if (split.i.slot < 0 || failed_ || !has_room(split.steps.size() + 8)) return true;
    dtype const type = split.i.type;
    auto const number = [&](std::int64_t x) { return literal(type, static_cast<std::uint64_t>(x)); };
    auto const in_slot = [](int slot) {
      location l;
      l.slots = slot;
      return l;
    };
    location const i = in_slot(split.i.slot);
    location stop = number(split.n < 0 && split.end <= split.i.most ? split.end : split.i.most + 1);
    if (split.n >= 0) stop = compute(prim::min, type, aval(type), stop, in_slot(split.n));
    if (!split.starts_in_range) {
      location const below = compute(prim::lt, type, aval(dtype::b1), i, number(split.i.least));
      stop = compute(prim::select_n, type, aval(type), below, stop, i);  // no iteration
    }
    index_ranges(out_, split.steps).mark(split.i);
    int const test = in_block([&](int) { return compute(prim::lt, type, aval(dtype::b1), i, stop).slots; });
    int const body = in_block([&](int) {
      for (region_step const& s : split.steps) push(s);
      region_block const& all = out_.region_blocks[iteration];
      moves_.append(out_.region_moves.data() + all.move, all.n_move);
      return -1;
    });
    push_control(loop, {test, body});
    return !split.is_all();
  }
  // The loop whose iterations were finished last is about to begin.
  constexpr void begin_loop() {
    for (auto const& w : nothing_written_) {
      set_literal(w.type, w.value, 0);
      set_literal(dtype::i64, w.offset, ~std::uint64_t{0});
    }
    nothing_written_.clear();
  }

 private:
  // The slots of the element that was written last, and of its offset.
  struct written_element {
    dtype type;
    int value, offset;
  };
  constexpr void set_literal(dtype t, int slot, std::uint64_t bits) {
    region_step s = step_of(region_step_kind::literal, aval(t));
    s.bits = bits;
    s.d = slot;
    push(s);
  }
  arena<written_element> nothing_written_;
};

}  // namespace exprax::detail::planning
