// SPDX-License-Identifier: BSL-1.0
// lower_halves: makes a program without float16 and bfloat16. Such values become u16 with the same bits. Arithmetic decodes them to
// floats and rounds each result once, as XLA's CPU backend does. Equations that only move or select elements, and loops and branches,
// move the bits. Elements of inputs, outputs and constants stay as they are.
#pragma once

#include <exprax/legalize/expand_composites.hpp>
#include <exprax/types/element.hpp>

namespace exprax {

constexpr bool has_halves(program_ref p) {
  for (int t = 0; t < p.n.avals; ++t)
    if (is_half(p.avals[t].type)) return true;
  return false;
}

namespace detail {

// The index of the parameter that is the dtype of the result; -1: none.
constexpr int dtype_parameter(program_ref const& p, eqn const& e) {
  switch (e.op) {
    case prim::iota: case prim::convert_element_type: case prim::bitcast_convert_type: return 0;
    case prim::dot_general: return e.n_par - 2;
    case prim::conv_general_dilated: return 3 + 5 * p.param(e, 0);
    default: return -1;
  }
}

class half_lowerer : public expand_context {
 public:
  constexpr half_lowerer(program_builder& to, program_ref from, infer_function how) : expand_context(to, from, how) {
    for (int t = 0; t < from.n.avals; ++t) copy_.retype(t, lowered(from.avals[t]));
    decoded_.resize(from.n.values, -1);
  }
  constexpr void run(int id) { copy_.copy_block(id, step{*this}); }

 private:
  static constexpr aval lowered(aval const& t) { return is_half(t.type) ? t.with_type(dtype::u16) : t; }
  static constexpr aval computed(aval const& t) { return is_half(t.type) ? t.with_type(dtype::f32) : t; }

  // Value v of the old program in its arithmetic type.
  constexpr int decoded(int v) {
    aval const& t = from().type(v);
    if (!is_half(t.type)) return copy_[v];
    if (decoded_[v] >= 0) return decoded_[v];
    if (from().is_literal(v)) {
      float const x = t.type == dtype::f16 ? float{from_bits<float16>(from().bits(v))} : float{from_bits<bfloat16>(from().bits(v))};
      return decoded_[v] = literal(dtype::f32, to_bits(x));
    }
    int const bits = copy_[v];
    return decoded_[v] = emit(t.type == dtype::f16 ? prim::decode_float16 : prim::decode_bfloat16, {&bits, 1}, {}, t.with_type(dtype::f32));
  }
  // Binds value v of the old program to x, which is encoded if v is a half.
  constexpr void set(int v, int x) {
    aval const& t = from().type(v);
    copy_.set(v, is_half(t.type) ? emit(t.type == dtype::f16 ? prim::encode_float16 : prim::encode_bfloat16, {&x, 1}, {}, lowered(t)) : x);
  }
  constexpr bool has_half(eqn const& e) const {
    for (int v : from().ins(e))
      if (is_half(from().type(v).type)) return true;
    for (int k = 0; k < e.n_out; ++k)
      if (is_half(from().type(e.out + k).type)) return true;
    return false;
  }

