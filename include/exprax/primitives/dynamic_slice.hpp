// SPDX-License-Identifier: BSL-1.0
// dynamic_slice (jax.lax.dynamic_slice): a box whose start is known at run time; the start is clamped so that the box lies
// inside. Operands: the array, one i32 scalar for each axis. Parameters: the sizes of the box.
#pragma once

#include <exprax/primitives/primitive.hpp>
#include <exprax/primitives/walk.hpp>
#include <exprax/types/element.hpp>

namespace exprax {

namespace detail {

// Operands first, first + 1, ... are i32 scalars, one for each axis of operand 0.
constexpr bool are_starts(equation_ref const& e, int first) {
  if (e.n_in() != first + e.type(0).rank) return false;
  for (int k = first; k < e.n_in(); ++k)
    if (e.type(k).rank != 0 || e.type(k).type != dtype::i32) return false;
  return true;
}
// Moves the place p in the array of operand 0 to the clamped start of a box of these sizes.
template <class Machine>
constexpr void move_to_start(Machine& m, equation_ref const& e, int first, int const* sizes, place& p) {
  for (int i = 0; i < e.type(0).rank; ++i) {
    int const last = e.type(0).dims[i] - sizes[i];
    int const start = from_bits<int>(m.in(e, first + i)[0]);
    p.base += p.step[i] * (start < 0 ? 0 : start > last ? last : start);
  }
}
// No operand from k on has a batch axis.
template <class Context>
constexpr bool unbatched_from(Context const& c, equation_ref const& e, int k) {
  for (; k < e.n_in(); ++k)
    if (c.dim(e, k) >= 0) return false;
  return true;
}

}  // namespace detail

template <>
struct primitive<prim::dynamic_slice> {
  static constexpr std::string_view name = "dynamic_slice";
  static constexpr op_class kind = op_class::dynamic;

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() < 1 || !detail::are_starts(e, 1) || e.n_par() != e.type(0).rank) return false;
    *out = e.type(0);
    for (int i = 0; i < out->rank; ++i) {
      if (e.param(i) < 0 || e.param(i) > out->dims[i]) return false;
      out->dims[i] = e.param(i);
    }
    return true;
  }
  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    detail::place from(e.type(0));
    detail::move_to_start(m, e, 1, e.params().data(), from);
    detail::copy_box(e.out_type(0), m.out(e, 0), detail::place(e.out_type(0)), m.in(e, 0), from);
  }
  // With one start for all rows the box spans the batch axis; otherwise it is taken row by row.
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    if (!detail::unbatched_from(c, e, 1)) return c.map(e);
    int const d = c.dim(e, 0);
    detail::int_list in, sizes;
    in.push(c.value(e, 0));
    for (int i = 0; i <= e.type(0).rank; ++i) {
      if (i == d) {
        in.push(c.literal(dtype::i32, 0));
        sizes.push(c.size());
      }
      if (i < e.type(0).rank) {
        in.push(c.value(e, 1 + i));
        sizes.push(e.param(i));
      }
    }
    c.replace(e, {in.of, in.n}, {sizes.of, sizes.n}, d);
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    detail::arena<int> in;
    for (int k = 0; k < e.n_in(); ++k) in.push(l.in(e, k));
    l.set(e, 0, l.dynamic_slice(in, e.params()));
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("slice_sizes");
    o.tuple(e.params());
  }
};

}  // namespace exprax
