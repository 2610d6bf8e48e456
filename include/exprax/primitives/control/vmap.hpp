// SPDX-License-Identifier: BSL-1.0
// vmap (jax.vmap before batching): a block, applied to each row of its operands. A call of vmap records it; jaxprs show the batched
// equations (transforms/expand_vmap.hpp), and code is generated from whichever form is faster (passes/place_vmaps.hpp).
//
// One or several axes are mapped at once. Parameters: their number n; their sizes; for each operand, and then for each result, the position
// of each of the n axes in it, or -1. The block takes and returns values without these axes. One block.
#pragma once

#include <exprax/primitives/control/signature.hpp>

namespace exprax {

template <>
struct primitive<prim::vmap> {
  static constexpr std::string_view name = "vmap";
  static constexpr prim_traits traits{.kind = op_class::control};

  static constexpr int axes(equation_ref const& e) { return e.param(0); }
  static constexpr int size(equation_ref const& e, int axis) { return e.param(1 + axis); }
  // The position of the axis in operand k, and in result k.
  static constexpr batch_axis in_dim(equation_ref const& e, int k, int axis) {
    return batch_axis::from_parameter(e.param(1 + axes(e) * (1 + k) + axis));
  }
  static constexpr batch_axis out_dim(equation_ref const& e, int k, int axis) { return in_dim(e, e.n_in() + k, axis); }
  static constexpr std::ptrdiff_t rows(equation_ref const& e) {
    std::ptrdiff_t n = 1;
    for (int a = 0; a < axes(e); ++a) n *= size(e, a);
    return n;
  }

