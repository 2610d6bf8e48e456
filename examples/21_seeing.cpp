// SPDX-License-Identifier: BSL-1.0
// What the compiler made of a function, as pictures: its jaxpr and its plan as graphs, its memory over time. With Graphviz (Debian:
// graphviz) they are written by
//
//   21_seeing jaxpr | dot -Tsvg > jaxpr.svg
//   21_seeing plan | dot -Tsvg > plan.svg
//   21_seeing memory > memory.svg
#include <iostream>
#include <string_view>

#include <exprax/core.hpp>

namespace ex = exprax;

// The power method: v becomes w v, and its largest element 1.
constexpr auto turn = [](auto w, auto v) {
  auto const next = ex::matmul(w, v);
  return next / ex::max(next);
};
constexpr auto jaxpr = ex::make_jaxpr(turn)(ex::f32<64, 64>, ex::f32<64>);

// The largest eigenvalue of xT x.
constexpr auto largest = [](auto x) {
  auto const w = ex::matmul(ex::transpose(x), x);
  auto const v = ex::fori_loop(0, 50, [w](auto, auto u) { return turn(w, u); }, ex::ones<64>());
  return ex::max(ex::matmul(w, v));
};
constexpr auto plan = ex::lower<largest>()(ex::f32<100, 64>);

// Layers of different widths: a buffer takes the place of one that nobody reads any more.
constexpr auto layers = [](auto x, auto a, auto b, auto c) {
  auto const y = ex::tanh(ex::matmul(x, a));
  auto const z = ex::tanh(ex::matmul(y, b));
  return ex::sum(ex::tanh(ex::matmul(z, c)), ex::axis<1>);
};
constexpr auto memory = ex::lower<layers>()(ex::f32<32, 16>, ex::f32<16, 64>, ex::f32<64, 32>, ex::f32<32, 64>);

int main(int count, char** words) {
  std::string_view const one = count > 1 ? words[1] : "";
  if (one.empty() || one == "jaxpr") std::cout << ex::to_dot(jaxpr);
  if (one.empty() || one == "plan") std::cout << ex::to_dot(plan);
  if (one.empty() || one == "memory") std::cout << memory.as_text("memory");
}
