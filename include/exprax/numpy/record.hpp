// SPDX-License-Identifier: BSL-1.0
// Equations on values whose types are known as values only: for functions that decide what to record by loops over plain data
// (the indices of gathers and scatters) and whose results get their C++ type at the end.
#pragma once

#include <exprax/primitives/primitive.hpp>
#include <exprax/primitives/walk.hpp>
#include <exprax/program/expr.hpp>

namespace exprax::detail {

// A list of parameters of gather or scatter: up to six lists of axes with their lengths.
struct long_param_list {
  int at[6 * (max_rank + 1) + 6] = {};
  int n = 0;
  constexpr void push(int i) { at[n++] = i; }
  constexpr operator span<int>() const { return {at, n}; }
};

constexpr handle record(prim op, span<handle> in, span<int> params, aval const& out) {
  handle all = resolve(in[0]);
  for (int k = 1; k < in.size(); ++k) {
    handle h = in[k];
    join(all, h);
  }
  arena<int> numbers;
  for (handle const& h : in) numbers.push(resolve(h).id);
  int const type = all.on->find_type(out);
  return handle(all.on, all.on->record(op, numbers, params, {&type, 1}));
}
constexpr handle record(prim op, handle const& x, span<int> params, aval const& out) { return record(op, span<handle>{&x, 1}, params, out); }

// A literal on the tape of another value.
constexpr handle literal_near(handle const& on, aval const& type, std::uint64_t bits) {
  handle const h = resolve(on);
  return handle(h.on, h.on->add_constant(h.on->find_type(type), {&bits, 1}));
}
constexpr handle iota_near(handle const& on, int n) {
  handle const h = resolve(on);
  int const type = h.on->find_type(aval(dtype::i32, {n})), params[] = {static_cast<int>(dtype::i32), 0, n};
  return handle(h.on, h.on->record(prim::iota, {}, params, {&type, 1}));
}

// x with a dtype.
constexpr handle converted(handle const& x, dtype to) {
  aval const from = resolve(x).type();
  if (from.type == to && !from.weak) return x;
  int const params[] = {static_cast<int>(to), 0};
  return record(prim::convert_element_type, x, params, from.with_type(to));
}

// x with a shape, its axes at these places (jax.lax.broadcast_in_dim).
constexpr handle broadcast_in_dim(handle const& x, aval const& shape, span<int> places) {
  aval const from = resolve(x).type();
  long_param_list params;
  for (int i = 0; i < shape.rank; ++i) params.push(shape.dims[i]);
  for (int p : places) params.push(p);
  return record(prim::broadcast_in_dim, x, params, shape.with_type(from.type, from.weak));
}
// The same by NumPy's rule: the axes of x are the last ones; itself if it has the shape.
constexpr handle broadcast_to_shape(handle const& x, aval const& shape) {
  aval const from = resolve(x).type();
  if (from.same_shape(shape)) return x;
  int places[max_rank] = {};
  for (int i = 0; i < from.rank; ++i) places[i] = shape.rank - from.rank + i;
  return broadcast_in_dim(x, shape, {places, from.rank});
}

}  // namespace exprax::detail
