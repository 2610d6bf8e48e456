// SPDX-License-Identifier: BSL-1.0
// Branches: cond chooses between two functions, switch_ among several. A C++ `if` on a traced value does not compile; on a C++ constant it
// is what it always was. Under vmap each row takes its own branch.
#include <iostream>

#include <exprax/core.hpp>

namespace ex = exprax;

// The next number of Collatz: half of an even number, 3 n + 1 of an odd one.
constexpr auto next = [](auto n) {
  return ex::cond(n % 2 == 0, [](auto m) { return ex::floor_divide(m, 2); }, [](auto m) { return 3 * m + 1; }, n);
};
// How many turns until it is 1.
constexpr auto turns = [](auto n) {
  auto const [one, count] = ex::while_loop([](auto s) { return ex::get<0>(s) != 1; },
                                           [](auto s) { return ex::tuple(next(ex::get<0>(s)), ex::get<1>(s) + 1); }, ex::tuple(n, 0));
  return count;
};

// A machine with four instructions.
constexpr auto calculate = [](auto code, auto x, auto y) {
  return ex::switch_(code,
                     ex::branches([](auto a, auto b) { return a + b; }, [](auto a, auto b) { return a - b; },
                                  [](auto a, auto b) { return a * b; }, [](auto a, auto b) { return a / b; }),
                     x, y);
};

int main() {
  std::cout << "from 6: ";
  for (int n = 6; n != 1; n = ex::jit(next)(n)) std::cout << n << ' ';
  std::cout << "1\n";
  std::cout << "turns of 1 to 10: " << ex::jit(ex::vmap(turns))(ex::arange<1, 11>()) << ", of 27: " << ex::jit(turns)(27) << '\n';
  std::cout << "12 and 3: " << ex::jit(ex::vmap(calculate, ex::in_axes<0, ex::none, ex::none>))(ex::arange<4>(), 12.0f, 3.0f) << '\n';
}
