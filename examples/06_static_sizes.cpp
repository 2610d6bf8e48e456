// SPDX-License-Identifier: BSL-1.0
// Shapes are constants. A size comes from an argument's shape, or is an argument itself: ex::static_<n>. What finds an unknown number of
// things, such as nonzero and unique, is told how many there are, and fills the rest.
#include <iostream>

#include <exprax/core.hpp>
#include <exprax/numpy.hpp>

namespace ex = exprax;

// x to the power of n: n is a C++ constant, so the loop is unrolled, and `if` decides while tracing.
constexpr auto power = [](auto x, auto n) {
  auto product = ex::ones_like(x);
  for (int i = n(); i > 0; i /= 2) {
    if (i % 2 == 1) product = product * x;
    x = x * x;
  }
  return product;
};

// The sizes of x are constants of its type.
constexpr auto middle_row = [](auto x) { return x(decltype(x)::extent(0) / 2); };

// The primes below n, of which there are count: the numbers with two divisors.
constexpr auto primes = [](auto n, auto count) {
  auto const numbers = ex::arange<n()>();
  auto const divides = numbers % ex::maximum(numbers(ex::all, ex::newaxis), 1) == 0;  // [i, j]: i divides j
  auto const divisors = ex::sum(divides(ex::slice<1, n()>), ex::axis<0>);
  return ex::get<0>(ex::nonzero<count()>(divisors == 2, ex::fill_value(-1)));
};

int main() {
  std::cout << "2^10: " << ex::jit(power)(2, ex::static_<10>) << ", 3^5: " << ex::jit(power)(3, ex::static_<5>) << '\n';
  std::cout << "the middle row of three: " << ex::jit(middle_row)(ex::array<int, 3, 2>{{1, 2}, {3, 4}, {5, 6}}) << '\n';
  std::cout << "primes below 50: " << ex::jit(primes)(ex::static_<50>, ex::static_<15>) << '\n';
  std::cout << "with places for 12, below 30: " << ex::jit(primes)(ex::static_<30>, ex::static_<12>) << '\n';

  ex::array<int, 8> const x{3, 1, 4, 1, 5, 9, 2, 6};
  std::cout << "larger than 3: " << ex::jit([](auto a) { return a(a > 3, ex::size<4>, ex::fill_value(0)); })(x) << '\n';
  auto const [values, counts] = ex::jit([](auto a) { return ex::unique<7>(a, ex::return_counts); })(x);
  std::cout << "unique: " << values << ", how often: " << counts << '\n';
}
