// SPDX-License-Identifier: BSL-1.0
// conv_general_dilated (jax.lax.conv_general_dilated): a window of rhs moves over lhs. lhs [N, C, spatial...], rhs [O, I, spatial...],
// result [N, O, spatial...], or their axes in another order. Feature groups divide C and O into groups, batch groups divide N and O. Each
// element is a sum of products in order 0 of contraction.hpp over the filter's elements in the row-major order of rhs; positions outside of
// lhs or between its dilated elements count as zeros.
// Parameters: s = number of spatial axes; s window strides, s low and s high paddings, s lhs dilations, s rhs dilations;
// feature_group_count, batch_group_count, preferred dtype (the result's; ~dtype where none is asked for); then, for another order of axes,
// their positions in lhs, rhs and result: s + 2 ints each.
// Longer than 300 lines: all rules of one primitive.
#pragma once

#include <initializer_list>

#include <exprax/primitives/contractions/contraction.hpp>

namespace exprax {

struct conv_numbers {
  int spatial;
  detail::span<int> stride, low, high, lhs_dilation, rhs_dilation;
  int feature_groups, batch_groups;
  bool prefers;  // whether a dtype is asked for
  dtype preferred;
  detail::span<int> lhs, rhs, out;  // axes: batch, feature, spatial...; of rhs: output feature, input feature, spatial...

