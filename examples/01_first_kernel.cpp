// SPDX-License-Identifier: BSL-1.0
// A first kernel: a function of arrays, called as it is, compiled by jit, and run by the compiler itself. For each set of shapes it is
// another kernel; none of them allocates memory, and nothing is compiled at run time.
#include <iostream>

#include <exprax/core.hpp>

namespace ex = exprax;

// The distance of two points. A function to compile is generic over its arguments, and has no state.
constexpr auto distance = [](auto x, auto y) { return ex::sqrt(ex::sum(ex::square(x - y))); };

// The same kernel in constant evaluation: a triangle with the sides 3, 4 and 5.
static_assert(ex::jit(distance)(ex::array<float, 2>{0, 0}, ex::array<float, 2>{3, 4}) == 5.0f);

int main() {
  ex::array<float, 3> const x{1, 2, 3}, y{3, 4, 4};
  std::cout << "at once: " << x - y << ", " << distance(x, y) << '\n';  // operation by operation
  std::cout << "by jit:  " << ex::jit(distance)(x, y) << '\n';          // one loop

  ex::array<double, 2, 2> const a{{1, 2}, {3, 4}}, b{{1, 2}, {3, 2}};
  std::cout << "doubles: " << ex::jit(distance)(a, b) << '\n';

  auto fast_distance = ex::jit(distance);  // an object, to keep and to call
  ex::array<float> result;                 // an array without axes is a number
  fast_distance.into(result, x, y);        // results into memory that is yours
  std::cout << "into:    " << result << '\n';
}
