// SPDX-License-Identifier: BSL-1.0
// scan (jax.lax.scan): a loop with a static number of iterations. Operands: consts, the carry, xs; results: the last carry, ys. Iteration i
// calls the block on the consts, the carry and row i of each of xs; it returns the next carry and row i of each of ys.
// Parameters: length, num_consts, num_carry, reverse (iterates from the last row to the first), unroll. One block.
#pragma once

#include <exprax/primitives/control/signature.hpp>

namespace exprax {

template <>
struct primitive<prim::scan> {
  static constexpr std::string_view name = "scan";
  static constexpr prim_traits traits{.kind = op_class::control};

  static constexpr int length(equation_ref const& e) { return e.param(0); }
  static constexpr int num_consts(equation_ref const& e) { return e.param(1); }
  static constexpr int num_carry(equation_ref const& e) { return e.param(2); }
  static constexpr bool reverse(equation_ref const& e) { return e.param(3) != 0; }
  static constexpr int unroll(equation_ref const& e) { return e.param(4); }

  static constexpr control_signature signature(equation_ref const& e) {
    control_signature s;
    s.n_const[0] = s.first_carry = num_consts(e);
    s.n_carry = num_carry(e);
    return s;
  }
  static constexpr detail::arena<int> parameters_for(equation_ref const& e, detail::span<char> operands, detail::span<char>) {
    detail::arena<int> par = detail::parameters_of(e);
    par[1] = par[2] = 0;
    for (int k = 0; k < num_consts(e); ++k) par[1] += operands[k];
    for (int k = 0; k < num_carry(e); ++k) par[2] += operands[num_consts(e) + k];
    return par;
  }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.e.n_blk != 1 || e.n_par() != 5 || length(e) < 0) return false;
    block const& b = e.sub(0);
    int const first_carry = num_consts(e), first_x = first_carry + num_carry(e);
    if (first_carry < 0 || num_carry(e) < 0 || b.n_in != e.n_in() || b.n_in < first_x || b.n_out < num_carry(e)) return false;
    for (int k = 0; k < b.n_in; ++k) {
      aval const& given = e.type(k);
      aval const& taken = e.p.type(e.p.ins(b)[k]);
      if (k < first_x ? !taken.matches(given) : given.rank == 0 || given.dims[0] != length(e) || !taken.matches(given.without_axis(0)))
        return false;
    }
    for (int k = 0; k < b.n_out; ++k) {
      aval const& made = e.p.type(e.p.outs(b)[k]);
      if (k < num_carry(e) && !made.matches(e.type(first_carry + k))) return false;
      out[k] = k < num_carry(e) ? e.type(first_carry + k) : made.with_axis(0, length(e));
    }
    return true;
  }

  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    block const& b = e.sub(0);
    int const first_carry = num_consts(e), n_carry = num_carry(e), first_x = first_carry + n_carry;
    // The carry is stored in the results; the next one is computed in separate memory, because a block may return its inputs.
    detail::arena<std::uint64_t> next;
    std::ptrdiff_t carry_size = 0;
    for (int k = 0; k < n_carry; ++k) carry_size += e.out_type(k).size();
    next.resize(static_cast<int>(carry_size));
    for (int k = 0; k < n_carry; ++k) copy(m.out(e, k), m.in(e, first_carry + k), e.out_type(k).size());
    for (int k = 0; k < first_carry; ++k) m.bind(b, k, m.in(e, k));
    for (int iteration = 0; iteration < length(e); ++iteration) {
      int const row = reverse(e) ? length(e) - 1 - iteration : iteration;
      for (int k = 0; k < n_carry; ++k) m.bind(b, first_carry + k, m.out(e, k));
      for (int k = first_x; k < e.n_in(); ++k) m.bind(b, k, m.in(e, k) + row * (e.type(k).size() / length(e)));
      m.run(b);
      for (int k = n_carry; k < e.n_out(); ++k) {
        std::ptrdiff_t const n = e.out_type(k).size() / length(e);
        copy(m.out(e, k) + row * n, m.result(b, k), n);
      }
      std::uint64_t* at = next.data();
      for (int k = 0; k < n_carry; ++k) at = copy(at, m.result(b, k), e.out_type(k).size());
      at = next.data();
      for (int k = 0; k < n_carry; ++k) {
        copy(m.out(e, k), at, e.out_type(k).size());
        at += e.out_type(k).size();
      }
    }
  }

  // The carry is batched if its initial value or its update is: the batch axis is first in consts and carry, second in xs and ys.
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const id = e.p.block_id(e.e, 0), n_carry = num_carry(e), first_x = num_consts(e) + n_carry;
    auto const [marks, out_marks, by_condition] = c.dependence(e);
    detail::arena<int> in;
    detail::arena<batch_axis> dims;
    detail::arena<wanted_axis> want;
    detail::arena<aval> out;
    for (int k = 0; k < e.n_in(); ++k) {
      in.push(marks[k] ? c.placed(c.value(e, k), c.dim(e, k), k < first_x ? 0 : 1) : c.value(e, k));
      dims.push(marks[k] ? batch_axis(0) : not_mapped);
    }
    for (int k = 0; k < e.n_out(); ++k) {
      want.push(out_marks[k] ? batch_axis(0) : not_mapped);
      out.push(out_marks[k] ? e.out_type(k).with_axis(k < n_carry ? 0 : 1, c.size()) : e.out_type(k));
    }
    int const body = c.batch_block(id, dims, want);
    int const first = c.emit(prim::scan, in, e.params(), out, {&body, 1});
    for (int k = 0; k < e.n_out(); ++k) c.set(e, k, first + k, out_marks[k] ? batch_axis(k < n_carry ? 0 : 1) : not_mapped);
  }

  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    int const n_consts = num_consts(e), n_carry = num_carry(e), first_x = n_consts + n_carry, n_x = e.n_in() - first_x;
    int const n = length(e), at_i = n_consts + n_x, at_y = at_i + 1 + n_carry;
    // The while loop carries the consts and xs, which do not change, the iteration count, the carry, and ys.
    detail::arena<int> start;
    for (int k = 0; k < n_consts; ++k) start.push(l.in(e, k));
    for (int k = 0; k < n_x; ++k) start.push(l.in(e, first_x + k));
    detail::arena<int> ys;
    for (int k = n_carry; k < e.n_out(); ++k) ys.push(l.full(e.out_type(k), 0));
    if (n == 0) {
      for (int k = 0; k < e.n_out(); ++k) l.set(e, k, k < n_carry ? l.in(e, n_consts + k) : ys[k - n_carry]);
      return;
    }
    start.push(l.number(dtype::i32, 0));
    for (int k = 0; k < n_carry; ++k) start.push(l.in(e, n_consts + k));
    for (int y : ys) start.push(y);
    auto const condition = [&](int first) { return l.compare("LT", first + at_i, l.number(dtype::i32, n)); };
    auto const iteration = [&](int first) {
      int row = first + at_i;
      if (reverse(e)) {
        row = l.like("subtract", l.number(dtype::i32, n), row);
        row = l.like("subtract", row, l.number(dtype::i32, 1));
      }
      detail::arena<int> in, next;
      for (int k = 0; k < n_consts; ++k) in.push(first + k);
      for (int k = 0; k < n_carry; ++k) in.push(first + at_i + 1 + k);
      for (int k = 0; k < n_x; ++k) in.push(l.row(first + n_consts + k, row));
      detail::arena<int> const made = l.apply(e.sub(0), in);
      for (int k = 0; k < at_i; ++k) next.push(first + k);
      next.push(-1);
      for (int k = 0; k < n_carry; ++k) next.push(made[k]);
      for (int k = n_carry; k < e.n_out(); ++k) next.push(l.set_row(first + at_y + k - n_carry, made[k], row));
      next[at_i] = l.like("add", first + at_i, l.number(dtype::i32, 1));
      return next;
    };
    int const first = l.loop(start, condition, iteration);
    for (int k = 0; k < e.n_out(); ++k) l.set(e, k, first + at_i + 1 + k);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("jaxpr");
    o.block(0);
    o.key("length");
    o.integer(length(e));
    o.key("num_carry");
    o.integer(num_carry(e));
    o.key("num_consts");
    o.integer(num_consts(e));
    o.key("reverse");
    o.boolean(reverse(e));
    o.key("unroll");
    o.integer(unroll(e));
  }

 private:
  static constexpr std::uint64_t* copy(std::uint64_t* to, std::uint64_t const* from, std::ptrdiff_t n) {
    for (std::ptrdiff_t i = 0; i < n; ++i) to[i] = from[i];
    return to + n;
  }
};

}  // namespace exprax
