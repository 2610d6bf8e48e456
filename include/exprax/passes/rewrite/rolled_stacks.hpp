// SPDX-License-Identifier: BSL-1.0
// Stacks of single elements that are all made alike, as a C++ loop over the elements or the windows of an array traces them, become one
// array: stack(f(x[0]), f(x[1]), ...) is f(x), and stack(dot(x[0:3], w), dot(x[1:4], w), ...) a product for each window. Elementwise
// equations keep their operands, and products their order of summation, so the bits are the same.
#pragma once

#include <exprax/passes/rewrite/request.hpp>
#include <exprax/primitives/contractions/dot_general.hpp>

namespace exprax::detail {

inline constexpr int fewest_rolled = 8;  // elements
constexpr bool is_long_stack(program_ref p, eqn const& e) {
  return e.op == prim::concatenate && e.n_in >= fewest_rolled && p.type(e.out).size() == e.n_in;
}

template <class W>
class rolled_stack {
 public:
  constexpr rolled_stack(W& w, request const& r) : w_(w), type_(r.type), n_(r.n_in) {
    for (int k = 0; k < n_; ++k) elements_.push(r.in[k]);
  }

  // The value that the stack equals, or -1.
  constexpr int make() {
    if (n_ < fewest_rolled) return -1;
    for (int v : elements_)
      if (w_.aval_of(v).size() != 1) return -1;
    if (roll(elements_, false) < 0) return -1;
    int const v = roll(elements_, true);
    return w_.reshape(type_, v);
  }

 private:
  static constexpr int most_equations = 64, longest_window = 8;

  static constexpr bool moves(prim p) {
    switch (p) {
      case prim::reshape: case prim::broadcast_in_dim: case prim::squeeze: return true;
      default: return false;
    }
  }
  // What has the same element, without axes.
  constexpr int stripped(int v) const {
    while (eqn const* const e = w_.maker(v)) {
      if (!moves(e->op)) break;
      v = w_.in(e, 0);
    }
    return v;
  }
  constexpr int vector_of(dtype t) { return w_.intern(aval(t, {n_})); }

