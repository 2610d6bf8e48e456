// SPDX-License-Identifier: BSL-1.0
// Equations on several values whose types are known as values only (numpy/core/dynamic_shapes.hpp), for the indices of gathers and
// scatters.
#pragma once

#include <exprax/numpy/core/dynamic_shapes.hpp>
#include <exprax/primitives/walk.hpp>

namespace exprax::detail {

// A list of parameters of gather or scatter: up to six lists of axes with their lengths.
struct long_param_list {
  int at[6 * (max_rank + 1) + 6] = {};
  int n = 0;
  constexpr void push(int i) { at[n++] = i; }
  constexpr operator span<int>() const { return {at, n}; }
};

constexpr handle equation(prim op, span<handle> in, span<int> params, aval const& out) {
  handle all = resolve(in[0]);
  for (int k = 1; k < in.size(); ++k) {
    handle h = in[k];
    join(all, h);
  }
  arena<int> ids;
  for (handle const& h : in) ids.push(resolve(h).id);
  int const type = all.on->intern(out);
  return handle(all.on, all.on->record(op, ids, params, {&type, 1}));
}
constexpr handle equation(prim op, handle const& x, span<int> params, aval const& out) {
  return equation(op, span<handle>{&x, 1}, params, out);
}

// A literal on the tape of another value.
constexpr handle literal_near(handle const& on, aval const& type, std::uint64_t bits) {
  handle const h = resolve(on);
  return handle(h.on, h.on->add_constant(h.on->intern(type), {&bits, 1}));
}
constexpr handle iota_near(handle const& on, int n) {
  handle const h = resolve(on);
  int const type = h.on->intern(aval(dtype::i32, {n})), params[] = {static_cast<int>(dtype::i32), 0, n};
  return handle(h.on, h.on->record(prim::iota, {}, params, {&type, 1}));
}

}  // namespace exprax::detail
