// SPDX-License-Identifier: BSL-1.0
// lower_halves: makes a program without float16 and bfloat16. Such values become u16 with the same bits. Arithmetic decodes them to
// floats and rounds each result once, as XLA's CPU backend does. Equations that only move or select elements, and loops and branches,
// move the bits. Elements of inputs, outputs and constants stay as they are.
#pragma once

#include <exprax/primitives/infer.hpp>
#include <exprax/primitives/traits.hpp>
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

class half_lowerer {
 public:
  constexpr half_lowerer(program& to, program_ref from) : to_(to), from_(from) {
    map_.resize(from.n.values, -1);
    decoded_.resize(from.n.values, -1);
  }
  constexpr int walk(int id) {
    block const& b = from_.blocks[id];
    arena<int> in, out;
    for (int v : from_.ins(b)) in.push(map_[v] = to_.add_value(lowered(from_.type(v))));
    to_.open();
    for (eqn const& e : from_.body(b)) step(e);
    for (int v : from_.outs(b)) out.push(at(v));
    return to_.close(in, out);
  }

 private:
  static constexpr aval lowered(aval const& t) { return is_half(t.type) ? t.with_type(dtype::u16) : t; }
  static constexpr aval computed(aval const& t) { return is_half(t.type) ? t.with_type(dtype::f32) : t; }

  constexpr int at(int v) {
    if (map_[v] < 0) map_[v] = constant(v, lowered(from_.type(v)));
    return map_[v];
  }
  constexpr int constant(int v, aval const& t) {
    return to_.add_constant(t, {from_.constants + from_.values[v].constant, static_cast<int>(t.pattern_count())});
  }
  constexpr int emit(prim op, span<int> in, span<int> par, aval const& out) { return to_.emit(op, in, par, {&out, 1}); }
  constexpr int converted(int v, dtype t) {
    aval const from = to_.type(v);
    int const par[] = {static_cast<int>(t), 0};
    return from.type == t ? v : emit(prim::convert_element_type, {&v, 1}, par, from.with_type(t));
  }
  // Value v of the old program in its arithmetic type.
  constexpr int decoded(int v) {
    aval const& t = from_.type(v);
    if (!is_half(t.type)) return at(v);
    if (decoded_[v] >= 0) return decoded_[v];
    if (from_.is_literal(v)) {
      float const x = t.type == dtype::f16 ? float{from_bits<float16>(from_.bits(v))} : float{from_bits<bfloat16>(from_.bits(v))};
      return decoded_[v] = to_.add_literal(dtype::f32, to_bits(x));
    }
    int const bits = at(v);
    return decoded_[v] = emit(t.type == dtype::f16 ? prim::decode_float16 : prim::decode_bfloat16, {&bits, 1}, {}, t.with_type(dtype::f32));
  }
  // Binds value v of the old program to x, which is encoded if v is a half.
  constexpr void set(int v, int x) {
    aval const& t = from_.type(v);
    map_[v] = is_half(t.type) ? emit(t.type == dtype::f16 ? prim::encode_float16 : prim::encode_bfloat16, {&x, 1}, {}, lowered(t)) : x;
  }
  constexpr bool has_half(eqn const& e) const {
    for (int v : from_.ins(e))
      if (is_half(from_.type(v).type)) return true;
    for (int k = 0; k < e.n_out; ++k)
      if (is_half(from_.type(e.out + k).type)) return true;
    return false;
  }

