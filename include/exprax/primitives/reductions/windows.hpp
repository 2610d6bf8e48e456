// SPDX-License-Identifier: BSL-1.0
// Reductions of windows (jax.lax.reduce_window): an array is dilated by `base dilation` and padded; the elements of a window, which are
// `window dilation` apart, are combined; the window moves by its stride. Parameters, each for all axes: size of the window, stride, low and
// high padding, base dilation, window dilation.
//
// The computation goes axis by axis, the last one first: the elements of a window, in order, are combined as slices of the whole array. A
// wide window with a small stride is composed of windows of 1, 2, 4, ... elements.
#pragma once

#include <initializer_list>
#include <limits>

#include <exprax/primitives/primitive.hpp>
#include <exprax/primitives/walk.hpp>
#include <exprax/types/element.hpp>

namespace exprax::detail {

struct window_axis {
  int size, stride, low, high, base, dilation;

  constexpr int extent() const { return (size - 1) * dilation + 1; }
  constexpr int padded(int n) const { return (n > 0 ? (n - 1) * base + 1 : 0) + low + high; }
  constexpr int count(int n) const {
    int const all = padded(n);
    return all < extent() ? 0 : (all - extent()) / stride + 1;
  }
  constexpr bool valid() const { return size >= 1 && stride >= 1 && base >= 1 && dilation >= 1; }
};

struct window_numbers {
  span<int> p;
  constexpr window_axis operator[](int axis) const {
    int const rank = p.size() / 6;
    auto const at = [&](int k) { return p[k * rank + axis]; };
    return {at(0), at(1), at(2), at(3), at(4), at(5)};
  }
  // The shape of the result. Returns false if the parameters do not fit.
  constexpr bool infer(aval const& in, aval* out) const {
    if (p.size() != 6 * in.rank) return false;
    *out = in;
    for (int i = 0; i < in.rank; ++i) {
      window_axis const w = (*this)[i];
      if (!w.valid() || w.padded(in.dims[i]) < 0) return false;
      out->dims[i] = w.count(in.dims[i]);
    }
    return true;
  }
};

// The same windows with one more axis, of size 1 along it.
constexpr int_list with_batch_axis(span<int> p, int axis) {
  int_list r;
  int const rank = p.size() / 6, neutral[] = {1, 1, 0, 0, 1, 1};
  for (int part = 0; part < 6; ++part)
    for (int i = 0; i <= rank; ++i) r.push(i == axis ? neutral[part] : p[part * rank + i - (i > axis)]);
  return r;
}

// Several arrays of one shape, reduced along each axis of the windows. join(first, second, to): elementwise.
template <class Context, class Join>
constexpr arena<int> join_windows(Context& c, window_numbers const& w, arena<int> v, arena<int> const& identity, Join join) {
  aval const in = c.type(v[0]);
  int_list low, high, between;
  bool pads = false;
  for (int i = 0; i < in.rank; ++i) {
    low.push(w[i].low), high.push(w[i].high), between.push(w[i].base - 1);
    pads = pads || w[i].low != 0 || w[i].high != 0 || w[i].base != 1;
  }
  if (pads)
    for (int k = 0; k < v.size(); ++k) v[k] = c.pad(v[k], identity[k], {low.of, in.rank}, {high.of, in.rank}, {between.of, in.rank});
  for (int axis = in.rank - 1; axis >= 0; --axis) {
    window_axis const x = w[axis];
    int const length = c.type(v[0]).dims[axis], count = length < x.extent() ? 0 : (length - x.extent()) / x.stride + 1;
    auto const sliced = [&](arena<int> const& from, int start, int n, int step) {
      arena<int> r;
      for (int u : from) r.push(c.slice_axis(u, axis, start, n > 0 ? start + (n - 1) * step + 1 : start, step));
      return r;
    };
    if (count == 0) {
      v = sliced(v, 0, 0, 1);
      continue;
    }
    int steps = 0;
    for (int n = x.size; n > 1; n = (n + 1) / 2) ++steps;
    if (x.size <= 4 || x.size <= 2 * steps * x.stride) {
      arena<int> sum = sliced(v, 0, count, x.stride);
      for (int k = 1; k < x.size; ++k) {
        arena<int> const next = sliced(v, k * x.dilation, count, x.stride);
        sum = join(sum, next);
      }
      v = sum;
      continue;
    }
    // Windows of 2^i elements at every position; those of the set bits of the size are placed one after another.
    arena<int> sum, power = v;
    int const places = (count - 1) * x.stride + 1;
    for (int done = 0, n = 1; n <= x.size; n *= 2) {
      int const room = c.type(power[0]).dims[axis];
      if (x.size & n) {
        arena<int> const part = sliced(power, done * x.dilation, places, 1);
        if (done == 0) sum = part;
        else sum = join(sum, part);
        done += n;
      }
      if (2 * n > x.size) continue;
      arena<int> const first = sliced(power, 0, room - n * x.dilation, 1), second = sliced(power, n * x.dilation, room - n * x.dilation, 1);
      power = join(first, second);
    }
    v = sliced(sum, 0, count, x.stride);
  }
  return v;
}

// The keys of jaxprs, in order; the primitive prints its own between the first and the rest.
template <class Printer>
constexpr void print_window_rest(Printer& o, window_numbers const& w) {
  int const rank = w.p.size() / 6;
  o.key("padding");
  o.text("(");
  for (int i = 0; i < rank; ++i) {
    int const pair[] = {w[i].low, w[i].high};
    if (i > 0) o.text(", ");
    o.tuple(pair);
  }
  o.text(rank == 1 ? ",)" : ")");
  o.key("window_dilation");
  o.tuple(w.p.part(5 * rank, rank));
  o.key("window_dimensions");
  o.tuple(w.p.part(0, rank));
  o.key("window_strides");
  o.tuple(w.p.part(rank, rank));
}
template <class Printer>
constexpr void print_window(Printer& o, window_numbers const& w) {
  int const rank = w.p.size() / 6;
  o.key("base_dilation");
  o.tuple(w.p.part(4 * rank, rank));
  print_window_rest(o, w);
}

// reduce_window_sum, _max, _min: reductions by a primitive.
template <prim P, prim Combine>
struct window_reduction {
  static constexpr prim_traits traits{.kind = op_class::composite, .linear_in = Combine == prim::add};

