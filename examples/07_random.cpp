// SPDX-License-Identifier: BSL-1.0
// Random numbers as in JAX: a key in, the same numbers out, on every machine and also while compiling. There is no state: new keys are
// split from old ones.
#include <iostream>

#include <exprax/core.hpp>
#include <exprax/random.hpp>

namespace ex = exprax;

// A table that the compiler made.
constexpr auto table = ex::random::randint<8>(ex::random::key(0), 0, 100);

// Pi by darts at a square: the part of them that hits the quarter of a circle is pi / 4.
constexpr auto estimate_pi = [](auto key) {
  constexpr int darts = 100'000;
  auto const keys = ex::random::split(key);
  auto const x = ex::random::uniform<darts>(keys(0)), y = ex::random::uniform<darts>(keys(1));
  return 4.0f * ex::mean(x * x + y * y < 1.0f);
};

int main() {
  auto const key = ex::random::key(42);
  std::cout << "one normal number: " << ex::round(ex::random::normal(key), ex::decimals<3>) << '\n';  // JAX's: -0.028304616
  std::cout << "the table: " << table << '\n';

  std::cout << "pi is about " << ex::round(ex::jit(estimate_pi)(key), ex::decimals<2>) << '\n';
}
