// SPDX-License-Identifier: BSL-1.0
// independent_rows: loops over arrays whose rows never meet become one vmap over the rows, as if they had been written so: derivatives of
// vmaps, which are taken on arrays, and batches that are written out. The equations between these loops join them, so that what one loop
// stores and the next one reads is laid out for lanes. What a loop sums over all rows, as the gradient of a parameter that they share, is a
// second loop after the vmap, over what the first one stores. Values, order and rounding stay; a vmap that would not run in lanes is not
// made.
#pragma once

#include <exprax/passes/place_vmaps.hpp>
#include <exprax/passes/rows/apart_loop.hpp>

namespace exprax::detail {

// Writes equations on one row.
template <class Program>
struct row_writer {
  Program const& p;
  row_axes<Program> const& axes;
  block_copier& c;
  arena<int>& operands;  // values from outside, in the order in which they are met

  constexpr int in(int v) {
    if (!c.knows(v) && !p.is_constant(v)) {
      c.set(v, c.to().add_value(axes.row_type(v)));
      operands.push(v);
    }
    return c[v];
  }
  constexpr void write(eqn const& e) {
    if (e.op == prim::scan) return write_scan(e);
    arena<int> given;
    for (int v : p.ins(e)) given.push(in(v));
    if (e.n_out != 1 || !axes.of(e.out).is_mapped()) return c.copy(e);
    batch_axis out;
    arena<int> const par = axes.row_parameters(e, out);
    aval const type = axes.row_type(e.out);
    bool const moves_none = e.op == prim::broadcast_in_dim || e.op == prim::reshape;
    if (moves_none && c.to().type(given[0]) == type) return c.set(e.out, given[0]);
    for (int k = 0; k < e.n_in && is_elementwise(e.op); ++k) {
      aval const t = c.to().type(given[k]);
      if (t.rank <= type.rank) continue;
      aval const one = t.without_axis(out.position());
      given[k] = c.to().emit_one(prim::reshape, {&given[k], 1}, {one.dims, one.rank}, one);
    }
    c.set(e.out, c.to().emit_one(e.op, given, par, type));
  }
  // The part on rows; it also stacks what the part that is apart reads.
  constexpr void write_scan(eqn const& e) {
    block const& b = p.sub(e, 0);
    control_signature const s = primitive<prim::scan>::signature({p, e});
    arena<int> given, ins, outs, made, par;
    arena<aval> types;
    for (int x : p.params_of(e)) par.push(x);
    for (int k = 0; k < b.n_in; ++k) {
      int const v = p.ins(b)[k];
      if (axes.is_apart(v)) {
        --par[2];
        continue;
      }
      given.push(in(p.in(e, k)));
      ins.push(c.to().add_value(axes.row_type(v)));
      c.set(v, ins.back());
    }
    c.to().open();
    for (eqn const& inner : p.body(b))
      if (!axes.is_apart(inner)) write(inner);
    for (int k = 0; k < b.n_out; ++k) {
      if (axes.is_apart(s.is_carry(k) ? p.ins(b)[s.first_carry + k] : e.out + k)) continue;
      outs.push(c[p.outs(b)[k]]);
      made.push(e.out + k);
      types.push(axes.row_type(e.out + k));
    }
    arena<int> const stacked = axes.crossing(e);
    for (int v : stacked) {
      outs.push(c[v]);
      types.push(axes.row_type(v).with_axis(0, primitive<prim::scan>::length({p, e})));
    }
    int const id = c.to().close(ins, outs), first = c.to().emit(prim::scan, given, par, types, {&id, 1});
    for (int k = 0; k < made.size(); ++k) c.set(made[k], first + k);
    for (int k = 0; k < stacked.size(); ++k) c.set(stacked[k], first + made.size() + k);
  }
};

// A loop over few elements is in registers anyway, and stores less; of rows that are long, not all elements are.
struct lanes_are_better_for_loops {
  static constexpr int most_elements = 32, longest_row = 16;

  constexpr bool operator()(program_ref p, int rows) const {
    std::ptrdiff_t widest = 1;
    for (int i = 0; i < p.n.eqns; ++i)
      for (int k = 0; k < p.eqns[i].n_out && p.eqns[i].n_blk == 0; ++k)
        if (std::ptrdiff_t const n = p.type(p.eqns[i].out + k).size(); n > widest) widest = n;
    return widest <= longest_row && (widest > 1 || rows > most_elements) && lanes_are_better{}(p, rows);
  }
};

// Keep: (the block of the vmap as a program, the number of rows) -> whether it is made.
template <class Program, class Keep = lanes_are_better_for_loops>
class independent_rows {
 public:
  constexpr explicit independent_rows(Program p) : p_(p), axes_(p) {}

  bool found = false;
  constexpr program run() {
    program_builder to;
    block_copier c(to, p_);
    copy_block(c, p_.main_id());
    return to.finish();
  }

