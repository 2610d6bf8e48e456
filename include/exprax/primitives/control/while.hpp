// SPDX-License-Identifier: BSL-1.0
// while (jax.lax.while_loop): runs its body on the carry while the condition holds. Operands: the consts of the condition, those of the
// body, the carry; results: the last carry. Parameters: cond_nconsts, body_nconsts. Blocks: the condition, the body.
//
// After batching, the condition may return one bool for each row: its shape is the leading part of the shape of every carry. The loop then
// runs while any of them is true; rows whose condition is false keep their values.
#pragma once

#include <exprax/primitives/control/signature.hpp>

namespace exprax {

template <>
struct primitive<prim::while_> {
  static constexpr std::string_view name = "while";
  static constexpr prim_traits traits{.kind = op_class::control};

  static constexpr int cond_nconsts(equation_ref const& e) { return e.param(0); }
  static constexpr int body_nconsts(equation_ref const& e) { return e.param(1); }
  static constexpr int first_carry(equation_ref const& e) { return e.param(0) + e.param(1); }
  static constexpr int num_carry(equation_ref const& e) { return e.n_in() - first_carry(e); }
  static constexpr aval const& pred(equation_ref const& e) { return e.p.type(e.p.outs(e.sub(0))[0]); }

  static constexpr control_signature signature(equation_ref const& e) {
    control_signature s;
    s.has_condition = true;
    s.n_const[0] = s.first_const[1] = cond_nconsts(e);
    s.n_const[1] = body_nconsts(e);
    s.first_carry = first_carry(e);
    s.n_carry = num_carry(e);
    return s;
  }
  static constexpr detail::arena<int> parameters_for(equation_ref const& e, detail::span<char> operands, detail::span<char>) {
    detail::arena<int> par = detail::parameters_of(e);
    par[0] = par[1] = 0;
    for (int k = 0; k < first_carry(e); ++k) par[k < cond_nconsts(e) ? 0 : 1] += operands[k];
    return par;
  }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.e.n_blk != 2 || e.n_par() != 2 || cond_nconsts(e) < 0 || body_nconsts(e) < 0 || num_carry(e) < 0) return false;
    int const n = num_carry(e);
    block const &cond = e.sub(0), &body = e.sub(1);
    if (cond.n_in != cond_nconsts(e) + n || cond.n_out != 1 || body.n_in != body_nconsts(e) + n || body.n_out != n) return false;
    for (int i = 0; i < 2; ++i) {
      int const n_consts = e.param(i), consts_at = i == 0 ? 0 : cond_nconsts(e);
      for (int k = 0; k < e.sub(i).n_in; ++k) {
        int const from = k < n_consts ? consts_at + k : first_carry(e) + k - n_consts;
        if (!e.p.type(e.p.ins(e.sub(i))[k]).matches(e.type(from))) return false;
      }
    }
    aval const& p = pred(e);
    if (p.type != dtype::b1) return false;
    for (int k = 0; k < n; ++k) {
      aval const& carry = e.type(first_carry(e) + k);
      if (!e.p.type(e.p.outs(body)[k]).matches(carry) || p.rank > carry.rank) return false;
      for (int i = 0; i < p.rank; ++i)
        if (p.dims[i] != carry.dims[i]) return false;
      out[k] = carry;
    }
    return true;
  }

  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    block const &cond = e.sub(0), &body = e.sub(1);
    int const n = num_carry(e), n_cond = cond_nconsts(e), n_body = body_nconsts(e);
    std::ptrdiff_t const rows = pred(e).size();
    // The carry is stored in the results; the next one is computed in separate memory, because a body may return its inputs.
    detail::arena<std::uint64_t> next;
    detail::arena<char> runs;
    std::ptrdiff_t carry_size = 0;
    for (int k = 0; k < n; ++k) carry_size += e.out_type(k).size();
    next.resize(static_cast<int>(carry_size));
    runs.resize(static_cast<int>(rows));
    for (int k = 0; k < n; ++k) copy(m.out(e, k), m.in(e, first_carry(e) + k), e.out_type(k).size());
    while (true) {
      for (int k = 0; k < n_cond; ++k) m.bind(cond, k, m.in(e, k));
      for (int k = 0; k < n; ++k) m.bind(cond, n_cond + k, m.out(e, k));
      m.run(cond);
      bool any = false;
      for (int i = 0; i < rows; ++i) {
        runs[i] = m.result(cond, 0)[i] != 0;
        any = any || runs[i];
      }
      if (!any) return;
      for (int k = 0; k < n_body; ++k) m.bind(body, k, m.in(e, n_cond + k));
      for (int k = 0; k < n; ++k) m.bind(body, n_body + k, m.out(e, k));
      m.run(body);
      std::uint64_t* at = next.data();
      for (int k = 0; k < n; ++k) at = copy(at, m.result(body, k), e.out_type(k).size());
      at = next.data();
      for (int k = 0; k < n; ++k) {
        std::ptrdiff_t const row = e.out_type(k).size() / rows;
        for (int i = 0; i < rows; ++i, at += row)
          if (runs[i]) copy(m.out(e, k) + i * row, at, row);
      }
    }
  }

  // A carry is batched if its initial value or its update is. If the condition is then batched, all carries are, at the front; if not, the
  // loop has one condition, and the batch axis follows the axes that earlier batching has given the condition.
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const cond = e.p.block_id(e.e, 0), body = e.p.block_id(e.e, 1), n = num_carry(e), n_cond = cond_nconsts(e), first = first_carry(e);
    auto const [marks, out_marks, by_row] = c.dependence(e);
    int const axis = by_row ? 0 : pred(e).rank;
    detail::arena<int> in;
    detail::arena<batch_axis> cond_dims, body_dims;
    detail::arena<wanted_axis> carry_dims;
    detail::arena<aval> out;
    for (int k = 0; k < first; ++k) {
      in.push(c.value(e, k));
      (k < n_cond ? cond_dims : body_dims).push(c.dim(e, k));
    }
    for (int k = 0; k < n; ++k) {
      batch_axis const want = by_row || marks[first + k] ? batch_axis(axis) : not_mapped;
      in.push(c.placed(c.value(e, first + k), c.dim(e, first + k), want));
      cond_dims.push(want);
      body_dims.push(want);
      carry_dims.push(want);
      out.push(want.is_mapped() ? e.out_type(k).with_axis(axis, c.size()) : e.out_type(k));
    }
    wanted_axis const pred_dim = by_row ? batch_axis(0) : not_mapped;
    int const cond_batched = c.batch_block(cond, cond_dims, {&pred_dim, 1});
    int const blocks[] = {cond_batched, c.batch_block(body, body_dims, carry_dims)};
    int const made = c.emit(prim::while_, in, e.params(), out, blocks);
    for (int k = 0; k < n; ++k) c.set(e, k, made + k, carry_dims[k].axis());
  }

  // The condition gets the tangents of the carry, and ignores them.
  template <class Context>
  static constexpr void jvp(Context& c, equation_ref const& e) {
    auto m = c.tangent_marks(e);
    int const of_cond = cond_nconsts(e), of_body = body_nconsts(e), carry = num_carry(e);
    for (int k = 0; k < of_cond; ++k) m.operands[k] = 0;
    detail::arena<char> cond_in, body_in, none;
    for (int k = 0; k < of_cond; ++k) cond_in.push(0);
    for (int k = of_cond; k < e.n_in(); ++k) {
      body_in.push(m.operands[k]);
      if (k >= of_cond + of_body) cond_in.push(m.operands[k]);
    }
    none.push(0);
    int const cond_groups[] = {of_cond, carry}, body_groups[] = {of_body, carry}, one[] = {1}, out_groups[] = {carry};
    int const cond = c.block_with_tangents(e.p.block_id(e.e, 0), cond_in, none, cond_groups, one);
    int const body = c.block_with_tangents(e.p.block_id(e.e, 1), body_in, m.results, body_groups, out_groups);
    int const blocks[] = {cond, body};
    detail::arena<int> in, par = detail::parameters_of(e);
    c.push_operands(e, 0, of_cond, m.operands, in);
    c.push_operands(e, of_cond, of_body, m.operands, in);
    par[1] = in.size() - of_cond;
    c.push_operands(e, of_cond + of_body, carry, m.operands, in);
    int const first = c.emit(prim::while_, in, par, c.result_types(e, m.results, out_groups), blocks);
    c.set_results(e, first, m.results, out_groups);
  }
  template <class Context>
  static constexpr void partial_eval(Context& c, equation_ref const& e) {
    c.fail(mistake::reverse_mode_of_a_while_loop, e);
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    int const at_carry = first_carry(e), n_cond = cond_nconsts(e), n = num_carry(e);
    detail::arena<int> in;
    for (int k = 0; k < e.n_in(); ++k) in.push(l.in(e, k));
    // The arguments of the condition or the body, among those of the loop.
    auto const arguments = [&](int first, int consts_at, int n_consts) {
      detail::arena<int> v;
      for (int k = 0; k < n_consts; ++k) v.push(first + consts_at + k);
      for (int k = 0; k < n; ++k) v.push(first + at_carry + k);
      return v;
    };
    auto const condition = [&](int first) { return l.apply(e.sub(0), arguments(first, 0, n_cond))[0]; };
    auto const any = [&](int first) {
      int const p = condition(first);
      if (pred(e).rank == 0) return p;
      int const axes[] = {0, 1, 2, 3, 4, 5, 6, 7};
      return l.reduce("or", p, l.number(dtype::b1, 0), {axes, pred(e).rank});
    };
    auto const iteration = [&](int first) {
      detail::arena<int> next;
      for (int k = 0; k < at_carry; ++k) next.push(first + k);
      detail::arena<int> const made = l.apply(e.sub(1), arguments(first, n_cond, body_nconsts(e)));
      int const go_on = pred(e).rank > 0 && n > 0 ? condition(first) : -1;
      for (int k = 0; k < n; ++k) {
        aval const& t = e.out_type(k);
        if (go_on < 0) next.push(made[k]);
        else next.push(l.select(l.broadcast_leading(go_on, t), made[k], first + at_carry + k));
      }
      return next;
    };
    int const first = l.loop(in, any, iteration);
    for (int k = 0; k < n; ++k) l.set(e, k, first + at_carry + k);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("body_jaxpr");
    o.block(1);
    o.key("body_nconsts");
    o.integer(body_nconsts(e));
    o.key("cond_jaxpr");
    o.block(0);
    o.key("cond_nconsts");
    o.integer(cond_nconsts(e));
  }

 private:
  static constexpr std::uint64_t* copy(std::uint64_t* to, std::uint64_t const* from, std::ptrdiff_t n) {
    for (std::ptrdiff_t i = 0; i < n; ++i) to[i] = from[i];
    return to + n;
  }
};

}  // namespace exprax