  template <class T>
  static constexpr T identity() {
    using limits = std::numeric_limits<T>;
    if constexpr (Combine == prim::add) return T(0);
    else if constexpr (Combine == prim::max) return limits::has_infinity ? static_cast<T>(-limits::infinity()) : limits::lowest();
    else return limits::has_infinity ? limits::infinity() : limits::max();
  }
  static constexpr std::uint64_t identity_bits(dtype t) {
    return bits_in(t, [](auto tag) { return identity<typename decltype(tag)::type>(); });
  }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1 || e.n_out() != 1 || is_bool(e.type(0).type)) return false;
    return window_numbers{e.params()}.infer(e.type(0), out);
  }
  template <class Context>
  static constexpr void expand(Context& c, equation_ref const& e) {
    arena<int> v, identities;
    dtype const t = e.type(0).type;
    v.push(c.in(e, 0));
    identities.push(c.literal(t, identity_bits(t)));
    arena<int> const r = join_windows(c, {e.params()}, v, identities, [&](arena<int> const& a, arena<int> const& b) {
      arena<int> both;
      both.push(c.elementwise(Combine, a[0], b[0]));
      return both;
    });
    // The initial value is 0, so no sum is -0.
    c.set(e, 0, Combine == prim::add && is_inexact(t) ? c.elementwise(prim::add, r[0], identities[0]) : r[0]);
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const d = c.dim(e, 0).position(), v = c.value(e, 0);
    int_list const par = with_batch_axis(e.params(), d);
    c.replace(e, {&v, 1}, {par.of, par.n}, d);
  }
  // The tangent of the element that is picked: of equal ones the first, as in jax.lax.
  template <class Context>
    requires(Combine != prim::add)
  static constexpr void jvp(Context& c, equation_ref const& e) {
    arena<int> v, identities;
    dtype const t = e.type(0).type;
    v.push(c.in(e, 0)), v.push(c.tangent(e, 0));
    identities.push(c.literal(t, identity_bits(t))), identities.push(c.literal(t, 0));
    arena<int> const picked = join_windows(c, {e.params()}, v, identities, [&](arena<int> const& a, arena<int> const& b) {
      arena<int> both;
      both.push(c.elementwise(Combine, a[0], b[0]));
      both.push(c.select(c.elementwise(Combine == prim::max ? prim::ge : prim::le, a[0], b[0]), b[1], a[1]));
      return both;
    });
    c.set_tangent(e, 0, picked[1]);
  }
  // jax.lax's _reduce_window_sum_transpose_rule: sums of the dilated cotangent.
  template <class Context>
    requires(Combine == prim::add)
  static constexpr void transpose(Context& c, equation_ref const& e) {
    window_numbers const w{e.params()};
    aval const &x = e.type(0), &out = e.out_type(0);
    if (x.size() == 0 || out.size() == 0) return c.add_cotangent(e, 0, c.zeros(x));
    int_list size, stride, low, high, between, none, one, dilation;
    for (int i = 0; i < x.rank; ++i) {
      window_axis const a = w[i];
      size.push(a.size), stride.push(a.base), dilation.push(a.dilation), none.push(0), one.push(1);
      low.push(a.extent() - a.low - 1);
      high.push((x.dims[i] - 1) * a.base + 1 + a.low - ((out.dims[i] - 1) * a.stride + 1));
      between.push(a.stride - 1);
    }
    int const rank = x.rank,
              padded = c.pad(c.cotangent(e), c.literal(x.type, 0), {low.of, rank}, {high.of, rank}, {between.of, rank});
    arena<int> par;
    for (int_list const* list : {&size, &stride, &none, &none, &one, &dilation})
      for (int i = 0; i < rank; ++i) par.push(list->of[i]);
    c.add_cotangent(e, 0, c.emit(P, {&padded, 1}, par));
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    dtype const t = e.type(0).type;
    int const in[] = {l.in(e, 0), l.scalar(t, identity_bits(t))};
    aval const out = e.out_type(0);
    l.set(e, 0, l.reduce_windows(in, e.params(), {&out, 1}, l.combiner(primitive<Combine>::stablehlo, t)));
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    print_window(o, {e.params()});
  }
};

}  // namespace exprax::detail
