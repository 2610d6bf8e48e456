// SPDX-License-Identifier: BSL-1.0
// lower_complex: makes a program without complex numbers. A complex value becomes two real ones, its real and imaginary parts, also in
// loops and branches. Inputs and results of the whole program become real arrays with an additional last axis of 2, which is the memory
// layout of complex numbers.
// Longer than 300 lines: one class, whose walk and whose cases for each kind of primitive share its parts.
#pragma once

#include <exprax/legalize/complex_inverses.hpp>
#include <exprax/legalize/lower_halves.hpp>
#include <exprax/primitives/control/signatures.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax {

constexpr bool has_complex(program_ref p) {
  for (int t = 0; t < p.n.avals; ++t)
    if (is_complex(p.avals[t].type)) return true;
  return false;
}

namespace detail {

// Not constexpr: the name is the message.
inline void this_primitive_does_not_take_complex_numbers() {}

class complex_lowerer : public expand_context {
 public:
  constexpr complex_lowerer(program_builder& to, program_ref from, infer_function how) : expand_context(to, from, how) {
    parts_.resize(from.n.values, {-1, -1});
  }

  constexpr void run(int id) {
    block const& b = from().blocks[id];
    arena<int> in, out;
    for (int v : from().ins(b)) in.push(is_split(v) ? input(interleaved(from().type(v))) : bind_input(v));
    open();
    for (int k = 0; k < b.n_in; ++k)
      if (int const v = from().ins(b)[k]; is_split(v)) parts_[v] = {part_of(in[k], from().type(v), 0), part_of(in[k], from().type(v), 1)};
    for (eqn const& e : from().body(b)) step(e);
    for (int v : from().outs(b)) out.push(is_split(v) ? joined(v) : copy_[v]);
    close(in, out);
  }

 private:
  using values = arena<int>;

  constexpr bool is_split(int v) const { return is_complex(from().type(v).type); }
  static constexpr aval part_type(aval const& t) { return t.with_type(real_dtype(t.type), t.weak); }

  // --- Inputs and results of the program ---

  // The parts as they are in memory. If there is no room for one more axis, all axes become one.
  static constexpr aval interleaved(aval const& t) {
    aval r = part_type(t);
    if (t.rank == max_rank) {
      r.rank = 1;
      r.dims[0] = static_cast<int>(t.size());
    }
    r.dims[r.rank++] = 2;
    return r;
  }
  constexpr int part_of(int v, aval const& t, int k) { return reshape(slice_axis(v, type(v).rank - 1, k, k + 1), part_type(t)); }
  constexpr int joined(int v) {
    aval one = interleaved(from().type(v));
    one.dims[one.rank - 1] = 1;
    complex_parts const z = parts(v);
    int const both[] = {reshape(z.re, one), reshape(z.im, one)};
    return concatenate(both, one.rank - 1);
  }

  // --- Values ---

  constexpr int bind_input(int v) {
    int const w = input(from().type(v));
    copy_.set(v, w);
    return w;
  }
  constexpr complex_parts parts(int v) {
    if (!is_split(v)) return {copy_[v], zero_like(copy_[v])};
    if (parts_[v].re < 0) {
      aval const t = part_type(from().type(v));
      std::uint64_t const* const from_bits = from().constants + from().values[v].constant;
      arena<std::uint64_t> re, im;
      for (std::ptrdiff_t i = 0; i < t.size(); ++i) {
        re.push(from_bits[2 * i]);
        im.push(from_bits[2 * i + 1]);
      }
      parts_[v] = {to().add_constant(t, re), to().add_constant(t, im)};
    }
    return parts_[v];
  }
  constexpr int zero_like(int v) { return full(type(v), number(type(v).type, 0)); }
  constexpr complex_parts operand(eqn const& e, int k) { return parts(from().in(e, k)); }
  constexpr void put(eqn const& e, complex_parts z) { parts_[e.out] = z; }
  constexpr void put_real(eqn const& e, int v) { copy_.set(e.out, v); }
  // The two parts of an operand, or the one value, appended to a list.
  constexpr void push(values& list, int v) {
    if (!is_split(v)) return list.push(copy_[v]), void();
    complex_parts const z = parts(v);
    list.push(z.re);
    list.push(z.im);
  }
  // How many values replace these.
  constexpr int count(span<int> list) const {
    int n = 0;
    for (int v : list) n += is_split(v) ? 2 : 1;
    return n;
  }

  // --- Equations ---

