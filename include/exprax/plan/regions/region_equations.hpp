// SPDX-License-Identifier: BSL-1.0
// Equations of a region except control, over either layout: elementwise, movements as permutations, small reductions and products, and
// reads and updates at dynamic indices.
//
// A layout supplies: literal, constant and constants; load and store; compute, convert and permute; in_parts, fold and compute_where
// (run_layout.hpp, lane_layout.hpp).
// Longer than 300 lines: one class, a rule for each kind of equation.
#pragma once

#include <exprax/plan/regions/region_base.hpp>
#include <exprax/primitives/indexed/scatter_family.hpp>
#include <exprax/primitives/indexed/update_slice_family.hpp>
#include <exprax/primitives/reductions/reduction.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax::detail::planning {

template <class Layout>
class region_equations : public Layout {
 protected:
  using Layout::Layout;
  using Layout::c_, Layout::p_, Layout::where_, Layout::failed_, Layout::fail, Layout::resolve, Layout::is_small;
  using Layout::without_memory, Layout::constant_in_memory, Layout::strides_of, Layout::viewed, Layout::moved_address;
  using Layout::with_index, Layout::with_guard, Layout::new_memory, Layout::load, Layout::store;
  using Layout::literal, Layout::constant, Layout::constants, Layout::compute, Layout::convert, Layout::permute;

  // The value in slots.
  constexpr location in_slots(int v) {
    v = resolve(v);
    if (failed_) return fail();
    if (p_.is_constant(v)) return constant(v);
    location const& l = where_[v];
    if (l.in_slots()) return l;
    return l.in_memory() ? load(p_.type(v), l) : fail();
  }
  // The value in memory; it is stored if it is only in slots.
  constexpr location in_memory(int v) {
    v = resolve(v);
    aval const& t = p_.type(v);
    if (p_.is_constant(v)) return constant_in_memory(v);
    if (where_[v].in_memory() || failed_) return where_[v];
    location const l = in_slots(v);
    location r = failed_ ? fail() : new_memory(t, this->varies(l, t));
    if (!failed_) store(l, t, r, true);
    r.owned = true;
    return r;
  }
  // An equation with one result and no blocks.
  constexpr location equation(equation_ref const& e) {
    prim const op = e.e.op;
    if (e.out_type(0).size() == 0) return {};
    if (is_elementwise(op)) return elementwise(e);
    if (makes_each_element(op)) return movement(e);
    if (op == prim::dynamic_slice) return dynamic_slice(e);
    if (is_update(op)) return is_static_update(op) ? static_update(e) : dynamic_update(e);
    if (is_reduction(op)) return reduction(e);
    if (op == prim::dot_general) return product(e);
    return fail();
  }

 private:
  constexpr location elementwise(equation_ref const& e) {
    prim const op = e.e.op;
    aval const& t = e.out_type(0);
    if (!is_small(t) || op == prim::integer_pow) return fail();
    location in[3];
    for (int k = 0; k < e.n_in(); ++k) {
      in[k] = operand(e, k);
      if (failed_) return fail();
    }
    if (op == prim::convert_element_type) return convert(in[0], e.type(0).type, t);
    return compute(op, e.type(e.n_in() - 1).type, t, in[0], in[1], in[2]);
  }
  // In its own dtype: that of the result differs in comparisons and selections.
  constexpr location operand(equation_ref const& e, int k) {
    aval const &from = e.type(k), to = e.out_type(0).with_type(from.type);
    location const l = in_slots(e.in(k));
    return !l.wide || from.same_shape(to) ? l : mapped(l, from, to, pull_broadcast(from, to, index_map::identity(to)));
  }

  // ---- Movements

