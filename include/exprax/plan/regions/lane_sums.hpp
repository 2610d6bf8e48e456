// SPDX-License-Identifier: BSL-1.0
// Reductions and products of a region in lanes, element by element, in the order that defines their bits
// (primitives/reductions/reduction.hpp, primitives/contractions/contraction.hpp). Factors of a product are loaded where they are needed,
// a few rows at a time.
#pragma once

#include <exprax/plan/regions/lane_builder.hpp>
#include <exprax/primitives/reductions/reduction.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax::detail::planning {

class lane_sums : public lane_builder {
 public:
  using lane_builder::lane_builder;

 protected:
  // Combines the upper half of the list with the lower, until one element is left.
  constexpr lane_element fold(arena<lane_element>& x, prim op, dtype t) {
    for (int n = x.size() / 2; n > 0; n /= 2)
      for (int i = 0; i < n; ++i) x[i] = compute(op, t, t, x[i], x[n + i]);
    return x[0];
  }
  constexpr lane_location reduction(equation_ref const& e) {
    aval const &from = e.type(0), &t = e.out_type(0);
    if (!is_small(t) || from.size() > largest_value) return fail();
    prim const op = traits_of(e.e.op).combiner;
    reduced_axes const axes(e);
    int const n = axes.count;
    if (n > 64 || n == 0) return fail();
    lane_location const x = in_slots(e.in(0));
    if (failed_) return x;
    int width = 1;
    while (width < 8 && width < n) width *= 2;
    lane_element const none = literal(from.type, reduction_identity_bits(traits_of(e.e.op).combiner, from.type));
    auto const source = [&](int row, int at) { return at >= n ? none : element(x, axes.element(row, at)); };
    auto const join = [&](lane_element a, lane_element b) { return a.slot < 0 ? b : b.slot < 0 ? a : compute(op, from.type, from.type, a, b); };
    return listed(count(t), [&](int row) {
      arena<lane_element> sums;
      for (int lane = 0; lane < width; ++lane) {
        lane_element m[8];
        for (int k = 0; 8 * k < n; ++k) m[k] = source(row, 8 * k + lane);
        lane_element const even = join(join(m[0], m[2]), both(op, from.type, m[4], m[6]));
        lane_element const odd = m[1].slot < 0 ? lane_element{} : join(join(m[1], m[3]), both(op, from.type, m[5], m[7]));
        sums.push(compute(op, from.type, from.type, none, join(even, odd)));
      }
      return fold(sums, op, from.type);
    });
  }
  constexpr lane_element both(prim op, dtype t, lane_element a, lane_element b) { return a.slot < 0 || b.slot < 0 ? a : compute(op, t, t, a, b); }

