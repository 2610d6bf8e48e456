// SPDX-License-Identifier: BSL-1.0
// Family of the reductions (jax.lax.reduce_sum, ...): reduce the elements along some axes to one. Parameters: the axes, ascending.
//
// The order is part of the definition, so that bits depend neither on pack width nor on layout nor on batching. The elements x[0..n) of one
// result are numbered in row-major order; Combine is the primitive that combines two. Sums and products: of each block of 64 elements, lane
// j computes m[k] = x[8k + j] as ((m0 m2)(m4 m6))((m1 m3)(m5 m7)), absent elements being the identity, and combines it with acc[j]; the
// result is ((acc0 acc4)(acc2 acc6))((acc1 acc5)(acc3 acc7)). The others have the same result in any order.
#pragma once

#include <exprax/math/lane.hpp>
#include <exprax/primitives/primitive.hpp>
#include <exprax/primitives/walk.hpp>
#include <exprax/types/element.hpp>

namespace exprax::detail {

enum class reduction_kind { arithmetic, extremum, logical };

// The result of reducing no elements: the identity of the operation that combines two.
constexpr std::uint64_t reduction_identity_bits(prim combiner, dtype t) {
  switch (combiner) {
    case prim::mul: return bits_of_int(t, 1);
    case prim::max: return bits_of_extreme(t, false);
    case prim::min: return bits_of_extreme(t, true);
    case prim::and_: return is_bool(t) ? 1 : wrapped(t, ~std::uint64_t{0});
    default: return 0;
  }
}
template <class T>
constexpr T reduction_identity(prim combiner) {
  return from_bits<T>(reduction_identity_bits(combiner, dtype_of<T>));
}

// The tree over eight values at a distance of `step`, in one block or in the accumulators.
template <class V, class Join>
constexpr V join_strided(V const* m, Join join) {
  return join(join(join(m[0], m[2]), join(m[4], m[6])), join(join(m[1], m[3]), join(m[5], m[7])));
}
template <class V, class Join>
constexpr V join_accumulators(V const* acc, Join join) {
  return join(join(join(acc[0], acc[4]), join(acc[2], acc[6])), join(join(acc[1], acc[5]), join(acc[3], acc[7])));
}

template <prim P, prim Combine, reduction_kind Kind>
class reduction {
  static constexpr bool adds = Combine == prim::add, multiplies = Combine == prim::mul;

 public:
  static constexpr prim_traits traits{.kind = op_class::reduction,
                                      .arity = 1,
                                      .is_linear = adds,
                                      .jvp_makes_results = multiplies,
                                      .linear_in = adds,
                                      .combiner = Combine};
  static constexpr bool in_fixed_order = Kind == reduction_kind::arithmetic;