  constexpr location movement(equation_ref const& e) {
    prim const op = e.e.op;
    aval const& t = e.out_type(0);
    switch (op) {
      case prim::iota: return counting(e);
      case prim::concatenate: return concatenation(e);
      default: break;
    }
    int const v = resolve(e.in(0));
    if (!p_.is_constant(v) && where_[v].only_in_memory())
      if (location const r = moved(e, where_[v]); failed_ || r.in_slots() || r.in_memory()) return r;
    if (!is_small(t)) return fail();
    location const x = in_slots(v);
    if (failed_) return x;
    switch (op) {
      case prim::pad: return pad(e, x);
      case prim::reshape: case prim::squeeze: return this->reshaped(x);
      default: return mapped(x, e.type(0), t, pull(e, index_map::identity(t)));
    }
  }
  // An affine movement of a value in slots: broadcasts, slices, transposes.
  constexpr location mapped(location const& l, aval const& from, aval const& to, index_map const& m) {
    if (!l.wide) return without_memory(l);
    return permute(l, from.size(), {}, to, [&](int i) { return mapped_element(from, m, to, i); });
  }
  // A movement of a value that is only in memory: the result is the same memory, read with other strides. Not in memory and not in slots:
  // the layout cannot read it so.
  constexpr location moved(equation_ref const& e, location const& x) {
    aval const &t = e.out_type(0), &from = e.type(0);
    location r;
    if (is_affine_movement(e)) {
      index_map const m = operand_index(e);
      place const first = m.element_of(strides_of(x, from));
      if (Layout::strided ? is_repeated_or_reversed(m, t) : !first.is_dense(t)) return r;
      strides w;
      for (int i = 0; i < t.rank; ++i) w.of[i] = first.step[i];
      r = viewed(moved_address(x.address, first.base), w, t);
    } else if (e.e.op == prim::reshape && !Layout::strided) {
      r.address = x.address;
    }
    if (!x.changes || !r.in_memory()) return r;
    return is_small(t) ? without_memory(load(t, r)) : fail();
  }
  static constexpr bool is_repeated_or_reversed(index_map const& m, aval const& t) {
    bool is_read[max_rank] = {};
    for (int i = 0; i < m.rank; ++i)
      if (m.of[i].axis >= 0 && (m.of[i].scale > 0 || t.dims[m.of[i].axis] == 1)) is_read[m.of[i].axis] = true;
    for (int i = 0; i < t.rank; ++i)
      if (t.dims[i] != 1 && !is_read[i]) return true;
    return false;
  }
  constexpr location counting(equation_ref const& e) {
    aval const& t = e.out_type(0);
    if (!is_small(t)) return fail();
    strides const weight(t);
    int const axis = e.param(1);
    return constants(t, [&](int i) { return static_cast<int>(i / weight[axis]) % t.dims[axis]; });
  }
  constexpr location pad(equation_ref const& e, location const& x) {
    aval const &t = e.out_type(0), &piece = e.type(0);
    location const fill = in_slots(e.in(1));
    if (failed_) return fill;
    return permute(x, piece.size(), fill, t, [&](int i) {
      return element_of_piece(piece, t, i, [&](int a) { return e.param(a); }, [&](int a) { return e.param(2 * t.rank + a) + 1; });
    });
  }
  constexpr location concatenation(equation_ref const& e) {
    aval const& t = e.out_type(0);
    if (!is_small(t)) return fail();
    int const axis = e.param(0);
    location made;
    int first = 0;
    for (int k = 0; k < e.n_in(); ++k) {
      aval const& piece = e.type(k);
      if (piece.size() > 0) {
        location const part = in_slots(e.in(k));
        if (failed_) return part;
        bool const begins = !made.in_slots();  // the first piece also fills the elements of later pieces
        made = permute(part, piece.size(), made, t, [&](int i) {
          int const at = element_of_piece(piece, t, i, [&](int a) { return a == axis ? first : 0; }, [](int) { return 1; });
          return begins && at == from_fill ? 0 : at;
        });
      }
      first += piece.dims[axis];
    }
    return without_memory(made);
  }

  // ---- Updates, and reads and updates at dynamic indices

