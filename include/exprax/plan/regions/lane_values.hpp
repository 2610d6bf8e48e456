// SPDX-License-Identifier: BSL-1.0
// The lane layout of a region (plan/data/region.hpp): a row's value is a list of elements, each in a slot of its own. Movements only select
// among them. An element that varies has a pack with its value in each row; others are scalars.
#pragma once

#include <exprax/plan/analysis/uniformity.hpp>
#include <exprax/plan/regions/region_base.hpp>

namespace exprax::detail::planning {

class lane_values : public region_base {
 public:
  static constexpr int largest_value = 128;  // elements in slots

 protected:
  static constexpr int most_steps = 4096;

  constexpr explicit lane_values(context& c) : region_base(c, most_steps), uniformity_(c.p) {}

  static constexpr int count(aval const& t) { return static_cast<int>(t.size()); }
  static constexpr bool is_small(aval const& t) { return t.size() > 0 && t.size() <= largest_value; }

  // ---- Elements

  constexpr element_slot new_element(dtype t, bool varies) {
    int& n = (varies ? k_.wide : k_.scalars)[static_cast<int>(t)];
    return {n++, varies};
  }
  // Appends the step; returns its result.
  constexpr element_slot element_by(region_step& s, bool varies) {
    element_slot const r = new_element(s.type, varies);
    s.d = r.slot;
    s.n = varies ? 2 : 1;
    push(s);
    return r;
  }
  constexpr element_slot literal_element(dtype t, std::uint64_t bits) {
    region_step s = step_of(region_step_kind::literal, t, 1);
    s.bits = bits;
    return element_by(s, false);
  }
  static constexpr void set_operands(region_step& s, element_slot a, element_slot b, element_slot c) {
    s.a = a.slot, s.b = b.slot, s.c = c.slot;
    s.wide_a = a.varies, s.wide_b = b.varies, s.wide_c = c.varies;
  }
  // from: the dtype of the operands.
  constexpr element_slot compute_element(prim op, dtype from, dtype to, element_slot a, element_slot b = {}, element_slot c = {}) {
    region_step s = step_of(region_step_kind::compute, to, 1);
    s.op = op;
    s.from = from;
    set_operands(s, a, b, c);
    return element_by(s, a.varies || b.varies || c.varies);
  }
  constexpr element_slot convert_element(element_slot x, dtype from, dtype to) {
    if (from == to) return x;
    region_step s = step_of(region_step_kind::convert, to, 1);
    s.from = from;
    set_operands(s, x, {}, {});
    return element_by(s, x.varies);
  }
  constexpr void copy_element(element_slot to, element_slot from, dtype t) {
    if (from.varies && !to.varies) failed_ = true;
    region_step s = step_of(region_step_kind::move, t, to.varies ? 2 : 1);
    s.d = to.slot;
    set_operands(s, from, {}, {});
    push(s);
  }
  static constexpr bool same(element_slot a, element_slot b) { return a.slot == b.slot && a.varies == b.varies; }
  constexpr element_slot element(location const& l, int i) const { return elements_[l.slots + (l.wide ? i : 0)]; }
  // A value of n elements, with element i from f(i).
  template <class F>
  constexpr location listed(int n, F f) {
    arena<element_slot> made;
    for (int i = 0; i < n && !failed_; ++i) made.push(f(i));
    if (failed_) return fail();
    location l;
    l.slots = elements_.size();
    l.wide = n > 1;
    for (element_slot x : made) elements_.push(x);
    return l;
  }
  constexpr location listed(element_slot x) {
    location l;
    l.slots = elements_.push(x);
    return l;
  }

  // ---- Values

  constexpr location literal(dtype t, std::uint64_t bits) { return listed(literal_element(t, bits)); }
  constexpr location counter(dtype t, induction_variable const& count, int depth) {
    region_step s = step_of(region_step_kind::counter, t, 1);
    s.bits = static_cast<std::uint64_t>(count.first);
    s.scale = count.step;
    s.depth = depth;
    return listed(element_by(s, false));
  }
  constexpr location constant(int v) {
    aval const& t = p_.type(v);
    if (!is_small(t)) return fail();
    element_slot before;
    return listed(count(t), [&](int i) {
      if (i == 0 || p_.bits(v, i) != p_.bits(v, i - 1)) before = literal_element(t.type, p_.bits(v, i));
      return before;
    });
  }
  template <class F>
  constexpr location constants(aval const& t, F value) {
    return listed(count(t), [&](int i) {
      element_slot const x = literal_element(dtype::i64, static_cast<std::uint64_t>(static_cast<std::int64_t>(value(i))));
      return convert_element(x, dtype::i64, t.type);
    });
  }
  // Element i of a value.
  constexpr element_slot scalar(location const& l, aval const&, int i) const { return element(l, i); }
  constexpr bool varies(location const& l, aval const& t) const {
    for (int i = 0; i < (l.wide ? count(t) : 1); ++i)
      if (element(l, i).varies) return true;
    return false;
  }
  constexpr bool varies(int v) const { return uniformity_.varies(v); }

