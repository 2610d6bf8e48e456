// SPDX-License-Identifier: BSL-1.0
// Family of reduce_argmax and reduce_argmin: the index along an axis of the first NaN, else of the first largest or smallest element, in
// one walk; argmax and argmin of elements of 4 and 8 bytes are expanded to them (argument_extremum.hpp). Parameters: the axis. Indices are
// integers of the size of an element.
#pragma once

#include <exprax/math/lane.hpp>
#include <exprax/primitives/reductions/argument_extremum.hpp>
#include <exprax/primitives/reductions/reduction.hpp>

namespace exprax::detail {

template <prim P, prim Combine>
struct argument_reduction {
  static constexpr prim_traits traits{.kind = op_class::argument_reduction, .arity = 1, .combiner = Combine};
  static constexpr bool largest = Combine == prim::max, in_fixed_order = false;

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1 || e.n_out() != 1 || e.n_par() != 1) return false;
    aval const& in = e.type(0);
    int const axis = e.param(0);
    if (!has_argument_reduction(in.type) || axis < 0 || axis >= in.rank || in.dims[axis] < 1) return false;
    *out = in.without_axis(axis).with_type(index_of_argument(in.type));
    return true;
  }
  // Whether x takes the place of the best element before it.
  template <class V>
  EXPRAX_INLINE static constexpr auto is_better(V x, V best) {
    if constexpr (std::is_floating_point_v<typename V::value_type>) return and_not(best == best, largest ? best >= x : best <= x);
    else return largest ? x > best : x < best;
  }
  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    with_element(e.type(0).type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      if constexpr (has_argument_reduction(dtype_of<T>)) evaluate_as<T>(m, e);
    });
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const d = c.dim(e, 0).position(), v = c.value(e, 0), axis = e.param(0), par[] = {axis + (d <= axis)};
    c.replace(e, {&v, 1}, par, d - (d > axis));
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    lower_argument_extremum<largest>(l, e, e.param(0), e.out_type(0).type);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("axes");
    o.tuple(e.params());
  }

 private:
  template <class T, class Machine>
  static constexpr void evaluate_as(Machine& m, equation_ref const& e) {
    aval const& in = e.type(0);
    int const axis = e.param(0), n = in.dims[axis];
    strides const of(in);
    std::ptrdiff_t const step = of[axis];
    place from(in);
    from.step[axis] = 0;
    aval rows = in;
    rows.dims[axis] = 1;
    std::uint64_t const* const elements = m.in(e, 0);
    std::uint64_t* const indices = m.out(e, 0);
    walk(rows, place(rows), from, [&](std::ptrdiff_t to, std::ptrdiff_t at) {
      lane<T> best(from_bits<T>(elements[at]));
      int found = 0;
      for (int i = 1; i < n; ++i)
        if (lane<T> const x(from_bits<T>(elements[at + i * step])); is_better(x, best).value) best = x, found = i;
      indices[to] = static_cast<std::uint64_t>(found);
    });
  }
};

}  // namespace exprax::detail
