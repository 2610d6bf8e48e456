// SPDX-License-Identifier: BSL-1.0
// dynamic_slice (jax.lax.dynamic_slice): a box whose start is known at run time; the start is clamped so that the box fits. Operands: the
// array, one i32 scalar for each axis. Parameters: the sizes of the box.
#pragma once

#include <exprax/primitives/indexed/gather.hpp>

namespace exprax {

namespace detail {

struct axis_numbers {
  int of[max_rank] = {0, 1, 2, 3, 4, 5, 6, 7};
};
inline constexpr axis_numbers counted;

// Operands first, first + 1, ... are i32 scalars, one for each axis of operand 0.
constexpr bool are_starts(equation_ref const& e, int first) {
  if (e.n_in() != first + e.type(0).rank) return false;
  for (int k = first; k < e.n_in(); ++k)
    if (e.type(k).rank != 0 || e.type(k).type != dtype::i32) return false;
  return true;
}
// Moves the offset p in operand 0 to the clamped start of a box of these sizes.
template <class Machine>
constexpr void move_to_start(Machine& m, equation_ref const& e, int first, int const* sizes, place& p) {
  for (int i = 0; i < e.type(0).rank; ++i) {
    int const last = e.type(0).dims[i] - sizes[i];
    int const start = from_bits<int>(m.in(e, first + i)[0]);
    p.base += p.step[i] * (start < 0 ? 0 : start > last ? last : start);
  }
}
// Whether any operand from k on has a batch axis.
template <class Context>
constexpr bool is_batched_from(Context const& c, equation_ref const& e, int k) {
  for (; k < e.n_in(); ++k)
    if (c.dim(e, k).is_mapped()) return true;
  return false;
}
// 0, 1, ..., n - 1.
constexpr span<int> axes_below(int n) { return {counted.of, n}; }

}  // namespace detail

template <>
struct primitive<prim::dynamic_slice> {
  static constexpr std::string_view name = "dynamic_slice";
  static constexpr prim_traits traits{.kind = op_class::dynamic, .moves_bits = true, .reads_memory = true, .linear_in = first_operand};

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
  // jax.lax's rule: a gather, whose batching rule covers every case.
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const rank = e.type(0).rank;
    if (rank == 0) return c.set(e, 0, c.value(e, 0), c.dim(e, 0));
    detail::gather_form n;
    n.window = n.to = detail::axes_below(rank);
    n.sizes = e.params();
    n.sorted = n.unique = true;
    bool const starts = detail::is_batched_from(c, e, 1);
    int const indices = detail::index_vectors(c, e, 1, starts);
    detail::batch_gather(c, e, n, c.value(e, 0), c.dim(e, 0), indices, starts ? batch_axis(0) : not_mapped);
  }
  template <class Context>
  static constexpr void transpose(Context& c, equation_ref const& e) {
    detail::arena<int> in;
    in.push(c.zeros(e.type(0)));
    in.push(c.cotangent(e));
    for (int k = 1; k < e.n_in(); ++k) in.push(c.in(e, k));
    c.add_cotangent(e, 0, c.emit(prim::dynamic_update_slice, in));
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