  // Operands have the shape of `to`, or one element. from: their dtype. An element with the operands of the one before is that one.
  constexpr location compute(prim op, dtype from, aval const& to, location const& a, location const& b = {}, location const& c = {}) {
    location const* const in[] = {&a, &b, &c};
    bool const wide = a.wide || b.wide || c.wide;
    element_slot before[3], made;
    return listed(wide ? count(to) : 1, [&](int i) {
      element_slot x[3];
      bool again = i > 0;
      for (int k = 0; k < 3; ++k) {
        if (in[k]->in_slots()) x[k] = element(*in[k], i);
        again = again && same(x[k], before[k]);
        before[k] = x[k];
      }
      if (!again) made = compute_element(op, from, to.type, x[0], x[1], x[2]);
      return made;
    });
  }
  constexpr location convert(location const& l, dtype from, aval const& to) {
    if (from == to.type || failed_) return l;
    element_slot before, made;
    return listed(l.wide ? count(to) : 1, [&](int i) {
      element_slot const x = element(l, i);
      if (i == 0 || !same(x, before)) made = convert_element(x, from, to.type);
      before = x;
      return made;
    });
  }
  // result[i] = source[at(i)], or fill[i] where that is from_fill. fill may have one element, or not be in slots if nothing is filled.
  template <class F>
  constexpr location permute(location const& source, std::ptrdiff_t, location const& fill, aval const& to, F at) {
    return listed(count(to), [&](int i) {
      int const from = at(i);
      return from == from_fill ? element(fill, i) : element(source, from);
    });
  }
  static constexpr location reshaped(location const& l) { return without_memory(l); }
  // One value of n elements, of which f(i, 1) makes each: a result is complete before the next one begins.
  template <class F>
  constexpr location in_parts(int n, F f) {
    return listed(n, [&](int i) {
      location const l = f(i, 1);
      return failed_ ? element_slot{} : element(l, 0);
    });
  }
  // where(has(i), op(x[i], y[i]), x[i])
  template <class F>
  constexpr location compute_where(F has, prim op, aval const& t, location const& x, location const& y) {
    return listed(count(t),
                  [&](int i) { return has(i) ? compute_element(op, t.type, t.type, element(x, i), element(y, i)) : element(x, i); });
  }
  // Combines the upper half of each row's elements with the lower, until one is left. n: elements of a row. A missing element is skipped.
  constexpr location fold(location const& x, prim op, dtype type, int rows, int n) {
    int width = 1;
    while (width < n) width *= 2;
    return listed(rows, [&](int row) {
      arena<element_slot> sums;
      for (int i = 0; i < n; ++i) sums.push(element(x, row * n + i));
      for (int half = width / 2; half > 0; half /= 2)
        for (int i = 0; i < half && half + i < n; ++i) sums[i] = compute_element(op, type, type, sums[i], sums[half + i]);
      return sums[0];
    });
  }
  static constexpr bool fits(dtype, int) { return true; }
  static constexpr int padded(int n) { return n; }

  // ---- Loops and branches

  // Slots for a value that is set by copies and moves.
  constexpr location fresh(aval const& t, bool varies) {
    if (!is_small(t)) return fail();
    return listed(count(t), [&](int) { return new_element(t.type, varies); });
  }
  // The same for a result of a branch: lanes that take no case of it need a value.
  constexpr location fresh_result(aval const& t, bool varies) {
    location const l = fresh(t, varies);
    if (!failed_) copy(l, literal(t.type, 0), t);
    return l;
  }
  constexpr void copy(location const& to, location const& from, aval const& t) {
    for (int i = 0; i < count(t) && !failed_; ++i) copy_element(element(to, i), element(from, i), t.type);
  }
  // divergent: only for the active lanes.
  constexpr void move(location const& to, location const& from, aval const& t, bool divergent) {
    for (int i = 0; i < count(t) && !failed_; ++i) {
      element_slot const x = element(to, i), y = element(from, i);
      if (y.varies && !x.varies) failed_ = true;
      moves_.push({t.type, x.varies ? 2 : 1, x.slot, y.slot, y.varies, divergent && x.varies});
    }
  }
  // The slot of a loop's condition, as a mask if lanes diverge.
  constexpr int condition(location const& l, bool divergent) {
    element_slot const x = element(l, 0);
    if (x.varies == divergent) return x.slot;
    if (!divergent) failed_ = true;
    element_slot const in_each = new_element(dtype::b1, true);
    copy_element(in_each, x, dtype::b1);
    return in_each.slot;
  }

  arena<element_slot> elements_;
  uniformity uniformity_;
};

}  // namespace exprax::detail::planning