  // The part of a value in memory with these strides. Not in memory: the layout cannot read it.
  constexpr location part_at(int address, strides const& w, aval const& part) {
    return Layout::strided || Layout::is_row_major(w, part) ? viewed(address, w, part) : location{};
  }
  // Whether the equation may overwrite its first operand, which is only in memory.
  constexpr bool may_overwrite(equation_ref const& e) const {
    int const v = resolve(e.in(0));
    return !p_.is_constant(v) && where_[v].only_in_memory() && where_[v].owned && c_.live.dies_at(e.in(0), e.e);
  }
  constexpr location static_update(equation_ref const& e) {
    aval const &t = e.out_type(0), &piece = e.type(1);
    updated_slice const s(e);
    if (may_overwrite(e)) {
      location const x = where_[resolve(e.in(0))];
      strides const of = strides_of(x, t);
      int address = x.address;
      strides w;
      for (int a = 0; a < t.rank; ++a) {
        address = moved_address(address, s.start[a] * of[a]);
        w.of[a] = of[a] * s.step[a];
      }
      location const part = part_at(address, w, piece);
      return part.in_memory() ? put(e, x, piece, in_slots(e.in(1)), part) : fail();
    }
    if (!is_small(t)) return fail();
    location const x = in_slots(e.in(0)), u = in_slots(e.in(1));
    if (failed_) return fail();
    auto const source = [&](int i) {
      return element_of_piece(piece, t, i, [&](int a) { return s.start[a]; }, [&](int a) { return s.step[a]; });
    };
    location const updated = permute(u, piece.size(), x, t, source);
    if (replaces_elements(e.e.op) || failed_) return updated;
    return this->compute_where([&](int i) { return source(i) != from_fill; }, traits_of(e.e.op).combiner, t, x, updated);
  }
  // Stores an update in part of x, combined with the old elements. x: the whole array.
  constexpr location put(equation_ref const& e, location x, aval const& piece, location u, location const& part) {
    if (failed_) return x;
    if (!replaces_elements(e.e.op)) {
      location unguarded = part;
      unguarded.address = with_guard(part.address, false);
      location const old = load(piece, unguarded);
      if (failed_) return old;
      u = compute(traits_of(e.e.op).combiner, piece.type, piece, old, u);
    }
    store(u, piece, part);
    x.slots = location::nowhere;
    return x;
  }
  // The window of x that starts at dynamic indices, which are clamped. start: one scalar for each axis.
  template <class Start>
  constexpr location window(location const& x, aval const& part, aval const& whole, Start start) {
    strides const of = strides_of(x, whole);
    int a = x.address;
    for (int i = 0; i < whole.rank && !failed_; ++i) {
      int const limit = whole.dims[i] - part.dims[i];
      if (limit == 0) continue;
      int const v = resolve(start(i));
      if (p_.is_constant(v)) {
        std::int64_t const at = static_cast<std::int64_t>(p_.bits(v));
        a = moved_address(a, static_cast<std::ptrdiff_t>(at < 0 ? 0 : at > limit ? limit : at) * of[i]);
      } else {
        location const index = in_slots(v);
        if (!failed_) a = with_index(a, this->scalar(index, p_.type(v), 0), p_.type(v).type, limit, of[i]);
      }
    }
    location const r = part_at(a, of, part);
    return r.in_memory() && !failed_ ? r : fail();
  }
  constexpr location dynamic_slice(equation_ref const& e) {
    aval const& t = e.out_type(0);
    if (!is_small(t)) return fail();
    location const x = in_memory(e.in(0));
    if (failed_) return x;
    location const part = window(x, t, e.type(0), [&](int i) { return e.in(1 + i); });
    return failed_ ? part : without_memory(load(t, part));
  }
  // In place if that is allowed, else on a copy.
  constexpr location dynamic_update(equation_ref const& e) {
    aval const& t = e.out_type(0);
    bool const by_slice = e.e.op == prim::dynamic_update_slice;
    if (!by_slice && is_batched_scatter(e)) return fail();
    bool const in_place = may_overwrite(e);
    location x;
    if (in_place) {
      x = where_[resolve(e.in(0))];
    } else {
      if (!is_small(t)) return fail();
      location const old = in_slots(e.in(0));
      x = failed_ ? fail() : new_memory(t, true);
      if (failed_) return x;
      store(old, t, x, true);
    }
    location const u = in_slots(e.in(by_slice ? 1 : 2));
    if (failed_) return u;
    aval piece = e.type(by_slice ? 1 : 2);
    location part;
    if (by_slice) {
      part = window(x, piece, t, [&](int i) { return e.in(2 + i); });
    } else {
      scatter_numbers const s(e);
      piece.rank = t.rank;
      for (int i = 0, at = 0; i < t.rank; ++i) piece.dims[i] = s.is_dropped(i) ? 1 : e.type(2).dims[s.window[at++]];
      part = scattered_window(e, s, x, piece);
    }
    if (failed_) return part;
    x = put(e, x, piece, u, part);
    if (in_place || failed_) return x;
    return without_memory(load(t, x));
  }
  // The window of an update by scatter: nothing is stored if an index is out of bounds.
  constexpr location scattered_window(equation_ref const& e, scatter_numbers const& s, location const& x, aval const& piece) {
    aval const &t = e.out_type(0), &of_index = e.type(1);
    location const indices = in_slots(e.in(1));
    strides const of = strides_of(x, t);
    int a = x.address;
    for (int q = 0; q < s.to.size() && !failed_; ++q) {
      int const axis = s.to[q];
      a = with_index(a, this->scalar(indices, of_index, q), of_index.type, t.dims[axis] - piece.dims[axis], of[axis]);
    }
    location const r = part_at(with_guard(a, true), of, piece);
    return r.in_memory() && !failed_ ? r : fail();
  }

