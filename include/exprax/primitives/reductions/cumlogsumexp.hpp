// SPDX-License-Identifier: BSL-1.0
// cumlogsumexp (jax.lax.cumlogsumexp): running log(sum(exp(x))) along an axis, without overflow: two numbers combine as in
// jax.numpy.logaddexp, max(a, b) + log1p(exp(-|a - b|)), and to their sum where a - b is NaN.
#pragma once

#include <exprax/primitives/elementwise/arithmetic/abs.hpp>
#include <exprax/primitives/elementwise/arithmetic/add.hpp>
#include <exprax/primitives/elementwise/arithmetic/max.hpp>
#include <exprax/primitives/elementwise/functions/exp.hpp>
#include <exprax/primitives/elementwise/functions/log1p.hpp>
#include <exprax/primitives/reductions/cumulative.hpp>

namespace exprax {

template <>
struct primitive<prim::cumlogsumexp> : detail::cumulative<prim::cumlogsumexp> {
  static constexpr std::string_view name = "cumlogsumexp";
  static constexpr bool accepts(dtype d) { return is_floating(d); }
  template <class V>
  static constexpr V join(V a, V b) {
    V const difference = a - b;
    V const tail = primitive<prim::log1p>::kernel(primitive<prim::exp>::kernel(-primitive<prim::abs>::kernel(difference)));
    return select(difference != difference, a + b, primitive<prim::max>::kernel(a, b) + tail);
  }
  template <class Lowering>
  static constexpr int lower_join(Lowering& l, int a, int b) {
    int const largest = l.like("maximum", a, b), difference = l.like("subtract", a, b);
    int const is_nan = l.compare("NE", difference, difference), sum = l.like("add", a, b);
    int const tail = l.like("log_plus_one", l.like("exponential", l.like("negate", l.like("abs", difference))));
    return l.select(is_nan, sum, l.like("add", largest, tail));
  }
  template <class Context>
  static constexpr int running_tangent(Context& c, int x, int t, int result, int before, int t_before) {
    auto const share = [&](int of) { return c.elementwise(prim::exp, c.sub(of, result)); };
    return c.add(c.mul(t_before, share(before)), c.mul(t, share(x)));
  }
};

}  // namespace exprax