  static constexpr bool accepts(dtype d) {
    if (is_key(d)) return false;
    return Kind == reduction_kind::logical ? !is_inexact(d) : Kind == reduction_kind::extremum || !is_bool(d);
  }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1) return false;
    aval const& in = e.type(0);
    if (!accepts(in.type) || !are_axes(e.params().data(), e.n_par(), in.rank)) return false;
    *out = aval(in.type, in.weak);
    for (int i = 0; i < in.rank; ++i)
      if (!contains(e.params().data(), e.n_par(), i)) out->dims[out->rank++] = in.dims[i];
    return true;
  }

  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    with_element(e.type(0).type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      if constexpr (accepts(dtype_of<T>)) evaluate_as<T>(m, e);
    });
  }
  static constexpr bool unbatch(equation_ref const& e, span<batch_axis> in, int, batch_axis& out, arena<int>& par) {
    return unbatch_axes(e, in[0].position(), true, out, par);
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const d = c.dim(e, 0).position(), v = c.value(e, 0);
    int out_dim = d;
    int_list axes;
    for (int axis : e.params()) {
      axes.push(axis < d ? axis : axis + 1);
      out_dim -= axis < d;
    }
    c.replace(e, {&v, 1}, {axes.of, axes.n}, out_dim);
  }
  // Of sums.
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    aval const& in = e.type(0);
    int_list kept;
    for (int i = 0; i < in.rank; ++i)
      if (!contains(e.params().data(), e.n_par(), i)) kept.push(i);
    int const ct = c.cotangent(e);
    c.add_cotangent(e, 0, e.n_par() == 0 ? ct : c.broadcast(ct, in, {kept.of, kept.n}));
  }
  // Elements that are the extremum share the tangent.
  template <class Context>
    requires(Kind == reduction_kind::extremum || multiplies)
  static constexpr void jvp(Context& c, equation_ref const& e) {
    if constexpr (multiplies) jvp_of_product(c, e);
    else jvp_of_extremum(c, e);
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    dtype const t = e.type(0).type;
    int const start = l.scalar(t, reduction_identity_bits(Combine, t));
    l.set(e, 0, l.reduce(primitive<Combine>::stablehlo, l.in(e, 0), start, e.params()));
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("axes");
    o.tuple(e.params());
    if constexpr (P == prim::reduce_sum) {
      o.key("out_sharding");
      o.text("None");
    }
  }

 private:
  template <class Context>
  static constexpr void jvp_of_extremum(Context& c, equation_ref const& e) {
    int const x = c.in(e, 0), t = c.tangent(e, 0);
    aval ones = e.type(0);
    for (int axis : e.params()) ones.dims[axis] = 1;
    int const is_extremum = c.elementwise(prim::eq, x, c.reshape(c.out(e), ones));
    int const indicators = c.convert(is_extremum, e.type(0).type), counts = c.reduce(prim::reduce_sum, indicators, e.params());
    int const sum = c.reduce(prim::reduce_sum, c.mul(t, indicators), e.params());
    c.set_tangent(e, 0, c.div(sum, counts));
  }
  // jax.lax's _reduce_jvp: the reduced axes become the first one, whose halves are multiplied until one element is left. It has no
  // quotient, so elements may be zero.
  template <class Context>
  static constexpr void jvp_of_product(Context& c, equation_ref const& e) {
    aval const& in = e.type(0);
    int_list order;
    aval shape = e.out_type(0);
    int n = 1;
    for (int axis : e.params()) order.push(axis), n *= in.dims[axis];
    for (int i = 0; i < in.rank; ++i)
      if (!contains(e.params().data(), e.n_par(), i)) order.push(i);
    if (n == 0) return c.keep(e);
    shape = shape.with_axis(0, n);
    auto const flat = [&](int v) { return c.reshape(c.transpose(v, {order.of, order.n}), shape); };
    int x = flat(c.in(e, 0)), t = flat(c.tangent(e, 0));
    int const none[max_rank] = {}, high[max_rank] = {1};
    while (n > 1) {
      int const half = (n + 1) / 2;
      auto const second = [&](int v, int filling) {
        int const part = c.slice_axis(v, 0, half, n);
        return n % 2 == 0 ? part : c.pad(part, c.number_like(v, filling), {none, shape.rank}, {high, shape.rank}, {none, shape.rank});
      };
      int const x1 = c.slice_axis(x, 0, 0, half), x2 = second(x, 1), t1 = c.slice_axis(t, 0, 0, half), t2 = second(t, 0);
      t = c.elementwise(prim::add_any, c.mul(t1, x2), c.mul(x1, t2));
      x = c.mul(x1, x2);
      n = half;
    }
    int const axis = 0;
    c.set(e, 0, c.emit(prim::squeeze, {&x, 1}, {&axis, 1}), c.emit(prim::squeeze, {&t, 1}, {&axis, 1}));
  }
  template <class T, class Machine>
  static constexpr void evaluate_as(Machine& m, equation_ref const& e) {
    auto const join = [](lane<T> a, lane<T> b) { return primitive<Combine>::kernel(a, b); };
    lane<T> const identity(reduction_identity<T>(Combine));
    aval const& in = e.type(0);
    strides const of(in);
    aval kept, reduced;
    place kept_place, reduced_place;
    for (int i = 0; i < in.rank; ++i) {
      bool const gone = contains(e.params().data(), e.n_par(), i);
      aval& box = gone ? reduced : kept;
      (gone ? reduced_place : kept_place).step[box.rank] = of[i];
      box.dims[box.rank++] = in.dims[i];
    }
    std::uint64_t const* const from = m.in(e, 0);
    std::uint64_t* const to = m.out(e, 0);
    walk(kept, place(kept), kept_place, [&](std::ptrdiff_t out_at, std::ptrdiff_t in_at) {
      lane<T> block[64] = {}, acc[8] = {};
      for (auto& a : acc) a = identity;
      int filled = 0;
      auto const flush = [&] {
        for (int i = filled; i < 64; ++i) block[i] = identity;
        for (int j = 0; j < 8; ++j) {
          lane<T> const column[] = {block[j],      block[8 + j],  block[16 + j], block[24 + j],
                                    block[32 + j], block[40 + j], block[48 + j], block[56 + j]};
          acc[j] = join(acc[j], join_strided(column, join));
        }
        filled = 0;
      };
      walk(reduced, place(), reduced_place, [&](std::ptrdiff_t, std::ptrdiff_t at) {
        lane<T> const x(from_bits<T>(from[in_at + at]));
        if constexpr (in_fixed_order) {
          block[filled++] = x;
          if (filled == 64) flush();
        } else {
          acc[0] = join(acc[0], x);
        }
      });
      if (filled > 0) flush();
      to[out_at] = to_bits((in_fixed_order ? join_accumulators(acc, join) : acc[0]).value);
    });
  }
};

}  // namespace exprax::detail
