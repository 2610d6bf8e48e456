// SPDX-License-Identifier: BSL-1.0
// check: whether a program is well formed (jax.core.check_jaxpr): blocks are closed and come before the equations that use them, every
// operand is defined before its use, every value is defined once, and each result has the aval that the primitive infers. Weak types
// are not compared: they matter only while a program is traced, and passes drop them.
#pragma once

#include <exprax/primitives/infer.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax {

enum class fault : std::uint8_t {
  none,
  no_block,          // the program has no main block
  bad_reference,     // an index outside its table
  undefined_operand, // an operand that its block has not defined
  defined_twice,     // a value that is defined twice
  ill_typed,         // operands, parameters or blocks that the primitive rejects
  wrong_result       // results with other avals than the primitive infers
};

struct check_result {
  fault what = fault::none;
  int equation = -1;  // index in the table of equations, or -1
  constexpr explicit operator bool() const { return what == fault::none; }
};

namespace detail {

class program_checker {
 public:
  constexpr explicit program_checker(program_ref p) : p_(p) { scope_.resize(p.n.values + 1, unbound); }

  constexpr check_result run() {
    if (p_.n.blocks == 0) return {fault::no_block};
    for (int v = 0; v < p_.n.values; ++v) {
      value const& x = p_.values[v];
      if (x.type < 0 || x.type >= p_.n.avals || (x.constant >= 0 && x.constant + p_.type(v).size() > p_.n.constants))
        return {fault::bad_reference};
    }
    check_result r;
    for (int id = 0; id < p_.n.blocks && r; ++id) r = check_block(id);
    return r;
  }

 private:
  static constexpr int unbound = -1;

  // Binds v in block id; values of other blocks are out of scope.
  constexpr bool bind(int v, int id) {
    if (scope_[v] != unbound || p_.is_constant(v)) return false;
    scope_[v] = id;
    return true;
  }
  constexpr bool in_scope(int v, int id) const { return p_.is_constant(v) || scope_[v] == id; }
  constexpr bool is_value(int v) const { return v >= 0 && v < p_.n.values; }

  constexpr check_result check_block(int id) {
    struct block const& b = p_.blocks[id];
    if (b.in < 0 || b.in + b.n_in > p_.n.refs || b.out < 0 || b.out + b.n_out > p_.n.refs) return {fault::bad_reference};
    if (b.eqn < 0 || b.eqn + b.n_eqn > p_.n.eqns) return {fault::bad_reference};
    for (int v : p_.ins(b)) {
      if (!is_value(v)) return {fault::bad_reference};
      if (!bind(v, id)) return {fault::defined_twice};
    }
    for (int i = b.eqn; i < b.eqn + b.n_eqn; ++i) {
      fault const f = check_equation(p_.eqns[i], id);
      if (f != fault::none) return {f, i};
    }
    for (int v : p_.outs(b)) {
      if (!is_value(v)) return {fault::bad_reference};
      if (!in_scope(v, id)) return {fault::undefined_operand};
    }
    return {};
  }
  constexpr fault check_equation(eqn const& e, int id) {
    if (static_cast<int>(e.op) >= prim_count || e.in + e.n_in > p_.n.refs || e.par + e.n_par > p_.n.params || e.blk + e.n_blk > p_.n.refs)
      return fault::bad_reference;
    if (e.out < 0 || e.out + e.n_out > p_.n.values) return fault::bad_reference;
    for (int v : p_.ins(e)) {
      if (!is_value(v)) return fault::bad_reference;
      if (!in_scope(v, id)) return fault::undefined_operand;
    }
    op_class const kind = kind_of(e.op);
    int n_inferred = kind == op_class::effect ? 0 : may_have_several_results(kind) ? e.n_out : 1;
    for (int sub : p_.subs(e)) {
      if (sub < 0 || sub >= id) return fault::bad_reference;
      if (kind == op_class::control) n_inferred = p_.blocks[sub].n_out;
    }
    if (inferred_.size() < n_inferred) inferred_.resize(n_inferred);
    if (!infer(equation_ref{p_, e}, inferred_.data())) return fault::ill_typed;
    if (e.n_out != n_inferred) return fault::wrong_result;
    for (int k = 0; k < e.n_out; ++k) {
      if (!p_.type(e.out + k).matches(inferred_[k])) return fault::wrong_result;
      if (!bind(e.out + k, id)) return fault::defined_twice;
    }
    return fault::none;
  }

  program_ref p_;
  arena<int> scope_;
  arena<aval> inferred_;
};

}  // namespace detail

constexpr check_result check(program_ref p) { return detail::program_checker(p).run(); }

}  // namespace exprax
