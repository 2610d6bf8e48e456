// SPDX-License-Identifier: BSL-1.0
// Equations of a region in lanes that are no control, element by element: movements take what is there in another order;
// reductions and products add in the order that defines their bits; what is read or updated at indices that are values stands in
// memory.
#pragma once

#include <exprax/plan/lane_builder.hpp>
#include <exprax/plan/reductions.hpp>
#include <exprax/primitives/dot_general.hpp>
#include <exprax/primitives/scatter_family.hpp>

namespace exprax::detail::planning {

class lane_equations : public lane_builder {
 public:
  using lane_builder::lane_builder;

 protected:
  // An equation with one result and no blocks.
  constexpr lane_location equation(equation_ref const& e) {
    prim const op = e.e.op;
    if (op < prim::broadcast_in_dim) return elementwise(e);
    if (op <= prim::iota) return movement(e);
    if (op == prim::dynamic_slice) return dynamic_slice(e);
    if (is_update(op)) return is_static_update(e) ? static_update(e) : dynamic_update(e);
    if (op >= prim::reduce_sum && op <= prim::reduce_or) return reduction(e);
    if (op == prim::dot_general) return product(e);
    return fail();
  }

 private:
  // The element of an operand from which element i of the result of an elementwise equation is made.
  static constexpr int broadcast_index(aval const& from, aval const& to, int i) {
    if (from.rank == 0) return 0;
    if (from.same_shape(to)) return i;
    strides const weight(from);
    int at = 0;
    for (int a = to.rank - 1; a >= 0; --a) {
      if (from.dims[a] > 1) at += static_cast<int>(weight[a]) * (i % to.dims[a]);
      i /= to.dims[a];
    }
    return at;
  }
  constexpr lane_location elementwise(equation_ref const& e) {
    prim const op = e.e.op;
    aval const& t = e.out_type(0);
    if (!is_small(t) || op == prim::integer_pow || e.n_in() > max_operands) return fail();
    lane_location in[max_operands];
    for (int k = 0; k < e.n_in(); ++k) in[k] = in_slots(e.in(k));
    if (failed_) return fail();
    lane_element before[max_operands], made;
    return listed(count(t), [&](int i) {
      lane_element x[max_operands];
      bool again = i > 0;  // on the operands of the element before
      for (int k = 0; k < e.n_in(); ++k) {
        x[k] = element(in[k], broadcast_index(e.type(k), t, i));
        again = again && same(x[k], before[k]);
        before[k] = x[k];
      }
      if (!again) made = computed(e, x);
      return made;
    });
  }
  constexpr lane_element computed(equation_ref const& e, lane_element const* x) {
    prim const op = e.e.op;
    dtype const t = e.out_type(0).type;
    if (op == prim::convert_element_type) return convert(x[0], e.type(0).type, t);
    if (op != prim::select_n) return compute(op, e.type(0).type, t, x[0], x[1], x[2]);
    // select_n with n cases: a chain of two-way selections.
    lane_element chosen = x[1];
    for (int k = 2; k < e.n_in(); ++k) {
      lane_element mask = x[0];
      if (e.type(0).type != dtype::b1)
        mask = compute(prim::ge, e.type(0).type, dtype::b1, x[0], literal(e.type(0).type, static_cast<std::uint64_t>(k - 1)));
      chosen = compute(prim::select_n, t, t, mask, chosen, x[k]);
    }
    return chosen;
  }

  // ---- Movements