  // Writes one equation of a block; what moves bits, and loops and branches, are copied.
  struct step {
    half_lowerer& x;
    constexpr void operator()(eqn const& e) const {
      if (e.n_blk > 0) return x.copy_.copy(e, *this);
      if (!x.has_half(e) || traits_of(e.op).moves_bits) return x.copy_.copy(e);
      switch (e.op) {
        case prim::convert_element_type: return x.convert_type(e);
        case prim::bitcast_convert_type: return x.cast(e);
        case prim::nextafter: return x.next(e);
        default: return x.compute(e);
      }
    }
  };
  // Emits the equation on floats.
  constexpr void compute(eqn const& e) {
    arena<int> in, par;
    arena<aval> out;
    for (int v : from().ins(e)) in.push(decoded(v));
    for (int x : from().params_of(e)) par.push(x);
    if (int const k = dtype_parameter(from(), e); k >= 0 && is_half(from().type(e.out).type)) par[k] = static_cast<int>(dtype::f32);
    for (int k = 0; k < e.n_out; ++k) out.push(computed(from().type(e.out + k)));
    int const first = expand_context::emit(e.op, in, par, out);
    if (e.op == prim::debug_print) to().rename_last(name_of(e).view());
    for (int k = 0; k < e.n_out; ++k) set(e.out + k, first + k);
  }
  // Through float; doubles, and integers that a float cannot represent, are rounded once.
  constexpr void convert_type(eqn const& e) {
    int const v = from().in(e, 0);
    dtype const source = from().type(v).type, target = from().type(e.out).type;
    if (source == target) return copy_.set(e.out, copy_[v]);
    int const x = decoded(v);
    if (is_half(target) && !is_half(source) && source != dtype::f64)
      return set(e.out, convert(x, is_integer(source) && size_of(source) >= 4 ? dtype::f64 : dtype::f32));
    set(e.out, is_half(target) ? x : convert(x, target));
  }
  // A bitcast: the bits stay the same, or are split or combined.
  constexpr void cast(eqn const& e) {
    int const x = copy_[from().in(e, 0)];
    aval const out = lowered(from().type(e.out));
    int const par[] = {static_cast<int>(out.type)};
    copy_.set(e.out, type(x) == out ? x : emit(e.op, {&x, 1}, par, out));
  }
  // nextafter: the bits of x without the sign are an integer in the order of the magnitudes; adds or subtracts 1.
  constexpr void next(eqn const& e) {
    aval const t = from().type(e.out).with_type(dtype::i32), mask = t.with_type(dtype::b1);
    bool const f16 = from().type(e.out).type == dtype::f16;
    auto const number = [&](int n) { return literal(dtype::i32, to_bits(n)); };
    auto const make = [&](prim op, aval const& out, auto... v) {
      int const in[] = {v...};
      return emit(op, {in, static_cast<int>(sizeof...(v))}, {}, out);
    };
    // Scalars are broadcast, because some equations below read one operand only.
    auto const whole = [&](int v) { return type(v).rank == t.rank ? v : broadcast(v, t, {}); };
    int const x = whole(decoded(from().in(e, 0))), y = whole(decoded(from().in(e, 1))),
              bits = whole(convert(copy_[from().in(e, 0)], dtype::i32));
    int const size = make(prim::and_, t, bits, number(0x7fff)), sign = make(prim::and_, t, bits, number(0x8000));
    int const zero = literal(dtype::f32, 0);
    // Away from 0 if y is larger and x is positive, or y smaller and x negative.
    int const up = make(prim::gt, mask, y, x), negative = make(prim::lt, mask, x, zero);
    int const outward = make(prim::ne, mask, up, negative);
    int const other = make(prim::add, t, size, make(prim::select_n, t, outward, number(-1), number(1)));
    int const y_sign = make(prim::select_n, t, up, number(0x8000), number(0));
    int const moved =
        make(prim::select_n, t, make(prim::eq, mask, x, zero), make(prim::or_, t, sign, other), make(prim::or_, t, y_sign, number(1)));
    int const unknown = make(prim::or_, mask, make(prim::ne, mask, x, x), make(prim::ne, mask, y, y));
    int const y_bits = whole(convert(copy_[from().in(e, 1)], dtype::i32));
    int const known = make(prim::select_n, t, make(prim::eq, mask, x, y), moved, y_bits);
    copy_.set(e.out, convert(make(prim::select_n, t, unknown, known, number(f16 ? 0x7e00 : 0x7fc0)), dtype::u16));
  }

  arena<int> decoded_;
};

}  // namespace detail

// A template, so that programs without halves do not instantiate the rules of infer.
template <class Program>
constexpr program lower_halves(Program p) {
  program_builder q;
  detail::half_lowerer(q, p, infer<equation_ref>).run(p.main_id());
  return q.finish();
}

}  // namespace exprax
