// SPDX-License-Identifier: BSL-1.0
// independent_rows: loops over arrays whose rows never meet become one vmap over the rows, as if they had been written so: derivatives of
// vmaps, which are taken on arrays, and batches that are written out. The equations between these loops join them, so that what one loop
// stores and the next one reads is laid out for lanes. Values, order and rounding stay; a vmap that would not run in lanes is not made.
#pragma once

#include <exprax/passes/place_vmaps.hpp>
#include <exprax/passes/rows/row_axes.hpp>

namespace exprax::detail {

// Writes equations on one row.
template <class Program>
struct row_writer {
  Program const& p;
  row_axes<Program> const& axes;
  block_copier& c;
  arena<int>& operands;  // values from outside, in the order in which they are met

  constexpr int in(int v) {
    if (!c.knows(v) && (!p.is_constant(v) || axes.of(v).is_mapped())) {
      c.set(v, c.to().add_value(axes.row_type(v)));
      operands.push(v);
    }
    return c[v];
  }
  constexpr void write(eqn const& e) {
    arena<int> given;
    for (int v : p.ins(e)) given.push(in(v));
    if (e.op == prim::scan) return write_scan(e, given);
    bool mapped = e.n_out == 1 && axes.of(e.out).is_mapped();
    if (!mapped) return c.copy(e);
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
  constexpr void write_scan(eqn const& e, span<int> given) {
    block const& b = p.sub(e, 0);
    arena<int> ins;
    arena<aval> types;
    for (int v : p.ins(b)) {
      ins.push(c.to().add_value(axes.row_type(v)));
      c.set(v, ins.back());
    }
    c.to().open();
    for (eqn const& inner : p.body(b)) write(inner);
    int const id = c.to().close(ins, c[p.outs(b)]);
    for (int k = 0; k < e.n_out; ++k) types.push(axes.row_type(e.out + k));
    int const first = c.to().emit(prim::scan, given, p.params_of(e), types, {&id, 1});
    for (int k = 0; k < e.n_out; ++k) c.set(e.out + k, first + k);
  }
};

// Keep: (the block of the vmap as a program, the number of rows) -> whether it is made.
template <class Program, class Keep = lanes_are_better>
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
    arena<char> in_rows;
    for (int i = 0, tried = 0; i < b.n_eqn; ++i) {
      eqn const& e = p_.eqns[b.eqn + i];
      int const size = rows_of_loop(p_, e);
      if (size == 0 || size == tried) continue;
      tried = size;
      if (!axes_.find(b, size, in_rows)) continue;
      rows const r = make_rows(b, in_rows);
      if (!r.are_separate || !Keep{}(r.body.ref(), size)) continue;
      found = true;
      return write_with_rows(c, b, in_rows, r);
    }
    for (eqn const& e : p_.body(b)) copy(c, e);
  }

  // The vmap: its block as a program, operands and results as values of p_, with their axes.
  struct rows {
    program body;
    arena<int> operands, results, params;
    bool are_separate = true;  // each result has its rows
  };
  constexpr rows make_rows(block const& b, span<char> in_rows) const {
    rows r;
    program_builder to;
    block_copier c(to, p_);
    row_writer<Program> w{p_, axes_, c, r.operands};
    to.open();
    for (int i = 0; i < b.n_eqn; ++i)
      if (in_rows[i]) w.write(p_.eqns[b.eqn + i]);
    arena<char> read;  // by other equations, or returned
    read.resize(p_.n.values, 0);
    for (int i = 0; i < b.n_eqn; ++i)
      for (int k = 0; k < p_.eqns[b.eqn + i].n_in && !in_rows[i]; ++k) read[p_.in(p_.eqns[b.eqn + i], k)] = 1;
    for (int v : p_.outs(b)) read[v] = 1;
    arena<int> inputs, outputs;
    for (int v : r.operands) inputs.push(c[v]);
    for (int i = 0; i < b.n_eqn; ++i)
      for (int k = 0; k < p_.eqns[b.eqn + i].n_out && in_rows[i]; ++k)
        if (int const v = p_.eqns[b.eqn + i].out + k; read[v]) r.results.push(v), outputs.push(c[v]);
    to.close(inputs, outputs);
    r.body = to.finish();
    r.params.push(1);
    r.params.push(axes_.size());
    for (int v : r.operands) r.params.push(axes_.of(v).parameter());
    for (int v : r.results) {
      r.params.push(axes_.of(v).parameter());
      r.are_separate = r.are_separate && axes_.of(v).is_mapped();
    }
    return r;
  }
  constexpr void write_with_rows(block_copier& c, block const& b, span<char> in_rows, rows const& r) {
    // What depends on a result of the vmap comes after it.
    arena<char> later;
    later.resize(p_.n.values, 0);
    for (int v : r.results) later[v] = 1;
    for (int pass = 0; pass < 2; ++pass) {
      for (int i = 0; i < b.n_eqn; ++i) {
        eqn const& e = p_.eqns[b.eqn + i];
        if (in_rows[i]) continue;
        bool is_later = e.n_out == 0;
        for (int v : p_.ins(e)) is_later = is_later || later[v];
        for (int k = 0; k < e.n_out; ++k) later[e.out + k] = is_later;
        if (is_later == (pass == 1)) copy(c, e);
      }
      if (pass == 1) break;
      arena<int> types;
      for (int v : r.results) types.push(c.type(v));
      int const id = block_copier(c.to(), r.body.ref()).copy_block(r.body.ref().main_id());
      int const first = c.to().record(prim::vmap, c[r.operands], r.params, types, {&id, 1});
      for (int k = 0; k < r.results.size(); ++k) c.set(r.results[k], first + k);
    }
  }

  Program p_;
  row_axes<Program> axes_;
};

}  // namespace exprax::detail