 private:
  constexpr int copy_block(block_copier& c, int id) {
    arena<int> in;
    for (int v : p_.ins(p_.blocks[id])) {
      in.push(c.to().add_value(c.type(v)));
      c.set(v, in.back());
    }
    c.to().open();
    write(c, p_.blocks[id]);
    return c.to().close(in, c[p_.outs(p_.blocks[id])]);
  }
  constexpr void copy(block_copier& c, eqn const& e) {
    if (e.n_blk == 0 || e.op == prim::vmap) return c.copy(e);
    arena<int> sub;
    for (int id : p_.subs(e)) sub.push(copy_block(c, id));
    c.copy(e, span<int>(sub));
  }
  constexpr void write(block_copier& c, block const& b) {
    arena<row_place> places;
    int tried = 0;
    for (eqn const& e : p_.body(b)) {
      int const size = rows_of_loop(p_, e);
      if (size == 0 || size == tried) continue;
      tried = size;
      if (!axes_.find(b, size, places)) continue;
      rows const r = make_rows(b, places);
      if (!r.are_separate || !Keep{}(r.body.ref(), size)) continue;
      found = true;
      return write_with_rows(c, b, places, r);
    }
    for (eqn const& e : p_.body(b)) copy(c, e);
  }

  // The vmap: its block as a program, operands and results as values of p_, with their axes. A value of the body of a loop stands for all
  // its iterations.
  struct rows {
    program body;
    arena<int> operands, results, params;
    arena<aval> types;  // of the results
    arena<apart_loop> apart;
    bool are_separate = true;  // each result has its rows
  };
  constexpr rows make_rows(block const& b, span<row_place> places) const {
    rows r;
    program_builder to;
    block_copier c(to, p_);
    row_writer<Program> w{p_, axes_, c, r.operands};
    arena<char> read;  // after the vmap
    read.resize(p_.n.values, 0);
    for (int v : p_.outs(b)) read[v] = 1;
    to.open();
    for (int i = 0; i < b.n_eqn; ++i) {
      eqn const& e = p_.eqns[b.eqn + i];
      if (places[i] == row_place::after)
        for (int v : p_.ins(e)) read[v] = 1;
      if (places[i] != row_place::in_rows) continue;
      w.write(e);
      if (!axes_.has_apart(e)) continue;
      r.apart.push(apart_loop(p_, axes_, e));
      for (int v : r.apart.back().operands) read[v] = 1;
    }
    arena<int> inputs, outputs, axes;
    for (int v : r.operands) inputs.push(c[v]);
    auto const push = [&](int v, aval const& type, batch_axis axis) {
      r.results.push(v);
      r.types.push(type);
      r.are_separate = r.are_separate && axis.is_mapped();
      axes.push(axis.parameter());
      outputs.push(c[v]);
    };
    for (int i = 0; i < b.n_eqn; ++i) {
      eqn const& e = p_.eqns[b.eqn + i];
      if (places[i] != row_place::in_rows) continue;
      for (int v = e.out; v < e.out + e.n_out; ++v)
        if (read[v] && !axes_.is_apart(v)) push(v, p_.type(v), axes_.of(v));
      if (e.op != prim::scan) continue;
      for (int v : axes_.crossing(e))
        push(v, p_.type(v).with_axis(0, primitive<prim::scan>::length({p_, e})), axes_.of(v).position() + 1);
    }
    to.close(inputs, outputs);
    r.body = to.finish();
    r.params.push(1);
    r.params.push(axes_.size());
    for (int v : r.operands) r.params.push(axes_.of(v).parameter());
    r.params.append(axes);
    return r;
  }
  constexpr void write_with_rows(block_copier& c, block const& b, span<row_place> places, rows const& r) {
    auto const copy_all = [&](row_place at) {
      for (int i = 0; i < b.n_eqn; ++i)
        if (places[i] == at) copy(c, p_.eqns[b.eqn + i]);
    };
    copy_all(row_place::before);
    int const id = block_copier(c.to(), r.body.ref()).copy_block(r.body.ref().main_id());
    int const first = c.to().emit(prim::vmap, c[r.operands], r.params, r.types, {&id, 1});
    for (int k = 0; k < r.results.size(); ++k) c.set(r.results[k], first + k);
    for (apart_loop const& l : r.apart) write_apart(c, l);
    copy_all(row_place::after);
  }
  constexpr void write_apart(block_copier& c, apart_loop const& l) const {
    arena<int> types;
    for (int v : l.results) types.push(c.type(v));
    int const id = block_copier(c.to(), l.body.ref()).copy_block(l.body.ref().main_id());
    int const first = c.to().record(prim::scan, c[l.operands], l.params, types, {&id, 1});
    for (int k = 0; k < l.results.size(); ++k) c.set(l.results[k], first + k);
  }

  Program p_;
  row_axes<Program> axes_;
};

}  // namespace exprax::detail