  constexpr lane_location movement(equation_ref const& e) {
    prim const op = e.e.op;
    aval const& t = e.out_type(0);
    if (op == prim::iota) {
      if (!is_small(t)) return fail();
      strides const weight(t);
      int const axis = e.param(1);
      return listed(count(t), [&](int i) { return number(t.type, static_cast<int>(i / weight[axis]) % t.dims[axis]); });
    }
    if (op == prim::concatenate) return concatenation(e);
    int const v = resolve(e.in(0));
    if (!p_.is_constant(v) && where_[v].first < 0 && where_[v].address >= 0)
      if (lane_location const r = seen(e, where_[v]); r.address >= 0) return r;
    if (!is_small(t)) return fail();
    lane_location const x = in_slots(v);
    if (failed_) return x;
    if (op == prim::pad) return pad(e, x);
    if (op == prim::reshape || op == prim::squeeze) return without_memory(x);
    return listed(count(t), [&](int i) { return element(x, source(e.type(0), pull(e, index_map::identity(t)), t, i)); });
  }
  constexpr lane_element number(dtype t, std::int64_t i) {
    lane_element const x = literal(dtype::i64, static_cast<std::uint64_t>(i));
    return convert(x, dtype::i64, t);
  }
  static constexpr int source(aval const& from, index_map const& m, aval const& to, int i) {
    int index[max_rank] = {};
    for (int a = to.rank - 1; a >= 0; --a) {
      index[a] = i % to.dims[a];
      i /= to.dims[a];
    }
    strides const weight(from);
    std::ptrdiff_t at = 0;
    for (int a = 0; a < from.rank; ++a) at += weight[a] * (m.of[a].offset + (m.of[a].axis >= 0 ? m.of[a].scale * index[m.of[a].axis] : 0));
    return static_cast<int>(at);
  }
  static constexpr lane_location without_memory(lane_location l) {
    l.address = l.view = -1;
    l.owned = l.changes = false;
    return l;
  }
  // Of a value that stands in memory only, and does not change: slices, transposes, and reshapes that only drop axes of 1, are
  // other strides. No address: none of these.
  constexpr lane_location seen(equation_ref const& e, lane_location const& x) {
    aval const &t = e.out_type(0), &from = e.type(0);
    strides const of = view(x);
    strides w;
    lane_location r;
    if (x.changes) return r;
    int a = x.address;
    if (e.e.op == prim::slice) {
      for (int i = 0; i < from.rank; ++i) {
        int const step = e.n_par() > 2 * from.rank ? e.param(2 * from.rank + i) : 1;
        w.of[i] = of[i] * step;
        a = moved_address(a, e.param(i) * of[i]);
      }
    } else if (e.e.op == prim::transpose) {
      for (int i = 0; i < t.rank; ++i) w.of[i] = of[e.param(i)];
    } else if (e.e.op == prim::squeeze || (e.e.op == prim::reshape && only_unit_axes_differ(from, t))) {
      for (int i = 0, j = 0; i < t.rank; ++i) {
        if (t.dims[i] == 1) continue;
        while (from.dims[j] == 1) ++j;
        w.of[i] = of[j++];
      }
    } else {
      return r;
    }
    r.address = a;
    r.view = new_view(w);
    return r;
  }

  // Which element of a piece stands at place i of the whole; -1: none. first, step: of each axis.
  template <class First, class Step>
  static constexpr int place_in_piece(aval const& piece, aval const& whole, int i, First first, Step step) {
    int at = 0;
    strides const weight(piece), of(whole);
    for (int a = 0; a < whole.rank; ++a) {
      int const k = static_cast<int>(i / of[a]) % whole.dims[a] - first(a);
      if (k < 0 || k % step(a) != 0 || k / step(a) >= piece.dims[a]) return -1;
      at += static_cast<int>(weight[a]) * (k / step(a));
    }
    return at;
  }
  constexpr lane_location pad(equation_ref const& e, lane_location const& x) {
    aval const &t = e.out_type(0), &piece = e.type(0);
    lane_location const fill = in_slots(e.in(1));
    if (failed_) return fill;
    return listed(count(t), [&](int i) {
      int const at = place_in_piece(piece, t, i, [&](int a) { return e.param(a); }, [&](int a) { return e.param(2 * t.rank + a) + 1; });
      return at >= 0 ? element(x, at) : element(fill, 0);
    });
  }
  constexpr lane_location concatenation(equation_ref const& e) {
    aval const& t = e.out_type(0);
    int const axis = e.param(0);
    if (!is_small(t)) return fail();
    arena<lane_location> parts;
    for (int k = 0; k < e.n_in() && !failed_; ++k) {
      lane_location const none;
      parts.push(e.type(k).size() > 0 ? in_slots(e.in(k)) : none);
    }
    if (failed_) return fail();
    return listed(count(t), [&](int i) {
      int first = 0;
      for (int k = 0;; ++k) {
        aval const& piece = e.type(k);
        int const at = place_in_piece(piece, t, i, [&](int a) { return a == axis ? first : 0; }, [](int) { return 1; });
        if (at >= 0) return element(parts[k], at);
        first += piece.dims[axis];
      }
    });
  }

  // ---- Updates, and indices that are values

