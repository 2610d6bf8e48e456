// SPDX-License-Identifier: BSL-1.0
// dot_general (jax.lax.dot_general): products summed over contracting axes, for each index of the batch axes. The axes of the
// result are the batch axes, then the other axes of lhs, then those of rhs.
// Parameters: n, n contracting axes of lhs, of rhs; m, m batch axes of lhs, of rhs; preferred dtype (the result's); order of
// summation (contraction.hpp; batching keeps it).
#pragma once

#include <exprax/primitives/contractions/contraction.hpp>

namespace exprax {

struct dot_numbers {
  detail::span<int> lhs_contract, rhs_contract, lhs_batch, rhs_batch;
  dtype preferred;
  int order;

  constexpr explicit dot_numbers(detail::span<int> p) {
    int const n = p[0], m = p[1 + 2 * n];
    lhs_contract = p.part(1, n);
    rhs_contract = p.part(1 + n, n);
    lhs_batch = p.part(2 + 2 * n, m);
    rhs_batch = p.part(2 + 2 * n + m, m);
    preferred = static_cast<dtype>(p[2 + 2 * n + 2 * m]);
    order = p[3 + 2 * n + 2 * m];
  }
  constexpr bool lhs_is_free(int axis) const { return is_free(lhs_contract, lhs_batch, axis); }
  constexpr bool rhs_is_free(int axis) const { return is_free(rhs_contract, rhs_batch, axis); }
  // The axis of the result that a free axis of lhs, or of rhs, becomes.
  constexpr int place_of_lhs(int axis) const {
    int place = lhs_batch.size();
    for (int i = 0; i < axis; ++i) place += lhs_is_free(i);
    return place;
  }
  constexpr int place_of_rhs(int axis, int lhs_rank) const {
    int place = lhs_rank - lhs_contract.size();
    for (int i = 0; i < axis; ++i) place += rhs_is_free(i);
    return place;
  }
  static constexpr bool is_free(detail::span<int> contract, detail::span<int> batch, int axis) {
    return !detail::contains(contract.data(), contract.size(), axis) && !detail::contains(batch.data(), batch.size(), axis);
  }
};

template <>
struct primitive<prim::dot_general> {
  static constexpr std::string_view name = "dot_general";
  static constexpr prim_traits traits{.kind = op_class::contraction, .arity = 2, .reads_memory = true};

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 2 || e.n_par() < 4) return false;
    dot_numbers const d(e.params());
    if (e.n_par() != 4 + 2 * d.lhs_contract.size() + 2 * d.lhs_batch.size()) return false;
    aval const &a = e.type(0), &b = e.type(1);
    if (!fits(a, b, d.lhs_contract, d.rhs_contract) || !fits(a, b, d.lhs_batch, d.rhs_batch)) return false;
    if (is_bool(d.preferred) || d.order < 0 || d.order > 1) return false;
    *out = aval(d.preferred, a.weak && b.weak);
    for (int axis : d.lhs_batch) out->dims[out->rank++] = a.dims[axis];
    for (int i = 0; i < a.rank; ++i)
      if (d.lhs_is_free(i)) out->dims[out->rank++] = a.dims[i];
    for (int i = 0; i < b.rank; ++i)
      if (d.rhs_is_free(i)) out->dims[out->rank++] = b.dims[i];
    return true;
  }

  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    dot_numbers const d(e.params());
    aval const &a = e.type(0), &b = e.type(1), &out = e.out_type(0);
    strides const a_of(a), b_of(b);
    detail::place a_out, b_out, a_sum, b_sum;  // offsets by the index of the result, and by that of the sum
    aval summed;
    int axis = 0;
    for (int k = 0; k < d.lhs_batch.size(); ++k, ++axis) {
      a_out.step[axis] = a_of[d.lhs_batch[k]];
      b_out.step[axis] = b_of[d.rhs_batch[k]];
    }
    for (int i = 0; i < a.rank; ++i)
      if (d.lhs_is_free(i)) a_out.step[axis++] = a_of[i];
    for (int i = 0; i < b.rank; ++i)
      if (d.rhs_is_free(i)) b_out.step[axis++] = b_of[i];
    for (int k = 0; k < d.lhs_contract.size(); ++k) {
      a_sum.step[k] = a_of[d.lhs_contract[k]];
      b_sum.step[k] = b_of[d.rhs_contract[k]];
      summed.dims[summed.rank++] = a.dims[d.lhs_contract[k]];
    }
    std::uint64_t const *lhs = m.in(e, 0), *rhs = m.in(e, 1);
    std::uint64_t* to = m.out(e, 0);
    detail::with_number(out.type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      detail::walk(out, a_out, b_out, [&](std::ptrdiff_t a_at, std::ptrdiff_t b_at) {
        detail::dot_accumulator<T> sum(d.order);
        detail::walk(summed, a_sum, b_sum, [&](std::ptrdiff_t i, std::ptrdiff_t j) {
          sum.add(detail::read_as<T>(a.type, lhs[a_at + i]), detail::read_as<T>(b.type, rhs[b_at + j]));
        });
        *to++ = detail::to_bits(sum.result());
      });
    });
  }

  // The axis is a batch axis of both operands, or a free one of one of them.
  static constexpr bool unbatch(equation_ref const& e, detail::span<batch_axis> in, int, batch_axis& out, detail::arena<int>& par) {
    dot_numbers const d(e.params());
    batch_axis const l = in[0], r = in[1];
    if ((l.is_mapped() && detail::contains(d.lhs_contract.data(), d.lhs_contract.size(), l.position())) ||
        (r.is_mapped() && detail::contains(d.rhs_contract.data(), d.rhs_contract.size(), r.position())))
      return false;
    int both = -1;
    for (int k = 0; k < d.lhs_batch.size(); ++k)
      if (d.lhs_batch[k] == l.parameter() || d.rhs_batch[k] == r.parameter()) both = k;
    if (both < 0 ? l.is_mapped() && r.is_mapped() : d.lhs_batch[both] != l.parameter() || d.rhs_batch[both] != r.parameter()) return false;
    out = both >= 0 ? both : l.is_mapped() ? d.place_of_lhs(l.position()) : d.place_of_rhs(r.position(), e.type(0).rank);
    auto const push = [&](detail::span<int> axes, batch_axis row) {
      for (int axis : axes)
        if (axis != row.parameter()) par.push(axis - (row.is_mapped() && axis > row.position()));
    };
    par.push(d.lhs_contract.size());
    push(d.lhs_contract, l);
    push(d.rhs_contract, r);
    par.push(d.lhs_batch.size() - (both >= 0));
    push(d.lhs_batch, l);
    push(d.rhs_batch, r);
    par.push(static_cast<int>(d.preferred));
    par.push(d.order);
    return true;
  }
  // jax.lax's _dot_general_batch_dim_nums: if both operands are batched, they get one more batch axis, in front; if only one is, its axis
  // becomes a free axis in place.
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    dot_numbers const d(e.params());
    batch_axis const l = c.dim(e, 0), r = c.dim(e, 1);
    if (!l.is_mapped() && c.only_runs && is_cheaper_exchanged(e, d, c.size())) return batch_exchanged(c, e, d, r);
    bool const both = l.is_mapped() && r.is_mapped();
    int const out_dim = both ? 0 : l.is_mapped() ? d.place_of_lhs(l.position()) : d.place_of_rhs(r.position(), e.type(0).rank);
    detail::int_list par;
    auto const push = [&](detail::span<int> axes, batch_axis dim) {
      for (int axis : axes) par.push(axis + (dim.is_mapped() && axis >= dim.position()));
    };
    par.push(d.lhs_contract.size());
    push(d.lhs_contract, l);
    push(d.rhs_contract, r);
    par.push(d.lhs_batch.size() + both);
    if (both) par.push(l.position());
    push(d.lhs_batch, l);
    if (both) par.push(r.position());
    push(d.rhs_batch, r);
    par.push(static_cast<int>(d.preferred));
    par.push(d.order);
    int const in[] = {c.value(e, 0), c.value(e, 1)};
    c.replace(e, in, {par.of, par.n}, out_dim);
  }

  template <class Context>
  static constexpr void jvp(Context& c, equation_ref const& e) {
    detail::product_jvp<prim::dot_general>(c, e);
  }
  // jax.lax's _dot_general_transpose_lhs: the free axes of the other operand become the contracting ones.
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    dot_numbers const d(e.params());
    bool const is_lhs = c.is_linear(e, 0);
    aval const &x = e.type(is_lhs ? 0 : 1), &y = e.type(is_lhs ? 1 : 0);
    detail::span<int> const x_contract = is_lhs ? d.lhs_contract : d.rhs_contract, y_contract = is_lhs ? d.rhs_contract : d.lhs_contract;
    detail::span<int> const x_batch = is_lhs ? d.lhs_batch : d.rhs_batch, y_batch = is_lhs ? d.rhs_batch : d.lhs_batch;
    int const n_batch = x_batch.size();
    detail::int_list x_kept, y_kept, par, from, permutation;
    for (int i = 0; i < x.rank; ++i)
      if (dot_numbers::is_free(x_contract, x_batch, i)) x_kept.push(i);
    for (int i = 0; i < y.rank; ++i)
      if (dot_numbers::is_free(y_contract, y_batch, i)) y_kept.push(i);
    int const first_y = n_batch + (is_lhs ? x_kept.n : 0);
    par.push(y_kept.n);
    for (int i = 0; i < y_kept.n; ++i) par.push(first_y + i);
    for (int i = 0; i < y_kept.n; ++i) par.push(y_kept.of[i]);
    par.push(n_batch);
    for (int i = 0; i < n_batch; ++i) par.push(i);
    for (int axis : y_batch) par.push(axis);
    // Of a real operand beside a complex one the real part.
    par.push(static_cast<int>(is_complex(d.preferred) ? d.preferred : x.type));
    par.push(form_of_cotangent(x, y, {x_kept.of, x_kept.n}, {y_kept.of, y_kept.n}, y_contract).order());
    int const in[] = {c.cotangent(e), c.in(e, is_lhs ? 1 : 0)};
    int const product = c.convert(c.emit(prim::dot_general, in, {par.of, par.n}), x.type);
    // Its axes: the batch axes, the kept ones, and the contracted ones in the order of their partners.
    for (int axis : x_batch) from.push(axis);
    for (int i = 0; i < x_kept.n; ++i) from.push(x_kept.of[i]);
    for (int i = 0; i < y.rank; ++i)
      for (int k = 0; k < y_contract.size(); ++k)
        if (y_contract[k] == i) from.push(x_contract[k]);
    for (int i = 0; i < x.rank; ++i)
      for (int k = 0; k < from.n; ++k)
        if (from.of[k] == i) permutation.push(k);
    c.add_cotangent(e, is_lhs ? 0 : 1, c.transpose(product, {permutation.of, permutation.n}));
  }

  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    dot_numbers const d(e.params());
    int const lhs = l.convert(l.in(e, 0), d.preferred), rhs = l.convert(l.in(e, 1), d.preferred);
    l.set(e, 0, l.dot_general(lhs, rhs, e.params().part(0, e.n_par() - 2), e.out_type(0)));
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    dot_numbers const d(e.params());
    o.key("dimension_numbers");
    o.text("((");
    o.list(d.lhs_contract);
    o.text(", ");
    o.list(d.rhs_contract);
    o.text("), (");
    o.list(d.lhs_batch);
    o.text(", ");
    o.list(d.rhs_batch);
    o.text("))");
    o.key("preferred_element_type");
    o.dtype(d.preferred);
  }

 private:
  // A matrix with many vectors: as lhs they give rows of the result in place. As rhs, in JAX's form, they and the result are transposed.
  // Exchanged, the matrix may have to be: that is cheaper unless it is much larger. Terms and their order stay.
  static constexpr bool is_cheaper_exchanged(equation_ref const& e, dot_numbers const& d, std::ptrdiff_t rows) {
    constexpr std::ptrdiff_t fewest_rows = 4;
    if (d.lhs_contract.size() + d.rhs_batch.size() != e.type(1).rank || rows < fewest_rows) return false;
    return e.type(0).size() <= rows * (e.type(1).size() + e.out_type(0).size());
  }
  template <class Context>
  static constexpr void batch_exchanged(Context& c, equation_ref const& e, dot_numbers const& d, batch_axis vectors) {
    detail::int_list par;
    auto const push = [&](detail::span<int> axes, bool of_vectors) {
      for (int axis : axes) par.push(axis + (of_vectors && axis >= vectors.position()));
    };
    par.push(d.lhs_contract.size());
    push(d.rhs_contract, true);
    push(d.lhs_contract, false);
    par.push(d.lhs_batch.size());
    push(d.rhs_batch, true);
    push(d.lhs_batch, false);
    par.push(static_cast<int>(d.preferred));
    par.push(d.order);
    int const in[] = {c.value(e, 1), c.value(e, 0)};
    c.replace(e, in, {par.of, par.n}, d.lhs_batch.size());
  }
  // The product of a cotangent of x with y.
  static constexpr detail::product_form form_of_cotangent(aval const& x, aval const& y, detail::span<int> x_kept, detail::span<int> y_kept,
                                                          detail::span<int> y_contract) {
    detail::product_form f;
    for (int axis : y_kept) f.terms *= y.dims[axis];
    for (int axis : x_kept) f.rows *= x.dims[axis];
    for (int axis : y_contract) f.columns *= y.dims[axis];
    f.rhs_is_along_sum = y_kept.size() > 0 && y_kept[y_kept.size() - 1] == y.rank - 1;
    return f;
  }
  static constexpr bool fits(aval const& a, aval const& b, detail::span<int> lhs, detail::span<int> rhs) {
    if (!detail::are_axes(lhs.data(), lhs.size(), a.rank) || !detail::are_axes(rhs.data(), rhs.size(), b.rank)) return false;
    for (int k = 0; k < lhs.size(); ++k)
      if (a.dims[lhs[k]] != b.dims[rhs[k]]) return false;
    return true;
  }
};

}  // namespace exprax
