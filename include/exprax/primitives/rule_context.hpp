// SPDX-License-Identifier: BSL-1.0
// rule_context: what the contexts of rules share: a program that is read, the builder of the new one, and the equations that most rules
// write. Values named by equations belong to the old program, values as plain ints to the new one.
#pragma once

#include <exprax/primitives/copy.hpp>
#include <exprax/primitives/infer.hpp>
#include <exprax/types/element.hpp>

namespace exprax {

constexpr int add_zeros(program_builder& to, aval const& shape) {
  int const zero = to.add_literal(shape.type, 0);
  return shape.rank == 0 ? zero : to.emit_one(prim::broadcast_in_dim, {&zero, 1}, {shape.dims, shape.rank}, shape);
}

class rule_context {
 public:
  // how: infer (primitives/infer.hpp). A template hands it over, so that programs without these rules do not instantiate it.
  constexpr rule_context(program_builder& to, program_ref from, infer_function how = nullptr) : copy_(to, from), infer_(how) {}

  constexpr aval type(int v) const { return to().type(v); }
  constexpr bool is_literal(int v) const { return to().is_literal(v); }
  constexpr std::uint64_t literal_bits(int v) const { return to().bits(v); }
  constexpr int literal(dtype t, std::uint64_t bits, bool weak = false) { return to().add_literal(t, bits, weak); }

  constexpr int emit(prim op, detail::span<int> in, detail::span<int> par, detail::span<aval> out, detail::span<int> sub = {}) {
    return to().emit(op, in, par, out, sub);
  }
  constexpr int emit(prim op, detail::span<int> in, detail::span<int> par, aval const& out) { return to().emit_one(op, in, par, out); }
  // The result is what the primitive infers.
  constexpr int emit(prim op, detail::span<int> in, detail::span<int> par = {}) { return to().emit(infer_, op, in, par); }

  // shape: its dtype is ignored; dims: for each axis of v, the axis of the result.
  constexpr int broadcast(int v, aval const& shape, detail::span<int> dims) {
    int par[2 * max_rank];
    int n = 0;
    for (int i = 0; i < shape.rank; ++i) par[n++] = shape.dims[i];
    for (int d : dims) par[n++] = d;
    aval const t = type(v);
    return emit(prim::broadcast_in_dim, {&v, 1}, {par, n}, shape.with_type(t.type, t.weak));
  }
  constexpr int transpose(int v, detail::span<int> permutation) {
    aval const t = type(v);
    aval out(t.type, t.weak);
    bool same = true;
    for (int axis : permutation) {
      same = same && axis == out.rank;
      out.dims[out.rank++] = t.dims[axis];
    }
    return same ? v : emit(prim::transpose, {&v, 1}, permutation, out);
  }
  // Axis `from` goes to position `to`, the others keep their order.
  constexpr int move(int v, int from, int to) {
    if (from == to) return v;
    int const rank = type(v).rank;
    int permutation[max_rank];
    for (int i = 0, at = 0; i < rank; ++i) {
      if (i == to) {
        permutation[i] = from;
      } else {
        if (at == from) ++at;
        permutation[i] = at++;
      }
    }
    return transpose(v, {permutation, rank});
  }
  constexpr int reshape(int v, aval const& shape) {
    aval const t = type(v);
    return t.same_shape(shape) ? v : emit(prim::reshape, {&v, 1}, {shape.dims, shape.rank}, shape.with_type(t.type, t.weak));
  }

  // --- Equations whose results are inferred ---

  template <class... V>
  constexpr int elementwise(prim op, V... v) {
    int const in[] = {v...};
    return emit(op, {in, static_cast<int>(sizeof...(v))});
  }
  constexpr int add(int a, int b) { return elementwise(prim::add, a, b); }
  constexpr int sub(int a, int b) { return elementwise(prim::sub, a, b); }
  constexpr int mul(int a, int b) { return elementwise(prim::mul, a, b); }
  constexpr int div(int a, int b) { return elementwise(prim::div, a, b); }
  constexpr int neg(int a) { return elementwise(prim::neg, a); }
  constexpr int integer_pow(int a, int n) { return emit(prim::integer_pow, {&a, 1}, {&n, 1}); }
  // Ones in the place of zeros.
  constexpr int replace_zeros(int a) {
    int const is_zero = elementwise(prim::eq, a, number_like(a, 0));
    return select(is_zero, a, full(type(a), number_like(a, 1)));
  }
  constexpr int broadcast_to(int v, aval const& shape) {
    aval const t = type(v);
    if (t.same_shape(shape)) return v;
    int dims[max_rank] = {};
    for (int i = 0; i < t.rank; ++i) dims[i] = i;
    return broadcast(v, shape, {dims, t.rank});
  }
  constexpr int square(int a) { return elementwise(prim::square, a); }