  constexpr lane_location static_update(equation_ref const& e) {
    aval const &t = e.out_type(0), &piece = e.type(1);
    int const r = t.rank;
    int const v = resolve(e.in(0));
    if (!p_.is_constant(v) && where_[v].first < 0 && where_[v].owned && c_.live.dies_at(e.in(0), e.e)) {
      lane_location part;
      part.address = where_[v].address;
      strides const of = view(where_[v]);
      strides w;
      for (int a = 0; a < r; ++a) {
        part.address = moved_address(part.address, e.param(1 + a) * of[a]);
        w.of[a] = of[a] * e.param(1 + r + a);
      }
      part.view = new_view(w);
      return put(e, where_[v], piece, e.in(1), part);
    }
    if (!is_small(t)) return fail();
    lane_location const x = in_slots(v), u = in_slots(e.in(1));
    if (failed_) return fail();
    return listed(count(t), [&](int i) {
      int const at = place_in_piece(piece, t, i, [&](int a) { return e.param(1 + a); }, [&](int a) { return e.param(1 + r + a); });
      if (at < 0) return element(x, i);
      if (e.e.op == prim::scatter) return element(u, at);
      return compute(combiner(e.e.op), t.type, t.type, element(x, i), element(u, at));
    });
  }
  // Stores an update at a place in memory, combined with what stands there. x: the whole array.
  constexpr lane_location put(equation_ref const& e, lane_location x, aval const& piece, int update, lane_location const& place) {
    lane_location u = in_slots(update);
    if (failed_) return fail();
    if (e.e.op != prim::scatter && e.e.op != prim::dynamic_update_slice) {
      lane_location unguarded = place;
      region_address a = address(place.address);
      a.guarded = false;
      unguarded.address = out_.region_addresses.push(a);
      lane_location const old = load(piece, unguarded), with = u;
      if (failed_) return fail();
      u = listed(count(piece), [&](int i) { return compute(combiner(e.e.op), piece.type, piece.type, element(old, i), element(with, i)); });
    }
    store(u, piece, place);
    x.first = -1;
    return x;
  }
  constexpr lane_location dynamic_slice(equation_ref const& e) {
    aval const& t = e.out_type(0);
    if (!is_small(t)) return fail();
    lane_location const x = in_memory(e.in(0));
    if (failed_) return x;
    return without_memory(load(t, window(x, t, e.type(0), [&](int i) { return e.in(1 + i); })));
  }
  // In place where that is allowed, else on a copy.
  constexpr lane_location dynamic_update(equation_ref const& e) {
    aval const& t = e.out_type(0);
    bool const by_slice = e.e.op == prim::dynamic_update_slice;
    if (!by_slice && is_batched_scatter(e)) return fail();
    int const v = resolve(e.in(0));
    lane_location x;
    if (!p_.is_constant(v)) x = where_[v];
    bool const in_place = x.address >= 0 && x.owned && x.first < 0 && c_.live.dies_at(e.in(0), e.e);
    if (!in_place) {
      if (!is_small(t)) return fail();
      lane_location const old = in_slots(v);
      x = new_memory(t, true);
      if (failed_) return x;
      store(old, t, x, true);
    }
    aval part = e.type(by_slice ? 1 : 2);
    lane_location place = x;
    if (by_slice) {
      place = window(x, part, t, [&](int i) { return e.in(2 + i); });
    } else {
      scatter_numbers const s(e);
      part.rank = t.rank;
      for (int i = 0, at = 0; i < t.rank; ++i) part.dims[i] = s.is_dropped(i) ? 1 : e.type(2).dims[s.window[at++]];
      lane_location const indices = in_slots(e.in(1));
      dtype const of_index = e.type(1).type;
      for (int q = 0; q < s.to.size() && !failed_; ++q) {
        int const axis = s.to[q];
        lane_element const i = element(indices, q);
        place.address = with_term(place.address, {-1, of_index, i.slot, t.dims[axis] - part.dims[axis], view(x)[axis], i.differs});
      }
      if (failed_) return fail();
      address(place.address).guarded = true;
    }
    if (failed_) return fail();
    x = put(e, x, part, e.in(by_slice ? 1 : 2), place);
    if (in_place || failed_) return x;
    return without_memory(load(t, x));
  }

  // ---- Reductions and products, in the order that defines their bits (primitives/reduction.hpp, contraction.hpp)