  constexpr explicit conv_numbers(detail::span<int> p) : spatial(p[0]) {
    stride = p.part(1, spatial);
    low = p.part(1 + spatial, spatial);
    high = p.part(1 + 2 * spatial, spatial);
    lhs_dilation = p.part(1 + 3 * spatial, spatial);
    rhs_dilation = p.part(1 + 4 * spatial, spatial);
    feature_groups = p[1 + 5 * spatial];
    batch_groups = p[2 + 5 * spatial];
    int const type = p[3 + 5 * spatial];
    prefers = type >= 0;
    preferred = static_cast<dtype>(prefers ? type : ~type);
    int const n = spatial + 2, at = 4 + 5 * spatial;
    lhs = rhs = out = {in_order, n};
    if (p.size() == at) return;
    lhs = p.part(at, n);
    rhs = p.part(at + n, n);
    out = p.part(at + 2 * n, n);
  }
  static constexpr int in_order[max_rank] = {0, 1, 2, 3, 4, 5, 6, 7};
  // The filter's axes in the order of rhs: its k-th axis is axis rhs[filter_axis(k)].
  constexpr int filter_axis(int k) const {
    for (int position = 0; position < spatial + 2; ++position)
      for (int i = 1; i < spatial + 2; ++i)
        if (rhs[i] == position && k-- == 0) return i;
    return 0;
  }
  static constexpr bool fits(detail::span<int> p) {
    return p.size() >= 4 && p[0] >= 0 && p[0] + 2 <= max_rank && (p.size() == 4 + 5 * p[0] || p.size() == 4 + 5 * p[0] + 3 * (p[0] + 2));
  }
};

template <>
struct primitive<prim::conv_general_dilated> {
  static constexpr std::string_view name = "conv_general_dilated";
  static constexpr prim_traits traits{.kind = op_class::contraction, .arity = 2, .reads_memory = true};

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 2 || !conv_numbers::fits(e.params())) return false;
    conv_numbers const c(e.params());
    aval const &a = e.type(0), &b = e.type(1);
    int const rank = c.spatial + 2;
    if (a.rank != rank || b.rank != rank || is_bool(c.preferred)) return false;
    for (detail::span<int> axes : {c.lhs, c.rhs, c.out})
      if (!detail::are_axes(axes.data(), rank, rank)) return false;
    int const batch = a.dims[c.lhs[0]], features = a.dims[c.lhs[1]], made = b.dims[c.rhs[0]];
    if (c.feature_groups < 1 || c.batch_groups < 1 || (c.feature_groups > 1 && c.batch_groups > 1)) return false;
    if (batch % c.batch_groups || made % c.batch_groups || made % c.feature_groups) return false;
    if (features != b.dims[c.rhs[1]] * c.feature_groups) return false;
    *out = aval(c.preferred, a.weak && b.weak);
    out->rank = rank;
    out->dims[c.out[0]] = batch / c.batch_groups;
    out->dims[c.out[1]] = made;
    for (int i = 0; i < c.spatial; ++i) {
      if (c.stride[i] < 1 || c.lhs_dilation[i] < 1 || c.rhs_dilation[i] < 1) return false;
      int const n = a.dims[c.lhs[2 + i]], window = b.dims[c.rhs[2 + i]];
      int const padded = c.low[i] + c.high[i] + (n > 0 ? (n - 1) * c.lhs_dilation[i] + 1 : 0);
      int const room = padded - (window > 0 ? (window - 1) * c.rhs_dilation[i] + 1 : 0);
      out->dims[c.out[2 + i]] = room < 0 ? 0 : room / c.stride[i] + 1;
    }
    return true;
  }

  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    conv_numbers const c(e.params());
    aval const &a = e.type(0), &b = e.type(1), &out = e.out_type(0);
    strides const a_of(a), b_of(b);
    std::uint64_t const *lhs = m.in(e, 0), *rhs = m.in(e, 1);
    std::uint64_t* const to = m.out(e, 0);
    int const n_features = b.dims[c.rhs[1]], made = b.dims[c.rhs[0]], rows = out.dims[c.out[0]];
    aval filter(b.type);
    int axis[max_rank] = {};
    for (int k = 0; k <= c.spatial; ++k) {
      axis[k] = c.filter_axis(k);
      filter.dims[filter.rank++] = b.dims[c.rhs[axis[k]]];
    }
    std::ptrdiff_t const taps = filter.size(), n_out = out.size();
    detail::with_number(out.type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      for (std::ptrdiff_t o = 0; o < n_out; ++o) {
        int at[max_rank] = {};
        unravel(o, out, at);
        int const feature = at[c.out[1]];
        int const row = at[c.out[0]] + feature / (made / c.batch_groups) * rows;
        int const first = feature / (made / c.feature_groups) * n_features;
        detail::dot_accumulator<T> sum(0);
        for (std::ptrdiff_t t = 0; t < taps; ++t) {
          int at_filter[max_rank] = {}, tap[max_rank] = {};
          unravel(t, filter, at_filter);
          std::ptrdiff_t j = feature * b_of[c.rhs[0]];
          for (int k = 0; k <= c.spatial; ++k) {
            tap[axis[k]] = at_filter[k];
            j += at_filter[k] * b_of[c.rhs[axis[k]]];
          }
          std::ptrdiff_t i = row * a_of[c.lhs[0]] + (first + tap[1]) * a_of[c.lhs[1]];
          bool inside = true;
          for (int k = 0; k < c.spatial && inside; ++k) {
            int const place = at[c.out[2 + k]] * c.stride[k] + tap[2 + k] * c.rhs_dilation[k] - c.low[k];
            inside = place >= 0 && place % c.lhs_dilation[k] == 0 && place / c.lhs_dilation[k] < a.dims[c.lhs[2 + k]];
            i += place / c.lhs_dilation[k] * a_of[c.lhs[2 + k]];
          }
          sum.add(inside ? detail::read_as<T>(a.type, lhs[i]) : lane<T>(T(0)), detail::read_as<T>(b.type, rhs[j]));
        }
        to[o] = detail::to_bits(sum.result());
      }
    });
  }

  // jax.lax's _conv_general_dilated_batch_rule: the batch axis joins the axis of rows, of output features, or of groups.
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    conv_numbers const n(e.params());
    bool const of_lhs = c.dim(e, 0).is_mapped(), of_rhs = c.dim(e, 1).is_mapped();
    int const l = c.dim(e, 0).position(), r = c.dim(e, 1).position();
    if (c.size() == 0) {  // axes cannot be split into groups of size 0
      aval const none = e.out_type(0).with_axis(0, 0);
      return c.set(e, 0, c.broadcast(c.literal(none.type, 0), none, {}), 0);
    }
    int lhs = c.value(e, 0), rhs = c.value(e, 1), out_axis = n.out[1];
    int feature_groups = n.feature_groups, batch_groups = n.batch_groups;
    int const groups = feature_groups > 1 ? feature_groups : batch_groups;
    if (of_lhs && of_rhs) {
      lhs = axis_into(c, lhs, l, n.lhs[batch_groups > 1 ? 0 : 1]);
      (batch_groups > 1 ? batch_groups : feature_groups) *= c.size();
      rhs = axis_into(c, rhs, r, n.rhs[0]);
    } else if (of_lhs) {
      out_axis = n.out[0];
      lhs = axis_into_groups(c, lhs, l, n.lhs[0], batch_groups);
    } else {
      rhs = axis_into_groups(c, rhs, r, n.rhs[0], groups);
    }
    detail::arena<int> par;
    for (int x : e.params()) par.push(x);
    par[1 + 5 * n.spatial] = feature_groups;
    par[2 + 5 * n.spatial] = batch_groups;
    aval out = e.out_type(0);
    out.dims[out_axis] *= c.size();
    int const in[] = {lhs, rhs};
    int v = c.emit(prim::conv_general_dilated, in, par, out);
    if (!of_lhs && groups > 1) {
      // The features are [group, row of the batch, feature of the group].
      v = axis_out_of(c, v, out_axis, groups);
      v = axis_out_of(c, v, out_axis + 1, c.size());
      v = axis_into(c, v, out_axis, out_axis + 1);
    } else {
      v = axis_out_of(c, v, out_axis, c.size());
    }
    c.set(e, 0, v, out_axis);
  }

  template <class Context>
  static constexpr void jvp(Context& c, equation_ref const& e) {
    detail::product_jvp<prim::conv_general_dilated>(c, e);
  }
  // jax.lax's _conv_general_dilated_transpose_lhs and _rhs: convolutions of the cotangent with the reversed filter, and of lhs with the
  // cotangent. Strides and dilations change places, and so do groups of rows and of features.
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    int const k = c.is_linear(e, 0) ? 0 : 1;
    bool const is_empty = e.out_type(0).size() == 0 || e.type(k).size() == 0;
    c.add_cotangent(e, k, is_empty ? c.zeros(e.type(k)) : k == 0 ? transposed_lhs(c, e) : transposed_rhs(c, e));
  }

  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    conv_numbers const c(e.params());
    int const lhs = l.convert(l.in(e, 0), c.preferred), rhs = l.convert(l.in(e, 1), c.preferred);
    detail::arena<int> numbers;  // without the dtype, always with the positions of axes
    for (int x : e.params().part(0, 3 + 5 * c.spatial)) numbers.push(x);
    for (detail::span<int> axes : {c.lhs, c.rhs, c.out})
      for (int x : axes) numbers.push(x);
    l.set(e, 0, l.convolution(lhs, rhs, numbers, e.out_type(0)));
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    conv_numbers const c(e.params());
    o.key("batch_group_count");
    o.integer(c.batch_groups);
    o.key("dimension_numbers");
    o.text("ConvDimensionNumbers(lhs_spec=");
    o.tuple(c.lhs);
    o.text(", rhs_spec=");
    o.tuple(c.rhs);
    o.text(", out_spec=");
    o.tuple(c.out);
    o.text(")");
    o.key("feature_group_count");
    o.integer(c.feature_groups);
    o.key("lhs_dilation");
    o.tuple(c.lhs_dilation);
    o.key("out_sharding");
    o.text("None");
    o.key("padding");
    o.text("(");
    for (int i = 0; i < c.spatial; ++i) {
      int const pair[] = {c.low[i], c.high[i]};
      if (i > 0) o.text(", ");
      o.tuple(pair);
    }
    o.text(c.spatial == 1 ? ",)" : ")");
    o.key("precision");
    o.text("None");
    o.key("preferred_element_type");
    if (c.prefers) o.dtype(c.preferred);
    else o.text("None");
    o.key("rhs_dilation");
    o.tuple(c.rhs_dilation);
    o.key("window_strides");
    o.tuple(c.stride);
  }

 private:
  static constexpr int dilated(int n, int dilation) { return n > 0 ? (n - 1) * dilation + 1 : 0; }
  // The parameters of a convolution. lists: strides, paddings, dilations; swapped: whose first two axes change places, of lhs, rhs, out.
  static constexpr detail::arena<int> numbers(int spatial, std::initializer_list<detail::span<int>> lists, int feature_groups,
                                              int batch_groups, int type, std::initializer_list<detail::span<int>> axes,
                                              std::initializer_list<bool> swapped) {
    detail::arena<int> par;
    par.push(spatial);
    for (detail::span<int> list : lists)
      for (int x : list) par.push(x);
    par.push(feature_groups);
    par.push(batch_groups);
    par.push(type);
    bool const* swap = swapped.begin();
    for (detail::span<int> list : axes) {
      par.push(list[*swap]);
      par.push(list[!*swap]);
      for (int x : list.part(2, spatial)) par.push(x);
      ++swap;
    }
    return par;
  }
  template <class Context>
  static constexpr int transposed_lhs(Context& c, equation_ref const& e) {
    conv_numbers const n(e.params());
    aval const &x = e.type(0), &y = e.type(1), &out = e.out_type(0);
    int const groups = n.feature_groups > 1 ? n.feature_groups : n.batch_groups;
    int rhs = c.in(e, 1);
    if (groups > 1) rhs = axis_into(c, axis_out_of(c, rhs, n.rhs[0], groups), n.rhs[0], n.rhs[1]);
    detail::int_list low, high;
    for (int i = 0; i < n.spatial; ++i) {
      low.push(dilated(y.dims[n.rhs[2 + i]], n.rhs_dilation[i]) - n.low[i] - 1);
      high.push(dilated(x.dims[n.lhs[2 + i]], n.lhs_dilation[i]) + n.low[i] - dilated(out.dims[n.out[2 + i]], n.stride[i]));
    }
    int const in[] = {c.cotangent(e), c.rev(rhs, n.rhs.part(2, n.spatial))};
    int const v = convolved(c, in, x.type,
                            numbers(n.spatial, {n.lhs_dilation, {low.of, low.n}, {high.of, high.n}, n.stride, n.rhs_dilation}, groups, 1,
                                    type_beside(n, x), {n.out, n.rhs, n.lhs}, {false, true, false}));
    if (n.batch_groups == 1) return v;
    return axis_into(c, axis_out_of(c, v, n.lhs[1], groups), n.lhs[1], n.lhs[0]);
  }
  template <class Context>
  static constexpr int transposed_rhs(Context& c, equation_ref const& e) {
    conv_numbers const n(e.params());
    aval const &x = e.type(0), &y = e.type(1), &out = e.out_type(0);
    detail::int_list high;
    for (int i = 0; i < n.spatial; ++i)
      high.push(dilated(y.dims[n.rhs[2 + i]], n.rhs_dilation[i]) + dilated(out.dims[n.out[2 + i]], n.stride[i]) - 1 -
                dilated(x.dims[n.lhs[2 + i]], n.lhs_dilation[i]) - n.low[i]);
    int const in[] = {c.in(e, 0), c.cotangent(e)};
    return convolved(c, in, y.type,
                     numbers(n.spatial, {n.rhs_dilation, n.low, {high.of, high.n}, n.lhs_dilation, n.stride}, n.batch_groups,
                             n.feature_groups, type_beside(n, y), {n.lhs, n.out, n.rhs}, {true, true, true}));
  }
  // Of a real operand beside a complex one the real part.
  static constexpr int type_beside(conv_numbers const& n, aval const& operand) {
    int const type = static_cast<int>(is_complex(n.preferred) ? n.preferred : operand.type);
    return n.prefers ? type : ~type;
  }
  template <class Context>
  static constexpr int convolved(Context& c, detail::span<int> in, dtype t, detail::span<int> par) {
    return c.convert(c.emit(prim::conv_general_dilated, in, par), t);
  }
  static constexpr void unravel(std::ptrdiff_t i, aval const& shape, int* at) {
    for (int k = shape.rank - 1; k >= 0; --k) {
      at[k] = static_cast<int>(i % shape.dims[k]);
      i /= shape.dims[k];
    }
  }
  // Axis `from` becomes the slower part of axis `to` (counted without `from`).
  template <class Context>
  static constexpr int axis_into(Context& c, int v, int from, int to) {
    v = c.move(v, from, to);
    aval const t = c.type(v);
    aval shape = t.without_axis(to);
    shape.dims[to] *= t.dims[to];
    return c.reshape(v, shape);
  }
  // Splits an axis; n is the size of its slower part.
  template <class Context>
  static constexpr int axis_out_of(Context& c, int v, int axis, int n) {
    aval shape = c.type(v);
    shape.dims[axis] /= n;
    return c.reshape(v, shape.with_axis(axis, n));
  }
  // Axis `from` is merged into axis `to` (counted without `from`), inside its groups: [group, from, rest].
  template <class Context>
  static constexpr int axis_into_groups(Context& c, int v, int from, int to, int groups) {
    if (groups == 1) return axis_into(c, v, from, to);
    v = axis_out_of(c, v, to + (from <= to), groups);
    v = axis_into(c, v, from + (to < from), to + 1);
    return axis_into(c, v, to, to);
  }
};

}  // namespace exprax
