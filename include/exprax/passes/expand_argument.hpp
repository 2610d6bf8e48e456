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
class argument_of_few {
 public:
  constexpr argument_of_few(rule_context& c, span<int> parts, prim combiner)
      : c_(c), parts_(parts), of_(c.type(parts[0])), found_(of_.with_type(index_of_argument(of_.type))), largest_(combiner == prim::max) {}

  constexpr int run() { return best_of(0, parts_.size()).index; }

 private:
  struct candidate {
    int value, index;
  };
  // In halves, the first one before the other: few comparisons wait for others, and few values for comparisons.
  constexpr candidate best_of(int first, int n) {
    if (n == 1) return {parts_[first], index(first)};
    candidate const a = best_of(first, n / 2), b = best_of(first + n / 2, n - n / 2);
    int const takes = is_better(b.value, a.value);
    return {n < parts_.size() ? select(of_, takes, a.value, b.value) : a.value, select(found_, takes, a.index, b.index)};
  }
  constexpr int is_better(int x, int best) {
    if (!is_floating(of_.type)) return compare(largest_ ? prim::gt : prim::lt, x, best);
    int const is_as_good = compare(largest_ ? prim::ge : prim::le, best, x);
    return compare(prim::and_, c_.emit(prim::not_, {&is_as_good, 1}, {}, of_.with_type(dtype::b1)), compare(prim::eq, best, best));
  }
  constexpr int compare(prim op, int a, int b) {
    int const in[] = {a, b};
    return c_.emit(op, in, {}, of_.with_type(dtype::b1));
  }
  constexpr int select(aval const& type, int which, int a, int b) {
    int const in[] = {which, a, b};
    return c_.emit(prim::select_n, in, {}, type);
  }
  constexpr int index(int k) { return c_.broadcast(c_.literal(found_.type, static_cast<std::uint64_t>(k)), found_, {}); }

  rule_context& c_;
  span<int> parts_;
  aval of_, found_;
  bool largest_;
};

}  // namespace exprax::detail