  // Adds the upper half of the list to the lower, until one is left.
  constexpr lane_element fold(arena<lane_element>& x, prim op, dtype t) {
    for (int n = x.size() / 2; n > 0; n /= 2)
      for (int i = 0; i < n; ++i) x[i] = compute(op, t, t, x[i], x[n + i]);
    return x[0];
  }
  constexpr lane_location reduction(equation_ref const& e) {
    aval const &from = e.type(0), &t = e.out_type(0);
    if (!is_small(t) || from.size() > largest_value) return fail();
    prim const op = reduce_combiner(e.e.op);
    int reduced[max_rank] = {}, kept[max_rank] = {}, n_reduced = 0, n_kept = 0, n = 1;
    for (int i = 0; i < from.rank; ++i) {
      bool is_reduced = false;
      for (int axis : e.params()) is_reduced = is_reduced || axis == i;
      (is_reduced ? reduced[n_reduced++] : kept[n_kept++]) = i;
      if (is_reduced) n *= from.dims[i];
    }
    if (n > 64 || n == 0) return fail();
    lane_location const x = in_slots(e.in(0));
    if (failed_) return x;
    int width = 1;
    while (width < 8 && width < n) width *= 2;
    lane_element const none = literal(from.type, reduce_identity(e.e.op, from.type));
    strides const weight(from);
    auto const source = [&](int row, int at) {
      if (at >= n) return none;
      std::ptrdiff_t flat = 0;
      for (int i = n_reduced - 1; i >= 0; --i) flat += weight[reduced[i]] * (at % from.dims[reduced[i]]), at /= from.dims[reduced[i]];
      for (int i = n_kept - 1; i >= 0; --i) flat += weight[kept[i]] * (row % from.dims[kept[i]]), row /= from.dims[kept[i]];
      return element(x, static_cast<int>(flat));
    };
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
    auto const a = [&](int i, int k) { return element(lhs, factor(e, d, false, i, k)); };
    auto const b = [&](int i, int k) { return element(rhs, factor(e, d, true, i, k)); };
    // Upper halves are added to lower ones. Where there are no more products, +0 would be added to what is never -0.
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
  // Elements of one operand of a product, in slots or loaded when they are first asked for, in the dtype of the result.
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
  // parts: the operand is loaded in parts, as the product goes on.
  constexpr lane_location memory_or_slots(int v, bool parts) {
    v = resolve(v);
    if (p_.is_constant(v)) return in_slots(v);
    return is_ready(where_[v], p_.type(v)) || (parts && is_in_memory_only(where_[v])) ? where_[v] : in_slots(v);
  }
  // The left operand is a matrix of rows of n factors, one for each row of the result.
  static constexpr bool has_rows(equation_ref const& e, dot_numbers const& d, int columns, int n) {
    for (int i = 0; i < count(e.out_type(0)); i += columns)
      for (int k = 0; k < n; ++k)
        if (factor(e, d, false, i, k) != i / columns * n + k) return false;
    return true;
  }
  // Some rows of the result at a time, column by column: an element of the right operand serves all of them, and what is done can
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
    if (place.address >= 0 && (parted_ > 0 || address(place.address).row[k_.row_axes - 1] == 0 || address(place.address).of_lanes)) place = {};
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
            lane_element const a = factor_at(lhs, factor(e, d, false, i * columns + j, k)), b = factor_at(rhs, factor(e, d, true, i * columns + j, k));
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
  // The element of an operand that element i of the result takes at step k of its sum.
  static constexpr int factor(equation_ref const& e, dot_numbers const& d, bool right, int i, int k) {
    aval const& t = e.out_type(0);
    aval const& from = e.type(right);
    span<int> const contracting = right ? d.rhs_contract : d.lhs_contract, batch = right ? d.rhs_batch : d.lhs_batch;
    int index[max_rank] = {};
    for (int a = t.rank - 1; a >= 0; --a) {
      index[a] = i % t.dims[a];
      i /= t.dims[a];
    }
    strides const weight(from);
    std::ptrdiff_t at = 0;
    for (int j = contracting.size() - 1; j >= 0; --j) {
      at += weight[contracting[j]] * (k % from.dims[contracting[j]]);
      k /= from.dims[contracting[j]];
    }
    int free = batch.size();
    if (right) free += e.type(0).rank - d.lhs_contract.size() - d.lhs_batch.size();
    for (int a = 0; a < from.rank; ++a) {
      int place = -1;
      bool summed = false;
      for (int j = 0; j < batch.size(); ++j)
        if (batch[j] == a) place = j;
      for (int axis : contracting) summed = summed || axis == a;
      if (summed) continue;
      at += weight[a] * index[place >= 0 ? place : free++];
    }
    return static_cast<int>(at);
  }

  static constexpr int max_operands = 8;
  static constexpr int rows_at_once = 4;
};

}  // namespace exprax::detail::planning
