// SPDX-License-Identifier: BSL-1.0
// bitcast_convert_type (jax.lax.bitcast_convert_type): the bits of the elements as another dtype. A smaller dtype adds a last axis with the
// parts of each element, lowest bits first; a larger one removes such an axis. bool casts only to bool.
#pragma once

#include <exprax/primitives/elementwise/conversion/bitcast.hpp>

namespace exprax {

// Parameter: the new dtype.
template <>
struct primitive<prim::bitcast_convert_type> : detail::elementwise_rules {
  static constexpr std::string_view name = "bitcast_convert_type";
  static constexpr prim_traits traits{.kind = op_class::composite, .is_locally_constant = true};
  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1 || e.n_par() != 1 || e.param(0) < 0 || e.param(0) >= dtype_count) return false;
    aval const& t = e.type(0);
    dtype const to = static_cast<dtype>(e.param(0));
    if (is_key(t.type) || is_key(to)) return false;
    if (is_bool(t.type) || is_bool(to)) {
      *out = t;
      return t.type == to;
    }
    int const from_bytes = size_of(t.type), to_bytes = size_of(to);
    *out = t.with_type(to, false);
    if (to_bytes < from_bytes) {
      if (t.rank == max_rank) return false;
      out->dims[out->rank++] = from_bytes / to_bytes;
    } else if (to_bytes > from_bytes) {
      if (t.rank == 0 || t.dims[t.rank - 1] != to_bytes / from_bytes) return false;
      *out = out->without_axis(t.rank - 1);
    }
    return true;
  }
  // Parts are shifted to their positions in an unsigned integer as wide as the larger dtype.
  template <class Context>
  static constexpr void expand(Context& c, equation_ref const& e) {
    aval const& t = e.type(0);
    aval const& out = e.out_type(0);
    int const from_bytes = size_of(t.type), to_bytes = size_of(out.type), x = c.in(e, 0);
    if (t.type == out.type) return c.set(e, 0, x);
    if (is_complex(t.type) || is_complex(out.type)) return c.set(e, 0, by_parts(c, x, t, out));
    if (from_bytes == to_bytes) return c.set(e, 0, cast(c, x, out.type));
    bool const splits = from_bytes > to_bytes;
    aval const& parts = splits ? out : t;
    dtype const part = unsigned_of(splits ? to_bytes : from_bytes), whole = unsigned_of(splits ? from_bytes : to_bytes);
    int const axis = parts.rank - 1, bits = 8 * size_of(part);
    int const place = c.elementwise(prim::mul, c.iota(parts.with_type(whole, false), axis), c.number(whole, bits));
    if (splits) {
      int axes[max_rank] = {};
      for (int i = 0; i < axis; ++i) axes[i] = i;
      int const repeated = c.broadcast(cast(c, x, whole), parts, {axes, axis});
      c.set(e, 0, cast(c, c.convert(c.elementwise(prim::shift_right_logical, repeated, place), part), out.type));
    } else {
      int const wide = c.convert(cast(c, x, part), whole);
      c.set(e, 0, cast(c, c.reduce(prim::reduce_or, c.elementwise(prim::shift_left, wide, place), {&axis, 1}), out.type));
    }
  }
  // The batch axis goes first, because the primitive changes the last axis.
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const x = c.at_front(c.value(e, 0), c.dim(e, 0), c.size());
    c.replace(e, {&x, 1}, e.params(), 0);
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    l.set(e, 0, l.bitcast(l.in(e, 0), e.out_type(0)));
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("new_dtype");
    o.dtype(static_cast<dtype>(e.param(0)));
  }

 private:
  // In memory a complex number is its two parts.
  template <class Context>
  static constexpr int by_parts(Context& c, int x, aval const& t, aval const& out) {
    dtype const from = real_dtype(t.type), to = real_dtype(out.type);
    int const elements = static_cast<int>(t.size()), results = static_cast<int>(out.size()), to_parts = static_cast<int>(to), last = 1;
    int v = c.reshape(x, aval(t.type, {elements, 1}));
    if (is_complex(t.type)) {
      int const parts[] = {c.emit(prim::real, {&v, 1}), c.emit(prim::imag, {&v, 1})};
      v = c.concatenate(parts, last);
    }
    int const n = results * (is_complex(out.type) ? 2 : 1), wider = size_of(to) / size_of(from);
    v = c.reshape(v, wider > 1 ? aval(from, {n, wider}) : aval(from, {elements * (is_complex(t.type) ? 2 : 1)}));
    if (from != to) v = c.emit(prim::bitcast_convert_type, {&v, 1}, {&to_parts, 1});
    if (!is_complex(out.type)) return c.reshape(v, out);
    v = c.reshape(v, aval(to, {results, 2}));
    aval const part = out.with_type(to);
    return c.elementwise(prim::complex, c.reshape(c.slice_axis(v, last, 0, 1), part), c.reshape(c.slice_axis(v, last, 1, 2), part));
  }
  static constexpr dtype unsigned_of(int bytes) {
    return bytes == 1 ? dtype::u8 : bytes == 2 ? dtype::u16 : bytes == 4 ? dtype::u32 : dtype::u64;
  }
  template <class Context>
  static constexpr int cast(Context& c, int v, dtype to) {
    aval const t = c.type(v);
    if (t.type == to) return v;
    int const par = static_cast<int>(to);
    return c.emit(prim::bitcast, {&v, 1}, {&par, 1}, t.with_type(to, false));
  }
};

}  // namespace exprax
