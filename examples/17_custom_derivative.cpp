// SPDX-License-Identifier: BSL-1.0
// Rules for derivatives that are yours. Where exp(x) overflows, the derivative of log(1 + exp(x)) by the rules of its parts is infinity /
// infinity; custom_jvp gives the function the derivative that mathematics knows, 1. custom_vjp does that for reverse mode, here to clip a
// gradient.
#include <iostream>

#include <exprax/core.hpp>

namespace ex = exprax;

// The function, and a rule: (tuple of arguments, tuple of their tangents) -> (result, its tangent).
constexpr auto naive = [](auto x) { return ex::log(1.0f + ex::exp(x)); };
constexpr auto log1pexp = ex::custom_jvp(naive).defjvp([](auto primals, auto tangents) {
  auto const [x] = primals;
  auto const [t] = tangents;
  return ex::tuple(naive(x), (1.0f - 1.0f / (1.0f + ex::exp(x))) * t);
});

// The identity, with a gradient that is never longer than 1: a function that returns (result, what to keep), and one from that and the
// gradient of the result to the gradients of the arguments.
constexpr auto clip_gradient =
    ex::custom_vjp([](auto x) {
      return x;
    }).defvjp([](auto x) { return ex::tuple(x, ex::none); }, [](auto, auto g) { return ex::tuple(ex::clip(g, -1.0f, 1.0f)); });
constexpr auto square = [](auto x) { return x * x; };
constexpr auto square_clipped = [](auto x) { return square(clip_gradient(x)); };

int main() {
  ex::array<float, 3> const x{0, 50, 100};
  std::cout << "log(1 + exp(x)) / d x at " << x << '\n';
  std::cout << "  by its parts: " << ex::jit(ex::vmap(ex::grad(naive)))(x) << '\n';
  std::cout << "  by our rule:  " << ex::jit(ex::vmap(ex::grad(log1pexp)))(x) << '\n';
  // The rule is differentiated as any function: the second derivative at 0 is 1/4.
  std::cout << "  once more at 0: " << ex::jit(ex::grad(ex::grad(log1pexp)))(0.0f) << '\n';

  ex::array<float, 4> const y{-3, -0.25f, 0.25f, 3};
  std::cout << "x^2 / d x at " << y << '\n';
  std::cout << "  as it is: " << ex::jit(ex::vmap(ex::grad(square)))(y) << '\n';
  std::cout << "  clipped:  " << ex::jit(ex::vmap(ex::grad(square_clipped)))(y) << '\n';
}
