// SPDX-License-Identifier: BSL-1.0
// Loops that stay loops: scan carries a state over the rows of an array and stacks what each step gives, fori_loop counts, and while_loop
// runs until its condition is false. Under vmap each row has its own number of turns.
#include <iostream>

#include <exprax/core.hpp>

namespace ex = exprax;

// Fibonacci's numbers: the carry is a pair, and there is nothing to scan over.
constexpr auto fibonacci = [] {
  auto const body = [](auto carry, auto) {
    auto const [a, b] = carry;
    return ex::tuple(ex::tuple(b, a + b), b);  // (the next carry, a row of the result)
  };
  auto const [last, rows] = ex::scan(body, ex::tuple(0, 1), ex::length<10>);
  return rows;
};

// A polynomial by Horner's rule, from the highest coefficient down.
constexpr auto horner = [](auto coefficients, auto x) {
  auto const body = [=](auto sum, auto c) { return ex::tuple(sum * x + c, ex::none); };
  auto const [value, nothing] = ex::scan(body, 0.0f, coefficients);
  return value;
};

constexpr auto factorial = [](auto n) { return ex::fori_loop(1, n + 1, [](auto i, auto product) { return product * i; }, 1); };

// Euclid's algorithm.
constexpr auto gcd = [](auto a, auto b) {
  auto const [d, zero] = ex::while_loop([](auto s) { return ex::get<1>(s) != 0; },
                                        [](auto s) { return ex::tuple(ex::get<1>(s), ex::get<0>(s) % ex::get<1>(s)); }, ex::tuple(a, b));
  return d;
};

int main() {
  std::cout << "Fibonacci: " << ex::jit(fibonacci)() << '\n';
  ex::array<float, 3> const c{2, -3, 1};  // 2 x^2 - 3 x + 1, whose zeros are 1/2 and 1
  std::cout << "horner:    " << ex::jit(ex::vmap(horner, ex::in_axes<ex::none, 0>))(c, ex::array<float, 4>{0, 0.5f, 1, 2}) << '\n';
  std::cout << "factorial: " << ex::jit(ex::vmap(factorial))(ex::arange<11>()) << '\n';
  std::cout << "gcd:       " << ex::jit(ex::vmap(gcd))(ex::array<int, 3>{12, 35, 1071}, ex::array<int, 3>{18, 64, 462}) << '\n';
}
