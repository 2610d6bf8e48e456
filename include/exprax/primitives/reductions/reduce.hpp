// SPDX-License-Identifier: BSL-1.0
// reduce (jax.lax.reduce): reduces several arrays along some axes, by a function that combines a scalar of each with one more of each
// (primitives/reductions/combiners.hpp). Parameters: the axes. Neighbours are combined in pairs, which keeps their order; if the function
// is the operation of another reduction, that one is used.
#pragma once

#include <exprax/primitives/reductions/combiners.hpp>

namespace exprax {

template <>
struct primitive<prim::reduce> {
  static constexpr std::string_view name = "reduce";
  static constexpr prim_traits traits{.kind = op_class::composite};

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (!detail::is_combination(e) || !detail::are_axes(e.params().data(), e.n_par(), e.type(0).rank)) return false;
    for (int k = 0; k < e.n_out(); ++k) {
      out[k] = aval(e.type(k).type);
      for (int i = 0; i < e.type(0).rank; ++i)
        if (!is_reduced(e, i)) out[k].dims[out[k].rank++] = e.type(0).dims[i];
    }
    return true;
  }
  template <class Context>
  static constexpr void expand(Context& c, equation_ref const& e) {
    aval const in = e.type(0), out = e.out_type(0);
    detail::arena<int> first;
    for (int v : detail::starts(c, e)) first.push(c.full(out.with_type(c.type(v).type), v));
    auto const give = [&](detail::arena<int> const& r) {
      for (int k = 0; k < e.n_out(); ++k) c.set(e, k, r[k]);
    };
    if (in.size() == 0) return give(first);
    detail::arena<int> v;
    if (prim const known = reduction_of(e); known != prim::reduce) {
      v.push(c.reduce(known, c.in(e, 0), e.params()));
      return give(detail::combine(c, e, first, v));
    }
    detail::int_list order;
    int n = 1;
    for (int i = 0; i < in.rank; ++i)
      if (is_reduced(e, i)) order.push(i), n *= in.dims[i];
    for (int i = 0; i < in.rank; ++i)
      if (!is_reduced(e, i)) order.push(i);
    for (int k = 0; k < e.n_out(); ++k)
      v.push(c.reshape(c.transpose(c.in(e, k), {order.of, order.n}), out.with_axis(0, n).with_type(e.type(k).type)));
    detail::arena<int> last;  // the elements after the pairs
    for (; n > 1; n /= 2) {
      if (n % 2 == 1) {
        detail::arena<int> const odd = rows(c, v, n - 1, n, 1);
        if (last.empty()) last = odd;
        else last = detail::combine(c, e, odd, last);
      }
      detail::arena<int> const left = rows(c, v, 0, n / 2 * 2, 2), right = rows(c, v, 1, n / 2 * 2, 2);
      v = detail::combine(c, e, left, right);
    }
    if (!last.empty()) v = detail::combine(c, e, v, last);
    for (int k = 0; k < e.n_out(); ++k) v[k] = c.reshape(v[k], out.with_type(e.type(k).type));
    give(detail::combine(c, e, first, v));
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    detail::int_list axes;
    for (int axis : e.params()) axes.push(axis + 1);
    detail::batch_combination(c, e, {axes.of, axes.n});
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    detail::arena<int> in;
    detail::arena<aval> out;
    for (int k = 0; k < e.n_in(); ++k) in.push(l.in(e, k));
    for (int k = 0; k < e.n_out(); ++k) out.push(e.out_type(k));
    int const first = l.reduce_by(in, e.params(), out, l.block_of(e.sub(0)));
    for (int k = 0; k < e.n_out(); ++k) l.set(e, k, first + k);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("dimensions");
    o.tuple(e.params());
    o.key("jaxpr");
    o.block(0);
  }

 private:
  static constexpr bool is_reduced(equation_ref const& e, int axis) { return detail::contains(e.params().data(), e.n_par(), axis); }
  template <class Context>
  static constexpr detail::arena<int> rows(Context& c, detail::arena<int> const& v, int start, int end, int step) {
    detail::arena<int> r;
    for (int u : v) r.push(c.slice_axis(u, 0, start, end, step));
    return r;
  }
  // The reduction that the block is equivalent to; reduce: none.
  static constexpr prim reduction_of(equation_ref const& e) {
    bool const of_bools = is_bool(e.type(0).type), of_integers = is_integer(e.type(0).type);
    switch (detail::known_combiner(e)) {
      case prim::add: return of_bools ? prim::reduce : prim::reduce_sum;
      case prim::mul: return of_bools ? prim::reduce : prim::reduce_prod;
      case prim::max: return of_bools ? prim::reduce_or : prim::reduce_max;
      case prim::min: return of_bools ? prim::reduce_and : prim::reduce_min;
      case prim::and_: return of_bools || of_integers ? prim::reduce_and : prim::reduce;
      case prim::or_: return of_bools || of_integers ? prim::reduce_or : prim::reduce;
      case prim::xor_: return of_bools || of_integers ? prim::reduce_xor : prim::reduce;
      default: return prim::reduce;
    }
  }
};

}  // namespace exprax