  constexpr bool concerns(eqn const& e) const {
    for (int v : from().ins(e))
      if (is_split(v)) return true;
    for (int k = 0; k < e.n_out; ++k)
      if (is_split(e.out + k)) return true;
    return false;
  }
  constexpr void step(eqn const& e) {
    if (e.n_blk > 0) return control(e);
    if (!concerns(e)) return copy_.copy(e);
    if (traits_of(e.op).moves_bits || traits_of(e.op).is_linear) return each_part(e);
    compute(e);
  }
  constexpr void each_part(eqn const& e) {
    values re, im, par;
    for (int v : from().ins(e)) {
      complex_parts const z = is_split(v) ? parts(v) : complex_parts{copy_[v], copy_[v]};
      re.push(z.re);
      im.push(z.im);
    }
    for (int x : from().params_of(e)) par.push(x);
    aval const out = part_type(from().type(e.out));
    int const first = emit(e.op, re, par, out);
    if (e.op == prim::gather) par[1] = par[2] = 0;  // the fill value has no imaginary part
    put(e, {first, emit(e.op, im, par, out)});
  }
  constexpr void control(eqn const& e) {
    values in, blocks, par;
    arena<char> in_parts, out_parts;
    arena<aval> out;
    for (int v : from().ins(e)) {
      push(in, v);
      in_parts.push(is_split(v) ? 2 : 1);
    }
    for (int id : from().subs(e)) blocks.push(walk(id));
    for (int k = 0; k < e.n_out; ++k) {
      aval const& t = from().type(e.out + k);
      out_parts.push(is_split(e.out + k) ? 2 : 1);
      out.push(part_type(t));
      if (is_complex(t.type)) out.push(part_type(t));
    }
    if (is_control(e.op)) par = parameters_for({from(), e}, in_parts, out_parts);
    else par = parameters_of({from(), e});
    int next = expand_context::emit(e.op, in, par, out, blocks);
    if (has_name(e.op)) to().rename_last(name_of(e).view());
    for (int k = 0; k < e.n_out; ++k) {
      if (is_split(e.out + k)) parts_[e.out + k] = {next, next + 1};
      else copy_.set(e.out + k, next);
      next += is_split(e.out + k) ? 2 : 1;
    }
  }
  constexpr int walk(int id) {
    block const& b = from().blocks[id];
    values in, out;
    for (int v : from().ins(b)) {
      if (!is_split(v)) {
        in.push(bind_input(v));
        continue;
      }
      aval const t = part_type(from().type(v));
      parts_[v].re = input(t);
      parts_[v].im = input(t);
      in.push(parts_[v].re);
      in.push(parts_[v].im);
    }
    open();
    for (eqn const& e : from().body(b)) step(e);
    for (int v : from().outs(b)) push(out, v);
    return close(in, out);
  }