  // All operands are elements, or have none of the axes.
  static constexpr control_signature signature(equation_ref const&) { return {}; }
  static constexpr detail::arena<int> parameters_for(equation_ref const& e, detail::span<char> operands, detail::span<char> results) {
    detail::arena<int> par;
    for (int x : e.params().part(0, 1 + axes(e))) par.push(x);
    for (int k = 0; k < e.n_in() + e.n_out(); ++k)
      for (int copies = k < e.n_in() ? operands[k] : results[k - e.n_in()]; copies > 0; --copies)
        for (int a = 0; a < axes(e); ++a) par.push(in_dim(e, k, a).parameter());
    return par;
  }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.e.n_blk != 1 || e.n_par() < 2 || axes(e) < 1) return false;
    block const& b = e.sub(0);
    if (b.n_in != e.n_in() || e.n_par() != 1 + axes(e) * (1 + b.n_in + b.n_out)) return false;
    for (int k = 0; k < b.n_in; ++k)
      if (!carries_axes(e, e.type(k), e.p.type(e.p.ins(b)[k]), k)) return false;
    for (int k = 0; k < b.n_out; ++k)
      if (!insert_axes(e, e.p.type(e.p.outs(b)[k]), k, out[k])) return false;
    return true;
  }

  // Row by row; rows are copied, because their elements may be strided.
  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    block const& b = e.sub(0);
    detail::arena<std::uint64_t> copies;
    std::ptrdiff_t total = 0;
    for (int v : e.p.ins(b)) total += e.p.type(v).size();
    copies.resize(static_cast<int>(total) + 1);
    for (std::ptrdiff_t row = 0; row < rows(e); ++row) {
      std::uint64_t* to = copies.data();
      for (int k = 0; k < b.n_in; ++k) {
        m.bind(b, k, to);
        for_elements(e, e.type(k), k, row, [&](std::ptrdiff_t at) { *to++ = m.in(e, k)[at]; });
      }
      m.run(b);
      for (int k = 0; k < b.n_out; ++k) {
        std::uint64_t const* from = m.result(b, k);
        for_elements(e, e.out_type(k), e.n_in() + k, row, [&](std::ptrdiff_t at) { m.out(e, k)[at] = *from++; });
      }
    }
  }

  // Batching adds one more axis, before the others: it comes first in the results that depend on it.
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const id = e.p.block_id(e.e, 0), n = axes(e);
    detail::arena<int> in, par;
    detail::arena<batch_axis> none;
    detail::arena<char> const marks = c.dependence(e).results;
    detail::arena<aval> out;
    for (int k = 0; k < e.n_in(); ++k) {
      in.push(c.value(e, k));
      none.push(not_mapped);
    }
    par.push(n + 1);
    par.push(c.size());
    for (int a = 0; a < n; ++a) par.push(size(e, a));
    for (int k = 0; k < e.n_in() + e.n_out(); ++k) {
      bool const is_in = k < e.n_in();
      batch_axis const added = is_in ? c.dim(e, k) : marks[k - e.n_in()] ? batch_axis(0) : not_mapped;
      par.push(added.parameter());
      for (int a = 0; a < n; ++a) {
        batch_axis const d = in_dim(e, k, a);
        bool const moves = d.is_mapped() && added.is_mapped() && d.position() >= added.position();
        par.push(moves ? d.position() + 1 : d.parameter());
      }
      if (!is_in) out.push(added.is_mapped() ? e.out_type(k - e.n_in()).with_axis(0, c.size()) : e.out_type(k - e.n_in()));
    }
    int const body = c.batch_block(id, none, {});
    int const first = c.emit(prim::vmap, in, par, out, {&body, 1});
    for (int k = 0; k < e.n_out(); ++k) c.set(e, k, first + k, marks[k] ? batch_axis(0) : not_mapped);
  }

  // Texts are made from the expansion of a vmap; these two rules show the equation itself, to readers of intermediate programs.
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    l.call(e);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("axis_size");
    o.tuple(e.params().part(1, axes(e)));
    o.key("jaxpr");
    o.block(0);
  }

  // Calls f(offset) for each element of row number `row` of a value, in the order of the block. k: operand, or n_in + result.
  template <class F>
  static constexpr void for_elements(equation_ref const& e, aval const& t, int k, std::ptrdiff_t row, F f) {
    std::ptrdiff_t weight[max_rank] = {}, base = 0;
    std::ptrdiff_t w = 1;
    for (int i = t.rank - 1; i >= 0; --i) {
      weight[i] = w;
      w *= t.dims[i];
    }
    bool mapped[max_rank] = {};
    for (int a = axes(e) - 1; a >= 0; --a) {
      if (batch_axis const d = in_dim(e, k, a); d.is_mapped()) {
        base += row % size(e, a) * weight[d.position()];
        mapped[d.position()] = true;
      }
      row /= size(e, a);
    }
    std::ptrdiff_t n = 1;
    for (int i = 0; i < t.rank; ++i)
      if (!mapped[i]) n *= t.dims[i];
    for (std::ptrdiff_t j = 0; j < n; ++j) {
      std::ptrdiff_t at = base, left = j;
      for (int i = t.rank - 1; i >= 0; --i) {
        if (mapped[i]) continue;
        at += left % t.dims[i] * weight[i];
        left /= t.dims[i];
      }
      f(at);
    }
  }

 private:
  static constexpr bool carries_axes(equation_ref const& e, aval const& whole, aval const& row, int k) {
    bool mapped[max_rank] = {};
    for (int a = 0; a < axes(e); ++a) {
      if (!in_dim(e, k, a).is_mapped()) continue;
      int const d = in_dim(e, k, a).position();
      if (d < 0 || d >= whole.rank || mapped[d] || whole.dims[d] != size(e, a)) return false;
      mapped[d] = true;
    }
    aval left(whole.type, whole.weak);
    for (int i = 0; i < whole.rank; ++i)
      if (!mapped[i]) left.dims[left.rank++] = whole.dims[i];
    return row.matches(left);
  }
  static constexpr bool insert_axes(equation_ref const& e, aval const& row, int k, aval& out) {
    bool mapped[max_rank] = {};
    int next = 0;
    out = aval(row.type, row.weak);
    out.rank = row.rank;
    for (int a = 0; a < axes(e); ++a) {
      if (!out_dim(e, k, a).is_mapped()) continue;
      int const d = out_dim(e, k, a).position();
      if (++out.rank > max_rank || d < 0 || d >= max_rank || mapped[d]) return false;
      mapped[d] = true;
      out.dims[d] = size(e, a);
    }
    for (int i = 0; i < out.rank; ++i) {
      if (mapped[i]) continue;
      if (next == row.rank) return false;
      out.dims[i] = row.dims[next++];
    }
    return true;
  }
};

}  // namespace exprax
