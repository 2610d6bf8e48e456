// SPDX-License-Identifier: BSL-1.0
// pad (jax.lax.pad): the operand with a padding value before, after and between its elements; negative low and high remove elements.
// Operands: the array, a scalar. Parameters: low of each axis, then high, then interior.
#pragma once

#include <exprax/primitives/primitive.hpp>
#include <exprax/primitives/walk.hpp>
#include <exprax/types/element.hpp>

namespace exprax {

template <>
struct primitive<prim::pad> {
  static constexpr std::string_view name = "pad";
  static constexpr prim_traits traits{.kind = op_class::movement, .arity = 2, .cost = 0, .moves_bits = true, .linear_in = all_operands};

  static constexpr int low(equation_ref const& e, int axis) { return e.param(axis); }
  static constexpr int high(equation_ref const& e, int axis) { return e.param(e.type(0).rank + axis); }
  static constexpr int interior(equation_ref const& e, int axis) { return e.param(2 * e.type(0).rank + axis); }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 2 || e.type(1).rank != 0 || e.type(0).type != e.type(1).type || e.n_par() != 3 * e.type(0).rank) return false;
    *out = e.type(0);
    out->weak = e.type(0).weak && e.type(1).weak;
    for (int i = 0; i < out->rank; ++i) {
      int const n = out->dims[i];
      if (interior(e, i) < 0) return false;
      out->dims[i] = low(e, i) + high(e, i) + n + (n > 0 ? (n - 1) * interior(e, i) : 0);
      if (out->dims[i] < 0) return false;
    }
    return true;
  }
  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    aval const &in = e.type(0), &out = e.out_type(0);
    std::uint64_t* const to = m.out(e, 0);
    std::ptrdiff_t const n = out.size();
    for (std::ptrdiff_t i = 0; i < n; ++i) to[i] = m.in(e, 1)[0];
    // The box of the operand that is kept: elements first, first + 1, ... of each axis.
    aval kept = in;
    detail::place at(out), from(in);
    for (int i = 0; i < in.rank; ++i) {
      int const step = interior(e, i) + 1;
      int first = 0, count = 0;
      while (first < in.dims[i] && low(e, i) + first * step < 0) ++first;
      while (first + count < in.dims[i] && low(e, i) + (first + count) * step < out.dims[i]) ++count;
      kept.dims[i] = count;
      from.base += from.step[i] * first;
      at.base += at.step[i] * (low(e, i) + first * step);
      at.step[i] *= step;
    }
    detail::copy_box(kept, to, at, m.in(e, 0), from);
  }
  static constexpr bool unbatch(equation_ref const& e, detail::span<batch_axis> in, int, batch_axis& out, detail::arena<int>& par) {
    if (!in[0].is_mapped() || in[1].is_mapped()) return false;
    int const d = in[0].position(), rank = e.type(0).rank;
    out = d;
    for (int i = 0; i < e.n_par(); ++i) {
      if (i % rank != d) par.push(e.param(i));
      else if (e.param(i) != 0) return false;
    }
    return true;
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const rank = e.type(0).rank;
    bool const is_array_mapped = c.dim(e, 0).is_mapped();
    int const d = is_array_mapped ? c.dim(e, 0).position() : 0, v = is_array_mapped ? c.value(e, 0) : c.insert(c.value(e, 0), 0, c.size());
    detail::int_list par;
    for (int part = 0; part < 3; ++part) {
      for (int i = 0; i <= rank; ++i) {
        if (i == d) par.push(0);
        if (i < rank) par.push(e.param(part * rank + i));
      }
    }
    if (!c.dim(e, 1).is_mapped()) {
      int const in[] = {v, c.value(e, 1)};
      return c.replace(e, in, {par.of, par.n}, d);
    }
    // A padding value for each row: pad with zero, and select by a padded mask.
    aval const out = e.out_type(0).with_axis(d, c.size());
    dtype const t = out.type;
    int const array[] = {v, c.literal(t, 0)};
    int const padded = c.emit(prim::pad, array, {par.of, par.n}, out);
    int const ones = c.broadcast(c.literal(dtype::b1, 1), c.type(v), {});
    int const mask[] = {ones, c.literal(dtype::b1, 0)};
    int const inside = c.emit(prim::pad, mask, {par.of, par.n}, out.with_type(dtype::b1));
    int const fill = c.broadcast(c.value(e, 1), out, {&d, 1});
    int const choice[] = {inside, fill, padded};
    c.set(e, 0, c.emit(prim::select_n, choice, {}, out), d);
  }
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    int const ct = c.cotangent(e), rank = e.type(0).rank;
    detail::int_list low, high, none, step, axes;
    for (int i = 0; i < rank; ++i) {
      low.push(-primitive::low(e, i));
      high.push(-primitive::high(e, i));
      none.push(0);
      step.push(interior(e, i) + 1);
      axes.push(i);
    }
    detail::span<int> const zeros{none.of, rank};
    int x = c.pad(ct, c.literal(e.type(0).type, 0), {low.of, rank}, {high.of, rank}, zeros);
    aval const kept = c.type(x);
    x = c.slice(x, zeros, {kept.dims, rank}, {step.of, rank});
    if (c.is_linear(e, 0)) c.add_cotangent(e, 0, x);
    detail::span<int> const all{axes.of, rank};
    if (c.is_linear(e, 1)) c.add_cotangent(e, 1, c.sub(c.reduce(prim::reduce_sum, ct, all), c.reduce(prim::reduce_sum, x, all)));
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    l.set(e, 0, l.pad(l.in(e, 0), l.in(e, 1), e.params(), e.out_type(0)));
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    int const rank = e.type(0).rank;
    o.key("padding_config");
    o.text("(");
    for (int i = 0; i < rank; ++i) {
      if (i > 0) o.text(", ");
      int const axis[] = {low(e, i), high(e, i), interior(e, i)};
      o.tuple(axis);
    }
    o.text(rank == 1 ? ",)" : ")");
  }
};

}  // namespace exprax