  constexpr lane_location product(equation_ref const& e) {
    dot_numbers const d(e.params());
    aval const &t = e.out_type(0), &of_lhs = e.type(0), &of_rhs = e.type(1);
    int n = 1;
    for (int axis : d.lhs_contract) n *= of_lhs.dims[axis];
    if (!is_small(t) || !is_small(of_lhs) || !is_small(of_rhs) || n > dot_accumulators) return fail();
    bool const floating = is_floating(t.type);
    if (d.order == 0) return product_in_sequence(e, d, n);
    lane_location lhs = in_slots(e.in(0)), rhs = in_slots(e.in(1));
    if (failed_) return fail();
    if (of_lhs.type != t.type) lhs = listed(count(of_lhs), [&](int i) { return convert(element(lhs, i), of_lhs.type, t.type); });
    if (of_rhs.type != t.type) rhs = listed(count(of_rhs), [&](int i) { return convert(element(rhs, i), of_rhs.type, t.type); });
    auto const a = [&](int i, int k) { return element(lhs, factor_of_product(e, d, false, i, k)); };
    auto const b = [&](int i, int k) { return element(rhs, factor_of_product(e, d, true, i, k)); };
    // Adds upper halves to lower ones. Missing products are skipped: adding +0 changes nothing, because no sum here is -0.
    int width = 1;
    while (width < n) width *= 2;
    lane_element const zero = literal(t.type, 0);
    return listed(count(t), [&](int i) {
      arena<lane_element> sums;
      for (int k = 0; k < n; ++k)
        sums.push(floating ? compute(prim::fma, t.type, t.type, a(i, k), b(i, k), zero) : compute(prim::mul, t.type, t.type, a(i, k), b(i, k)));
      for (int half = width / 2; half > 0; half /= 2)
        for (int k = 0; k < half && half + k < sums.size(); ++k) sums[k] = compute(prim::add, t.type, t.type, sums[k], sums[half + k]);
      return n > 0 ? sums[0] : zero;
    });
  }
  // Elements of one operand of a product in the dtype of the result, in slots or loaded at first use.
  struct factors {
    aval const& type;
    dtype to;
    lane_location at;
    arena<lane_element> known;
    constexpr factors(aval const& t, dtype d, lane_location const& l) : type(t), to(d), at(l) { forget(); }
    constexpr void forget() {
      known.clear();
      known.resize(count(type));
    }
  };
  constexpr lane_element factor_at(factors& f, int i) {
    if (f.known[i].slot < 0) f.known[i] = convert(f.at.first >= 0 ? element(f.at, i) : load_element(f.type, f.at, i), f.type.type, f.to);
    return f.known[i];
  }
  constexpr void load_factors(factors& f, int first, int n) {
    arena<lane_element> part;
    bool const wide = differs_at(f.at.address);
    for (int i = 0; i < n; ++i) part.push(new_element(f.type.type, wide));
    push_load(f.type, f.at, first, n, [&](int i) { return part[i - first]; });
    for (int i = 0; i < n; ++i) f.known[first + i] = convert(part[i], f.type.type, f.to);
  }
  // parts: the operand may be loaded in parts while the product is computed.
  constexpr lane_location memory_or_slots(int v, bool parts) {
    v = resolve(v);
    if (p_.is_constant(v)) return in_slots(v);
    return is_ready(where_[v], p_.type(v)) || (parts && is_in_memory_only(where_[v])) ? where_[v] : in_slots(v);
  }
  // Whether the left operand is a matrix with a row of n factors for each row of the result.
  static constexpr bool has_rows(equation_ref const& e, dot_numbers const& d, int columns, int n) {
    for (int i = 0; i < count(e.out_type(0)); i += columns)
      for (int k = 0; k < n; ++k)
        if (factor_of_product(e, d, false, i, k) != i / columns * n + k) return false;
    return true;
  }
  // A few rows of the result at a time, column by column: an element of the right operand serves all of them, and finished elements can
  // leave the registers.
  constexpr lane_location product_in_sequence(equation_ref const& e, dot_numbers const& d, int n) {
    aval const& t = e.out_type(0);
    int columns = count(e.type(1)) / n;
    for (int axis : d.rhs_batch) columns /= e.type(1).dims[axis];
    int const rows = count(t) / columns;
    bool const by_rows = has_rows(e, d, columns, n);
    factors lhs(e.type(0), t.type, memory_or_slots(e.in(0), by_rows)), rhs(e.type(1), t.type, memory_or_slots(e.in(1), false));
    if (failed_) return fail();
    lane_location place = places_of_results_[e.e.out];
    if (place.address >= 0 && (divergent_ > 0 || address(place.address).row[k_.row_axes - 1] == 0 || address(place.address).of_lanes)) place = {};
    arena<lane_element> made;
    made.resize(count(t));
    for (int top = 0; top < rows; top += rows_at_once) {
      int const end = top + rows_at_once < rows ? top + rows_at_once : rows;
      lhs.forget();
      if (by_rows && lhs.at.first < 0) load_factors(lhs, top * n, (end - top) * n);
      for (int j = 0; j < columns; ++j) {
        rhs.forget();
        for (int k = 0; k < n; ++k)
          for (int i = top; i < end; ++i) {
            lane_element const a = factor_at(lhs, factor_of_product(e, d, false, i * columns + j, k)), b = factor_at(rhs, factor_of_product(e, d, true, i * columns + j, k));
            lane_element& sum = made[i * columns + j];
            if (k == 0) sum = compute(prim::mul, t.type, t.type, a, b);
            else if (is_floating(t.type)) sum = compute(prim::fma, t.type, t.type, a, b, sum);
            else sum = compute(prim::add, t.type, t.type, compute(prim::mul, t.type, t.type, a, b), sum);
          }
      }
      if (place.address >= 0) store_part(t, place, top * columns, (end - top) * columns, [&](int i) { return made[i]; });
    }
    lane_location l = listed(count(t), [&](int i) { return made[i]; });
    if (place.address >= 0) l.address = place.address, l.view = place.view;
    return l;
  }

 private:
  static constexpr int rows_at_once = 4;
};

}  // namespace exprax::detail::planning