  constexpr int number(dtype t, int n) { return literal(t, detail::bits_of_int(t, n)); }
  // A floating-point constant in dtype t.
  constexpr int real(dtype t, double x) { return literal(t, detail::bits_of_real(t, x)); }
  // A number in the dtype of v.
  constexpr int number_like(int v, int n) { return number(type(v).type, n); }
  constexpr int real_like(int v, double x) { return real(type(v).type, x); }
  constexpr int zeros(aval const& shape) { return add_zeros(to(), shape.with_type(shape.type)); }
  constexpr int full(aval const& shape, int scalar) { return shape.rank == 0 ? scalar : broadcast(scalar, shape, {}); }

  constexpr int slice(int v, detail::span<int> start, detail::span<int> limit, detail::span<int> step = {}) {
    detail::arena<int> par;
    for (detail::span<int> s : {start, limit, step})
      for (int x : s) par.push(x);
    return emit(prim::slice, {&v, 1}, par);
  }
  // Elements start, start + step, ... before limit of one axis.
  constexpr int slice_axis(int v, int axis, int start, int limit, int step = 1) {
    aval const t = type(v);
    if (start == 0 && limit == t.dims[axis] && step == 1) return v;
    int par[3 * max_rank] = {};
    for (int i = 0; i < t.rank; ++i) {
      par[i] = i == axis ? start : 0;
      par[t.rank + i] = i == axis ? limit : t.dims[i];
      par[2 * t.rank + i] = i == axis ? step : 1;
    }
    return emit(prim::slice, {&v, 1}, {par, (step == 1 ? 2 : 3) * t.rank});
  }
  constexpr int concatenate(detail::span<int> values, int axis) {
    return values.size() == 1 ? values[0] : emit(prim::concatenate, values, {&axis, 1});
  }
  constexpr int pad(int v, int filling, detail::span<int> low, detail::span<int> high, detail::span<int> interior) {
    detail::arena<int> par;
    for (detail::span<int> s : {low, high, interior})
      for (int x : s) par.push(x);
    int const in[] = {v, filling};
    return emit(prim::pad, in, par);
  }
  // 0, 1, 2, ... along an axis; the dtype is the shape's.
  constexpr int iota(aval const& shape, int axis) {
    int par[2 + max_rank] = {static_cast<int>(shape.type), axis};
    for (int i = 0; i < shape.rank; ++i) par[2 + i] = shape.dims[i];
    return emit(prim::iota, {}, {par, 2 + shape.rank});
  }
  constexpr int convert(int v, dtype t) {
    int const par[] = {static_cast<int>(t), 0};
    return type(v).type == t ? v : emit(prim::convert_element_type, {&v, 1}, par);
  }
  constexpr int select(int which, int if_false, int if_true) { return elementwise(prim::select_n, which, if_false, if_true); }
  constexpr int reduce(prim op, int v, detail::span<int> axes) { return emit(op, {&v, 1}, axes); }
  constexpr int rev(int v, detail::span<int> axes) { return emit(prim::rev, {&v, 1}, axes); }

  // --- Blocks that are being written ---

  constexpr int input(aval const& type) { return to().add_value(type); }
  constexpr void open() { to().open(); }
  constexpr int close(detail::span<int> in, detail::span<int> out) { return to().close(in, out); }
  constexpr int copy_block(int id) { return copy_.copy_block(id); }
  // Copies the equations of a block of the old program; returns its outputs.
  constexpr detail::arena<int> splice(struct block const& b, detail::span<int> args) { return copy_.splice(b, args); }
  // The last equation gets the name of e.
  constexpr void keep_name(equation_ref const& e) { to().rename_last(name_of(e.e).view()); }

 protected:
  constexpr program_builder& to() const { return copy_.to(); }
  constexpr program_ref const& from() const { return copy_.from(); }
  constexpr name const& name_of(eqn const& e) const { return from().names[from().param(e, 0)]; }

  block_copier copy_;
  infer_function infer_;
};

}  // namespace exprax