  // An array [n] of the elements. If not `makes`: 0 if there is one. -1: they are not made alike.
  constexpr int roll(arena<int> const& elements, bool makes) {
    arena<int> of;
    for (int v : elements) of.push(stripped(v));
    dtype const t = w_.aval_of(of[0]).type;
    bool same = true, literals = true;
    for (int v : of) {
      if (w_.aval_of(v).size() != 1 || w_.aval_of(v).type != t) return -1;
      same = same && v == of[0];
      literals = literals && w_.is_literal(v);
    }
    if (same) return makes ? repeated(of[0], t) : 0;
    if (literals) return makes ? constants(of, t) : 0;
    eqn const* const first = w_.maker(of[0]);
    if (first == nullptr || first->n_out != 1 || first->n_blk != 0) return -1;
    for (int v : of) {
      eqn const* const e = w_.maker(v);
      if (e == nullptr || e->op != first->op || e->n_in != first->n_in || e->n_par != first->n_par) return -1;
      for (int k = 0; k < first->n_par && first->op != prim::slice; ++k)
        if (w_.param(e, k) != w_.param(first, k)) return -1;
    }
    if (first->op == prim::slice) return roll_slices(of, 1, makes);
    if (first->op == prim::dot_general) return roll_products(of, t, makes);
    if (!is_elementwise(first->op)) return -1;
    return roll_elementwise(of, t, makes);
  }
  constexpr int repeated(int v, dtype t) {
    if (w_.aval_of(v).rank > 0) v = w_.reshape(w_.scalar_type(t), v);
    return w_.filled(vector_of(t), v);
  }
  constexpr int constants(arena<int> const& of, dtype t) {
    arena<std::uint64_t> bits;
    for (int v : of) bits.push(w_.bits(v));
    return w_.constant(vector_of(t), bits.data(), bits.size());
  }
  constexpr int roll_elementwise(arena<int> const& of, dtype t, bool makes) {
    eqn const* const first = w_.maker(of[0]);
    if (!makes && ++equations_ > most_equations) return -1;
    request r{first->op, 0, nullptr, first->n_in, nullptr, first->n_par};
    arena<int> in, par;
    for (int k = 0; k < r.n_par; ++k) par.push(w_.param(first, k));
    for (int k = 0; k < r.n_in; ++k) {
      arena<int> operands;
      for (int v : of) operands.push(w_.in(w_.maker(v), k));
      int const operand = roll(operands, makes);
      if (operand < 0) return -1;
      in.push(operand);
    }
    if (!makes) return 0;
    r.type = vector_of(t);
    r.in = in.data();
    r.par = par.data();
    return w_.make(r);
  }
  // Products of vectors.
  constexpr int roll_products(arena<int> const& of, dtype t, bool makes) {
    eqn const* const first = w_.maker(of[0]);
    dot_numbers const d({w_.params_of(first), first->n_par});
    int const par[] = {1, 1, 1, 1, 0, 0, static_cast<int>(d.preferred), d.order};
    if (d.lhs_contract.size() != 1 || d.lhs_batch.size() != 0) return -1;
    int const k = w_.aval_of(w_.in(first, 0)).dims[0];
    if (k < 1 || k > longest_window) return -1;
    int rows[2] = {};
    for (int side = 0; side < 2; ++side) {
      arena<int> operands;
      for (int v : of) operands.push(w_.in(w_.maker(v), side));
      if (w_.aval_of(operands[0]).rank != 1 || (rows[side] = roll_windows(operands, k, makes)) < 0) return -1;
    }
    if (!makes) return 0;
    return w_.make({prim::dot_general, vector_of(t), rows, 2, par, 8});
  }
  // The vectors of k elements as rows.
  constexpr int roll_windows(arena<int> const& of, int k, bool makes) {
    bool same = true;
    for (int v : of) same = same && v == of[0];
    if (same) {
      int const par[] = {n_, k, 1};
      return makes ? w_.make({prim::broadcast_in_dim, w_.intern(aval(w_.aval_of(of[0]).type, {n_, k})), &of[0], 1, par, 3}) : 0;
    }
    arena<int> slices;
    for (int v : of) {
      eqn const* const e = w_.maker(v);
      if (e == nullptr || e->op != prim::slice || w_.aval_of(v).dims[0] != k || e->n_par != 2) return -1;
      slices.push(v);
    }
    return roll_slices(slices, k, makes);
  }
  // Windows of k elements of one array, at the same distance along one axis: [n], or [n, k] if k is not 1.
  constexpr int roll_slices(arena<int> const& of, int k, bool makes) {
    eqn const* const first = w_.maker(of[0]);
    int const x = w_.in(first, 0), rank = w_.aval_of(x).rank;
    int axis = -1, step = 0;
    for (int i = 0; i < n_; ++i) {
      eqn const* const e = w_.maker(of[i]);
      if (w_.in(e, 0) != x) return -1;
      for (int a = 0; a < rank; ++a) {
        int const moved = w_.param(e, a) - w_.param(first, a);
        if (i == 1 && moved != 0 && axis < 0) axis = a, step = moved;
        if (moved != (a == axis ? i * step : 0)) return -1;
      }
    }
    if (step <= 0) return -1;
    if (!makes) return 0;
    aval part = w_.aval_of(x);
    dtype const t = part.type;
    arena<int> starts, columns;
    for (int a = 0; a < rank; ++a) {
      starts.push(w_.param(first, a));
      part.dims[a] = a == axis ? n_ : 1;
    }
    int const column_type = k == 1 ? vector_of(t) : w_.intern(aval(t, {n_, 1}));
    for (int j = 0; j < k; ++j) {
      arena<int> par = starts;
      par[axis] += j;
      for (int a = 0; a < rank; ++a) par.push(par[a] + (a == axis ? (n_ - 1) * step : 0) + 1);
      for (int a = 0; a < rank && step > 1; ++a) par.push(a == axis ? step : 1);
      int const slice = w_.make({prim::slice, w_.intern(part), &x, 1, par.data(), par.size()});
      columns.push(w_.reshape(column_type, slice));
    }
    if (k == 1) return columns[0];
    int const along = 1;
    return w_.make({prim::concatenate, w_.intern(aval(t, {n_, k})), columns.data(), k, &along, 1});
  }

  W& w_;
  int type_, n_;
  arena<int> elements_;
  int equations_ = 0;  // that were seen
};

}  // namespace exprax::detail
