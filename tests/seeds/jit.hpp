// SPDX-License-Identifier: BSL-1.0
// A product with relu, functions of functions, static arguments.
#pragma once

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace seeds {

inline constexpr auto apply_activation = [](auto x) { return ex::maximum(0.0f, x); };
inline constexpr auto get_dot_product = [](auto W, auto X) { return ex::dot(W, X); };
inline constexpr auto forward_pass = [](auto W, auto X) {
  auto Z = get_dot_product(W, X);
  auto A = apply_activation(Z);
  return ex::tuple(Z, A);
};
inline constexpr auto forward_pass_of_jits = [](auto W, auto X) {
  auto Z = ex::jit<get_dot_product>(W, X);
  return ex::tuple(Z, ex::jit<apply_activation>(Z));
};
inline constexpr auto number_squared = [](auto num) { return ex::pow(num, 2); };
// The branch becomes a select; a static count becomes a loop of the tracing.
inline constexpr auto square_or_cube = [](auto x) { return ex::where(x % 2 == 0, ex::pow(x, 2), x * x * x); };
inline constexpr auto multiply_n_times = [](auto x, auto n) {
  auto res = x;
  for (int count = 1; count < n(); ++count) res = res * x;
  return res;
};

}  // namespace seeds
