// SPDX-License-Identifier: BSL-1.0
// nonzero: where a mask is true (as jax.numpy.nonzero): the first `size` positions in row-major order, as indices along each of its last
// axes, and a fill value if there are fewer. As ex::nonzero records it, it has a block with the equations that JAX writes: texts and
// batching by name use those (transforms/expand_vmap.hpp), everything else drops the block and runs the loop (emit/kernels/nonzero.hpp).
//
// Operands: bool[b..., d...]; nothing, or for each axis d an integer, or integers [b...]: the fill value, else 0.
// Results: for each axis d integers [b..., size]. Parameters: size, the number of axes d, the dtype of the results.
#pragma once

#include <exprax/primitives/primitive.hpp>
#include <exprax/primitives/walk.hpp>
#include <exprax/types/element.hpp>

namespace exprax {

template <>
struct primitive<prim::nonzero> {
  static constexpr std::string_view name = "nonzero";
  static constexpr prim_traits traits{.kind = op_class::compression};

  static constexpr int size(equation_ref const& e) { return e.param(0); }
  static constexpr int axes(equation_ref const& e) { return e.param(1); }
  static constexpr dtype type(equation_ref const& e) { return static_cast<dtype>(e.param(2)); }
  // The number of leading axes, those of the batch.
  static constexpr int batch_rank(equation_ref const& e) { return e.type(0).rank - axes(e); }
  static constexpr bool has_fill(equation_ref const& e) { return e.n_in() > 1; }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_par() != 3 || e.e.n_blk > 1 || e.n_in() < 1 || !is_bool(e.type(0).type) || size(e) < 1 || axes(e) < 1 || batch_rank(e) < 0)
      return false;
    if (e.n_out() != axes(e) || (has_fill(e) && e.n_in() != 1 + axes(e)) || !is_integer(type(e))) return false;
    aval rows(type(e));
    for (int i = 0; i < e.type(0).rank; ++i) {
      if (i < batch_rank(e)) rows.dims[rows.rank++] = e.type(0).dims[i];
      else if (e.type(0).dims[i] == 0) return false;
    }
    for (int k = 1; k < e.n_in(); ++k)
      if (!is_integer(e.type(k).type) || (e.type(k).rank > 0 && !e.type(k).same_shape(rows))) return false;
    for (int k = 0; k < axes(e); ++k) out[k] = rows.with_axis(rows.rank, size(e));
    return true;
  }

  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    aval const& mask = e.type(0);
    std::ptrdiff_t rows = 1, n = 1;
    for (int i = 0; i < mask.rank; ++i) (i < batch_rank(e) ? rows : n) *= mask.dims[i];
    for (std::ptrdiff_t row = 0; row < rows; ++row) {
      std::ptrdiff_t found = 0;
      for (std::ptrdiff_t i = 0; i < n && found < size(e); ++i) {
        if (m.in(e, 0)[row * n + i] == 0) continue;
        std::ptrdiff_t left = i;
        for (int k = axes(e) - 1; k >= 0; --k) {
          int const d = mask.dims[batch_rank(e) + k];
          m.out(e, k)[row * size(e) + found] = static_cast<std::uint64_t>(left % d);
          left /= d;
        }
        ++found;
      }
      for (; found < size(e); ++found)
        for (int k = 0; k < axes(e); ++k)
          m.out(e, k)[row * size(e) + found] = has_fill(e) ? fill_bits(e, k, m.in(e, 1 + k)[e.type(1 + k).rank > 0 ? row : 0]) : 0;
    }
  }

  // All operands get the batch axis in front; unbatched scalar fill values stay scalars.
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    detail::arena<int> in;
    detail::arena<aval> out;
    for (int k = 0; k < e.n_in(); ++k) {
      batch_axis const dim = c.dim(e, k);
      int const v = c.value(e, k), first[] = {0};
      if (k == 0 || e.type(k).rank > 0) in.push(c.at_front(v, dim, c.size()));
      else if (!dim.is_mapped() || batch_rank(e) == 0) in.push(v);
      else in.push(c.broadcast(v, e.out_type(0).without_axis(batch_rank(e)).with_axis(0, c.size()), first));
    }
    for (int k = 0; k < axes(e); ++k) out.push(e.out_type(k).with_axis(0, c.size()));
    int const first = c.emit(prim::nonzero, in, e.params(), out, {});
    for (int k = 0; k < axes(e); ++k) c.set(e, k, first + k, 0);
  }

  // The position with index s equals the number of elements whose running count of ones is at most s; n if there is none.
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    int rows = 1, n = 1;
    for (int i = 0; i < e.type(0).rank; ++i) (i < batch_rank(e) ? rows : n) *= e.type(0).dims[i];
    aval const flat(dtype::i32, {rows, n}), cube(dtype::i32, {rows, n, size(e)}), found(dtype::i32, {rows, size(e)});
    int const window[] = {1, n, 0, n - 1, 0, 0}, leading[] = {0, 1}, middle[] = {1};
    int const ones = l.convert(l.reshape(l.in(e, 0), flat), dtype::i32), zero = l.number(dtype::i32, 0);
    int const running = l.reduce_window(ones, zero, window, l.combiner("add", dtype::i32));
    int const before = l.compare("LE", l.broadcast_in_dim(running, cube, leading), l.iota(2, cube));
    int const place = l.reduce("add", l.convert(before, dtype::i32), zero, middle), missing = l.compare("GE", place, l.full(found, n));
    for (int k = 0, stride = n; k < axes(e); ++k) {
      int const d = e.type(0).dims[batch_rank(e) + k];
      stride /= d;
      int v = l.convert(l.like("remainder", l.like("divide", place, l.full(found, stride)), l.full(found, d)), type(e));
      if (has_fill(e)) {
        int const fill = l.convert(l.in(e, 1 + k), type(e)),
                  by_row = e.type(1 + k).rank > 0 ? l.reshape(fill, aval(type(e), {rows})) : fill;
        v = l.select(missing, l.broadcast_leading(by_row, found), v);
      }
      l.set(e, k, l.reshape(v, e.out_type(k)));
    }
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("axes");
    o.integer(axes(e));
    o.key("size");
    o.integer(size(e));
  }

 private:
  // A template, so that only programs with a fill value instantiate it: for all pairs of dtypes.
  template <class Equation>
  static constexpr std::uint64_t fill_bits(Equation const& e, int k, std::uint64_t bits) {
    return detail::with_element(e.type(1 + k).type, [&](auto from) {
      return detail::bits_in(type(e), [&](auto to) {
        return detail::convert_number<typename decltype(to)::type>(detail::from_bits<typename decltype(from)::type>(bits));
      });
    });
  }
};

// Whether texts show the equations of its block in place of the equation.
constexpr bool is_shown_by_its_block(eqn const& e) { return e.op == prim::nonzero && e.n_blk > 0; }

}  // namespace exprax
