// SPDX-License-Identifier: BSL-1.0
// Equations of a region except control: elementwise, movements as permutations of lanes, small reductions and products, and reads and
// updates at dynamic indices.
#pragma once

#include <exprax/plan/regions/region_builder.hpp>
#include <exprax/primitives/indexed/scatter_family.hpp>
#include <exprax/primitives/reductions/reduction.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax::detail::planning {

class region_equations : public region_builder {
 public:
  using region_builder::region_builder;

 protected:
  // An equation with one result and no blocks.
  constexpr location equation(equation_ref const& e) {
    prim const op = e.e.op;
    if (is_elementwise(op)) return elementwise(e);
    if (makes_each_element(op)) return movement(e);
    if (op == prim::dynamic_slice) return dynamic_slice(e);
    if (is_update(op)) return is_static_update(e) ? static_update(e) : dynamic_update(e);
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
      if (failed_) return in[k];
    }
    if (op == prim::convert_element_type) return convert(in[0], e.type(0).type, t);
    return compute(op, e.type(e.n_in() - 1).type, t, in[0], in[1], in[2]);
  }
  // In its own dtype: that of the result differs in comparisons and selections.
  constexpr location operand(equation_ref const& e, int k) {
    return broadcast(in_slot(e.in(k)), e.type(k), e.out_type(0).with_type(e.type(k).type));
  }

  // ---- Movements

  constexpr location movement(equation_ref const& e) {
    prim const op = e.e.op;
    aval const& t = e.out_type(0);
    if (op == prim::iota) return counting(e);
    if (op == prim::concatenate) return concatenation(e);
    int const v = resolve(e.in(0));
    if (!p_.is_constant(v) && where_[v].slot < 0 && where_[v].address >= 0) return view(e, where_[v]);
    if (op == prim::pad) return pad(e);
    location x = in_slot(v);
    if (failed_ || !x.wide) return is_small(t) ? without_memory(x) : fail();
    if (op == prim::reshape || op == prim::squeeze) return x;
    if (!is_small(t)) return fail();
    return mapped(x, e.type(0), t, pull(e, index_map::identity(t)));
  }
  static constexpr location without_memory(location l) {
    l.address = -1;
    l.owned = l.changes = false;
    return l;
  }
  // For a value that is only in memory: the address of the result if it is contiguous there, else a load.
  constexpr location view(equation_ref const& e, location const& x) {
    aval const &t = e.out_type(0), &from = e.type(0);
    location r;
    r.changes = x.changes;
    r.address = x.address;
    if (is_affine_movement(e)) {
      place const first = operand_index(e).element_of(strides(from));
      if (!first.is_dense(t)) return in_slots(e, x);
      r.address = moved_address(r.address, first.base);
    } else if (e.e.op != prim::reshape) {
      return in_slots(e, x);
    }
    if (!r.changes) return r;
    return is_small(t) ? without_memory(load(t, r.address)) : fail();
  }
  constexpr location in_slots(equation_ref const& e, location const& x) {
    location const l = load(e.type(0), x.address);
    if (failed_) return l;
    if (e.e.op == prim::pad) return pad(e);
    return is_small(e.out_type(0)) ? mapped(l, e.type(0), e.out_type(0), pull(e, index_map::identity(e.out_type(0)))) : fail();
  }
  constexpr location counting(equation_ref const& e) {
    aval const& t = e.out_type(0);
    if (!is_small(t)) return fail();
    strides const weight(t);
    int const axis = e.param(1);
    return constants(t, [&](int lane) { return static_cast<int>(lane / weight[axis]) % t.dims[axis]; });
  }

  constexpr location pad(equation_ref const& e) {
    aval const &t = e.out_type(0), &piece = e.type(0);
    if (!is_small(t)) return fail();
    location const x = in_slot(e.in(0)), fill = in_slot(e.in(1));
    return permute(x, piece.size(), fill, t, [&](int lane) {
      return element_of_piece(piece, t, lane, [&](int i) { return e.param(i); }, [&](int i) { return e.param(2 * t.rank + i) + 1; });
    });
  }
  constexpr location concatenation(equation_ref const& e) {
    aval const& t = e.out_type(0);
    if (!is_small(t)) return fail();
    int const axis = e.param(0);
    location made;
    int first = 0;
    for (int k = 0; k < e.n_in() && !failed_; ++k) {
      aval const& piece = e.type(k);
      if (piece.size() > 0) {
        location const part = in_slot(e.in(k));
        auto const lane_of = [&](int lane) { return element_of_piece(piece, t, lane, [&](int i) { return i == axis ? first : 0; }, [](int) { return 1; }); };
        bool const begins = made.slot < 0;  // the first piece also fills the lanes of later pieces
        made = permute(part, piece.size(), made, t, [&](int lane) {
          int const at = lane_of(lane);
          return begins && at < 0 ? 0 : at;
        });
      }
      first += piece.dims[axis];
    }
    return made.slot < 0 ? fail() : without_memory(made);
  }
  constexpr location static_update(equation_ref const& e) {
    aval const& t = e.out_type(0);
    int const r = t.rank;
    int const v = resolve(e.in(0));
    if (!p_.is_constant(v) && where_[v].slot < 0) return update_run(e, where_[v]);
    if (!is_small(t)) return fail();
    aval const& piece = e.type(1);
    location const x = in_slot(v), u = in_slot(e.in(1));
    auto const lane_of = [&](int lane) {
      return element_of_piece(piece, t, lane, [&](int i) { return e.param(1 + i); }, [&](int i) { return e.param(1 + r + i); });
    };
    if (failed_ || e.e.op == prim::scatter) return failed_ ? x : permute(u, piece.size(), x, t, lane_of);
    location const other = permute(u, piece.size(), x, t, lane_of);
    location const joined = compute(traits_of(e.e.op).combiner, t.type, t, x, other);
    arena<int> table;
    for (int lane = 0; lane < static_cast<int>(t.size()); ++lane) table.push(lane_of(lane) >= 0);
    location const mask = convert(constants(t.with_type(dtype::i32), [&](int lane) { return table[lane]; }), dtype::i32, t.with_type(dtype::b1));
    return compute(prim::select_n, t.type, t, mask, x, joined);
  }
  // Updates a static region of a value in memory.
  constexpr location update_run(equation_ref const& e, location const& x) {
    aval const &t = e.out_type(0), &piece = e.type(1);
    strides const weight(t);
    if (!x.owned || !c_.live.dies_at(e.in(0), e.e) || !is_run(piece, t)) return fail();
    int address = x.address;
    for (int i = 0; i < t.rank; ++i) {
      if (e.param(1 + t.rank + i) != 1 && piece.dims[i] > 1) return fail();
      address = moved_address(address, e.param(1 + i) * weight[i]);
    }
    return put(e, x, piece, in_slot(e.in(1)), address);
  }
  // Stores an update at an address, combined with the old elements.
  constexpr location put(equation_ref const& e, location x, aval const& piece, location u, int address) {
    if (failed_) return x;
    if (e.e.op != prim::scatter && e.e.op != prim::dynamic_update_slice) {
      bool const guarded = out_.region_addresses[address].guarded;
      int unguarded = address;
      if (guarded) {
        region_address a = out_.region_addresses[address];
        a.guarded = false;
        unguarded = out_.region_addresses.push(a);
      }
      u = compute(traits_of(e.e.op).combiner, piece.type, piece, load(piece, unguarded), u);
    }
    store(u, piece, address);
    x.slot = -1;
    return x;
  }

  // ---- Dynamic indices

  constexpr location dynamic_slice(equation_ref const& e) {
    aval const &t = e.out_type(0), &from = e.type(0);
    if (!is_small(t) || !is_run(t, from)) return fail();
    location const x = in_memory(e.in(0));
    if (failed_) return x;
    return without_memory(load(t, window_address(x.address, t, from, [&](int i) { return e.in(1 + i); })));
  }
  // In place if that is allowed, else on a copy.
  constexpr location dynamic_update(equation_ref const& e) {
    aval const& t = e.out_type(0);
    bool const by_slice = e.e.op == prim::dynamic_update_slice;
    if (!by_slice && is_batched_scatter(e)) return fail();
    int const v = resolve(e.in(0));
    location x;
    if (!p_.is_constant(v)) x = where_[v];
    bool const in_place = x.address >= 0 && x.owned && x.slot < 0 && c_.live.dies_at(e.in(0), e.e);
    if (!in_place) {
      if (!is_small(t)) return fail();
      location const old = in_slot(v);
      x = {};
      x.address = new_address(c_.new_scratch(t));
      store(old, t, x.address);
    }
    location const u = in_slot(e.in(by_slice ? 1 : 2));
    if (failed_) return u;
    aval window = e.type(by_slice ? 1 : 2);
    int address = x.address;
    if (by_slice) {
      if (!is_run(window, t)) return fail();
      address = window_address(address, window, t, [&](int i) { return e.in(2 + i); });
    } else {
      scatter_numbers const s(e);
      window.rank = t.rank;
      for (int i = 0, at = 0; i < t.rank; ++i) window.dims[i] = s.is_dropped(i) ? 1 : e.type(2).dims[s.window[at++]];
      if (!is_run(window, t)) return fail();
      address = guarded_address(e, s, address, window, t);
    }
    x = put(e, x, window, u, address);
    if (in_place || failed_) return x;
    return without_memory(load(t, x.address));
  }
  constexpr int guarded_address(equation_ref const& e, scatter_numbers const& s, int address, aval const& window, aval const& whole) {
    strides const weight(whole);
    location const indices = in_slot(e.in(1));
    aval const& type = e.type(1);
    for (int q = 0; q < s.to.size(); ++q) {
      int const axis = s.to[q];
      location const component = permute(indices, type.size(), {}, aval(type.type), [&](int) { return q; });
      address = with_term(address, {-1, type.type, component.slot, whole.dims[axis] - window.dims[axis], weight[axis], false});
    }
    out_.region_addresses[address].guarded = true;
    return address;
  }

  // ---- Reductions and products, in the order that defines their bits (primitives/reductions/reduction.hpp, contraction.hpp)

  // Combines the upper half of each row's lanes with the lower, until one is left. t: [rows, lanes].
  constexpr location fold(location x, aval t, prim op, dtype type) {
    while (t.dims[1] > 1) {
      int const n = t.dims[1] / 2;
      aval const half(type, {t.dims[0], n});
      auto const part = [&](int first) { return !x.wide ? x : permute(x, t.size(), {}, half, [&](int lane) { return lane / n * t.dims[1] + first + lane % n; }); };
      location const low = part(0), high = part(n);
      x = compute(op, type, half, low, high);
      t = half;
    }
    return x;
  }
  constexpr location reduction(equation_ref const& e) {
    aval const &from = e.type(0), &t = e.out_type(0);
    prim const op = traits_of(e.e.op).combiner;
    if (!is_small(from) || !is_small(t)) return fail();
    location const x = in_slot(e.in(0));
    reduced_axes const axes(e);
    int const count = axes.count;
    int const rows = static_cast<int>(t.size());
    if (failed_ || count > 64) return fail();
    int width = 1;
    while (width < 8 && width < count) width *= 2;
    aval const lanes(from.type, {rows, width});
    if (!is_small(lanes)) return fail();
    location const none = literal(from.type, reduction_identity_bits(traits_of(e.e.op).combiner, from.type));
    auto const source = [&](int lane, int block) {
      int const at = block * 8 + lane % width;
      return at >= count ? -1 : axes.element(lane / width, at);
    };
    location m[8];
    int const blocks = (count + 7) / 8;
    for (int k = 0; k < blocks; ++k) {
      if (x.wide) m[k] = permute(x, from.size(), none, lanes, [&](int lane) { return source(lane, k); });
      else m[k] = uniform_block(x, none, lanes, count - 8 * k, width);
    }
    auto const join = [&](location const& a, location const& b) { return b.slot < 0 ? a : compute(op, from.type, lanes, a, b); };
    location const even = join(join(m[0], m[2]), join_or_none(op, from.type, lanes, m[4], m[6]));
    location const odd = m[1].slot < 0 ? location{} : join(join(m[1], m[3]), join_or_none(op, from.type, lanes, m[5], m[7]));
    return fold(compute(op, from.type, lanes, none, join(even, odd)), lanes, op, from.type);
  }
  constexpr location join_or_none(prim op, dtype type, aval const& lanes, location const& a, location const& b) {
    if (a.slot < 0 || b.slot < 0) return a;
    return compute(op, type, lanes, a, b);
  }
  // A scalar as a block of lanes in rows of `width`: the first `left` lanes of a row have it, the others the identity.
  constexpr location uniform_block(location const& x, location const& none, aval const& lanes, int left, int width) {
    if (left >= width) return x;
    return permute(x, 1, none, lanes, [&](int lane) { return lane % width < left ? 0 : -1; });
  }

  constexpr location product(equation_ref const& e) {
    dot_numbers const d(e.params());
    aval const& t = e.out_type(0);
    int count = 1;
    for (int axis : d.lhs_contract) count *= e.type(0).dims[axis];
    if (!is_small(t) || !is_small(e.type(0)) || !is_small(e.type(1)) || count > dot_accumulators || count == 0) return fail();
    location const lhs = convert(in_slot(e.in(0)), e.type(0).type, e.type(0).with_type(t.type));
    location const rhs = convert(in_slot(e.in(1)), e.type(1).type, e.type(1).with_type(t.type));
    if (failed_) return lhs;
    return d.order == 0 ? product_in_sequence(e, d, lhs, rhs, count) : product_by_halves(e, d, lhs, rhs, count);
  }
  constexpr location product_in_sequence(equation_ref const& e, dot_numbers const& d, location const& lhs, location const& rhs, int count) {
    aval const& t = e.out_type(0);
    location sum;
    for (int k = 0; k < count && !failed_; ++k) {
      location const a = lhs.wide ? permute(lhs, e.type(0).size(), {}, t, [&](int lane) { return factor_of_product(e, d, false, lane, k); }) : lhs;
      location const b = rhs.wide ? permute(rhs, e.type(1).size(), {}, t, [&](int lane) { return factor_of_product(e, d, true, lane, k); }) : rhs;
      if (k == 0) sum = compute(prim::mul, t.type, t, a, b);
      else if (is_floating(t.type)) sum = compute(prim::fma, t.type, t, a, b, sum);
      else sum = compute(prim::add, t.type, t, compute(prim::mul, t.type, t, a, b), sum);
    }
    return sum;
  }
  constexpr location product_by_halves(equation_ref const& e, dot_numbers const& d, location const& lhs, location const& rhs, int count) {
    aval const& t = e.out_type(0);
    int width = 1;
    while (width < count) width *= 2;
    aval const lanes(t.type, {static_cast<int>(t.size()), width});
    if (!is_small(lanes)) return fail();
    location const zero = literal(t.type, 0);
    auto const part = [&](location const& x, bool right) {
      return permute(x, e.type(right).size(), zero, lanes, [&](int lane) {
        if (lane % width >= count) return -1;
        return x.wide ? factor_of_product(e, d, right, lane / width, lane % width) : 0;
      });
    };
    location const a = part(lhs, false), b = part(rhs, true);
    location sum = is_floating(t.type) ? compute(prim::fma, t.type, lanes, a, b, zero) : compute(prim::mul, t.type, lanes, a, b);
    if (width < dot_accumulators && is_floating(t.type)) sum = compute(prim::add, t.type, lanes, sum, zero);  // as an empty upper half
    return fold(sum, lanes, prim::add, t.type);
  }
};

}  // namespace exprax::detail::planning