  // ---- Reductions and products, in the order that defines their bits (primitives/reductions/reduction.hpp, contraction.hpp)

  constexpr location reduction(equation_ref const& e) {
    aval const &from = e.type(0), &t = e.out_type(0);
    prim const op = traits_of(e.e.op).combiner;
    reduced_axes const axes(e);
    if (!is_small(from) || !is_small(t) || axes.count > 64) return fail();
    int width = 1;
    while (width < 8 && width < axes.count) width *= 2;
    int const rows = static_cast<int>(t.size()), blocks = (axes.count + 7) / 8;
    if (!Layout::fits(from.type, rows * width)) return fail();
    location const x = in_slots(e.in(0));
    if (failed_) return x;
    location const none = literal(from.type, reduction_identity_bits(op, from.type));
    return this->in_parts(rows, [&](int row, int n_rows) {
      location const sums = this->in_parts(n_rows * width, [&](int lane, int n) {
        aval const lanes(from.type, {n});
        location m[8];
        for (int k = 0; k < blocks; ++k)
          m[k] = permute(x, from.size(), none, lanes, [&](int i) {
            int const at = 8 * k + (lane + i) % width;
            return at < axes.count ? axes.element(row + (lane + i) / width, at) : from_fill;
          });
        auto const join = [&](location const& a, location const& b) {
          return b.in_slots() && !failed_ ? compute(op, from.type, lanes, a, b) : a;
        };
        location const even = join(join(m[0], m[2]), join(m[4], m[6])), odd = join(join(m[1], m[3]), join(m[5], m[7]));
        return failed_ ? fail() : compute(op, from.type, lanes, none, join(even, odd));
      });
      return failed_ ? sums : this->fold(sums, op, from.type, n_rows, width);
    });
  }
  constexpr location product(equation_ref const& e) {
    dot_numbers const d(e.params());
    aval const &t = e.out_type(0), &of_lhs = e.type(0), &of_rhs = e.type(1);
    int n = 1;
    for (int axis : d.lhs_contract) n *= of_lhs.dims[axis];
    if (!is_small(t) || !is_small(of_lhs) || !is_small(of_rhs) || n > dot_accumulators) return fail();
    auto const factors = [&](int k) {
      int const v = resolve(e.in(k));
      return d.order == 0 && !p_.is_constant(v) && this->is_streamed(e, d, k, n) ? where_[v] : in_slots(v);
    };
    location const lhs = factors(0), rhs = factors(1);
    if (failed_) return fail();
    return d.order == 0 ? this->product_in_sequence(e, d, n, lhs, rhs) : product_by_halves(e, d, n, lhs, rhs);
  }
  // Adding +0 for a missing term changes nothing, because no sum here is -0.
  constexpr location product_by_halves(equation_ref const& e, dot_numbers const& d, int n, location const& lhs, location const& rhs) {
    aval const& t = e.out_type(0);
    int const rows = static_cast<int>(t.size()), width = Layout::padded(n);
    if (!Layout::fits(t.type, rows * width)) return fail();
    location const a = convert(lhs, e.type(0).type, e.type(0).with_type(t.type)),
                   b = convert(rhs, e.type(1).type, e.type(1).with_type(t.type));
    location const zero = literal(t.type, 0);
    return this->in_parts(rows, [&](int row, int n_rows) {
      aval const terms(t.type, {n_rows, width});
      auto const factor = [&](location const& x, bool right) {
        return permute(x, e.type(right).size(), zero, terms,
                       [&](int i) { return i % width < n ? factor_of_product(e, d, right, row + i / width, i % width) : from_fill; });
      };
      location const x = factor(a, false), y = factor(b, true);
      if (failed_) return fail();
      location const products =
          is_floating(t.type) ? compute(prim::fma, t.type, terms, x, y, zero) : compute(prim::mul, t.type, terms, x, y);
      return failed_ ? products : this->fold(products, prim::add, t.type, n_rows, width);
    });
  }
};

}  // namespace exprax::detail::planning
