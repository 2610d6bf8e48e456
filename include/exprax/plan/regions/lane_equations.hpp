// SPDX-License-Identifier: BSL-1.0
// Equations of a region in lanes except control, element by element: movements reorder existing elements; arrays that are read or updated
// at dynamic indices are in memory.
#pragma once

#include <exprax/plan/regions/lane_sums.hpp>
#include <exprax/primitives/indexed/scatter_family.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax::detail::planning {

class lane_equations : public lane_sums {
 public:
  using lane_sums::lane_sums;

 protected:
  // An equation with one result and no blocks.
  constexpr lane_location equation(equation_ref const& e) {
    prim const op = e.e.op;
    if (is_elementwise(op)) return elementwise(e);
    if (makes_each_element(op)) return movement(e);
    if (op == prim::dynamic_slice) return dynamic_slice(e);
    if (is_update(op)) return is_static_update(op) ? static_update(e) : dynamic_update(e);
    if (is_reduction(op)) return reduction(e);
    if (op == prim::dot_general) return product(e);
    return fail();
  }

 private:
  // The index of the operand's element for element i of the result of an elementwise equation.
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
    if (!is_small(t) || op == prim::integer_pow) return fail();
    lane_location in[max_operands];
    for (int k = 0; k < e.n_in(); ++k) in[k] = in_slots(e.in(k));
    if (failed_) return fail();
    lane_element before[max_operands], made;
    return listed(count(t), [&](int i) {
      lane_element x[max_operands];
      bool again = i > 0;  // with the operands of the element before
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
    return compute(op, e.type(e.n_in() - 1).type, t, x[0], x[1], x[2]);
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
    return listed(count(t), [&](int i) { return element(x, mapped_element(e.type(0), pull(e, index_map::identity(t)), t, i)); });
  }
  constexpr lane_element number(dtype t, std::int64_t i) {
    lane_element const x = literal(dtype::i64, static_cast<std::uint64_t>(i));
    return convert(x, dtype::i64, t);
  }
  static constexpr lane_location without_memory(lane_location l) {
    l.address = l.view = -1;
    l.owned = l.changes = false;
    return l;
  }
  // For a value that is only in memory and does not change: an affine movement without repetition or reversal only changes the strides.
  // Without an address: not such a movement.
  constexpr lane_location seen(equation_ref const& e, lane_location const& x) {
    lane_location r;
    if (x.changes || !is_affine_movement(e)) return r;
    aval const& t = e.out_type(0);
    index_map const m = operand_index(e);
    strides w;
    for (int i = 0; i < m.rank; ++i)
      if (m.of[i].axis >= 0 && (m.of[i].scale > 0 || t.dims[m.of[i].axis] == 1)) w.of[m.of[i].axis] = 1;
    for (int i = 0; i < t.rank; ++i)
      if (t.dims[i] != 1 && w[i] == 0) return r;
    place const first = m.element_of(view(x));
    for (int i = 0; i < t.rank; ++i) w.of[i] = first.step[i];
    r.address = moved_address(x.address, first.base);
    r.view = new_view(w);
    return r;
  }

  constexpr lane_location pad(equation_ref const& e, lane_location const& x) {
    aval const &t = e.out_type(0), &piece = e.type(0);
    lane_location const fill = in_slots(e.in(1));
    if (failed_) return fill;
    return listed(count(t), [&](int i) {
      int const at = element_of_piece(piece, t, i, [&](int a) { return e.param(a); }, [&](int a) { return e.param(2 * t.rank + a) + 1; });
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
        int const at = element_of_piece(piece, t, i, [&](int a) { return a == axis ? first : 0; }, [](int) { return 1; });
        if (at >= 0) return element(parts[k], at);
        first += piece.dims[axis];
      }
    });
  }

  // ---- Updates and dynamic indices

  constexpr lane_location static_update(equation_ref const& e) {
    aval const &t = e.out_type(0), &piece = e.type(1);
    updated_slice const s(e);
    int const v = resolve(e.in(0));
    if (!p_.is_constant(v) && where_[v].first < 0 && where_[v].owned && c_.live.dies_at(e.in(0), e.e)) {
      lane_location part;
      part.address = where_[v].address;
      strides const of = view(where_[v]);
      strides w;
      for (int a = 0; a < t.rank; ++a) {
        part.address = moved_address(part.address, s.start[a] * of[a]);
        w.of[a] = of[a] * s.step[a];
      }
      part.view = new_view(w);
      return put(e, where_[v], piece, e.in(1), part);
    }
    if (!is_small(t)) return fail();
    lane_location const x = in_slots(v), u = in_slots(e.in(1));
    if (failed_) return fail();
    return listed(count(t), [&](int i) {
      int const at = element_of_piece(piece, t, i, [&](int a) { return s.start[a]; }, [&](int a) { return s.step[a]; });
      if (at < 0) return element(x, i);
      if (replaces_elements(e.e.op)) return element(u, at);
      return compute(traits_of(e.e.op).combiner, t.type, t.type, element(x, i), element(u, at));
    });
  }
  // Stores an update in memory, combined with the old elements. x: the whole array.
  constexpr lane_location put(equation_ref const& e, lane_location x, aval const& piece, int update, lane_location const& place) {
    lane_location u = in_slots(update);
    if (failed_) return fail();
    if (!replaces_elements(e.e.op)) {
      lane_location unguarded = place;
      region_address a = address(place.address);
      a.guarded = false;
      unguarded.address = out_.region_addresses.push(a);
      lane_location const old = load(piece, unguarded), with = u;
      if (failed_) return fail();
      u = listed(count(piece), [&](int i) { return compute(traits_of(e.e.op).combiner, piece.type, piece.type, element(old, i), element(with, i)); });
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
  // In place if that is allowed, else on a copy.
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
        place.address = with_term(place.address, {-1, of_index, i.slot, t.dims[axis] - part.dims[axis], view(x)[axis], i.varies});
      }
      if (failed_) return fail();
      address(place.address).guarded = true;
    }
    if (failed_) return fail();
    x = put(e, x, part, e.in(by_slice ? 1 : 2), place);
    if (in_place || failed_) return x;
    return without_memory(load(t, x));
  }

  static constexpr int max_operands = 3;
};

}  // namespace exprax::detail::planning
