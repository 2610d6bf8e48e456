// SPDX-License-Identifier: BSL-1.0
// reduce_argmax and reduce_argmin by other equations: along a short axis by comparisons of its slices, one after the other, so that packs
// run along the results; in blocks, where there is no kernel for them, by the smallest index at which the extremum stands.
#pragma once

#include <exprax/primitives/reductions/argument_extremum.hpp>
#include <exprax/primitives/rule_context.hpp>

namespace exprax::detail {

// x: the operand in the new program; combiner: max or min.
constexpr int argument_in_block(rule_context& c, int x, int axis, prim combiner) {
  return first_extremum(c, x, axis, combiner == prim::max ? prim::reduce_max : prim::reduce_min, index_of_argument(c.type(x).type));
}

// The first k of which nothing after it in parts[k] is better, where NaN is best.
constexpr int argument_of_few(rule_context& c, span<int> parts, prim combiner) {
  aval const t = c.type(parts[0]), is = t.with_type(dtype::b1), out = t.with_type(index_of_argument(t.type));
  bool const largest = combiner == prim::max;
  auto const emit = [&](prim op, aval const& type, int a, int b) {
    int const in[] = {a, b};
    return c.emit(op, in, {}, type);
  };
  auto const select = [&](aval const& type, int which, int a, int b) {
    int const in[] = {which, a, b};
    return c.emit(prim::select_n, in, {}, type);
  };
  auto const index = [&](int k) { return c.broadcast(c.literal(out.type, static_cast<std::uint64_t>(k)), out, {}); };
  auto const is_better = [&](int x, int best) {
    if (!is_floating(t.type)) return emit(largest ? prim::gt : prim::lt, is, x, best);
    int const is_as_good = emit(largest ? prim::ge : prim::le, is, best, x);
    return emit(prim::and_, is, c.emit(prim::not_, {&is_as_good, 1}, {}, is), emit(prim::eq, is, best, best));
  };
  // In halves, the first one before the other: few comparisons wait for others, and few values for comparisons.
  struct candidate {
    int value, index;
  };
  auto const best_of = [&](auto const& self, int first, int n) -> candidate {
    if (n == 1) return {parts[first], index(first)};
    candidate const a = self(self, first, n / 2), b = self(self, first + n / 2, n - n / 2);
    int const takes = is_better(b.value, a.value);
    return {n < parts.size() ? select(t, takes, a.value, b.value) : a.value, select(out, takes, a.index, b.index)};
  };
  return best_of(best_of, 0, parts.size()).index;
}

}  // namespace exprax::detail
