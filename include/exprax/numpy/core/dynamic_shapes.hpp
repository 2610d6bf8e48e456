// SPDX-License-Identifier: BSL-1.0
// Recording with shapes that are values: for functions whose steps have shapes that are computed while tracing, such as einsum
// or pad. A value is a handle here; the result of all steps becomes an expr at the end, by typed<Shape>.
#pragma once

#include <exprax/numpy/shape/shaping.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax::detail::untyped {

constexpr aval type_of(handle const& x) {
  handle const r = resolve(x);
  return r.on->type(r.id);
}
template <tracer X>
constexpr handle from(X const& x) {
  return expr_access::get(x);
}
// The handle as an expr of the type that Shape::value tells.
template <class Shape>
constexpr expr_from<Shape> typed(handle const& x) {
  handle const r = resolve(x);
  return expr_access::make<expr_from<Shape>>(r);
}
template <class Out>
constexpr Out as(handle const& x) {
  handle const r = resolve(x);
  return expr_access::make<Out>(r);
}

constexpr handle record(prim op, arena<handle>& in, span<int> par, aval const& out) {
  handle all;
  for (handle& h : in) {
    if (all.on) join(all, h);
    else all = resolve(h);
  }
  if (!all.on) all = new_tape();
  arena<int> ids;
  for (handle const& h : in) ids.push(resolve(h).id);
  int const type = all.on->intern(out);
  return handle(all.on, all.on->record(op, ids, par, {&type, 1}));
}
constexpr handle record(prim op, handle const& a, span<int> par, aval const& out) {
  arena<handle> in;
  in.push(a);
  return record(op, in, par, out);
}
constexpr handle record(prim op, handle const& a, handle const& b, span<int> par, aval const& out) {
  arena<handle> in;
  in.push(a);
  in.push(b);
  return record(op, in, par, out);
}

// A scalar constant, on the tape of another value.
template <class T>
constexpr handle scalar(handle const& near, T value, bool weak = false) {
  handle const r = resolve(near);
  return handle(r.on, r.on->add_constant(r.on->intern(aval(dtype_of<T>, weak)), element_patterns(value).of));
}

constexpr handle unary(prim op, handle const& x) { return record(op, x, {}, type_of(x)); }
// Two operands of one dtype; ranks are equal, or one is a scalar.
constexpr handle binary(prim op, handle const& a, handle const& b) {
  aval const s = type_of(a), t = type_of(b);
  aval out = broadcast(s, t).shape.with_type(s.type, s.weak && t.weak);
  if (traits_of(op).is_predicate) out = out.with_type(dtype::b1);
  return record(op, a, b, {}, out);
}
constexpr handle select(handle const& which, handle const& if_false, handle const& if_true) {
  arena<handle> in;
  in.push(which);
  in.push(if_false);
  in.push(if_true);
  return record(prim::select_n, in, {}, type_of(if_false));
}
constexpr handle convert(handle const& x, dtype to, bool weak = false) {
  aval const t = type_of(x);
  if (t.type == to && t.weak == weak) return x;
  int const par[] = {static_cast<int>(to), weak};
  return record(prim::convert_element_type, x, par, t.with_type(to, weak));
}

constexpr handle reshape(handle const& x, span<int> sizes) {
  aval const t = type_of(x);
  aval out(t.type, t.weak);
  for (int n : sizes) out.dims[out.rank++] = n;
  if (out.same_shape(t)) return x;  // not by ?:, after which g++ 12 ends a handle twice
  return record(prim::reshape, x, sizes, out);
}
constexpr handle transpose(handle const& x, span<int> permutation) {
  aval const t = type_of(x);
  aval out(t.type, t.weak);
  bool trivial = true;
  for (int axis : permutation) trivial = trivial && axis == out.rank, out.dims[out.rank++] = t.dims[axis];
  if (trivial) return x;
  return record(prim::transpose, x, permutation, out);
}
constexpr handle squeeze(handle const& x, axis_set const& axes) {
  if (axes.n == 0) return x;
  aval const t = type_of(x);
  aval out(t.type, t.weak);
  for (int i = 0; i < t.rank; ++i)
    if (!axes.has(i)) out.dims[out.rank++] = t.dims[i];
  param_list const par = list_of(axes);
  return record(prim::squeeze, x, par, out);
}
// The axes of x become axes dims of a result that has the shape of `shape`.
constexpr handle broadcast_in_dim(handle const& x, aval const& shape, span<int> dims) {
  aval const t = type_of(x), out = shape.with_type(t.type, t.weak);
  if (out.same_shape(t)) return x;
  param_list par;
  for (int i = 0; i < out.rank; ++i) par.push(out.dims[i]);
  for (int axis : dims) par.push(axis);
  return record(prim::broadcast_in_dim, x, par, out);
}
// The axes of x become the last ones.
constexpr handle broadcast_to(handle const& x, aval const& shape) {
  aval const t = type_of(x);
  param_list dims;
  for (int i = 0; i < t.rank; ++i) dims.push(shape.rank - t.rank + i);
  return broadcast_in_dim(x, shape, dims);
}
constexpr handle expand_dims(handle const& x, axis_set const& places) {
  if (places.n == 0) return x;
  expansion const e = expand(type_of(x), places);
  return record(prim::broadcast_in_dim, x, e.params, e.result);
}
// Elements start, start + step, ... below limit of one axis.
constexpr handle slice(handle const& x, int axis, int start, int limit, int step = 1) {
  aval out = type_of(x);
  if (start == 0 && limit == out.dims[axis] && step == 1) return x;
  param_list par;
  for (int i = 0; i < out.rank; ++i) par.push(i == axis ? start : 0);
  for (int i = 0; i < out.rank; ++i) par.push(i == axis ? limit : out.dims[i]);
  for (int i = 0; i < out.rank && step != 1; ++i) par.push(i == axis ? step : 1);
  out.dims[axis] = limit > start ? (limit - start + step - 1) / step : 0;
  return record(prim::slice, x, par, out);
}
// Parts without elements are left out.
constexpr handle concatenate(arena<handle> const& parts, int axis) {
  arena<handle> in;
  aval out = type_of(parts[0]);
  int size = 0;
  for (handle const& h : parts) {
    int const n = type_of(h).dims[axis];
    if (n > 0) in.push(h);
    size += n;
  }
  if (in.empty()) return parts[0];
  if (in.size() == 1) return in[0];
  out.dims[axis] = size;
  int const par[] = {axis};
  return record(prim::concatenate, in, par, out);
}
constexpr handle rev(handle const& x, int axis) {
  int const par[] = {axis};
  return record(prim::rev, x, par, type_of(x));
}
constexpr handle iota(handle const& near, aval const& shape, int axis) {
  handle const r = resolve(near);
  param_list par;
  par.push(static_cast<int>(shape.type));
  par.push(axis);
  for (int i = 0; i < shape.rank; ++i) par.push(shape.dims[i]);
  int const type = r.on->intern(shape);
  return handle(r.on, r.on->record(prim::iota, {}, par, {&type, 1}));
}
constexpr handle reduce(prim op, handle const& x, axis_set const& axes) {
  if (axes.n == 0) return x;
  aval const t = type_of(x);
  aval out(t.type, t.weak);
  for (int i = 0; i < t.rank; ++i)
    if (!axes.has(i)) out.dims[out.rank++] = t.dims[i];
  param_list const par = list_of(axes);
  return record(op, x, par, out);
}

}  // namespace exprax::detail::untyped