  constexpr void compute(eqn const& e) {
    complex_inverses f(*this);
    complex_parts const x = e.n_in > 0 ? operand(e, 0) : complex_parts{}, y = e.n_in > 1 ? operand(e, 1) : complex_parts{};
    aval const out = from().type(e.out);
    switch (e.op) {
      case prim::complex: return put(e, same_shape(x.re, y.re, out));
      case prim::real: return put_real(e, x.re);
      case prim::imag: return put_real(e, x.im);
      case prim::conj: return put(e, {x.re, elementwise(prim::neg, x.im)});
      case prim::convert_element_type: return convert_type(e, x, out.type);
      case prim::iota: return count_up(e);
      case prim::eq: return put_real(e, f.both(elementwise(prim::eq, x.re, y.re), elementwise(prim::eq, x.im, y.im)));
      case prim::ne: return put_real(e, f.either(elementwise(prim::ne, x.re, y.re), elementwise(prim::ne, x.im, y.im)));
      case prim::is_finite: return put_real(e, f.both(elementwise(prim::is_finite, x.re), elementwise(prim::is_finite, x.im)));
      case prim::abs: return put_real(e, f.magnitude(x));
      case prim::mul: return put(e, f.mul(x, y));
      case prim::div: return put(e, f.div(x, y));
      case prim::sign: return put(e, f.sign(x));
      case prim::exp: return put(e, f.exp(x));
      case prim::exp2: return put(e, f.exp2(x));
      case prim::expm1: return put(e, f.expm1(x));
      case prim::log: return put(e, f.log(x));
      case prim::log1p: return put(e, f.log1p(x));
      case prim::sqrt: return put(e, f.sqrt(x));
      case prim::rsqrt: return put(e, f.reciprocal(f.sqrt(x)));
      case prim::sin: return put(e, f.sin(x));
      case prim::cos: return put(e, f.cos(x));
      case prim::tan: return put(e, f.tan(x));
      case prim::sinh: return put(e, f.sinh(x));
      case prim::cosh: return put(e, f.cosh(x));
      case prim::tanh: return put(e, f.tanh(x));
      case prim::asin: return put(e, f.asin(x));
      case prim::acos: return put(e, f.acos(x));
      case prim::atan: return put(e, f.atan(x));
      case prim::asinh: return put(e, f.asinh(x));
      case prim::acosh: return put(e, f.acosh(x));
      case prim::atanh: return put(e, f.atanh(x));
      case prim::atan2: return put(e, f.atan2(x, y));
      case prim::logistic: return put(e, f.logistic(x));
      case prim::pow: return put(e, f.pow(x, y));
      case prim::integer_pow: return put(e, f.integer_pow(x, from().param(e, 0)));
      case prim::dot_general: case prim::conv_general_dilated: return product(e, x, y);
      case prim::max: return put(e, f.max(x, y));
      case prim::min: return put(e, f.min(x, y));
      case prim::clamp: return put(e, f.min(f.max(y, x), operand(e, 2)));
      case prim::reduce_prod: case prim::reduce_max: case prim::reduce_min: return put(e, reduced(f, e.op, x, from().params_of(e)));
      case prim::cumprod: case prim::cummax: case prim::cummin: return running(e, f, x);
      case prim::pmax: case prim::pmin: return extremum_over_axes(e, f, x);
      case prim::scatter_mul: case prim::scatter_max: case prim::scatter_min: return scatter(e, f, x);
      case prim::update_slice_mul: case prim::update_slice_max: case prim::update_slice_min: return update_slice(e, f, x);
      default: this_primitive_does_not_take_complex_numbers();
    }
  }
  constexpr complex_parts same_shape(int re, int im, aval const& out) {
    aval const t = part_type(out);
    if (type(re).rank < t.rank || !type(re).same_shape(t)) re = broadcast_to(re, t);
    if (type(im).rank < t.rank || !type(im).same_shape(t)) im = broadcast_to(im, t);
    return {re, im};
  }
  constexpr int broadcast_to(int v, aval const& t) {
    int dims[max_rank];
    for (int i = 0; i < t.rank; ++i) dims[i] = i;
    return broadcast(v, t, {dims, type(v).rank});
  }
  constexpr void convert_type(eqn const& e, complex_parts x, dtype to) {
    if (is_complex(to)) return put(e, {convert(x.re, real_dtype(to)), convert(x.im, real_dtype(to))});
    if (!is_bool(to)) return put_real(e, convert(x.re, to));
    int const re = elementwise(prim::ne, x.re, number(type(x.re).type, 0)), im = elementwise(prim::ne, x.im, number(type(x.im).type, 0));
    put_real(e, elementwise(prim::or_, re, im));
  }
  constexpr void count_up(eqn const& e) {
    int const re = iota(part_type(from().type(e.out)), from().param(e, 1));
    put(e, {re, zero_like(re)});
  }
  // Products of the parts; a real operand has one part.
  constexpr void product(eqn const& e, complex_parts x, complex_parts y) {
    aval const out = part_type(from().type(e.out));
    values par;
    for (int p : from().params_of(e)) par.push(p);
    par[dtype_parameter(from(), e)] = static_cast<int>(out.type);
    auto const times = [&](int a, int b) {
      int const in[] = {a, b};
      return expand_context::emit(e.op, in, par, out);
    };
    if (!is_split(from().in(e, 1))) return put(e, {times(x.re, y.re), times(x.im, y.re)});
    if (!is_split(from().in(e, 0))) return put(e, {times(x.re, y.re), times(x.re, y.im)});
    put(e, {elementwise(prim::sub, times(x.re, y.re), times(x.im, y.im)), elementwise(prim::add, times(x.re, y.im), times(x.im, y.re))});
  }
  template <class F>
  static constexpr complex_parts on_parts(complex_parts x, F f) {
    int const re = f(x.re);
    return {re, f(x.im)};
  }
  // The combining function of a reduction, cumulative reduction or update.
  static constexpr complex_parts join(complex_inverses& f, prim op, complex_parts x, complex_parts y) {
    switch (op) {
      case prim::reduce_max: case prim::cummax: case prim::scatter_max: case prim::update_slice_max: return f.max(x, y);
      case prim::reduce_min: case prim::cummin: case prim::scatter_min: case prim::update_slice_min: return f.min(x, y);
      default: return f.mul(x, y);
    }
  }
  // The real part of the identity: 1, or an infinity.
  constexpr int identity(prim op, dtype t) {
    bool const largest = op == prim::reduce_max || op == prim::cummax;
    return op == prim::reduce_prod || op == prim::cumprod ? number(t, 1) : real(t, largest ? -__builtin_inf() : __builtin_inf());
  }
  // The reduced axes become one last axis, whose halves are combined until one element is left.
  constexpr complex_parts reduced(complex_inverses& f, prim op, complex_parts x, span<int> axes) {
    if (axes.size() == 0) return x;
    aval const t = type(x.re);
    values order;
    aval out(t.type, t.weak);
    int n = 1;
    for (int i = 0; i < t.rank; ++i) {
      if (contains(axes.data(), axes.size(), i)) continue;
      order.push(i);
      out.dims[out.rank++] = t.dims[i];
    }
    for (int axis : axes) {
      order.push(axis);
      n *= t.dims[axis];
    }
    if (n == 0) return {full(out, identity(op, out.type)), full(out, number(out.type, 0))};
    aval folded = out;
    folded.dims[folded.rank++] = n;
    int const last = folded.rank - 1;
    x = on_parts(x, [&](int v) { return reshape(transpose(v, order), folded); });
    for (; n > 1; n -= n / 2) {
      int const half = n / 2, rest = n - half;
      complex_parts const low = on_parts(x, [&](int v) { return slice_axis(v, last, 0, half); });
      complex_parts const high = on_parts(x, [&](int v) { return slice_axis(v, last, rest, n); });
      complex_parts const middle = on_parts(x, [&](int v) { return slice_axis(v, last, half, rest); }), z = join(f, op, low, high);
      auto const both = [&](int a, int b) {
        int const list[] = {a, b};
        return concatenate(list, last);
      };
      x = rest == half ? z : complex_parts{both(z.re, middle.re), both(z.im, middle.im)};
    }
    return on_parts(x, [&](int v) { return reshape(v, out); });
  }
  // After step 2^k, each element combines the 2^(k+1) elements that end at it.
  constexpr void running(eqn const& e, complex_inverses& f, complex_parts x) {
    int const axis = from().param(e, 0), n = type(x.re).dims[axis], rank = type(x.re).rank;
    bool const reverse = from().param(e, 1) != 0;
    for (int step = 1; step < n; step *= 2) {
      auto const shifted = [&](int v, int filling) {
        int low[max_rank] = {}, high[max_rank] = {}, none[max_rank] = {};
        low[axis] = reverse ? -step : step;
        high[axis] = -low[axis];
        return pad(v, filling, {low, rank}, {high, rank}, {none, rank});
      };
      dtype const t = type(x.re).type;
      complex_parts const before = {shifted(x.re, identity(e.op, t)), shifted(x.im, number(t, 0))};
      x = join(f, e.op, before, x);
    }
    put(e, x);
  }
  // Positional axes are reduced. Named axes: the extremum of the real parts, then of the imaginary parts that belong to it.
  constexpr void extremum_over_axes(eqn const& e, complex_inverses& f, complex_parts x) {
    values positions, names;
    for_each_axis_entry(from().params_of(e), [&](span<int> entry) {
      for (int k : entry) (is_axis_name(entry) ? names : positions).push(k);
    });
    x = reduced(f, e.op == prim::pmax ? prim::reduce_max : prim::reduce_min, x, positions);
    if (names.empty()) return put(e, x);
    aval const out = type(x.re);
    int const re = emit(e.op, {&x.re, 1}, names, out), beside = elementwise(prim::eq, x.re, re);
    int const im = select(beside, full(out, real(out.type, e.op == prim::pmax ? -__builtin_inf() : __builtin_inf())), x.im);
    put(e, {re, emit(e.op, {&im, 1}, names, out)});
  }
  // The elements are read, combined and written back.
  constexpr void update_slice(eqn const& e, complex_inverses& f, complex_parts x) {
    updated_slice const s(equation_ref{from(), e});
    values limit;
    for (int i = 0; i < s.start.size(); ++i) limit.push(s.limit(i));
    complex_parts const old = on_parts(x, [&](int v) { return slice(v, s.start, limit, s.step); });
    complex_parts const made = join(f, e.op, old, operand(e, 1));
    auto const write = [&](int a, int b) {
      int const in[] = {a, b};
      return expand_context::emit(prim::update_slice, in, from().params_of(e), type(a));
    };
    put(e, {write(x.re, made.re), write(x.im, made.im)});
  }
  // The same for one window after another, in a scan, because windows may overlap. Batching axes become components of the index vectors.
  constexpr void scatter(eqn const& e, complex_inverses& f, complex_parts x) {
    scatter_numbers const n(from().params_of(e));
    complex_parts update = operand(e, 2);
    aval const t = type(x.re), of_update = type(update.re), of_index = from().type(from().in(e, 1));
    if (t.size() == 0 || of_update.size() == 0) return put(e, x);
    int const vector_axis = of_index.rank - 1, rank = of_update.rank;
    values vectors, to_axes, order, dropped, window_axes;
    vectors.push(copy_[from().in(e, 1)]);
    for (int axis : n.to) to_axes.push(axis);
    for (int k = 0; k < n.x_batching.size(); ++k) {
      aval one = of_index;
      one.dims[vector_axis] = 1;
      vectors.push(iota(one, n.index_batching[k]));
      to_axes.push(n.x_batching[k]);
    }
    aval window = of_update;
    window.rank = 0;
    int count = 1;
    for (int i = 0; i < rank; ++i) {
      if (n.is_window(i)) continue;
      order.push(i);
      count *= of_update.dims[i];
    }
    for (int i = 0; i < rank; ++i) {
      if (!n.is_window(i)) continue;
      order.push(i);
      window_axes.push(window.rank);
      window.dims[window.rank++] = of_update.dims[i];
    }
    values read, write;
    for (int x_value : {static_cast<int>(n.mode), 0, 0, 1, 1}) read.push(x_value);
    for (int i = 0, k = 0; i < t.rank; ++i) {
      bool const is_dropped = n.is_dropped(i);
      read.push(is_dropped ? 1 : window.dims[k++]);
      if (is_dropped) dropped.push(i);
    }
    for (values* par : {&read, &write})
      for (values const* axes : {&window_axes, &dropped, &to_axes}) push_axes(*par, *axes, 0);
    for (int x_value : {1, 1, static_cast<int>(n.mode)}) write.push(x_value);
    for (values* par : {&read, &write})
      for (int none : {0, 0}) par->push(none);

    auto const next = [&](complex_parts all, int vector, complex_parts with) {
      auto const at = [&](int v) {
        int const in[] = {v, vector};
        return expand_context::emit(prim::gather, in, read, window);
      };
      complex_parts const made = join(f, e.op, on_parts(all, at), with);
      auto const put_back = [&](int v, int part) {
        int const in[] = {v, vector, part};
        return expand_context::emit(prim::scatter, in, write, t);
      };
      return complex_parts{put_back(all.re, made.re), put_back(all.im, made.im)};
    };
    aval const vector(dtype::i32, {to_axes.size()});
    int const all_vectors = concatenate(vectors, vector_axis);
    update = on_parts(update, [&](int v) { return transpose(v, order); });
    if (count == 1) return put(e, next(x, reshape(all_vectors, vector), on_parts(update, [&](int v) { return reshape(v, window); })));
    auto const in_rows = [&](int v, aval const& row) { return reshape(v, row.with_axis(0, count)); };
    int const operands[] = {x.re, x.im, in_rows(all_vectors, vector), in_rows(update.re, window), in_rows(update.im, window)};
    int const ins[] = {input(t), input(t), input(vector), input(window), input(window)};
    open();
    complex_parts const made = next({ins[0], ins[1]}, ins[2], {ins[3], ins[4]});
    int const outs[] = {made.re, made.im}, body = close(ins, outs), par[] = {count, 0, 2, 0, 1};
    aval const carry[] = {t, t};
    int const first = expand_context::emit(prim::scan, operands, par, carry, {&body, 1});
    put(e, {first, first + 1});
  }

  arena<complex_parts> parts_;
};

}  // namespace detail

// A template, so that programs without complex numbers do not instantiate the rules of infer.
template <class Program>
constexpr program lower_complex(Program p) {
  program_builder q;
  detail::complex_lowerer(q, p, infer<equation_ref>).run(p.main_id());
  return q.finish();
}

}  // namespace exprax
