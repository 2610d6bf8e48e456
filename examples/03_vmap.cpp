// SPDX-License-Identifier: BSL-1.0
// vmap: a function of one example becomes one of a batch. Which axis of each argument is mapped over is said by in_axes, and where the new
// axis of the results goes by out_axes.
#include <iostream>

#include <exprax/core.hpp>

namespace ex = exprax;

constexpr auto distance = [](auto x, auto y) { return ex::sqrt(ex::sum(ex::square(x - y))); };

// xs: [n, d], ys: [m, d] -> [n, m] by two vmaps: over the rows of ys, and over those of xs.
constexpr auto to_all = ex::vmap(distance, ex::in_axes<ex::none, 0>);
constexpr auto distances = ex::vmap(to_all, ex::in_axes<0, ex::none>);

constexpr auto normalize = [](auto x) { return x / ex::sum(x); };

int main() {
  // Points on a line through the origin, 0, 5 and 10 away from it.
  ex::array<float, 3, 2> const points{{0, 0}, {3, 4}, {6, 8}};
  std::cout << "distances:\n" << ex::jit(distances)(points, points) << '\n';
  std::cout << "pair by pair: " << ex::jit(ex::vmap(distance))(points, ex::flip(points)) << '\n';

  // A function of the library is mapped in the same way: a matrix by each of three vectors.
  ex::array<float, 2, 2> const quarter_turn{{0, -1}, {1, 0}};
  std::cout << "turned:\n" << ex::jit(ex::vmap(ex::dot, ex::in_axes<ex::none, 0>))(quarter_turn, points) << '\n';

  // Rows, or columns: the sums of what is normalized are 1.
  ex::array<float, 2, 2> const x{{1, 3}, {1, 1}};
  std::cout << "rows:\n" << ex::jit(ex::vmap(normalize))(x) << '\n';
  std::cout << "columns:\n" << ex::jit(ex::vmap(normalize, ex::in_axes<1>, ex::out_axes<1>))(x) << '\n';
}
