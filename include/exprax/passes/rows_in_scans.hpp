// SPDX-License-Identifier: BSL-1.0
// rows_in_scans: the rows that a scan in the lanes of a vmap reads, and that follow elementwise from others
// (passes/rows/scanned_chains.hpp), are computed in the body of the scan: lanes have no array of all of them. It runs after products and
// sums are fused, so that the bits stay.
#pragma once

#include <exprax/passes/rows/scanned_chains.hpp>
#include <exprax/primitives/copy.hpp>

namespace exprax::detail {

class rows_in_scans {
 public:
  constexpr explicit rows_in_scans(program_ref p) : p_(p), chains_(p) { chains_.find_in_vmaps(); }

  constexpr bool is_needed() const { return chains_.found(); }
  constexpr program run() const {
    program_builder to;
    block_copier c(to, p_);
    c.copy_block(p_.main_id(), step{*this, c});
    return to.finish();
  }

 private:
  // Writes one equation of a block.
  struct step {
    rows_in_scans const& pass;
    block_copier& c;
    constexpr void operator()(eqn const& e) const {
      if (e.n_out == 1 && e.n_blk == 0 && pass.chains_.reader_of(e.out) != scanned_chains::none) return;
      if (e.op == prim::scan) pass.scan(c, e);
      else if (e.n_blk > 0) c.copy(e, *this);
      else c.copy(e);
    }
  };
  // A scan that is being written.
  struct written_scan {
    block_copier& c;
    arena<int> operands[3] = {}, inputs[3] = {};  // consts, carries, rows: of the equation, and of its block
    arena<int> row = {}, whole = {}, only_row = {};  // for a value outside: in the block its row of an iteration, all of it, or the one
                                                     // row that it has; or -1

    constexpr int add(operand_role role, int operand, aval const& type) {
      int const part = role == operand_role::constant ? 0 : role == operand_role::carry ? 1 : 2, v = c.to().add_value(type);
      operands[part].push(operand);
      inputs[part].push(v);
      return v;
    }
  };

  constexpr void scan(block_copier& c, eqn const& e) const {
    using rules = primitive<prim::scan>;
    equation_ref const loop{p_, e};
    int const id = static_cast<int>(&e - p_.eqns), length = rules::length(loop), n_carry = rules::num_carry(loop);
    control_signature const s = rules::signature(loop);
    block const& b = p_.sub(e, 0);
    arena<int> chain;
    for (int i = 0; i < id; ++i)
      if (eqn const& x = p_.eqns[i]; x.n_out == 1 && chains_.reader_of(x.out) == id) chain.push(i);
    if (chain.empty()) return c.copy(e, step{*this, c});

    written_scan w{c};
    for (arena<int>* map : {&w.row, &w.whole, &w.only_row}) map->resize(p_.n.values, -1);
    int counter = -1;
    for (int k = 0; k < e.n_in; ++k) {
      int const v = p_.in(e, k), inner = p_.ins(b)[k];
      if (chains_.reader_of(v) != id) c.set(inner, w.add(s.role_of(k), c[v], p_.type(inner)));
    }
    for (int i : chain) {
      equation_ref const x{p_, p_.eqns[i]};
      take_operands(w, x, id, length);
      if (!chains_.is_index(x) || counter >= 0) continue;
      int const first = c.to().add_literal(dtype::i32, static_cast<std::uint64_t>(rules::reverse(loop) ? length - 1 : 0));
      counter = w.add(operand_role::carry, first, aval(dtype::i32));
    }
    c.to().open();
    for (int i : chain) write_row(w, {p_, p_.eqns[i]}, length, counter);
    for (int k = s.first_element(); k < e.n_in; ++k)
      if (chains_.reader_of(p_.in(e, k)) == id) c.set(p_.ins(b)[k], w.row[p_.in(e, k)]);
    for (eqn const& x : p_.body(b)) step{*this, c}(x);
    arena<int> out = c[p_.outs(b)], outs, types;
    for (int k = 0; k <= e.n_out; ++k) {
      if (k == n_carry && counter >= 0) {
        outs.push(next(c, counter, rules::reverse(loop)));
        types.push(c.to().intern(aval(dtype::i32)));
      }
      if (k == e.n_out) break;
      outs.push(out[k]);
      types.push(c.type(e.out + k));
    }
    arena<int> operands, inputs;
    for (arena<int> const& part : w.operands) operands.append(part);
    for (arena<int> const& part : w.inputs) inputs.append(part);
    int const body = c.to().close(inputs, outs);
    int const par[] = {length, w.operands[0].size(), w.operands[1].size(), rules::reverse(loop), rules::unroll(loop)};
    int const first = c.to().record(prim::scan, operands, par, types, {&body, 1});
    for (int k = 0; k < e.n_out; ++k) c.set(e.out + k, first + k + (k >= n_carry && counter >= 0));
  }
  static constexpr int next(block_copier& c, int counter, bool reverse) {
    int const in[] = {counter, c.to().add_literal(dtype::i32, static_cast<std::uint64_t>(reverse ? -1 : 1))};
    return c.to().emit_one(prim::add, in, {}, aval(dtype::i32));
  }
  // Whether an operand that is the same in all iterations has an axis of 1 in the place of theirs.
  static constexpr bool has_one_row(equation_ref const& x, int k) { return is_elementwise(x.e.op) && x.type(k).rank > 0; }
  // What an equation of the chain reads and the chain does not make becomes an operand of the scan.
  constexpr void take_operands(written_scan& w, equation_ref const& x, int id, int length) const {
    arena<batch_axis> const in = chains_.mapped_operands(x, length);
    for (int k = 0; k < x.n_in(); ++k) {
      int const v = x.in(k), outer = w.c[v];
      aval const& t = x.type(k);
      if (in[k].is_mapped()) {
        if (chains_.reader_of(v) != id && w.row[v] < 0) w.row[v] = w.add(operand_role::element, outer, t.without_axis(0));
      } else if (has_one_row(x, k)) {
        if (w.only_row[v] >= 0) continue;
        aval const type = t.without_axis(0);
        int const row = w.c.to().emit_one(prim::reshape, {&outer, 1}, {type.dims, type.rank}, type);
        w.only_row[v] = w.add(operand_role::constant, row, type);
      } else if (w.whole[v] < 0) {
        w.whole[v] = p_.is_literal(v) ? outer : w.add(operand_role::constant, outer, t);
      }
    }
  }
  constexpr void write_row(written_scan& w, equation_ref const& x, int length, int counter) const {
    program_builder& to = w.c.to();
    arena<batch_axis> const in = chains_.mapped_operands(x, length);
    arena<int> par, given;
    chains_.row_rule(x, in, length, par);
    aval const type = x.out_type(0).without_axis(0);
    int& row = w.row[x.e.out];
    if (chains_.is_index(x)) {
      int const as_type[] = {static_cast<int>(type.type), 0};
      row = counter;
      if (type.type != dtype::i32) row = to.emit_one(prim::convert_element_type, {&row, 1}, as_type, aval(type.type));
      if (type.rank > 0) row = to.emit_one(prim::broadcast_in_dim, {&row, 1}, {type.dims, type.rank}, type);
      return;
    }
    for (int k = 0; k < x.n_in(); ++k) given.push((in[k].is_mapped() ? w.row : has_one_row(x, k) ? w.only_row : w.whole)[x.in(k)]);
    row = to.emit_one(x.e.op, given, par, type);
  }

  program_ref p_;
  scanned_chains chains_;
};

}  // namespace exprax::detail
