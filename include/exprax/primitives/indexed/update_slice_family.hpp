// SPDX-License-Identifier: BSL-1.0
// Family of the updates of a known slice: the operand, with the elements of a slice replaced by those of an update or combined with them.
// Operands x, update. Parameters: the start of the slice along each axis, then its step; the update has its shape, and it is in bounds.
// JAX has scatters in their place, of which legalize/known_scatters.hpp makes these, and legalize/element_scatters.hpp scatters of these;
// so they print under these names. Their parameters print like those of slice.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>
#include <exprax/primitives/indexed/element_update.hpp>

namespace exprax::detail {

// The member of the family that combines elements as a scatter does, and the scatter that does as a member.
constexpr prim update_of_slice(prim scatter) {
  switch (scatter) {
    case prim::scatter_add:
      return prim::update_slice_add;
    case prim::scatter_mul:
      return prim::update_slice_mul;
    case prim::scatter_min:
      return prim::update_slice_min;
    case prim::scatter_max:
      return prim::update_slice_max;
    default:
      return prim::update_slice;
  }
}
constexpr prim scatter_of_update(prim update) {
  for (prim p : {prim::scatter_add, prim::scatter_mul, prim::scatter_min, prim::scatter_max})
    if (update_of_slice(p) == update) return p;
  return prim::scatter;
}

// The slice that an equation of the family updates.
struct updated_slice {
  span<int> start, step, size;
  constexpr explicit updated_slice(equation_ref const& e)
      : start(e.params().part(0, e.type(0).rank)),
        step(e.params().part(e.type(0).rank, e.type(0).rank)),
        size(e.type(1).dims, e.type(0).rank) {}

  // One beyond the last index along an axis.
  constexpr int limit(int axis) const { return size[axis] == 0 ? start[axis] : start[axis] + (size[axis] - 1) * step[axis] + 1; }
};

// Combine: the primitive that combines old and new, or P where the new element replaces the old one.
template <prim P, prim Combine>
class update_slice_family : public element_update<P, Combine> {
  using base = element_update<P, Combine>;
  using base::adds, base::multiplies, base::replaces;