  constexpr void step(eqn const& e) {
    bool const half = has_half(e);
    if (!half || e.n_blk > 0 || traits_of(e.op).moves_bits) return carry(e);
    if (e.op == prim::convert_element_type) return convert(e);
    if (e.op == prim::bitcast_convert_type) return cast(e);
    if (e.op == prim::nextafter) return next(e);
    compute(e);
  }
  // Emits the equation on bits.
  constexpr void carry(eqn const& e) {
    arena<int> in, blocks;
    arena<aval> out;
    for (int v : from_.ins(e)) in.push(at(v));
    for (int b : from_.subs(e)) blocks.push(walk(b));
    for (int k = 0; k < e.n_out; ++k) out.push(lowered(from_.type(e.out + k)));
    int const first = to_.emit(e.op, in, from_.params_of(e), out, blocks);
    name_parameter(e);
    for (int k = 0; k < e.n_out; ++k) map_[e.out + k] = first + k;
  }
  constexpr void name_parameter(eqn const& e) {
    if (e.op == prim::jit || e.op == prim::debug_print) to_.params[to_.params.size() - e.n_par] = to_.add_name(from_.names[from_.param(e, 0)].view());
  }
  // Emits the equation on floats.
  constexpr void compute(eqn const& e) {
    arena<int> in, par;
    arena<aval> out;
    for (int v : from_.ins(e)) in.push(decoded(v));
    for (int x : from_.params_of(e)) par.push(x);
    if (int const k = dtype_parameter(from_, e); k >= 0 && is_half(static_cast<dtype>(par[k]))) par[k] = static_cast<int>(dtype::f32);
    for (int k = 0; k < e.n_out; ++k) out.push(computed(from_.type(e.out + k)));
    int const first = to_.emit(e.op, in, par, out);
    name_parameter(e);
    for (int k = 0; k < e.n_out; ++k) set(e.out + k, first + k);
  }
  // Through float; doubles, and integers that a float cannot represent, are rounded once.
  constexpr void convert(eqn const& e) {
    dtype const from = from_.type(from_.in(e, 0)).type, to = from_.type(e.out).type;
    if (from == to) return void(map_[e.out] = at(from_.in(e, 0)));
    int const x = decoded(from_.in(e, 0));
    if (is_half(to) && !is_half(from) && from != dtype::f64) return set(e.out, converted(x, is_integer(from) && size_of(from) >= 4 ? dtype::f64 : dtype::f32));
    set(e.out, is_half(to) ? x : converted(x, to));
  }
  // A bitcast: the bits stay the same, or are split or combined.
  constexpr void cast(eqn const& e) {
    int const x = at(from_.in(e, 0));
    aval const out = lowered(from_.type(e.out));
    int const par[] = {static_cast<int>(out.type)};
    map_[e.out] = to_.type(x) == out ? x : emit(e.op, {&x, 1}, par, out);
  }
  // nextafter: the bits of x without the sign are an integer in the order of the magnitudes; adds or subtracts 1.
  constexpr void next(eqn const& e) {
    aval const t = from_.type(e.out).with_type(dtype::i32), mask = t.with_type(dtype::b1);
    bool const f16 = from_.type(e.out).type == dtype::f16;
    auto const number = [&](int n) { return to_.add_literal(dtype::i32, to_bits(n)); };
    auto const make = [&](prim op, aval const& out, auto... v) {
      int const in[] = {v...};
      return emit(op, {in, static_cast<int>(sizeof...(v))}, {}, out);
    };
    // Scalars are broadcast, because some equations below read one operand only.
    auto const whole = [&](int v) { return to_.type(v).rank == t.rank ? v : emit(prim::broadcast_in_dim, {&v, 1}, {t.dims, t.rank}, t.with_type(to_.type(v).type)); };
    int const x = whole(decoded(from_.in(e, 0))), y = whole(decoded(from_.in(e, 1))), bits = whole(converted(at(from_.in(e, 0)), dtype::i32));
    int const size = make(prim::and_, t, bits, number(0x7fff)), sign = make(prim::and_, t, bits, number(0x8000));
    int const zero = to_.add_literal(dtype::f32, 0);
    // Away from 0 if y is larger and x is positive, or y smaller and x negative.
    int const up = make(prim::gt, mask, y, x), negative = make(prim::lt, mask, x, zero);
    int const outward = make(prim::ne, mask, up, negative);
    int const other = make(prim::add, t, size, make(prim::select_n, t, outward, number(-1), number(1)));
    int const y_sign = make(prim::select_n, t, up, number(0x8000), number(0));
    int const moved = make(prim::select_n, t, make(prim::eq, mask, x, zero), make(prim::or_, t, sign, other), make(prim::or_, t, y_sign, number(1)));
    int const unknown = make(prim::or_, mask, make(prim::ne, mask, x, x), make(prim::ne, mask, y, y));
    int const y_bits = whole(converted(at(from_.in(e, 1)), dtype::i32));
    int const known = make(prim::select_n, t, make(prim::eq, mask, x, y), moved, y_bits);
    map_[e.out] = converted(make(prim::select_n, t, unknown, known, number(f16 ? 0x7e00 : 0x7fc0)), dtype::u16);
  }

  program& to_;
  program_ref from_;
  arena<int> map_;
  arena<int> decoded_;
};

}  // namespace detail

constexpr program lower_halves(program_ref p) {
  program q;
  detail::half_lowerer(q, p).walk(p.main_id());
  return q;
}

}  // namespace exprax