 public:
  static constexpr prim_traits traits{.kind = op_class::update,
                                      .moves_bits = replaces,
                                      .updates_known_slice = true,
                                      .is_linear = adds,
                                      .linear_in = replaces || adds ? all_operands : 0,
                                      .combiner = Combine};

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 2) return false;
    *out = e.type(0);
    aval const &x = e.type(0), &update = e.type(1);
    if (!base::takes(x, update) || update.rank != x.rank || e.n_par() != 2 * x.rank) return false;
    updated_slice const s(e);
    for (int i = 0; i < x.rank; ++i)
      if (s.start[i] < 0 || s.step[i] < 1 || (s.size[i] > 0 && s.limit(i) > x.dims[i])) return false;
    return true;
  }

  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    base::copy_operand(m, e);
    updated_slice const s(e);
    place to(e.type(0));
    for (int i = 0; i < e.type(0).rank; ++i) {
      to.base += to.step[i] * s.start[i];
      to.step[i] *= s.step[i];
    }
    base::join_box(e.type(0).type, e.type(1), m.out(e, 0), to, m.in(e, 1), place(e.type(1)));
  }

  // The slice has the whole batch axis.
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const rank = e.type(0).rank, d = c.dim(e, c.dim(e, 0).is_mapped() ? 0 : 1).position();
    int const in[] = {c.placed(c.value(e, 0), c.dim(e, 0), d), c.placed(c.value(e, 1), c.dim(e, 1), d)};
    updated_slice const s(e);
    int_list par;
    for (int i = 0; i <= rank; ++i) {
      if (i == d) par.push(0);
      if (i < rank) par.push(s.start[i]);
    }
    for (int i = 0; i <= rank; ++i) {
      if (i == d) par.push(1);
      if (i < rank) par.push(s.step[i]);
    }
    c.replace(e, in, {par.of, par.n}, d);
  }

  // That of the slice is the tangent of the combined elements, the others keep theirs.
  template <class Context>
    requires(!replaces && !adds)
  static constexpr void jvp(Context& c, equation_ref const& e) {
    int const old = read(c, e, c.in(e, 0)), update = c.in(e, 1);
    auto const share = [&](int one, int other) {
      if constexpr (multiplies) return other;
      else return share_of_extremum(c, one, read(c, e, c.out(e)), other);
    };
    int const all = c.tangent_or_zeros(e, 0);
    int slice = Context::no_tangent;
    if (c.has_tangent(e, 0)) slice = c.mul(read(c, e, all), share(old, update));
    if (c.has_tangent(e, 1)) {
      int const more = c.mul(c.tangent(e, 1), share(update, old));
      slice = slice == Context::no_tangent ? more : c.elementwise(prim::add_any, slice, more);
    }
    int const in[] = {all, slice};
    c.set_tangent(e, 0, c.emit(prim::update_slice, in, e.params()));
  }
  template <class Context>
    requires(replaces || adds)
  static constexpr void transpose(Context& c, equation_ref const& e) {
    int const ct = c.cotangent(e);
    if (c.is_linear(e, 1)) c.add_cotangent(e, 1, read(c, e, ct));
    if (!c.is_linear(e, 0)) return;
    if (adds) return c.add_cotangent(e, 0, ct);
    int const in[] = {ct, c.zeros(e.type(1))};
    c.add_cotangent(e, 0, c.emit(P, in, e.params()));
  }
  // A scatter. Axes with a step are split up: their elements get an index vector each. The others are axes of one window.
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    updated_slice const s(e);
    int const rank = e.type(0).rank, x = l.in(e, 0), update = l.in(e, 1), block = l.combiner(base::combining_operation(), e.type(0).type);
    int_list window, taken_apart, all;
    aval indices(dtype::i32);
    for (int i = 0; i < rank; ++i) {
      all.push(i);
      if (s.step[i] == 1) window.push(i);
      else {
        taken_apart.push(i);
        indices.dims[indices.rank++] = s.size[i];
      }
    }
    int const vectors = static_cast<int>(indices.size()), at_vector = indices.rank;
    indices.dims[indices.rank++] = rank;
    arena<int> elements;
    for (int k = 0; k < vectors; ++k) {
      int const first = elements.size();
      for (int i = 0; i < rank; ++i) elements.push(s.start[i]);
      for (int j = taken_apart.n - 1, rest = k; j >= 0; --j) {
        int const axis = taken_apart.of[j];
        elements[first + axis] += rest % s.size[axis] * s.step[axis];
        rest /= s.size[axis];
      }
    }
    span<int> const lists[] = {{window.of, window.n}, {taken_apart.of, taken_apart.n}, {}, {}, {all.of, all.n}};
    l.set(e, 0, l.scatter(x, l.table(indices, elements), update, lists, at_vector, true, true, block));
  }

  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    updated_slice const s(e);
    int_list limit;
    bool strided = false;
    for (int i = 0; i < e.type(0).rank; ++i) {
      limit.push(s.limit(i));
      strided = strided || s.step[i] != 1;
    }
    o.key("limit_indices");
    o.tuple({limit.of, limit.n});
    o.key("start_indices");
    o.tuple(s.start);
    o.key("strides");
    if (strided) o.tuple(s.step);
    else o.text("None");
  }

 private:
  // The slice of `from`, an array like the operand.
  template <class Context>
  static constexpr int read(Context& c, equation_ref const& e, int from) {
    updated_slice const s(e);
    int const rank = e.type(0).rank;
    int limit[max_rank] = {};
    for (int i = 0; i < rank; ++i) limit[i] = s.limit(i);
    return c.slice(from, s.start, {limit, rank}, s.step);
  }
};

}  // namespace exprax::detail
